"""Tables whose game was stored under an older version of its rules."""

import json
from pathlib import Path

import pytest

from powderkeg.games import versailles
from powderkeg.server.db import schema
from tests.server.visiting import running

FILE = Path(__file__).parents[2] / "games" / "versailles" / "stored" / "one.jsonl"
OLD = json.loads(FILE.read_text(encoding="utf-8").splitlines()[0])  # its header, version 1


@pytest.mark.slow
def test_a_table_of_version_1_opens_and_its_rematch_goes_on_with_the_series(settings):
    with running(settings, games={"versailles": versailles}) as site:
        ann = site.guest("Ann")
        table = ann.post("/imports", {"file": FILE.read_text(encoding="utf-8")})["id"]
        fresh = ann.get(f"/tables/{table}")

        async def make_old() -> None:
            """The row as a server of that time stored it: other options, no snapshot of today."""
            async with site.server.store.write() as tx:
                mine = schema.games.update().where(schema.games.c.id == table)
                await tx.run(mine.values(version=1, options=OLD["options"]))
                await tx.run(schema.snapshots.delete())
            site.server.cache.entries.clear()

        site.do(make_old())
        now = ann.get(f"/tables/{table}")
        assert now["view"] == fresh["view"]
        assert now["result"] == fresh["result"]
        assert "Target for your next game: 15." in now["result"]["why"]
        again = ann.post(f"/tables/{table}/rematch")["id"]
        assert ann.get(f"/tables/{again}")["options"]["solo_series"] == "l"


def test_the_log_marks_names_that_are_not_certain(settings):
    with running(settings, games={"versailles": versailles}) as site:
        ann = site.guest("Ann")
        table = ann.post("/imports", {"file": FILE.read_text(encoding="utf-8")})["id"]
        entries = ann.get(f"/tables/{table}/log")["entries"]
        assert any("°" in fact["text"] for entry in entries for fact in entry["facts"])
