"""Proposals: votes that take effect once they are agreed.

Everybody who is still in the game votes on its end, bots too (`jobs.ballots`); on pauses and the like
only people do. Absent players do not block a vote.
"""

from dataclasses import replace
from typing import Any

from sqlalchemy import select, update

from powderkeg.core.words import Msg
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.db.queue import enqueue_job
from powderkeg.server.db.rows import ENDING_KINDS, ProposalKind, ProposalRow
from powderkeg.server.lobby.join import vacate_seat
from powderkeg.server.message_json import agreed_result, dump_message
from powderkeg.server.refusals import Refused, conflict, forbidden, not_found
from powderkeg.server.schemas.press import ProposalIn, ProposalOut
from powderkeg.server.tables import labels, pauses
from powderkeg.server.tables.after_move import close_proposal, close_table, finish_game
from powderkeg.server.tables.announcements import announce, notify_proposal
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.loaded import LoadedTable, TableChange, counted_voters
from powderkeg.server.views.present import present_proposal
from powderkeg.server.views.readers import Reader, find_reader, hides_votes, is_concerned

pr = schema.proposals.c
SHOWN_BALLOTS = 50
OPEN_PROPOSALS = 20  # open proposals per seat
LEAST_DRAW = 2  # seats that share a draw
KNOWN_ARGS = {"draw": "seats", "concede": "winner", "replace": "who"}  # a deal may hold anything
BY_MAJORITY: tuple[ProposalKind, ...] = (
    "pause",
    "resume",
    "extend",
    "replace",
)  # all others need everybody


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
    if owed_votes(loaded, proposal):
        await enqueue_job(change.tx, "vote", loaded.id, change.now)
    return await _count_votes(change, proposal)


def owed_votes(loaded: LoadedTable, proposal: ProposalRow) -> list[str]:
    """The bots that have not voted yet."""
    counted = counted_voters(loaded, proposal)
    return [
        name for name in counted if loaded.seats[name].kind == "bot" and name not in proposal.votes
    ]


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
    if wish.kind in ENDING_KINDS and seat in loaded.current.marks.out:
        raise conflict("out_of_game")
    known = KNOWN_ARGS.get(wish.kind)
    if wish.kind != "deal" and (others := sorted(args.keys() - {known})):
        raise Refused(422, "bad_proposal", what=others[0])
    if wish.kind == "draw":
        _check_draw(loaded, args)
    elif known and args.get(known) not in list(loaded.seats):
        raise Refused(422, "bad_proposal", what=known)
    if wish.kind == "deal":
        if not wish.to or set(wish.to) - loaded.seats.keys() or wish.to == [seat]:
            raise Refused(422, "bad_proposal", what="to")
        if not isinstance(args.get("text"), str) or not args["text"].strip():
            raise Refused(422, "bad_proposal", what="text")
    elif any(p.kind == wish.kind for p in loaded.proposals):
        raise conflict("already_proposed")
    if sum(p.seat == seat for p in loaded.proposals) >= OPEN_PROPOSALS:
        raise conflict("proposals_enough", n=OPEN_PROPOSALS)


def _check_draw(loaded: LoadedTable, args: dict[str, Any]) -> None:
    """Refuse a draw that the table does not allow, or that names others than survivors."""
    policy, named = loaded.settings.draws, args.get("seats", [])
    if policy == "none":
        raise conflict("no_draws")
    if policy == "survivors" and named:
        raise conflict("draw_for_all")
    alive = survivors_of(loaded)
    if not isinstance(named, list) or not all(seat in alive for seat in named):
        raise Refused(422, "bad_proposal", what="seats")
    if policy == "named" and len(set(named)) < LEAST_DRAW:  # a draw of one would be a victory
        raise Refused(422, "bad_proposal", what="seats")


def survivors_of(loaded: LoadedTable) -> list[str]:
    """The seats that are still in the game."""
    return [name for name in loaded.seats if name not in loaded.current.marks.out]


def _find_voters(loaded: LoadedTable, seat: str, wish: ProposalIn) -> list[str]:
    """The seats that may vote: all survivors but the one it is about. Only those that are there
    count (`counted_voters`), but who comes back has a vote."""
    if wish.kind == "deal":
        return [name for name in loaded.seats if name in wish.to or name == seat]
    about = wish.args.get("winner" if wish.kind in ENDING_KINDS else "who")
    alive = [name for name in survivors_of(loaded) if name != about]
    there = [name for name, row in loaded.seats.items() if row.is_active and name != about]
    nobody = wish.kind not in ENDING_KINDS and not set(alive) & set(there)
    return there if nobody else alive


