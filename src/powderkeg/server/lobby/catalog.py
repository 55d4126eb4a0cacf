"""The games with their options, stages and presets."""

from collections.abc import Sequence

from powderkeg.bots import LEVEL_NAMES
from powderkeg.bots.game_bots import bots_of
from powderkeg.core import plain
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Game
from powderkeg.core.options import (
    OptionField,
    choice_label,
    option_fields,
    option_hint,
    option_label,
)
from powderkeg.core.words import Msg, say
from powderkeg.server.lobby.presets import present_presets
from powderkeg.server.schemas.games import (
    ChoiceOut,
    GameOut,
    GamesOut,
    OptionOut,
    SeatName,
    StageOut,
)
from powderkeg.server.tables import labels
from powderkeg.server.tables.bot_seats import usual_level
from powderkeg.server.views.pack_sheet import count_deck


def present_games(games: dict[str, Game], lang: str, levels: Sequence[str]) -> GamesOut:
    return GamesOut(games=[present_game(game, lang, levels) for game in games.values()])


def present_game(game: Game, lang: str, levels: Sequence[str] = LEVEL_NAMES) -> GameOut:
    options = [_present_option(game, each, lang) for each in option_fields(game.Options)]
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
        stages=[
            StageOut(name=stage, label=say(Msg(f"{game.name}.stage.{stage}"), lang))
            for stage in game.stages
        ],
        presets=present_presets(game, lang),
        levels=list(levels),
        level=usual_level(levels),
        characters=list(bots_of(game).characters),
        deck=count_deck(game.name),
    )


def _present_option(game: Game, each: OptionField, lang: str) -> OptionOut:
    choices = [
        ChoiceOut(value=c, label=say(choice_label(game, each, c, lang), lang)) for c in each.choices
    ]
    default = (
        plain.dump(each.default) if hasattr(each.default, "__dataclass_fields__") else each.default
    )
    return OptionOut(
        name=each.name,
        label=say(option_label(game, each, lang), lang),
        kind=each.kind,
        default=default,
        hint=say(option_hint(game, each, lang), lang),
        choices=choices,
        least=each.least,
        most=each.most,
        players=list(each.players),
    )
