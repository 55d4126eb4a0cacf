"""The compiled vector environment of Risk Europe is the readable one."""

import pytest

from powderkeg.games import risk_europe
from powderkeg.games.risk_europe.flow import apply, result, to_act

np = pytest.importorskip("numpy")
pytest.importorskip("numba")
pytest.importorskip("gymnasium")

from powderkeg.core.chance import CHANCE  # noqa: E402  # needs the extras
from powderkeg.games.risk_europe.fast.state_arrays import plain_order  # noqa: E402  # needs the extra
from powderkeg.rl.play import encode_written, make_setting  # noqa: E402  # needs the extra
from powderkeg.rl.risk_europe.columns import COLUMN_NAMES, encode_view  # noqa: E402  # needs the extra
from powderkeg.rl.risk_europe.vector import WordsVector, WordsVectorEnv  # noqa: E402  # needs the extra
from powderkeg.rl.spelling import SpellingDesk  # noqa: E402  # needs the extra

COUNT = 6
SETTINGS = (
    {"players": 4, "rounds": 3},
    {"players": 3, "rounds": 3, "missions": True},
    {"players": 2, "rounds": 3},
)


def readable_words(games, setting, n):
    """The same decision of a game, spelt by the readable environment."""
    state = games.state(n)
    spelling = SpellingDesk(risk_europe, setting.lexicon).spelling(state, seat_of(games, n))
    spelling.write_again(games.written(n))
    return spelling


def seat_of(games, n):
    return games.colours[games.notes[n, 0]]


def check_row(games, setting, n):
    """Mask and observation of a game, against its view and its spelling."""
    state, seat = games.state(n), seat_of(games, n)
    spelling = readable_words(games, setting, n)
    assert {games.words[w] for w in np.flatnonzero(games.action_mask[n])} == set(spelling.words)
    assert games.written(n) == tuple(spelling.written)
    columns = encode_view(risk_europe.view(state, seat))
    row = np.concatenate([columns, encode_written(setting, spelling.written)])
    wrong = np.flatnonzero(~np.isclose(row, games.observation[n], atol=1e-6))
    assert [(games.columns[c], row[c], games.observation[n, c]) for c in wrong] == []


@pytest.mark.parametrize("options", SETTINGS, ids=lambda options: f"{options['players']} players")
def test_words_masks_and_columns_are_those_of_the_readable_environment(options):
    setting = make_setting("risk_europe", **options)
    games, rng = WordsVector(COUNT, **options), np.random.default_rng(1)
    games.reset(seed=1)
    assert games.words == setting.lexicon.words
    for step in range(150):
        over = games.terminated.copy()
        for n in np.flatnonzero(~over) if step % 5 == 0 else ():
            check_row(games, setting, n)
        games.step(games.sample_actions(rng))
    assert len(games.columns) == games.observation.shape[1]
    assert len(COLUMN_NAMES) + 2 * len(games.words) == len(games.columns)


@pytest.mark.parametrize("options", SETTINGS, ids=lambda options: f"{options['players']} players")
def test_a_complete_decision_is_carried_out_by_the_rules(options):
    setting = make_setting("risk_europe", **options)
    games, rng = WordsVector(COUNT, **options), np.random.default_rng(2)
    games.reset(seed=2)
    compared = 0
    for _ in range(60):
        over = games.terminated.copy()
        before = [games.state(n) for n in range(COUNT)]
        spellings = [None if over[n] else readable_words(games, setting, n) for n in range(COUNT)]
        seats = [seat_of(games, n) for n in range(COUNT)]
        actions = games.sample_actions(rng)
        games.step(actions)
        for n in np.flatnonzero(~over):
            spellings[n].write(games.words[actions[n]])
            if spellings[n].text is None:
                assert games.state(n) == before[n]
                continue
            after = apply(before[n], seats[n], risk_europe.parse(spellings[n].text)).state
            if CHANCE not in to_act(after) and games.notes[n, 2] == 0:
                assert games.state(n) == plain_order(after)
                compared += 1
    assert compared > COUNT


def test_games_end_with_rewards_and_start_again():
    games, rng = WordsVector(8, players=2, rounds=1), np.random.default_rng(3)
    games.reset(seed=3)
    ended = np.zeros(8, bool)
    for _ in range(3000):
        seen, rewards, over, _ = games.step(games.sample_actions(rng))
        for n in np.flatnonzero(over):
            scores = result(games.state(n)).scores
            assert rewards[n].tolist() == [scores[c] for c in games.colours[:2]]
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
        games, rng = WordsVector(4, players=3), np.random.default_rng(4)
        games.reset(seed=4)
        for _ in range(50):
            games.step(games.sample_actions(rng))
        rows.append(games.observation.copy())
    assert (rows[0] == rows[1]).all()


def test_what_a_mask_forbids_is_refused():
    games = WordsVector(2)
    with pytest.raises(ValueError, match="reset"):
        games.step(np.zeros(2, np.int64))
    games.reset(seed=1)
    with pytest.raises(ValueError, match="game 0 cannot write"):
        games.step(np.zeros(2, np.int64))
    with pytest.raises(ValueError, match="numbers from 0"):
        games.step(np.full(2, 9999))


def test_a_game_too_long_is_cut_off():
    games, rng = WordsVector(2, most_steps=10), np.random.default_rng(5)
    games.reset(seed=5)
    for _ in range(10):
        stepped = games.step(games.sample_actions(rng))
    assert stepped.truncated.all()
    assert not stepped.terminated.any()


def test_gymnasium_asks_only_one_seat():
    env, rng = WordsVectorEnv(5, players=3, seat=1, rounds=1), np.random.default_rng(6)
    seen, info = env.reset(seed=6)
    assert env.observation_space.contains({key: each.copy() for key, each in seen.items()})
    paid = 0.0
    for _ in range(400):
        assert (env.games.notes[~env.games.terminated, 0] == 1).all()
        action = env.games.sample_actions(rng)
        assert env.action_space.contains(action)
        seen, rewards, over, cut, info = env.step(action)
        assert rewards.shape == over.shape == cut.shape == (5,)
        assert (info["action_mask"] == seen["action_mask"]).all()
        assert env.action_masks().any(axis=1).all()
        paid += rewards.sum()
    assert paid > 0
