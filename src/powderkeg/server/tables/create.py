"""Making tables, sitting down, starting; and the lists of tables."""

import secrets
from typing import Any

from sqlalchemy import func, or_, select

from powderkeg import bots
from powderkeg.core import plain
from powderkeg.core.chance import Audited, shuffle
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Game, Options
from powderkeg.core.words import Msg, has_words, say
from powderkeg.server.accounts import identity
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.db.store import Tx
from powderkeg.server.notices import outbox
from powderkeg.server.refusals import Refused, conflict, forbidden
from powderkeg.server.schemas.games import (
    ChoiceOut,
    GameOut,
    GamesOut,
    OptionOut,
    PresetOut,
    SeatName,
)
from powderkeg.server.schemas.tables import Clock, Lobby, Missed, TableIn, TableLine, TableSettings
from powderkeg.server.tables import present
from powderkeg.server.tables import replay as folding
from powderkeg.server.tables.after_move import USUAL
from powderkeg.server.tables.cache import Change, Room, Rooms, record_lines

DAY = 86400.0
PRESETS: dict[str, TableSettings] = {
    "bots": TableSettings(listed=False, join="link"),
    "live": TableSettings(clock=Clock(kind="bank", bank=1800, gain=60)),
    "day": TableSettings(
        clock=Clock(kind="turn", length=DAY), missed=Missed(grace=3600, autopilot=2, open=4)
    ),
    "week": TableSettings(
        clock=Clock(kind="turn", length=7 * DAY), missed=Missed(grace=DAY, autopilot=1, open=2)
    ),
}


# What can be played


def games_out(games: dict[str, Game], lang: str) -> GamesOut:
    presets = [
        PresetOut(
            name=name,
            label=say(Msg(f"server.preset.{name}"), lang),
            settings=settings.model_dump(),
        )
        for name, settings in PRESETS.items()
    ]
    return GamesOut(games=[game_out(game, lang) for game in games.values()], presets=presets)


def game_out(game: Game, lang: str) -> GameOut:
    options = [_option(game, each, lang) for each in plain.option_fields(game.Options)]
    seats: dict[str, list[SeatName]] = {}
    for count in game.players:
        try:
            names = game.seats(count, game.Options())
        except RulesError:
            continue
        seats[str(count)] = [
            SeatName(seat=name, label=present.seat_label(game, name, lang)) for name in names
        ]
    return GameOut(
        name=game.name,
        label=present.game_label(game, lang),
        version=game.version,
        players=list(game.players),
        seats=seats,
        options=options,
        levels=list(bots.LEVEL_NAMES),
        level=USUAL,
    )


def _option(game: Game, each: plain.OptionField, lang: str) -> OptionOut:
    code = f"{game.name}.option.{each.name}"
    choices = [ChoiceOut(value=c, label=_words(f"{code}.{c}", str(c), lang)) for c in each.choices]
    default = (
        plain.dump(each.default) if hasattr(each.default, "__dataclass_fields__") else each.default
    )
    return OptionOut(
        name=each.name,
        label=_words(code, each.name.replace("_", " "), lang),
        kind=each.kind,
        default=default,
        choices=choices,
        least=each.least,
        most=each.most,
    )


def _words(code: str, otherwise: str, lang: str) -> str:
    return say(Msg(code), lang) if has_words(code, lang) else otherwise


# Making a table


def settings_of(wish: TableIn) -> TableSettings:
    if wish.settings is not None:
        return wish.settings
    return PRESETS[wish.preset] if wish.preset else TableSettings()


def level_for(level: str) -> str:
    """A level that exists; empty: the usual one."""
    if level and level not in bots.LEVEL_NAMES:
        raise Refused(422, "no_such_level", level=level, levels=list(bots.LEVEL_NAMES))
    return level or USUAL


