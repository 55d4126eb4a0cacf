"""Civil disorder, victory, draws, concessions and elimination."""

import pytest

from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Ready, parse
from powderkeg.games.diplomacy.board import CENTRES
from tests.games.diplomacy.scene import (
    ATTACK,
    FIGHT,
    OWNED,
    begin,
    board,
    codes,
    owning,
    play,
    refused,
    units,
)

# Civil disorder


@pytest.mark.rule("D-CD-01", "D-CD-02", "D-CD-04")
def test_a_power_that_misses_a_movement_loses_dislodged_units():
    state = board(begin(), FIGHT, OWNED)
    state, _ = diplomacy.apply(state, "FRANCE", diplomacy.default(state, "FRANCE"))[:2]
    assert state.absent == {"FRANCE"}
    state, facts = play(state, GERMANY=ATTACK)
    assert state.phase == "F1901M"  # no retreat was asked
    assert units(state, "FRANCE") == {"A par"}
    assert {"in_disorder", "why.in_disorder"} <= set(codes(facts))


@pytest.mark.rule("D-CD-01")
def test_with_a_single_order_written_nobody_is_absent():
    state = board(begin(), FIGHT, OWNED)
    state = diplomacy.apply(state, "FRANCE", parse("A par H")).state
    assert diplomacy.default(state, "FRANCE") == Ready()
    assert refused(state, "FRANCE", "absent") == "not_absent"


@pytest.mark.rule("D-CD-03")
def test_others_may_support_units_in_disorder():
    state = board(begin(), FIGHT | {"ITALY": "A mar"}, OWNED | {"ITALY": "rom"})
    state = diplomacy.apply(state, "FRANCE", parse("absent")).state
    state, _ = play(state, GERMANY=ATTACK, ITALY="A mar S A bur")
    assert units(state, "FRANCE") == {"A bur", "A par"}


@pytest.mark.rule("D-CD-06", "D-CD-08")
def test_absence_builds_nothing_and_keeps_centres():
    state = board(begin(), {"FRANCE": "A bur", "GERMANY": "A mun"}, OWNED, season="fall")
    for seat in ("FRANCE", "GERMANY"):
        state = diplomacy.apply(state, seat, diplomacy.default(state, seat)).state
    assert state.phase == "W1901A"
    for seat in ("FRANCE", "GERMANY"):
        state = diplomacy.apply(state, seat, diplomacy.default(state, seat)).state
    assert units(state, "FRANCE") == {"A bur"}
    assert state.centres_of("FRANCE") == ("bre", "mar", "par")


@pytest.mark.rule("D-CD-07", "D-CD-01")
def test_a_substitute_takes_over_at_the_next_phase():
    state = board(begin(), FIGHT, OWNED)
    state = diplomacy.apply(state, "FRANCE", parse("absent")).state
    state, _ = play(state)
    state, _ = play(state, FRANCE="A par - pic")
    assert "A pic" in units(state, "FRANCE")


# Victory


@pytest.mark.rule("D-WIN-01", "D-WIN-02")
def test_eighteen_centres_win_after_a_fall():
    places = {"FRANCE": "A gas", "TURKEY": "A arm"}
    short, _ = play(board(begin(), places, owning(17), season="fall"))
    assert diplomacy.result(short) is None
    spring, _ = play(board(begin(), places, owning(18)))
    assert diplomacy.result(spring) is None
    won, facts = play(board(begin(), places, owning(18), season="fall"))
    result = diplomacy.result(won)
    assert result is not None
    assert result.winners == ("FRANCE",)
    assert result.scores["FRANCE"] == 1
    assert sum(result.scores.values()) == 1
    assert "ends.victory" in codes(facts)
    assert not diplomacy.to_act(won)


@pytest.mark.rule("D-WIN-03")
def test_there_is_one_winner():
    half = {"FRANCE": " ".join(CENTRES[:17]), "TURKEY": " ".join(CENTRES[17:])}
    state = board(
        begin(victory_centres=15), {"FRANCE": "A boh", "TURKEY": "A ukr"}, half, season="fall"
    )
    tied, _ = play(state)
    assert diplomacy.result(tied) is None
    ahead = {"FRANCE": " ".join(CENTRES[:18]), "TURKEY": " ".join(CENTRES[18:])}
    won, _ = play(board(state, {"FRANCE": "A boh", "TURKEY": "A ukr"}, ahead))
    assert diplomacy.result(won).winners == ("FRANCE",)


@pytest.mark.rule("D-WIN-04")
def test_a_draw_needs_all_survivors_and_only_them():
    state = board(begin(), FIGHT | {"TURKEY": "A con"}, OWNED | {"ITALY": "rom"})
    assert refused(state, "ITALY", "propose draw") == "no_voice"
    state = diplomacy.apply(state, "FRANCE", parse("propose draw")).state
    state = diplomacy.apply(state, "GERMANY", parse("accept draw")).state
    assert diplomacy.result(state) is None
    step = diplomacy.apply(state, "TURKEY", parse("accept draw"))
    result = diplomacy.result(step.state)
    assert result is not None
    assert set(result.winners) == {"FRANCE", "GERMANY", "TURKEY"}
    assert result.scores["FRANCE"] == pytest.approx(1 / 3)
    assert result.scores["ITALY"] == 0


