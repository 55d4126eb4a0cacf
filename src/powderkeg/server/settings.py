"""The settings of a server. Every value has a sensible default."""

import os
import sys
from dataclasses import dataclass, fields, replace
from math import inf
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from powderkeg.bots import LEVEL_NAMES
from powderkeg.core.errors import Unreadable
from powderkeg.core.words import Msg


@dataclass(frozen=True, slots=True)
class Settings:
    """Each field can be set by an environment variable ``POWDERKEG_<FIELD>``."""

    database_url: str = ""  # empty: one SQLite file in the data folder
    data: str = ""  # the data folder; empty: the user's own
    public_url: str = "http://127.0.0.1:8000"  # for links in notices
    games: str = ""  # more games than ours: modules that can be imported, joined by commas
    jobs: bool = True  # run jobs (bots, deadlines, notices) in this process
    bots: int = 1  # processes for quick bots, and as many for bots that think long
    bot_seconds: float = 30.0  # that a bot may think about one turn; then the default is played
    bot_megabytes: int = 2048  # memory that such a process may take
    bot_nice: int = 3  # how far such a process steps back behind the server (0: not at all)
    bot_level: str = "expert"  # the strongest level of bots on this server
    memory_megabytes: int = 1024  # from which tables that nobody uses are dropped from memory
    secure_cookies: bool = False  # behind HTTPS: true
    smtp_url: str = ""  # smtp://user:password@host:587 or smtps://
    mail_from: str = "powderkeg@localhost"
    vapid_key: str = ""  # private key (base64url) for web push; empty: the server makes one
    hosts: str = ""  # accounts that may read reports in the browser, joined by commas
    hooks_to_private: bool = False  # webhooks may reach private addresses (a home network)
    trusted_proxy: bool = False  # believe X-Forwarded-For
    limits: bool = True  # rate limits
    keep_alive: float = 10.0  # seconds between keep-alive lines of streams
    socket_messages: int = 40  # messages a socket may send in ten seconds
    step_milliseconds: float = 0.0  # log steps of the event loop that take more CPU; 0: none
    metrics_token: str = ""  # when set, /metrics asks for it

    @property
    def folder(self) -> Path:
        return Path(self.data) if self.data else _user_data_folder()

    @property
    def host_keys(self) -> frozenset[str]:
        """The names of the hosts' accounts, as they are compared."""
        return frozenset(name.strip().casefold() for name in self.hosts.split(",") if name.strip())

    @property
    def bot_levels(self) -> tuple[str, ...]:
        """The levels of bots that tables can have here, the weakest first."""
        if self.bot_level not in LEVEL_NAMES:
            raise _bad_setting(
                "bot_level", self.bot_level, Msg("server.wants.level", levels=LEVEL_NAMES)
            )
        return LEVEL_NAMES[: LEVEL_NAMES.index(self.bot_level) + 1]

    @property
    def url(self) -> str:
        """The database, as SQLAlchemy names it."""
        if not self.database_url:
            return f"sqlite:///{self.folder / 'powderkeg.sqlite'}"
        scheme, _, rest = self.database_url.partition("://")
        return f"{DATABASE_DRIVERS.get(scheme, scheme)}://{rest}"

    @property
    def is_sqlite(self) -> bool:
        return not self.database_url or self.url.startswith("sqlite")


DATABASE_DRIVERS = {
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
}


def read_settings(**overrides: Any) -> Settings:
    """Settings from the environment, where an empty variable counts as not set; `overrides` win."""
    found = {
        f.name: _typed_setting(type(f.default), f.name, text)
        for f in fields(Settings)
        if (text := os.environ.get(_variable_of(f.name), "").strip())
    }
    given = {k: v for k, v in overrides.items() if v is not None}
    settings = replace(Settings(**found), **given)
    _check_settings(settings)
    return replace(settings, public_url=settings.public_url.rstrip("/"))


def _variable_of(name: str) -> str:
    return f"POWDERKEG_{name.upper()}"


def _bad_setting(name: str, value: str, wanted: Msg) -> Unreadable:
    return Unreadable("server.bad_setting", name=_variable_of(name), value=value, wanted=wanted)


def _typed_setting(kind: type, name: str, text: str) -> Any:
    try:
        return BOOLEANS[text.lower()] if kind is bool else kind(text)
    except (KeyError, ValueError):
        raise _bad_setting(name, text, _wanted_value(name)) from None


def _wanted_value(name: str) -> Msg:
    if name in LEAST_VALUES:
        return Msg("server.wants.number", least=f"{LEAST_VALUES[name]:g}")
    return Msg("server.wants.yes_or_no")


def _check_settings(settings: Settings) -> None:
    """Refuse what a server could not work with. Secrets are not repeated."""
    for name, least in LEAST_VALUES.items():
        if not least <= (value := getattr(settings, name)) < inf:
            raise _bad_setting(name, str(value), _wanted_value(name))
    settings.bot_levels  # noqa: B018  # raises for a level that is not known
    if not _is_address(settings.public_url, "http", "https"):
        raise _bad_setting("public_url", settings.public_url, Msg("server.wants.web_address"))
    if settings.smtp_url and not _is_address(settings.smtp_url, *MAIL_SCHEMES):
        raise _bad_setting("smtp_url", "…", Msg("server.wants.mail_address"))
    if settings.vapid_key and not _is_push_key(settings.vapid_key):
        raise _bad_setting("vapid_key", "…", Msg("server.wants.push_key"))


def _is_address(text: str, *schemes: str) -> bool:
    try:
        url = urlsplit(text)
        return url.scheme in schemes and bool(url.hostname) and url.port != 0
    except ValueError:  # a port that is no number
        return False


def _is_push_key(text: str) -> bool:
    from py_vapid import Vapid  # type: ignore[import-untyped]  # it ships no types

    try:
        Vapid.from_string(text)
    except ValueError:
        return False
    return True


MAIL_SCHEMES = ("smtp", "smtp+starttls", "smtps")
LEAST_VALUES: dict[str, float] = {
    "bots": 1,
    "bot_seconds": 0.1,
    "bot_megabytes": 1,
    "bot_nice": 0,
    "memory_megabytes": 0,
    "keep_alive": 0.1,
    "socket_messages": 1,
    "step_milliseconds": 0,
}


BOOLEANS = {"1": True, "true": True, "yes": True, "on": True}
BOOLEANS |= {"0": False, "false": False, "no": False, "off": False}


def _user_data_folder() -> Path:
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "Powderkeg"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Powderkeg"
    return Path(os.environ.get("XDG_DATA_HOME", home / ".local" / "share")) / "powderkeg"
