"""Two crowded corners of the map, and orders there that have to do with each other."""

from powderkeg.games.diplomacy.actions import Convoy, Move, Order, Support

NORTH = [
    "nth", "eng", "lon", "bel", "hol", "wal", "bre", "pic", "yor",
    "nwy", "edi", "iri", "den", "hel", "ska", "swe", "mao", "kie",
]  # fmt: skip
SOUTH = [
    "tys", "ion", "nap", "rom", "tun", "apu", "adr", "alb", "gre",
    "ven", "tri", "tus", "aeg", "bul", "con", "smy", "eas", "ser",
]  # fmt: skip


def helps_another(order: Order, orders: dict[str, Order]) -> bool:
    """Whether a support or convoy fits the order of the unit that it is for."""
    if isinstance(order, Convoy):
        other = orders[order.army.province]
        return isinstance(other, Move) and other.to == order.to
    if isinstance(order, Support):
        other = orders[order.target.province]
        return order.to == (other.to[:3] if isinstance(other, Move) else None)
    return False
