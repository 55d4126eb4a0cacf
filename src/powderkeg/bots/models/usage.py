"""What a model costs: requests and tokens, counted and bounded per phase and per game."""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final

from powderkeg.bots.models.settings import ModelManner

PRICED_TOKENS: Final = 1_000_000  # a price is for so many


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """What a seat of a model has cost, and the decisions that the model failed to make."""

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    faults: dict[str, int] = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    def merged_with(self, other: "ModelUsage") -> "ModelUsage":
        return ModelUsage(
            self.requests + other.requests,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.cost + other.cost,
            dict(Counter(self.faults) + Counter(other.faults)),
        )


class Purse:
    """What a seat may still spend."""

    def __init__(self, manner: ModelManner) -> None:
        self.manner = manner
        self.spent = ModelUsage()  # in the whole game
        self.before = ModelUsage()  # when this phase began
        self.phase = ""
        self.failures = 0  # in a row

    def enter_phase(self, phase: str) -> None:
        if phase != self.phase:
            self.phase, self.before = phase, self.spent

    @property
    def is_reachable(self) -> bool:
        """Whether the endpoint has not failed too often in a row."""
        return self.failures < self.manner.failures

    def can_pay(self, tokens: int) -> bool:
        """Whether one more request, of so many tokens with its answer, keeps to every bound."""
        manner, spent, before = self.manner, self.spent, self.before
        return (
            self.is_reachable
            and spent.requests - before.requests < manner.phase_requests
            and spent.requests < manner.game_requests
            and spent.tokens - before.tokens + tokens <= manner.phase_tokens
            and spent.tokens + tokens <= manner.game_tokens
        )

    def pay(self, tokens_in: int, tokens_out: int) -> None:
        manner = self.manner
        cost = (tokens_in * manner.price_in + tokens_out * manner.price_out) / PRICED_TOKENS
        self.spent = self.spent.merged_with(ModelUsage(1, tokens_in, tokens_out, cost))

    def count_fault(self, fault: str) -> None:
        self.spent = self.spent.merged_with(ModelUsage(faults={fault: 1}))

    def count_answer(self, *, failed: bool) -> None:
        """Count failures in a row: an endpoint that is gone is not asked forever."""
        self.failures = self.failures + 1 if failed else 0


def total_usage(found: list[ModelUsage]) -> ModelUsage:
    total = ModelUsage()
    for usage in found:
        total = total.merged_with(usage)
    return replace(total, cost=round(total.cost, 6))