async def make(rooms: Rooms, who: Principal, wish: TableIn) -> tuple[str, str, dict[str, str]]:
    """A new table: its id, the secret of its link, and the links of invited seats."""
    owner = who.need_user("tables")
    game = rooms.games.get(wish.game)
    if game is None:
        raise Refused(422, "no_such_game", game=wish.game, games=list(rooms.games))
    players = wish.players or game.players[-1]
    if players not in game.players:
        raise Refused(422, "players", least=game.players[0], most=game.players[-1])
    options: Options = plain.load(game.Options, wish.options)
    names = game.seats(players, options)
    wanted = {seat.seat: seat for seat in wish.seats}
    if wrong := wanted.keys() - set(names):
        raise Refused(422, "no_such_seat", seat=min(wrong))
    settings = settings_of(wish)
    level_for(settings.missed.level)
    now = rooms.clock()
    table, invite = identity.new_id(10), identity.new_token("join")
    row = new_game(game, table, options, players, now) | {
        "settings": settings.model_dump(),
        "title": wish.title,
        "owner": owner,
        "invite": identity.hashed(invite),
        "listed": settings.listed,
        "watch": settings.watch,
    }
    seats = [
        _new_seat(table, place, name, wanted.get(name), who, wish)
        for place, name in enumerate(names)
    ]
    if wish.preset == "bots" and not wanted:
        _sit_with_bots(seats, who, wish.name)
    async with rooms.store.write() as tx:
        await tx.run(schema.games.insert().values(**row))
        guests = await _invite(tx, seats, wanted)
        await tx.run(schema.seats.insert(), seats)
        for user in guests:
            title = wish.title or Msg("server.untitled", id=table)
            what = Msg("server.notice.invited", game=present.game_msg(game), title=title)
            await outbox.for_user(tx, now, table, user, "invited", "", what, f"/t/{table}")
            tx.tell(f"user:{user.id}")
        links = {}
        for seat in seats:
            if seat["kind"] == "invited":
                token, made = identity.make_token("seat", now, game=table, seat=seat["seat"])
                await tx.run(schema.tokens.insert().values(**made))
                links[seat["seat"]] = token
        tx.tell("lobby")
        tx.tell(f"user:{owner}")
    return table, invite, links


async def _invite(tx: Tx, seats: list[dict[str, Any]], wanted: dict[str, Any]) -> list[Any]:
    """Seats for accounts that are invited by name or e-mail wait for them."""
    u = schema.users.c
    found = []
    for seat in seats:
        name = wanted[seat["seat"]].invite.casefold() if seat["kind"] == "invited" else ""
        if not name:
            continue
        user = await tx.one(select(schema.users).where((u.key == name) | (u.email == name)))
        if user is None:
            raise Refused(422, "no_such_user", name=name)
        seat |= {"user": user.id, "name": user.name}
        found.append(user)
    return found


def new_game(game: Game, table: str, options: Any, players: int, now: float) -> dict[str, Any]:
    return {
        "id": table,
        "rules": game.name,
        "version": game.version,
        "players": players,
        "options": plain.dump(options),
        "settings": TableSettings().model_dump(),
        "status": "open",
        "purpose": "game",
        "key": secrets.token_hex(32),
        "invite": "",
        "created": now,
        "moved": now,
        "rev": 1,
    }


def _new_seat(
    table: str, place: int, name: str, wanted: Any, who: Principal, wish: TableIn
) -> dict[str, Any]:
    seat = empty_seat(table, place, name)
    match wanted.kind if wanted else "open":
        case "me":
            seat |= {"kind": "person", "user": who.id, "name": wish.name or who.name}
        case "here":
            seat |= {"kind": "person", "user": who.id, "name": wanted.name or who.name}
        case "bot":
            seat |= {"kind": "bot", "level": level_for(wanted.level)}
        case "invited":
            seat |= {"kind": "invited", "name": wanted.name}
    return seat


def empty_seat(table: str, place: int, name: str) -> dict[str, Any]:
    return {
        "game": table,
        "place": place,
        "seat": name,
        "kind": "open",
        "user": None,
        "level": "",
        "name": "",
    }


