"""What was agreed for a table, in words: what a player wants to know before sitting down."""

from typing import Any

from powderkeg.core.game import Game
from powderkeg.core.options import OptionField, choice_label, option_fields, option_label
from powderkeg.core.words import Arg, Msg, say
from powderkeg.server.db.rows import TableRow
from powderkeg.server.db.table_settings import ClockSettings, MissedPolicy, TableSettings
from powderkeg.server.schemas.tables import TermOut
from powderkeg.server.tables import labels

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def describe_terms(game: Game, row: TableRow, lang: str) -> list[TermOut]:
    """The terms of a table, the most important first."""
    settings = row.settings
    terms: list[tuple[str, list[Arg]]] = [
        ("game", [Msg("server.terms.players", game=labels.game_words(game), n=row.players)]),
        ("time", _time_words(game, settings.clock)),
        ("late", _late_words(settings)),
        ("seating", [Msg(f"server.terms.seating.{settings.seating}")]),
        ("press", [Msg(f"server.terms.press.{_press_kind(settings)}")]),
        ("draws", [Msg(f"server.terms.draws.{settings.draws}"), *_vote_words(settings)]),
        ("options", _changed_options(game, row, lang)),
    ]
    return [
        TermOut(
            label=say(Msg(f"server.terms.{name}"), lang),
            text=" ".join(say(part, lang) for part in parts),
        )
        for name, parts in terms
        if parts
    ]


def clock_length(seconds: float) -> Msg:
    """A length of time in its largest whole unit."""
    for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds and seconds % size == 0:
            return Msg(f"server.{unit}", n=int(seconds // size))
    return Msg("server.seconds", n=int(seconds))


def clock_phrase(clock: ClockSettings) -> Msg:
    """How long a turn may take."""
    seconds = clock.bank if clock.kind == "bank" else clock.length
    return Msg(f"server.clock.{clock.kind}", length=clock_length(seconds))


def _time_words(game: Game, clock: ClockSettings) -> list[Arg]:
    parts: list[Arg] = [Msg("server.terms.time.length", length=clock_phrase(clock))]
    if clock.kind == "bank":
        parts.append(Msg("server.terms.time.gain", length=clock_length(clock.gain)))
    if clock.kind != "turn":
        return parts
    shorter = [
        Msg("server.terms.time.stage", stage=_stage_name(game, stage), length=clock_length(length))
        for stage, length in clock.stages.items()
        if length != clock.length
    ]
    if clock.at:
        parts.append(Msg("server.terms.time.at", at=clock.at, zone=clock.zone))
    if clock.rest:
        days: list[Arg] = [Msg(f"server.weekday.{WEEKDAYS[day]}") for day in sorted(clock.rest)]
        parts.append(Msg("server.terms.time.rest", days=days))
    return [*parts, *shorter]


def _stage_name(game: Game, stage: str) -> Arg:
    return Msg(f"{game.name}.stage.{stage}") if stage in game.stages else stage


def _late_words(settings: TableSettings) -> list[Arg]:
    missed: MissedPolicy = settings.missed
    if settings.clock.kind == "none":
        return []
    parts: list[Arg] = []
    if missed.grace:
        parts.append(Msg("server.terms.late.grace", length=clock_length(missed.grace)))
    parts.append(Msg("server.terms.late.bot", n=missed.autopilot))
    parts.append(Msg("server.terms.late.open", n=missed.open))
    return parts


def _press_kind(settings: TableSettings) -> str:
    return "gunboat" if settings.anonymous and settings.press == "none" else settings.press


def _vote_words(settings: TableSettings) -> list[Arg]:
    return [Msg("server.terms.votes.secret")] if settings.votes == "secret" else []


def _changed_options(game: Game, row: TableRow, lang: str) -> list[Arg]:
    """The options that differ from the rulebook; card packs are shown elsewhere."""
    return [
        Msg(
            "server.terms.option",
            label=option_label(game, each, lang),
            value=_option_value(game, each, row.options[each.name], lang),
        )
        for each in option_fields(game.Options)
        if each.kind != "text"
        and each.name in row.options
        and row.options[each.name] != each.default
    ]


def _option_value(game: Game, each: OptionField, value: Any, lang: str) -> Arg:
    if each.kind == "bool":
        return Msg("server.yes" if value else "server.no")
    return choice_label(game, each, value, lang) if each.kind == "choice" else str(value)
