"""Extras: parts of Powderkeg that need packages which a plain install does not have."""

from importlib.util import find_spec

from powderkeg.core.errors import Unreadable


class MissingExtra(Unreadable, ImportError):  # type: ignore[misc]  # an ImportError has a `msg`, too
    """Something needs packages of an extra that is not installed."""

    def __init__(self, extra: str) -> None:
        super().__init__("core.extra_missing", extra=extra)


def need_extra(extra: str, *packages: str) -> None:
    """Refuse, before any work is done, unless the packages of an extra are installed."""
    if not all(map(find_spec, packages)):
        raise MissingExtra(extra)
