"""A table as one reader may see it. The game's `view` hides the secrets of the game; this module hides
the secrets of the table: names in an anonymous game, drafts, and which seats have moved already."""

from dataclasses import dataclass
from typing import Any, cast

from powderkeg.core.chance import Audited
from powderkeg.core.game import Game, State
from powderkeg.core.words import Msg, say
from powderkeg.server import message_json
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db.rows import ProposalRow, SeatRow, StoredResult
from powderkeg.server.db.table_settings import dump_settings
from powderkeg.server.schemas.base import Out
from powderkeg.server.schemas.press import ProposalOut
from powderkeg.server.schemas.tables import ResultOut, SectionOut, TableOut
from powderkeg.server.tables.bot_seats import offer_deadline
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.commands import replay_alone
from powderkeg.server.tables.labels import game_label, phase_label, seat_label
from powderkeg.server.tables.loaded import LoadedTable, counted_voters
from powderkeg.server.tables.replay import ReplayedGame
from powderkeg.server.views import readers
from powderkeg.server.views.delayed import delayed_game
from powderkeg.server.views.names import name_players
from powderkeg.server.views.pack_sheet import pack_of_options
from powderkeg.server.views.questions import present_question
from powderkeg.server.views.readers import (
    Reader,
    hides_moves,
    hides_votes,
    is_concerned,
    may_talk,
    shows_league,
    watch_delay,
)

LISTED_ACTIONS = 200  # legal actions that a person gets listed
MOST_CHANGES = 2**40  # more changes than a table ever has
LISTED_FOR_PROGRAMS = 5000


def present_result(stored: StoredResult | None, lang: str) -> ResultOut | None:
    if stored is None:
        return None
    why = message_json.load_message(stored["why"])
    return ResultOut(
        ranking=stored["ranking"],
        scores=stored["scores"],
        why=say(why, lang),
        code=why.code,
        rule=stored["rule"],
    )


@dataclass(frozen=True, slots=True)
class VisibleGame:
    """The part of the game that a reader may see now."""

    state: State
    seq: int
    to_act: frozenset[str]


def visible_game(
    loaded: LoadedTable, reader: Reader, late: ReplayedGame | None = None
) -> VisibleGame:
    """The game as the reader may see it; a watcher with a delay sees an earlier moment.

    In an anonymous game nobody may learn which seats have chosen already: the reader sees the game
    as if only they had moved since all were asked.
    """
    replayed = late or loaded.current
    if late or not hides_moves(loaded):
        state = replayed.table.state
        return VisibleGame(state, replayed.seq, replayed.table.to_act)
    shown = replay_alone(replayed, reader.seat) or replayed
    return VisibleGame(shown.table.state, shown.seq, shown.table.to_act)


def present_loaded(
    loaded: LoadedTable, reader: Reader, now: float, late: ReplayedGame | None = None
) -> TableOut:
    """The table as an answer to a request."""
    return TableOut(now=now, **table_json(loaded, reader, now, late))


def table_json(
    loaded: LoadedTable, reader: Reader, now: float, late: ReplayedGame | None = None
) -> dict[str, Any]:
    """The table as one JSON object without the time `now`; the costly parts are rendered once for all
    readers who see the same, until the table changes."""
    key = (reader.key, late.seq if late else None)
    cached = loaded.rendered.get(key)
    if cached is None:
        cached = loaded.rendered[key] = _render_table(loaded, reader, late)
    return cached | {
        "seats": _present_seats(loaded, reader, now),
        "draft": _present_draft(loaded, reader),
    }


