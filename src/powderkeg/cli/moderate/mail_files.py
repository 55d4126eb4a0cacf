"""Mail from files: mailboxes (mbox, Maildir), folders of ``.eml`` files and single messages."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from email import policy
from email.errors import MessageError
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parseaddr, parsedate_to_datetime
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from powderkeg.core.errors import Unreadable
from powderkeg.games.diplomacy.judge.letters import Letter

MOST_MAILS: Final = 10_000
MOST_TEXT: Final = 100_000  # characters of one mail that are read
_HEADER_LINE: Final = re.compile(
    rb"\n(?:From|To|Subject|Date|Received|Return-Path|Message-ID|MIME-Version):\s", re.IGNORECASE
)
_BLOCKS: Final = frozenset(("p", "div", "br", "li", "tr", "blockquote", "h1", "h2", "h3", "pre"))
# Headers as strangers write them may break the parser in these ways.
_BAD_HEADER: Final = (ValueError, LookupError, TypeError, AttributeError, MessageError)


class Mail(NamedTuple):
    """A letter and when it was sent; mails without a date come last."""

    sent: datetime
    letter: Letter


NO_DATE: Final = datetime.max.replace(tzinfo=UTC)


def is_mail(data: bytes) -> bool:
    """Whether a file is an mbox or a raw mail: it begins with headers."""
    head = re.split(rb"\r?\n\r?\n", data[:20_000].lstrip(), maxsplit=1)[0]
    return data.startswith(b"From ") or len(_HEADER_LINE.findall(b"\n" + head)) > 1


def read_mails(path: Path) -> list[Mail]:
    """The mails in a mailbox, a folder or a file."""
    try:
        return parse_mails(_raw_files(path))
    except FileNotFoundError:
        raise Unreadable("cli.no_file", path=str(path)) from None
    except OSError:
        raise Unreadable("judge.no_mailbox", path=str(path)) from None


def parse_mails(files: Iterable[bytes]) -> list[Mail]:
    """The mails in the contents of files, each an mbox or a raw mail."""
    raw = (mail for data in files for mail in split_mbox(data))
    return [to_mail(each) for each in islice(raw, MOST_MAILS)]


def _raw_files(path: Path) -> Iterator[bytes]:
    if path.is_dir():
        yield from _folder_files(path)
        return
    yield path.read_bytes()


def _folder_files(folder: Path) -> Iterator[bytes]:
    """A Maildir has the folders *cur* and *new*; any other folder has files of mail."""
    parts = [part for part in (folder / "cur", folder / "new") if part.is_dir()]
    for file in (file for part in parts or [folder] for file in sorted(part.iterdir())):
        data = file.read_bytes() if file.is_file() else b""
        if parts or file.suffix.lower() == ".eml" or is_mail(data):
            yield data


def split_mbox(data: bytes) -> Iterator[bytes]:
    """The mails of an mbox; a single mail is one without the separating lines."""
    if not data.startswith(b"From "):
        yield data
        return
    for part in re.split(rb"(?:\A|(?<=\n)\r?\n)From .*\r?\n(?=[\w-]+:)", data)[1:]:
        yield re.sub(rb"(?m)^>(>*From )", rb"\1", part)


def to_mail(raw: bytes) -> Mail:
    """A raw mail as a letter."""
    message = BytesParser(policy=policy.default).parsebytes(raw)
    assert isinstance(message, EmailMessage)  # noqa: S101  # so says the policy
    sent = _sent_date(message)
    letter = Letter(
        _mail_text(message)[:MOST_TEXT],
        parseaddr(_header_text(message, "From"))[1].lower(),
        _header_text(message, "Subject"),
        sent.strftime("%Y-%m-%d %H:%M") if sent != NO_DATE else "",
        _header_text(message, "Message-ID").strip(),
    )
    return Mail(sent, letter)


def _header_text(message: EmailMessage, name: str) -> str:
    try:
        return " ".join(str(message.get(name, "")).split())
    except _BAD_HEADER:
        return ""


def _sent_date(message: EmailMessage) -> datetime:
    try:
        found = parsedate_to_datetime(_header_text(message, "Date"))
    except _BAD_HEADER:
        return NO_DATE
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def _mail_text(message: EmailMessage) -> str:
    """The words of a mail: its body, plain if it can be, and attached text files."""
    try:
        body = message.get_body(("plain", "html"))
        attached = [p for p in message.iter_attachments() if p.get_content_type() == "text/plain"]
    except _BAD_HEADER:  # not a mail as the standard has it
        body, attached = message, []
    parts = [part for part in (body, *attached) if isinstance(part, EmailMessage)]
    return "\n".join(map(_part_text, parts))


def _part_text(part: EmailMessage) -> str:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    text = decode_text(data, part.get_content_charset())
    return html_text(text) if part.get_content_type() == "text/html" else text


def decode_text(data: bytes, charset: str | None) -> str:
    """Bytes as text: in the charset that they name, in UTF-8, or else in Latin-1."""
    for each in filter(None, (charset, "utf-8")):
        try:
            return data.decode(each)
        except (LookupError, UnicodeDecodeError):
            continue
    return data.decode("latin-1")


def html_text(source: str) -> str:
    """The text of an HTML mail, without what it quotes."""
    reader = _HtmlText()
    reader.feed(source)
    return "".join(reader.parts)


class _HtmlText(HTMLParser):
    """Collects text, with a new line for each block."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.hidden: list[str] = []  # quotations, styles and scripts that are open

    def handle_starttag(self, tag: str, attrs: Iterable[tuple[str, str | None]]) -> None:
        if tag in {"blockquote", "style", "script", "head"}:
            self.hidden.append(tag)
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in self.hidden:
            self.hidden.remove(tag)
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.parts.append(" ".join(data.split("\n")) if data.strip() else " ")
