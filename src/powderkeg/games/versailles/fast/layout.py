"""The board in numbers: what stands where in the one row of small integers that is a position, and in
the rule table, which holds the cards and the options of a game and never changes.

Nations and regions have the numbers of the readable rules; issues, events and strategies are numbered
in the order of their ids. -1 stands for nothing and nobody. A *list* is up to five numbers in one: three
bits each, one more than the number, the first lowest. A *set* is bits.
"""

from typing import Final, get_args

from powderkeg.games.versailles.board import COUNTERS, GAME_END, NATIONS, NAVAL, REGIONS
from powderkeg.games.versailles.cards.reader import BOX, CONDITION_KINDS, MOST_OPTIONS, default_pack
from powderkeg.games.versailles.events.operations import OPERATIONS, Recipients

ISSUE_IDS: Final = tuple(sorted(default_pack().issues))  # the ids are the same in every pack
EVENT_IDS: Final = tuple(sorted(default_pack().events))
STRATEGY_IDS: Final = tuple(sorted(default_pack().strategies))
ISSUE_COUNT, EVENT_COUNT, STRATEGY_COUNT = BOX["issues"], BOX["events"], BOX["strategies"]
END_ISSUE: Final = ISSUE_IDS.index(GAME_END)
NATION_COUNT, REGION_COUNT, POST_COUNT = len(NATIONS), len(REGIONS), 4

# The board. Issues: -2 in the deck, -1 elsewhere, or who holds it: nation, option + 1 and flags
ISSUE_AT: Final = 0
IN_DECK, ELSEWHERE = -2, -1
OPTION_SHIFT, FLAG_SHIFT = 3, 7
EVENT_AT: Final = ISSUE_AT + ISSUE_COUNT
NO_DECK, EVENT_DECK, EVENT_PAST = range(3)
# Open issues with their cubes: two on the table, three waiting, and the game end once it is settled
OPEN: Final = EVENT_AT + EVENT_COUNT
SLOT_SIZE, TABLE_SLOTS, OPEN_SLOTS = 5, 2, 5
PILE_COUNT: Final = OPEN + SLOT_SIZE * (OPEN_SLOTS + 1)
PILE: Final = PILE_COUNT + 1  # the top card comes last
NATION_ROWS: Final = PILE + ISSUE_COUNT
HAPPY, FREE, TIRED, READY, SPENT, RETIRED, STRATEGY = range(
    NATION_ROWS, NATION_ROWS + 7 * NATION_COUNT, NATION_COUNT
)
POST_AT: Final = NATION_ROWS + 7 * NATION_COUNT
SPACE_AT: Final = POST_AT + POST_COUNT * REGION_COUNT
MOST_SPACES: Final = 16
KEG_AT: Final = SPACE_AT + MOST_SPACES
UNREST_AT: Final = KEG_AT + REGION_COUNT
SINGLES: Final = UNREST_AT + REGION_COUNT
(
    PLAYERS, FIRST, ROUND_TURN, ACTIVE_NATION, ACTING, POLITICAL, MILITARY, ACTED, IDLE, ABOVE, EVENT,
    EVENT_CUBE, LIMBO, RISEN, UNSETTLED, SETTLED, WINNER, GAINED, ENDED_BY,
) = range(SINGLES, SINGLES + 19)  # fmt: skip
SEAT_NATION: Final = SINGLES + 19  # by seat
LOBBY: Final = SEAT_NATION + 4
MOST_LOBBY: Final = 3
DEALT: Final = LOBBY + MOST_LOBBY
HEIGHT: Final = DEALT + 5  # of the agenda
AGENDA_AT: Final = HEIGHT + 1
RECORD: Final = 7  # numbers per step: its kind, then its values
MOST_PENDING: Final = 32
TREATY_SIZE: Final = AGENDA_AT + RECORD * MOST_PENDING
ENDINGS: Final = ("", "rush", "deck", "deadlock")
GOES_ON, BY_RUSH, BY_DECK, BY_DEADLOCK = range(4)

