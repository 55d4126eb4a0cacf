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
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, TypeAlias, get_args

__all__ = ["LANGS", "LOCALE_FOLDERS", "Arg", "LangCode", "Msg", "has_words", "say"]

LangCode = Literal["en", "es", "it"]
LANGS: tuple[LangCode, ...] = get_args(LangCode)
LOCALE_FOLDERS = [
    Path(__file__).parent.parent / "locale"
]  # a game from another package adds its own

# Before this sound the Spanish "y" is an "e"; a diphthong is heard as a consonant and keeps it. The
# Italian "e" is an "ed" before another "e".
_SOUND_OF_I = re.compile(r"\W*h?(?:í|i(?![aeoáéó]))", re.IGNORECASE)
_SOUND_OF_E = re.compile(r"\W*[eèé]", re.IGNORECASE)
_TWO_STOPS = re.compile(r"(?<=\w)\.\.(?=\s|$)")  # "EE. UU." ends a sentence with its own stop

Arg: TypeAlias = "str | int | float | Msg | Sequence[Arg]"
TemplateParts: TypeAlias = tuple[tuple[str, str | None, str], ...]


@dataclass(frozen=True, slots=True, init=False)
class Msg:
    """A message: a stable code and its arguments, which may be messages themselves."""

    code: str
    args: Mapping[str, Arg]

    def __init__(self, code: str, /, **args: Arg) -> None:
        set_code(self, code)
        set_args(self, args)

    def __hash__(self) -> int:
        return hash(self.code)

    def __str__(self) -> str:
        return say(self, "en")


# Past the lock of a frozen class, in half the time of `object.__setattr__`: rules make many messages.
set_code, set_args = (vars(Msg)[slot].__set__ for slot in ("code", "args"))


def make_message(code: str, args: Mapping[str, Arg]) -> Msg:
    """A message with these arguments, which the caller no longer changes."""
    made = object.__new__(Msg)
    set_code(made, code)
    set_args(made, args)
    return made


@cache
def find_catalogue(domain: str, lang: str) -> gettext.NullTranslations:
    for place in LOCALE_FOLDERS:
        if gettext.find(domain, place, [lang]):
            return gettext.translation(domain, place, [lang])
    return gettext.NullTranslations()


@lru_cache(maxsize=10_000)
def has_words(code: str, lang: str) -> bool:
    """Whether the catalogue of `lang` has words for `code`."""
    return _message_template(code, lang, None) != code or _message_template(code, lang, 2) != code


def say(what: Arg, lang: str = "en") -> str:
    """The sentence for a message in `lang`. A code without words is shown as it is."""
    if isinstance(what, Msg):
        return _say_message(what, lang) if what.args else _say_name(what.code, lang)
    if isinstance(what, str | int | float):
        return str(what)
    return _join_list([say(item, lang) for item in what], lang)


@lru_cache(maxsize=10_000)
def _say_name(code: str, lang: str) -> str:
    """A message without arguments: places, seats and verbs, said over and over."""
    return _say_message(Msg(code), lang)


def _say_message(what: Msg, lang: str) -> str:
    n = what.args.get("n")
    if not isinstance(n, int):
        parts = _plain_parts(what.code, lang)
    else:
        parts = _plural_parts(what.code, lang, n)
    if parts is None:
        return _bare_code(what, lang)
    try:
        return _fill_parts(parts, what.args, lang)
    except (KeyError, ValueError, IndexError, AttributeError):
        return _bare_code(what, lang)  # a mistake in a catalogue must not hide what happened


@lru_cache(maxsize=10_000)
def _plain_parts(code: str, lang: str) -> TemplateParts | None:
    """The parts of the template of a code, looked up once; None if the catalogue has no words."""
    template = _message_template(code, lang, None)
    return None if template == code else _template_parts(template)


def _plural_parts(code: str, lang: str, n: int) -> TemplateParts | None:
    template = _message_template(code, lang, n)
    return None if template == code else _template_parts(template)


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
    code = "core.and"
    if _SOUND_OF_I.match(items[-1]):
        code = "core.and_before_i"
    elif _SOUND_OF_E.match(items[-1]):
        code = "core.and_before_e"
    return say(Msg(code, some=", ".join(items[:-1]), last=items[-1]), lang)


def _fill_parts(parts: TemplateParts, args: Mapping[str, Arg], lang: str) -> str:
    """The template with its fields filled in; a field may be a message itself."""
    text = ""
    for part, field, spec in parts:
        text += part
        if field is None:
            continue
        value = args[field]
        if type(value) is Msg and not spec:  # most fields are names
            text += _say_message(value, lang) if value.args else _say_name(value.code, lang)
        else:
            text += value if isinstance(value, str) else _fill_field(value, spec, lang)
    return _TWO_STOPS.sub(".", text) if ".." in text else text


def _fill_field(value: Arg, spec: str, lang: str) -> str:
    """A number keeps its format such as ``{n:+d}``, a name takes a form such as ``{at:from}``, and so
    does each name of a list."""
    if spec and isinstance(value, int | float):
        return _printed_number(value, spec)
    if isinstance(value, Msg):
        return say(_name_form(value, spec, lang) if spec else value, lang)
    if spec and not isinstance(value, str | int | float):
        return _join_list([_fill_field(item, spec, lang) for item in value], lang)
    return value if isinstance(value, str) else say(value, lang)


@cache
def _template_parts(template: str) -> TemplateParts:
    """The literal parts of a template, each with the field that follows and its format. Parsed once:
    a page of words fills thousands of templates. A field is a plain name, so that a catalogue
    cannot reach into objects."""
    return tuple(
        (literal, field, spec or "") for literal, field, spec, _ in _FORMATTER.parse(template)
    )


_FORMATTER = string.Formatter()


def _printed_number(value: float, format_spec: str) -> str:
    """A number with a true minus sign, and zero without a sign."""
    text = format(value, format_spec)
    return text.lstrip("+") if value == 0 else text.replace("-", "\N{MINUS SIGN}")


def _name_form(name: Msg, form: str, lang: str) -> Msg:
    """A name after a preposition, ``{at:from}``: with the article that it needs, such as "dal Regno"."""
    special = Msg(f"{name.code}.{form}")
    if has_words(special.code, lang):
        return special
    return Msg(f"{name.code.partition('.')[0]}.form.{form}", name=name)
