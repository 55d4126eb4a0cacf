"""Language models that play: any endpoint with `POST /v1/chat/completions`. Off unless you ask for it.

The model gets the rules, the map, the board in words and its own diary, and answers with a whole
turn. What it may cost is bounded; `player.ModelPlayer` is the place to start reading.
"""

from powderkeg.bots.models.chat import ChatRequest, ModelReply
from powderkeg.bots.models.configured import configured
from powderkeg.bots.models.player import ModelPlayer
from powderkeg.bots.models.settings import ModelEndpoint, ModelManner
from powderkeg.bots.models.usage import ModelUsage

__all__ = [
    "ChatRequest",
    "ModelEndpoint",
    "ModelManner",
    "ModelPlayer",
    "ModelReply",
    "ModelUsage",
    "configured",
]
