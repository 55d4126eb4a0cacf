"""Pictures of positions, for previews of links and for lists: only what a spectator may see."""

import asyncio
from collections import OrderedDict
from hashlib import sha256
from typing import Literal

from powderkeg.core.reports.drawing import DRAWINGS, find_drawing
from powderkeg.picture import render_png
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db.rows import TableRow
from powderkeg.server.refusals import Refused
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.views.delayed import delayed_game, replay_moment
from powderkeg.server.views.present import visible_game
from powderkeg.server.views.readers import Reader, may_watch

PictureSize = Literal["small", "large"]
PICTURE_WIDTHS: dict[PictureSize, int] = {"small": 240, "large": 800}
KEPT_PICTURES = 200


def has_picture(row: TableRow) -> bool:
    """Whether there is a picture of a table's position: some games have no map."""
    return row.rules in DRAWINGS and row.started is not None


class PictureCache:
    """Draws one picture at a time, outside the event loop, and keeps the last ones."""

    def __init__(self) -> None:
        self.kept: OrderedDict[str, bytes] = OrderedDict()
        self.drawing = asyncio.Lock()

    async def render_once(self, svg: str, size: PictureSize) -> bytes:
        """The PNG of a drawing; the same drawing is rendered once."""
        key = sha256(f"{size}{svg}".encode()).hexdigest()
        async with self.drawing:
            if key not in self.kept:
                width = PICTURE_WIDTHS[size]
                self.kept[key] = await asyncio.to_thread(render_png, svg, width)
                while len(self.kept) > KEPT_PICTURES:
                    self.kept.popitem(last=False)
            self.kept.move_to_end(key)
            return self.kept[key]


async def draw_position(
    cache: TableCache, who: Principal, table: str, seq: int | None = None
) -> str:
    """The public position of a table as SVG, now or after `seq` entries of the log. Players get no more
    than a spectator would, so that a picture never shows orders or hands; spectators who watch with a
    delay get an earlier one."""
    if seq is not None:
        return await _draw_moment(cache, who, table, seq)
    async with cache.look(table) as loaded:
        draw = find_drawing(loaded.game.name)
        held = tuple(loaded.held_by(who.id, who.grants))
        if draw is None or loaded.replayed is None or not (held or may_watch(loaded, who)):
            raise Refused(404, "no_such_page")
        reader = Reader(who, None, held, lang=who.lang)
        late = await delayed_game(cache, loaded, reader)
        state = visible_game(loaded, reader, late).state
        return draw(loaded.game.view(state, None), lang=who.lang)


async def _draw_moment(cache: TableCache, who: Principal, table: str, seq: int) -> str:
    async with cache.look(table) as loaded:
        draw = find_drawing(loaded.game.name)
    if draw is None:  # before anything is replayed
        raise Refused(404, "no_such_page")
    game, _, replayed = await replay_moment(cache, who, table, None, seq)
    return draw(game.view(replayed.table.state, None), lang=who.lang)
