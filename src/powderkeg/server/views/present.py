"""A table as one reader may see it. The game's `view` hides the secrets of the game; this module hides
the secrets of the table: names in an anonymous game, drafts, and which seats have moved already."""

from dataclasses import dataclass
from typing import Any

from powderkeg.core.chance import Audited
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Game, State
from powderkeg.core.words import Msg, say
from powderkeg.server import message_json
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db.rows import ProposalRow, SeatRow, StoredResult
from powderkeg.server.db.table_settings import dump_settings
from powderkeg.server.schemas.play import FactOut
from powderkeg.server.schemas.press import ProposalOut
from powderkeg.server.schemas.tables import (
    DraftOut,
    QuestionOut,
    ResultOut,
    SeatOut,
    SectionOut,
    TableOut,
)
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.commands import replay_since_base
from powderkeg.server.tables.labels import game_label, phase_label, seat_label
from powderkeg.server.tables.loaded import LoadedTable
from powderkeg.server.tables.replay import ReplayedGame
from powderkeg.server.views import readers
from powderkeg.server.views.delayed import delayed_game
from powderkeg.server.views.readers import Reader, hides_moves, is_concerned, may_talk, watch_delay

LISTED_ACTIONS = 200  # legal actions that a person gets listed
MOST_CHANGES = 2**40  # more than a table is ever changed
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
    mine = [entry for entry in replayed.since if entry.seat == reader.seat]
    alone = replay_since_base(replayed)
    try:
        for entry in mine:
            alone.enter(entry, barrier=False)
    except RulesError:  # it answered another seat: there is nothing left to hide
        return VisibleGame(replayed.table.state, replayed.seq, replayed.table.to_act)
    state = alone.table.state
    return VisibleGame(state, replayed.base + len(mine), loaded.game.to_act(state))


def present_loaded(
    loaded: LoadedTable, reader: Reader, now: float, late: ReplayedGame | None = None
) -> TableOut:
    """The table as one JSON object; the costly parts are cached until the table changes."""
    key = (reader.key, late.seq if late else None)
    cached = loaded.rendered.get(key)
    if cached is None:
        cached = loaded.rendered[key] = _render_table(loaded, reader, late)
    return cached.model_copy(update={"now": now, "seats": _present_seats(loaded, reader, now)})


def _render_table(loaded: LoadedTable, reader: Reader, late: ReplayedGame | None) -> TableOut:
    row, lang = loaded.row, reader.lang
    play = _render_game(loaded, reader, late)
    phase = late.phase if late else row.phase
    due = row.due if row.status == "live" and late is None else None
    if loaded.replayed is not None and hides_moves(
        loaded
    ):  # nothing may show that others have moved
        due = loaded.seats[reader.seat].due if reader.seat else None
    handover = None
    if len(reader.held) > 1 and reader.seat is None and row.status == "live":
        owed = [seat for seat in loaded.seats if seat in row.to_act and seat in reader.held]
        handover = owed[0] if owed else None
    return TableOut(
        id=row.id,
        rev=_visible_rev(loaded, play["seq"], late),
        game=row.rules,
        label=game_label(loaded.game, lang),
        title=row.title,
        status=row.status,
        purpose=row.purpose,
        owner=row.owner is not None and row.owner == reader.who.id,
        players=row.players,
        options=row.options,
        settings=dump_settings(row.settings),
        seats=[],
        seat=reader.seat,
        held=list(reader.held),
        handover=handover,
        phase=phase,
        phase_text=phase_label(loaded.game, phase, lang),
        may_talk=may_talk(loaded, reader),
        draft=_present_draft(loaded, reader),
        proposals=[
            present_proposal(loaded, p, reader) for p in loaded.proposals if is_concerned(p, reader)
        ],
        due=due,
        paused_until=row.pause_ends,
        now=0,
        result=present_result(row.result, lang),
        commitment=Audited(bytes.fromhex(row.key)).commitment,
        key=row.key if row.has_ended and row.started else None,
        rematch=row.rematch,
        watchers=row.watch != "off",
        **play,
    )


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
        nothing = {"view": None, "question": None, "can_undo": False}
        return {"seq": 0, "to_act": [], **nothing}
    game = loaded.game
    now = visible_game(loaded, reader, late)
    view = game.view(now.state, reader.seat)
    playing = loaded.row.status == "live" and reader.seat in reader.held
    play: dict[str, Any] = {
        "seq": now.seq,
        "to_act": [x for x in loaded.seats if x in now.to_act],
        "view": view,
        "captions": present_captions(game, view, reader.lang),
        "question": _present_question(loaded, reader, now) if playing else None,
        "can_undo": playing
        and not hides_moves(loaded)
        and loaded.replayed.table.can_undo(reader.seat or ""),
        "legal": _listed_actions(game, now.state, reader) if playing else None,
    }
    if hides_moves(loaded):
        play["to_act"] = [x for x in play["to_act"] if x == reader.seat]
    if reader.text:
        play["describe"] = describe_view(game, view, reader.lang)
    return play


def describe_view(game: Game, view: dict[str, Any], lang: str) -> list[SectionOut]:
    return [
        SectionOut(**part) for part in message_json.sections_in_words(game.describe(view), lang)
    ]


def present_captions(game: Game, view: dict[str, Any], lang: str) -> dict[str, str]:
    """The sentences that the board shows, in the reader's language."""
    return {about: say(sentence, lang) for about, sentence in game.captions(view).items()}


