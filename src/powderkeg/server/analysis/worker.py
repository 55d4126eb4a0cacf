"""Inside the analysis process: positions from their views, finished games from their files.

It knows nothing of tables and people; `analysis.process` is the other side.
"""

import time
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from powderkeg.bots import analysis
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.process.child import serve_requests
from powderkeg.core import record
from powderkeg.core.game import Game, State, View, import_game
from powderkeg.server import message_json
from powderkeg.server.tables.labels import action_labels

THINK_SECONDS = 2.0  # seconds for an evaluation, and again for advice
REVIEW_SECONDS = 4.0  # seconds of judging in one request; the client asks for the rest
MOST_MOVES = 40  # actions of one turn
SHOWN_LINES = 4  # lines shown of all that a bot compared


def answer_request(request: dict[str, Any]) -> dict[str, Any]:
    """The requested analysis, or its error."""
    try:
        return ANALYSIS_KINDS[request["kind"]](request)
    except Exception as error:  # noqa: BLE001  # nothing that goes wrong ends the process
        return {"error": repr(error)[:500]}


def analyse_moment(request: dict[str, Any]) -> dict[str, Any]:
    game, view = import_game(request["game"]), request["view"]
    found: dict[str, Any] = {"shares": {}, "moves": [], "reason": [], "lines": [], "cut": False}
    found["shares"] = analysis.evaluate_view(game, view, budget=Budget(60, THINK_SECONDS))
    if request["asked"]:
        found |= _advise_turn(game, view, request["level"])
    return found


def _advise_turn(game: Game, view: View, level: str) -> dict[str, Any]:
    """All actions of a bot in this turn.

    The reason is that of the first action; the lines are those of the first action with
    alternatives. `cut`: time ran out before the turn was complete.
    """
    end = time.monotonic() + 2 * THINK_SECONDS
    found: dict[str, Any] = {"moves": []}
    for state, thought in analysis.advise_turn(game, view, level=level):
        text = str(thought.action)
        found["moves"].append({"text": text, "said": _dump_labels(game, state, thought.seat, text)})
        if "reason" not in found:
            found["reason"] = message_json.dump_message([thought.reason])
        if not found.get("lines"):
            found["lines"] = _advice_lines(game, state, thought)
        if len(found["moves"]) >= MOST_MOVES or time.monotonic() > end:
            after = game.apply(state, thought.seat, thought.action)
            more = thought.seat in game.to_act(after.state) and not after.barrier
            return found | {"cut": more}
    return found


def _advice_lines(game: Game, state: State, thought: analysis.Advice) -> list[dict[str, Any]]:
    return [
        {
            "text": str(line.action),
            "said": _dump_labels(game, state, thought.seat, str(line.action)),
            "shares": line.shares,
            "visits": line.visits,
            "then": [[seat, str(action)] for seat, action in line.then],
        }
        for line in thought.lines[:SHOWN_LINES]
    ]


def _dump_labels(game: Game, state: State, seat: str, text: str) -> Any:
    return message_json.dump_message(action_labels(game.ask(state, seat), text))


def analyse_game(request: dict[str, Any]) -> dict[str, Any]:
    """Judge decisions from `since` on until the time is over."""
    game = import_game(request["game"])
    rec = record.read_record(request["file"])
    seats = tuple(request["seats"]) if request["seats"] else None
    end, reached, found = time.monotonic() + REVIEW_SECONDS, None, []
    for position, state, blunder in analysis.judge_decisions(
        rec,
        game,
        seats=seats,
        level=request["level"],
        least=least_loss(rec.header.players),
        since=request["since"],
    ):
        if blunder is not None:
            found.append(_dump_blunder(game, state, blunder))
        if time.monotonic() > end:
            reached = position + 1
            break
    return {"found": found, "next": reached, "all": len(rec.entries)}


def least_loss(players: int) -> float:
    """What a mistake costs at least: a tenth of an equal share, so that among seven players a turn
    without orders counts."""
    return min(0.05, 0.1 / players)


def _dump_blunder(game: Game, state: State, blunder: analysis.Blunder) -> dict[str, Any]:
    return {
        "seq": blunder.position,
        "seat": blunder.seat,
        "did": [_dump_labels(game, state, blunder.seat, str(action)) for action in blunder.did],
        "better": [
            _dump_labels(game, state, blunder.seat, str(action)) for action in blunder.better
        ],
        "loss": round(blunder.loss, 4),
        "orders": [str(action) for action in blunder.better],
        "then": list(_punishing_answers(blunder)),
        "empty": blunder.empty,
    }


def _punishing_answers(blunder: analysis.Blunder) -> Iterator[list[Any]]:
    """The seat, the text and the words of each answer."""
    for (seat, action), asked in zip_longest(blunder.then, blunder.asked):
        labels = action_labels(asked, str(action))
        yield [seat, str(action), message_json.dump_message(labels)]


ANALYSIS_KINDS = {"advice": analyse_moment, "review": analyse_game}

if __name__ == "__main__":
    serve_requests(answer_request)
