"""Game files: letters in them, several in one text, and those of older rules."""

import dataclasses
import gzip
import random
from types import SimpleNamespace

import pytest
import sparks

from powderkeg.core import plain
from powderkeg.core.chance import Audited
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import no_upgrade
from powderkeg.core.game_files import decode_game_file, split_records
from powderkeg.core.record import (
    Letter,
    _read_letter,
    make_record,
    read_record,
    stored_options,
    stored_state,
    write_record,
)
from powderkeg.core.table import Table

LETTERS = (
    Letter("red", (), "to all", 0),
    Letter("red", ("blue",), "to you", 1, 2.5),
    Letter("", (), "afterwards", 99),
)


def some_record(letters=()):
    table, rng = Table(sparks, 2, source=Audited(b"k" * 32)), random.Random(1)
    while table.to_act:
        seat = min(table.to_act)
        table.act(seat, table.legal(seat).sample(rng))
    return dataclasses.replace(make_record(table), letters=letters)


def test_letters_stand_where_they_were_written():
    kept = some_record(LETTERS)
    again = read_record(write_record(kept))
    assert again.entries == kept.entries
    assert again.letters == (*LETTERS[:2], LETTERS[2]._replace(after=len(kept.entries)))


def test_a_letter_is_read_by_those_it_is_for():
    public, private, _ = LETTERS
    assert public.seen_by("green")
    assert private.seen_by("red")
    assert private.seen_by("blue")
    assert private.seen_by(None)
    assert not private.seen_by("green")


def test_a_letter_of_another_shape_is_damage():
    with pytest.raises(Unreadable):
        _read_letter({"say": 3, "to": []}, 2, 0)


def test_several_games_in_one_text():
    one = write_record(some_record())
    found = split_records(f"{one}{one}")
    assert [(game.name, game.record is not None) for game in found] == [("#1", True), ("#2", True)]
    damaged = split_records(one.replace('"do"', '"did"'))
    assert damaged[0].record is None
    assert isinstance(damaged[0].problem, Unreadable)
    assert split_records("") == split_records('no "powderkeg" {') == []


def test_stored_games_of_older_rules_get_their_readings():
    def upgrade(version, options):
        return {**options, "sparks": version != 1}

    newer = SimpleNamespace(
        **{name: getattr(sparks, name) for name in ("name", "Options", "State")},
        version=2,
        upgrade_options=upgrade,
    )
    assert not stored_options(newer, 1, {"rounds": 1}).sparks
    assert stored_options(newer, 2, {"rounds": 1}).sparks
    table = Table(sparks, 2, source=Audited(b"k" * 32))
    stored = plain.dump(table.state, sparks.State)
    assert stored_state(newer, 2, stored) == table.state
    assert not stored_state(newer, 1, stored).options.sparks
    with pytest.raises(Unreadable):
        stored_options(newer, 3, {})
    assert no_upgrade(1, {"rounds": 2}) == {"rounds": 2}


def test_a_file_may_be_compressed():
    assert decode_game_file("Zoë\n".encode()) == "Zoë\n"
    packed = gzip.compress("Zoë\n".encode())
    assert decode_game_file(packed) == "Zoë\n"
    assert decode_game_file(packed + packed + bytes(4)) == "Zoë\nZoë\n"


def test_files_from_before_utf_8_and_from_windows_are_read():
    assert decode_game_file("Zoë\n".encode("latin-1")) == "Zoë\n"
    assert decode_game_file("Zoë\n".encode("utf-16")) == "Zoë\n"


@pytest.mark.parametrize(
    "data",
    [
        b"\x80\x00",
        gzip.compress(b"\x80\x00"),
        gzip.compress(b"a game" * 1000)[:-12],
        gzip.compress(b"a game") + b"and more",
        b"\x1f\x8bnot gzip after all",
        gzip.compress(bytes(65_000_000), 1),
    ],
    ids=["no text", "no text inside", "half of it", "more after it", "not gzip", "too large"],
)
def test_a_file_that_cannot_be_read_is_refused(data):
    with pytest.raises(Unreadable):
        decode_game_file(data)
