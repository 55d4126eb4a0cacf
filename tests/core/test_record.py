"""A game file holds a game, and nothing that is not one gets in."""

import json
import random

import pytest
import sparks

from powderkeg.core.chance import Audited, Scripted, Seeded
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Game
from powderkeg.core.record import (
    Header,
    Record,
    make_record,
    read_record,
    replay_record,
    verify_record,
    write_record,
)
from powderkeg.core.table import Entry, Table

GAME: Game = sparks


def played(key: bytes = b"k" * 32, *, to_the_end: bool = True, seed: int = 1) -> Table:
    rng = random.Random(seed)
    table = Table(GAME, 2, source=Audited(key), at=1.5)
    while table.to_act and (to_the_end or len(table.log) < 4):
        seat = min(table.to_act)
        table.act(seat, table.legal(seat).sample(rng), at=float(len(table.log)))
        if table.can_undo(seat) and rng.random() < 0.3:
            table.undo(seat)
    return table


@pytest.mark.parametrize("seed", range(5))
def test_round_trip(seed):
    table = played(seed=seed)
    kept = make_record(table, {"red": "Ana"})
    again = read_record(write_record(kept))
    assert again == kept
    copy = replay_record(again, GAME)
    assert (copy.state, copy.log, copy.undone) == (table.state, table.log, table.undone)


def test_the_key_comes_out_only_at_the_end():
    running = make_record(played(to_the_end=False))
    assert running.key == ""
    assert running.header.commitment == Audited(b"k" * 32).commitment
    assert b"k".hex() * 32 not in write_record(running)
    assert make_record(played()).key == b"k".hex() * 32


def test_play_on_from_a_file():
    table = played(to_the_end=False)
    copy = replay_record(read_record(write_record(make_record(table))), GAME, Audited(b"k" * 32))
    for t in (table, copy):
        while t.to_act:
            seat = min(t.to_act)
            t.act(seat, t.game.default(t.state, seat))
    assert copy.state == table.state  # the same key rolls the same dice at the same places


def test_verify_recomputes_chance():
    assert verify_record(make_record(played()), GAME) >= 3


def test_verify_refuses():
    kept = make_record(played())
    with pytest.raises(Unreadable, match="no key, so"):
        verify_record(Record(kept.header, kept.entries), GAME)
    with pytest.raises(Unreadable, match="does not match"):
        verify_record(Record(kept.header, kept.entries, "00"), GAME)
    position, roll = next((i, e) for i, e in enumerate(kept.entries) if e.do.startswith("roll"))
    other = Entry(roll.seat, "roll 1" if roll.do != "roll 1" else "roll 2", roll.at)
    forged = (*kept.entries[:position], other)
    with pytest.raises(Unreadable, match=f"Entry {position}"):
        verify_record(Record(kept.header, forged, kept.key), GAME)


def test_a_table_of_plain_seeds_has_no_commitment():
    kept = make_record(Table(GAME, 2, source=Seeded(random.Random(1))))
    assert kept.header.commitment == kept.key == ""


def text_of(table: Table) -> list[str]:
    return write_record(make_record(table)).splitlines()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda lines: [], "not a Powderkeg game file"),
        (lambda lines: ["PNG\x00"], "not a Powderkeg game file"),
        (lambda lines: ["[1]"], "not a Powderkeg game file"),
        (lambda lines: ['{"some":"json"}', *lines[1:]], "not a Powderkeg game file"),
        (lambda lines: [lines[0].replace('"powderkeg":1', '"powderkeg":3')], "newer"),
        (lambda lines: [lines[0].replace('"players":2', '"players":"x"')], "Line 1"),
        (lambda lines: [lines[0].replace('"players":2', '"players":3'), *lines[1:]], "Line 1"),
        (lambda lines: [*lines[:3], lines[3][:-9], *lines[4:]], "Line 4"),
        (lambda lines: [*lines[:3], lines[3].replace("card", "cart"), *lines[4:]], "Line 4"),
        (lambda lines: [*lines[:2], *lines[3:]], "Line 3"),
        (lambda lines: lines[:-1], "too early"),
        (lambda lines: lines[:1], "too early"),
    ],
)
def test_damage_is_refused(damage, message):
    with pytest.raises(Unreadable, match=message):
        read_record("\n".join(damage(text_of(played()))))


def resealed(*bodies: str) -> str:
    from powderkeg.core.record import _next_seal

    lines, seal = [], ""
    for body in bodies:
        seal = _next_seal(seal, body)
        lines.append(f'{body[:-1]},"seal":"{seal}"}}')
    return "\n".join(lines)


def test_forged_lines_are_refused():
    head = json.dumps({"powderkeg": 1, "game": "sparks", "version": 1, "players": 2, "options": {}})
    with pytest.raises(Unreadable, match=r"Line 2.*not a game entry"):
        read_record(resealed(head, '{"seat":3,"do":"card c1"}', '{"end":1}'))
    with pytest.raises(Unreadable, match=r"Line 2.*not JSON"):
        read_record(resealed(head, '{"seat":}', '{"end":1}'))
    with pytest.raises(Unreadable, match=r"Line 3.*not a game entry"):
        read_record(resealed(head, '{"seat":"red","do":"card c1"}', '{"end":2}'))


def header(**changes) -> Header:
    return Header(**{"game": "sparks", "version": 1, "players": 2, "options": {}, **changes})


@pytest.mark.parametrize(
    ("head", "entries", "message"),
    [
        (header(game="chess"), (), "game of chess"),
        (header(version=9), (), "version 9"),
        (header(options={"rounds": 4}), (), "/rounds"),
        (header(), (Entry("red", "card c1"),), "Line 2"),
        (header(), (Entry("chance", "roll x"),), "Line 2"),
    ],
)
def test_what_cannot_be_played_is_refused(head, entries, message):
    with pytest.raises(Unreadable, match=message):
        replay_record(Record(head, entries), GAME)


def test_replay_rolls_what_is_owed_when_given_a_source():
    table = replay_record(Record(header(), ()), GAME, Scripted(["draw c1 c2 c3 c4 c5 c6 c7 c8 c9"]))
    assert table.to_act == {"red", "blue"}


@pytest.mark.parametrize("name", ["Ana\u2028María", "Ana\x85María", "Ana\u2029"])
def test_a_name_may_hold_any_character(name):
    kept = make_record(played(), {"red": name})
    assert read_record(write_record(kept)) == kept


def test_line_ends_of_other_systems_do_no_harm():
    text = write_record(make_record(played()))
    assert (
        read_record(text.replace("\n", "\r\n"))
        == read_record(text.rstrip("\n"))
        == read_record(text)
    )


@pytest.mark.parametrize("key", ["no hex", "0", "None"])
def test_verify_refuses_what_is_no_key(key):
    kept = make_record(played())
    with pytest.raises(Unreadable, match="does not match"):
        verify_record(Record(kept.header, kept.entries, key), GAME)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"powderkeg":' + "[" * 100_000])
def test_a_bottomless_file_is_foreign(text):
    with pytest.raises(Unreadable, match="not a Powderkeg game file"):
        read_record(text)


@pytest.mark.parametrize("number", [0, "1", None, True])
def test_a_file_of_no_known_format_is_foreign(number):
    header, *_ = write_record(make_record(played())).splitlines()
    with pytest.raises(Unreadable, match="not a Powderkeg game file"):
        read_record(json.dumps({**json.loads(header), "powderkeg": number}))
