"""Press and proposals. A channel is a set of seats; what is said stays said.

Proposals are votes that have an effect when they are agreed: the absent do not block them.
"""

from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

from sqlalchemy import or_, select, update
from sqlalchemy.exc import IntegrityError

from powderkeg.core.words import Msg, say
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.bots import envoys
from powderkeg.server.db import schema
from powderkeg.server.db.queue import ask_job
from powderkeg.server.notices import outbox
from powderkeg.server.press import offers
from powderkeg.server.refusals import Refused, conflict, forbidden, not_found
from powderkeg.server.schemas.press import PressIn, PressOut, PressPage, ProposalIn
from powderkeg.server.tables import present
from powderkeg.server.tables.cache import Change, Rec, Room, Rooms
from powderkeg.server.tables.present import Reader

ps, pr = schema.press.c, schema.proposals.c
ALL, WATCHERS = "all", "watchers"
LONGEST_PAUSE = 14 * 86400.0
PROPOSALS = 20  # of one seat at a time
MAJORITY = ("pause", "resume", "extend", "replace")  # the others need everybody


# Press


def channel_of(room: Room, reader: Reader, to: list[str]) -> str:
    """Where a message goes, if the reader may speak there now."""
    may = present.may_talk(room, reader)
    if not may:
        raise conflict("no_talk")
    if not reader.held:
        return WATCHERS
    if reader.seat is None:
        raise conflict("which_seat")
    others = set(to) - {reader.seat}
    if wrong := others - room.seats.keys():
        raise Refused(422, "no_such_seat", seat=min(wrong))
    if not others or others | {reader.seat} == room.seats.keys():
        return ALL
    if "seats" not in may:
        raise conflict("no_private_talk")
    return "+".join(name for name in room.seats if name in others or name == reader.seat)


async def speak(rooms: Rooms, who: Principal, table: str, wish: PressIn) -> PressOut:
    async with rooms.look(table) as room:
        reader = present.reader(room, who, wish.seat)
        wish, form = await offers.written(rooms, room, reader, wish)
        channel = channel_of(room, reader, [] if wish.public else wish.to)
        row = {
            "game": table,
            "channel": channel,
            "seat": reader.seat if reader.held else None,
            "name": "" if reader.held else who.name,
            "user": None if reader.held else who.id,
            "text": wish.text,
            "sketch": wish.sketch or None,
            "form": form or None,
            "answers": wish.answer.id if wish.answer else None,
            "command": wish.command,
            "at": rooms.clock(),
            "phase": room.row.phase,
        }
        readers = _readers(room, channel, reader)
        try:
            async with rooms.store.write() as tx:
                made = await tx.one(schema.press.insert().values(**row).returning(schema.press))
                await outbox.message(tx, rooms.clock(), room, readers, reader.seat)
                if form:
                    await envoys.were_written_to(tx, room, rooms.clock())
                tx.tell(f"press:{table}")
        except IntegrityError:  # the same command again
            async with rooms.store.read() as tx:
                same = (ps.game == table) & (ps.seat == row["seat"]) & (ps.command == wish.command)
                made = await tx.one(select(schema.press).where(same))
        return press_out(room, made, reader)


def _readers(room: Room, channel: str, reader: Reader) -> list[Rec]:
    if channel in (ALL, WATCHERS):
        return []
    names = set(channel.split("+")) - {reader.seat}
    return [seat for name, seat in room.seats.items() if name in names and seat.user]


def press_out(room: Room, row: Any, reader: Reader) -> PressOut:
    said = row.said is not None
    hidden = room.settings.get("anonymous") and room.row.status != "over"
    return PressOut(
        id=row.id,
        channel=row.channel,
        to=[] if row.channel in (ALL, WATCHERS) else row.channel.split("+"),
        seat=row.seat,
        name=row.name,
        text=_said(room, row.said, reader.lang)
        if said
        else offers.in_words(room, row, reader.lang),
        sketch=row.sketch or [],
        form=row.form or "",
        may_answer=offers.may_answer(room, row, reader),
        answers=row.answers,
        said=said,
        code=row.said["code"] if said else "",
        at=row.at // 3600 * 3600 if hidden else row.at,
        phase=row.phase,
    )


def _said(room: Room, stored: dict[str, Any], lang: str) -> str:
    """What the table says; seats are named in the reader's language."""
    args = {
        key: present.seat_label(room.game, value, lang) if value in room.seats else value
        for key, value in stored["args"].items()
    }
    return say(Msg(stored["code"], **args), lang)


