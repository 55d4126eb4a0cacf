"""The settings of a server. Every value has a sensible default."""

import os
import sys
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from powderkeg.core.errors import Unreadable


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
    secure_cookies: bool = False  # behind HTTPS: true
    smtp_url: str = ""  # smtp://user:password@host:587 or smtps://
    mail_from: str = "powderkeg@localhost"
    vapid_key: str = ""  # private key (base64url) for web push
    hooks_to_private: bool = False  # webhooks may reach private addresses (a home network)
    trusted_proxy: bool = False  # believe X-Forwarded-For
    limits: bool = True  # rate limits
    keep_alive: float = 10.0  # seconds between keep-alive lines of streams
    socket_messages: int = 40  # messages a socket may send in ten seconds
    metrics_token: str = ""  # when set, /metrics asks for it

    @property
    def folder(self) -> Path:
        return Path(self.data) if self.data else _user_data_folder()

    @property
    def url(self) -> str:
        """The database, as SQLAlchemy names it."""
        if not self.database_url:
            return f"sqlite:///{self.folder / 'powderkeg.sqlite'}"
        scheme, _, rest = self.database_url.partition("://")
        return f"{DATABASE_DRIVERS.get(scheme, scheme)}://{rest}"

    @property
    def is_sqlite(self) -> bool:
        return self.url.startswith("sqlite")


DATABASE_DRIVERS = {
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
}


def read_settings(**overrides: Any) -> Settings:
    """Settings from the environment; `overrides` win."""
    found = {
        f.name: _typed_setting(type(f.default), key, os.environ[key])
        for f in fields(Settings)
        if (key := f"POWDERKEG_{f.name.upper()}") in os.environ
    }
    return replace(Settings(**found), **{k: v for k, v in overrides.items() if v is not None})


def _typed_setting(kind: type, name: str, text: str) -> Any:
    try:
        return BOOLEANS[text.strip().lower()] if kind is bool else kind(text)
    except (KeyError, ValueError):
        raise Unreadable("server.bad_setting", name=name, value=text) from None


BOOLEANS = {"1": True, "true": True, "yes": True, "on": True}
BOOLEANS |= {"0": False, "false": False, "no": False, "off": False, "": False}


def _user_data_folder() -> Path:
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "Powderkeg"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Powderkeg"
    return Path(os.environ.get("XDG_DATA_HOME", home / ".local" / "share")) / "powderkeg"
