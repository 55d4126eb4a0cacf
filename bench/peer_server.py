"""The server of the `diplomacy` package, for the benches that compare with it."""

# Preparing all its maps at the first start takes many minutes: one will do. `Server` is the class to run.
ONE_MAP = """
import diplomacy
from diplomacy.server.server import Server

def only_standard(self):
    found = diplomacy.engine.map.Map("standard")
    self.available_maps["standard"] = {
        "powers": list(found.powers), "supply_centers": list(found.scs),
        "loc_type": found.loc_type.copy(), "loc_abut": found.loc_abut.copy(),
        "aliases": found.aliases.copy()}

Server._load_available_maps = only_standard
"""