async def listen(
    rooms: Rooms, who: Principal, table: str, seat: str | None, since: int, limit: int
) -> PressPage:
    """The messages that the reader may read, oldest first."""
    async with rooms.look(table) as room:
        reader = present.reader(room, who, seat)
        delay = present.delay_of(room, reader)
        channels = [ps.channel == ALL]
        if reader.seat is not None and reader.seat in reader.held:
            name = reader.seat.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
            inside = [name, f"{name}+%", f"%+{name}", f"%+{name}+%"]
            channels += [ps.channel.like(pattern, escape="\\") for pattern in inside]
        if not reader.held or room.row.status == "over":
            channels.append(ps.channel == WATCHERS)
        mine = (ps.game == table) & (ps.id > since) & or_(*channels)
        if delay:
            mine &= or_(ps.at <= rooms.clock() - delay, ps.channel == WATCHERS)
        async with rooms.store.read() as tx:
            rows = await tx.all(select(schema.press).where(mine).order_by(ps.id).limit(limit))
        messages = [press_out(room, row, reader) for row in rows]
    return PressPage(messages=messages, next=rows[-1].id if len(rows) == limit else None)


class Ears:
    """What one reader of a table has heard of its press."""

    def __init__(self, heard: int = 0) -> None:
        self.heard = heard
        self.early: set[int] = set()  # of watchers: told before older ones that come with a delay

    async def fresh(
        self, rooms: Rooms, who: Principal, table: str, seat: str | None
    ) -> AsyncIterator[list[PressOut]]:
        """What is new, page by page."""
        since: int | None = self.heard
        while since is not None:
            page = await listen(rooms, who, table, seat, since, 200)
            if new := [message for message in page.messages if message.id not in self.early]:
                yield new
            for message in page.messages:
                if message.channel == WATCHERS:
                    self.early.add(message.id)
                else:
                    self.heard = message.id
            since = page.next


async def say_at_table(change: Change, code: str, **args: Any) -> None:
    """The table itself says something to everybody; it is never deleted."""
    row = {
        "game": change.room.id,
        "channel": ALL,
        "said": {"code": f"server.said.{code}", "args": args},
        "at": change.now,
        "phase": change.room.row.phase,
    }
    await change.tx.run(schema.press.insert().values(**row))
    change.tx.tell(f"press:{change.room.id}")


# Proposals


def voters_of(room: Room, kind: str, seat: str, wish: ProposalIn) -> list[str]:
    """Who is asked: people who are there, as far as the proposal concerns them."""
    there = [name for name, row in room.seats.items() if _is_there(row)]
    match kind:
        case "deal":
            return [name for name in room.seats if name in wish.to or name == seat]
        case "concede":
            return [name for name in there if name != wish.args.get("winner")]
        case "replace":
            return [name for name in there if name != wish.args.get("who")]
    return there


def _is_there(seat: Rec) -> bool:
    return bool(seat.kind == "person" and seat.user and not seat.autopilot and not seat.vacant)


def _check(room: Room, wish: ProposalIn, seat: str) -> None:
    status, args = room.row.status, wish.args
    if status not in ("live", "paused"):
        raise conflict(f"table_{status}")
    if wish.kind == "resume" and status != "paused":
        raise conflict("table_live")
    if wish.kind in ("pause", "extend") and status != "live":
        raise conflict("table_paused")
    if wish.kind == "pause" and not room.settings.get("pausing", True):
        raise conflict("no_pausing")
    need = {"concede": "winner", "replace": "who"}.get(wish.kind)
    if need and args.get(need) not in room.seats:
        raise Refused(422, "bad_proposal", what=need)
    if wish.kind == "deal":
        if not wish.to or set(wish.to) - room.seats.keys() or wish.to == [seat]:
            raise Refused(422, "bad_proposal", what="to")
        if not isinstance(args.get("text"), str) or not args["text"].strip():
            raise Refused(422, "bad_proposal", what="text")
    elif any(p.kind == wish.kind for p in room.proposals):
        raise conflict("already_proposed")
    if sum(p.seat == seat for p in room.proposals) >= PROPOSALS:
        raise conflict("proposals_enough", n=PROPOSALS)


async def propose(change: Change, seat: str, wish: ProposalIn) -> Rec:
    """Put a proposal on the table; who makes it agrees with it."""
    room = change.room
    _check(room, wish, seat)
    voters = voters_of(room, wish.kind, seat, wish)
    row = {
        "game": room.id,
        "kind": wish.kind,
        "seat": seat,
        "voters": voters,
        "args": wish.args,
        "votes": {seat: True} if seat in voters else {},
        "status": "open",
        "created": change.now,
        "expires": change.now + wish.hours * 3600,
    }
    made = await change.tx.one(schema.proposals.insert().values(**row).returning(pr.id))
    assert made is not None  # noqa: S101  # an insert returns its row
    proposal = SimpleNamespace(id=made.id, **row)
    room.proposals.append(proposal)
    change.touch()
    await ask_job(change.tx, "expire", room.id, proposal.expires, f"expire:{made.id}")
    await outbox.proposal(change, proposal)
    await tally(change, proposal)
    return proposal


