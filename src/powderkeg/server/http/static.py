"""The browser client: built files from the package, or a plain page that says it is not built."""

import mimetypes
import re
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, Response

from powderkeg.core.words import Msg, say
from powderkeg.server.accounts.identity import client_address, find_language, network_of
from powderkeg.server.http.deps import request_server
from powderkeg.server.refusals import Refused
from powderkeg.server.views.link_preview import write_preview_tags

CLIENT_FOLDER = Path(__file__).parent.parent.parent / "web"
CACHE_FOREVER = "public, max-age=31536000, immutable"
MOST_DIGITS = 9  # of a place in a log
PREVIEW_TAG = re.compile(r'\s*<meta\s+(?:property="og:|name="description)[^>]*>')
NOT_BUILT_PAGE = """<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>Powderkeg</title>
<h1>Powderkeg</h1><p>{text}</p><p><a href="/api/openapi.json">API</a></p></html>"""


def _client_file(folder: Path, path: str) -> Path | None:
    """The client's file at `path`, never one outside its folder."""
    if "\x00" in path:
        return None
    file = (folder / path).resolve()
    inside = file.is_relative_to(folder.resolve())
    return file if path and inside and file.is_file() else None


def _send_file(file: Path, request: Request, cache: str) -> FileResponse:
    """The file, packed if it was packed when the client was built and the reader can unpack it."""
    headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
    packed = file.with_name(f"{file.name}.gz")
    if "gzip" not in request.headers.get("accept-encoding", "") or not packed.is_file():
        return FileResponse(file, headers=headers)
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    headers["Content-Encoding"] = "gzip"
    return FileResponse(packed, media_type=kind, headers=headers)


async def _send_page(index: Path, request: Request, path: str, lang: str) -> HTMLResponse:
    """The page of the client, with what other sites show of a link to it."""
    server = request_server(request)
    site, at = server.settings.public_url, request.query_params.get("at", "")
    moment = int(at) if at.isdecimal() and len(at) <= MOST_DIGITS else None
    if moment is not None:  # a game is replayed to it
        server.limiter.check_here("read", network_of(client_address(request, server.settings)))
    tags = await write_preview_tags(server.cache, path, moment, lang, site)
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Language"}
    return HTMLResponse(_replace_tags(index, tags), headers=headers)


def _replace_tags(index: Path, tags: str) -> str:
    page = PREVIEW_TAG.sub("", index.read_text(encoding="utf-8"))
    return page.replace("</title>", f"</title>\n    {tags}", 1)


def serve_client(app: FastAPI, folder: Path = CLIENT_FOLDER) -> None:
    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        """A file of the client; any other address is the client's own to show."""
        if path.startswith("api/"):
            raise Refused(404, "no_such_page")
        file = _client_file(folder, path)
        if file is not None:
            hashed = path.startswith("assets/")
            return _send_file(file, request, CACHE_FOREVER if hashed else "no-cache")
        if path.startswith("assets/"):
            raise Refused(404, "no_such_page")
        index, lang = folder / "index.html", find_language(request)
        if index.is_file():
            return await _send_page(index, request, path, lang)
        text = say(Msg("server.not_built"), lang)
        return HTMLResponse(NOT_BUILT_PAGE.format(lang=lang, text=text))
