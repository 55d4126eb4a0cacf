"""Deals by Nash bargaining: the gain of each party over no deal, by the usual evaluation.

A deal binds for the turn, so its value is that of the rest of the turn with it, less that without
it. Both are played to the next card or die by the quick policy. Among deals that all parties gain
from, the one with the greatest product of gains is offered; a rival counts the other's gain as a
loss, asks for as much as may still be accepted, and for more before it accepts. With the
leader of the game a party must gain at least half of what the leader gains, so that no deal decides the
game; bots that play deals out (`line_search`) ask this only in a cautious character. A bot's character
changes what it asks of a deal (`Bargainer.in_character`).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from powderkeg.bots.engine.shares import Shares, outcome_shares
from powderkeg.bots.engine.thought import Thought
from powderkeg.bots.versailles.policy import Policy, play_policy
from powderkeg.core.errors import Illegal
from powderkeg.core.words import Msg
from powderkeg.games.versailles import words
from powderkeg.games.versailles.actions import (
    AcceptDeal,
    CounterDeal,
    Place,
    ProposeDeal,
    RefuseDeal,
    Talk,
)
from powderkeg.games.versailles.board import GAME_END, NATIONS
from powderkeg.games.versailles.flow import apply, result
from powderkeg.games.versailles.state import Deal, State, is_solo, issue_leader, nation_of
from powderkeg.games.versailles.steps import Turn

LEAST_GAIN = 0.004  # share of a game; smaller gains are no reason to agree
KING = 0.5  # part of the leader's gain that the other party must gain
RIVALRY = 0.5  # part of the other's gain that counts as a loss to one who haggles
GIFTS = (0, 3)  # cubes that a counter-offer may ask for
SUITED = 2  # options of an issue that are worth talking about
SWEETENERS = (1, 2, 3, 4)


class _Still:
    """A generator without luck, so that all parties see the same gains."""

    def randrange(self, n: int, /) -> int:
        return 0


STILL = _Still()


class DealAnswer(NamedTuple):
    """An offer or answer, the reason for it, and the code of a sentence for the others."""

    action: Talk
    reason: Msg
    spoken: str = ""

    def as_thought(self) -> Thought:
        return Thought(self.action, self.reason, spoken=self.spoken)


class WeighedOffer(NamedTuple):
    """An offer to another nation, how attractive it is, and what every seat gains."""

    appeal: float
    action: ProposeDeal
    gains: Shares
    other: int


@dataclass(frozen=True)
class Bargainer:
    """Weighs deals with a policy's mind."""

    policy: Policy
    rivalry: float | None = (
        None  # part of the other's gain that counts as a loss; None: both count equally
    )
    gifts: tuple[int, ...] = GIFTS
    haggles: bool = False  # asks for more before it accepts
    least: float = LEAST_GAIN  # what it must gain itself,
    king: float = KING  # and what part of the leader's gain
    rounds: int = 1  # own offers in a turn after which it no longer makes a counter-offer

    def in_character(self, character: str) -> "Bargainer":
        """The same bargainer as a loyal bot, which shares every gain; as an opportunist, which takes
        what it can; or as a cautious one, which wants to be sure.
        """
        match character:
            case "loyal":
                return replace(self, rivalry=None, gifts=GIFTS, haggles=False, least=0.0, rounds=1)
            case "opportunist":
                return replace(self, rivalry=RIVALRY, gifts=tuple(range(7)), haggles=True)
            case "cautious":
                return replace(self, least=3 * LEAST_GAIN, king=1.0)
        return self

    # What a deal is worth

    def shares(self, p: State) -> Shares:
        """The expected shares after the rest of the turn."""
        p = play_policy(self.policy, p, STILL, p.turn + 1, chance=False)
        over = result(p)
        return self.policy.judge.shares(p) if over is None else outcome_shares(over)

    def seat_gains(self, before: Shares, after: Shares) -> Shares:
        """The gain of each seat, less a part of the best rival's gain."""
        return {
            seat: self._seat_worth(after, seat) - self._seat_worth(before, seat) for seat in before
        }

    def _seat_worth(self, shares: Shares, seat: str) -> float:
        best = max(n for other, n in shares.items() if other != seat)
        return shares[seat] - self.policy.judge.weights.hinder * best

    def suits_me(self, before: Shares, gains: Shares, seat: str, others: Sequence[str]) -> bool:
        """Whether my own seat gains as much as I ask of a deal."""
        return is_fair(before, gains, seat, others, self.least, self.king)

    def deal_appeal(self, mine: float, theirs: float) -> float:
        """How attractive a deal is, by the gains of both."""
        if self.rivalry is None:
            return math.sqrt(max(0.0, mine) * theirs)
        return mine - self.rivalry * theirs

    # Answering

    def answer_offer(self, p: State, seat: str) -> DealAnswer | None:
        """The answer to the first open offer; None if there is none."""
        deal = next(iter(offers_to_answer(p, seat)), None)
        if deal is None:
            return None
        by = seat_of_nation(p, deal.by)
        before = self.shares(_after_refusal(p, seat, deal))
        signed = _after_signing(p, deal)
        if signed is None:
            void = Msg("versailles_bots.refuse.void")
            return DealAnswer(RefuseDeal(deal.number), void, "versailles_bots.say.void")
        gains = self.seat_gains(before, self.shares(signed))
        if (
            self.haggles
            and (more := self.counter_offer(p, seat, deal, before, gains[seat])) is not None
        ):
            return more
        others = [seat_of_nation(p, n) for n in deal.parties if n != nation_of(p, seat)]
        nation, percent = words.NATION[deal.by], _percent_text(gains[seat])
        if self.suits_me(before, gains, seat, others):
            reason = Msg("versailles_bots.accept", nation=nation, percent=percent)
            return DealAnswer(AcceptDeal(deal.number), reason)
        if (better := self.counter_offer(p, seat, deal, before)) is not None:
            return better
        code = "king" if gains[seat] > self.least and gains[by] > 0 else "worse"
        reason = Msg(f"versailles_bots.refuse.{code}", nation=nation, percent=percent)
        spoken = "little" if code == "worse" and gains[seat] > 0 else code
        return DealAnswer(RefuseDeal(deal.number), reason, f"versailles_bots.say.{spoken}")

    def counter_offer(
        self, p: State, seat: str, deal: Deal, before: Shares, least: float = 0.0
    ) -> DealAnswer | None:
        """The same deal with some influence on top, if both gain; once per turn.

        A bot that haggles asks for the best deal above `least`, the others for the first one that
        will do.
        """
        if p.offers[nation_of(p, seat)] >= self.rounds or len(deal.parties) != 2:
            return None
        suits = self._sweetened_offers(p, seat, deal, before)
        if not self.haggles:
            return next((said for said, _ in suits), None)
        other = seat_of_nation(p, deal.by)
        signed = [(said, gains) for said, gains in suits if is_fair(before, gains, other, [seat])]
        said, gains = max(signed, key=lambda pair: pair[1][seat], default=(None, {}))
        return said if said and gains[seat] > least else None

    def _sweetened_offers(
        self, p: State, seat: str, deal: Deal, before: Shares
    ) -> Iterator[tuple[DealAnswer, Shares]]:
        other = seat_of_nation(p, deal.by)
        for n, terms in self._asked_terms(deal, nation_of(p, seat)):
            action = CounterDeal(deal.number, terms)
            after = self._shares_if_agreed(p, seat, action)
            if after is None:
                continue
            gains = self.seat_gains(before, after)
            if self.suits_me(before, gains, seat, [other]) and gains[other] > LEAST_GAIN:
                code = "counter" if self.rounds == 1 else "counter_more"
                reason = Msg(f"versailles_bots.{code}", nation=words.NATION[deal.by], n=n)
                yield DealAnswer(action, reason, "versailles_bots.say.counter"), gains

    def _asked_terms(self, deal: Deal, me: int) -> Iterator[tuple[int, tuple[str, ...]]]:
        """The terms of counter-offers, and the influence they ask for on top. Who talks on asks for less
        than it was asked for, too: what it would give is struck first."""
        asked, given = _gift_stem(deal.by, me), _gift_stem(me, deal.by)
        terms = [t for t in deal.terms if not t.startswith(asked)]
        if self.rounds == 1:
            for n in SWEETENERS:
                yield n, (*terms, f"{asked}{n}")
            return
        bare = [t for t in terms if not t.startswith(given)]
        net = _given_cubes(deal, asked) - _given_cubes(deal, given)
        for n in range(net + 1, self.gifts[-1] + 1):
            gift = f"{asked}{n}" if n > 0 else f"{given}{-n}" if n else ""
            if bare or gift:
                yield n - net, tuple(filter(None, (*bare, gift)))

    def _shares_if_agreed(self, p: State, seat: str, action: Talk) -> Shares | None:
        """The shares if the others accept; None if the deal cannot be offered."""
        try:
            offered = apply(p, seat, action).state
            signed = _after_signing(offered, offered.deals[-1])
        except Illegal:
            return None
        return None if signed is None else self.shares(signed)

    # Offering

    def make_offer(self, p: State, seat: str) -> DealAnswer | None:
        """The best deal for this turn, if there is one; at most one offer per turn."""
        best = max(self.weighed_offers(p, seat), key=lambda offer: offer.appeal, default=None)
        return None if best is None else explain_offer(p, seat, best, best.gains[seat])

    def weighed_offers(self, p: State, seat: str) -> Iterator[WeighedOffer]:
        """The deals for this turn that both gain from."""
        me = nation_of(p, seat)
        if not _may_offer(p, me):
            return
        before = self.shares(p)
        for other, terms in self.deal_ideas(p, me):
            partner = seat_of_nation(p, other)
            action = ProposeDeal((NATIONS[other],), terms)
            after = self._shares_if_agreed(p, seat, action)
            if after is None:
                continue
            gains = self.seat_gains(before, after)
            fair = is_fair(before, gains, partner, [seat])
            if fair and self.suits_me(before, gains, seat, [partner]):
                appeal = self.deal_appeal(gains[seat], gains[partner])
                yield WeighedOffer(appeal, action, gains, other)

    def deal_ideas(self, p: State, me: int) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Deals that people make: settle for an option, an option for influence, hands off."""
        for issue in p.table:
            first = issue_leader(p, issue)
            if issue != GAME_END and first in p.order:
                yield from (
                    self._for_me(p, me, issue, first)
                    if first != me
                    else self._for_them(p, me, issue)
                )
        plan = self.policy.choose_action(p, seat_of_nation(p, me), STILL)
        if (
            isinstance(plan, Place)
            and (first := issue_leader(p, plan.issue)) in p.order
            and first != me
        ):
            shun = f"{NATIONS[me]}.shun.{plan.issue}"
            for n in self.gifts[1:]:
                yield first, _sorted_terms(me, shun, _gift_term(first, me, n))

    def _for_me(
        self, p: State, me: int, issue: str, first: int
    ) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Deals in which I settle an issue that another leads, who pays or chooses an option that
        suits me.
        """
        judge, settle = self.policy.judge, f"{NATIONS[me]}.settle.{issue}"
        options = sorted(
            p.pack.issues[issue].options,
            key=lambda o: -judge.option_effect(p, o, me) - judge.option_bonus(p, o, first),
        )
        for option in options[:SUITED]:
            chosen = f"{NATIONS[first]}.option.{issue}.{option.id}"
            for n in self.gifts:
                yield first, _sorted_terms(me, settle, chosen, _gift_term(first, me, n))

    def _for_them(self, p: State, me: int, issue: str) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Deals in which I settle an issue that I lead and choose another's option, who pays for
        it.
        """
        judge, options = self.policy.judge, p.pack.issues[issue].options
        mine = max(options, key=lambda o: judge.option_bonus(p, o, me))
        for other in p.order:
            theirs = max(
                options,
                key=lambda o: judge.option_effect(p, o, other) + judge.option_bonus(p, o, me),
            )
            if other != me and theirs != mine:
                terms = f"{NATIONS[me]}.settle.{issue}", f"{NATIONS[me]}.option.{issue}.{theirs.id}"
                for n in self.gifts[1:]:
                    yield other, _sorted_terms(me, *terms, _gift_term(other, me, n))


def is_fair(
    before: Shares,
    gains: Shares,
    seat: str,
    others: Sequence[str],
    least: float = LEAST_GAIN,
    king: float = KING,
) -> bool:
    """Whether `seat` gains, and enough if another party leads the game."""
    first = max(before, key=lambda s: before[s])
    mine = gains[seat]
    kings = [gains[other] for other in others if other == first]
    return mine > least and all(mine >= king * gain for gain in kings)


def explain_offer(p: State, seat: str, offer: WeighedOffer, gain: float) -> DealAnswer:
    """The offer with its reason: what both gain by it."""
    reason = Msg(
        "versailles_bots.propose",
        nation=words.NATION[offer.other],
        percent=_percent_text(gain),
        theirs=_percent_text(offer.gains[seat_of_nation(p, offer.other)]),
    )
    return DealAnswer(offer.action, reason)


def explain_answer(deal: Deal, action: AcceptDeal | RefuseDeal, gain: float) -> DealAnswer:
    """A yes or no with its reason: what the one who answers gains."""
    nation, percent = words.NATION[deal.by], _percent_text(gain)
    if isinstance(action, AcceptDeal):
        return DealAnswer(action, Msg("versailles_bots.accept", nation=nation, percent=percent))
    reason = Msg("versailles_bots.refuse.worse", nation=nation, percent=percent)
    return DealAnswer(action, reason, f"versailles_bots.say.{'little' if gain > 0 else 'worse'}")


def agreed_state(p: State, seat: str, action: Talk) -> State:
    """The position after an offer or an answer, once all who are asked agree."""
    after: State = apply(p, seat, action).state
    if isinstance(action, RefuseDeal):
        return after
    number = action.deal if isinstance(action, AcceptDeal) else after.deals[-1].number
    deal = next(each for each in after.deals if each.number == number)
    signed = _after_signing(after, deal)
    return after if signed is None else signed


def _sorted_terms(me: int, *terms: str) -> tuple[str, ...]:
    """The terms in the order of the forms: the own ones first."""
    mine = NATIONS[me] + "."
    return tuple(sorted(filter(None, terms), key=lambda term: not term.startswith(mine)))


def _gift_term(giver: int, taker: int, n: int) -> str:
    return f"{_gift_stem(giver, taker)}{n}" if n else ""


def _gift_stem(giver: int, taker: int) -> str:
    return f"{NATIONS[giver]}.give.{NATIONS[taker]}."


def _given_cubes(deal: Deal, stem: str) -> int:
    return sum(int(term.removeprefix(stem)) for term in deal.terms if term.startswith(stem))


def _may_offer(p: State, nation: int) -> bool:
    """Whether to offer now: once, at the start of the own turn, and not while another offer is
    open.
    """
    return (
        not is_solo(p)
        and p.active == nation
        and isinstance(p.agenda[-1], Turn)
        and not (p.political or p.deals or p.offers[nation])
    )


def offers_to_answer(p: State, seat: str) -> Iterator[Deal]:
    """Offers that wait for an answer of `seat`."""
    if p.deals:
        nation = nation_of(p, seat)
        for deal in p.deals:
            if not deal.made and nation in deal.parties and nation not in deal.agreed:
                yield deal


def pending_offers(p: State) -> tuple[tuple[str, str], ...]:
    """Seats with an offer to answer, and that offer: for callers that ask bots out of turn."""
    return tuple((seat, str(deal.number)) for seat in p.seats for deal in offers_to_answer(p, seat))


def seat_of_nation(p: State, nation: int) -> str:
    return p.seats[p.order.index(nation)]


def _after_refusal(p: State, seat: str, deal: Deal) -> State:
    state: State = apply(p, seat, RefuseDeal(deal.number)).state
    return state


def _after_signing(p: State, deal: Deal) -> State | None:
    """The position once all parties have agreed; None if a term can no longer be kept."""
    try:
        for nation in deal.parties:
            if nation not in deal.agreed:
                p = apply(p, seat_of_nation(p, nation), AcceptDeal(deal.number)).state
    except Illegal:
        return None
    return p


def _percent_text(gain: float) -> str:
    return f"{100 * gain:+.1f}"
