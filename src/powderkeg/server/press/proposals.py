"""Proposals: votes that take effect once they are agreed. Absent players do not block them."""

from dataclasses import replace

from sqlalchemy import select, update

from powderkeg.core.words import Msg
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.db.queue import enqueue_job
from powderkeg.server.db.rows import ProposalKind, ProposalRow
from powderkeg.server.lobby.join import vacate_seat
from powderkeg.server.message_json import agreed_result
from powderkeg.server.refusals import Refused, conflict, forbidden, not_found
from powderkeg.server.schemas.press import ProposalIn, ProposalOut
from powderkeg.server.tables import labels, pauses
from powderkeg.server.tables.after_move import close_proposal, close_table, finish_game
from powderkeg.server.tables.announcements import announce, notify_proposal
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.loaded import LoadedTable, TableChange
from powderkeg.server.views.present import present_proposal
from powderkeg.server.views.readers import Reader, is_concerned

pr = schema.proposals.c
OPEN_PROPOSALS = 20  # of one seat at a time
BY_MAJORITY: tuple[ProposalKind, ...] = ("pause", "resume", "extend", "replace")  # else by all


async def make_proposal(change: TableChange, seat: str, wish: ProposalIn) -> ProposalRow:
    """Make a proposal; the seat that makes it votes for it."""
    loaded = change.loaded
    _check_proposal(loaded, wish, seat)
    voters = _find_voters(loaded, seat, wish)
    row = {
        "game": loaded.id,
        "kind": wish.kind,
        "seat": seat,
        "voters": voters,
        "args": wish.args,
        "votes": {seat: True} if seat in voters else {},
        "status": "open",
        "created": change.now,
        "expires": change.now + wish.hours * 3600,
    }
    stored = await change.tx.one(
        schema.proposals.insert().values(**row).returning(schema.proposals)
    )
    assert stored is not None  # noqa: S101  # an insert returns its row
    proposal = ProposalRow.load(stored)
    loaded.proposals.append(proposal)
    change.touch()
    key = f"expire:{proposal.id}"
    await enqueue_job(change.tx, "expire", loaded.id, proposal.expires, key)
    await notify_proposal(change, proposal)
    return await _count_votes(change, proposal)


def _check_proposal(loaded: LoadedTable, wish: ProposalIn, seat: str) -> None:
    status, args = loaded.row.status, wish.args
    if status not in ("live", "paused"):
        raise conflict(f"table_{status}")
    if wish.kind == "resume" and status != "paused":
        raise conflict("table_live")
    if wish.kind in ("pause", "extend") and status != "live":
        raise conflict("table_paused")
    if wish.kind == "pause" and not loaded.settings.pausing:
        raise conflict("no_pausing")
    need = {"concede": "winner", "replace": "who"}.get(wish.kind)
    if need and args.get(need) not in loaded.seats:
        raise Refused(422, "bad_proposal", what=need)
    if wish.kind == "deal":
        if not wish.to or set(wish.to) - loaded.seats.keys() or wish.to == [seat]:
            raise Refused(422, "bad_proposal", what="to")
        if not isinstance(args.get("text"), str) or not args["text"].strip():
            raise Refused(422, "bad_proposal", what="text")
    elif any(p.kind == wish.kind for p in loaded.proposals):
        raise conflict("already_proposed")
    if sum(p.seat == seat for p in loaded.proposals) >= OPEN_PROPOSALS:
        raise conflict("proposals_enough", n=OPEN_PROPOSALS)


def _find_voters(loaded: LoadedTable, seat: str, wish: ProposalIn) -> list[str]:
    """The seats that may vote: those of active people whom the proposal concerns."""
    there = [name for name, row in loaded.seats.items() if row.is_active]
    match wish.kind:
        case "deal":
            return [name for name in loaded.seats if name in wish.to or name == seat]
        case "concede":
            return [name for name in there if name != wish.args.get("winner")]
        case "replace":
            return [name for name in there if name != wish.args.get("who")]
    return there