def _render_table(loaded: LoadedTable, reader: Reader, late: ReplayedGame | None) -> dict[str, Any]:
    row, lang = loaded.row, reader.lang
    play = _render_game(loaded, reader, late)
    phase = late.phase if late else row.phase
    return {
        **_fixed_parts(loaded, lang),
        "rev": _visible_rev(loaded, play["seq"], late),
        "title": row.title,
        "status": row.status,
        "owner": reader.owns,
        "seat": reader.seat,
        "held": list(reader.held),
        "handover": _next_hand(loaded, reader),
        "phase": phase,
        "phase_text": phase_label(loaded.game, phase, lang),
        "may_talk": may_talk(loaded, reader),
        "proposals": [
            present_proposal(loaded, p, reader).model_dump()
            for p in loaded.proposals
            if is_concerned(p, reader)
        ],
        "due": _visible_due(loaded, reader, late),
        "answer_by": _answer_time(loaded, reader, late),
        "paused_until": row.pause_ends,
        "result": _dump_part(present_result(row.result, lang)),
        "key": row.key if row.has_ended and row.started else None,
        "rematch": row.rematch,
        "league": row.league if shows_league(loaded, reader) else None,
        "watchers": row.watch != "off",
        **play,
    }


def _fixed_parts(loaded: LoadedTable, lang: str) -> dict[str, Any]:
    """What never changes at a table, in one language."""
    if (known := loaded.fixed.get(lang)) is None:
        row = loaded.row
        known = loaded.fixed[lang] = {
            "id": row.id,
            "game": row.rules,
            "label": game_label(loaded.game, lang),
            "purpose": row.purpose,
            "players": row.players,
            "options": row.options,
            "settings": dump_settings(row.settings),
            "commitment": Audited(bytes.fromhex(row.key)).commitment,
            "pack": _dump_part(pack_of_options(row.rules, row.options, lang)),
        }
    return known


def _dump_part(part: Out | None) -> dict[str, Any] | None:
    return None if part is None else part.model_dump()


def _visible_due(loaded: LoadedTable, reader: Reader, late: ReplayedGame | None) -> float | None:
    """The table's deadline; while moves are hidden only the reader's own, since nothing may show that others
    have moved."""
    if loaded.replayed is not None and hides_moves(loaded):
        return loaded.seats[reader.seat].due if reader.seat else None
    return loaded.row.due if loaded.row.status == "live" and late is None else None


def _answer_time(loaded: LoadedTable, reader: Reader, late: ReplayedGame | None) -> float | None:
    """When a bot goes on without my answer; at an anonymous table that would tell who is a bot."""
    row = loaded.row
    if row.status != "live" or late or reader.seat is None or row.is_anonymous:
        return None
    return offer_deadline(loaded, reader.seat, row.moved)


def _next_hand(loaded: LoadedTable, reader: Reader) -> str | None:
    """The seat to which a shared screen is passed. A game opened from a file has no secrets: its
    reader looks at it first, and takes a seat to play on."""
    row = loaded.row
    shared = len(reader.held) > 1 and reader.seat is None and row.status == "live"
    if not shared or row.purpose == "study":
        return None
    return next((seat for seat in loaded.seats if seat in row.to_act and seat in reader.held), None)


def _visible_rev(loaded: LoadedTable, seq: int, late: ReplayedGame | None) -> int:
    """A number that never decreases, so that a reader knows which of two messages is newer.

    The count of all changes would reveal hidden moves; while there are any, only the entries that
    the reader may see count. The two counts cannot be compared, so the progress of the table
    comes first.
    """
    row = loaded.row
    counted = late is not None or (row.is_running and row.settings.anonymous)
    stage = 0 if row.status == "open" else 1 if row.is_running else 2
    return stage * MOST_CHANGES + (seq if counted else row.rev)


def _render_game(loaded: LoadedTable, reader: Reader, late: ReplayedGame | None) -> dict[str, Any]:
    if loaded.replayed is None:
        nothing = {"view": None, "question": None, "can_undo": False, "legal": None}
        return {"seq": 0, "to_act": [], "captions": {}, "describe": None, **nothing}
    game = loaded.game
    now = visible_game(loaded, reader, late)
    view = game.view(now.state, reader.seat)
    playing = loaded.row.status == "live" and reader.seat in reader.held
    to_act = [x for x in loaded.seats if x in now.to_act]
    if hides_moves(loaded):
        to_act = [x for x in to_act if x == reader.seat]
    return {
        "seq": now.seq,
        "to_act": to_act,
        "view": view,
        "captions": _known_captions(loaded, view, reader.lang),
        "question": present_question(loaded, reader, now.state, now.seq) if playing else None,
        "can_undo": playing and loaded.replayed.table.can_undo(reader.seat or ""),
        "legal": _listed_actions(game, now.state, reader) if playing and reader.lists else None,
        "describe": _describe_json(game, view, reader.lang) if reader.text else None,
    }


