"""The compiled vector environment of Versailles 1919 is the readable one, deals aside."""

import pytest

from powderkeg.games import versailles
from powderkeg.games.versailles.flow import apply, result, to_act
from powderkeg.games.versailles.kinds import legal_answers

np = pytest.importorskip("numpy")
pytest.importorskip("numba")
pytest.importorskip("gymnasium")

from powderkeg.core.chance import CHANCE  # noqa: E402  # needs the extras
from powderkeg.games.versailles.fast.state_arrays import plain_past  # noqa: E402  # needs the extra
from powderkeg.rl.lexicon import game_lexicon  # noqa: E402  # needs the extra
from powderkeg.rl.play import encode_written  # noqa: E402  # needs the extra
from powderkeg.rl.spelling import Spelling, plant_tree  # noqa: E402  # needs the extra
from powderkeg.rl.versailles.columns import TREATY_COLUMNS, encode_treaty_view  # noqa: E402  # needs the extra
from powderkeg.rl.versailles.vector import TreatyVector, TreatyVectorEnv  # noqa: E402  # needs the extra

COUNT = 6
PLAYERS = (2, 3, 4)


class Setting:
    """What `encode_written` needs of a setting."""

    lexicon = game_lexicon(versailles, 4, versailles.Options())


def readable_words(games, n):
    """The same decision of a game, spelt by the readable environment."""
    tree = plant_tree(Setting.lexicon, map(str, legal_answers(games.state(n))))
    spelling = Spelling(tree)
    spelling.write_again(games.written(n))
    return spelling


def seat_of(games, n):
    return games.seats[games.notes[n, 0]]


def check_row(games, n):
    """Mask and observation of a game, against its view and its spelling."""
    state, spelling = games.state(n), readable_words(games, n)
    assert {seat_of(games, n)} == to_act(state)
    assert {games.words[w] for w in np.flatnonzero(games.action_mask[n])} == set(spelling.words)
    assert games.written(n) == tuple(spelling.written)
    columns = encode_treaty_view(versailles.view(state, seat_of(games, n)))
    row = np.concatenate([columns, encode_written(Setting, spelling.written)])
    wrong = np.flatnonzero(~np.isclose(row, games.observation[n], atol=1e-6))
    assert [(games.columns[c], row[c], games.observation[n, c]) for c in wrong] == []


@pytest.mark.parametrize("players", PLAYERS)
def test_words_masks_and_columns_are_those_of_the_readable_environment(players):
    games, rng = TreatyVector(COUNT, players, length=5), np.random.default_rng(1)
    games.reset(seed=1)
    assert games.words == Setting.lexicon.words
    for step in range(900):
        over = games.terminated.copy()
        for n in np.flatnonzero(~over) if step % 9 == 0 else ():
            check_row(games, n)
        games.step(games.sample_actions(rng))
    assert len(games.columns) == games.observation.shape[1]
    assert len(TREATY_COLUMNS) + 2 * len(games.words) == len(games.columns)


def after_forced(state):
    """The state after decisions without a choice, which nobody is asked to spell."""
    while (acting := to_act(state)) and CHANCE not in acting:
        answers = list(legal_answers(state))
        if len(answers) > 1:
            break
        state = apply(state, *acting, answers[0]).state
    return state


@pytest.mark.parametrize("players", PLAYERS)
def test_a_complete_decision_is_carried_out_by_the_rules(players):
    games, rng = TreatyVector(COUNT, players), np.random.default_rng(2)
    games.reset(seed=2)
    compared = 0
    for _ in range(150):
        over = games.terminated.copy()
        before = [games.state(n) for n in range(COUNT)]
        spellings = [None if over[n] else readable_words(games, n) for n in range(COUNT)]
        seats = [seat_of(games, n) for n in range(COUNT)]
        actions = games.sample_actions(rng)
        games.step(actions)
        for n in np.flatnonzero(~over):
            spellings[n].write(games.words[actions[n]])
            if spellings[n].text is None:
                assert games.state(n) == before[n]
                continue
            after = after_forced(
                apply(before[n], seats[n], versailles.parse(spellings[n].text)).state
            )
            if CHANCE not in to_act(after) and games.notes[n, 2] == 0:
                assert games.state(n) == plain_past(after)
                compared += 1
    assert compared > COUNT


def test_games_end_with_rewards_and_start_again():
    games, rng = TreatyVector(8, 3), np.random.default_rng(3)
    games.reset(seed=3)
    ended = np.zeros(8, bool)
    for _ in range(6000):
        seen, rewards, over, _ = games.step(games.sample_actions(rng))
        for n in np.flatnonzero(over):
            first = result(games.state(n)).ranking[0]
            shares = [(seat in first) / len(first) for seat in games.seats]
            assert rewards[n].tolist() == pytest.approx(shares)
            assert seen.action_mask[n].sum() == 1
        assert not rewards[~over].any()
        ended |= over
        if ended.all():
            break
    assert ended.all()
    again = games.terminated.copy()
    games.step(games.sample_actions(rng))
    assert not games.terminated[again].any()


def test_equal_seeds_give_equal_games():
    rows = []
    for _ in range(2):
        games, rng = TreatyVector(4, 3), np.random.default_rng(4)
        games.reset(seed=4)
        for _ in range(50):
            games.step(games.sample_actions(rng))
        rows.append(games.observation.copy())
    assert (rows[0] == rows[1]).all()


def test_what_is_not_offered_is_refused():
    games = TreatyVector(2)
    games.reset(seed=1)
    with pytest.raises(ValueError, match="game 0 cannot write"):
        games.step(np.zeros(2, np.int64))
    with pytest.raises(ValueError, match="packs of your own"):
        TreatyVector(2, pack='{"board.cubes":20}')
    with pytest.raises(ValueError, match="solitaire"):
        TreatyVector(2, 1)


def test_gymnasium_asks_only_one_seat():
    env, rng = TreatyVectorEnv(5, players=3, seat=1), np.random.default_rng(6)
    seen, info = env.reset(seed=6)
    assert env.observation_space.contains({key: each.copy() for key, each in seen.items()})
    paid = 0.0
    for _ in range(1500):
        assert (env.games.notes[~env.games.terminated, 0] == 1).all()
        action = env.games.sample_actions(rng)
        assert env.action_space.contains(action)
        seen, rewards, over, cut, info = env.step(action)
        assert rewards.shape == over.shape == cut.shape == (5,)
        assert (info["action_mask"] == seen["action_mask"]).all()
        paid += rewards.sum()
    assert paid > 0
