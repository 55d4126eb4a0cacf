"""Actions: their notation, and that exactly what is legal is offered, read and done."""

import random
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import powderkeg.games.risk_europe as package
from powderkeg.core.ask import accepts_answer, answer_texts
from powderkeg.core.chance import CHANCE, Roll, Seeded
from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.table import Table
from powderkeg.core.words import LANGS, has_words
from powderkeg.games.risk_europe import actions, board
from powderkeg.games.risk_europe.board import FULL_ARMY, TERRITORY_NAMES, UNITS, total_units
from powderkeg.games.risk_europe.cards import pack
from powderkeg.games.risk_europe.rules.forces import Forces
from powderkeg.games.risk_europe.state import Options
from tests.games.risk_europe.scene import Scene, settled
from tests.games.risk_europe.test_contract import VARIANTS, game

units = st.tuples(*(st.integers(0, most) for most in FULL_ARMY))
some_units = units.filter(any)
places = st.integers(0, len(TERRITORY_NAMES) - 1)
written = st.one_of(
    st.builds(actions.PlaceBid, st.integers(0, 99)),
    st.builds(actions.SettleCity, places),
    st.builds(actions.SplitGarrison, places, st.integers(1, 9)),
    st.builds(actions.PickCards, st.sampled_from(board.DECK), st.sampled_from(board.DECK)),
    st.builds(actions.Besiege, places, places),
    st.builds(actions.March, some_units),
    st.builds(actions.Storm, some_units),
    st.builds(actions.Lose, some_units),
    st.builds(actions.Buy, st.integers(0, 3), places, st.integers(1, 35)),
    st.sampled_from([actions.PassTurn(), actions.Finish(), actions.Berlin(), actions.Reroll()]),
)


@given(written)
@settings(deadline=None)
def test_parse_is_the_inverse_of_str(action):
    assert game.parse(str(action)) == action


@pytest.mark.parametrize(
    "text",
    ["", "dance", "bid", "bid -1", "bid x", "bid 1 2", "march", "march footman:0", "march knight:1",
     "march footman:1,footman:2", "storm 1 siege:1", "pick tax", "from  bohemia", "order dance",
     "bid ٣", "lose footman", "march siege:1,footman:2", "auction red", "buy dragon rome 1"],
)  # fmt: skip
def test_what_is_not_an_action_is_refused(text):
    with pytest.raises(Unreadable):
        game.parse(text)


@given(st.text(alphabet="abcdefghij :,0123456789", max_size=30))
@settings(deadline=None)
def test_no_text_breaks_the_parser(text):
    try:
        action = game.parse(text)
    except Unreadable:
        return
    assert str(action) == text


def _candidates(rng):
    """Actions of every kind, most of them nonsense now."""
    at, to = TERRITORY_NAMES[rng.randrange(49)], TERRITORY_NAMES[rng.randrange(49)]
    n = rng.randrange(1, 6)
    cards = list(board.CARDS)
    return [
        f"bid {n}", f"settle {at}", f"garrison {at} {n}", f"order {rng.choice(actions.ORDER_NAMES)}",
        f"pick {rng.choice(cards)} {rng.choice(cards)}", f"fortify {at}", f"besiege {at} {to}",
        "berlin", f"from {at}", f"to {at}", f"march footman:{n}", f"storm 1 footman:{n}", f"tax {at}",
        f"buy {rng.choice(UNITS)} {at} {n}", f"build {at}", "crown", f"keep {rng.choice(list(pack.printed_pack()))}",
        f"reveal {rng.choice(list(pack.printed_pack()))}", f"fight {at}", "reroll", "stand",
        f"lose footman:{n}", "done", "pass", "auction green",
    ]  # fmt: skip


def refused(state, seat, action):
    try:
        game.apply(state, seat, action)
    except RulesError as error:
        return error
    return None


@pytest.mark.slow
@pytest.mark.parametrize("players", [4, 3, 2])
def test_apply_refuses_exactly_what_is_not_legal(players):
    rng = random.Random(players)
    options = Options(missions=True, rounds=12)
    table = Table(game, players, options, source=Seeded(rng))
    reasons = Counter()
    while table.to_act:
        for text in _candidates(rng):
            for seat in table.seats:
                action = game.parse(text)
                allowed = action in game.legal(table.state, seat)
                refusal = refused(table.state, seat, action)
                assert (refusal is None) == allowed, text
                if refusal:
                    assert refusal.rule in RULES, refusal
                    assert all(has_words(refusal.code, lang) for lang in LANGS), refusal.code
                    reasons[refusal.code] += 1
        seat = rng.choice(sorted(table.to_act))
        table.act(seat, table.legal(seat).sample(rng))
    assert len(reasons) > 15


