"""Card data: what the box holds, how sure each value is, and custom packs."""

import json
import random
import re
from pathlib import Path

import pytest

import powderkeg.games.versailles as game
from powderkeg.core import plain, record
from powderkeg.core.cards.packs import parse_toml
from powderkeg.core.errors import Unreadable
from powderkeg.core.options import load_options
from powderkeg.core.words import LANGS, has_words, say
from powderkeg.games.versailles.board import CATEGORIES, COUNTERS, GAME_END, REGIONS
from powderkeg.games.versailles.cards.reader import (
    BOX,
    amend_pack,
    default_pack,
    load_pack,
    pack_changes,
    pack_of,
)
from powderkeg.games.versailles.cards.table import CARD_TOOL
from powderkeg.games.versailles.events import operations, words
from powderkeg.games.versailles.state import Options
from powderkeg.games.versailles.words import option_text
from tests.games.versailles.scene import lay, opening

PACK = default_pack()
SOURCE = Path(game.__file__).parent


def test_the_box():
    assert {part: len(getattr(PACK, part)) for part in BOX} == BOX
    for cards in (PACK.issues, PACK.events, PACK.strategies):
        assert sorted(card.number for card in cards.values()) == list(range(1, len(cards) + 1))
    assert all(len(card.conditions) == 4 for card in PACK.strategies.values())
    assert PACK.issues[GAME_END].stars == 7
    regions = {CATEGORIES[issue.region] for issue in PACK.issues.values()}
    assert regions == set(CATEGORIES)


def test_every_value_has_its_certainty():
    """What EVIDENCE counts: certain, probable, reconstructed."""
    counted = dict.fromkeys(("certain", "probable", "reconstructed"), 0)
    options = [option for issue in PACK.issues.values() for option in issue.options]
    for option in options:
        assert set(option.sure) == {"name", "happiness", "unrest", "counters"}
        counted[option.sure["happiness"]] += 1
    assert (len(options), counted) == (138, {"certain": 13, "probable": 1, "reconstructed": 124})
    stars = [issue.sure.get("stars") for issue in PACK.issues.values()]
    assert stars.count("certain") == 9
    assert all(
        "conference" in event.sure and "crisis" in event.sure for event in PACK.events.values()
    )


def test_the_view_shows_how_sure_a_value_is():
    cards = game.view(opening(3).state, None)["cards"]
    assert cards["rheinland"]["certainty"]["stars"] == "certain"
    assert cards["rheinland"]["options"][0]["certainty"]["happiness"] == "reconstructed"
    assert cards["churchill"]["certainty"]["cube"] == "certain"
    assert cards["isolationism"]["conditions"][0]["certainty"]


def test_events_are_written_as_they_are_read():
    for event in PACK.events.values():
        assert operations.parse_effects(operations.dump_effects(event.crisis), "") == event.crisis
        assert (
            operations.parse_effects(operations.dump_effects(event.conference), "")
            == event.conference
        )


@pytest.mark.parametrize("lang", LANGS)
def test_every_card_has_words(lang):
    codes = [
        *(f"issue.{id_}" for id_ in PACK.issues),
        *(f"choice.{o.id}" for issue in PACK.issues.values() for o in issue.options),
        *(f"event.{id_}" for id_ in PACK.events),
        *(f"crisis.{event.title}" for event in PACK.events.values()),
        *(f"strategy.{id_}" for id_ in PACK.strategies),
        *(f"condition.{c.counts}" for s in PACK.strategies.values() for c in s.conditions),
        *(f"counter.{counter}" for counter in COUNTERS),
        *(f"region.{category}" for category in CATEGORIES),
    ]
    assert [code for code in codes if not has_words(f"versailles.{code}", lang)] == []


def spoken(message):
    yield message.code
    for arg in message.args.values():
        for part in arg if isinstance(arg, list) else [arg]:
            if hasattr(part, "code"):
                yield from spoken(part)


@pytest.mark.parametrize("lang", LANGS)
def test_every_text_is_made_of_known_words(lang):
    messages = [
        *(words.crisis_text(event) for event in PACK.events.values()),
        *(words.conference_text(event) for event in PACK.events.values()),
        *(option_text(i.id, o) for i in PACK.issues.values() for o in i.options),
    ]
    codes = {code for message in messages for code in spoken(message)}
    assert [code for code in sorted(codes) if not has_words(code, lang)] == []


# Custom packs


