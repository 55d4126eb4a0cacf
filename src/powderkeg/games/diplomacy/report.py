"""The score pad beside the map."""

from powderkeg.core.game import View
from powderkeg.core.game import no_scenes as scenes
from powderkeg.core.reports.score_pad import ScoreLine
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.board import HOMES
from powderkeg.games.diplomacy.words import place_name

__all__ = ["scenes", "score"]


def score(view: View) -> tuple[ScoreLine, ...]:
    """Supply centres at home and abroad, units, and what is missing to win (D-WIN-01)."""
    owned = {seat: _seat_centres(view, seat) for seat in view["seats"]}
    home = {seat: _home_centres(view, seat) for seat in view["seats"]}
    total = {seat: float(len(codes)) for seat, codes in owned.items()}
    needed = {seat: max(0.0, view["target"] - held) for seat, held in total.items()}
    return (
        _centre_line("home", {seat: [c for c in owned[seat] if c in home[seat]] for seat in owned}),
        _centre_line("won", {s: [c for c in owned[s] if c not in home[s]] for s in owned}),
        ScoreLine(Msg("diplomacy.score.total"), total, {}, "D-WIN-01", total=True),
        ScoreLine(Msg("diplomacy.score.units"), _unit_counts(view)),
        ScoreLine(
            Msg("diplomacy.score.needed", n=view["target"]), needed, {}, "D-WIN-01", open=True
        ),
    )


def _centre_line(code: str, centres: dict[str, list[str]]) -> ScoreLine:
    return ScoreLine(
        Msg(f"diplomacy.score.{code}"),
        {seat: float(len(codes)) for seat, codes in centres.items()},
        {
            seat: Msg("diplomacy.score.of", names=[place_name(code) for code in codes])
            for seat, codes in centres.items()
            if codes
        },
    )


def _seat_centres(view: View, seat: str) -> list[str]:
    powers = view["seats"][seat]["powers"]
    return [code for power in powers for code in view["centres"][power]]


def _home_centres(view: View, seat: str) -> set[str]:
    return {code for power in view["seats"][seat]["powers"] for code in HOMES[power]}


def _unit_counts(view: View) -> dict[str, float]:
    """The units on the map, as many as a winter would let stand or not."""
    powers = {seat: view["seats"][seat]["powers"] for seat in view["seats"]}
    return {
        seat: float(sum(len(view["units"].get(power, ())) for power in names))
        for seat, names in powers.items()
    }
