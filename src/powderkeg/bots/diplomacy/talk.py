"""Talk without a language model: what to propose, what to agree to, whom to trust.

An envoy speaks for a seat. It is a pure function of what the seat sees and of a `Memory`, which is
data and can be stored between calls:

    letters, memory = correspond(view, memory, inbox, rng)  # letters to send, and what to remember
    view["pledges"] = pledges(view, memory)                 # before the bot is asked for orders

Letters are in `daide`, in plain words by `speech.said`. A deal is proposed when both sides are better
off with it, by the same futures that the bots plan with, and the deal that is best for both together
(the product of what they gain) goes first. Agreed is agreed: our bots keep their word, or say openly
that they no longer will. Others are believed as far as they kept theirs.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final, NamedTuple

from powderkeg.bots.diplomacy.daide import (
    All,
    Alliance,
    Do,
    Draw,
    Letter,
    Nar,
    No,
    Offer,
    Peace,
    Proposal,
    Yes,
    Zone,
    parse_letter,
    parse_offer,
)
from powderkeg.bots.diplomacy.engine import Engine, Scene, engine
from powderkeg.bots.diplomacy.pledges import Expected, Pledges
from powderkeg.bots.diplomacy.scenes import hand_number, orders, scene_of
from powderkeg.bots.diplomacy.search import everybody_free, seeds
from powderkeg.bots.diplomacy.tables import COUNT, NODES, TOUCH, TOUCH_FROM, unit_of
from powderkeg.bots.diplomacy.taste import TASTE
from powderkeg.core.chance import Rng
from powderkeg.core.errors import RulesError
from powderkeg.games.diplomacy.board import CODES, NUMBER, POWERS, Power
from powderkeg.games.diplomacy.orders import Move, Order, Support, parse_order

LETTERS: Final = 3  # proposals for a movement
SAMPLES: Final = 8  # futures by which a deal is judged,
DEPTH: Final = 1  # and movements that are played on in them
HELP: Final = 2  # supports that are thought of, each way
MARGIN: Final = 0.002  # what a deal must bring, as a share of the game
LASTS: Final = 4  # movements for which peace and zones hold, unless agreed anew
TRUSTED: Final = 0.4  # who is believed less gets no deals
DECAY: Final = 0.95  # what happened long ago counts less
DANGER: Final = 4  # centres from victory at which a power gets no help any more


class Deal(NamedTuple):
    """What was agreed with `partner`, and in how many movements it ends."""

    partner: Power
    offer: str
    left: int


@dataclass(frozen=True, slots=True)
class Memory:
    """What an envoy remembers: how often each power kept or broke its word, what is agreed, what
    was proposed for this movement, and what was ours when it began."""

    phase: str = ""
    kept: dict[Power, float] = field(default_factory=dict)
    broken: dict[Power, float] = field(default_factory=dict)
    deals: tuple[Deal, ...] = ()
    proposed: tuple[str, ...] = ()
    ours: tuple[str, ...] = ()

    def trust(self, power: Power) -> float:
        """How likely it is that `power` keeps its word: at first, twice in three times."""
        kept, broken = 2 + self.kept.get(power, 0.0), 1 + self.broken.get(power, 0.0)
        return kept / (kept + broken)


# Speaking and hearing


def correspond(
    view: Mapping[str, Any], memory: Memory, inbox: Iterable[str], rng: Rng
) -> tuple[list[Letter], Memory]:
    """All at once: proposals when a movement has begun, and answers to the letters in `inbox`.

    What is no letter in the language of `daide` (people write freely) is left unanswered.
    """
    letters: list[Letter] = []
    if memory.phase != view["phase"] and view["stage"] == "movement":
        letters, memory = speak(view, memory, rng)
    for text in inbox:
        letter = understood(text)
        if letter is not None and set(letter.to) & set(_mine(view)):
            answers, memory = hear(view, memory, letter, rng)
            letters += answers
    return letters, memory


def understood(text: str) -> Letter | None:
    """A letter, if it is one."""
    try:
        return parse_letter(text)
    except RulesError:
        return None


def speak(view: Mapping[str, Any], memory: Memory, rng: Rng) -> tuple[list[Letter], Memory]:
    """Look back at the last movement, and propose deals for the next one."""
    memory = look_back(view, memory)
    me, letters = _speaker(view), list[Letter]()
    for deal in memory.deals:
        if _dangerous(view, deal.partner):
            letters.append(Letter(me, (deal.partner,), Proposal(Nar(parse_offer(deal.offer)))))
    gone = {letter.to[0] for letter in letters}
    memory = replace(memory, deals=tuple(d for d in memory.deals if d.partner not in gone))
    for offer, partner in _best_offers(view, memory, rng)[:LETTERS]:
        letters.append(Letter(me, (partner,), Proposal(offer)))
        memory = replace(memory, proposed=(*memory.proposed, f"{partner} {offer}"))
    return letters, memory


def hear(
    view: Mapping[str, Any], memory: Memory, letter: Letter, rng: Rng
) -> tuple[list[Letter], Memory]:
    """Answer a proposal, or note an answer."""
    memory = look_back(view, memory)
    match letter.message:
        case Proposal(Nar(offer)):
            return [], _without(memory, letter.sender, offer)
        case Proposal(offer):
            me = _speaker(view)
            if not _acceptable(view, memory, letter.sender, offer, rng):
                return [Letter(me, (letter.sender,), No(letter.message))], memory
            return [Letter(me, (letter.sender,), Yes(letter.message))], _with(
                memory, letter.sender, offer
            )
        case Yes(Proposal(offer)) if f"{letter.sender} {offer}" in memory.proposed:
            return [], _with(memory, letter.sender, offer)
    return [], memory


def _with(memory: Memory, partner: Power, offer: Offer) -> Memory:
    """Agreed anew, a deal holds for its whole time again."""
    lasting = any(isinstance(part, Peace | Alliance | Zone) for part in parts(offer))
    deal = Deal(partner, str(offer), LASTS if lasting else 1)
    return replace(_without(memory, partner, offer), deals=(*memory.deals, deal))


def _without(memory: Memory, partner: Power, offer: Offer) -> Memory:
    left = tuple(d for d in memory.deals if (d.partner, d.offer) != (partner, str(offer)))
    return replace(memory, deals=left)


def parts(offer: Offer) -> Iterator[Offer]:
    """The single promises of an offer."""
    if isinstance(offer, All):
        for each in offer.offers:
            yield from parts(each)
    else:
        yield offer


def _speaker(view: Mapping[str, Any]) -> Power:
    return str(view["seats"][view["seat"]]["powers"][0])


def _mine(view: Mapping[str, Any]) -> list[Power]:
    return list(view["seats"][view["seat"]]["powers"])


def _others(view: Mapping[str, Any]) -> Iterator[Power]:
    """The powers that speak for the other seats in the game."""
    for seat, each in view["seats"].items():
        if seat != view["seat"] and any(view["units"].get(power) for power in each["powers"]):
            yield each["powers"][0]


def _dangerous(view: Mapping[str, Any], power: Power) -> bool:
    hand = next(each["powers"] for each in view["seats"].values() if power in each["powers"])
    return bool(sum(len(view["centres"][p]) for p in hand) >= view["target"] - DANGER)


# Whom to trust


def look_back(view: Mapping[str, Any], memory: Memory) -> Memory:
    """Note who kept his word in the last movement; forget what is over."""
    if memory.phase == view["phase"]:
        return memory
    kept = {power: n * DECAY for power, n in memory.kept.items()}
    broken = {power: n * DECAY for power, n in memory.broken.items()}
    left: list[Deal] = []
    for deal in memory.deals:
        given = _given(view, memory.phase, deal.partner)
        if given is None:
            continue
        if any(
            _breaks(part, deal.partner, given, memory.ours)
            for part in parts(parse_offer(deal.offer))
        ):
            broken[deal.partner] = broken.get(deal.partner, 0.0) + 1
            continue
        kept[deal.partner] = kept.get(deal.partner, 0.0) + 1
        if deal.left > 1:
            left.append(deal._replace(left=deal.left - 1))
    units = [text[2:5] for power in _mine(view) for text in view["units"][power]]
    centres = [code for power in _mine(view) for code in view["centres"][power]]
    ours = tuple(sorted({*units, *centres}))
    return Memory(view["phase"], kept, broken, tuple(left), (), ours)


def _given(view: Mapping[str, Any], phase: str, power: Power) -> list[Order] | None:
    """What a power ordered in a movement that is still told of."""
    for report in view["reports"]:
        if report["phase"] == phase:
            return [parse_order(o["order"]) for o in report["outcomes"] if o["power"] == power]
    return None


def _breaks(offer: Offer, power: Power, given: Iterable[Order], ours: tuple[str, ...]) -> bool:
    """Whether orders of `power` are against what it promised."""
    match offer:
        case Peace() | Alliance():
            return any(_goal(order) in ours for order in given)
        case Zone(powers, provinces):
            return power in powers and any(_goal(order) in provinces for order in given)
        case Do(who, order):
            return who == power and not any(_same(order, each) for each in given)
    return False


def _goal(order: Order) -> str:
    """Where an order attacks, or helps to attack."""
    return order.to[:3] if isinstance(order, Move | Support) and order.to else ""


def _same(one: Order, other: Order) -> bool:
    """Whether two orders mean the same, however coasts and convoys are spelled."""
    if isinstance(one, Move) and isinstance(other, Move):
        return one.unit == other.unit and one.to[:3] == other.to[:3]
    return one == other


# What a deal is worth


def _best_offers(view: Mapping[str, Any], memory: Memory, rng: Rng) -> list[tuple[Offer, Power]]:
    """Deals that are good for both, the best for both together first."""
    scene, me = scene_of(view), hand_number(view)
    talks = Bargain(view, scene, me, engine(wait=False), seeds(rng, SAMPLES))
    bound = {deal.partner for deal in memory.deals}
    found: list[tuple[float, str, Offer, Power]] = []
    for partner in _others(view):
        if partner in bound or memory.trust(partner) < TRUSTED or _dangerous(view, partner):
            continue
        for offer in talks.offers(partner):
            mine, theirs = talks.gains(partner, offer)
            if mine > MARGIN and theirs > MARGIN:
                found.append((mine * theirs, str(offer), offer, partner))
    found.sort(key=lambda each: (-each[0], each[1]))
    best: dict[Power, tuple[Offer, Power]] = {}
    for _, _, offer, partner in found:
        best.setdefault(partner, (offer, partner))
    return list(best.values())


def _acceptable(
    view: Mapping[str, Any], memory: Memory, partner: Power, offer: Offer, rng: Rng
) -> bool:
    if memory.trust(partner) < TRUSTED or partner not in set(_others(view)):
        return False
    mine, promised = _mine(view), list(parts(offer))
    if any(isinstance(part, Draw) for part in promised):
        return _draw_welcome(view, mine)
    if _dangerous(view, partner) or not all(_meant_for(part, mine, partner) for part in promised):
        return False
    scene, me = scene_of(view), hand_number(view)
    talks = Bargain(view, scene, me, engine(wait=False), seeds(rng, SAMPLES))
    return talks.gains(partner, offer)[0] > MARGIN


def _meant_for(offer: Offer, mine: list[Power], partner: Power) -> bool:
    """Whether we understand an offer, and it binds nobody but us two."""
    match offer:
        case Peace(powers) | Zone(powers, _):
            return set(powers) <= {*mine, partner} and partner in powers
        case Alliance(powers, against):
            return set(powers) <= {*mine, partner} and not {*mine, partner} & set(against)
        case Do(power):
            return power in {*mine, partner}
    return False


def _draw_welcome(view: Mapping[str, Any], mine: list[Power]) -> bool:
    """A draw is welcome to who has less than an equal share of the centres."""
    own = sum(len(view["centres"][power]) for power in mine)
    total = sum(map(len, view["centres"].values()))
    return own * (1 + sum(1 for _ in _others(view))) <= total


@dataclass
class Bargain:
    """Compares the futures with a deal and without, with the same luck."""

    view: Mapping[str, Any]
    scene: Scene
    me: int
    engine: Engine
    dice: list[int]

    def __post_init__(self) -> None:
        free = everybody_free(self.scene)
        self.usual = self.engine.drafts(self.scene, free, self.scene.hands, self.dice)
        self.now = self._values(self.usual)

    def _values(self, rows: list[list[int]]) -> list[list[float]]:
        return self.engine.futures(self.scene, rows, self.dice, DEPTH, TASTE)

    def gains(self, partner: Power, offer: Offer) -> tuple[float, float]:
        """What the deal brings me and the partner, if both keep it."""
        them = self._hand(partner)
        rows = [list(row) for row in self.usual]
        for number in (self.me, them):
            powers = [p for n, p in enumerate(POWERS) if self.scene.hands[number] >> n & 1]
            bound = promise(self.view, powers, [offer])
            changed = bound.drafts(self.engine, self.scene, number, self.dice)
            for row, new in zip(rows, changed, strict=True):
                bound.write(self.scene, number, row, new)
        then = self._values(rows)
        return self._gain(then, self.me), self._gain(then, them)

    def _gain(self, then: list[list[float]], hand: int) -> float:
        gained = [new[hand] - old[hand] for new, old in zip(then, self.now, strict=True)]
        return math.fsum(gained) / len(gained)

    def _hand(self, power: Power) -> int:
        bit = 1 << POWERS.index(power)
        return next(n for n, hand in enumerate(self.scene.hands) if hand & bit)

    # What could be offered

    def offers(self, partner: Power) -> Iterator[Offer]:
        """Peace with a neighbour; a free zone between us; help for an attack on somebody else."""
        me, them = _speaker(self.view), self._hand(partner)
        ours, theirs = self._reach(self.me), self._reach(them)
        if not ours & theirs:
            return
        peace = Peace(tuple(sorted((me, partner))))
        yield peace
        held = {CODES[at] for at in range(COUNT) if self.scene.units[at]}
        zone = sorted(CODES[at] for at in ours & theirs if CODES[at] not in held)
        moved = [code for code in zone if self._contested(code, them)]
        if moved:
            yield All((peace, Zone(peace.powers, tuple(moved[:3]))))
        for helper, helped in ((self.me, them), (them, self.me)):
            for support in islice(self._supports(helper, helped), HELP):
                yield All((peace, support))

    def _reach(self, number: int) -> set[int]:
        found: set[int] = set()
        for at, code in enumerate(self.scene.units):
            if code and self.scene.hands[number] >> ((code - 1) // NODES) & 1:
                node = (code - 1) % NODES
                found |= {at, *TOUCH[TOUCH_FROM[node] : TOUCH_FROM[node + 1]]}
        return found

    def _usual(self, number: int) -> dict[str, Order]:
        return orders(self.scene, self.scene.hands[number], self.usual[0])

    def _contested(self, code: str, them: int) -> bool:
        """Whether we would both go there."""
        return all(
            any(_goal(order) == code for order in self._usual(number).values())
            for number in (self.me, them)
        )

    def _supports(self, helper: int, helped: int) -> Iterator[Do]:
        """Supports by one that could help an attack of the other on a third."""
        for attack in self._usual(helped).values():
            if not isinstance(attack, Move) or attack.via:
                continue
            code = self.scene.units[NUMBER[attack.to[:3]]]
            if not code or any(
                self.scene.hands[n] >> ((code - 1) // NODES) & 1 for n in (helper, helped)
            ):
                continue
            for province in self._usual(helper):
                at = NUMBER[province]
                node = (self.scene.units[at] - 1) % NODES
                if NUMBER[attack.to[:3]] in TOUCH[TOUCH_FROM[node] : TOUCH_FROM[node + 1]]:
                    yield self._support(at, attack)

    def _support(self, at: int, attack: Move) -> Do:
        code, target = self.scene.units[at] - 1, self.scene.units[NUMBER[attack.unit.province]] - 1
        order = Support(unit_of(code % NODES), attack.unit, attack.to[:3])
        return Do(POWERS[code // NODES], order, POWERS[target // NODES])


# What follows from deals


def pledges(view: Mapping[str, Any], memory: Memory) -> dict[str, Any]:
    """What deals mean for a plan, as a bot reads it in ``view["pledges"]``."""
    offers = [parse_offer(deal.offer) for deal in memory.deals]
    own = promise(view, _mine(view), offers)
    expected = []
    for deal in memory.deals:
        hand = next(e["powers"] for e in view["seats"].values() if deal.partner in e["powers"])
        theirs = promise(view, hand, [parse_offer(deal.offer)])
        trust = memory.trust(deal.partner)
        expected.append(Expected(deal.partner, theirs.barred, theirs.orders, trust))
    return Pledges(own.barred, own.orders, tuple(expected)).dump()


def promise(view: Mapping[str, Any], powers: Iterable[Power], offers: Iterable[Offer]) -> Pledges:
    """What `powers` promise with these offers: where not to go, and which orders to give."""
    mine = set(powers)
    barred: set[str] = set()
    given: list[str] = []
    for offer in offers:
        for part in parts(offer):
            match part:
                case Peace(signed) | Alliance(signed, _):
                    for other in set(signed) - mine:
                        barred |= _land(view, other)
                case Zone(signed, provinces) if mine & set(signed):
                    barred |= set(provinces)
                case Do(power, order) if power in mine:
                    given.append(str(order))
    return Pledges(tuple(sorted(barred)), tuple(given))


def _land(view: Mapping[str, Any], power: Power) -> set[str]:
    """The provinces that a power stands on or owns."""
    return {text[2:5] for text in view["units"].get(power, ())} | set(
        view["centres"].get(power, ())
    )
