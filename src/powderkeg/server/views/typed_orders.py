"""Parses orders typed by people: their meaning, or why they are unclear. Nothing is carried out."""

import asyncio

from powderkeg.core.errors import RulesError
from powderkeg.core.game import Game, State, Step
from powderkeg.core.words import say
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.refusals import Refused
from powderkeg.server.schemas.play import ReadError, ReadIn, ReadOrder, ReadOut
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.commands import own_seat
from powderkeg.server.tables.labels import action_in_words
from powderkeg.server.tables.turns import need_live
from powderkeg.server.views import present, readers

MOST_TYPED_ORDERS = 100  # pieces of one text: several times what the largest turn needs


def read_typed(game: Game, state: State, seat: str, text: str, lang: str) -> ReadOut:
    """Try each piece of the text after the ones before it, so that a third build is refused where
    two are due. An action that would reveal a secret is tried, but later pieces are tried without
    it.
    """
    orders: list[ReadOrder] = []
    errors: list[ReadError] = []
    pieces = game.read(game.view(state, seat), text, lang)
    if len(pieces) > MOST_TYPED_ORDERS:
        rest = Refused(422, "read_enough", n=MOST_TYPED_ORDERS)
        pieces[MOST_TYPED_ORDERS:] = [(pieces[MOST_TYPED_ORDERS][0], rest)]
    for piece, meaning in pieces:
        try:
            if isinstance(meaning, RulesError):
                raise meaning
            step = game.apply(state, seat, meaning)
        except RulesError as error:
            said = say(error.msg, lang)
            errors.append(ReadError(text=piece, code=error.code, message=said, rule=error.rule))
            continue
        wire = str(meaning)
        echo = _echo_facts(step, seat, lang) or action_in_words(game.ask(state, seat), wire, lang)
        orders.append(ReadOrder(text=piece, wire=wire, echo=echo))
        if not step.barrier:
            state = step.state
    return ReadOut(orders=orders, errors=errors)


def _echo_facts(step: Step, seat: str, lang: str) -> str:
    """The facts that the seat would learn from its own action; none if it would reveal secrets."""
    if step.barrier:
        return ""
    return " ".join(say(fact.msg, lang) for fact in step.facts if fact.seen_by(seat))


async def read_typed_orders(cache: TableCache, who: Principal, table: str, wish: ReadIn) -> ReadOut:
    """The meaning of orders typed by a person; nothing is carried out."""
    async with cache.look(table) as loaded:
        seat = own_seat(loaded, who, wish.seat)
        need_live(loaded)
        game, state = (
            loaded.game,
            present.visible_game(loaded, readers.find_reader(loaded, who, seat)).state,
        )
    return await asyncio.to_thread(read_typed, game, state, seat, wish.text, who.lang)
