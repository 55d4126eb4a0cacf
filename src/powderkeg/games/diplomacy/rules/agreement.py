"""Ending a game by agreement: proposals, and secret answers to them (D-WIN-04)."""

from collections.abc import Iterator
from typing import NamedTuple

from powderkeg.core.errors import Illegal
from powderkeg.core.game import Fact, Seat, fact, private_fact
from powderkeg.games.diplomacy.actions import DRAW, Accept, Ballot, Propose, Refuse, Withdraw
from powderkeg.games.diplomacy.state import Ending, Proposal, State, survivors
from powderkeg.games.diplomacy.words import proposal_name, seat_name


class BallotResult(NamedTuple):
    """The proposals after a ballot, its fact, and the ending if all agree."""

    proposals: tuple[Proposal, ...]
    fact: Fact
    ending: Ending | None = None


def required_voters(state: State, what: str) -> frozenset[Seat]:
    """The seats that must agree to this ending: all survivors except the one that would win."""
    return frozenset(survivors(state)) - {what}


def ballot_refusal(state: State, seat: Seat, action: Ballot) -> Illegal | None:
    """Why `seat` may not cast this ballot now; None if it may."""
    what = action.what
    if what != DRAW and what not in state.hands:
        return Illegal("diplomacy.no_such_proposal", rule="D-WIN-04")
    if seat not in survivors(state) or state.in_sandbox:
        return Illegal("diplomacy.no_voice", rule="D-WIN-04")
    found = [each for each in state.proposals if each.what == what]
    if isinstance(action, Propose):
        if what != DRAW and what not in survivors(state):
            return Illegal("diplomacy.no_voice", rule="D-WIN-04")
        return Illegal("diplomacy.proposed_already", rule="D-WIN-04") if found else None
    if not found:
        return Illegal("diplomacy.not_proposed", rule="D-WIN-04", what=proposal_name(what))
    return _answer_refusal(state, seat, action, found[0])


def _answer_refusal(
    state: State, seat: Seat, action: Accept | Refuse | Withdraw, proposal: Proposal
) -> Illegal | None:
    mine = proposal.by == seat
    if isinstance(action, Withdraw):
        return None if mine else Illegal("diplomacy.not_your_proposal", rule="D-WIN-04")
    answered = proposal.yes if isinstance(action, Accept) else proposal.no
    if mine or seat not in required_voters(state, proposal.what) or seat in answered:
        what = proposal_name(proposal.what)
        return Illegal("diplomacy.answered_already", rule="D-WIN-04", what=what)
    return None


def open_ballots(state: State, seat: Seat) -> Iterator[Ballot]:
    """Proposals that `seat` may make, answer or withdraw."""
    alive = survivors(state)
    if seat not in alive or state.in_sandbox:
        return
    proposed = {each.what: each for each in state.proposals}
    for what in (DRAW, *state.hands):
        if what not in proposed:
            if what == DRAW or what in alive:
                yield Propose(what)
        elif proposed[what].by == seat:
            yield Withdraw(what)
        elif what != seat:
            if seat not in proposed[what].yes:
                yield Accept(what)
            if seat not in proposed[what].no:
                yield Refuse(what)


def count_ballot(state: State, seat: Seat, action: Ballot) -> BallotResult:
    """Count a legal ballot."""
    what, mine = action.what, frozenset({seat})
    others = tuple(each for each in state.proposals if each.what != what)
    match action:
        case Propose():
            proposal = Proposal(what, seat, mine)
            return _tally_votes(
                state, others, proposal, _public_fact("diplomacy.proposes", seat, what)
            )
        case Withdraw():
            return BallotResult(others, _public_fact("diplomacy.withdraws", seat, what))
        case Accept():
            code, yes, no = "diplomacy.accepts", mine, frozenset[Seat]()
        case Refuse():
            code, yes, no = "diplomacy.refuses", frozenset[Seat](), mine
    old = next(each for each in state.proposals if each.what == what)
    new = old._replace(yes=old.yes - mine | yes, no=old.no - mine | no)
    answer = private_fact(mine, code, "D-WIN-04", what=proposal_name(what))
    return _tally_votes(state, others, new, answer)


def _public_fact(code: str, seat: Seat, what: str) -> Fact:
    return fact(code, "D-WIN-04", seat=seat_name(seat), what=proposal_name(what))


def _tally_votes(
    state: State, others: tuple[Proposal, ...], new: Proposal, ballot_fact: Fact
) -> BallotResult:
    proposals = tuple(sorted((*others, new)))
    if not required_voters(state, new.what) <= new.yes:
        return BallotResult(proposals, ballot_fact)
    ending = (
        Ending("draw", survivors(state)) if new.what == DRAW else Ending("concession", (new.what,))
    )
    return BallotResult(proposals, ballot_fact, ending)