def test_changed_values_travel_in_the_options_and_replay():
    mine = amend_pack(PACK, {"issues.armenia.stars": 2, "events.smuts.cube": False, "name": "mine"})
    text = pack_changes(PACK, mine)
    options = Options(pack=text)
    stored = json.loads(json.dumps(plain.dump(options)))
    again = plain.load(Options, stored)
    assert pack_of(again.pack).digest == mine.digest != PACK.digest
    play = lay(opening(3, options=again), cubes={"armenia": {"uk": 1}})
    play("uk settle armenia", "uk option to_turkey")
    assert game.view(play.state, None)["nations"]["uk"]["score"]["issues"] == 2


def test_a_pack_may_change_an_option():
    path = "issues.armenia.options.to_turkey"
    mine = amend_pack(
        PACK, {f"{path}.unrest": {"europe": 2}, f"{path}.counters": ["naval", "naval"]}
    )
    assert amend_pack(PACK, json.loads(pack_changes(PACK, mine))).digest == mine.digest
    play = lay(
        opening(3, options=Options(pack=pack_changes(PACK, mine))), cubes={"armenia": {"uk": 1}}
    )
    play("uk settle armenia", "uk option to_turkey", "uk flag uk", "uk flag usa")
    assert play.column("europe") == 3


def test_a_pack_may_change_an_event():
    effects = [{"do": "unrest", "region": "africa", "n": 3}]
    mine = pack_changes(PACK, amend_pack(PACK, {"events.churchill.conference": effects}))
    play = lay(opening(3, options=Options(pack=mine)), cubes={"armenia": {"uk": 1}})
    play("uk settle armenia", "uk option to_turkey", "uk perform")
    assert play.column("africa") == 4
    assert str(words.conference_text(play.state.pack.events["churchill"])).startswith(
        "Optional: +3"
    )


def test_the_same_pack_has_no_changes():
    assert pack_changes(PACK, load_pack(PACK.raw)) == ""
    assert pack_of("") is PACK
    renamed = amend_pack(PACK, {"issues.armenia.certainty.stars": "certain"})
    assert renamed.digest == PACK.digest


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"issues.atlantis.stars": 2}, "pack_unknown"),
        ({"issues.armenia.starts": 2}, "pack_unknown"),
        ({"issues.armenia.stars": "two"}, "pack_number"),
        ({"issues.armenia.region": "mars"}, "pack_unknown"),
        ({"issues.armenia.options": {}}, "pack_options"),
        ({"issues.armenia.options.to_turkey.counters": ["gold"]}, "pack_unknown"),
        ({"issues.armenia.options.to_turkey.happiness": {"spain": 1}}, "pack_unknown"),
        ({"issues.armenia.certainty.stars": "maybe"}, "pack_unknown"),
        ({"issues": {}}, "pack_count"),
        ({"events.smuts.crisis": [{"do": "explode"}]}, "pack_operation"),
        ({"events.smuts.crisis": [{"do": "unrest"}]}, "pack_incomplete"),
        ({"events.smuts.crisis": [{"do": "pay", "n": 1, "x": 2}]}, "pack_unknown"),
        ({"strategies.outlaw_war.conditions.1.counts": "gold"}, "pack_unknown"),
    ],
)
def test_what_a_pack_cannot_hold(change, code):
    with pytest.raises(Unreadable) as error:
        game.seats(3, Options(pack=json.dumps(change)))
    assert error.value.code == f"versailles.{code}"


def test_a_pack_that_is_no_pack():
    for text in ("[", "[]", "3"):
        with pytest.raises(Unreadable):
            pack_of(text)
    with pytest.raises(Unreadable):
        load_pack("= = =")
    with pytest.raises(Unreadable):
        load_pack({key: value for key, value in PACK.raw.items() if key != "board"})


def test_the_board_of_the_rulebook():
    board = PACK.board
    assert board.uprising == (0, 0, 0, 6, 5, 4, 3, 2, 1)
    assert [board.units_allowed[h] for h in (0, 4, 5, 10, 11, 30)] == [1, 1, 2, 2, 3, 3]
    assert len(board.random_region) == 6
    assert [REGIONS[r] for r in board.random_region[:5]] == list(REGIONS)


