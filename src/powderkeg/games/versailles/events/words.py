"""Events in words: messages made from the data, so that a changed card says what it does."""

from functools import lru_cache

from powderkeg.core.words import Msg
from powderkeg.games.versailles import words
from powderkeg.games.versailles.board import CATEGORIES
from powderkeg.games.versailles.cards.pack import EventCard
from powderkeg.games.versailles.events import operations


@lru_cache(maxsize=1024)  # said whenever a branch is chosen; packs come and go on a server
def effects_text(effects: tuple[operations.Effect, ...]) -> Msg:
    """Effects one after the other."""
    texts = [effect_text(effect) for effect in effects]
    if len(texts) == 1:
        return texts[0]
    return Msg("versailles.text.then", first=texts[0], rest=effects_text(effects[1:]))


def effect_text(effect: operations.Effect) -> Msg:
    """One effect in a clause without a capital and a full stop."""
    match effect:
        case operations.Check():
            return _check_text(effect)
        case operations.Unrest(where, n, per):
            code = "unrest_add" if n > 0 else "unrest_remove"
            return _per_counter(
                Msg(f"versailles.text.{code}", n=abs(n), region=words.region_name(where)), per
            )
        case operations.Keg(where, n):
            code = "keg_add" if n > 0 else "keg_remove"
            return Msg(f"versailles.text.{code}", region=words.region_name(where))
        case operations.Pay(n):
            return Msg("versailles.text.pay", n=n)
        case operations.Exhaust(n, who):
            return _whose_text(Msg("versailles.text.exhaust", n=n), who)
        case operations.Recover(n, who, per):
            return _whose_text(_per_counter(Msg("versailles.text.recover", n=n), per), who)
        case operations.Happiness(n, who, per_unit):
            code = "happiness_gain" if n > 0 else "happiness_lose"
            text = Msg(f"versailles.text.{code}", n=abs(n))
            return _whose_text(
                Msg("versailles.text.per_unit", text=text) if per_unit else text, who
            )
        case operations.ChoosePlayer(then, regions):
            code = "choose_player_regions" if regions else "choose_player"
            return Msg(f"versailles.text.{code}", text=effects_text(then))
        case operations.Either(branches):
            one, two = (effects_text(branch) for branch in branches)
            return Msg("versailles.text.either", one=one, two=two)
        case operations.Each(then, first):
            code = "each_first" if first else "each_last"
            return Msg(f"versailles.text.{code}", text=effects_text(then))
        case operations.Withdraw(everyone):
            return Msg(f"versailles.text.{'withdraw_all' if everyone else 'withdraw'}")
        case operations.Unsettle(categories):
            where_ = [words.REGION[CATEGORIES.index(category)] for category in categories]
            return Msg("versailles.text.unsettle", categories=where_)
        case operations.Unless(counter, where, then):
            return Msg(
                "versailles.text.unless",
                counter=words.counter_name(counter),
                region=words.region_name(where),
                text=effects_text(then),
            )
        case (
            operations.Rally() | operations.Demobilise() | operations.Deploy() | operations.Clear()
        ):
            return Msg(f"versailles.text.{operations.OPERATION_NAMES[type(effect)]}")


def _check_text(check: operations.Check) -> Msg:
    text = Msg("versailles.text.check", region=words.region_name(check.region))
    if check.modifier:
        text = Msg("versailles.text.check_modified", text=text, modifier=check.modifier)
    if check.per:
        text = Msg("versailles.text.check_per", text=text, counter=words.counter_name(check.per))
    if check.calm:
        text = Msg("versailles.text.check_calm", text=text, rest=effects_text(check.calm))
    if check.kept:
        text = Msg("versailles.text.check_kept", text=text, rest=effects_text(check.kept))
    return text


def _per_counter(text: Msg, counter: str) -> Msg:
    if not counter:
        return text
    return Msg("versailles.text.per_counter", text=text, counter=words.counter_name(counter))


def _whose_text(text: Msg, who: operations.Recipients) -> Msg:
    return text if who == "subject" else Msg(f"versailles.text.who_{who}", text=text)


def crisis_text(event: EventCard) -> Msg:
    return Msg("versailles.text.sentence", text=effects_text(event.crisis))


def conference_text(event: EventCard) -> Msg:
    code = "optional" if event.optional else "sentence"
    return Msg(f"versailles.text.{code}", text=effects_text(event.conference))
