"""Every term of a deal alone and in pairs, and games full of deals: V-NEG."""

import random
import re
from collections.abc import Callable
from itertools import combinations_with_replacement
from pathlib import Path
from typing import NamedTuple

import pytest

import powderkeg.games.versailles as game
from powderkeg.core import ask as asks
from powderkeg.core.chance import CHANCE
from powderkeg.games.versailles.actions import AcceptDeal, ProposeDeal, Settle
from powderkeg.games.versailles.board import CATEGORIES, NATIONS
from powderkeg.games.versailles.cards.reader import default_pack
from powderkeg.games.versailles.deals.feasibility import offerable_terms
from powderkeg.games.versailles.deals.terms import ARGUMENTS, EXCHANGES, action_argument
from powderkeg.games.versailles.deals.words import term_text
from powderkeg.games.versailles.kinds import deciding_nation, kept_answers
from powderkeg.games.versailles.state import Options
from powderkeg.games.versailles.steps import Pending
from tests.games.versailles.deals.deal_scenes import (
    CHECK_EUROPE,
    UP_TO_CARDS,
    UP_TO_EVENT,
    UP_TO_SOURCE,
    bidding,
    clearing,
    deal,
    naval_issue,
    optional_event,
    restless,
    table,
)
from tests.games.versailles.scene import Play, midway

# Every term alone: where it is agreed, what is played up to the question, what is left to answer
# (a set: exactly that; a text: of this verb only that; with "!": not that), an answer that would
# break it, and one that keeps it.


UPRISING = (CHECK_EUROPE, "france modify 0", "uk modify 0", "chance roll 6")  # nobody is hit


class Alone(NamedTuple):
    scene: Callable[[], Play]
    term: str
    moves: tuple[str | Pending, ...]
    left: set[str] | str
    breaks: str
    keeps: str


ALONE = {
    "settle": Alone(
        table, "uk.settle.rheinland", (), "settle rheinland", "settle armenia", "settle rheinland"
    ),
    "place": Alone(
        table,
        "uk.place.ethiopia",
        ("uk place constantinople 1",),
        "place ethiopia",
        "place rheinland 1",
        "place ethiopia 2",
    ),
    "shun": Alone(
        table,
        "uk.shun.ethiopia",
        ("uk place constantinople 1",),
        "!place ethiopia",
        "place ethiopia 2",
        "place rheinland 1",
    ),
    "deploy": Alone(
        table,
        "uk.deploy.africa",
        (),
        "!demobilise",
        "deploy available pacific 8",
        "deploy available africa 8",
    ),
    "keepout": Alone(
        table,
        "uk.keepout.africa",
        (),
        "!deploy available africa",
        "deploy available africa 8",
        "deploy available pacific 8",
    ),
    "option": Alone(
        table,
        "france.option.armenia.us_mandate",
        ("uk settle armenia",),
        {"option us_mandate"},
        "option to_turkey",
        "option us_mandate",
    ),
    "flag": Alone(
        naval_issue,
        "france.flag.smyrna.usa",
        ("uk settle smyrna", "france option to_greece"),
        {"flag usa"},
        "flag uk",
        "flag usa",
    ),
    "perform": Alone(optional_event, "usa.perform", UP_TO_EVENT, {"perform"}, "decline", "perform"),
    "decline": Alone(optional_event, "usa.decline", UP_TO_EVENT, {"decline"}, "perform", "decline"),
    "choose": Alone(
        table, "usa.choose.france", UP_TO_EVENT, {"choose france"}, "choose uk", "choose france"
    ),
    "branch": Alone(
        table,
        "france.branch.2",
        (*UP_TO_EVENT, "usa choose france"),
        {"choose 2"},
        "choose 1",
        "choose 2",
    ),
    "advance": Alone(
        table,
        "uk.advance.ethiopia",
        UP_TO_CARDS,
        {"advance ethiopia", "advance hoover", "advance murdoch"},
        "advance constantinople",
        "advance ethiopia",
    ),
    "draw": Alone(table, "uk.draw", UP_TO_SOURCE, {"draw"}, "dive korea", "draw"),
    "dive": Alone(table, "uk.dive.syria", UP_TO_SOURCE, {"dive syria"}, "draw", "dive syria"),
    "cube": Alone(
        table,
        "uk.cube.no",
        (*UP_TO_CARDS, "uk advance ethiopia", "uk advance hoover"),
        {"cube no"},
        "cube yes",
        "cube no",
    ),
    "keep": Alone(
        table,
        "uk.keep.africa",
        (*UP_TO_SOURCE, "uk draw", "chance draw banat somalia"),
        {"keep somalia"},
        "keep banat",
        "keep somalia",
    ),
    "pick": Alone(
        clearing,
        "usa.pick.ethiopia",
        UP_TO_EVENT,
        {"choose ethiopia"},
        "choose constantinople",
        "choose ethiopia",
    ),
    "demobilise": Alone(
        table, "uk.demobilise", (), "!deploy", "deploy available africa 8", "demobilise available"
    ),
    "strategy": Alone(
        restless,
        "france.strategy.global_trade",
        (*UPRISING, "uk strategy outlaw_war"),
        {"strategy global_trade"},
        "strategy fourteen_points",
        "strategy global_trade",
    ),
    "modify": Alone(
        restless,
        "france.modify.europe.minus",
        (CHECK_EUROPE,),
        {"modify -1"},
        "modify 0",
        "modify -1",
    ),
    "pass": Alone(bidding, "france.pass.syria", ("uk bid 1+0 0",), {"pass"}, "bid 1+0 1", "pass"),
    "bid": Alone(bidding, "uk.bid.syria", (), "!pass", "pass", "bid 1+0 0"),
    "answer": Alone(
        table,
        "uk.answer.place~ethiopia~3",
        (),
        {"place ethiopia 3"},
        "place ethiopia 2",
        "place ethiopia 3",
    ),
}