async def cast_vote(
    change: TableChange, number: int, seat: str | None, held: list[str], *, agree: bool
) -> ProposalRow:
    """Vote, or change a vote; the proposer withdraws the proposal by voting against it."""
    proposal = next((p for p in change.loaded.proposals if p.id == number), None)
    if proposal is None:
        raise not_found("no_such_proposal")
    mine = [name for name in held if name in proposal.voters and seat in (None, name)]
    proposed = proposal.seat in held and seat in (None, proposal.seat)
    if not mine and not (proposed and not agree):
        raise forbidden("cannot_vote")
    proposal = replace(proposal, votes={**proposal.votes, **dict.fromkeys(mine, agree)})
    change.loaded.replace_proposal(proposal)
    change.touch()
    changed = update(schema.proposals).where(pr.id == number)
    await change.tx.run(changed.values(votes=proposal.votes))
    if not agree and proposed:
        return await close_proposal(change, proposal, "withdrawn")
    return await _count_votes(change, proposal)


async def count_all_votes(change: TableChange) -> None:
    """Count again after somebody became absent: a proposal that waited for them may be decided."""
    for proposal in tuple(change.loaded.proposals):
        await _count_votes(change, proposal)


async def _count_votes(change: TableChange, proposal: ProposalRow) -> ProposalRow:
    """Decide a proposal if nothing can change its outcome any more."""
    seats, is_deal = change.loaded.seats, proposal.kind == "deal"
    counted = [name for name in proposal.voters if seats[name].is_active or is_deal]
    yes = sum(proposal.votes.get(name) is True for name in counted)
    no = sum(proposal.votes.get(name) is False for name in counted)
    needed = len(counted) // 2 + 1 if proposal.kind in BY_MAJORITY else len(counted)
    if yes >= needed and counted:
        agreed = await close_proposal(change, proposal, "agreed")
        await _carry_out(change, agreed)
        return agreed
    if len(counted) - no < needed:
        return await close_proposal(change, proposal, "declined")
    return proposal


async def expire_proposals(change: TableChange) -> None:
    for proposal in tuple(change.loaded.proposals):
        if proposal.expires <= change.now:
            await close_proposal(change, proposal, "expired")


async def list_inbox(cache: TableCache, who: Principal) -> list[ProposalOut]:
    """Every open proposal at a person's tables that concerns them."""
    user, s = who.need_user("read"), schema.seats.c
    mine = pr.game.in_(select(s.game).where(s.user == user).scalar_subquery())
    async with cache.store.read() as tx:
        query = select(schema.proposals).where(mine, pr.status == "open").order_by(pr.id)
        rows = [ProposalRow.load(row) for row in await tx.all(query)]
    found = []
    for row in rows:
        async with cache.look(row.game) as loaded:
            held = tuple(loaded.held_by(user, frozenset()))
            readers = [Reader(who, seat, held, lang=who.lang) for seat in held]
            concerned = [reader for reader in readers if is_concerned(row, reader)]
            if concerned:
                found.append(present_proposal(loaded, row, concerned[0]))
    return found


async def _carry_out(change: TableChange, proposal: ProposalRow) -> None:
    loaded, args = change.loaded, proposal.args
    if proposal.kind != "deal":
        texts = {key: value for key, value in args.items() if isinstance(value, str)}
        await announce(change, f"server.agreed.{proposal.kind}", **texts)
    match proposal.kind:
        case "draw":
            share = [s for s in args.get("seats", []) if s in loaded.seats] or list(loaded.seats)
            rest = [s for s in loaded.seats if s not in share]
            await finish_game(change, agreed_result([share, rest], Msg("server.result.draw")))
        case "concede":
            winner = args["winner"]
            rest = [s for s in loaded.seats if s != winner]
            why = Msg("server.result.concede", winner=labels.seat_words(loaded.game, winner))
            await finish_game(change, agreed_result([[winner], rest], why))
        case "cancel":
            close_table(change)
        case "pause":
            await pauses.pause_table(change)
        case "resume":
            pauses.resume_table(change)
        case "extend":
            pauses.extend_deadlines(change)
        case "replace":
            vacate_seat(change, args["who"])
