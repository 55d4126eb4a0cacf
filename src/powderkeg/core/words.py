"""Messages without sentences, and the one place that turns them into sentences.

Rules use codes and arguments (`Msg`); the reader's language is chosen where text is shown.
A code such as ``diplomacy.why.standoff`` lives in the gettext catalogue ``diplomacy`` (the part
before the first dot), so every game has its own words and cannot affect those of another game.
"""

import gettext
import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

LANGS = ("en", "es", "it")
LOCALE_FOLDERS = [Path(__file__).parent.parent / "locale"]  # a game from elsewhere adds its own

# Before this sound the Spanish "y" is an "e"; a diphthong is heard as a consonant and keeps it.
_SOUND_OF_I = re.compile(r"\W*h?(?:í|i(?![aeoáéó]))", re.IGNORECASE)
_TWO_STOPS = re.compile(r"(?<=\w)\.\.(?=\s|$)")  # "EE. UU." ends a sentence with its own stop

Arg: TypeAlias = "str | int | float | Msg | Sequence[Arg]"


@dataclass(frozen=True, slots=True, init=False)
class Msg:
    """A message: a stable code and its arguments, which may be messages themselves."""

    code: str
    args: Mapping[str, Arg]

    def __init__(self, code: str, /, **args: Arg) -> None:
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "args", args)

    def __hash__(self) -> int:
        return hash(self.code)

    def __str__(self) -> str:
        return say(self, "en")


@cache
def find_catalogue(domain: str, lang: str) -> gettext.NullTranslations:
    for place in LOCALE_FOLDERS:
        if gettext.find(domain, place, [lang]):
            return gettext.translation(domain, place, [lang])
    return gettext.NullTranslations()


def has_words(code: str, lang: str) -> bool:
    """Whether the catalogue of `lang` has words for `code`."""
    return _message_template(code, lang, None) != code or _message_template(code, lang, 2) != code


def say(what: Arg, lang: str = "en") -> str:
    """The sentence for a message in `lang`. A code without words is shown as it is."""
    if isinstance(what, Msg):
        n = what.args.get("n")
        template = _message_template(what.code, lang, n if isinstance(n, int) else None)
        if template == what.code:
            return _bare_code(what, lang)
        try:
            return _TWO_STOPS.sub(
                ".", _MessageFormatter(lang).vformat(template, (), dict(what.args))
            )
        except (KeyError, ValueError, IndexError, AttributeError):
            return _bare_code(what, lang)  # a mistake in a catalogue must not hide what happened
    if isinstance(what, str | int | float):
        return str(what)
    return _join_list([say(item, lang) for item in what], lang)


def _message_template(code: str, lang: str, n: int | None) -> str:
    words = find_catalogue(code.partition(".")[0], lang)
    if n is not None and (plural := words.ngettext(code, code, n)) != code:
        return plural
    return words.gettext(code)


def _bare_code(what: Msg, lang: str) -> str:
    args = ", ".join(f"{key}={say(value, lang)}" for key, value in what.args.items())
    return f"{what.code} ({args})" if args else what.code


def _join_list(items: Sequence[str], lang: str) -> str:
    if len(items) < 2:
        return "".join(items)
    code = "core.and_before_i" if _SOUND_OF_I.match(items[-1]) else "core.and"
    return say(Msg(code, some=", ".join(items[:-1]), last=items[-1]), lang)


class _MessageFormatter(string.Formatter):
    """`str.format` whose fields may be messages; numbers keep their format such as ``{n:+d}``."""

    def __init__(self, lang: str) -> None:
        self.lang = lang

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        return kwargs[field_name], field_name  # names only: a catalogue cannot reach into objects

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, int | float) and format_spec:
            return format(value, format_spec)
        return say(value, self.lang)
