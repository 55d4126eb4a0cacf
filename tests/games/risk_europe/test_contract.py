"""The contract: its laws, secrets, states, options, invariants and words."""

import json
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import powderkeg.games.risk_europe as package
from powderkeg.core import plain
from powderkeg.core.check import check_game, perft, write_transcript
from powderkeg.core.game import Game
from powderkeg.core.options import option_fields
from powderkeg.core.words import LANGS, Msg, has_words
from powderkeg.games.risk_europe import actions, board
from powderkeg.games.risk_europe.board import FULL_ARMY, TERRITORY_NAMES, UNITS
from powderkeg.games.risk_europe.cards import pack
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


def test_a_state_is_plain_json():
    s = settled(3, missions=True)
    assert plain.load(State, json.loads(json.dumps(plain.dump(s.state)))) == s.state


def test_options_are_described():
    names = [field.name for field in option_fields(Options)]
    assert names == [
        "missions",
        "rounds",
        "mercenary_seat",
        "mercenary_king",
        "mercenary_losses",
        "tie",
        "cards",
    ]
    for field in option_fields(Options):
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
    made = ("territory.", "city.", "city_bonus.", "seat.", "unit", "card.", "order.", "crown", "mission.", "bonus.",
            "option.", "board.", "phase.", "rank", "won.", "view.", "do.", "ask.", "name", "form.")  # fmt: skip
    codes = [code.removeprefix("risk_europe.") for code in ids]
    assert [c for c in codes if not c.startswith(made) and f'{c}"' not in source] == []


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
def test_broken_states_are_reported(change, said):
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
def test_broken_armies_are_reported(change, said):
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
    assert "You play Blue." in lines
    assert "Berlin (Saxony), castle: 4 footmen" in lines
    assert "Warsaw (Poland): 1 footman, attacked by Blue with 2 footmen" in lines
    assert isinstance(game.describe(game.view(s.state, None))[0].title, Msg)


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
