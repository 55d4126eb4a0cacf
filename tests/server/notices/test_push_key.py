"""Web push works on a server that nobody configured: it makes a key, keeps it, and shares it."""

import asyncio
from dataclasses import replace

from powderkeg.server.db import migrate
from powderkeg.server.db.store import Store
from powderkeg.server.notices.push_key import ensure_push_key, make_push_key
from powderkeg.server.notices.senders import push_public_key, seal_push
from tests.server.visiting import running


def test_the_key_is_made_on_the_first_start_and_kept(settings):
    seen = []
    for _ in range(2):
        with running(settings) as site:
            seen.append(site.guest("Ann").me["push_key"])
    assert len(seen[0]) > 80
    assert seen[0] == seen[1]


def test_a_key_in_the_settings_wins(settings):
    key = make_push_key()
    with running(replace(settings, vapid_key=key)) as site:
        assert site.guest("Ann").me["push_key"] == push_public_key(key)


def test_two_that_start_at_once_share_a_key(settings):
    async def both():
        store = Store(settings)
        await store.open()
        await migrate.upgrade_database(store)
        keys = await asyncio.gather(*(ensure_push_key(store, settings) for _ in range(2)))
        await store.close()
        return keys

    first, second = asyncio.run(both())
    assert first == second


def test_a_notice_can_be_sealed_with_such_a_key(settings):
    point = push_public_key(make_push_key())  # any point of the curve will do
    subscription = {
        "endpoint": "https://127.0.0.1:9/1",
        "keys": {"p256dh": point, "auth": "A" * 22},
    }
    body, headers = seal_push(
        replace(settings, vapid_key=make_push_key()), subscription, "Your turn"
    )
    assert body
    assert headers["Authorization"].startswith("vapid t=")