# Steps. A context is you, subject and half in one number.
PENDING_NAMES: Final = (
    "FirstPlayer", "ChooseNation", "DealIssues", "DealEvents", "DealStrategies", "StartTurn", "Turn",
    "UsaTurn", "EndTurn", "PlaceSecond", "ResolveIssue", "ResolveConferenceEvent",
    "AdvanceIssueAndEvent", "AddIssue", "DrawEvent", "RevealEvent", "ChooseOption", "ChooseFlag",
    "ChoosePerform", "DiscardEvent", "ChooseToAdvance", "ChooseCube", "ChooseSource", "DrawIssues",
    "ChooseKept", "Do", "ChoosePlayer", "ChooseRegions", "ChooseKegRegion", "ChooseBranch",
    "ChooseSign", "ChooseUnit", "ChooseDeploy", "ChooseCleared", "RollRegion", "Checking", "Announce",
    "Uprising", "ChooseAffected", "RollOff", "Affected", "Unsettle", "ChooseUnsettled", "StartBid",
    "Bidding", "Reset", "AfterCheck", "SelectStrategies", "ChooseStrategy", "Mutinies",
    "ChooseMutineer",
)  # fmt: skip
(
    P_FIRST_PLAYER,
    P_CHOOSE_NATION,  # seat
    P_DEAL_ISSUES,
    P_DEAL_EVENTS,
    P_DEAL_STRATEGIES,
    P_START_TURN,  # nation
    P_TURN,
    P_USA_TURN,
    P_END_TURN,
    P_PLACE_SECOND,  # nation, first issue
    P_RESOLVE_ISSUE,  # issue
    P_RESOLVE_CONFERENCE,
    P_ADVANCE,
    P_ADD_ISSUE,
    P_DRAW_EVENT,
    P_REVEAL_EVENT,
    P_CHOOSE_OPTION,  # issue, nation
    P_CHOOSE_FLAG,  # issue, nation, option, how many flags are chosen, those of the USA as a set
    P_CHOOSE_PERFORM,  # event, you
    P_DISCARD_EVENT,  # event
    P_CHOOSE_TO_ADVANCE,  # issue, event
    P_CHOOSE_CUBE,
    P_CHOOSE_SOURCE,
    P_DRAW_ISSUES,  # card or -1
    P_CHOOSE_KEPT,  # two cards
    P_DO,  # node, context, list of regions
    P_CHOOSE_PLAYER,  # node, context
    P_CHOOSE_REGIONS,  # node, context, list of regions
    P_CHOOSE_KEG_REGION,  # n, you
    P_CHOOSE_BRANCH,  # node, context, list of regions
    P_CHOOSE_SIGN,  # node, n, context
    P_CHOOSE_UNIT,  # nation, work
    P_CHOOSE_DEPLOY,  # nation
    P_CHOOSE_CLEARED,  # you
    P_ROLL_REGION,  # node
    P_CHECKING,  # node, modifier, queue, context, checked, risen; the three are sets of regions
    P_ANNOUNCE,  # region, modifier, list of nations
    P_UPRISING,  # region
    P_CHOOSE_AFFECTED,  # region, set of nations, who chooses
    P_ROLL_OFF,  # region, set of nations
    P_AFFECTED,  # region, nation
    P_UNSETTLE,  # nation, region, set of categories
    P_CHOOSE_UNSETTLED,  # as before
    P_START_BID,  # issue, region
    P_BIDDING,  # issue, region, list of nations, leader, 2 * units + local, cubes
    P_RESET,  # region
    P_AFTER_CHECK,  # node or -1, set of checked regions, context
    P_SELECT_STRATEGIES,
    P_CHOOSE_STRATEGY,  # list of nations
    P_MUTINIES,  # nation
    P_CHOOSE_MUTINEER,  # nation
) = range(len(PENDING_NAMES))
HALVES: Final = ("conference", "crisis")
AT_CONFERENCE, AT_CRISIS = range(2)
WORKS: Final = ("withdraw", "rally", "demobilise")
WITHDRAW, RALLY, DEMOBILISE = range(3)

# Answers: a verb and 16 bits for the rest
ANSWER_VERBS: Final = (
    "nation", "place", "reclaim", "settle", "deploy", "demobilise", "end", "option", "flag", "perform",
    "decline", "choose", "advance", "cube", "draw", "dive", "keep", "mutiny", "modify", "bid", "pass",
    "strategy",
)  # fmt: skip
(
    A_NATION,
    A_PLACE,  # issue << 8 | cubes
    A_RECLAIM,  # cubes << 5 | set of regions
    A_SETTLE,
    A_DEPLOY,  # unit << 5 | region << 2 | column
    A_DEMOBILISE,
    A_END,
    A_OPTION,  # issue << 3 | option
    A_FLAG,
    A_PERFORM,
    A_DECLINE,
    A_CHOOSE,  # one of CHOICES
    A_ADVANCE,  # an issue, or ISSUE_COUNT + event
    A_CUBE,
    A_DRAW,
    A_DIVE,
    A_KEEP,
    A_MUTINY,
    A_MODIFY,  # one more than the change
    A_BID,  # units << 8 | local << 7 | cubes
    A_PASS,
    A_STRATEGY,
) = range(len(ANSWER_VERBS))
ANSWER_SHIFT: Final = 16
ANSWER_BITS: Final = (1 << ANSWER_SHIFT) - 1
UNIT_WORDS: Final = ("available", "exhausted", *REGIONS)  # where a unit is
AT_HOME, WORN_OUT, FIRST_REGION = range(3)
CHOICES: Final = (*UNIT_WORDS, *NATIONS, "1", "2", "plus", "minus", *ISSUE_IDS)
NATION_CHOICE, BRANCH_CHOICE, SIGN_CHOICE, ISSUE_CHOICE = 7, 12, 14, 16

# The work sheet: how many answers are listed, then their codes
SHEET_COUNT, SHEET_LIST = 0, 1
NOT_LISTED: Final = -1
MOST_ANSWERS: Final = 1024
SHEET_LENGTH: Final = SHEET_LIST + MOST_ANSWERS
MOST_FALLEN: Final = 8  # dice or cards of one outcome

