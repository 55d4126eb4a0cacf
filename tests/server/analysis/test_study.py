"""What a study remembers, and what it calls the players."""

import pytest

from powderkeg.games import versailles
from powderkeg.server.analysis import process
from powderkeg.server.analysis.reviewed import Review, ReviewedParts
from powderkeg.server.settings import Settings
from tests.server.visiting import play_out, running

REVIEW = Review("t1", None, "hard")


def part(*found: int, go_on: int | None) -> dict[str, object]:
    return {"found": list(found), "next": go_on, "all": 9}


def test_the_known_parts_of_a_review_are_read_as_one():
    known = ReviewedParts()
    assert known.read(REVIEW, 0) is None
    known.keep(REVIEW, 0, part(1, go_on=4))
    known.keep(REVIEW, 4, part(5, 6, go_on=7))
    assert known.read(REVIEW, 0) == part(1, 5, 6, go_on=7)
    assert known.read(REVIEW, 4) == part(5, 6, go_on=7)
    assert known.read(REVIEW, 7) is None
    known.keep(REVIEW, 7, part(go_on=None))
    assert known.read(REVIEW, 0) == part(1, 5, 6, go_on=None)
    assert known.read(REVIEW._replace(seat="red"), 0) is None


def test_the_parts_that_nobody_reads_are_forgotten_first():
    known = ReviewedParts(most=75)  # characters
    known.keep(REVIEW, 0, part(1, go_on=4))
    known.keep(REVIEW, 4, part(5, go_on=None))
    known.read(REVIEW, 0)
    known.keep(REVIEW._replace(table="t2"), 0, part(go_on=None))
    assert known.read(REVIEW, 0) is None
    assert known.read(REVIEW, 4) == part(5, go_on=None)


def test_one_large_part_is_kept_and_leaves_nothing_else():
    known, large = ReviewedParts(most=100), part(*range(100), go_on=None)
    known.keep(REVIEW, 4, part(5, go_on=None))
    known.keep(REVIEW, 0, large)
    known.keep(REVIEW, 0, large)
    assert known.read(REVIEW, 0) == large
    assert known.read(REVIEW, 4) is None


@pytest.mark.slow
def test_a_review_that_was_left_comes_back_without_another_analysis(tmp_path, monkeypatch):
    with running(Settings(data=str(tmp_path), limits=False)) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben", "es")
        table = site.table(ann, ben)
        play_out(site, table, [ann, ben])
        found, since = [], 0
        while since is not None:
            one = ann.post(f"/tables/{table}/review", {"since": since, "level": "easy"})
            found, since = found + one["found"], one["next"]
        monkeypatch.setattr(process, "WAITING_REQUESTS", 0)  # there is no other
        again = ben.post(f"/tables/{table}/review", {"level": "easy"})
        assert again["next"] is None
        assert [each["seq"] for each in again["found"]] == [each["seq"] for each in found]
        assert ben.post(f"/tables/{table}/review", {}, 503)["code"] == "server.study_busy"


@pytest.mark.slow
def test_the_coach_calls_players_by_their_nations(tmp_path):
    settings = Settings(data=str(tmp_path), limits=False)
    with running(settings, games={"versailles": versailles}) as site:
        ann = site.guest("Ann", "it")
        seats = [{"seat": "P1", "kind": "me"}, {"seat": "P2", "kind": "here"}]
        wish = {"game": "versailles", "players": 2, "seats": seats, "start": True}
        table = ann.post("/tables", wish)["id"]
        asked = {"level": "easy"}
        shares = ann.post(f"/tables/{table}/advice", {**asked, "seat": "P1"})["shares"]
        assert {each["label"] for each in shares} == {"Giocatore 1", "Giocatore 2"}
        (seat,) = ann.get(f"/tables/{table}")["to_act"]  # the other gets the nation that is left
        question = ann.get(f"/tables/{table}?seat={seat}")["question"]["id"]
        ann.act(table, "nation uk", question, seat=seat)
        shares = ann.post(f"/tables/{table}/advice", {**asked, "seat": "P1"})["shares"]
        assert {each["label"] for each in shares} == {"Regno Unito", "Francia"}