@pytest.mark.parametrize("lang", LANGS)
def test_every_fact_and_refusal_has_words(lang):
    """Codes that facts and refusals carry."""
    sources = [path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")]
    said = {c for text in sources for c in re.findall(r'\.say\(\s*"(versailles\.[a-z_.]+)"', text)}
    refused = {c for text in sources for c in re.findall(r'"(versailles\.refused\.[a-z_]+)"', text)}
    codes = [*said, *refused]
    assert len(codes) > 130
    assert [code for code in sorted(codes) if not has_words(code, lang)] == []


def test_the_board_in_words():
    play = lay(opening(3), held={"syria": ("uk", "uk_mandate")}, used={"uk": 3})
    play("uk propose france uk.later.shun.armenia")
    sections = game.describe(game.view(play.state, "P1"))
    assert [str(section.title) for section in sections] == [
        "Game",
        "On the table",
        "Waiting room",
        "Discards",
        "Events",
        "Regions",
        "Nations",
        "Settled issues",
        "Strategies",
        "Deals and promises",
        "Marks",
    ]
    lines = [str(line) for section in sections for line in section.lines]
    assert any("Syria" in line and "British mandate" in line for line in lines)
    assert not any("versailles." in line for line in lines)


# Packs that were written wrong


def places(data, path=""):
    """Every value and every table of a pack, by its path."""
    for key, value in data.items():
        here = f"{path}.{key}" if path else key
        yield here
        if isinstance(value, dict):
            yield from places(value, here)


JUNK: tuple[object, ...] = (
    None,
    -1,
    7,
    99,
    1.5,
    True,
    "",
    "mars",
    [],
    [1],
    ["mars"],
    {},
    {"do": "check"},
    [{}],
)


@pytest.mark.parametrize("seed", range(60))
def test_a_pack_with_junk_is_read_or_refused_in_words(seed):
    rng = random.Random(seed)
    paths = [path for path in places(PACK.raw) if ".certainty" not in path]
    wrong = {rng.choice(paths): rng.choice(JUNK) for _ in range(rng.choice((1, 1, 2)))}
    reason = why_refused(Options(pack=json.dumps(wrong)))
    assert reason is None or not re.search(r"versailles\.\w", reason)


def why_refused(options):
    """What is said of a pack that is refused; None if it can be played for a while."""
    rng = random.Random(1)
    try:
        state = game.start(game.seats(3, options), options)
    except Unreadable as error:
        return say(error.msg, "es")
    for _ in range(80):
        if acting := game.to_act(state):
            (seat,) = acting
            state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
    game.describe(game.view(state, None))
    return None


@pytest.mark.parametrize(
    "path",
    [
        "board",
        "board.columns",
        "board.columns.uprising",
        "board.rank_points",
        "board.units_allowed",
        "board.random_region",
        "events.balfour.crisis",
        "events.balfour.conference",
        "issues.rheinland.options",
        "strategies.outlaw_war.conditions",
    ],
)
@pytest.mark.parametrize("value", [{}, [], 3, "mars", None])
def test_what_a_game_needs_cannot_be_left_out(path, value):
    if (path, value) == ("strategies.outlaw_war.conditions", {}):
        return  # a strategy may pay for nothing
    with pytest.raises(Unreadable):
        game.seats(3, Options(pack=json.dumps({path: value})))


@pytest.mark.parametrize(
    "line",
    [
        '{"board.most_happiness": 3000000}',
        '{"board.reclaim": -5}',
        '{"board.dive_costs": [100000]}',
        '{"issues.fiume.options.certainty.happiness": {"italy": 1}}',
        '{"a":' + "[" * 100_000,
    ],
)
def test_a_pack_that_would_harm_a_server_or_hide_something_is_refused(line):
    with pytest.raises(Unreadable):
        pack_of(line)


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("issues.fiume.stars", 101, "pack_number"),
        ("board.cubes", 150, "pack_number"),
        ("board.dive_costs", [0, 1, 200], "pack_number"),
        ("issues.fiume.options.free_city.happiness", {"italy": -101}, "pack_number"),
        ("issues.fiume.no_military", 1, "pack_flag"),
        ("events.smuts.cube", "yes", "pack_flag"),
        ("events.smuts.optional", 0, "pack_flag"),
    ],
)
def test_what_a_new_pack_may_not_hold_does_not_lock_stored_games_out(path, value, code):
    """Version 1 had no limits and took any value for true or false."""
    pack = json.dumps({path: value})
    with pytest.raises(Unreadable) as error:
        load_options(Options, {"pack": pack})
    assert error.value.code == f"versailles.{code}"
    with pytest.raises(Unreadable):
        CARD_TOOL.format_option(CARD_TOOL.parse_option(pack))
    header = record.Header("versailles", 1, 3, {"pack": pack}, "", None, 1)
    table = record.replay_record(record.Record(header, ()), game)
    assert table.state.pack.digest != PACK.digest
    assert why_refused(table.options) is None


@pytest.mark.parametrize("text", ["a = " + "[" * 50_000, "a = " + "1" * 5_000])
def test_toml_that_breaks_a_parser_is_a_mistake_like_any_other(text):
    with pytest.raises(Unreadable):
        parse_toml(text)
