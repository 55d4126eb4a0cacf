"""Each of the 46 events, both halves: what is asked and what changes, from one position."""

import tomllib
from pathlib import Path

import pytest

from powderkeg.core.chance import CHANCE
from powderkeg.games.versailles.board import NATIONS, REGIONS
from powderkeg.games.versailles.cards.reader import default_pack
from powderkeg.games.versailles.steps import Bidding, ChooseToAdvance, Turn
from tests.games.versailles.scene import conference, crisis, lay, opening

CASES = tomllib.loads((Path(__file__).parent / "cases" / "events.toml").read_text(encoding="utf-8"))


def position():
    """Three players, the UK active and settling Syria, which France won."""
    play = opening(3)
    held = {
        "syria": ("france", "uk_mandate"),
        "prussia": ("uk", "to_poland"),
        "negotiations_with_russia": ("uk", "do_not_offer"),
        "banat": ("usa", "to_romania"),
        "indemnity": ("usa", "yes"),
        "disarmament": ("france", "limited"),
    }
    lay(play, held=held, settled="syria", controller=1, gained=(2,))
    lay(
        play,
        units={
            "uk": ("africa 8", "available", "exhausted"),
            "france": ("pacific 6", "middle_east 8", "available"),
        },
        unrest={"europe": 6, "balkans": 4, "middle_east": 5, "pacific": 3, "africa": 4},
        kegs={"pacific": 1, "europe": 2},
        used={"uk": 6, "france": 2, "usa": 9},
        happiness={"uk": 18, "france": 16, "usa": 14},
        cubes={"ethiopia": {"usa": 2, "uk": 1}},
    )
    return play


def all_facts(state):
    """All that an event can change, by name."""
    found = {}
    for n, nation in enumerate(NATIONS[:3]):
        found[f"happiness.{nation}"] = state.happiness[n]
        found[f"available.{nation}"] = state.available[n]
        found[f"exhausted.{nation}"] = state.exhausted[n]
        found[f"ready.{nation}"] = state.ready[n]
        found[f"spent.{nation}"] = state.spent[n]
        found[f"deployed.{nation}"] = state.posts.count(n)
    for r, region in enumerate(REGIONS):
        found[f"unrest.{region}"] = state.unrest[r]
        found[f"keg.{region}"] = state.kegs[r]
    found["bid_for"] = state.limbo
    found["cubes.ethiopia"] = sum(state.cubes["ethiopia"])
    return found


def differences(before, after):
    old, new = all_facts(before), all_facts(after)
    return {key: new[key] for key in new if new[key] != old[key]}


def begin(event, half):
    play = position()
    return play, (crisis if half == "crisis" else conference)


def ends(play):
    """Whether the event is over, or has come to a bid."""
    return isinstance(play.pending, Turn | ChooseToAdvance | Bidding)


@pytest.mark.rule("V-EVENT-01")
@pytest.mark.parametrize(
    "case", CASES["case"], ids=lambda case: f"{case['event']}-{case['half']}-{len(case['do'])}"
)
def test_event(case):
    play, start = begin(case["event"], case["half"])
    before = play.state
    start(play, case["event"])(*case["do"])
    assert ends(play)
    changes = differences(before, play.state)
    assert changes == case["changes"]


def test_every_half_has_a_case():
    cases = {(case["event"], case["half"]) for case in CASES["case"]}
    assert cases == {(e, half) for e in default_pack().events for half in ("crisis", "conference")}


def play_half(event, half, variant):
    """Play with the first (0) or the last (1) answer and die; for writing cases again."""
    play, start = begin(event, half)
    before = play.state
    start(play, event)
    answers = []
    while not ends(play):
        if play.decider == CHANCE:
            line = f"chance roll {(2, 6)[variant]}"
        else:
            line = f"{play.decider} " + play.legal(play.decider)[(0, -1)[variant]]
        answers.append(line)
        play(line)
    if variant and not answers:
        return None
    return answers, differences(before, play.state), None