def _sit_with_bots(seats: list[dict[str, Any]], who: Principal, name: str | None) -> None:
    """One person at a random seat, bots in the rest."""
    mine = secrets.choice(seats)
    for seat in seats:
        seat |= {"kind": "bot", "level": level_for("")}
    mine |= {"kind": "person", "level": "", "user": who.id, "name": name or who.name}


# Sitting down


def join(change: Change, who: Principal, wish: Any) -> str:
    """Take a seat; which one."""
    room, user = change.room, who.need_user("tables")
    if room.row.status not in ("open", "live", "paused"):
        raise conflict(f"table_{room.row.status}")
    if not any(x.kind == "invited" and x.user == user for x in room.seats.values()):
        _may_join(room, who, wish.invite)
    if room.row.status == "open":
        mine = [x.seat for x in room.seats.values() if x.kind == "invited" and x.user == user]
        free = mine or [x.seat for x in room.seats.values() if x.kind == "open"]
    else:
        free = [x.seat for x in room.seats.values() if x.vacant]
    if held := room.held_by(user, frozenset()):
        if wish.seat is None or wish.seat in held:
            return held[0]
        if room.row.status != "open" or wish.seat not in free:
            raise conflict("seat_taken", seat=wish.seat)
        _empty(change, held[0])  # before the start one may move over
    if not free:
        raise conflict("table_full")
    seat = wish.seat or free[0]
    if seat not in free:
        raise conflict("seat_taken", seat=seat)
    sit(change, seat, user, wish.name or who.name)
    return str(seat)


def _may_join(room: Room, who: Principal, invite: str) -> None:
    policy = room.settings.get("join")
    knows = identity.hashed(invite) == room.row.invite
    if policy == "link" and not knows and room.row.owner != who.id:
        raise forbidden("needs_invite")
    if policy == "accounts" and who.user.kind == "guest":
        raise forbidden("no_guests")


def sit(change: Change, seat: str, user: str, name: str) -> None:
    change.set_seat(
        seat,
        kind="person",
        user=user,
        name=name,
        level="",
        misses=0,
        autopilot=False,
        vacant=False,
        seen=change.now,
    )
    change.tx.tell("lobby")
    change.tx.tell(f"user:{user}")


def _empty(change: Change, seat: str) -> None:
    if user := change.room.seats[seat].user:
        change.tx.tell(f"user:{user}")
    change.set_seat(seat, kind="open", user=None, name="", level="")
    change.tx.tell("lobby")


def leave(change: Change, seat: str) -> None:
    """Before the start the seat is simply free again; later a bot plays on and the seat may be
    taken over."""
    if change.room.row.status == "open":
        _empty(change, seat)
    else:
        vacate(change, seat)


def vacate(change: Change, seat: str) -> None:
    if user := change.room.seats[seat].user:
        change.tx.tell(f"user:{user}")
    change.set_seat(seat, user=None, name="", autopilot=True, vacant=True, due=None)
    change.tx.tell("lobby")


def start(change: Change) -> None:
    """Begin: bots in the rest (if the table wants it), seats drawn (if so), the first roll."""
    room = change.room
    if room.row.status != "open":
        raise conflict("already_started")
    waiting = [x.seat for x in room.seats.values() if x.kind in ("open", "invited")]
    if waiting and not room.settings.get("fill", True):
        raise conflict("seats_open", n=len(waiting))
    for seat in waiting:
        level = level_for(room.settings["missed"]["level"])
        change.set_seat(seat, kind="bot", level=level, user=None, name="")
    if room.settings.get("seating") == "draw":
        _draw_seats(change)
    row = room.row
    room.fold = folding.stored(
        room.game,
        row.players,
        plain.load(room.game.Options, row.options),
        bytes.fromhex(row.key),
        state=plain.load(room.game.State, row.initial) if row.initial else None,
        length=0,
    )
    lines = folding.opened(room.fold, change.now)
    change.set(status="live", started=change.now)
    record_lines(change, lines, None, "chance")
    change.tx.tell("lobby")


