"""The questions of every step: prompts, labels, and trees that write the wire notation."""

from collections.abc import Iterable

from powderkeg.core.ask import Amount, Assign, Node, One, Option, Question, Share
from powderkeg.core.words import Arg, Msg
from powderkeg.games.risk_europe import actions, words
from powderkeg.games.risk_europe.board import CROWN_PRICE, DECK, NAMES, NOBODY, UNITS, Units, total
from powderkeg.games.risk_europe.rules import battle_dice as dice
from powderkeg.games.risk_europe.rules import battles as fighting
from powderkeg.games.risk_europe.rules import economy, missions, moves, rounds, setup, turns
from powderkeg.games.risk_europe.rules.forces import Forces
from powderkeg.games.risk_europe.state import NO_BID, State
from powderkeg.games.risk_europe.steps import (
    Act,
    Auctions,
    Battle,
    Battles,
    Bid,
    Casualties,
    Garrison,
    Keep,
    Move,
    Pick,
    Reveals,
    Settle,
    Spend,
    Tax,
)


def _msg(code: str, /, **args: Arg) -> Msg:
    return Msg(f"risk_europe.{code}", **args)


def _ask(code: str, options: Iterable[Option], /, **args: Arg) -> Question:
    return Question(_msg(f"ask.{code}", **args), One(tuple(options)))


def _verb(verb: str, then: Node, **args: Arg) -> Option:
    """A first word, and what follows it."""
    return Option(verb, _msg(f"do.{verb}", **args), then=then)


def _plain(verb: str, **args: Arg) -> Option:
    return Option(verb, _msg(f"do.{verb}", **args))


def _place(at: int, then: Node | None = None, label: Msg | None = None) -> Option:
    return Option(NAMES[at], label or words.TERRITORY[at], target=NAMES[at], then=then)


def _places(ats: Iterable[int]) -> One:
    return One(tuple(_place(at) for at in ats))


def _shares(units: Units) -> tuple[Share, ...]:
    return tuple(
        Share(name, words.UNIT[unit], there)
        for unit, (name, there) in enumerate(zip(UNITS, units, strict=True))
        if there
    )


def _force(force: Forces) -> Option:
    """The units to march; for a castle the siege weapons are named first."""
    if not force.siege:
        node: Node = Assign(_shares(force.there), force.least, force.most)
        return _verb("march", node, most=force.most)
    f, a, c, siege = force.there
    rest = (f, a, c, 0)
    options = (
        Option(
            str(n),
            _msg("units.siege", n=n),
            then=Assign(_shares(rest), 0, min(force.most - n, total(rest))),
        )
        for n in range(force.siege, min(siege, force.most) + 1)
    )
    return _verb("storm", One(tuple(options)), most=force.most)


def add_reveals(question: Question, ready: list[str]) -> Question:
    """The same question, and the missions that could be shown now."""
    if not ready or not isinstance(question.node, One):
        return question
    options = (*question.node.options, _reveal_option(ready))
    return Question(question.prompt, One(options, question.node.prompt))


def ask_reveal(ready: list[str]) -> Question:
    return _ask("reveal", [_reveal_option(ready)])


def _reveal_option(ready: list[str]) -> Option:
    return _verb("reveal", One(tuple(Option(card, words.crown(card)) for card in ready)))


# Before the first round, and bids


def ask_bid(state: State, step: Bid, who: int) -> Question:
    most = state.armies[who].coins
    options = [_verb("bid", Amount(0, most), most=most)]
    changing = "change_" if state.armies[who].bid != NO_BID else ""
    if step.army == NOBODY:
        return _ask(f"{changing}bid", options, most=most)
    return _ask(f"{changing}hire", options, army=words.army(state, step.army), most=most)


def ask_settle(state: State, step: Settle, who: int) -> Question:
    cities = [a.at for a in setup.settle_legal(state, step, who)]
    options = (
        _place(at, label=_msg("city_at", city=words.CITY[at], at=words.TERRITORY[at]))
        for at in cities
    )
    return _ask("settle", [_verb("settle", One(tuple(options)))])


def ask_garrison(state: State, step: Garrison, who: int) -> Question:
    most = step.footmen - 1
    options = (_place(at, Amount(1, most)) for at in setup.outlands(state, step))
    city = words.TERRITORY[step.city]
    return _ask(
        "garrison", [_verb("garrison", One(tuple(options)))], footmen=step.footmen, city=city
    )


def ask_pick(state: State, step: Pick, who: int) -> Question:
    pairs = [(a.first, a.second) for a in rounds.picks(state, step, who)]
    firsts = sorted({first for first, _ in pairs}, key=DECK.index)
    options = (
        Option(
            first,
            words.card(first),
            target=first,
            then=One(
                tuple(Option(b, words.card(b), target=b) for a, b in pairs if a == first),
                _msg("ask.pick_second"),
            ),
        )
        for first in firsts
    )
    code = "change_pick" if state.armies[who].stack else "pick"
    return _ask(code, [_verb("pick", One(tuple(options), _msg("ask.pick_first")))])