def _rules():
    page = Path(__file__).parents[3] / "docs" / "rules" / "risk_europe.md"
    return set(
        re.findall(r"^- \*\*(R-\w+-\d+)\*\*", page.read_text(encoding="utf-8"), re.MULTILINE)
    )


RULES = _rules()


def test_every_rule_id_in_the_source_is_a_rule():
    for path in Path(package.__file__).parent.rglob("*.py"):
        cited = set(re.findall(r"R-[A-Z0-9]+-\d\d", path.read_text(encoding="utf-8")))
        assert cited <= RULES, path.name


def test_questions_write_exactly_what_is_legal():
    """Every text of a question's tree is legal, and every legal text is in the tree."""
    rng = random.Random(3)
    table = Table(game, 4, Options(missions=True, rounds=8), source=Seeded(rng))
    while table.to_act:
        for seat in sorted(table.to_act):
            legal, question = table.legal(seat), table.ask(seat)
            assert question is not None
            if legal.count_all() < 400:
                listed = {str(action) for action in legal}
                assert listed == set(answer_texts(question.node))
            else:
                assert all(accepts_answer(question.node, str(legal.sample(rng))) for _ in range(20))
        seat = rng.choice(sorted(table.to_act))
        table.act(seat, table.legal(seat).sample(rng))


@given(units, st.integers(0, 12), st.integers(0, 12), st.integers(0, 1))
@settings(deadline=None)
def test_described_forces_are_the_listed_ones(there, least, most, siege):
    force = Forces(actions.March, there, least, most, siege)
    if total_units(there) > 20:
        return
    listed = list(force)
    assert len(listed) == len(set(listed)) == force.count_all()
    assert all(action in force for action in listed)
    if listed:
        assert force.sample(random.Random(0)) in force
        assert force.is_single() == (len(listed) == 1)


def test_the_default_is_harmless():
    s = Scene(
        {"saxony": "blue 4f", "bohemia": "blue 4f", "poland": "orange 1f", "rome": "orange 1f"}
    )
    s.turn("blue", "fortify")
    assert str(game.default(s.state, "blue")) == "pass"
    s.do("blue", "order expand", "from bohemia")
    assert str(game.default(s.state, "blue")) != "to poland"
    assert str(game.default(settled().state, "orange")) == "pick tax tax"


def test_chance_is_refused_when_it_is_not_owed():
    with pytest.raises(RulesError):
        game.apply(settled().state, CHANCE, Roll((1,)))
    with pytest.raises(RulesError):
        game.apply(settled().state, "chess", actions.PassTurn())


def anything(rng):
    """Any action at all, sensible or not."""
    at, to = rng.randrange(len(TERRITORY_NAMES)), rng.randrange(len(TERRITORY_NAMES))
    some = tuple(rng.choice((0, 0, 1, 2, most)) for most in FULL_ARMY)
    count = rng.randrange(-1, 12)
    card, crown = rng.choice(board.DECK), rng.choice(list(pack.printed_pack()))
    return rng.choice(
        [
            actions.PlaceBid(count), actions.SettleCity(at), actions.SplitGarrison(at, count),
            actions.PickCards(card, rng.choice(board.DECK)), actions.Auction(rng.choice(board.COLOURS)),
            actions.GiveOrder(rng.choice(actions.ORDER_NAMES)), actions.Fortify(at),
            actions.Besiege(at, rng.choice(board.ADJACENT[at])), actions.Besiege(at, to),
            actions.Berlin(), actions.From(at), actions.To(at), actions.March(some),
            actions.Storm(some), actions.Lose(some), actions.TaxCity(at),
            actions.Buy(rng.randrange(4), at, count), actions.BuildCastle(at), actions.BuyCrown(),
            actions.KeepMission(crown), actions.Reveal(crown), actions.Fight(at), actions.Reroll(),
            actions.Stand(), actions.Finish(), actions.PassTurn(),
        ]
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("players", "options"), VARIANTS)
def test_whatever_is_legal_is_done_and_nothing_else(players, options):
    rng = random.Random(players)
    state = game.start(game.seats(players, options), options)
    done = refused = 0
    while acting := sorted(game.to_act(state)):
        seat = rng.choice(acting)
        if seat != CHANCE:
            for who in (seat, rng.choice(board.COLOURS[:players])):
                for action in (anything(rng) for _ in range(12)):
                    legal = action in game.legal(state, who)
                    try:
                        game.apply(state, who, action)
                    except RulesError:
                        refused += 1
                        assert not legal, (who, str(action))
                    else:
                        done += 1
                        assert legal, (who, str(action))
        state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
    assert done > 100
    assert refused > 1000