def _describe_json(game: Game, view: dict[str, Any], lang: str) -> list[dict[str, Any]]:
    return message_json.sections_in_words(game.describe(view), lang)


def describe_view(game: Game, view: dict[str, Any], lang: str) -> list[SectionOut]:
    return [SectionOut(**part) for part in _describe_json(game, view, lang)]


def present_captions(game: Game, view: dict[str, Any], lang: str) -> dict[str, str]:
    """The sentences that the board shows, in the reader's language."""
    return {about: say(sentence, lang) for about, sentence in game.captions(view).items()}


def _known_captions(loaded: LoadedTable, view: dict[str, Any], lang: str) -> dict[str, str]:
    """The same, worded again only where a sentence has changed."""
    before: dict[str, tuple[Msg, str]] = loaded.captions.get(lang, {})
    now = {}
    for about, sentence in loaded.game.captions(view).items():
        known = before.get(about)
        same = known is not None and known[0] == sentence
        now[about] = known if known and same else (sentence, say(sentence, lang))
    loaded.captions[lang] = now
    return {about: text for about, (_, text) in now.items()}


def _listed_actions(game: Game, state: State, reader: Reader) -> list[str] | None:
    """The legal actions in wire notation, if they are few."""
    legal = game.legal(state, reader.seat or "")
    if legal.count_all() > (LISTED_FOR_PROGRAMS if reader.raw else LISTED_ACTIONS):
        return None
    return [str(action) for action in legal]


def _present_seats(loaded: LoadedTable, reader: Reader, now: float) -> list[dict[str, Any]]:
    late = bool(watch_delay(loaded, reader))
    return [_present_seat(loaded, seat, reader, now, late=late) for seat in loaded.seats.values()]


def _present_seat(
    loaded: LoadedTable, seat: SeatRow, reader: Reader, now: float, *, late: bool
) -> dict[str, Any]:
    """A seat as the reader sees it, rendered once for all who see the same, until the table changes.
    Only who is present changes with the time."""
    mine = seat.seat in reader.held
    key = ("seat", seat.seat, mine, reader.owns, reader.lang, late, seat.is_present(now))
    if (shown := loaded.rendered.get(key)) is None:
        shown = loaded.rendered[key] = _render_seat(loaded, seat, reader, now, late=late)
    for_me = seat.kind == "invited" and seat.user is not None and seat.user == reader.who.id
    return {**shown, "for_me": True} if for_me else cast(dict[str, Any], shown)


def _render_seat(
    loaded: LoadedTable, seat: SeatRow, reader: Reader, now: float, *, late: bool
) -> dict[str, Any]:
    row = loaded.row
    mine = seat.seat in reader.held
    seated = row.status == "open" and seat.kind == "bot" and reader.owns
    # A host who seated a bot may take it away again.
    secret = row.is_anonymous and not mine and not seated
    result = row.result
    shown = {
        "seat": seat.seat,
        "label": seat_label(loaded.game, seat.seat, reader.lang),
        "kind": "hidden" if secret and seat.kind in ("person", "bot") else seat.kind,
        "mine": mine,
        "for_me": False,
        "score": result["scores"].get(seat.seat) if result else None,
        "rank": result_place(result, seat.seat) if result else None,
        "out": not late and _is_out(loaded, seat.seat),
        "vacant": seat.vacant,
    }
    return shown | (
        SECRET_SEAT if secret else _open_seat(loaded, seat, now, reader.lang, late=late)
    )


