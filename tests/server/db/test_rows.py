"""Rows are typed: they have the columns of the schema, settings of today are read, typos are found."""

import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import get_type_hints

import pytest
from sqlalchemy import select

from powderkeg.server.db import rows, schema
from powderkeg.server.db.table_settings import (
    ClockSettings,
    MissedPolicy,
    TableSettings,
    dump_settings,
    load_settings,
)
from powderkeg.server.schemas.tables import TableSettingsIn
from powderkeg.server.tables.loaded import SeatFields, TableFields
from tests.server.visiting import running

ROOT = Path(__file__).parent.parent.parent.parent
STORED = {
    rows.UserRow: schema.users,
    rows.TokenRow: schema.tokens,
    rows.LeagueRow: schema.leagues,
    rows.TableRow: schema.games,
    rows.SeatRow: schema.seats,
    rows.LogRow: schema.log,
    rows.DraftRow: schema.drafts,
    rows.MessageRow: schema.press,
    rows.EnvoyRow: schema.envoys,
    rows.ProposalRow: schema.proposals,
    rows.JobRow: schema.jobs,
    rows.NoticeRow: schema.notices,
    rows.HookRow: schema.hooks,
    rows.PackRow: schema.packs,
    rows.LessonRow: schema.lessons,
    rows.RatingRow: schema.ratings,
    rows.RatingChangeRow: schema.rating_changes,
    rows.ReportRow: schema.reports,
}
# Settings as version 0.1 stored them: of a table with all of them set, of the simplest one, of a copy.
FULL = (
    '{"listed":false,"join":"link","watch":"delayed","delay":60.0,"anonymous":true,'
    '"seating":"draw","press":"rulebook","clock":{"kind":"turn","bank":0.0,"gain":0.0,'
    '"length":86400.0,"at":"18:30","zone":"Europe/Madrid","stages":{"retreat":43200.0}},'
    '"missed":{"grace":3600.0,"autopilot":1,"open":3,"level":"hard"},"rated":true,"fill":false,'
    '"pausing":false,"draws":"named","votes":"secret"}'
)
PLAIN = (
    '{"listed":true,"join":"anyone","watch":"on","delay":600,"anonymous":false,'
    '"seating":"choose","press":"all","clock":{"kind":"none","bank":0,"gain":0,"length":0,'
    '"at":null,"zone":"UTC","stages":{}},"missed":{"grace":0,"autopilot":2,"open":4,"level":""},'
    '"rated":false,"fill":true,"pausing":true,"draws":"survivors","votes":"open"}'
)
COPY = PLAIN[:-1] + ',"copied_from":"AbCdEf1234"}'
LESSON = PLAIN[:-1] + ',"exercise":"diplomacy/bounce"}'


@pytest.mark.parametrize("kind", STORED, ids=lambda kind: kind.__name__)
def test_a_row_has_the_columns_of_its_table(kind):
    assert [each.name for each in fields(kind)] == [column.name for column in STORED[kind].columns]


@pytest.mark.parametrize(
    ("changing", "row"), [(TableFields, rows.TableRow), (SeatFields, rows.SeatRow)]
)
def test_what_changes_in_a_row_is_of_the_rows_types(changing, row):
    hints = get_type_hints(row)
    wider = {"to_act", "standing"}  # stored as lists and dicts, any kind is read
    for name, hint in get_type_hints(changing).items():
        assert name in wider or hints[name] == hint, name


@pytest.mark.parametrize("stored", [FULL, PLAIN, COPY, LESSON])
def test_settings_of_today_are_read_and_written_alike(stored):
    settings = load_settings(json.loads(stored))
    assert json.dumps(dump_settings(settings), separators=(",", ":")) == stored


def test_settings_are_typed():
    settings = load_settings(json.loads(FULL))
    assert settings.clock.stages == {"retreat": 43200.0}
    assert settings.clock.at == "18:30"
    assert settings.missed == MissedPolicy(grace=3600.0, autopilot=1, open=3, level="hard")
    assert load_settings(json.loads(COPY)).copied_from == "AbCdEf1234"


def test_settings_that_lack_keys_have_defaults():
    assert load_settings({}) == TableSettings()
    older = load_settings({"anonymous": True, "clock": {"kind": "bank", "bank": 60.0}})
    assert older.clock == ClockSettings(kind="bank", bank=60.0)
    assert older.anonymous
    assert older.pausing
    assert older.fill
    assert (older.draws, older.votes) == ("survivors", "open")
    assert older.missed.open == 4


def test_what_clients_may_set_is_what_is_stored():
    settings = load_settings(TableSettingsIn().model_dump())
    assert json.dumps(dump_settings(settings), separators=(",", ":")) == PLAIN


@pytest.mark.slow
def test_a_table_whose_stored_settings_lack_keys_is_shown_and_played(settings):
    with running(settings) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)

        async def forget_keys() -> None:
            g = schema.games.c
            async with site.server.store.write() as tx:
                mine = schema.games.update().where(g.id == table)
                await tx.run(mine.values(settings={"clock": {"kind": "none"}, "missed": {}}))
                row = await tx.one(select(schema.games).where(g.id == table))
                assert row is not None
                assert rows.TableRow.load(row).settings == TableSettings()
            site.server.cache.entries.clear()

        site.do(forget_keys())
        now = ann.get(f"/tables/{table}")
        assert now["settings"]["pausing"]
        assert now["question"]
        ann.act(table, now["legal"][0], now["question"]["id"])


TYPOS = """
from powderkeg.server.db.table_settings import TableSettings
from powderkeg.server.tables.loaded import LoadedTable, TableChange

def read(loaded: LoadedTable, settings: TableSettings) -> None:
    loaded.row.status
    loaded.row.staus
    loaded.row.status == "lvie"
    loaded.seats["red"].is_actve
    settings.missed.grace
    settings.misssed.grace
    settings.missed.grcae
    loaded.settings.clock["kind"]

def write(change: TableChange) -> None:
    change.set(status="over", due=None)
    change.set(staus="over")
    change.set(status="ovr")
    change.set_seat("red", autopilto=True)
    change.loaded.row.status = "over"
"""
WRONG = {7, 8, 9, 11, 12, 13, 17, 18, 19, 20}


@pytest.mark.slow
def test_a_typo_in_a_row_or_a_setting_is_an_error_of_types(tmp_path):
    file = tmp_path / "typos.py"
    file.write_text(TYPOS)
    command = [sys.executable, "-m", "mypy", "--no-error-summary"]
    run = subprocess.run(
        [*command, "--config-file", str(ROOT / "pyproject.toml"), str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stderr == ""
    found = [line for line in run.stdout.splitlines() if "error:" in line]
    assert {int(line.split(":")[1]) for line in found} == WRONG, run.stdout