async def cast_vote(
    change: TableChange, number: int, seat: str | None, held: list[str], *, agree: bool
) -> ProposalRow:
    """Vote, or change a vote; the proposer withdraws the proposal by voting against it."""
    proposal = next((p for p in change.loaded.proposals if p.id == number), None)
    if proposal is None:
        raise not_found("no_such_proposal")
    counted = counted_voters(change.loaded, proposal)
    mine = [name for name in held if name in counted and seat in (None, name)]
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
    counted = counted_voters(change.loaded, proposal)
    yes = sum(proposal.votes.get(name) is True for name in counted)
    no = sum(proposal.votes.get(name) is False for name in counted)
    needed = len(counted) // 2 + 1 if proposal.kind in BY_MAJORITY else len(counted)
    if yes >= needed and counted:
        agreed = await close_proposal(change, proposal, "agreed")
        await _carry_out(change, agreed)
        return agreed
    if len(counted) - no < needed:
        await _announce_declined(change, proposal)
        return await close_proposal(change, proposal, "declined")
    return proposal


async def _announce_declined(change: TableChange, proposal: ProposalRow) -> None:
    """Say that a vote failed; where votes are open, also because of whom."""
    if proposal.kind == "deal":
        return
    matter = dump_message(Msg(f"server.matter.{proposal.kind}"))
    if hides_votes(change.loaded):
        await announce(change, "server.said.declined", what=matter)
    else:
        against = [seat for seat, agree in proposal.votes.items() if not agree]
        await announce(change, "server.said.declined_by", what=matter, by=against)


async def announce_reason(change: TableChange, seat: str, reason: str) -> None:
    """Say why a bot voted no, where votes are open."""
    if not hides_votes(change.loaded):
        await announce(change, f"server.said.{reason}", by=[seat])


async def expire_proposals(change: TableChange) -> None:
    for proposal in tuple(change.loaded.proposals):
        if proposal.expires <= change.now:
            await close_proposal(change, proposal, "expired")


async def list_ballots(
    cache: TableCache, who: Principal, table: str, seat: str | None
) -> list[ProposalOut]:
    """The latest proposals at a table that concern the reader, decided ones too; newest first."""
    async with cache.look(table) as loaded:
        reader = find_reader(loaded, who, seat)
        async with cache.store.read() as tx:
            query = select(schema.proposals).where(pr.game == table).order_by(pr.id.desc())
            rows = [ProposalRow.load(row) for row in await tx.all(query.limit(SHOWN_BALLOTS))]
        return [present_proposal(loaded, row, reader) for row in rows if is_concerned(row, reader)]


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
        texts = {key: args[key] for key in ("winner", "who") if key in args}
        await announce(change, f"server.agreed.{proposal.kind}", **texts)
    match proposal.kind:
        case "draw":
            await _end_game(change, proposal, Msg("server.result.draw"))
        case "concede":
            winner = labels.seat_words(loaded.game, args["winner"])
            await _end_game(change, proposal, Msg("server.result.concede", winner=winner))
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


async def _end_game(change: TableChange, proposal: ProposalRow, why: Msg) -> None:
    """End a game as a proposal asks for."""
    seats, scores = _agreed_seats(change.loaded, proposal), agreed_scores(change.loaded, proposal)
    await finish_game(change, agreed_result(seats, scores, why))


def _agreed_seats(loaded: LoadedTable, proposal: ProposalRow) -> list[str]:
    """The seats that win or share the game if a proposal is agreed on."""
    wanted = proposal.args.get("seats") or survivors_of(loaded)
    named = [proposal.args["winner"]] if proposal.kind == "concede" else wanted
    return [seat for seat in loaded.seats if seat in named]


def agreed_scores(loaded: LoadedTable, proposal: ProposalRow) -> dict[str, float]:
    """What the end that a proposal asks for is worth to every seat, by the game's own scoring."""
    seats = _agreed_seats(loaded, proposal)
    scores = loaded.game.agreed_scores(loaded.current.table.state, seats)
    return dict.fromkeys(loaded.seats, 0.0) | scores
