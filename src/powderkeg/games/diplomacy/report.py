"""The score pad beside the map."""

from powderkeg.core.game import View
from powderkeg.core.game import no_scenes as scenes
from powderkeg.core.reports.score_pad import ScoreLine
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.board import HOMES
from powderkeg.games.diplomacy.rules.victory import centre_place, centre_points, winner_points
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
        *_point_lines(view),
    )


def _point_lines(view: View) -> tuple[ScoreLine, ...]:
    """The points of the scoring system that was chosen; until the end, those of a game that stops here."""
    scoring, ending = view["options"]["scoring"], view["ending"]
    if scoring == "shared":
        return ()
    places = {seat: _seat_place(view, seat) for seat in view["seats"]}
    won = ending is not None and ending["how"] in ("victory", "concession")
    points = (
        winner_points(scoring, places, ending["seats"][0])
        if won
        else centre_points(scoring, places)
    )
    label = Msg(f"diplomacy.score.{scoring}")
    return (ScoreLine(label, points, {}, "D-WIN-04", open=ending is None, total=True),)


def _seat_place(view: View, seat: str) -> tuple[int, int]:
    """The centres of a seat, and the last year in which it had some if it has none."""
    centres, powers = len(_seat_centres(view, seat)), view["seats"][seat]["powers"]
    held = [c["year"] for c in view["history"] if any(c["centres"][p] for p in powers)]
    return centre_place(centres, held)


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