def _draw_seats(change: Change) -> None:
    """Who sits where is drawn with the table's key, at a place before the log."""
    room = change.room
    names = list(room.seats)
    drawn = Audited(bytes.fromhex(room.row.key)).draw(shuffle(names), -1)
    people = {
        name: {k: getattr(room.seats[name], k) for k in ("kind", "user", "level", "name", "seen")}
        for name in names
    }
    for name, other in zip(names, drawn.items, strict=True):  # type: ignore[union-attr]  # a shuffle draws things
        change.set_seat(name, **people[other])


# Lists


async def lists(rooms: Rooms, who: Principal) -> Lobby:
    g, s = schema.games.c, schema.seats.c
    user = who.id if "read" in who.scopes else None
    async with rooms.store.read() as tx:
        mine_ids = select(s.game).where(s.user == user).scalar_subquery()
        mine = []
        if user:
            own = (g.id.in_(mine_ids)) | (g.owner == user)
            query = select(schema.games).where(own, g.status != "closed")
            mine = list(await tx.all(query.order_by(g.moved.desc()).limit(200)))
        vacant = select(s.game).where(s.vacant).scalar_subquery()
        joinable = or_(g.status == "open", (g.status == "live") & g.id.in_(vacant))
        query = select(schema.games).where(joinable, g.listed).order_by(g.created.desc())
        free = list(await tx.all(query.limit(100)))
        watched = (g.status == "live") & g.listed & (g.watch == "on") & (g.purpose == "game")
        query = select(schema.games).where(watched).order_by(g.moved.desc())
        live = list(await tx.all(query.limit(50)))
        ids = {row.id for row in (*mine, *free, *live)}
        seats = await tx.all(select(schema.seats).where(s.game.in_(ids)).order_by(s.place))
        p = schema.proposals.c
        count = select(p.game, func.count().label("n")).where(p.game.in_(ids), p.status == "open")
        asked = {row.game: row.n for row in await tx.all(count.group_by(p.game))}
    by_game: dict[str, list[Any]] = {}
    for seat in seats:
        by_game.setdefault(seat.game, []).append(seat)

    def line(row: Any) -> TableLine:
        return _line(rooms, row, by_game[row.id], who, asked.get(row.id, 0))

    return Lobby(mine=list(map(line, mine)), open=list(map(line, free)), live=list(map(line, live)))


def _line(rooms: Rooms, row: Any, seats: list[Any], who: Principal, asked: int) -> TableLine:
    mine = [x for x in seats if who.id and x.user == who.id]
    owed = [x for x in mine if row.status == "live" and x.seat in row.to_act]
    anonymous = bool(row.settings.get("anonymous")) and row.status != "over"
    clock = row.settings["clock"]
    return TableLine(
        id=row.id,
        game=row.rules,
        label=present.game_label(rooms.games[row.rules], who.lang),
        title=row.title,
        status=row.status,
        players=row.players,
        taken=sum(x.kind in ("person", "bot") for x in seats),
        open_seats=[x.seat for x in seats if x.kind == "open" or x.vacant],
        names=[] if anonymous else [x.name for x in seats if x.kind == "person" and x.name],
        clock=say(Msg(f"server.clock.{clock['kind']}", length=_length(clock)), who.lang),
        rated=bool(row.settings.get("rated")),
        anonymous=anonymous,
        my_seat=mine[0].seat if mine else None,
        my_turn=bool(owed),
        due=min((x.due for x in owed if x.due), default=None),
        seq=row.base if anonymous else row.head,
        phase=present.phase_label(rooms.games[row.rules], row.phase, who.lang),
        created=row.created,
        moved=row.created if anonymous else row.moved,
        proposals=asked if mine else 0,
        vacant=any(x.vacant for x in seats),
    )


def _length(clock: dict[str, Any]) -> Msg:
    seconds = clock["bank"] if clock["kind"] == "bank" else clock["length"]
    for unit, size in (("days", DAY), ("hours", 3600), ("minutes", 60)):
        if seconds and seconds % size == 0:
            return Msg(f"server.{unit}", n=int(seconds // size))
    return Msg("server.seconds", n=int(seconds))
