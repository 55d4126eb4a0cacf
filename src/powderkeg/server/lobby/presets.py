"""Presets of table settings: how fast a table plays."""

from dataclasses import replace

from powderkeg.core.game import Game
from powderkeg.core.words import Msg, say
from powderkeg.server.db.table_settings import (
    ClockSettings,
    MissedPolicy,
    TableSettings,
    dump_settings,
)
from powderkeg.server.schemas.games import PresetOut
from powderkeg.server.schemas.tables import PresetName, Speed

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
EVENING_SECONDS = 3 * HOUR  # turns up to this long are played in one sitting


def _per_turn(length: float, grace: float, autopilot: int = 2) -> TableSettings:
    return TableSettings(
        clock=ClockSettings(kind="turn", length=length),
        missed=MissedPolicy(grace=grace, autopilot=autopilot, open=2 * autopilot),
    )


SETTING_PRESETS: dict[PresetName, TableSettings] = {
    "bots": TableSettings(listed=False, join="link"),
    "free": TableSettings(),
    "five": _per_turn(5 * MINUTE, 15.0),
    "ten": _per_turn(10 * MINUTE, 30.0),
    "fifteen": _per_turn(15 * MINUTE, 30.0),
    "live": TableSettings(clock=ClockSettings(kind="bank", bank=30 * MINUTE, gain=MINUTE)),
    "half": _per_turn(DAY / 2, HOUR / 2),
    "day": _per_turn(DAY, HOUR),
    "two": _per_turn(2 * DAY, HOUR),
    "three": _per_turn(3 * DAY, HOUR),
    "week": _per_turn(7 * DAY, DAY, autopilot=1),
}


def preset_settings(name: PresetName, game: Game) -> TableSettings:
    """The settings of a preset for one game: in an evening the shorter stages get half the time."""
    settings = SETTING_PRESETS[name]
    clock = settings.clock
    if clock.kind != "turn" or find_speed(clock) != "evening":
        return settings
    shorter = dict.fromkeys(game.stages[1:], clock.length / 2)
    return replace(settings, clock=replace(clock, stages=shorter))


def offered_presets(game: Game) -> list[PresetName]:
    """The presets that suit a game: a bank of time only where players take turns."""
    return [name for name in SETTING_PRESETS if name != "live" or not game.stages]


def present_presets(game: Game, lang: str) -> list[PresetOut]:
    return [
        PresetOut(
            name=name,
            label=say(Msg(f"server.preset.{name}"), lang),
            hint=say(Msg(f"server.pace.{name}"), lang),
            speed=find_speed(SETTING_PRESETS[name].clock),
            settings=dump_settings(preset_settings(name, game)),
        )
        for name in offered_presets(game)
    ]


def find_speed(clock: ClockSettings) -> Speed:
    """Whether a table is played in one sitting, over days, or without a clock."""
    if clock.kind == "none":
        return "free"
    short = clock.kind == "bank" or (clock.length <= EVENING_SECONDS and not clock.at)
    return "evening" if short else "days"