def agreed(kind):
    """The scene with the term of this kind agreed, just before it is carried out."""
    case = ALONE[kind]
    play = deal(case.scene(), case.term, to="france+usa")
    for move in case.moves:
        play = play(move) if isinstance(move, str) else midway(play, move)
    return play, case


@pytest.mark.rule("V-NEG-02", "V-NEG-09")
@pytest.mark.parametrize("kind", ALONE)
def test_each_term_alone_leaves_only_what_keeps_it(kind):
    play, case = agreed(kind)
    who = case.term.partition(".")[0]
    legal = play.legal(who)
    if isinstance(case.left, set):
        assert set(legal) == case.left
    elif case.left.startswith("!"):
        assert not [text for text in legal if text.startswith(case.left[1:])]
    else:
        verb = case.left.split()[0]
        assert all(text.startswith(case.left) for text in legal if text.split()[0] == verb)
    assert case.keeps in legal
    play.refuses(f"{who} {case.breaks}", "breaks_deal", "V-NEG-02")
    free = case.scene()
    for move in case.moves:
        free = free(move) if isinstance(move, str) else midway(free, move)
    assert case.breaks in free.legal(who)  # it is the deal that forbids it


LASTING = {"shun", "keepout"}  # kept all turn long, never used up


@pytest.mark.rule("V-NEG-04")
@pytest.mark.parametrize("kind", ALONE)
def test_each_term_alone_is_used_up_when_carried_out(kind):
    play, case = agreed(kind)
    play(f"{case.term.partition('.')[0]} {case.keeps}")
    assert bool(play.facts_of("deal_kept")) is (kind not in LASTING)
    assert bool(play.state.deals) is (kind in LASTING)
    assert not play.facts_of("deal_expired")


@pytest.mark.rule("V-NEG-09")
@pytest.mark.parametrize("kind", [kind for kind in ALONE if kind != "answer"])
def test_each_term_alone_stands_in_the_form(kind):
    case = ALONE[kind]
    play = case.scene()
    question = game.ask(play.state, "P1")
    assert asks.accepts_answer(question.node, f"propose france+usa {case.term}")


def test_every_kind_of_term_is_tried_alone():
    assert {*ALONE, *EXCHANGES} == set(ARGUMENTS)  # see test_exchanges


def test_every_kind_of_term_has_a_place_in_the_browsers_form():
    """The form lists what the question offers, by chapters; `answer` is offered by no question."""
    form = Path(__file__).parents[4] / "web/src/boards/versailles/deals/terms.ts"
    chapters = form.read_text(encoding="utf-8").partition("const CHAPTER:")[2].partition("};")[0]
    assert set(re.findall(r"(\w+): \"", chapters)) == set(ARGUMENTS) - {"answer"}


