"""What other sites show of a link to a table: its name, where it stands, and a picture."""

from html import escape

from powderkeg.core.errors import RulesError
from powderkeg.core.words import Msg, say
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.tables import labels
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.loaded import LoadedTable
from powderkeg.server.views.pictures import has_picture
from powderkeg.server.views.readers import Reader, may_watch, watch_delay

SITE_NAME = "Powderkeg"


async def write_preview_tags(cache: TableCache, path: str, lang: str, site: str) -> str:
    """The tags for the head of a page. They say what a stranger may know, and no more to players."""
    title, about, picture = SITE_NAME, say(Msg("server.preview.site"), lang), "/icon-512.png"
    kind, _, table = path.partition("/")
    if kind == "t" and table:
        try:
            async with cache.look(table.partition("/")[0]) as loaded:
                title, about = _name_table(loaded, lang), _describe_table(loaded, lang)
                if has_picture(loaded.row) and _is_public(loaded):
                    picture = f"/api/tables/{loaded.id}/picture.png?size=large&lang={lang}"
        except RulesError:
            pass  # there is no such table, which the page itself says
    return _write_tags(title, about, f"{site}/{path}", f"{site}{picture}")


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
        return say(Msg("server.preview.over"), lang)
    stranger = Reader(Principal(), None, (), lang=lang)
    phase = labels.phase_words(loaded.game, row.phase)
    hidden = watch_delay(loaded, stranger) or not _is_public(loaded)
    if hidden or not phase:
        return say(Msg("server.preview.running"), lang)
    return say(Msg("server.preview.live", phase=phase), lang)


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
