"""Games stored under older versions of the rules replay as they were played.

`stored` holds games of version 1, and `ends.json` what they came to.
"""

import hashlib
import json
from pathlib import Path

import pytest

import powderkeg.games.versailles as game
from powderkeg.core import plain, record
from powderkeg.core.errors import Unreadable
from powderkeg.games.versailles.cards.past import PAST_VALUES
from powderkeg.games.versailles.cards.reader import default_pack, pack_of
from powderkeg.games.versailles.state import Options

FOLDER = Path(__file__).parent / "stored"
ENDS = json.loads((FOLDER / "ends.json").read_text(encoding="utf-8"))


def stored(name):
    return record.read_record((FOLDER / f"{name}.jsonl").read_text(encoding="utf-8"))


def fingerprint(state):
    """What a state holds beside its options."""
    data = plain.dump(state)
    del data["options"]
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


@pytest.mark.parametrize("name", sorted(ENDS))
def test_a_game_of_version_1_replays_as_it_was_played(name):
    file = stored(name)
    assert file.header.version == 1
    table = record.replay_record(file, game)
    result = table.result
    assert result is not None
    assert "/".join("=".join(place) for place in result.ranking) == ENDS[name]["ranking"]
    assert sum(map(len, table.facts)) == ENDS[name]["facts"]
    assert fingerprint(table.state) == ENDS[name]["state"]


def test_an_old_game_stored_again_is_a_game_of_today():
    table = record.replay_record(stored("two"), game)
    again = record.read_record(record.write_record(record.make_record(table)))
    assert again.header.version == game.version
    assert record.replay_record(again, game).state == table.state


def test_a_position_of_an_old_game_keeps_its_readings():
    table = record.replay_record(stored("three"), game)
    data = plain.dump(table.state)
    old = {"length": 20, "pack": '{"issues.rheinland.stars":5}'}
    state = record.stored_state(game, 1, {**data, "options": old})
    assert state.options.league_region == "none"
    assert state.pack.issues["rheinland"].stars == 5
    assert state.pack.issues["anschluss"].options[0].happiness == ()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"version": game.version + 1}, "core.file_version"),
        ({"version": 0}, "core.file_version"),
        ({"options": {"pack": 5}}, "core.bad_value"),
    ],
)
def test_a_header_that_no_version_wrote_is_refused(change, code):
    file = stored("one")
    header = file.header.__class__(**{**plain.dump(file.header), **change})
    with pytest.raises(Unreadable) as error:
        record.replay_record(record.Record(header, file.entries), game)
    assert error.value.code == code


@pytest.mark.parametrize("version", PAST_VALUES)
def test_past_values_differ_from_the_cards_of_today(version):
    options = plain.load(Options, game.upgrade_options(version, {}))
    changed = json.loads(options.pack)
    assert changed == PAST_VALUES[version]
    old, new = pack_of(options.pack), default_pack()
    assert old.digest != new.digest


@pytest.mark.parametrize(
    ("version", "readings"),
    [
        (2, {"forced_terms": False, "picks_bind": "regions"}),
        (3, {"picks_bind": "regions"}),
    ],
)
def test_a_later_game_keeps_its_reading_of_deals_and_its_cards(version, readings):
    upgraded = game.upgrade_options(version, {"length": 5})
    assert upgraded == {**readings, "length": 5, "pack": ""}
