"""The process that studies: positions by their views, finished games by their files.

It knows nothing of tables and people; `requests.Scholar` is the other side.
"""

import time
from typing import Any

from powderkeg.bots import analysis
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.process.child import serve_requests
from powderkeg.bots.process.reference import import_game
from powderkeg.core import record
from powderkeg.core.game import Game, State, View
from powderkeg.server.tables import message_json
from powderkeg.server.tables.action_labels import labels

THINK = 2.0  # seconds for an evaluation, and again for advice
REVIEW = 4.0  # seconds of judging in one request; the client asks for the rest
MOVES = 40  # orders of one turn
LINES = 4  # that were weighed and are told


def answer_request(request: dict[str, Any]) -> dict[str, Any]:
    """The study that was asked for, or the error that came of it."""
    try:
        return KINDS[request["kind"]](request)
    except Exception as error:  # noqa: BLE001  # nothing that goes wrong ends the process
        return {"error": repr(error)[:500]}


def study_moment(request: dict[str, Any]) -> dict[str, Any]:
    game, view = import_game(request["game"]), request["view"]
    found: dict[str, Any] = {"shares": {}, "moves": [], "reason": [], "lines": [], "cut": False}
    found["shares"] = analysis.evaluate(game, view, budget=Budget(60, THINK))
    if request["asked"]:
        found |= _turn(game, view, request["level"])
    return found


def _turn(game: Game, view: View, level: str) -> dict[str, Any]:
    """All that a bot would do with this turn. The first thought explains itself; lines are of the
    first that weighed any. `cut`: the time was over before the turn was."""
    end = time.monotonic() + 2 * THINK
    found: dict[str, Any] = {"moves": []}
    for state, thought in analysis.advise_turn(game, view, level=level):
        text = str(thought.action)
        found["moves"].append({"text": text, "said": _labels(game, state, thought.seat, text)})
        if "reason" not in found:
            found["reason"] = message_json.dump([thought.reason])
        if not found.get("lines"):
            found["lines"] = _lines(game, state, thought)
        if len(found["moves"]) >= MOVES or time.monotonic() > end:
            after = game.apply(state, thought.seat, thought.action)
            more = thought.seat in game.to_act(after.state) and not after.barrier
            return found | {"cut": more}
    return found


def _lines(game: Game, state: State, thought: analysis.Advice) -> list[dict[str, Any]]:
    return [
        {
            "text": str(line.action),
            "said": _labels(game, state, thought.seat, str(line.action)),
            "shares": line.shares,
            "visits": line.visits,
            "then": [[seat, str(action)] for seat, action in line.then],
        }
        for line in thought.lines[:LINES]
    ]


def _labels(game: Game, state: State, seat: str, text: str) -> Any:
    return message_json.dump(labels(game.ask(state, seat), text))


def study_game(request: dict[str, Any]) -> dict[str, Any]:
    """Judge decisions from `since` on until the time is over."""
    game = import_game(request["game"])
    rec = record.read_record(request["file"])
    seats = tuple(request["seats"]) if request["seats"] else None
    end, reached, found = time.monotonic() + REVIEW, None, []
    for position, state, blunder in analysis.judged(
        rec, game, seats=seats, level=request["level"], since=request["since"]
    ):
        if blunder is not None:
            found.append(_told(game, state, blunder))
        if time.monotonic() > end:
            reached = position + 1
            break
    return {"found": found, "next": reached, "all": len(rec.entries)}


def _told(game: Game, state: State, blunder: analysis.Blunder) -> dict[str, Any]:
    return {
        "seq": blunder.position,
        "seat": blunder.seat,
        "did": [_labels(game, state, blunder.seat, str(action)) for action in blunder.did],
        "better": [_labels(game, state, blunder.seat, str(action)) for action in blunder.better],
        "loss": round(blunder.loss, 4),
    }


KINDS = {"advice": study_moment, "review": study_game}

if __name__ == "__main__":
    serve_requests(answer_request)