def ask_auction(state: State, step: Auctions, who: int) -> Question:
    armies = (Option(state.colours[i], words.army(state, i)) for i in (2, 3))
    return _ask("auction", [_verb("auction", One(tuple(armies)))])


def ask_keep(state: State, step: Keep, who: int) -> Question:
    options = []
    for name in step.cards:
        card = missions.crown(state, name)
        texts = {"mission": words.mission(card.mission), "bonus": words.bonus(card.bonus)}
        options.append(Option(name, _msg("mission_card", crown=words.crown(name), **texts)))
    return _ask("keep", [_verb("keep", One(tuple(options)))])


# A turn


def ask_act(state: State, step: Act, who: int) -> Question:
    options: list[Option] = []
    if orders := turns.orders(state, step):
        named = tuple(Option(name, words.order(name)) for name in orders)
        options.append(_verb("order", One(named)))
    bonus = turns.bonus_actions(state, step)
    if fortify := [a.at for a in bonus if isinstance(a, actions.Fortify)]:
        options.append(_verb("fortify", _places(fortify)))
    if pairs := [(a.origin, a.target) for a in bonus if isinstance(a, actions.Besiege)]:
        options.append(_verb("besiege", _assaults(pairs)))
    if turns.berlin_open(state, step):
        options.append(_plain("berlin"))
    options.append(_plain("pass"))
    names = {"army": words.army(state, step.army), "card": words.card(step.card)}
    return _ask("act" if step.army == who else "act_for", options, **names)


def _assaults(pairs: list[tuple[int, int]]) -> One:
    origins = sorted({origin for origin, _ in pairs})
    return One(
        tuple(_place(at, _places(to for origin, to in pairs if origin == at)) for at in origins)
    )


def ask_move(state: State, step: Move, who: int) -> Question:
    order = words.order(step.order)
    if step.origin == NOBODY:
        from_here = _verb("from", _places(moves.origins(state, step)))
        return _ask("from", [from_here], order=order)
    origin = words.TERRITORY[step.origin]
    if step.target != NOBODY:
        force = moves.forces(state, step)
        places = {"origin": origin, "at": words.TERRITORY[step.target]}
        return _ask("march", [_force(force)], most=force.most, **places)
    if step.groups:
        more = _verb("to", _places(moves.more_targets(state, step)))
        return _ask("second_target", [more, _plain("done")], origin=origin)
    to = _verb("to", _places(moves.targets(state, step)))
    return _ask("to", [to], order=order, origin=origin)


def ask_tax(state: State, step: Tax, who: int) -> Question:
    options = (
        _place(
            at,
            label=_msg(
                "tax_city",
                city=words.CITY[at],
                coins=words.coins(economy.income(state, step.army, at)),
            ),
        )
        for at in economy.taxable(state, step.army)
    )
    return _ask("tax", [_verb("tax", One(tuple(options)))])


def ask_spend(state: State, step: Spend, who: int) -> Question:
    shop = economy.Purchases(state, step.army)
    options: list[Option] = []
    kinds = tuple(_unit_for_sale(state, shop, unit) for unit, n in enumerate(shop.most) if n)
    if kinds:
        options.append(_verb("buy", One(kinds)))
    if sites := shop.sites():
        cost = economy.castle_price(state, step.army)
        options.append(_verb("build", _places(sites), coins=words.coins(cost)))
    if actions.Crown() in shop.others:
        options.append(_plain("crown", coins=words.coins(CROWN_PRICE)))
    options.append(_plain("done"))
    return _ask("spend", options, coins=words.coins(state.armies[step.army].coins))


def _unit_for_sale(state: State, shop: economy.Purchases, unit: int) -> Option:
    cost = economy.price(state, shop.army, unit)
    amount = Amount(1, shop.most[unit])
    places = One(tuple(_place(at, amount) for at in shop.places))
    return Option(
        UNITS[unit], _msg("for_sale", unit=words.UNIT[unit], coins=words.coins(cost)), then=places
    )


# Battles


def ask_battles(state: State, step: Battles, who: int) -> Question:
    return _ask("fight", [_verb("fight", _places(sorted(a.at for a in state.attacks)))])


def ask_battle(state: State, step: Battle, who: int) -> Question:
    at = words.TERRITORY[step.at]
    if step.stage == "castle":
        won, lost = dice.hits(step.rank, step.attacker, step.defender)
        return _ask(
            "castle",
            [_plain("stand"), _plain("reroll")],
            at=at,
            dice=words.dice(step.defender),
            hits=words.hits(lost),
            against=words.hits(won),
        )
    units, hits = next((u, n) for i, u, n in fighting.sides(state, step) if i == who)
    return _lose(units, hits, at)


def ask_casualties(state: State, step: Casualties, who: int) -> Question:
    return _lose(state.units[step.at], step.hits, words.TERRITORY[step.at])


def _lose(units: Units, hits: int, at: Msg) -> Question:
    return _ask("lose", [_verb("lose", Assign(_shares(units), hits, hits))], n=hits, at=at)


def ask_reveals(state: State, step: Reveals, who: int) -> Question:
    return _ask("end_of_round", [Option("pass", _msg("do.keep_hidden"))])
