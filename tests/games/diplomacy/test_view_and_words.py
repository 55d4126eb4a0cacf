"""Reasons in words, views, worlds dealt from them, invariants and refusals."""

import random
from dataclasses import replace

import pytest

from powderkeg.core.chance import CHANCE, Drawn, Seeded
from powderkeg.core.errors import Illegal
from powderkeg.core.options import option_fields
from powderkeg.core.table import Table
from powderkeg.core.words import LANGS, Msg, say
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Ready, parse
from powderkeg.games.diplomacy.board import POWERS
from powderkeg.games.diplomacy.rules.outcomes import CAUSES, Why
from powderkeg.games.diplomacy.rules.position import Position
from powderkeg.games.diplomacy.state import Options, State
from tests.games.diplomacy.scene import (
    ATTACK,
    FIGHT,
    OWNED,
    begin,
    board,
    owning,
    play,
    refused,
)

# The moderator, and facts in words


@pytest.mark.rule("D-GM-01", "D-GM-02")
def test_a_game_needs_no_moderator():
    rng = random.Random(3)
    table = Table(diplomacy, 7, Options(last_year=1901), source=Seeded(rng))
    while acting := sorted(table.to_act):
        assert set(acting) <= set(POWERS)
        table.act(acting[0], "ready")
    assert table.result is not None


@pytest.mark.rule("D-GM-04")
def test_every_outcome_names_its_rule():
    state = board(begin(), FIGHT, OWNED)
    state, facts = play(state, GERMANY=ATTACK)
    reasons = [fact for fact in facts if fact.msg.code.startswith("diplomacy.why.")]
    assert len(reasons) == 4
    assert all(fact.rule.startswith("D-") for fact in reasons)
    assert set(CAUSES) == set(Why)
    assert all(0 <= cause.number <= 22 for cause in CAUSES.values())


@pytest.mark.parametrize("lang", LANGS)
def test_a_reason_is_one_sentence(lang):
    state = board(begin(), {"FRANCE": "A par", "GERMANY": "A mun"}, OWNED)
    _, facts = play(state, FRANCE="A par - bur", GERMANY="A mun - bur")
    msg = next(f.msg for f in facts if f.msg.code == "diplomacy.why.standoff")
    sentence = say(msg, lang).replace("\N{EN DASH}", "-")
    assert (
        sentence
        == {
            "en": "France, A Paris - Burgundy: fails in a standoff with A Munich - Burgundy.",
            "es": "Francia, E París - Borgoña: fracasa por un enfrentamiento con E Múnich - Borgoña.",
            "it": "Francia, A Parigi - Borgogna: fallisce, stallo con A Monaco - Borgogna.",
        }[lang]
    )


@pytest.mark.parametrize("why", list(Why))
def test_every_reason_has_words(why):
    for lang in LANGS:
        assert say(
            Msg(f"diplomacy.why.{why}", power="P", order="O", by=(), ours=2, theirs=1),
            lang,
        ).startswith("P")


@pytest.mark.parametrize("field", option_fields(Options), ids=lambda field: field.name)
def test_options_have_names(field):
    for lang in LANGS:
        for code in [field.name, *(f"{field.name}.{c}" for c in field.choices)]:
            assert say(Msg(f"diplomacy.option.{code}"), lang) != f"diplomacy.option.{code}"


def test_closed_provinces_are_shown():
    assert diplomacy.view(begin(2), None)["neutral"] == ["apu", "nap", "pie", "rom", "tus", "ven"]
    assert isinstance(begin(7).position, Position)


# Views, worlds dealt from them, invariants


def three_stages() -> list[State]:
    """The same fight before its movement, its retreats and its adjustments."""
    first = board(
        begin(), FIGHT | {"ITALY": "A pie"}, OWNED | {"ITALY": "rom ven nap"}, season="fall"
    )
    second, _ = play(first, GERMANY=ATTACK)
    third, _ = play(second, FRANCE="A bur R pic")
    return [first, second, third]


@pytest.mark.parametrize("stage", [0, 1, 2])
def test_a_world_dealt_from_a_view_fits_it(stage):
    state = three_stages()[stage]
    state = diplomacy.apply(state, "FRANCE", parse("propose draw")).state
    for seat in sorted(diplomacy.to_act(state))[:-1]:
        state = diplomacy.apply(state, seat, Ready()).state
    rng = random.Random(4)
    for viewer in ("FRANCE", "GERMANY", None):
        view = diplomacy.view(state, viewer)
        for _ in range(5):
            world = diplomacy.deal(view, rng)
            assert not diplomacy.broken(world)
            assert diplomacy.view(world, viewer) == view


