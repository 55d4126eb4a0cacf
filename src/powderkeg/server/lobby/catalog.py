"""The games with their options, stages and presets."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from powderkeg.bots import LEVEL_NAMES
from powderkeg.bots.game_bots import bots_of
from powderkeg.core import plain
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Game, Options
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
    seats = {
        str(count): names
        for count in game.players
        if (names := _seat_names(game, count, game.Options(), lang))
    }
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


def _seat_names(game: Game, players: int, options: Options, lang: str) -> list[SeatName]:
    """The seats with their names; none where the game refuses so many players."""
    try:
        names = game.seats(players, options)
    except RulesError:
        return []
    return [SeatName(seat=name, label=labels.seat_label(game, name, lang)) for name in names]


def _seats_of_choice(game: Game, each: OptionField, choice: Any, lang: str) -> list[SeatName]:
    """The seats that a choice puts in place of the usual ones; an option of one number of players
    can do that."""
    if len(each.players) != 1:
        return []
    usual = game.Options()
    chosen = replace(usual, **{each.name: choice})
    if game.seats(each.players[0], chosen) == game.seats(each.players[0], usual):
        return []
    return _seat_names(game, each.players[0], chosen, lang)


def _present_option(game: Game, each: OptionField, lang: str) -> OptionOut:
    choices = [
        ChoiceOut(
            value=choice,
            label=say(choice_label(game, each, choice, lang), lang),
            seats=_seats_of_choice(game, each, choice, lang),
        )
        for choice in each.choices
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
