"""Games without the richer parts of the contract."""

from powderkeg.core.game import no_scenes, no_score, no_standing, quiet_fact


def test_a_game_may_do_without_standing_scenes_and_score():
    assert (no_standing(None), no_scenes({}, ()), no_score({})) == ({}, (), ())


def test_a_quiet_fact_notes_what_a_seat_did():
    fact = quiet_fact("sparks.scores", "S-01")
    assert fact.quiet
    assert fact.seen_by("red")