@pytest.mark.rule("D-WIN-04")
def test_answers_are_secret_and_can_change():
    state = diplomacy.apply(begin(), "FRANCE", parse("propose draw")).state
    assert refused(state, "FRANCE", "refuse draw") == "answered_already"
    yes = diplomacy.apply(state, "GERMANY", parse("accept draw"))
    no = diplomacy.apply(state, "GERMANY", parse("refuse draw"))
    for viewer in ("FRANCE", "ITALY", None):
        assert diplomacy.view(yes.state, viewer) == diplomacy.view(no.state, viewer)
        assert not [fact for fact in yes.facts if fact.seen_by(viewer)]
    assert diplomacy.view(yes.state, "GERMANY")["proposals"][0]["mine"] == "yes"
    back = diplomacy.apply(yes.state, "GERMANY", parse("refuse draw")).state
    assert diplomacy.view(back, "GERMANY")["proposals"][0]["mine"] == "no"
    assert refused(back, "GERMANY", "withdraw draw") == "not_your_proposal"
    assert not diplomacy.apply(back, "FRANCE", parse("withdraw draw")).state.proposals


def test_a_new_phase_clears_proposals():
    state = diplomacy.apply(begin(), "FRANCE", parse("propose draw")).state
    state, _ = play(state)
    assert state.proposals == ()


def test_a_concession_needs_all_others():
    state = board(begin(), FIGHT | {"TURKEY": "A con"}, OWNED)
    assert refused(state, "FRANCE", "propose ITALY") == "no_voice"
    state = diplomacy.apply(state, "FRANCE", parse("propose GERMANY")).state
    assert refused(state, "GERMANY", "accept GERMANY") == "answered_already"
    state = diplomacy.apply(state, "TURKEY", parse("accept GERMANY")).state
    result = diplomacy.result(state)
    assert result is not None
    assert result.winners == ("GERMANY",)
    assert result.why.code == "diplomacy.ends.concession"


@pytest.mark.rule("D-WIN-05")
def test_between_two_24_centres_together_win():
    state = begin(2)
    assert state.target == 24
    split = {"ENGLAND": CENTRES[:10], "FRANCE": CENTRES[10:20], "RUSSIA": CENTRES[20:23]}
    owned = {power: " ".join(codes) for power, codes in split.items()} | {
        "TURKEY": " ".join(CENTRES[23:])
    }
    places = {"ENGLAND": "F nth", "TURKEY": "F bla", "ITALY": ""}
    short, _ = play(board(state, places, owned, season="fall"))
    assert diplomacy.result(short) is None
    owned["RUSSIA"] += f" {CENTRES[23]}"
    owned["TURKEY"] = " ".join(CENTRES[24:])
    won, _ = play(board(state, places, owned, season="fall"))
    assert diplomacy.result(won).winners == ("ENTENTE",)


@pytest.mark.rule("D-WIN-06")
def test_among_three_one_nation_must_have_18_unless_agreed():
    split = {
        "RUSSIA": " ".join(CENTRES[:9]),
        "ITALY": " ".join(CENTRES[9:18]),
        "TURKEY": " ".join(CENTRES[18:]),
    }
    places = {"RUSSIA": "A boh", "TURKEY": "A ukr"}
    apart, _ = play(board(begin(3), places, split, season="fall"))
    assert diplomacy.result(apart) is None
    together, _ = play(board(begin(3, sum_of_nations=True), places, split, season="fall"))
    assert diplomacy.result(together).winners == ("ITALY_RUSSIA",)


def test_the_last_year_ends_the_game():
    state = board(begin(last_year=1901), FIGHT, OWNED, season="fall")
    state, _ = play(state)
    result = diplomacy.result(state)
    assert result is not None
    assert result.ranking[0] == ("FRANCE", "GERMANY")
    assert result.scores["FRANCE"] == 0.5


@pytest.mark.rule("D-ADJ-15")
def test_elimination():
    owned = {"FRANCE": "par", "ITALY": "rom", "GERMANY": "mun ber"}
    state = board(begin(), {"FRANCE": "A par", "GERMANY": "A rom"}, owned, season="fall")
    assert "ITALY" in diplomacy.to_act(state)
    state, facts = play(state)
    while state.stage != "movement":
        state, more = play(state)
        facts += more
    assert "ITALY" not in diplomacy.to_act(state)
    assert refused(state, "ITALY", "propose draw") == "no_voice"
    assert "eliminated" in codes(facts)


@pytest.mark.rule("D-ADJ-15")
def test_elimination_by_removing_the_last_unit():
    owned = {"FRANCE": "par", "GERMANY": "mun ber rom"}
    where = {"FRANCE": "A par", "ITALY": "A pie", "GERMANY": "A mun"}
    state, facts = play(board(begin(), where, owned, season="fall"))
    assert state.stage == "adjustment"
    assert "eliminated" not in codes(facts)
    state, facts = play(state)
    assert "eliminated" in codes(facts)
