"""The playbook's two example games, move by move, with every number that it prints."""

import pytest

import powderkeg.games.versailles as game
from powderkeg.games.versailles.board import NATIONS, REGIONS
from powderkeg.games.versailles.cards.examples import EXAMPLES, Replay, example_faults
from powderkeg.games.versailles.cards.table import CARD_TOOL
from powderkeg.games.versailles.rules.score import score_sheet


@pytest.fixture(scope="module")
def four():
    play = Replay("four_players", {})
    assert list(play.faults()) == []
    return play


def facts_of(play, code):
    """The arguments of every fact with this code."""
    return [fact.msg.args for fact in play.facts if fact.msg.code == f"versailles.{code}"]


@pytest.mark.rule("V-SCORE-13", "V-SCORE-03", "V-END-03", "V-SCORE-08")
def test_the_four_player_example_scores_as_printed(four):
    lines = {NATIONS[n]: score_sheet(four.state, n) for n in four.state.order}
    printed = {
        "uk": (25, 1, (1, 3, 0, 0), 0, 30),
        "usa": (22, 2, (1, 3, 6, 2), 6, 42),
        "italy": (16, 0, (2, -1, 0, 3), 12, 32),
        "france": (15, 1, (1, 0, 3, 4), 6, 30),
    }
    assert {n: (*line, line.total) for n, line in lines.items()} == printed
    result = game.result(four.state)
    assert result is not None
    assert result.winners == ("P2",)


def test_the_four_player_example_ends_as_tracked(four):
    assert four.state.happiness == (9, 15, 15, 15, 19)
    assert dict(zip(REGIONS, four.state.unrest, strict=True)) == {
        "europe": 6,
        "balkans": 3,
        "middle_east": 4,
        "pacific": 3,
        "africa": 2,
    }
    assert {
        n: sorted(i for i, h in four.state.held.items() if NATIONS[h.owner] == n) for n in NATIONS
    } == {
        "uk": ["armenia", "constantinople", "ethiopia", "rush_to_the_finish", "widow_pensions"],
        "usa": ["disarmament", "shantung", "thrace", "vietnam", "womens_suffrage"],
        "italy": ["banat", "reconstruction", "slovenia_and_croatia"],
        "france": ["montenegro", "rheinland", "syria"],
        "japan": [],
    }


@pytest.mark.rule("V-STRAT-02", "V-STRAT-03")
def test_strategies_were_chosen_in_the_printed_order(four):
    chosen = [args["nation"].code.rpartition(".")[2] for args in facts_of(four, "strategy")]
    assert chosen == ["usa", "italy", "france", "uk"]


@pytest.mark.rule("V-NEG-02")
def test_the_deal_of_round_two_was_kept(four):
    assert [args["deal"] for args in facts_of(four, "deal_kept")] == [1]


@pytest.mark.rule("V-SOLO-06", "V-SOLO-08", "V-SOLO-33", "V-SOLO-07")
def test_the_solitaire_example():
    play = Replay("solitaire", {})
    assert list(play.faults()) == []
    assert [args["points"] for args in facts_of(play, "point")] == [1, 2, 3]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_state_of_an_example_is_sound(name):
    play = Replay(name, {})
    act = play.act

    def checked(line):
        act(line)
        assert game.broken(play.state) == [], line

    play.act = checked
    assert list(play.faults()) == []


@pytest.mark.parametrize(
    ("change", "example", "what"),
    [
        ({"issues.rheinland.stars": 5}, "solitaire", "cards.fact.potential"),
        ({"issues.syria.stars": 2}, "four_players", "cards.fact.score"),
        (
            {"issues.armenia.options.to_turkey.happiness": {"usa": -1}},
            "four_players",
            "cards.fact.happiness",
        ),
        ({"board.columns.uprising": [0] * 8}, "four_players", "versailles.refused"),
    ],
)
def test_a_changed_value_breaks_an_example(change, example, what):
    broken = [fault for fault in example_faults(change) if fault.example == example]
    assert broken
    assert any(fault.what.code.startswith(what) for fault in broken), broken


def test_what_is_not_replayed_as_printed_is_counted():
    four, solitaire = (Replay(example, {}).liberties() for example in EXAMPLES)
    assert (four.by_hand, four.altered, four.cards, four.differing) == (1, 2, ("du_bois",), ())
    assert (solitaire.by_hand, solitaire.altered, solitaire.cards) == (4, 4, ())
    assert solitaire.differing == (("happiness.usa", 16, 11),)


def test_the_check_of_a_pack_says_what_was_set_by_hand():
    said = [str(msg) for _, msg in CARD_TOOL.check_pack(CARD_TOOL.shipped_pack())]
    assert any("1 position set by hand" in text and "Du Bois" in text for text in said)
    assert any("16 where 11 is printed" in text for text in said)
