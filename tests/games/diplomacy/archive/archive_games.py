"""Short games, written for these tests, and the ways in which archives keep them."""

import copy

import powderkeg.games.diplomacy as game
from powderkeg.core.table import Table
from powderkeg.games.diplomacy.archive.saved_game import export_game
from powderkeg.games.diplomacy.board import POWERS
from powderkeg.games.diplomacy.state import Options

# Italy takes Trieste; the fleet there has no refuge: sea and coasts around it are occupied.
STUCK = [
    "A ven - tyr; A rom - ven; F nap - ion; A bud - ser",
    "A tyr - tri; A ven S A tyr - tri; F ion - adr; A ser - alb",
    "A rom B",
]
# A Turkish and an Austrian army change places if one of them goes by sea.
SWAP = [
    "A bud - ser; F ank - bla",
    "A ser - bul",
    "",
    "A con - bul; A bul - con; F bla C A con - bul",
]
# Austria takes Serbia and Greece, and builds.
GROWTH = ["A bud - ser; F tri - alb", "A ser H; F alb - gre", "A bud B; F tri B"]


def played(moves, options=None):
    """A table on which the orders of each phase were given, and all were ready."""
    table = Table(game, 7, options or Options())
    for orders in moves:
        for order in filter(None, orders.split("; ")):
            seat = next(
                p for p in POWERS if p in table.to_act and game.parse(order) in table.legal(p)
            )
            table.act(seat, order)
        for power in sorted(table.to_act):
            table.act(power, "ready")
    return table


def saved(moves, options=None):
    return export_game(played(moves, options), "made")


def as_dipcc(data):
    """The same game as dipcc keeps it: no results, no rules, no orders in the open phase, and
    powers without centres left out."""
    data = copy.deepcopy(data)
    del data["rules"]
    for phase in data["phases"]:
        phase["results"], phase["logs"] = {}, []
        state = phase["state"]
        state["centers"] = {power: held for power, held in state["centers"].items() if held}
        for field in ("timestamp", "zobrist_hash", "note", "influence", "civil_disorder", "rules"):
            del state[field]
    data["phases"][-1]["orders"] = {}
    return data


def named(data, name):
    return next(phase for phase in data["phases"] if phase["name"] == name)


def inserted(data, before, name, **state):
    """The game with one more phase, in which nobody decides anything."""
    data = copy.deepcopy(data)
    at = [phase["name"] for phase in data["phases"]].index(before)
    extra = copy.deepcopy(data["phases"][at])
    extra |= {"name": name, "orders": {}, "results": {}, "messages": []}
    extra["state"] |= {"name": name, **state}
    data["phases"].insert(at, extra)
    return data
