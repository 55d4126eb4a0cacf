"""Games without the richer parts of the contract."""

from powderkeg.core.game import equal_shares, no_scenes, no_score, no_standing, quiet_fact


def test_a_game_may_do_without_standing_scenes_and_score():
    assert (no_standing(None), no_scenes({}, ()), no_score({})) == ({}, (), ())


def test_a_quiet_fact_notes_what_a_seat_did():
    fact = quiet_fact("sparks.scores", "S-01")
    assert fact.quiet
    assert fact.seen_by("red")


def test_those_who_share_a_game_share_it_equally():
    assert equal_shares(None, ("red", "blue")) == {"red": 0.5, "blue": 0.5}
