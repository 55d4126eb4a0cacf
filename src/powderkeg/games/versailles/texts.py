"""Cards and terms in words: messages made from the data, so that a changed card says what it does."""

from collections.abc import Sequence

from powderkeg.core.words import Arg, Msg
from powderkeg.games.versailles import names, ops
from powderkeg.games.versailles.board import CATEGORIES, NATIONS, REGIONS, Choice, Event

SIGNS = {"plus": 1, "zero": 0, "minus": -1}  # of a modifier, as terms write it


def region(name: str) -> Msg:
    """A region, or what stands for one: ``random``, ``settled``, ``highest``..."""
    return Msg(f"versailles.region.{name}")


def effects_text(effects: Sequence[ops.Effect]) -> Msg:
    """Effects one after the other."""
    texts = [effect_text(effect) for effect in effects]
    if len(texts) == 1:
        return texts[0]
    return Msg("versailles.text.then", first=texts[0], rest=effects_text(effects[1:]))


def effect_text(effect: ops.Effect) -> Msg:
    """One effect in a clause without a capital and a full stop."""
    match effect:
        case ops.Check():
            return _check_text(effect)
        case ops.Unrest(where, n, per):
            code = "unrest_add" if n > 0 else "unrest_remove"
            return _per(Msg(f"versailles.text.{code}", n=abs(n), region=region(where)), per)
        case ops.Keg(where, n):
            code = "keg_add" if n > 0 else "keg_remove"
            return Msg(f"versailles.text.{code}", region=region(where))
        case ops.Pay(n):
            return Msg("versailles.text.pay", n=n)
        case ops.Exhaust(n, who):
            return _whose(Msg("versailles.text.exhaust", n=n), who)
        case ops.Recover(n, who, per):
            return _whose(_per(Msg("versailles.text.recover", n=n), per), who)
        case ops.Happiness(n, who, per_unit):
            code = "happiness_gain" if n > 0 else "happiness_lose"
            text = Msg(f"versailles.text.{code}", n=abs(n))
            return _whose(Msg("versailles.text.per_unit", text=text) if per_unit else text, who)
        case ops.ChoosePlayer(then, regions):
            code = "choose_player_regions" if regions else "choose_player"
            return Msg(f"versailles.text.{code}", text=effects_text(then))
        case ops.Either(branches):
            one, two = (effects_text(branch) for branch in branches)
            return Msg("versailles.text.either", one=one, two=two)
        case ops.Each(then, first):
            code = "each_first" if first else "each_last"
            return Msg(f"versailles.text.{code}", text=effects_text(then))
        case ops.Withdraw(everyone):
            return Msg(f"versailles.text.{'withdraw_all' if everyone else 'withdraw'}")
        case ops.Unsettle(categories):
            where_ = [names.REGION[CATEGORIES.index(category)] for category in categories]
            return Msg("versailles.text.unsettle", categories=where_)
        case ops.Unless(counter, where, then):
            return Msg(
                "versailles.text.unless",
                counter=names.counter(counter),
                region=region(where),
                text=effects_text(then),
            )
        case ops.Rally() | ops.Demobilise() | ops.Deploy() | ops.Clear():
            return Msg(f"versailles.text.{ops.NAMES[type(effect)]}")


def _check_text(check: ops.Check) -> Msg:
    text = Msg("versailles.text.check", region=region(check.region))
    if check.modifier:
        text = Msg("versailles.text.check_modified", text=text, modifier=check.modifier)
    if check.per:
        text = Msg("versailles.text.check_per", text=text, counter=names.counter(check.per))
    if check.calm:
        text = Msg("versailles.text.check_calm", text=text, rest=effects_text(check.calm))
    if check.kept:
        text = Msg("versailles.text.check_kept", text=text, rest=effects_text(check.kept))
    return text


def _per(text: Msg, counter: str) -> Msg:
    if not counter:
        return text
    return Msg("versailles.text.per_counter", text=text, counter=names.counter(counter))


def _whose(text: Msg, who: ops.Who) -> Msg:
    return text if who == "subject" else Msg(f"versailles.text.who_{who}", text=text)


def crisis_text(event: Event) -> Msg:
    return Msg("versailles.text.sentence", text=effects_text(event.crisis))


def conference_text(event: Event) -> Msg:
    code = "optional" if event.optional else "sentence"
    return Msg(f"versailles.text.{code}", text=effects_text(event.conference))


def option_text(choice: Choice) -> Msg:
    """The icons of an option, in words."""
    parts: list[Arg] = [
        *(
            Msg("versailles.icon.unrest", region=names.REGION[where], change=n)
            for where, n in choice.unrest
        ),
        *(
            Msg("versailles.icon.happiness", nation=names.NATION[who], change=n)
            for who, n in choice.happiness
        ),
        *(names.counter(counter) for counter in choice.counters),
    ]
    if not parts:
        return Msg("versailles.icon.none", option=names.choice(choice.id))
    return Msg("versailles.icon.option", option=names.choice(choice.id), icons=parts)


def term_text(text: str) -> Msg:
    """A term of a deal in words."""
    nation, *rest = text.split(".")
    later = rest[0] == "later"
    kind, *args = rest[1:] if later else rest
    said = Msg(
        f"versailles.term.{kind}",
        nation=names.NATION[NATIONS.index(nation)],
        **_term_args(kind, args),
    )
    return Msg("versailles.term.later", text=said) if later else said


def _term_args(kind: str, args: Sequence[str]) -> dict[str, Arg]:
    match kind:
        case "settle" | "place" | "shun" | "dive" | "pass" | "bid":
            return {"issue": names.issue(args[0])}
        case "deploy" | "keepout":
            return {"where": names.IN[REGIONS.index(args[0])]}
        case "option":
            return {"issue": names.issue(args[0]), "option": names.choice(args[1])}
        case "flag":
            flag = names.counter(f"naval.{args[1]}")
            return {"issue": names.issue(args[0]), "counter": flag}
        case "choose":
            return {"other": Msg(f"versailles.nation.{args[0]}")}
        case "branch":
            return {"branch": args[0]}
        case "advance":
            return {"card": names.card(args[0])}
        case "modify":
            return {"where": names.IN[REGIONS.index(args[0])], "modifier": SIGNS[args[1]]}
        case "give":
            return {"other": Msg(f"versailles.nation.{args[0]}"), "n": int(args[1])}
        case "answer":
            return {"action": args[0].replace("~", " ").replace(";", ",")}
    return {}
