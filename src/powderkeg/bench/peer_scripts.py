"""The scripts that run in the Python of a peer: each prints one line of JSON.

They know nothing of Powderkeg: play is random, from the peer's own lists of legal orders.
"""

from typing import Final

_COMMON: Final = """
import json, random, sys
from importlib.metadata import version
from time import process_time
ask = json.load(sys.stdin)
def rates(run):
    run()
    found = []
    for _ in range(ask["repeats"]):
        begin, done = process_time(), 0
        while process_time() - begin < ask["seconds"]:
            done += run()
        found.append(done / (process_time() - begin))
    return found
"""

_DIPLOMACY: Final = (
    _COMMON
    + """
from diplomacy import Game
rng = random.Random(ask["seed"])

def orders_of(game):
    possible = game.get_all_possible_orders()
    return {p: [rng.choice(possible[at]) for at in game.get_orderable_locations(p) if possible[at]]
            for p in game.powers}

def midgame(count):
    found = []
    while len(found) < count:
        game = Game()
        while not game.is_game_done and int(game.get_current_phase()[1:5] or 0) <= 1906:
            orders = orders_of(game)
            units = {p: game.get_units(p) for p in game.powers}
            if game.phase_type == "M" and sum(map(len, units.values())) >= 28:
                found.append((units, orders))
            for power, given in orders.items():
                game.set_orders(power, given)
            game.process()
    return found[:count]

phases = midgame(60)

def fresh(units):
    game = Game()
    game.clear_units()
    for power, found in units.items():
        game.set_units(power, [u for u in found if u[0] != "*"], reset=True)
    return game

def judge():  # the time of a fresh game is not counted
    spent = 0.0
    games = [fresh(units) for units, _ in phases]
    begin = process_time()
    for game, (_, orders) in zip(games, phases):
        for power, given in orders.items():
            game.set_orders(power, given)
        game.process()
    return len(phases) / (process_time() - begin)

def list_orders():
    games = [fresh(units) for units, _ in phases[:20]]
    begin = process_time()
    for game in games:
        game.get_all_possible_orders()
    return len(games) / (process_time() - begin)

def loop():
    game, phases = Game(), 0
    while not game.is_game_done and int(game.get_current_phase()[1:5] or 0) <= 1905:
        for power, given in orders_of(game).items():
            game.set_orders(power, given)
        game.process()
        phases += 1
    return phases

def play():
    game = Game()
    while not game.is_game_done and int(game.get_current_phase()[1:5] or 0) <= 1910:
        for power, given in orders_of(game).items():
            game.set_orders(power, given)
        game.process()
    return 1

n = ask["repeats"]
print(json.dumps({"version": version("diplomacy"), "adjudicate": [judge() for _ in range(n)],
    "legal": [list_orders() for _ in range(n)], "loop": rates(loop), "games": rates(play)}))
"""
)

_PETTINGZOO: Final = (
    _COMMON
    + """
import numpy as np
from pettingzoo.classic import connect_four_v3, tictactoe_v3

def steps(make):
    env, rng = make(), random.Random(ask["seed"])
    def run():
        env.reset(seed=rng.randrange(1 << 30))
        done = 0
        for _ in env.agent_iter():
            seen, _, over, cut, _ = env.last()
            env.step(None if over or cut else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
            done += 1
        return done
    return rates(run)

print(json.dumps({"version": version("pettingzoo"), "tictactoe": steps(tictactoe_v3.raw_env),
    "connect_four": steps(connect_four_v3.raw_env)}))
"""
)

_OPEN_SPIEL: Final = (
    _COMMON
    + """
import pyspiel

def games(name):
    game, rng = pyspiel.load_game(name), random.Random(ask["seed"])
    def run():
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes())
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        return 1
    return rates(run)

print(json.dumps({"version": version("open_spiel"), "backgammon": games("backgammon"),
    "gin_rummy": games("gin_rummy")}))
"""
)

_PYDIP: Final = (
    _COMMON
    + """
from pydip.map.predefined.vanilla_dip import generate_map
from pydip.map.territory import LandTerritory, SeaTerritory
from pydip.player.command.command import HoldCommand, MoveCommand, SupportCommand
from pydip.player.helpers import unit_can_enter, unit_can_support
from pydip.player.player import Player
from pydip.player.unit import UnitTypes
from pydip.turn.resolve import resolve_turn

chart, rng = generate_map(), random.Random(ask["seed"])
places = [t for t in chart.name_map.values() if isinstance(t, (LandTerritory, SeaTerritory))]

def position():  # 30 units of seven players; a third of them supports
    stand, commands = rng.sample(places, 30), []
    kind = lambda t: UnitTypes.TROOP if isinstance(t, LandTerritory) else UnitTypes.FLEET
    sets = [[{"territory_name": t.name, "unit_type": kind(t)} for t in stand[n::7]] for n in range(7)]
    players = [Player(str(n), chart, found) for n, found in enumerate(sets)]
    units = [(p, u) for p in players for u in p.units]
    for player, unit in units:
        near = [t for t in chart.name_map.values() if unit_can_enter(chart, unit, t)]
        helped = [u for _, u in units
                  if u is not unit and unit_can_support(chart, unit, chart.name_map[u.position])]
        pick = rng.random()
        if helped and pick < 0.3:
            friend = rng.choice(helped)
            commands.append(SupportCommand(player, unit, friend, friend.position))
        elif near and pick < 0.9:
            commands.append(MoveCommand(player, unit, rng.choice(near).name))
        else:
            commands.append(HoldCommand(player, unit))
    return commands

work = [position() for _ in range(50)]

def judge():
    for commands in work:
        resolve_turn(chart, commands)
    return len(work)

print(json.dumps({"version": version("pydip"), "adjudicate": rates(judge)}))
"""
)

PEER_SCRIPTS: Final = {
    "diplomacy": _DIPLOMACY,
    "pettingzoo": _PETTINGZOO,
    "open_spiel": _OPEN_SPIEL,
    "pydip": _PYDIP,
}
