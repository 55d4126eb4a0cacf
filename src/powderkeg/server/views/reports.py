"""What a table tells beside the board: scenes of what happened, and the score pad."""

from typing import Any

from sqlalchemy import select

from powderkeg.core.game import Fact, Game
from powderkeg.core.reports.scenes import Beat, Scene, Side
from powderkeg.core.reports.score_pad import ScoreLine
from powderkeg.core.words import Msg, say
from powderkeg.server import message_json
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.db.rows import LogRow, StoredResult
from powderkeg.server.schemas.play import (
    BeatOut,
    SceneOut,
    ScenesOut,
    ScoreLineOut,
    ScoreOut,
    SideOut,
)
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.views.delayed import replay_moment
from powderkeg.server.views.readers import Reader

lg = schema.log.c
LAST_ENTRIES = 300  # of the log, from which scenes are made: more than a round or four turns


async def read_scenes(
    cache: TableCache, who: Principal, table: str, seat: str | None, seq: int
) -> ScenesOut:
    """The scenes that are still shown after entry `seq`."""
    game, reader, view = await _view_at(cache, who, table, seat, seq)
    async with cache.store.read() as tx:
        part = (lg.game == table) & (lg.seq < seq) & (lg.seq >= seq - LAST_ENTRIES)
        rows = [
            LogRow.load(row)
            for row in await tx.all(select(schema.log).where(part).order_by(lg.seq))
        ]
    undone = {row.undoes for row in rows}
    facts = [x for row in rows if row.seq not in undone for x in _seen_facts(row, reader)]
    scenes = [_present_scene(scene, reader.lang) for scene in game.scenes(view, facts)]
    return ScenesOut(seq=seq, scenes=scenes)


async def read_score(
    cache: TableCache, who: Principal, table: str, seat: str | None, seq: int
) -> ScoreOut:
    """The score pad as it stands after entry `seq`."""
    game, reader, replayed = await replay_moment(cache, who, table, seat, seq)
    lines = game.score(game.view(replayed.table.state, reader.seat))
    async with cache.look(table) as loaded:
        row, is_last = loaded.row, loaded.length == seq
    if row.result is not None and is_last and replayed.table.result is None:
        lines = _agreed_lines(lines, row.result)
    return ScoreOut(seq=seq, lines=[_present_line(line, reader.lang) for line in lines])


def _agreed_lines(lines: tuple[ScoreLine, ...], result: StoredResult) -> tuple[ScoreLine, ...]:
    """The pad of a game that its players ended by agreement: what was open is decided by that."""
    agreed = ScoreLine(Msg("server.score.agreed"), result["scores"], total=True)
    return (*(line for line in lines if not line.open), agreed)


async def _view_at(
    cache: TableCache, who: Principal, table: str, seat: str | None, seq: int
) -> tuple[Game, Reader, dict[str, Any]]:
    """The game, its reader, and what the reader saw after entry `seq`."""
    game, reader, replayed = await replay_moment(cache, who, table, seat, seq)
    return game, reader, game.view(replayed.table.state, reader.seat)


def _seen_facts(row: LogRow, reader: Reader) -> list[Fact]:
    facts = [message_json.load_fact(data) for data in row.facts]
    return [fact for fact in facts if fact.seen_by(reader.seat)]


def _say_some(msg: Msg | None, lang: str) -> str:
    return "" if msg is None else say(msg, lang)


def _present_scene(scene: Scene, lang: str) -> SceneOut:
    return SceneOut(
        kind=scene.kind,
        about=scene.about,
        title=say(scene.title, lang),
        beats=[_present_beat(beat, lang) for beat in scene.beats],
        sides=[_present_side(side, lang) for side in scene.sides],
        over=scene.over,
    )


def _present_beat(beat: Beat, lang: str) -> BeatOut:
    sides = [_present_side(side, lang) for side in beat.sides]
    return BeatOut(text=say(beat.text, lang), rule=beat.rule, sides=sides)


def _present_side(side: Side, lang: str) -> SideOut:
    return SideOut(
        who=side.who,
        name=say(side.name, lang),
        dice=list(side.dice),
        counts=list(side.counts),
        lost=say(side.lost, lang),
        chance=side.chance,
        note=_say_some(side.note, lang),
    )


def _present_line(line: ScoreLine, lang: str) -> ScoreLineOut:
    return ScoreLineOut(
        label=say(line.label, lang),
        points=line.points,
        notes={seat: say(note, lang) for seat, note in line.notes.items()},
        rule=line.rule,
        open=line.open,
        total=line.total,
    )
