"""The bot that plays at random: the baseline for all others."""

from itertools import islice

from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.thought import Think, Thought
from powderkeg.core import ask
from powderkeg.core.ask import Node, One, Orders, Question
from powderkeg.core.chance import Rng
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Action, Game, Legal, View
from powderkeg.core.words import Msg

SAMPLE_TRIES = 20


def random_think(game: Game) -> Think:
    """Any legal action; pieces that get orders one by one get one each, then the first option."""

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        return Thought(random_answer(game, question, legal, rng), Msg("bots.reason.random"))

    return think


def random_answer(game: Game, question: Question, legal: Legal, rng: Rng) -> Action:
    """A random legal answer to a question."""
    if not isinstance(question.node, Orders):
        return legal.sample(rng)
    for row in question.node.rows:
        if not row.chosen and _is_choice(game, row.node, legal):
            action = sample_node(game, row.node, legal, rng)
            if action is not None:
                return action
    options = question.node.options[:1]
    done = sample_node(game, One(options), legal, rng) if options else None
    return legal.sample(rng) if done is None else done


def _is_choice(game: Game, node: Node, legal: Legal) -> bool:
    """Whether there are two legal answers.

    A piece with only one needs no order, and some such orders (build nothing) leave no trace, so
    the bot would give them forever.
    """
    return len(list(islice((t for t in ask.answer_texts(node) if game.parse(t) in legal), 2))) > 1


def sample_node(game: Game, node: Node, legal: Legal, rng: Rng) -> Action | None:
    """A legal answer to `node`, if one is found; a question may be wider than what is legal."""
    for _ in range(SAMPLE_TRIES):
        try:
            action = game.parse(ask.sample_answer(node, rng))
        except RulesError:
            continue
        if action in legal:
            return action
    return None