# Every pair


def log_of_turn(play, rng):
    """Play the rest of the turn at random within what is legal, rather settling than not, for
    most terms are about settling; what each nation answered."""
    log = []
    turn = play.state.turn
    while game.to_act(play.state) and play.state.turn == turn:
        (seat,) = game.to_act(play.state)
        if seat == CHANCE:
            action = game.legal(play.state, seat).sample(rng)
        else:
            options = kept_answers(play.state)
            settles = [a for a in options if isinstance(a, Settle)]
            action = rng.choice(settles if settles and rng.random() < 0.8 else options)
            nation = NATIONS[deciding_nation(play.state)]
            log.append((nation, type(play.pending).__name__, play.pending, str(action)))
        step = game.apply(play.state, seat, action)
        play.state = step.state
        play.facts.extend(step.facts)
        assert game.broken(play.state) == []
    return log


def honoured(text, log):
    """Whether the answers given keep the term; written a second time, not with the rules' own code."""
    nation, kind, *args = text.split(".")
    mine = [(step, pending, do) for who, step, pending, do in log if who == nation]
    turn = [do for step, _, do in mine if step in ("Turn", "PlaceSecond")]

    def first(step, **fields):
        for name, pending, do in mine:
            if name == step and all(getattr(pending, k) == v for k, v in fields.items()):
                return do.split()[-1] if step != "Bidding" else do.split()[0]
        return None

    match kind, args:
        case "settle", [issue]:
            return f"settle {issue}" in turn
        case "place", [issue]:
            return any(do.startswith(f"place {issue} ") for do in turn)
        case "shun", [issue]:
            return not any(do.startswith(f"place {issue} ") for do in turn)
        case "deploy", [region]:
            return any(do.split()[0] == "deploy" and do.split()[2] == region for do in turn)
        case "keepout", [region]:
            return not any(do.split()[0] == "deploy" and do.split()[2] == region for do in turn)
        case "option", [issue, option]:
            return first("ChooseOption", issue=issue) in (option, None)
        case "flag", [issue, flag]:
            return first("ChooseFlag", issue=issue) in (flag, None)
        case (("perform" | "decline"), _):
            return first("ChoosePerform") in (kind, None)
        case "choose", [other]:
            return first("ChoosePlayer") in (other, None)
        case "branch", [number]:
            return first("ChooseBranch") in (number, None)
        case "advance", [card]:
            return not any(s == "ChooseToAdvance" for s, _, _ in mine) or any(
                do == f"advance {card}" for _, _, do in mine
            )
        case (("draw" | "dive"), _):
            wanted = "draw" if kind == "draw" else args[0]
            return first("ChooseSource") in (wanted, None)
        case "cube", [whether]:
            return first("ChooseCube") in (whether, None)
        case "keep", [wanted]:
            kept = [(p.drawn, do.split()[1]) for step, p, do in mine if step == "ChooseKept"]
            cards = default_pack().issues
            found = [(drawn, i) for drawn, i in kept if wanted in {*drawn, *map(region_of, drawn)}]
            return all(wanted in (i, region_of(cards[i].id)) for _, i in found[:1])
        case "pick", [what]:
            picked = [
                do.split()[1]
                for step, p, do in mine
                if step in PICKS and getattr(p, "region", -1) < 0
            ]
            return not picked or picked[0] == what
        case "demobilise", _:
            return any(do.split()[0] == "demobilise" for do in turn)
        case "strategy", [strategy]:
            return first("ChooseStrategy") in (strategy, None)
        case "modify", [region, sign]:
            index = ("europe", "balkans", "middle_east", "pacific", "africa").index(region)
            said = first("Announce", region=index)
            return said in ({"plus": "+1", "zero": "0", "minus": "-1"}[sign], None)
        case (("pass" | "bid"), [issue]):
            return first("Bidding", issue=issue) in (kind, None)
        case "answer", [action]:
            return mine[0][2] == action.replace("~", " ")
    return kind in EXCHANGES  # see test_exchanges


PICKS = ("ChooseRegions", "ChooseKegRegion", "ChooseSign", "ChooseCleared", "ChooseUnsettled")


