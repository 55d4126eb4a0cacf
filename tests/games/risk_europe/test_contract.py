"""The contract: laws of the kit, secrets, notation, refusals, invariants, words."""

import json
import random
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from hypothesis import given, settings
from hypothesis import strategies as st

import powderkeg.games.risk_europe as package
from powderkeg.core import plain
from powderkeg.core.ask import accepts_answer, answer_texts
from powderkeg.core.chance import CHANCE, Roll, Seeded
from powderkeg.core.check import check_game, perft, write_transcript
from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.game import Game
from powderkeg.core.table import Table
from powderkeg.core.words import LANGS, Msg, has_words
from powderkeg.games.risk_europe import actions, board
from powderkeg.games.risk_europe.board import FULL_ARMY, TERRITORY_NAMES, UNITS, total_units
from powderkeg.games.risk_europe.cards import pack
from powderkeg.games.risk_europe.rules.forces import Forces
from powderkeg.games.risk_europe.state import Options, State
from tests.games.risk_europe.scene import Scene, settled

game: Game = package

VARIANTS = [
    (4, Options(rounds=30)),
    (4, Options(rounds=20, missions=True, tie="target")),
    (3, Options(rounds=20)),
    (3, Options(rounds=15, missions=True, mercenary_seat="ring", mercenary_king="army")),
    (2, Options(rounds=20, mercenary_king="nobody", mercenary_losses="controller")),
    (2, Options(rounds=15, missions=True)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("players", "options"), VARIANTS)
def test_the_laws_of_the_contract(players, options):
    report = check_game(game, players, options, games=2, share=0.04)
    assert report.finished == 2


@pytest.mark.slow
def test_a_basic_game_ends_by_the_rulebook():
    report = check_game(game, 4, games=1, seed=5, share=0.02)
    assert report.finished == 1


@pytest.mark.parametrize(("players", "missions"), [(4, False), (4, True), (3, False), (2, True)])
def test_playthroughs(players, missions, recorded):
    text = write_transcript(game, players, Options(rounds=6, missions=missions), seed=players)
    recorded(f"risk_europe-{players}{'-missions' if missions else ''}.txt", text)


def test_perft():
    """Any slip in what is legal changes one of these numbers."""
    s = settled()
    assert [perft(game, s.state, depth) for depth in (1, 2)] == [23, 529]
    lands = {
        "bohemia": "blue 3f 1s",
        "highlands": "orange 1f",
        "poland": "orange 2f",
        "saxony": "blue 2f",
    }
    s = Scene(lands, castles="poland").turn("blue", "fortify")
    assert [perft(game, s.state, depth) for depth in (1, 2, 3, 4)] == [4, 29, 550, 2417]


# Secrets


def test_no_view_shows_what_others_chose():
    s = settled().do("blue", "pick king siege")
    for seat in ("orange", "green", "purple", None):
        view = game.view(s.state, seat)
        assert view["state"]["armies"][0]["stack"] == ["?", "?"]
        assert len(view["state"]["armies"][0]["hand"]) == 8
        assert view["armies"]["blue"]["hand"] == 6
    assert game.view(s.state, "blue")["own"]["stack"] == ["king", "siege"]


@pytest.mark.parametrize("players", [2, 3])
def test_bids_are_secret(players):
    one, two = settled(players), settled(players)
    for s, n in ((one, 1), (two, 3)):
        for seat in package.seats(players, Options()):
            s.do(seat, "pick tax split")
        if players == 2:
            s.do("blue", "auction green")
        s.do("blue", f"bid {n}")
    for seat in ("orange", None):
        assert game.view(one.state, seat) == game.view(two.state, seat)
    assert game.view(one.state, "blue") != game.view(two.state, "blue")


def test_a_move_in_the_making_is_its_makers():
    lands = {"bohemia": "blue 4f", "rome": "blue 4f", "turkey": "orange 1f"}
    one = Scene(lands).turn("blue", "split").do("blue", "order split", "from bohemia", "to poland")
    two = Scene(lands).turn("blue", "split").do("blue", "order split")
    assert game.view(one.state, "orange") == game.view(two.state, "orange")
    assert game.view(one.state, "blue")["own"]["move"]["origin"] == "bohemia"


def test_deals_vary():
    s = settled().do("blue", "pick king siege")
    view = game.view(s.state, "orange")
    rng = random.Random(1)
    worlds = Counter(game.deal(view, rng).armies[0].stack for _ in range(300))
    assert len(worlds) > 15
    assert all(game.deal(view, rng).armies[1] == s.state.armies[1] for _ in range(3))


def test_dealt_bids_are_any_that_could_have_been_made():
    s = settled(3)
    for seat in ("blue", "orange", "green"):
        s.do(seat, "pick tax split")
    coins = s.coins("blue")
    view = game.view(s.do("blue", "bid 1").state, "orange")
    rng = random.Random(1)
    assert {game.deal(view, rng).armies[0].bid for _ in range(300)} == set(range(coins + 1))


# Notation


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


# Legal and refused are two sides of one thing


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


# Described choices


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


# State and options


def test_a_state_is_plain_json():
    s = settled(3, missions=True)
    assert plain.load(State, json.loads(json.dumps(plain.dump(s.state)))) == s.state


def test_options_are_described():
    names = [field.name for field in plain.option_fields(Options)]
    assert names == [
        "missions",
        "rounds",
        "mercenary_seat",
        "mercenary_king",
        "mercenary_losses",
        "tie",
        "cards",
    ]
    for field in plain.option_fields(Options):
        codes = [f"risk_europe.option.{field.name}"]
        codes += [f"risk_europe.option.{field.name}.{choice}" for choice in field.choices]
        assert all(has_words(code, lang) for code in codes for lang in LANGS)


def test_every_noun_has_a_name_in_every_language():
    codes = [f"territory.{name}" for name in TERRITORY_NAMES]
    codes += [f"city.{t.city}" for t in board.TERRITORIES if t.city]
    codes += [f"seat.{colour}" for colour in board.COLOURS]
    codes += [f"{kind}.{unit}" for unit in UNITS for kind in ("unit", "units")]
    codes += [f"card.{card}" for card in board.CARDS] + [
        f"order.{order}" for order in actions.ORDER_NAMES
    ]
    codes += [f"crown.{card}" for card in pack.printed_pack()]
    codes += [f"mission.units.{unit}" for unit in UNITS]
    codes += [f"bonus.{kind}.{unit}" for unit in UNITS for kind in ("tax_units", "unit_price")]
    assert not [
        code for code in codes for lang in LANGS if not has_words(f"risk_europe.{code}", lang)
    ]


def test_no_word_is_left_over():
    """Every code of the catalogue is spoken in the source; `board.` is the browser's."""
    source = "".join(
        p.read_text(encoding="utf-8") for p in Path(package.__file__).parent.rglob("*.py")
    )
    path = Path(package.__file__).parents[2] / "locale" / "en" / "LC_MESSAGES" / "risk_europe.po"
    with path.open("rb") as file:
        ids = [m.id if isinstance(m.id, str) else m.id[0] for m in read_po(file) if m.id]
    made = ("territory.", "city.", "seat.", "unit", "card.", "order.", "crown", "mission.", "bonus.",
            "option.", "board.", "phase.", "rank", "won.", "view.", "do.", "ask.", "name")  # fmt: skip
    codes = [code.removeprefix("risk_europe.") for code in ids]
    assert [c for c in codes if not c.startswith(made) and f'{c}"' not in source] == []


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


# Invariants catch what is wrong


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"castles": (1, 1)}, "castles"),
        ({"castles": tuple(range(9))}, "castles"),
        ({"crown_cards": 9}, "crown cards"),
        ({"owner": (3,) * 49}, "owner"),
        ({"marker": -1}, "marker"),
        ({"unseen": ("treasurer",)}, "missions"),
        ({"active": (2,) * 8}, "shield"),
    ],
)
def test_broken_states_are_told(change, said):
    state = settled().state
    assert game.broken(state) == []
    assert any(said in text for text in game.broken(state._replace(**change)))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"coins": -1}, "coins"),
        ({"bid": 99}, "bids"),
        ({"hand": ()}, "cards"),
        ({"reserve": (36, 12, 12, 4)}, "has {"),
        ({"reserve": FULL_ARMY, "out": 1}, "out"),
    ],
)
def test_broken_armies_are_told(change, said):
    s = settled().has("blue", **change)
    assert any(said in text for text in game.broken(s.state))


