"""Unsettled issues: bidding for them, paying, and settling them again (V-UPR-15..31)."""

from collections.abc import Iterator

from powderkeg.core.chance import Rng
from powderkeg.core.errors import Illegal
from powderkeg.games.versailles import words
from powderkeg.games.versailles.actions import Bid, Choose, Pass
from powderkeg.games.versailles.board import NATIONS, NOBODY, REGIONS
from powderkeg.games.versailles.rules.answers import DescribedAnswers, pick_one
from powderkeg.games.versailles.rules.military import exhaust_unit
from powderkeg.games.versailles.rules.solo import bot_bids
from powderkeg.games.versailles.rules.tracks import add_happiness
from powderkeg.games.versailles.state import (
    Held,
    Position,
    StateBuilder,
    clockwise_from,
    is_solo,
    post_of,
)
from powderkeg.games.versailles.steps import (
    Bidding,
    ChangeFaction,
    ChooseOption,
    ChooseUnsettled,
    Reset,
    SoloBid,
    SoloWinner,
    StartBid,
    Unsettle,
)


def unsettle_issue(b: StateBuilder, step: Unsettle) -> None:
    """In solitaire the human first takes the weakest faction (V-SOLO-33)."""
    b.push(ChooseUnsettled(step.issues, step.nation, step.region))
    if is_solo(b):
        b.push(ChangeFaction())


def start_bid(b: StateBuilder, step: StartBid) -> None:
    """The controller of the issue bids first, then clockwise (V-UPR-15)."""
    issue, region = step.issue, step.region
    owner = b.held[issue].owner
    b.held = {other: held for other, held in b.held.items() if other != issue}
    b.limbo = issue
    b.unsettled = True
    b.say(
        "versailles.unsettled",
        "V-UPR-14",
        issue=words.issue_name(issue),
        nation=words.NATION[owner],
    )
    if is_solo(b):
        bids = bot_bids(b, issue)
        for nation, bid in bids:
            _tell_bid(b, nation, bid, "V-SOLO-36")
        b.push(SoloBid(issue, region, bids))
        return
    first = owner if owner in b.order else b.active  # V-2P-18
    b.push(Bidding(issue, region, clockwise_from(b.order, first)))


# Legal bids


def biddable_units(p: Position, nation: int, issue: str) -> tuple[int, int]:
    """Units that may be bid: available ones, and one in the issue's own region (V-UPR-17)."""
    card = p.pack.issues[issue]
    if card.no_military:
        return 0, 0
    local = card.region < len(REGIONS) and post_of(p, nation, card.region)
    return p.ready[nation], 1 if local else 0


def unit_bids(
    p: Position, nation: int, issue: str, best: Bid, cubes: int
) -> Iterator[tuple[int, int, int]]:
    """Sets of units with the fewest of `cubes` that make them beat `best` (V-UPR-20, 21)."""
    ready, local = biddable_units(p, nation, issue)
    least = best.strength
    for there in range(local + 1):
        for units in range(ready + 1):
            strength = units + 2 * there
            if strength >= least:
                few = best.cubes + 1 if strength == least else 0
                if few <= cubes:
                    yield units, there, few


def can_bid(p: Position, nation: int, issue: str, best: Bid) -> bool:
    return next(unit_bids(p, nation, issue, best, p.available[nation]), None) is not None


def might_bid(p: Position, nation: int, issue: str, best: Bid) -> bool:
    """Whether an exchange of influence could still let `nation` raise (V-NEG-08)."""
    most = p.pack.board.most_exchanged
    help_ = sum(min(most, p.available[other]) for other in p.order if other != nation)
    cubes = p.available[nation] + min(help_, p.exhausted[nation])
    return next(unit_bids(p, nation, issue, best, cubes), None) is not None


def possible_raises(p: Position, nation: int, issue: str, best: Bid) -> list[Bid | Pass]:
    """Every bid that beats the best, and passing."""
    bids = [
        Bid(units, local, cubes)
        for units, local, few in unit_bids(p, nation, issue, best, p.available[nation])
        for cubes in range(few, p.available[nation] + 1)
    ]
    return [*bids, Pass()]


def check_bid(p: Position, nation: int, issue: str, best: Bid, bid: Bid) -> None:
    """Raise the reason why this bid is refused."""
    ready, local = biddable_units(p, nation, issue)
    if p.pack.issues[issue].no_military and (bid.units or bid.local):
        raise Illegal(
            "versailles.refused.no_military", rule="V-UPR-19", issue=words.issue_name(issue)
        )
    if bid.units > ready or bid.local > local:
        raise Illegal(
            "versailles.refused.units_short", rule="V-UPR-17", force=words.force_text(ready, local)
        )
    if bid.cubes > p.available[nation]:
        raise Illegal("versailles.refused.cubes_short", rule="V-UPR-16", n=p.available[nation])
    if bid.rank == (0, 0):
        raise Illegal("versailles.refused.empty_bid", rule="V-UPR-21")
    if bid.rank <= best.rank:
        cubes = words.count_text("cubes", best.cubes)
        raise Illegal(
            "versailles.refused.low_bid", rule="V-UPR-20", strength=best.strength, cubes=cubes
        )


def check_raise(p: Position, nation: int, issue: str, best: Bid, action: object) -> None:
    """Raise the reason why this is neither a pass nor beats the best bid."""
    if isinstance(action, Bid):
        check_bid(p, nation, issue, best, action)
    elif not isinstance(action, Pass):
        raise Illegal("versailles.refused.not_offered", rule="V-UPR-16", action=str(action))


