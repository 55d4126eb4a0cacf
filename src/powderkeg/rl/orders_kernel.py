"""The observation of `rl.diplomacy` for many games at once, compiled."""

from pathlib import Path
from typing import Any, Final

import numpy as np

from powderkeg.games.diplomacy.board import LOCATIONS, POWERS, PROVINCE_COUNT
from powderkeg.games.diplomacy.fast.compiling import (
    ORDER_SOURCES,
    forget_outdated,
    kernel_entry,
)
from powderkeg.games.diplomacy.fast.game_kernel import (
    FALL,
    IS_CENTRE,
    LAST_HELPED,
    LAST_KIND,
    LAST_NAMED,
    LAST_OK,
    LAST_POWER,
    OVER,
    SEASON,
    STAGE,
    WINTER,
    YEAR,
)
from powderkeg.games.diplomacy.fast.map_arrays import NODES
from powderkeg.games.diplomacy.fast.order_codes import (
    BUILD_ARMY,
    BUILD_FLEET,
    DISBAND,
    RETREAT,
    VIA,
)
from powderkeg.games.diplomacy.rules.legality import CONVOY, HOLD, MOVE, SUPPORT
from powderkeg.rl.diplomacy import PLANE, PLANES, REST

forget_outdated(*ORDER_SOURCES, Path(__file__))

SIZE: Final = len(PLANES)
PLACES: Final = len(LOCATIONS)
POWER_COUNT: Final = len(POWERS)
FIRST: Final = POWERS[0]
ARMY, FLEET, UNIT_OF = PLANE["army"], PLANE["fleet"], PLANE[f"unit of {FIRST}"]
BEATEN_ARMY, BEATEN_OF = PLANE["dislodged army"], PLANE[f"dislodged unit of {FIRST}"]
CENTRE_OF, FREE_CENTRE = PLANE[f"centre of {FIRST}"], PLANE["centre of nobody"]
LAST_OF, LAST_DONE = PLANE[f"last order of {FIRST}"], PLANE["last order succeeded"]
NAMED = PLANE["last order named this place, of 81"]
HELPED = PLANE["last order helped the unit here, of 81"]


def _kind_planes() -> Any:
    """The plane of each kind of order."""
    names = {
        "hold": (HOLD,),
        "move": (MOVE, VIA),
        "support": (SUPPORT,),
        "convoy": (CONVOY,),
        "retreat": (RETREAT,),
        "disband": (DISBAND,),
        "be built": (BUILD_ARMY, BUILD_FLEET),
    }
    planes = np.zeros(10, np.int64)
    for name, kinds in names.items():
        planes[list(kinds)] = PLANE[f"last order was to {name}"]
    return planes


KIND_PLANE: Final = _kind_planes()
BOARD_SIZE: Final = PLACES * SIZE
SEASON_AT = BOARD_SIZE + REST.index("season spring")
YEAR_AT = BOARD_SIZE + REST.index("years since 1900, of 50")
CENTRES_AT = BOARD_SIZE + REST.index(f"centres of {FIRST}, of 18")
UNITS_AT = BOARD_SIZE + REST.index(f"units of {FIRST}, of 18")
DUE_AT = BOARD_SIZE + REST.index(f"builds due to {FIRST}, of 6")


@kernel_entry
def encode_rows(clocks: Any, units: Any, owner: Any, beaten: Any, last: Any, out: Any) -> None:
    """Write what a spectator of every game sees into the rows of `out`."""
    mine, held = np.zeros(POWER_COUNT, np.int64), np.zeros(POWER_COUNT, np.int64)
    for n in range(len(units)):
        row = out[n]
        row[:] = 0
        mine[:] = 0
        held[:] = 0
        for at in range(PROVINCE_COUNT):
            if units[n, at]:
                code = units[n, at] - 1
                base = code % NODES // 2 * SIZE
                row[base + (FLEET if code & 1 else ARMY)] = 1
                row[base + UNIT_OF + code // NODES] = 1
                mine[code // NODES] += 1
            if beaten[n, at]:
                code = beaten[n, at] - 1
                base = code % NODES // 2 * SIZE
                row[base + BEATEN_ARMY + (code & 1)] = 1
                row[base + BEATEN_OF + code // NODES] = 1
            if IS_CENTRE[at]:
                power = owner[n, at]
                row[at * SIZE + (CENTRE_OF + power if power >= 0 else FREE_CENTRE)] = 1
                if power >= 0:
                    held[power] += 1
        for place in range(PLACES):
            note = last[n, place]
            if note[LAST_POWER]:
                base = place * SIZE
                row[base + LAST_OF + note[LAST_POWER] - 1] = 1
                row[base + KIND_PLANE[note[LAST_KIND]]] = 1
                row[base + LAST_DONE] = note[LAST_OK]
                row[base + NAMED] = note[LAST_NAMED] / PLACES
                row[base + HELPED] = note[LAST_HELPED] / PLACES
        stage = clocks[n, STAGE]
        if stage != OVER:
            row[BOARD_SIZE + stage] = 1
        row[SEASON_AT + (clocks[n, SEASON] == FALL)] = 1
        row[YEAR_AT] = min(1.0, (clocks[n, YEAR] - 1900) / 50)
        for power in range(POWER_COUNT):
            row[CENTRES_AT + power] = min(1.0, held[power] / 18)
            row[UNITS_AT + power] = min(1.0, mine[power] / 18)
            if stage == WINTER:
                row[DUE_AT + power] = max(-1.0, min(1.0, (held[power] - mine[power]) / 6))