# The rule table: options, printed numbers, cards, and the effects of events at its end
(
    T_KEG_STAYS, T_REBID, T_ENDS_EMPTY, T_EMPTY_RESETS, T_AT_ONCE, T_ZERO_DOUBLED, T_LEAGUE_EUROPE,
    T_MIXED, T_LENGTH, T_MOST_HAPPY, T_SIGNS_AT, T_MUTINY_GAIN, T_RECLAIM, T_MOST_EXCHANGED,
    T_ZERO_POINTS, T_LAST_SPACE, T_SPACES, T_DIVES,
) = range(18)  # fmt: skip
T_REGION_DIE: Final = 18
T_UPRISING: Final = T_REGION_DIE + 6
T_BACK: Final = T_UPRISING + 9
T_UNHAPPY: Final = T_BACK + POST_COUNT
T_MODIFIES: Final = T_UNHAPPY + POST_COUNT
T_RANK: Final = T_MODIFIES + POST_COUNT
T_ALLOWED: Final = T_RANK + 4
T_SPACE: Final = T_ALLOWED + 101
T_DIVE: Final = T_SPACE + MOST_SPACES
T_ISSUE: Final = T_DIVE + ISSUE_COUNT
I_REGION, I_STARS, I_NO_MILITARY, I_OPTIONS, I_OPTION = range(5)
O_MOOD: Final = 0
O_UNREST: Final = O_MOOD + NATION_COUNT
O_NAVAL: Final = O_UNREST + REGION_COUNT  # how many icons have no flag
O_COUNTERS: Final = O_NAVAL + 1
O_COUNTER: Final = O_COUNTERS + 1
MOST_COUNTERS: Final = 8
OPTION_SIZE: Final = O_COUNTER + MOST_COUNTERS
ISSUE_SIZE: Final = I_OPTION + MOST_OPTIONS * OPTION_SIZE
T_EVENT: Final = T_ISSUE + ISSUE_SIZE * ISSUE_COUNT
E_CUBE, E_OPTIONAL, E_CRISIS, E_CONFERENCE, EVENT_SIZE = range(5)
T_STRATEGY: Final = T_EVENT + EVENT_SIZE * EVENT_COUNT
S_DOUBLE, S_CONDITIONS, S_CONDITION = range(3)
MOST_CONDITIONS: Final = 8
STRATEGY_SIZE: Final = S_CONDITION + 2 * MOST_CONDITIONS
T_NODE: Final = T_STRATEGY + STRATEGY_SIZE * STRATEGY_COUNT

# A node is an effect; lists of effects stand in a row
N_OP, N_LAST, N_X, N_Y, N_Z, N_THEN, N_OTHER, NODE_SIZE = range(8)
OP_NAMES: Final = tuple(OPERATIONS)
(
    OP_CHECK,  # place, modifier, counter; calm, kept
    OP_UNREST,  # place, n, counter
    OP_KEG,  # place, n
    OP_PAY,  # n
    OP_EXHAUST,  # n, who
    OP_RECOVER,  # n, who, counter
    OP_HAPPINESS,  # n, who, per unit
    OP_CHOOSE_PLAYER,  # regions; then
    OP_EITHER,  # first branch, second branch
    OP_EACH,  # first; then
    OP_WITHDRAW,  # everyone
    OP_RALLY,
    OP_DEMOBILISE,
    OP_DEPLOY,
    OP_UNSETTLE,  # set of categories
    OP_CLEAR,
    OP_UNLESS,  # counter, region; then
) = range(len(OP_NAMES))
PLACE_WORDS: Final = (
    *REGIONS, "highest", "settled", "random", "any", "gained", "checked", "chosen",
)  # fmt: skip
AT_HIGHEST, AT_SETTLED, AT_RANDOM, AT_ANY, AT_GAINED = range(5, 10)
RECIPIENTS: Final[tuple[str, ...]] = get_args(Recipients)
TO_SUBJECT, TO_CONTROLLER, TO_EACH, TO_UNHAPPIEST, TO_RICHEST = range(5)
ICONS: Final = (*COUNTERS, NAVAL)
NAVAL_ICON: Final = ICONS.index(NAVAL)
UK_NAVY, USA_NAVY = ICONS.index("naval.uk"), ICONS.index("naval.usa")
COUNTER_COUNT: Final = len(COUNTERS)

# Conditions of strategies: kinds of counters first, then the rest
CONDITIONS: Final = CONDITION_KINDS
(
    C_SELF, C_CONTAINMENT, C_REPARATIONS, C_GROWTH, C_BOLSHEVIK, C_NAVAL, C_EMPIRE, C_REGIONS, C_LEAGUE,
    C_REPARATIONS_HELD, C_UNREST_HIGH, C_UNREST_LOW, C_SIGNS, C_REFUSES, C_UNITS, C_DOUBLE,
) = range(len(CONDITIONS))  # fmt: skip