def _present_question(loaded: LoadedTable, reader: Reader, now: VisibleGame) -> QuestionOut | None:
    asked = loaded.game.ask(now.state, reader.seat or "")
    if asked is None:
        return None
    key = (reader.seat, reader.lang, reader.raw)
    known = loaded.questions.get(key)
    if known is None or known[0] != asked:  # it often stands while others act
        raw = message_json.raw_question(asked) if reader.raw else None
        shown = QuestionOut(id=0, **message_json.question_in_words(asked, reader.lang), raw=raw)
        known = loaded.questions[key] = asked, shown
    return known[1].model_copy(update={"id": now.seq})


def _listed_actions(game: Game, state: State, reader: Reader) -> list[str] | None:
    """The legal actions in wire notation, if they are few."""
    legal = game.legal(state, reader.seat or "")
    if legal.count_all() > (LISTED_FOR_PROGRAMS if reader.raw else LISTED_ACTIONS):
        return None
    return [str(action) for action in legal]


def _present_seats(loaded: LoadedTable, reader: Reader, now: float) -> list[SeatOut]:
    hidden = loaded.settings.anonymous and not loaded.row.has_ended
    return [
        _present_seat(loaded, seat, reader, now, hidden=hidden) for seat in loaded.seats.values()
    ]


def _present_seat(
    loaded: LoadedTable, seat: SeatRow, reader: Reader, now: float, *, hidden: bool
) -> SeatOut:
    row = loaded.row
    mine = seat.seat in reader.held
    seated = row.status == "open" and seat.kind == "bot" and row.owner == reader.who.id
    secret = hidden and not mine and not seated  # a host who seated a bot may take it away again
    result = row.result
    shown = SeatOut(
        seat=seat.seat,
        label=seat_label(loaded.game, seat.seat, reader.lang),
        kind="hidden" if secret and seat.kind in ("person", "bot") else seat.kind,
        mine=mine,
        score=result["scores"].get(seat.seat) if result else None,
        rank=_seat_rank(result, seat.seat),
    )
    if secret:
        return shown.model_copy(update={"vacant": seat.vacant})
    playing = row.status == "live" and not watch_delay(loaded, reader)
    return shown.model_copy(
        update={
            "level": seat.level,
            "name": seat.name,
            "to_act": playing and seat.seat in row.to_act,
            "present": seat.kind == "bot" or seat.is_present(now),
            "autopilot": seat.autopilot,
            "vacant": seat.vacant,
            "due": seat.due if playing else None,
            "bank": seat.bank,
        }
    )


def _seat_rank(result: StoredResult | None, seat: str) -> int | None:
    if result is None:
        return None
    before = 0
    for group in result["ranking"]:
        if seat in group:
            return before + 1
        before += len(group)
    return None


def _present_draft(loaded: LoadedTable, reader: Reader) -> DraftOut | None:
    draft = loaded.drafts.get(reader.seat or "")
    if draft is None or reader.seat not in reader.held:
        return None
    return DraftOut(question=draft.question, value=draft.value, at=draft.at)


def present_proposal(loaded: LoadedTable, proposal: ProposalRow, reader: Reader) -> ProposalOut:
    names = {k: _seat_or_text(loaded, v, reader.lang) for k, v in proposal.args.items()}
    words = {"seat": seat_label(loaded.game, proposal.seat, reader.lang), "winner": "", "who": ""}
    text = say(Msg(f"server.propose.{proposal.kind}", **{**words, **names}), reader.lang)
    owed = set(proposal.voters) - proposal.votes.keys()
    votes = proposal.votes
    if loaded.settings.anonymous:
        votes = {seat: vote for seat, vote in votes.items() if seat in reader.eyes}
    return ProposalOut(
        id=proposal.id,
        table=loaded.id,
        kind=proposal.kind,
        seat=proposal.seat,
        voters=proposal.voters,
        votes=votes,
        args=proposal.args,
        text=text,
        status=proposal.status,
        created=proposal.created,
        expires=proposal.expires,
        may_vote=proposal.status == "open" and bool(owed & reader.eyes),
    )


def _seat_or_text(loaded: LoadedTable, value: Any, lang: str) -> str:
    if isinstance(value, str) and value in loaded.seats:
        return seat_label(loaded.game, value, lang)
    if isinstance(value, list):
        return ", ".join(_seat_or_text(loaded, item, lang) for item in value)
    return str(value)


def present_facts(stored: list[dict[str, Any]], seat: str | None, lang: str) -> list[FactOut]:
    facts = [message_json.load_fact(data) for data in stored]
    return [
        FactOut(code=fact.msg.code, text=say(fact.msg, lang), rule=fact.rule)
        for fact in facts
        if fact.seen_by(seat)
    ]


async def present_table(
    cache: TableCache,
    who: Principal,
    table: str,
    seat: str | None,
    *,
    text: bool,
    raw: bool = False,
    trust: bool = False,
) -> TableOut:
    """A table for the person who asks; sockets `trust` the cache."""
    async with cache.look(table, trust=trust) as loaded:
        reader = readers.find_reader(loaded, who, seat, text=text, raw=raw)
        late = await delayed_game(cache, loaded, reader)
        return present_loaded(loaded, reader, cache.clock(), late)
