"""What other sites show of a link: a table's name, where it stands or how it ended, and a picture."""

from dataclasses import dataclass, replace
from html import escape

from sqlalchemy import select

from powderkeg.core.errors import RulesError
from powderkeg.core.words import Msg, say
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.refusals import not_found
from powderkeg.server.tables import labels
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.loaded import LoadedTable
from powderkeg.server.views.delayed import replay_moment
from powderkeg.server.views.pictures import has_picture
from powderkeg.server.views.readers import Reader, may_watch, watch_delay

SITE_NAME = "Powderkeg"
ICON = "/icon-512.png"


@dataclass(frozen=True, slots=True)
class Preview:
    """What is shown of a link."""

    title: str
    about: str
    picture: str | None = None  # of the position, where there is one


async def write_preview_tags(
    cache: TableCache, path: str, moment: int | None, lang: str, site: str
) -> str:
    """The tags for the head of a page; `moment`: of a replay. They say what a stranger may know, and no
    more to players."""
    kind, _, rest = path.partition("/")
    name = rest.partition("/")[0]
    found = Preview(SITE_NAME, say(Msg("server.preview.site"), lang))
    try:
        if kind == "t" and name:
            found = await _preview_table(cache, name, lang)
        if kind == "t" and name and moment is not None:
            found = await _preview_moment(cache, found, name, moment, lang)
        if kind == "league" and name:
            found = await _preview_league(cache, name, lang)
    except RulesError:
        pass  # there is no such table, which the page itself says
    at = "" if moment is None else f"?at={moment}"
    return _write_tags(
        found.title, found.about, f"{site}/{path}{at}", f"{site}{found.picture or ICON}"
    )


async def _preview_table(cache: TableCache, table: str, lang: str) -> Preview:
    async with cache.look(table) as loaded:
        found = Preview(_name_table(loaded, lang), _describe_table(loaded, lang))
        if has_picture(loaded.row) and _is_public(loaded):
            found = replace(
                found, picture=f"/api/tables/{table}/picture.png?size=large&lang={lang}"
            )
        return found


async def _preview_moment(
    cache: TableCache, now: Preview, table: str, seq: int, lang: str
) -> Preview:
    game, _, replayed = await replay_moment(cache, Principal(lang=lang), table, None, seq)
    phase = labels.phase_words(game, replayed.phase)
    code, words = ("moment", {"phase": phase}) if phase else ("site", {})
    about = say(Msg(f"server.preview.{code}", **words), lang)
    return replace(now, about=about, picture=now.picture and f"{now.picture}&seq={seq}")


async def _preview_league(cache: TableCache, league: str, lang: str) -> Preview:
    """A league: its name is known to everybody who has its link."""
    lg = schema.leagues.c
    async with cache.store.read() as tx:
        name = await tx.value(select(lg.name).where(lg.id == league))
    if name is None:
        raise not_found("no_such_league")
    return Preview(f"{name} · {SITE_NAME}", say(Msg("server.preview.league"), lang))


def _name_table(loaded: LoadedTable, lang: str) -> str:
    label, title = labels.game_label(loaded.game, lang), loaded.row.title
    return f"{title} · {label}" if title and _is_public(loaded) else f"{label} · {SITE_NAME}"


def _is_public(loaded: LoadedTable) -> bool:
    return may_watch(loaded, Principal())


def _describe_table(loaded: LoadedTable, lang: str) -> str:
    """Whether the table waits for players, where the game stands, or how it ended."""
    row = loaded.row
    if row.status == "open":
        free = sum(seat.kind == "open" for seat in loaded.seats.values())
        return say(Msg("server.preview.open", n=free), lang)
    if row.has_ended:
        return _describe_end(loaded, lang)
    stranger = Reader(Principal(), None, (), lang=lang)
    phase = labels.phase_words(loaded.game, row.phase)
    hidden = watch_delay(loaded, stranger) or not _is_public(loaded)
    if hidden or not phase:
        return say(Msg("server.preview.running"), lang)
    return say(Msg("server.preview.live", phase=phase), lang)


def _describe_end(loaded: LoadedTable, lang: str) -> str:
    """Who won, where anybody may know."""
    result = loaded.row.result
    if result is None or not _is_public(loaded):
        return say(Msg("server.preview.over"), lang)
    winners = [
        labels.standing_label(loaded.game, loaded.row, seat, lang) for seat in result["ranking"][0]
    ]
    code = "won" if len(winners) == 1 else "shared"
    return say(Msg(f"server.preview.{code}", who=winners), lang)


def _write_tags(title: str, about: str, page: str, picture: str) -> str:
    tags = {
        "og:type": "website",
        "og:site_name": SITE_NAME,
        "og:title": title,
        "og:description": about,
        "og:url": page,
        "og:image": picture,
    }
    lines = [f'<meta property="{name}" content="{escape(text)}" />' for name, text in tags.items()]
    lines.append(f'<meta name="description" content="{escape(about)}" />')
    lines.append('<meta name="twitter:card" content="summary_large_image" />')
    return "\n    ".join(lines)