def test_describe_in_words():
    s = Scene(
        {"saxony": "blue 4f", "poland": "orange 1f"},
        attacks={"poland": "blue 2f"},
        castles="saxony",
    )
    s.turn("blue", "fortify")
    lines = [
        str(line) for section in game.describe(game.view(s.state, "blue")) for line in section.lines
    ]
    assert "Berlin (Saxony), castle: 4 footmen" in lines
    assert "Warsaw (Poland): 1 footman, attacked by Blue with 2 footmen" in lines
    assert isinstance(game.describe(game.view(s.state, None))[0].title, Msg)


# Phases


def phases(players, options):
    """The phases of a random game in order, each with its stage."""
    rng = random.Random(players)
    state = game.start(game.seats(players, options), options)
    seen = {}
    while acting := game.to_act(state):
        view = game.view(state, None)
        seen.setdefault(view["phase"], view["stage"])
        seat = min(acting)
        state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
    return seen | {game.view(state, None)["phase"]: game.view(state, None)["stage"]}


def test_every_part_of_a_round_has_its_mark_and_its_name():
    seen = phases(3, Options(rounds=8, missions=True))
    assert list(seen)[:6] == ["setup", "bid", "1-cards", "1-hire", "1-turn1", "1-turn2"]
    assert list(seen)[-1] == "over"
    assert {phase.partition("-")[2] for phase in seen if phase[0] == "8"} >= {"cards", "turn2"}
    parts = {phase.rpartition("-")[2] for phase in seen}
    assert parts == {
        "setup",
        "bid",
        "cards",
        "hire",
        "turn1",
        "turn2",
        "battles",
        "missions",
        "over",
    }
    assert {stage for phase, stage in seen.items() if "turn" in phase} == {"turns"}
    assert str(package.phase_name("2-turn1")) == "Round 2: first turn"
    codes = {package.phase_name(phase).code for phase in seen}
    assert all(has_words(code, lang) for code in codes for lang in LANGS)


# Random games; bench/risk_europe.py --games plays thousands of them


@pytest.mark.slow
@pytest.mark.parametrize("missions", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_invariants_hold_after_every_action_of_random_games(players, missions):
    options = Options(rounds=12, missions=missions)
    for seed in range(5):
        rng = random.Random(seed)
        state = game.start(game.seats(players, options), options)
        while acting := sorted(game.to_act(state)):
            seat = rng.choice(acting)
            state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
            assert game.broken(state) == []
        assert game.result(state) is not None


def test_threads_do_not_mix_their_games():
    """What is remembered of the last state is never taken for another's."""
    states = [settled(players).state for players in (2, 3, 4)]
    alone = [str(list(game.legal(state, "blue"))) + str(game.to_act(state)) for state in states]

    def look(n):
        state = states[n % 3]
        return str(list(game.legal(state, "blue"))) + str(game.to_act(state)) == alone[n % 3]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(look, range(600)))


# What is legal and what is done are one


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