def bid_answers(p: Position, step: Bidding) -> DescribedAnswers:
    nation, issue, best = step.waiting[0], step.issue, step.best
    return DescribedAnswers(
        lambda: possible_raises(p, nation, issue, best),
        lambda action: check_raise(p, nation, issue, best, action),
        lambda rng: sample_bid(p, nation, issue, best, rng),
    )


def solo_bid_answers(p: Position, step: SoloBid) -> DescribedAnswers:
    best = best_bid(step)
    return DescribedAnswers(
        lambda: possible_raises(p, p.human, step.issue, best),
        lambda action: check_raise(p, p.human, step.issue, best, action),
        lambda rng: pick_one(possible_raises(p, p.human, step.issue, best), rng),
    )


def sample_bid(p: Position, nation: int, issue: str, best: Bid, rng: Rng) -> Bid | Pass:
    """Pass half of the time, else units first, then how many cubes."""
    forces = list(unit_bids(p, nation, issue, best, p.available[nation]))
    if not forces or rng.randrange(2):
        return Pass()
    units, local, few = pick_one(forces, rng)
    return Bid(units, local, few + rng.randrange(p.available[nation] - few + 1))


# Bidding


def place_bid(b: StateBuilder, step: Bidding, action: Bid | Pass) -> None:
    """A bid replaces all earlier ones (V-UPR-22); a nation that passes is out (V-UPR-24)."""
    nation, *rest = step.waiting
    best, leading = step.best, step.leader
    if isinstance(action, Bid):
        best, leading = action, nation
        rest.append(nation)
        _tell_bid(b, nation, action, "V-UPR-20")
    else:
        b.say("versailles.passes", "V-UPR-24", nation=words.NATION[nation])
    if rest and rest != [leading]:
        b.push(Bidding(step.issue, step.region, tuple(rest), leading, best))
    elif leading == NOBODY:
        nobody_bids(b, step.issue, step.region)
    else:
        award_issue(b, step.issue, step.region, leading, best)


def _tell_bid(b: StateBuilder, nation: int, bid: Bid, rule: str) -> None:
    b.say(
        "versailles.bids",
        rule,
        nation=words.NATION[nation],
        strength=bid.strength,
        force=words.force_text(bid.units, bid.local),
        cubes=words.count_text("cubes", bid.cubes),
    )


def nobody_bids(b: StateBuilder, issue: str, region: int) -> None:
    """On top of the discard pile (V-UPR-29); powder keg and unrest are reset all the same."""
    b.pile = (issue, *b.pile)
    b.limbo = ""
    b.say("versailles.discarded", "V-UPR-29", issue=words.issue_name(issue))
    if region != NOBODY:
        b.push(Reset(region))


def award_issue(b: StateBuilder, issue: str, region: int, nation: int, bid: Bid) -> None:
    """The winner pays all of the last bid and chooses an option again (V-UPR-27..31)."""
    b.limbo = ""
    b.held = {**b.held, issue: Held(nation)}
    b.say("versailles.wins", "V-UPR-25", nation=words.NATION[nation], issue=words.issue_name(issue))
    b.push(ChooseOption(issue, nation))
    if region != NOBODY:
        b.push(Reset(region))
    for _ in range(bid.units):
        exhaust_unit(b, nation, "available", "V-UPR-27")
    if bid.local:
        place = REGIONS[b.pack.issues[issue].region]
        exhaust_unit(b, nation, place, "V-UPR-27")
    if bid.cubes:
        b.exhaust(nation, bid.cubes)
        b.say("versailles.exhausted", "V-UPR-27", nation=words.NATION[nation], n=bid.cubes)
    add_happiness(b, nation, -(bid.units + bid.local), "V-UPR-28")  # mutiny comes first


def forced_pass(p: Position, step: Bidding) -> Pass | None:
    """A player who can no longer raise is not asked."""
    return None if might_bid(p, step.waiting[0], step.issue, step.best) else Pass()


# Solitaire


def forced_solo_pass(p: Position, step: SoloBid) -> Pass | None:
    return None if can_bid(p, p.human, step.issue, best_bid(step)) else Pass()


def best_bid(step: SoloBid | SoloWinner) -> Bid:
    return max((bid for _, bid in step.bids), key=lambda bid: bid.rank)


def solo_bid(b: StateBuilder, step: SoloBid, action: Bid | Pass) -> None:
    """One decision: beat the best bot, or leave the issue to it (V-SOLO-39)."""
    if isinstance(action, Bid):
        _tell_bid(b, b.human, action, "V-SOLO-39")
        award_issue(b, step.issue, step.region, b.human, action)
        return
    b.say("versailles.passes", "V-SOLO-39", nation=words.NATION[b.human])
    best = best_bid(step)
    if best.rank == (0, 0):
        nobody_bids(b, step.issue, step.region)  # V-SOLO-40
        return
    tied = tuple((nation, bid) for nation, bid in step.bids if bid.rank == best.rank)
    b.push(SoloWinner(step.issue, step.region, tied))


def winner_choices(p: Position, step: SoloWinner) -> list[Choose]:
    return [Choose(NATIONS[nation]) for nation, _ in step.bids]


def solo_winner(b: StateBuilder, step: SoloWinner, action: Choose) -> None:
    nation = NATIONS.index(action.what)
    award_issue(b, step.issue, step.region, nation, dict(step.bids)[nation])
