"""Settlements, uprisings and auctions step by step, and the score pad."""

import random

import powderkeg.games.versailles as game
from powderkeg.core.chance import Audited
from powderkeg.core.reports.scenes import Scene
from powderkeg.core.table import Table
from powderkeg.core.words import LANGS, say


def random_game(players: int, actions: int, seed: int = 1) -> Table:
    table = Table(game, players, source=Audited(bytes([seed]) * 32))
    rng = random.Random(seed)
    for _ in range(actions):
        if not table.to_act:
            break
        seat = min(table.to_act)
        table.act(seat, table.legal(seat).sample(rng))
    return table


def report_of(table: Table):
    return game.scenes(table.view(None), [fact for entry in table.facts for fact in entry])


def every_scene(players: int = 3, actions: int = 400):
    """All scenes that were ever shown in a game played at random."""
    table = Table(game, players, source=Audited(b"\x02" * 32))
    rng = random.Random(2)
    found: dict[tuple[str, str], Scene] = {}
    for _ in range(actions):
        if not table.to_act:
            break
        seat = min(table.to_act)
        table.act(seat, table.legal(seat).sample(rng))
        found |= {(scene.kind, scene.about): scene for scene in report_of(table)}
    return found


def test_scenes_tell_the_die_the_bids_and_every_step():
    found = every_scene()
    assert {kind for kind, _ in found} == {"settlement", "uprising", "auction"}
    uprisings = [scene for scene in found.values() if scene.kind == "uprising"]
    rolled = [beat.sides[0] for scene in uprisings for beat in scene.beats if beat.sides]
    assert all(len(side.dice) == 1 for side in rolled)
    assert all("needed" in say(side.note) for side in rolled)
    bids = [
        beat.sides[0]
        for scene in found.values()
        if scene.kind == "auction"
        for beat in scene.beats
        if beat.sides
    ]
    assert bids
    assert all(say(side.note).startswith("strength") for side in bids)
    settled = next(s for s in found.values() if s.kind == "settlement" and len(s.beats) > 4)
    assert str(settled.beats[0].text).endswith(".")
    assert "settles" in str(settled.beats[0].text)
    for scene in found.values():
        for lang in LANGS:
            assert "{" not in say(scene.title, lang)


def test_a_scene_is_over_when_its_turn_is():
    table = random_game(3, 120)
    scenes = report_of(table)
    assert scenes
    assert all(scene.over for scene in scenes[:-2])


def test_the_score_pad_adds_up():
    table = random_game(4, 300)
    lines = game.score(table.view(None))
    total = next(line for line in lines if line.total)
    parts = [line for line in lines if not line.total]
    for seat in table.seats:
        assert sum(line.points.get(seat, 0) for line in parts) == total.points[seat]
        assert (
            total.points[seat]
            == table.view(None)["nations"][table.view(None)["players"][seat]]["score"]["total"]
        )
    happiness = next(line for line in lines if line.label.code.endswith("happiness"))
    assert happiness.open


def test_nothing_is_scored_before_the_first_turn():
    assert game.score(Table(game, 4, source=Audited(b"1" * 32)).view(None)) == ()


def test_solitaire_counts_against_its_target():
    table = random_game(1, 80)
    points, missing = game.score(table.view(None))
    assert points.points.keys() == {"P1"}
    assert missing.points["P1"] >= 0
