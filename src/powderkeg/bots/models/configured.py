"""Models named by a bot's name, such as ``model`` or ``model:some-model``, and the environment."""

from powderkeg.bots.engine.thought import Bot
from powderkeg.bots.models.player import ModelPlayer
from powderkeg.bots.models.settings import read_endpoint, read_manner
from powderkeg.core.game import Game


def named_player(game: Game, spec: str) -> ModelPlayer:
    """The player of ``model`` (all from the environment) or ``model:NAME``."""
    endpoint = read_endpoint(model=spec.partition(":")[2])
    return ModelPlayer(game, endpoint, read_manner())


class _ConfiguredModel:
    """The model named in the environment: POWDERKEG_LLM_URL, _MODEL, _KEY, _SECONDS, _MANNER."""

    @staticmethod
    def for_game(game: Game) -> Bot:
        return named_player(game, "model").bot()


configured = _ConfiguredModel()
