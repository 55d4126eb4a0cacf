"""A table as one reader may see it. Secrets were cut by the game's `view`; here the table's own
are kept: who sits where in an anonymous game, drafts, whose move it is when moves are hidden."""

from dataclasses import dataclass
from typing import Any

from powderkeg.core import plain
from powderkeg.core.chance import CHANCE, Audited
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Game, Result, State, game_message, seat_message
from powderkeg.core.words import Msg, has_words, say
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.refusals import forbidden
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
from powderkeg.server.tables import message_json
from powderkeg.server.tables import replay as folding
from powderkeg.server.tables.cache import Rec, Room
from powderkeg.server.tables.replay import Fold

PRESENT = 45.0  # seconds after which somebody who was seen is away
SMALL = 200  # legal actions worth listing
STAGE = 2**40  # more than a table is ever changed
MANY = 5000  # legal actions that a program gets listed


@dataclass(frozen=True, slots=True)
class Reader:
    """Who looks at a table, and how."""

    who: Principal
    seat: str | None  # through whose eyes; None: a spectator
    held: tuple[str, ...]
    text: bool = False  # with the board in words
    raw: bool = False  # for a program: codes and legal actions
    lang: str = "en"

    @property
    def eyes(self) -> frozenset[str]:
        """The seat that looks: where several share a screen, nobody until one says who it is."""
        seats = self.held if self.seat is None and len(self.held) == 1 else (self.seat,)
        return frozenset(seat for seat in seats if seat in self.held)

    @property
    def key(self) -> Any:
        return (self.seat, self.held, self.lang, self.text, self.raw, self.who.id)


def reader(
    room: Room, who: Principal, seat: str | None = None, *, text: bool = False, raw: bool = False
) -> Reader:
    """Find out what this person may see of the table, or refuse."""
    held = tuple(room.held_by(who.id if "read" in who.scopes else None, who.grants))
    if seat is not None and seat not in room.seats:
        raise forbidden("not_your_seat")
    if seat is not None and seat not in held and room.row.status != "over":
        raise forbidden("not_your_seat")
    if seat is None and len(held) == 1:
        seat = held[0]
    if not held and not may_watch(room, who):
        raise forbidden("not_watchable")
    return Reader(who, seat, held, text, raw, who.lang)


def may_watch(room: Room, who: Principal) -> bool:
    row = room.row
    mine = row.owner is not None and row.owner == who.id
    return bool(mine or row.status == "open" or row.watch != "off")


def game_msg(game: Game) -> Msg | str:
    named = game_message(game)
    return named if has_words(named.code, "en") else game.name.replace("_", " ").title()


def game_label(game: Game, lang: str) -> str:
    return say(game_msg(game), lang)


def seat_msg(game: Game, seat: str) -> Msg | str:
    if seat == CHANCE:
        return Msg("server.chance")
    named = seat_message(game, seat)
    return named if has_words(named.code, "en") else seat.replace("_", " ").title()


def seat_label(game: Game, seat: str, lang: str) -> str:
    return say(seat_msg(game, seat), lang)


def phase_msg(game: Game, phase: str) -> Msg | str:
    """A phase in words; a game that marks no phases has none."""
    return game.phase_name(phase) if phase else phase


def phase_label(game: Game, phase: str, lang: str) -> str:
    return say(phase_msg(game, phase), lang)


def result_out(stored: dict[str, Any] | None, lang: str) -> ResultOut | None:
    if stored is None:
        return None
    why = message_json.load(stored["why"])
    return ResultOut(
        ranking=stored["ranking"],
        scores=stored["scores"],
        why=say(why, lang),
        code=why.code,
        rule=stored["rule"],
    )


def result_dump(result: Result) -> dict[str, Any]:
    return {
        "ranking": [list(group) for group in result.ranking],
        "scores": result.scores,
        "why": message_json.dump(result.why),
        "rule": result.rule,
    }


@dataclass(frozen=True, slots=True)
class Seen:
    """The part of the game that a reader may see now."""

    state: State
    seq: int
    to_act: frozenset[str]


def is_hidden(room: Room) -> bool:
    """Whether moves of others are kept back: in anonymous games, while several choose at once."""
    hidden = room.settings.get("anonymous") and room.row.status in ("live", "paused")
    return bool(hidden and room.live.together)


def seen(room: Room, reader: Reader, late: Fold | None = None) -> Seen:
    """What the game looks like to the reader. Who watches with a delay sees an earlier moment.

    In an anonymous game who has already chosen must not show: the reader sees the game as if
    nobody but them had moved since all were asked.
    """
    fold = late or room.live
    if late or not is_hidden(room):
        state = fold.table.state
        return Seen(state, fold.seq, fold.table.to_act)
    mine = [entry for entry in fold.since if entry.seat == reader.seat]
    alone = folding.stored(
        room.game,
        len(fold.table.seats),
        fold.table.options,
        b"",
        state=fold.base_state,
        length=fold.base,
    )
    try:
        for entry in mine:
            alone.enter(entry, barrier=False)
    except RulesError:  # it answered what another had begun: there is nothing left to hide
        return Seen(fold.table.state, fold.seq, fold.table.to_act)
    state = alone.table.state
    return Seen(state, fold.base + len(mine), room.game.to_act(state))