async def vote(
    change: Change, number: int, seat: str | None, held: list[str], *, agree: bool
) -> Rec:
    """Vote, or change one's vote; who proposed may withdraw by disagreeing."""
    proposal = next((p for p in change.room.proposals if p.id == number), None)
    if proposal is None:
        raise not_found("no_such_proposal")
    mine = [name for name in held if name in proposal.voters and seat in (None, name)]
    made = proposal.seat in held and seat in (None, proposal.seat)
    if not mine and not (made and not agree):
        raise forbidden("cannot_vote")
    votes = {**proposal.votes, **dict.fromkeys(mine, agree)}
    proposal.votes = votes
    change.touch()
    change_row = update(schema.proposals).where(pr.id == number)
    await change.tx.run(change_row.values(votes=votes))
    if not agree and made:
        await _close(change, proposal, "withdrawn")
    else:
        await tally(change, proposal)
    return proposal


async def tally_all(change: Change) -> None:
    """Somebody is absent now: what waited for them may be decided."""
    for proposal in tuple(change.room.proposals):
        await tally(change, proposal)


async def tally(change: Change, proposal: Rec) -> None:
    room = change.room
    counted = [
        name for name in proposal.voters if _is_there(room.seats[name]) or proposal.kind == "deal"
    ]
    yes = sum(proposal.votes.get(name) is True for name in counted)
    no = sum(proposal.votes.get(name) is False for name in counted)
    needed = len(counted) // 2 + 1 if proposal.kind in MAJORITY else len(counted)
    if yes >= needed and counted:
        await _close(change, proposal, "agreed")
        await _carry_out(change, proposal)
    elif len(counted) - no < needed:
        await _close(change, proposal, "declined")


async def expire(change: Change) -> None:
    for proposal in tuple(change.room.proposals):
        if proposal.expires <= change.now:
            await _close(change, proposal, "expired")


async def lapse(change: Change) -> None:
    """The game has ended: nothing is decided any more."""
    for proposal in tuple(change.room.proposals):
        await _close(change, proposal, "expired")


async def _close(change: Change, proposal: Rec, status: str) -> None:
    change.touch()
    proposal.status = status
    change.room.proposals = [p for p in change.room.proposals if p.id != proposal.id]
    where = update(schema.proposals).where(pr.id == proposal.id)
    await change.tx.run(where.values(status=status))


async def _carry_out(change: Change, proposal: Rec) -> None:
    from powderkeg.server.tables import after_move, create

    room, args = change.room, proposal.args
    if proposal.kind != "deal":
        said = {k: v for k, v in args.items() if isinstance(v, str)}
        row = {
            "game": room.id,
            "channel": ALL,
            "said": {"code": f"server.agreed.{proposal.kind}", "args": said},
            "at": change.now,
            "phase": room.row.phase,
        }
        await change.tx.run(schema.press.insert().values(**row))
        change.tx.tell(f"press:{room.id}")
    match proposal.kind:
        case "draw":
            share = [s for s in args.get("seats", []) if s in room.seats] or list(room.seats)
            rest = tuple(s for s in room.seats if s not in share)
            await after_move.end(change, agreed_result([share, rest], Msg("server.result.draw")))
        case "concede":
            winner = args["winner"]
            rest = tuple(s for s in room.seats if s != winner)
            why = Msg("server.result.concede", winner=present.seat_msg(room.game, winner))
            await after_move.end(change, agreed_result([[winner], rest], why))
        case "cancel":
            change.set(status="closed", ended=change.now, due=None)
            change.tx.tell("lobby")
        case "pause":
            await pause(change)
        case "resume":
            resume(change)
        case "extend":
            extend(change)
        case "replace":
            create.vacate(change, args["who"])


def agreed_result(groups: list[Any], why: Msg) -> dict[str, Any]:
    from powderkeg.server.tables import message_json

    ranking = [list(group) for group in groups if group]
    first = ranking[0]
    scores = {seat: (1 / len(first) if seat in first else 0.0) for g in ranking for seat in g}
    return {"ranking": ranking, "scores": scores, "why": message_json.dump(why), "rule": ""}


# Pauses and extensions


async def pause(change: Change) -> None:
    ends = change.now + LONGEST_PAUSE
    change.set(status="paused", paused=change.now, pause_ends=ends)
    await ask_job(change.tx, "resume", change.room.id, ends)


def resume(change: Change) -> None:
    """Go on; every deadline moves by as long as the pause was."""
    row = change.room.row
    if row.status != "paused":
        return
    change.set(status="live")
    _move_deadlines(change, change.now - row.paused)
    change.set(paused=None, pause_ends=None)


def extend(change: Change) -> None:
    """As much time again as a turn has."""
    clock = change.room.row.settings["clock"]
    _move_deadlines(change, clock["length"] or clock["gain"] or clock["bank"] or 86400)


def _move_deadlines(change: Change, by: float) -> None:
    for name, seat in change.room.seats.items():
        if seat.due is not None:
            change.set_seat(name, due=seat.due + by)
            if seat.asked is not None and change.room.row.paused:
                change.set_seat(name, asked=seat.asked + by)