def region_of(issue):
    return CATEGORIES[default_pack().issues[issue].region]


SCENES = (table, optional_event, naval_issue, restless, bidding, clearing)


def pairs_of(play, rng):
    """A pair of terms for every pair of kinds that can be offered here."""
    kinds = {}
    for term in offerable_terms(play.state, (0, 1, 2)):
        kinds.setdefault(term.kind, []).append(str(term))
    answers = kept_answers(play.state)
    kinds["answer"] = [f"uk.answer.{action_argument(rng.choice(answers))}" for _ in range(4)]
    for one, two in combinations_with_replacement(sorted(kinds), 2):
        first, second = rng.choice(kinds[one]), rng.choice(kinds[two])
        if first != second:
            yield (one, two), first, second


@pytest.mark.slow
@pytest.mark.rule("V-NEG-02", "V-NEG-09")
def test_every_pair_of_kinds_is_either_refused_or_kept():
    rng = random.Random(7)
    tried, made, whole = set(), set(), set()
    for scene in SCENES:
        for kinds, one, two in pairs_of(scene(), rng):
            tried.add(kinds)
            play = scene()
            action = game.parse(f"propose france+usa {one},{two}")
            if action not in game.legal(play.state, "P1"):
                continue
            deal(play, one, two, to="france+usa")
            made.add(kinds)
            log = log_of_turn(play, rng)
            if gone := play.facts_of("deal_expired"):
                kept = [text for text in (one, two) if term_text(text) != gone[0]["term"]]
                assert len(kept) == 1  # the one named, and it alone, could not be kept
            else:
                assert honoured(one, log), (one, two, log)
                assert honoured(two, log), (one, two, log)
                whole.add(kinds)
    assert len(tried) > 150
    assert len(made) > 120
    assert len(whole) > 90


@pytest.mark.slow
@pytest.mark.rule("V-NEG-09")
@pytest.mark.parametrize("kind", ALONE)
def test_no_term_stands_beside_one_that_contradicts_it(kind):
    """Whatever goes with a term leaves an answer: a made deal never blocks the game."""
    rng = random.Random(kind)
    case = ALONE[kind]
    for other in [str(t) for t in offerable_terms(case.scene().state, (0, 1, 2))][::7]:
        play = case.scene()
        action = game.parse(f"propose france+usa {case.term},{other}")
        if other != case.term and action in game.legal(play.state, "P1"):
            deal(play, case.term, other, to="france+usa")
            assert kept_answers(play.state)
            assert not play.facts_of("deal_over")
            log_of_turn(play, rng)


@pytest.mark.slow
@pytest.mark.rule("V-NEG-02", "V-NEG-08", "V-NEG-09")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_full_of_deals_stay_sound_and_go_on(players):
    """At one decision in four a deal is struck, whatever it is: the game never stands still."""
    rng, options = random.Random(players), Options()
    state = game.start(game.seats(players, options), options)
    made = 0
    while (acting := game.to_act(state)) and made < 150:
        (seat,) = acting
        if seat != CHANCE and state.turn and rng.random() < 0.25:
            state, struck = bargain(state, rng)
            made += struck
            assert game.broken(state) == []
            (seat,) = game.to_act(state) or ("",)
        if seat and seat != CHANCE:
            answers = kept_answers(state)
            assert answers, state.agenda[-1]
            state = game.apply(state, seat, rng.choice(answers)).state
        elif seat:
            state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
        assert game.broken(state) == []
    assert made > 60


def bargain(state, rng):
    """Somebody proposes one to three terms to all, and all accept, if that is allowed."""
    first = rng.randrange(len(state.seats))
    order = state.order[first:] + state.order[:first]
    terms = [str(term) for term in offerable_terms(state, order)]
    said = tuple(dict.fromkeys(rng.choice(terms) for _ in range(rng.randrange(1, 4))))
    offer = ProposeDeal(tuple(NATIONS[n] for n in order[1:]), said)
    if offer not in game.legal(state, state.seats[first]):
        return state, 0
    number = state.next_deal
    state = game.apply(state, state.seats[first], offer).state
    for nation in order[1:]:
        seat = state.seats[state.order.index(nation)]
        state = game.apply(state, seat, AcceptDeal(number)).state
    return state, 1
