"""Tables in memory: as many as there is room for."""

import pytest

from powderkeg.server.settings import Settings
from tests.server.visiting import running, until

pytestmark = pytest.mark.slow


def test_tables_are_dropped_where_memory_is_short_and_play_goes_on(tmp_path):
    with running(Settings(data=str(tmp_path), limits=False, memory_megabytes=1)) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)
        with ben.live(table) as follower:
            now = follower.table()
            until(lambda: not site.server.cache.entries)
            ann.act(table, ann.get(f"/tables/{table}")["legal"][0], now["seq"])
            follower.table(lambda shown: shown["seq"] > now["seq"])


def test_tables_stay_where_there_is_room(tmp_path):
    with running(Settings(data=str(tmp_path), limits=False)) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)
        site.do(site.server.cache.drop_unused())
        assert site.server.cache.peek(table) is not None
