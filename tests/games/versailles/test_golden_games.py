"""The playbook's two example games, move by move, with every number that it prints."""

import tomllib
from pathlib import Path

import pytest

import powderkeg.games.versailles as game
from powderkeg.games.versailles.board import NATIONS, REGIONS
from powderkeg.games.versailles.score import score
from powderkeg.games.versailles.solo import potential, strength
from powderkeg.games.versailles.state import Draft, Options, stars
from tests.games.versailles.scene import Play

CASES = Path(game.__file__).parent / "data" / "examples"
# The card asks for 3 cubes, the example pays 1 (round 8).
DU_BOIS = '{"events.du_bois.conference":[{"do":"pay","n":1},{"do":"happiness","n":2}]}'


def load(name):
    return tomllib.loads((CASES / name).read_text(encoding="utf-8"))["step"]


def fix(play, changes):
    """Change the position where the playbook contradicts itself."""
    d = Draft(play.state)
    for name, value in changes.items():
        if name == "clear":
            d.cubes = {**d.cubes, value: (0, 0, 0, 0)}
        else:
            old = getattr(d, name)
            setattr(d, name, tuple(value) if isinstance(old, tuple) else value)
    play.state = d.freeze()
    assert game.broken(play.state) == []


def found(play, facts, key):
    """What the position says under a key of a case."""
    kind, *args = key.split(".")
    match kind, args:
        case "happiness", [nation]:
            return play.happy(nation)
        case "unrest", [region]:
            return play.column(region)
        case "keg", [region]:
            return play.keg(region)
        case "available", [nation]:
            return play.free(nation)
        case "cubes", [nation, issue]:
            return play.on(issue).get(nation, 0)
        case "cubes", [issue]:
            return sum(play.on(issue).values())
        case "stars", [nation]:
            return stars(play.state, NATIONS.index(nation))
        case "strength", [nation]:
            return strength(play.state, NATIONS.index(nation))
        case "potential", [nation, issue]:
            return potential(play.state, issue, NATIONS.index(nation))
        case "score", [nation]:
            lines = score(play.state, NATIONS.index(nation))
            return [lines.issues, lines.flags, *lines.conditions, lines.happiness, lines.total]
        case "points", []:
            return play.state.points
        case "faction", []:
            return NATIONS[play.state.human]
        case "lost", [nation]:
            return args_of(facts, "released", "nation", nation)["lost"]
        case "wanted", [region]:
            return args_of(facts, "rises", "region", region)["wanted"]
    raise KeyError(key)


def args_of(facts, code, noun, name):
    """The arguments of the fact about this nation or region."""
    for fact in facts:
        args = fact.msg.args
        if fact.msg.code == f"versailles.{code}" and args[noun].code.endswith(f".{name}"):
            return args
    raise KeyError(f"{code} {name}")


def replay(play, steps):
    for number, step in enumerate(steps):
        if "before" in step:
            fix(play, step["before"])
        told = len(play.facts)
        play(*step["do"])
        if "after" in step:
            fix(play, step["after"])
        for key, value in step.get("expect", {}).items():
            where = f"step {number}, {step['says']}: {key}"
            assert found(play, play.facts[told:], key) == value, where


@pytest.fixture(scope="module")
def four():
    options = Options(pack=DU_BOIS)
    play = Play(game.start(game.seats(4, options), options))
    replay(play, load("four_players.toml"))
    return play


@pytest.mark.rule("V-SCORE-13", "V-SCORE-03", "V-END-03", "V-SCORE-08")
def test_the_four_player_example_scores_as_printed(four):
    lines = {NATIONS[n]: score(four.state, n) for n in four.state.order}
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
    chosen = [args["nation"].code.rpartition(".")[2] for args in four.told("strategy")]
    assert chosen == ["usa", "italy", "france", "uk"]


@pytest.mark.rule("V-NEG-02")
def test_the_deal_of_round_two_was_kept(four):
    assert [args["deal"] for args in four.told("deal_kept")] == [1]


@pytest.mark.rule("V-SOLO-08", "V-SOLO-33", "V-SOLO-07")
def test_the_solitaire_example():
    options = Options(solo_order="chosen")
    play = Play(game.start(game.seats(1, options), options))
    replay(play, solo_lines(load("solitaire.toml")))
    assert [args["points"] for args in play.told("point")] == [1, 2, 3]


def solo_lines(steps):
    """In solitaire every line that is not chance's is the human's."""
    return [
        {**step, "do": [line if line.startswith("chance") else f"P1 {line}" for line in step["do"]]}
        for step in steps
    ]


@pytest.mark.rule("V-SOLO-06")
def test_potential_values_of_the_rulebook():
    play = Play(game.start(game.seats(1, Options()), Options()))
    values = {
        n: potential(play.state, "rheinland", NATIONS.index(n)) for n in ("usa", "france", "uk")
    }
    assert values == {"usa": 7, "france": 7, "uk": 6}
    assert potential(play.state, "rush_to_the_finish", 0) == 7
