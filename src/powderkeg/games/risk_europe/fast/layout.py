"""The board in numbers: what stands where in the one row of small integers that is a position.

Territories, armies, units, King's Orders cards and crown cards have the numbers of the readable
rules (their places in `TERRITORIES`, `State.armies`, `UNITS`, `CARDS` and the pack). -1 stands for
nothing and nobody. Sets of crown cards or players are bits. Attacks, missions and completed cards
are sets here: their order in a `State` has no meaning in the rules.
"""

from typing import Final, get_args

from powderkeg.games.risk_europe.board import CARDS, COLOURS, GOLD_CITIES, TERRITORY_NAMES
from powderkeg.games.risk_europe.cards.pack import BonusType, MissionType

PLACES: Final = len(TERRITORY_NAMES)
ARMY_COUNT: Final = len(COLOURS)
CARD_KINDS: Final = tuple(CARDS)
KIND_COUNT: Final = len(CARD_KINDS)
TAX_CARD, KING_CARD, SPLIT_CARD, FORTIFY_CARD, SIEGE_CARD = range(KIND_COUNT)
CROWN_COUNT: Final = 8
GOLD_COUNT: Final = len(GOLD_CITIES)

# Territories: one number each, or four for units
OWNER: Final = 0
UNITS_AT: Final = OWNER + PLACES
ATTACKER: Final = UNITS_AT + 4 * PLACES  # the army that attacks here
FORCE_AT: Final = ATTACKER + PLACES  # with these units
CASTLE: Final = FORCE_AT + 4 * PLACES
ACTIVE: Final = CASTLE + PLACES  # by gold city: whose bonus works

# Armies: a record for each
ARMIES: Final = ACTIVE + GOLD_COUNT
(COINS, RESERVE) = (0, 1)
HAND: Final = RESERVE + 4  # how many of each kind of card
STACK: Final = HAND + KIND_COUNT  # two cards, next one first
SHOWN: Final = STACK + 2
DISCARD: Final = SHOWN + 2
(BID, BOUGHT, BUYS, MISSIONS, COMPLETED, WINS, GRACE, OUT, CONTROLLER) = range(
    DISCARD + KIND_COUNT, DISCARD + KIND_COUNT + 9
)
ARMY_SIZE: Final = CONTROLLER + 1

# The table
TABLE: Final = ARMIES + ARMY_COUNT * ARMY_SIZE
PEOPLE, MARKER, ROUND, TURN, CROWNS_LEFT, UNSEEN, OVER, ORDER_COUNT, BOTTOM_COUNT = range(
    TABLE, TABLE + 9
)
RING: Final = TABLE + 9
ORDER: Final = RING + ARMY_COUNT
RANK: Final = ORDER + ARMY_COUNT  # by player: the place of their group in the ranking
BOTTOM: Final = RANK + ARMY_COUNT  # crown cards below the unseen ones
BOTTOM_BY: Final = BOTTOM + CROWN_COUNT
NOT_OVER, BY_CROWNS, BY_LAST, BY_ROUNDS = range(4)
OVER_NAMES: Final = ("", "crowns", "last", "rounds")

# Options
OPTIONS: Final = BOTTOM_BY + CROWN_COUNT
WITH_MISSIONS, ROUND_LIMIT, SEAT_RULING, KING_RULING, LOSS_RULING, TIE_RULING = range(
    OPTIONS, OPTIONS + 6
)
RULINGS: Final = {
    "mercenary_seat": ("last", "ring"),
    "mercenary_king": ("controller", "army", "nobody"),
    "mercenary_losses": ("neutral", "controller"),
    "tie": ("crowns", "target"),
}
SEAT_LAST, SEAT_RING = range(2)
KING_CONTROLLER, KING_ARMY, KING_NOBODY = range(3)
LOSS_NEUTRAL, LOSS_CONTROLLER = range(2)
TIE_CROWNS, TIE_TARGET = range(2)

# The pack of crown cards: mission, least, unit, bonus, amount, unit
PACK: Final = OPTIONS + 6
PACK_SIZE: Final = 6
MISSION_KINDS: Final[tuple[str, ...]] = get_args(MissionType)
M_CASTLES, M_SEA_LINES, M_COINS, M_UNITS, M_TERRITORIES, M_WINS = range(6)
BONUS_KINDS: Final[tuple[str, ...]] = get_args(BonusType)
B_CASTLE, B_RANGE, B_TAX, B_TAX_UNITS, B_PRICE, B_FORTIFY, B_BATTLE = range(7)