@pytest.mark.parametrize("stage", [0, 1, 2])
@pytest.mark.parametrize("lang", LANGS)
def test_a_view_can_be_read_aloud(stage, lang):
    state = three_stages()[stage]
    state = diplomacy.apply(state, "FRANCE", parse("propose GERMANY")).state
    state = diplomacy.apply(state, "FRANCE", parse(["A par H", "A bur D", "A mar B"][stage])).state
    sections = diplomacy.describe(diplomacy.view(state, "FRANCE"))
    text = " ".join(say(line, lang) for s in sections for line in (s.title, *s.lines))
    assert "diplomacy." not in text
    assert {"en": "Marseilles", "es": "Marsella", "it": "Marsiglia"}[lang] in text


def test_the_board_in_words_says_who_reads_and_which_centres_are_free():
    lines = {
        str(section.title): [str(line) for line in section.lines]
        for section in diplomacy.describe(diplomacy.view(begin(), "FRANCE"))
    }
    assert lines["Phase"][1:] == ["You play France.", "18 centres win the game."]
    (neutral,) = lines["Neutral centres"]
    assert neutral.startswith("12: Belgium, Bulgaria, Denmark")
    watcher = diplomacy.describe(diplomacy.view(begin(), None))
    assert not [line for s in watcher for line in s.lines if "You" in str(line)]


@pytest.mark.rule("D-SET-07", "D-SET-10")
@pytest.mark.parametrize(
    ("units", "complaint"),
    [
        ({"FRANCE": "A par", "GERMANY": "A par"}, "2 units in par"),
        ({"FRANCE": "F par"}, "F par cannot stand there"),
        ({"FRANCE": "A par A bur A gas A bel"}, "FRANCE has 4 units and 3 centres"),
    ],
)
def test_impossible_states_are_found(units, complaint):
    assert complaint in diplomacy.broken(board(begin(), units))


def test_impossible_drafts_and_centres_are_found():
    state = begin()
    wrong = replace(
        state,
        drafts={"par": parse("A par - mun"), "spa": parse("A spa H")},
        centres={"boh": "FRANCE", "par": "SPAIN"},
        hands={**state.hands, "X": ("SPAIN",)},
        absent=frozenset({"Y"}),
    )
    found = " ".join(diplomacy.broken(wrong))
    for part in (
        "boh is no centre",
        "SPAIN owns",
        "X plays SPAIN",
        "not_adjacent",
        "no_unit",
        "Y",
        "absent",
    ):
        assert part in found


def test_after_the_end_nothing_is_legal():
    state, _ = play(
        board(begin(), {"FRANCE": "A gas", "TURKEY": "A arm"}, owning(18), season="fall")
    )
    assert diplomacy.legal(state, "FRANCE").count_all() == 0
    assert refused(state, "FRANCE", "ready") == "game_over"
    assert diplomacy.ask(state, "FRANCE") is None


def test_nobody_acts_before_the_coin():
    state = begin(2)
    while state.stage != "toss":
        state, _ = play(state)
    assert refused(state, "ENTENTE", "ready") == "toss_first"
    assert diplomacy.legal(state, "ENTENTE").count_all() == 0
    for seat, action in ((CHANCE, Drawn(("X",))), ("ENTENTE", Drawn(("ENTENTE",)))):
        with pytest.raises(Illegal):
            diplomacy.apply(state, seat, action)
    with pytest.raises(Illegal):
        diplomacy.apply(begin(2), CHANCE, Drawn(("ENTENTE",)))


def test_other_refusals():
    state = begin()
    assert refused(state, "FRANCE", "revise") == "not_ready_yet"
    assert refused(state, "FRANCE", "propose NOBODY") == "no_such_proposal"
    assert refused(state, "FRANCE", "accept draw") == "not_proposed"
    proposed = diplomacy.apply(state, "FRANCE", parse("propose draw")).state
    assert refused(proposed, "GERMANY", "propose draw") == "proposed_already"
    retreating = three_stages()[1]
    assert refused(retreating, "ITALY", "ready") == "nothing_to_decide"
    assert refused(retreating, "FRANCE", "A bur R mun") == "why.retreat_barred"
    assert refused(retreating, "FRANCE", "A par R pic") == "why.no_unit"
    with pytest.raises(Illegal):
        diplomacy.start(("A", "B"), Options())


def test_a_seat_that_is_none_may_do_nothing():
    assert diplomacy.legal(begin(), "NOBODY").count_all() == 0
