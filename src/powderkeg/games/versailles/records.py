"""Options, settled issues, deals and the state of a game: what is stored.

Nothing is secret in this game and cards are drawn when they are needed, so no state holds the order
of a deck.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, NamedTuple

from powderkeg.core.plain import Between, for_players
from powderkeg.games.versailles.board import NOBODY
from powderkeg.games.versailles.cards.pack import CardPack
from powderkeg.games.versailles.cards.past import past_pack
from powderkeg.games.versailles.cards.reader import check_new_pack, pack_of
from powderkeg.games.versailles.steps import Pending


@dataclass(frozen=True, slots=True)
class Options:
    """How to play. The defaults are the rulebook's, or our rulings where it is silent."""

    length: Literal[20, 15, 10, 5] = 20  # cards under Rush to the Finish (V-SET-06..09)
    solo_order: Literal["random", "chosen"] = for_players(1, default="random")  # V-SOLO-02
    # V-SOLO-44: in a series, the target of its first game
    solo_target: Annotated[int, Between(1, 60)] = for_players(1, default=20)
    # V-SOLO-45: earlier games of the series, oldest first: w won, l lost
    solo_series: str = for_players(1, default="")
    # V-NEG-07: one exchange per turn in each direction
    exchange_once: bool = for_players(2, 3, 4, default=False)
    # V-NEG-06: when the deal is made, not when its terms are kept
    exchange_at_once: bool = for_players(2, 3, 4, default=False)
    # V-NEG-06: also kept where the rules leave no choice
    forced_terms: bool = for_players(2, 3, 4, default=True)
    # V-NEG-02: terms about an event also while it asks for a region, an issue or a sign
    picks_bind: Literal["all", "regions", "none"] = for_players(2, 3, 4, default="all")
    # V-NEG-11: deals can be about the action of the USA, and wait for it
    usa_in_deals: bool = for_players(2, default=True)
    league_region: Literal["europe", "none"] = "europe"  # V-EVENT-16
    keg_stays: bool = True  # V-REG-06: no event moves a powder keg out of column 1
    rebid_controller: bool = True  # V-SETTLE-20: who holds the settled issue now, not who won it
    deck_end: Literal["solitaire", "always", "never"] = "solitaire"  # V-END-05, V-SOLO-43
    # V-SOLO-25: events with a choice
    solo_events: Literal["free", "forced"] = for_players(1, default="free")
    empty_uprising_resets: bool = False  # V-UPR-13: unrest falls back though nobody is hit
    strategies_at_once: bool = False  # V-STRAT-01: after the first uprising, not the whole check
    zero_doubled: bool = True  # V-SCORE-12: double happiness doubles the five lost points too
    pack: str = ""  # values that differ from the default pack (see `pack`)

    def check_new(self) -> None:
        check_new_pack(pack_of(self.pack))


PAST_OPTIONS: Final[dict[int, dict[str, Any]]] = {  # how versions before an option played
    1: {
        "exchange_at_once": True,
        "exchange_once": True,
        "forced_terms": False,
        "picks_bind": "none",
        "usa_in_deals": False,
        "league_region": "none",
        "keg_stays": False,
        "rebid_controller": False,
        "deck_end": "never",
        "solo_events": "forced",
    },
    2: {"forced_terms": False, "picks_bind": "regions"},
    3: {"picks_bind": "regions"},
}


def upgrade_options(version: int, options: dict[str, Any]) -> dict[str, Any]:
    """The stored options of an older game, with the readings and the cards of its version."""
    pack = options.get("pack", "")
    if isinstance(pack, str):  # anything else is refused when the options are loaded
        pack = past_pack(version, pack)
    return {**PAST_OPTIONS[version], **options, "pack": pack}


class Held(NamedTuple):
    """A settled issue: owner, chosen option (NOBODY until chosen) and counters."""

    owner: int
    option: int = NOBODY
    counters: tuple[str, ...] = ()


class Deal(NamedTuple):
    """A deal on offer or made: things its parties do for each other this turn (V-NEG-09).

    `terms` are as on the wire; a term that was carried out is struck from a deal that was made.
    """

    number: int
    by: int
    parties: tuple[int, ...]
    terms: tuple[str, ...]
    agreed: tuple[int, ...]
    made: bool = False


class Promise(NamedTuple):
    """A promise for later turns: shown, never enforced (V-NEG-03)."""

    turn: int
    by: int
    to: tuple[int, ...]
    term: str


@dataclass(frozen=True)  # no slots: a builder copies all fields at once, ten times faster
class State:
    """Lists of five are by nation or by region; nations and regions are indexes (see `board`)."""

    options: Options
    seats: tuple[str, ...]
    agenda: tuple[Pending, ...]
    cubes: dict[str, tuple[int, ...]]  # on each issue of table and waiting room, by nation
    held: dict[str, Held]  # settled issues
    order: tuple[int, ...] = ()  # nations in turn order; at first, by seat, as they are chosen
    first: int = 0  # seat of the first player
    turn: int = 0
    active: int = NOBODY  # the nation whose turn it is
    acting: int = NOBODY  # the side that acts: in a USA action, the USA
    political: bool = False  # done this turn
    military: bool = False
    acted: bool = False  # anything at all was done this turn
    idle: int = 0  # turns in a row in which nothing was done
    table: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    pile: tuple[str, ...] = ()  # issue discards, top first
    deck: tuple[str, ...] = ()  # issues not yet drawn, in no order, without the game end
    above: int = 0  # issues certain to come before the game end; NOBODY: it was drawn
    event: str = ""  # on the table
    event_cube: int = NOBODY
    lobby: tuple[str, ...] = ()  # events in the waiting room
    events: tuple[str, ...] = ()  # events not yet drawn
    past: tuple[str, ...] = ()  # event discards
    limbo: str = ""  # an unsettled issue while it is bid for
    dealt: tuple[str, ...] = ()  # strategies on offer
    risen: bool = False  # the first uprising has been
    unsettled: bool = False  # an issue was unsettled in this check (V-EVENT-17)
    settled: str = ""  # the issue of this settle action
    controller: int = NOBODY  # the winner of that issue (V-SETTLE-20)
    gained: tuple[int, ...] = ()  # regions that gained unrest from it
    human: int = NOBODY  # solitaire: the player's faction
    points: int = 0  # solitaire victory points
    deals: tuple[Deal, ...] = ()
    promises: tuple[Promise, ...] = ()
    exchanged: tuple[tuple[int, int], ...] = ()  # giver and receiver, this turn
    next_deal: int = 1
    over: str = ""  # why the game ended
    # The rest is counted, and a builder holds most of it as lists.
    happiness: tuple[int, ...] = ()  # NOBODY: no marker
    available: tuple[int, ...] = ()  # cubes
    exhausted: tuple[int, ...] = ()
    ready: tuple[int, ...] = ()  # units available
    spent: tuple[int, ...] = ()  # units exhausted
    posts: tuple[int, ...] = (NOBODY,) * 20  # the owner of the unit at region * 4 + column - 5
    spaces: tuple[int, ...] = ()  # the owner of the unit on each numbered demobilise space
    retired: tuple[int, ...] = ()  # units on the last space
    kegs: tuple[int, ...] = (0,) * 5
    unrest: tuple[int, ...] = (1,) * 5
    strategy: tuple[str, ...] = ("",) * 5
    offers: tuple[int, ...] = (0,) * 5  # proposals made this turn

    @property
    def pack(self) -> CardPack:
        return pack_of(self.options.pack)