# The agenda: a stack of records; the details of what can be pending only once are below it
AGENDA: Final = PACK + PACK_SIZE * CROWN_COUNT
DEPTH: Final = AGENDA
STEPS: Final = AGENDA + 1
STEP_SIZE: Final = 4
MOST_STEPS: Final = 20
STEP_NAMES: Final = (
    "Shields", "Bid", "Tie", "Settle", "Garrison", "NewRound", "Pick", "Auctions", "Turn", "Missions",
    "Keep", "Act", "Move", "Tax", "Spend", "Assault", "Casualties", "Battles", "Battle", "Reveals",
    "EndRound",
)  # fmt: skip
(
    S_SHIELDS,
    S_BID,  # army
    S_TIE,  # army
    S_SETTLE,  # army, footmen, castle
    S_GARRISON,  # army, city, footmen
    S_NEW_ROUND,
    S_PICK,
    S_AUCTIONS,
    S_TURN,  # army, number
    S_MISSIONS,  # army
    S_KEEP,  # army
    S_ACT,  # army, card, what is left of it
    S_MOVE,  # army
    S_TAX,  # army
    S_SPEND,  # army
    S_ASSAULT,  # army, origin, target
    S_CASUALTIES,  # at, by, hits
    S_BATTLES,
    S_BATTLE,
    S_REVEALS,  # who has passed
    S_END_ROUND,
) = range(len(STEP_NAMES))
ORDER_LEFT, BONUS_LEFT, BERLIN_LEFT = 1, 2, 4

MOVE: Final = STEPS + STEP_SIZE * MOST_STEPS
MOVE_ORDER, MOVE_ORIGIN, MOVE_TARGET, GROUP_TO = range(MOVE, MOVE + 4)
GROUP_UNITS: Final = MOVE + 4
KEEP_CARDS: Final = GROUP_UNITS + 4
TIE_AMOUNT: Final = KEEP_CARDS + 2
TIE_AMONG: Final = TIE_AMOUNT + 1
MOST_DICE: Final = 12  # of one side
BATTLE: Final = TIE_AMONG + 1
B_AT, B_RANK, B_STAGE, B_REROLL, B_MINE, B_THEIRS = range(BATTLE, BATTLE + 6)
MY_DICE: Final = BATTLE + 6
THEIR_DICE: Final = MY_DICE + MOST_DICE
MY_LOSSES: Final = THEIR_DICE + MOST_DICE  # four numbers; -1 while nobody chose them
THEIR_LOSSES: Final = MY_LOSSES + 4
STAGES: Final = ("roll", "castle", "reroll", "losses")
ROLL, CASTLE_ASKED, REROLL_DUE, LOSSES = range(4)
BOARD_SIZE: Final = THEIR_LOSSES + 4

# Orders, numbered as in `actions.ORDER_NAMES`
EXPAND, SPLIT, MANOEUVRE, TAX_ORDER, SPEND_ORDER = range(5)

# Actions: a kind and 17 bits for the rest
VERBS: Final = (
    "bid", "settle", "garrison", "pick", "auction", "order", "fortify", "besiege", "berlin", "from",
    "to", "march", "storm", "tax", "buy", "build", "crown", "keep", "reveal", "fight", "reroll",
    "stand", "lose", "done", "pass",
)  # fmt: skip
(
    V_BID, V_SETTLE, V_GARRISON, V_PICK, V_AUCTION, V_ORDER, V_FORTIFY, V_BESIEGE, V_BERLIN, V_FROM,
    V_TO, V_MARCH, V_STORM, V_TAX, V_BUY, V_BUILD, V_CROWN, V_KEEP, V_REVEAL, V_FIGHT, V_REROLL,
    V_STAND, V_LOSE, V_DONE, V_PASS,
) = range(len(VERBS))  # fmt: skip
VERB_SHIFT: Final = 17
PAYLOAD: Final = (1 << VERB_SHIFT) - 1

# The work sheet: a description of units to choose, then a list of codes
LIMITS: Final = 0  # verb (0: it is a list), there (4), least, most, siege
LISTED: Final = 8  # the length of the list; -1: it was not written
LIST: Final = 9
MOST_LISTED: Final = 4096
SHEET_SIZE: Final = LIST + MOST_LISTED
MOST_OUTCOME: Final = 2 * MOST_DICE
