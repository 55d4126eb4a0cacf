"""`powderkeg odds`: the exact chances of a Risk Europe battle."""

import json
from typing import Annotated, Any, Final, Literal

import typer
from rich.table import Table as Grid

from powderkeg.cli.say import Lang, console, t, use_language
from powderkeg.core.errors import Unreadable
from powderkeg.games.risk_europe import words
from powderkeg.games.risk_europe.board import UNITS, Units, total_units
from powderkeg.games.risk_europe.odds import battle_odds
from powderkeg.games.risk_europe.odds.army_text import parse_army
from powderkeg.games.risk_europe.odds.battle_odds import CHEAPEST, Odds

MOST_ENDS: Final = 12  # lines of the table of results
_ROUNDING: Final = 1e-12  # a chance below this is zero, reckoned in floating point


def print_odds(
    attacker: Annotated[str, typer.Argument(help="Such as '4 footmen, 2 archers' or '4f 2a'.")],
    defender: Annotated[str, typer.Argument(help="The same for the defender.")],
    *,
    castle: Annotated[bool, typer.Option("--castle", help="The defender has a castle.")] = False,
    reroll: Annotated[
        Literal["best", "eager"], typer.Option(help="How the castle's defence is used.")
    ] = "best",
    attacker_losses: Annotated[
        str, typer.Option(help="The order in which kinds are lost, such as facs.")
    ] = CHEAPEST,
    defender_losses: Annotated[str, typer.Option(help="The same for the defender.")] = CHEAPEST,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    lang: Lang = None,
) -> None:
    """The exact odds of a Risk Europe battle: who wins, and with how many units left."""
    use_language(lang)
    armies = parse_army(attacker), parse_army(defender)
    found = battle_odds.exact_odds(
        *armies,
        castle=reroll if castle else "none",
        attacker_losses=_loss_order(attacker_losses),
        defender_losses=_loss_order(defender_losses),
    )
    if as_json:
        print(json.dumps(_odds_json(*armies, found)))
    else:
        _print_chances(*armies, found, castle=castle)


def _loss_order(letters: str) -> str:
    if sorted(letters.lower()) != sorted(CHEAPEST):
        raise Unreadable("odds.no_order", text=letters)
    return letters.lower()


def _odds_json(attacker: Units, defender: Units, found: Odds) -> dict[str, Any]:
    def unit_counts(units: Units) -> dict[str, int]:
        return dict(zip(UNITS, units, strict=True))

    return {
        "attacker": unit_counts(attacker),
        "defender": unit_counts(defender),
        "attacker_wins": found.attacker,
        "defender_wins": found.defender,
        "both_destroyed": found.both_destroyed,
        "attackers_left": found.attackers_left,
        "defenders_left": found.defenders_left,
        "outcomes": [
            {"attacker": unit_counts(a), "defender": unit_counts(d), "chance": p}
            for a, d, p in found.outcomes
        ],
    }


def _print_chances(attacker: Units, defender: Units, found: Odds, *, castle: bool) -> None:
    code = "odds.battle_castle" if castle else "odds.battle"
    console.print(t(code, attacker=words.unit_list(attacker), defender=words.unit_list(defender)))
    chances = Grid(box=None, pad_edge=False, show_header=False)
    chances.add_column()
    chances.add_column(justify="right")
    chances.add_column()
    for label, chance, left in (
        ("attacker", found.attacker, found.attackers_left),
        ("defender", found.defender, found.defenders_left),
        ("both", found.both_destroyed, None),
    ):
        tail = "" if left is None else t("odds.left", left=_local_number(f"{left:.1f}"))
        chances.add_row(t(f"odds.{label}"), _chance_text(chance), tail)
    console.print(chances)
    console.print(_likely_ends(found))


def _chance_text(chance: float) -> str:
    """A chance in per cent; only what is certain or impossible is called so."""
    if _ROUNDING < chance < 0.0005:
        return _local_number("<0.1%")
    return _local_number(">99.9%" if 0.9995 <= chance < 1 - _ROUNDING else f"{chance:.1%}")


def _local_number(number: str) -> str:
    """A number with the decimal point of the reader's language."""
    return number.replace(".", t("odds.point"))


def _likely_ends(found: Odds) -> Grid:
    """The most likely ends, the likeliest first."""
    grid = Grid(box=None, pad_edge=False)
    grid.add_column(t("odds.chance"), justify="right")
    grid.add_column(t("odds.end"))
    likely = sorted(found.outcomes, key=lambda outcome: -outcome.chance)
    for outcome in likely[:MOST_ENDS]:
        grid.add_row(_chance_text(outcome.chance), _end_text(outcome.attacker, outcome.defender))
    if others := sum(outcome.chance for outcome in likely[MOST_ENDS:]):
        grid.add_row(_chance_text(others), t("odds.others"))
    return grid


def _end_text(attacker: Units, defender: Units) -> str:
    if total_units(attacker):
        return t("odds.attacker_keeps", units=words.unit_list(attacker))
    if total_units(defender):
        return t("odds.defender_keeps", units=words.unit_list(defender))
    return t("odds.both")
