"""The compiled board plays the games of the readable rules."""

import os
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

import powderkeg.games.versailles as game
from powderkeg.games.versailles.actions import parse
from powderkeg.games.versailles.cards.reader import FILES, default_pack
from powderkeg.games.versailles.kinds import legal_answers
from powderkeg.games.versailles.state import Deal, Options
from powderkeg.games.versailles.steps import ChooseOption

np = pytest.importorskip("numpy")
pytest.importorskip("numba")

from powderkeg.games.versailles.fast import layout  # noqa: E402  # needs both
from powderkeg.games.versailles.fast.action_codes import answer_action, answer_code  # noqa: E402  # needs the extra
from powderkeg.games.versailles.fast.boards import TreatyBoard, play_random_games  # noqa: E402  # needs the extra
from powderkeg.games.versailles.fast.compiling import TREATY_SOURCES  # noqa: E402  # needs the extra
from powderkeg.games.versailles.fast.lockstep import (  # noqa: E402  # needs the extra
    READINGS,
    TreatyMismatch,
    TreatyPair,
    walk_treaty,
)
from powderkeg.games.versailles.fast.rule_tables import make_table  # noqa: E402  # needs the extra
from powderkeg.games.versailles.fast.state_arrays import pack_treaty  # noqa: E402  # needs the extra

GAMES = int(os.environ.get("POWDERKEG_TREATIES", "4"))  # of each kind; a million steps are 105
TEXTS = (
    "nation france", "place silesia 100", "reclaim 6 europe,africa", "reclaim 3 -", "settle rheinland",
    "deploy available pacific 5", "deploy africa europe 8", "demobilise exhausted", "end",
    "option to_france", "flag usa", "perform", "decline", "choose italy", "choose balkans",
    "choose available", "choose 2", "choose minus", "choose silesia", "advance silesia",
    "advance house", "cube yes", "cube no", "draw", "dive silesia", "keep silesia", "mutiny europe",
    "modify -1", "modify 0", "modify +1", "bid 2+1 4", "pass", "strategy reparations",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("number", range(len(READINGS)))
def test_games_go_on_side_by_side(players, number):
    for seed in range(GAMES):
        rng = random.Random(1000 * seed + 10 * players + number)
        walked = walk_treaty(players, rng, READINGS[number])
        board, result = TreatyBoard.of(walked.state), game.result(walked.state)
        assert board.asked() == -2
        assert tuple(walked.state.seats[seat] for seat in board.winners()) == result.ranking[0]
        assert board.scores() == tuple(result.scores.values())


def test_a_difference_is_found():
    pair = TreatyPair(4, Options())
    pair.compare_all()
    pair.board.cells[layout.FREE] += 1
    with pytest.raises(TreatyMismatch):
        pair.compare_all()


@pytest.mark.parametrize("text", TEXTS)
def test_codes_and_actions(text):
    code = answer_code(parse(text), default_pack(), "rheinland")
    assert str(answer_action(code, default_pack())) == text


def test_every_verb_has_a_code():
    assert {text.split()[0] for text in TEXTS} == set(layout.ANSWER_VERBS)


def test_a_copy_is_a_board_of_its_own():
    pair = TreatyPair(4, Options())
    pair.random_step(random.Random(1))
    before, other = pair.board.state(), pair.board.copy()
    other.act(int(other.legal()[1]))
    assert pair.board.state() == before != other.state()
    assert pair.board.cells.nbytes < 1100


def test_any_moment_of_a_game_can_be_put_on_a_board():
    rng, options = random.Random(3), READINGS[1]
    state = game.start(game.seats(3, options), options)
    while acting := game.to_act(state):
        (seat,) = acting
        legal = legal_answers(state) if seat in state.seats else game.legal(state, seat)
        state = game.apply(state, seat, legal.sample(rng)).state
        if rng.randrange(5) == 0:
            ours = TreatyBoard.of(state).state()
            assert pack_treaty(ours).tolist() == pack_treaty(state).tolist()
            assert game.to_act(ours) == game.to_act(state)
    assert state.over


def test_solitaire_and_deals_are_refused():
    with pytest.raises(ValueError, match="solitaire"):
        TreatyBoard.of(game.start(game.seats(1, Options()), Options()))
    state = TreatyPair(3, Options()).state
    with pytest.raises(ValueError, match="deals"):
        pack_treaty(replace(state, deals=(Deal(1, 0, (0, 1), ("uk.pass",), (0,)),)))


def test_a_pack_without_room_is_refused():
    spaces = ",".join(["1"] * 20)
    with pytest.raises(ValueError, match="room for 16"):
        make_table(Options(pack=f'{{"board.demobilise.spaces":[{spaces}]}}'), 4)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_end_by_the_rules(players):
    options = Options(length=10)
    boards, steps = play_random_games(players, 60, 1, length=10)
    for cells in boards:
        state = TreatyBoard(cells, options, game.seats(players, options)).state()
        assert game.broken(state) == []
        assert game.result(state) is not None
    assert steps > 60 * 200


def test_random_choices_are_as_likely_as_those_of_the_rules():
    """After a hundred steps happiness, cubes and unrest agree within five standard errors."""
    columns = [layout.HAPPY, layout.FREE + 1, layout.TIRED + 2, layout.UNREST_AT, layout.ROUND_TURN]
    boards, _ = play_random_games(4, 3000, 2, most=100)
    ours = boards[:, columns].astype(float)
    theirs = np.array([_cells_after(100, seed)[columns] for seed in range(150)], float)
    error = (ours.var(0) / len(ours) + theirs.var(0) / len(theirs)) ** 0.5
    assert (abs(ours.mean(0) - theirs.mean(0)) < 5 * error).all()


def _cells_after(steps, seed):
    rng = random.Random(seed)
    state = game.start(game.seats(4, Options()), Options())
    for _ in range(steps):
        (seat,) = game.to_act(state)
        legal = legal_answers(state) if seat in state.seats else game.legal(state, seat)
        state = game.apply(state, seat, legal.sample(rng)).state
    return pack_treaty(state)


def test_an_option_is_coded_with_its_issue():
    rng = random.Random(5)
    pair = TreatyPair(4, Options())
    while not isinstance(pair.state.agenda[-1], ChooseOption):
        pair.random_step(rng)
    issue = pair.state.agenda[-1].issue
    codes = pair.board.legal().tolist()
    assert {code >> 3 & 63 for code in codes} == {layout.ISSUE_IDS.index(issue)}


def test_what_was_compiled_is_forgotten_with_every_file_that_it_was_made_of():
    """The modules of the game that the compiled files import, and the data of the cards."""
    package = Path(game.__file__).parent
    compiled = [path for path in TREATY_SOURCES if path.parent == package / "fast"]
    imported = {
        package / f"{module.replace('.', '/')}.py"
        for path in compiled
        for module in re.findall(
            r"from powderkeg\.games\.versailles\.(\S+) import", path.read_text()
        )
    }
    data = {package / "data" / f"{name}.toml" for name in FILES}
    assert imported | data <= set(TREATY_SOURCES)
    assert all(path.is_file() for path in TREATY_SOURCES)
