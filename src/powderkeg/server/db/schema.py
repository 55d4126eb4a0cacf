"""The tables of the database. Times are seconds since the epoch; JSON is text.

The log is the source of truth, and its primary key ``(game, seq)`` keeps two processes from writing
the same entry. Everything else about a game can be rebuilt from the log, or is about people.
"""

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Dialect,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def json_writer() -> Callable[[Any], str]:
    """How JSON is written: by `msgspec`, in a seventh of the time that Python's own encoder takes. Where it
    cannot be installed, Python's encoder writes the same."""
    try:
        encode: Callable[[Any], bytes] = import_module("msgspec.json").Encoder().encode
    except ImportError:
        return json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
    return lambda value: encode(value).decode()


write_json = json_writer()


class JsonText(TypeDecorator[Any]):
    """JSON as text: the same in both databases."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        if value is None:
            return None
        return write_json(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


ID = String(24)


def _game_key_column() -> Column[str]:
    return Column("game", ID, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)


def _game_column(*, nullable: bool = False) -> Column[str]:
    return Column("game", ID, ForeignKey("games.id", ondelete="CASCADE"), nullable=nullable)


def _user_column(
    name: str = "user", *, nullable: bool = True, gone: str = "SET NULL"
) -> Column[str]:
    return Column(name, ID, ForeignKey("users.id", ondelete=gone), nullable=nullable)


users = Table(
    "users",
    metadata,
    Column("id", ID, primary_key=True),
    Column("kind", String(8), nullable=False),  # guest, person, bot
    Column("name", String(40), nullable=False),
    Column("key", String(80), unique=True),  # the name as compared; guests have none
    Column("password", Text),
    Column("email", String(254), unique=True),
    Column("email_proven", Boolean, nullable=False, default=False),
    Column("lang", String(2), nullable=False, default="en"),
    Column("zone", String(64), nullable=False, default="UTC"),
    Column("notices", JsonText, nullable=False, default=dict),  # event -> now, digest, off
    Column("hook", JsonText),  # {"url", "form", "error"}
    Column("pushes", JsonText, nullable=False, default=list),
    Column("created", Double, nullable=False),
    Column("seen", Double, nullable=False),
    Column("banned", Boolean, nullable=False, default=False),
    Column("turns", Integer, nullable=False, default=0),
    Column("misses", Integer, nullable=False, default=0),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("id", ID, nullable=False, unique=True),
    Column("kind", String(8), nullable=False),  # session, api, seat, mail
    _user_column(nullable=True, gone="CASCADE"),
    _game_column(nullable=True),
    Column("seat", String(40)),
    Column("scopes", JsonText, nullable=False, default=list),
    Column("name", String(80), nullable=False, default=""),
    Column("created", Double, nullable=False),
    Column("expires", Double),
    Column("used", Double),
    Index(None, "user"),
    Index(None, "game"),
)

leagues = Table(  # tables of a club, counted together; a link has the id
    "leagues",
    metadata,
    Column("id", ID, primary_key=True),
    _user_column("owner"),
    Column("name", String(60), nullable=False),
    Column("rules", String(40)),  # the only game that is played in it; none: any
    Column("created", Double, nullable=False),
    Column("closed", Double),  # since when no tables are opened in it
    Index(None, "owner"),
)

# Who has left a league: it is in their list again when they sit down at a table of it.
league_departures = Table(
    "league_departures",
    metadata,
    Column("league", ID, ForeignKey("leagues.id", ondelete="CASCADE"), primary_key=True),
    Column("user", ID, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("at", Double, nullable=False),
    Index(None, "user"),
)

games = Table(
    "games",
    metadata,
    Column("id", ID, primary_key=True),
    Column("rules", String(40), nullable=False),
    Column("version", Integer, nullable=False),
    Column("players", Integer, nullable=False),
    Column("options", JsonText, nullable=False),
    Column("settings", JsonText, nullable=False),
    Column("title", String(80), nullable=False, default=""),
    Column("status", String(8), nullable=False),  # open, live, paused, over, closed
    Column("purpose", String(8), nullable=False, default="game"),  # game, sandbox, study, lesson
    _user_column("owner"),
    Column("invite", String(64), nullable=False),  # hash of the secret in the link
    Column("key", String(64), nullable=False),  # decides chance; published when the game is over
    Column("initial", JsonText),  # sandbox: the state from which the log starts
    Column("rev", Integer, nullable=False, default=0),  # raised with every change of a table
    Column("head", Integer, nullable=False, default=0),  # length of the log
    Column("base", Integer, nullable=False, default=0),  # undo cannot go back before this entry
    Column(
        "together", Boolean, nullable=False, default=False
    ),  # several seats were to act at `base`
    Column("to_act", JsonText, nullable=False, default=list),
    Column("phase", String(80), nullable=False, default=""),
    Column("stage", String(40), nullable=False, default=""),
    Column("talk", Boolean, nullable=False, default=True),  # the rulebook lets players talk now
    Column("spoken", String(80)),  # the last phase for which bots have written their letters
    Column("result", JsonText),
    Column("listed", Boolean, nullable=False, default=True),
    Column("watch", String(8), nullable=False, default="on"),
    Column("created", Double, nullable=False),
    Column("started", Double),
    Column("moved", Double, nullable=False),
    Column("ended", Double),
    Column("due", Double),  # the earliest deadline of all seats
    Column("paused", Double),  # since when
    Column("pause_ends", Double),
    Column("nudged", Double),
    Column("rated", Boolean, nullable=False, default=False),  # ratings were updated
    Column("rematch", ID),
    Column("standing", JsonText, nullable=False, default=dict),  # seat -> score and name
    Column("league", ID),
    Index(None, "status", "listed", "moved"),
    Index(None, "owner"),
    Index(None, "league"),
)

seats = Table(
    "seats",
    metadata,
    _game_key_column(),
    Column("seat", String(40), primary_key=True),
    Column("place", Integer, nullable=False),
    Column("kind", String(8), nullable=False),  # open, invited, person, bot
    _user_column(),
    Column("level", String(20), nullable=False, default=""),
    Column("name", String(40), nullable=False, default=""),
    Column("due", Double),
    Column("due_base", Integer),
    Column("bank", Double),  # seconds left, with a clock of banks
    Column("asked", Double),  # since when the seat is to act
    Column("misses", Integer, nullable=False, default=0),
    Column("autopilot", Boolean, nullable=False, default=False),
    Column("vacant", Boolean, nullable=False, default=False),  # anybody may take it over
    Column("reminded", Double),  # the deadline for which a reminder went out
    Column("seen", Double),
    Column("character", String(20), nullable=False, default=""),  # of a bot
    Index(None, "user"),
    Index(None, "seen"),
    Index(None, "vacant"),
)

log = Table(
    "log",
    metadata,
    _game_key_column(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("seat", String(40), nullable=False),
    Column("do", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("command", String(64)),
    Column("by", String(8), nullable=False),  # person, bot, time, chance, host
    Column("barrier", Boolean, nullable=False, default=False),
    Column("undoes", Integer),
    Column("phase", String(80), nullable=False, default=""),  # after the entry
    Column("facts", JsonText, nullable=False),
    UniqueConstraint("game", "seat", "command"),
)

snapshots = Table(
    "snapshots",
    metadata,
    _game_key_column(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("state", JsonText, nullable=False),
)

drafts = Table(
    "drafts",
    metadata,
    _game_key_column(),
    Column("seat", String(40), primary_key=True),
    Column("question", Integer, nullable=False),
    Column("value", JsonText, nullable=False),
    Column("at", Double, nullable=False),
)

press = Table(
    "press",
    metadata,
    Column("id", Integer, primary_key=True),
    _game_column(),
    Column("channel", String(400), nullable=False),  # "all", "watchers", or seats joined by +
    Column("seat", String(40)),  # none: a watcher or the table itself
    Column("name", String(40), nullable=False, default=""),  # of a watcher
    _user_column(),  # of a watcher: to export or delete it with their account
    Column("text", Text, nullable=False, default=""),
    Column("sketch", JsonText),  # orders drawn beside the text
    Column("form", Text),  # an offer or an answer, in the formal language of the game's bots
    Column("answers", Integer),  # the message that a person answers with it
    Column("said", JsonText),  # code and arguments: an announcement, or the reason of a bot
    Column("command", String(64)),
    Column("at", Double, nullable=False),
    Column("phase", String(80), nullable=False, default=""),
    Index(None, "game", "id"),
    Index(None, "user"),
    UniqueConstraint("game", "seat", "command"),
    sqlite_autoincrement=True,
)

envoys = Table(  # the memories of bots that talk
    "envoys",
    metadata,
    _game_key_column(),
    Column("seat", String(40), primary_key=True),
    Column("phase", String(80), nullable=False),  # phase in which it spoke last
    Column("heard", Integer, nullable=False),  # the last message of the press that it read
    Column("memory", JsonText),
)

proposals = Table(
    "proposals",
    metadata,
    Column("id", Integer, primary_key=True),
    _game_column(),
    Column("kind", String(12), nullable=False),
    Column("seat", String(40), nullable=False),
    Column("voters", JsonText, nullable=False),
    Column("args", JsonText, nullable=False),
    Column("votes", JsonText, nullable=False),
    Column("status", String(10), nullable=False),  # open, agreed, declined, withdrawn, expired
    Column("created", Double, nullable=False),
    Column("expires", Double, nullable=False),
    Index(None, "game", "status"),
    sqlite_autoincrement=True,
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String(12), nullable=False),
    Column("key", String(80), nullable=False, unique=True),
    _game_column(nullable=True),
    Column("run_at", Double, nullable=False),
    Column(
        "asked", Integer, nullable=False, default=1
    ),  # raised each time the job is enqueued again
    Column("tries", Integer, nullable=False, default=0),
    Column("locked_until", Double, nullable=False, default=0.0),
    Column("error", Text, nullable=False, default=""),
    Index(None, "kind", "run_at"),
    sqlite_autoincrement=True,
)

notices = Table(
    "notices",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", String(200), nullable=False, unique=True),  # a key is sent only once
    _user_column(nullable=True, gone="CASCADE"),
    _game_column(nullable=True),
    Column("way", String(8), nullable=False),  # mail, hook, push
    Column("event", String(12), nullable=False),
    Column("to", JsonText, nullable=False),  # address, or url and form, or subscription
    Column("lang", String(2), nullable=False),
    Column("said", JsonText, nullable=False),  # code and arguments
    Column("status", String(8), nullable=False),  # waiting, digest, sending, sent, failed, unsure
    Column("tries", Integer, nullable=False, default=0),
    Column("send_at", Double, nullable=False),
    Column("locked_until", Double, nullable=False, default=0.0),
    Column("error", Text, nullable=False, default=""),
    Column("created", Double, nullable=False),
    Index(None, "status", "send_at"),
    sqlite_autoincrement=True,
)

hooks = Table(
    "hooks",
    metadata,
    Column("id", ID, primary_key=True),
    _game_column(),
    Column("url", Text, nullable=False),
    Column("form", String(8), nullable=False),  # json, discord
    Column("lang", String(2), nullable=False),
    Column("error", Text, nullable=False, default=""),
    Index(None, "game"),
)

packs = Table(  # card packs that people saved; a link has the id
    "packs",
    metadata,
    Column("id", ID, primary_key=True),
    _user_column(nullable=False, gone="CASCADE"),
    Column("rules", String(40), nullable=False),
    Column("name", String(60), nullable=False),
    Column("line", Text, nullable=False),  # as the option of the game holds it
    Column("updated", Double, nullable=False),
    Index(None, "user"),
)

lessons = Table(  # what people have learnt: one row per person and exercise
    "lessons",
    metadata,
    Column("user", ID, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("exercise", String(60), primary_key=True),
    Column("game", ID, ForeignKey("games.id", ondelete="SET NULL")),  # the table of the last try
    Column("verdict", String(8), nullable=False),  # on that try: open, solved, failed
    Column("solved", Double),  # when it was solved for the first time
    Index(None, "game"),
)

ratings = Table(
    "ratings",
    metadata,
    Column("user", ID, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("rules", String(40), primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("played", Integer, nullable=False),
)

rating_changes = Table(  # a rating after each rated game
    "rating_changes",
    metadata,
    Column("user", ID, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    _game_key_column(),
    Column("rules", String(40), nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("at", Double, nullable=False),
)

server_keys = Table(  # secrets that the server made for itself on its first start
    "server_keys",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("value", Text, nullable=False),
)

reports = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True),
    _game_column(),
    _user_column("by"),
    Column("seat", String(40), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Double, nullable=False),
    _user_column("about"),  # who played the seat then
    Column("name", String(40), nullable=False, default=""),
    sqlite_autoincrement=True,
)

host_events = Table(  # SQLite only: events that a host's command left for the running server
    "tellings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("topic", String(80), nullable=False),
    Column("note", JsonText, nullable=False),
    sqlite_autoincrement=True,
)

hits = Table(  # limits that all processes count together
    "hits",
    metadata,
    Column("who", String(64), primary_key=True),  # hash of the limit and of the user or network
    Column("slot", Integer, primary_key=True, autoincrement=False),  # which window of time
    Column("n", Integer, nullable=False),
    Column("ends", Double, nullable=False),  # when the row can be deleted
    Index(None, "ends"),
)