def _open_seat(
    loaded: LoadedTable, seat: SeatRow, now: float, lang: str, *, late: bool
) -> dict[str, Any]:
    """What everybody may know of a seat that is no secret."""
    to_act = loaded.row.status == "live" and not late and seat.seat in loaded.row.to_act
    return {
        "level": seat.level,
        "character": seat.character,
        "name": _known_names(loaded, lang).get(seat.seat, ""),
        "program": seat.user in loaded.programs,
        "to_act": to_act,
        "present": seat.kind == "bot" or seat.is_present(now),
        "autopilot": seat.autopilot,
        "due": seat.due if to_act and seat.is_active else None,
        "bank": seat.bank if seat.is_active else None,
    }


def _known_names(loaded: LoadedTable, lang: str) -> dict[str, str]:
    """The names at the table, worked out once until it changes."""
    key = ("names", lang)
    if (known := loaded.rendered.get(key)) is None:
        known = loaded.rendered[key] = name_players(loaded.row, loaded.seats.values(), lang)
    return cast(dict[str, str], known)


# What nobody learns of the others at an anonymous table.
SECRET_SEAT = {
    "level": "",
    "character": "",
    "name": "",
    "program": False,
    "to_act": None,
    "present": None,
    "autopilot": False,
    "due": None,
    "bank": None,
}


def _is_out(loaded: LoadedTable, seat: str) -> bool:
    return loaded.replayed is not None and seat in loaded.replayed.marks.out


def result_place(result: StoredResult, seat: str) -> int | None:
    """The place of a seat in a result; those who tie share it."""
    before = 0
    for group in result["ranking"]:
        if seat in group:
            return before + 1
        before += len(group)
    return None


def _present_draft(loaded: LoadedTable, reader: Reader) -> dict[str, Any] | None:
    draft = loaded.drafts.get(reader.seat or "")
    if draft is None or reader.seat not in reader.held:
        return None
    return {"question": draft.question, "value": draft.value, "at": draft.at}


def present_proposal(loaded: LoadedTable, proposal: ProposalRow, reader: Reader) -> ProposalOut:
    names = {k: _seat_or_text(loaded, v, reader.lang) for k, v in proposal.args.items()}
    words = {"seat": seat_label(loaded.game, proposal.seat, reader.lang), "winner": "", "who": ""}
    code = "draw_of" if proposal.kind == "draw" and proposal.args.get("seats") else proposal.kind
    text = say(Msg(f"server.propose.{code}", **{**words, **names}), reader.lang)
    open_now = proposal.status == "open"
    votes = proposal.votes
    voters = counted_voters(loaded, proposal) if open_now else proposal.voters
    owed = set(voters) - votes.keys()
    if loaded.row.is_anonymous and proposal.kind != "deal":  # they would tell who is a bot
        voters = [seat for seat in voters if seat in reader.eyes]
    if hides_votes(loaded):
        votes = {seat: vote for seat, vote in votes.items() if seat in reader.eyes}
    if not open_now:  # those who voted, as far as the reader may know
        voters = [seat for seat in voters if seat in votes]
    return ProposalOut(
        id=proposal.id,
        table=loaded.id,
        kind=proposal.kind,
        seat=proposal.seat,
        voters=voters,
        votes=votes,
        args=proposal.args,
        text=text,
        status=proposal.status,
        created=proposal.created,
        expires=proposal.expires,
        may_vote=open_now and bool(owed & reader.eyes),
    )


def _seat_or_text(loaded: LoadedTable, value: Any, lang: str) -> str:
    if isinstance(value, str) and value in loaded.seats:
        return seat_label(loaded.game, value, lang)
    if isinstance(value, list):
        return ", ".join(_seat_or_text(loaded, item, lang) for item in value)
    return str(value)


async def present_table(
    cache: TableCache,
    who: Principal,
    table: str,
    seat: str | None,
    *,
    text: bool,
    raw: bool = False,
    lists: bool = False,
) -> TableOut:
    """A table for the person who asks; `lists`: with the legal actions."""
    async with cache.look(table) as loaded:
        reader = readers.find_reader(loaded, who, seat, text=text, raw=raw, lists=lists or raw)
        late = await delayed_game(cache, loaded, reader)
        return present_loaded(loaded, reader, cache.clock(), late)