def table_out(room: Room, reader: Reader, now: float, late: Fold | None = None) -> TableOut:
    """The table as one JSON object; the costly parts are remembered until the table changes."""
    key = (reader.key, late.seq if late else None)
    cached = room.shown.get(key)
    if cached is None:
        cached = room.shown[key] = _table(room, reader, late)
    return cached.model_copy(update={"now": now, "seats": _seats(room, reader, now)})


def _table(room: Room, reader: Reader, late: Fold | None) -> TableOut:
    row, lang = room.row, reader.lang
    over = row.status in ("over", "closed")
    play = _play(room, reader, late)
    phase = late.phase if late else row.phase
    due = row.due if row.status == "live" and late is None else None
    if room.fold is not None and is_hidden(room):  # nothing may show that others have moved
        due = room.seats[reader.seat].due if reader.seat else None
    handover = None
    if len(reader.held) > 1 and reader.seat is None and row.status == "live":
        owed = [seat for seat in room.seats if seat in row.to_act and seat in reader.held]
        handover = owed[0] if owed else None
    return TableOut(
        id=row.id,
        rev=_rev(room, play["seq"], late),
        game=row.rules,
        label=game_label(room.game, lang),
        title=row.title,
        status=row.status,
        purpose=row.purpose,
        owner=row.owner is not None and row.owner == reader.who.id,
        players=row.players,
        options=row.options,
        settings=row.settings,
        seats=[],
        seat=reader.seat,
        held=list(reader.held),
        handover=handover,
        phase=phase,
        phase_text=phase_label(room.game, phase, lang),
        may_talk=may_talk(room, reader),
        draft=_draft(room, reader),
        proposals=[
            proposal_out(room, p, reader) for p in room.proposals if concerns(room, p, reader)
        ],
        due=due,
        paused_until=row.pause_ends,
        now=0,
        result=result_out(row.result, lang),
        commitment=Audited(bytes.fromhex(row.key)).commitment,
        key=row.key if over and row.started else None,
        rematch=row.rematch,
        watchers=row.watch != "off",
        **play,
    )


def _rev(room: Room, seq: int, late: Fold | None) -> int:
    """What never falls, so that a reader knows which of two messages is the newer.

    The count of all changes would tell of moves that are kept back; there, those that the reader
    knows of are counted. Two counts cannot be compared: how far the table has come goes before.
    """
    playing = room.row.status in ("live", "paused")
    counted = late is not None or (playing and room.settings.get("anonymous"))
    stage = 0 if room.row.status == "open" else 1 if playing else 2
    return stage * STAGE + (seq if counted else int(room.row.rev))


def _play(room: Room, reader: Reader, late: Fold | None) -> dict[str, Any]:
    if room.fold is None:
        nothing = {"view": None, "question": None, "can_undo": False}
        return {"seq": 0, "to_act": [], **nothing}
    game = room.game
    now = seen(room, reader, late)
    view = game.view(now.state, reader.seat)
    playing = room.row.status == "live" and reader.seat in reader.held
    play: dict[str, Any] = {
        "seq": now.seq,
        "to_act": [x for x in room.seats if x in now.to_act],
        "view": view,
        "captions": captions_out(game, view, reader.lang),
        "question": _question(room, reader, now) if playing else None,
        "can_undo": playing and not is_hidden(room) and room.fold.table.can_undo(reader.seat or ""),
        "legal": _legal(game, now.state, reader) if playing else None,
    }
    if is_hidden(room):
        play["to_act"] = [x for x in play["to_act"] if x == reader.seat]
    if reader.text:
        play["describe"] = described(game, view, reader.lang)
    return play


def described(game: Game, view: dict[str, Any], lang: str) -> list[SectionOut]:
    return [SectionOut(**part) for part in message_json.sections(game.describe(view), lang)]


def captions_out(game: Game, view: dict[str, Any], lang: str) -> dict[str, str]:
    """The sentences that the board shows, in the reader's language."""
    return {about: say(sentence, lang) for about, sentence in game.captions(view).items()}


def _question(room: Room, reader: Reader, now: Seen) -> QuestionOut | None:
    asked = room.game.ask(now.state, reader.seat or "")
    if asked is None:
        return None
    key = (reader.seat, reader.lang, reader.raw)
    known = room.asked.get(key)
    if known is None or known[0] != asked:  # it often stands while others act
        raw = message_json.raw_question(asked) if reader.raw else None
        shown = QuestionOut(id=0, **message_json.question(asked, reader.lang), raw=raw)
        known = room.asked[key] = asked, shown
    return known[1].model_copy(update={"id": now.seq})


