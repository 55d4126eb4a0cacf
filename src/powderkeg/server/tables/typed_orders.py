"""Orders typed by people: what they mean, or what is unclear about them. Nothing is done."""

from powderkeg.core.errors import RulesError
from powderkeg.core.game import Game, State, Step
from powderkeg.core.words import say
from powderkeg.server.refusals import Refused
from powderkeg.server.schemas.play import ReadError, ReadOrder, ReadOut
from powderkeg.server.tables.action_labels import in_words

MOST = 100  # orders of one text: several times what the largest turn needs


def read(game: Game, state: State, seat: str, text: str, lang: str) -> ReadOut:
    """Each piece of the text, tried after those before it: three builds where two are due are one
    too many. What would bring a secret to light is not looked behind."""
    orders: list[ReadOrder] = []
    errors: list[ReadError] = []
    pieces = game.read(game.view(state, seat), text, lang)
    if len(pieces) > MOST:
        pieces[MOST:] = [(pieces[MOST][0], Refused(422, "read_enough", n=MOST))]
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
        echo = _told(step, seat, lang) or in_words(game.ask(state, seat), wire, lang)
        orders.append(ReadOrder(text=piece, wire=wire, echo=echo))
        if not step.barrier:
            state = step.state
    return ReadOut(orders=orders, errors=errors)


def _told(step: Step, seat: str, lang: str) -> str:
    """What the seat would be told of its action; nothing where more comes to light."""
    if step.barrier:
        return ""
    return " ".join(say(fact.msg, lang) for fact in step.facts if fact.seen_by(seat))
