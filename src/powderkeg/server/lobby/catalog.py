"""The games with their options, and presets of table settings."""

from powderkeg import bots
from powderkeg.core import plain
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Game
from powderkeg.core.words import Msg, has_words, say
from powderkeg.server.db.table_settings import (
    ClockSettings,
    MissedPolicy,
    TableSettings,
    dump_settings,
)
from powderkeg.server.schemas.games import (
    ChoiceOut,
    GameOut,
    GamesOut,
    OptionOut,
    PresetOut,
    SeatName,
)
from powderkeg.server.tables import labels
from powderkeg.server.tables.bot_seats import USUAL_LEVEL

ONE_DAY = 86400.0
SETTING_PRESETS: dict[str, TableSettings] = {
    "bots": TableSettings(listed=False, join="link"),
    "live": TableSettings(clock=ClockSettings(kind="bank", bank=1800.0, gain=60.0)),
    "day": TableSettings(
        clock=ClockSettings(kind="turn", length=ONE_DAY),
        missed=MissedPolicy(grace=3600.0, autopilot=2, open=4),
    ),
    "week": TableSettings(
        clock=ClockSettings(kind="turn", length=7 * ONE_DAY),
        missed=MissedPolicy(grace=ONE_DAY, autopilot=1, open=2),
    ),
}


def present_games(games: dict[str, Game], lang: str) -> GamesOut:
    presets = [
        PresetOut(
            name=name,
            label=say(Msg(f"server.preset.{name}"), lang),
            settings=dump_settings(settings),
        )
        for name, settings in SETTING_PRESETS.items()
    ]
    return GamesOut(games=[present_game(game, lang) for game in games.values()], presets=presets)


def present_game(game: Game, lang: str) -> GameOut:
    options = [_present_option(game, each, lang) for each in plain.option_fields(game.Options)]
    seats: dict[str, list[SeatName]] = {}
    for count in game.players:
        try:
            names = game.seats(count, game.Options())
        except RulesError:
            continue
        seats[str(count)] = [
            SeatName(seat=name, label=labels.seat_label(game, name, lang)) for name in names
        ]
    return GameOut(
        name=game.name,
        label=labels.game_label(game, lang),
        version=game.version,
        players=list(game.players),
        seats=seats,
        options=options,
        levels=list(bots.LEVEL_NAMES),
        level=USUAL_LEVEL,
    )


def _present_option(game: Game, each: plain.OptionField, lang: str) -> OptionOut:
    code = f"{game.name}.option.{each.name}"
    choices = [
        ChoiceOut(value=c, label=_words_or(f"{code}.{c}", str(c), lang)) for c in each.choices
    ]
    default = (
        plain.dump(each.default) if hasattr(each.default, "__dataclass_fields__") else each.default
    )
    return OptionOut(
        name=each.name,
        label=_words_or(code, each.name.replace("_", " "), lang),
        kind=each.kind,
        default=default,
        choices=choices,
        least=each.least,
        most=each.most,
    )


def _words_or(code: str, otherwise: str, lang: str) -> str:
    return say(Msg(code), lang) if has_words(code, lang) else otherwise