def _legal(game: Game, state: State, reader: Reader) -> list[str] | None:
    """The legal actions in wire notation, if they are few."""
    legal = game.legal(state, reader.seat or "")
    if legal.count_all() > (MANY if reader.raw else SMALL):
        return None
    return [str(action) for action in legal]


def _seats(room: Room, reader: Reader, now: float) -> list[SeatOut]:
    hidden = bool(room.settings.get("anonymous")) and room.row.status not in ("over", "closed")
    return [_seat(room, seat, reader, now, hidden=hidden) for seat in room.seats.values()]


def _seat(room: Room, seat: Rec, reader: Reader, now: float, *, hidden: bool) -> SeatOut:
    row = room.row
    mine = seat.seat in reader.held
    seated = row.status == "open" and seat.kind == "bot" and row.owner == reader.who.id
    secret = hidden and not mine and not seated  # whoever seated a bot may take it away again
    result = row.result
    shown = SeatOut(
        seat=seat.seat,
        label=seat_label(room.game, seat.seat, reader.lang),
        kind="hidden" if secret and seat.kind in ("person", "bot") else seat.kind,
        mine=mine,
        score=result["scores"].get(seat.seat) if result else None,
        rank=_rank(result, seat.seat),
    )
    if secret:
        return shown.model_copy(update={"vacant": seat.vacant})
    playing = row.status == "live" and not delay_of(room, reader)
    return shown.model_copy(
        update={
            "level": seat.level,
            "name": seat.name,
            "to_act": playing and seat.seat in row.to_act,
            "present": seat.kind == "bot" or (seat.seen or 0) > now - PRESENT,
            "autopilot": seat.autopilot,
            "vacant": seat.vacant,
            "due": seat.due if playing else None,
            "bank": seat.bank,
        }
    )


def _rank(result: dict[str, Any] | None, seat: str) -> int | None:
    if result is None:
        return None
    before = 0
    for group in result["ranking"]:
        if seat in group:
            return before + 1
        before += len(group)
    return None


def _draft(room: Room, reader: Reader) -> DraftOut | None:
    draft = room.drafts.get(reader.seat or "")
    if draft is None or reader.seat not in reader.held:
        return None
    return DraftOut(question=draft.question, value=draft.value, at=draft.at)


def may_talk(room: Room, reader: Reader) -> list[str]:
    """To whom the reader may speak now: "all", "seats", "watchers"."""
    row = room.row
    if not reader.held:
        spoken = row.watch != "off" and reader.who.user is not None
        return ["watchers"] if spoken and row.status != "open" else []
    return seats_may_talk(room)


def seats_may_talk(room: Room) -> list[str]:
    """To whom those at the table may speak now."""
    policy, row = room.settings.get("press", "all"), room.row
    if row.status == "open":
        return ["all"]
    if policy == "none" and row.status != "over":
        return []
    if policy == "rulebook" and row.status == "live" and not row.talk:
        return []
    private = policy in ("all", "rulebook") or row.status == "over"
    return ["all", "seats"] if private else ["all"]


def concerns(room: Room, proposal: Rec, reader: Reader) -> bool:
    """Deals are between those who make them; votes are everybody's."""
    if proposal.kind != "deal":
        return True
    return not reader.eyes.isdisjoint({proposal.seat, *proposal.voters})


def proposal_out(room: Room, proposal: Rec, reader: Reader) -> ProposalOut:
    names = {k: _named(room, v, reader.lang) for k, v in proposal.args.items()}
    words = {"seat": seat_label(room.game, proposal.seat, reader.lang), "winner": "", "who": ""}
    text = say(Msg(f"server.propose.{proposal.kind}", **{**words, **names}), reader.lang)
    owed = set(proposal.voters) - proposal.votes.keys()
    votes = proposal.votes
    if room.settings.get("anonymous"):
        votes = {seat: vote for seat, vote in votes.items() if seat in reader.eyes}
    return ProposalOut(
        id=proposal.id,
        table=room.id,
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


def _named(room: Room, value: Any, lang: str) -> str:
    if isinstance(value, str) and value in room.seats:
        return seat_label(room.game, value, lang)
    if isinstance(value, list):
        return ", ".join(_named(room, item, lang) for item in value)
    return str(value)


def delay_of(room: Room, reader: Reader) -> float:
    """How many seconds behind this reader watches."""
    playing = room.row.status in ("live", "paused")
    if reader.held or not playing or room.row.watch != "delayed":
        return 0.0
    return float(room.settings["delay"])


def facts_out(stored: list[dict[str, Any]], seat: str | None, lang: str) -> list[FactOut]:
    facts = [message_json.load_fact(data) for data in stored]
    return [
        FactOut(code=fact.msg.code, text=say(fact.msg, lang), rule=fact.rule)
        for fact in facts
        if fact.seen_by(seat)
    ]


def options_of(game: Game, options: dict[str, Any]) -> Any:
    return plain.load(game.Options, options)
