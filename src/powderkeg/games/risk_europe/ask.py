"""The questions of every step: prompts, labels, and trees that write the wire notation."""

from collections.abc import Iterable

from powderkeg.core.ask import Amount, Assign, Node, One, Option, Question, Share
from powderkeg.core.words import Arg, Msg
from powderkeg.games.risk_europe import actions, words
from powderkeg.games.risk_europe.board import (
    CROWN_PRICE,
    DECK,
    NOBODY,
    TERRITORY_NAMES,
    UNITS,
    Units,
    total_units,
)
from powderkeg.games.risk_europe.rules import battle_dice as dice
from powderkeg.games.risk_europe.rules import battles as fighting
from powderkeg.games.risk_europe.rules import bids, economy, missions, moves, rounds, setup, turns
from powderkeg.games.risk_europe.rules.forces import Forces
from powderkeg.games.risk_europe.state import NO_BID_YET, State
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


def _risk_message(code: str, /, **args: Arg) -> Msg:
    return Msg(f"risk_europe.{code}", **args)


def _one_question(code: str, options: Iterable[Option], /, **args: Arg) -> Question:
    return Question(_risk_message(f"ask.{code}", **args), One(tuple(options)))


def _verb_option(verb: str, then: Node, **args: Arg) -> Option:
    """A first word, and what follows it."""
    return Option(verb, _risk_message(f"do.{verb}", **args), then=then)


def _bare_option(verb: str, **args: Arg) -> Option:
    return Option(verb, _risk_message(f"do.{verb}", **args))


def _place_option(at: int, then: Node | None = None, label: Msg | None = None) -> Option:
    return Option(
        TERRITORY_NAMES[at],
        label or words.TERRITORY_NAME[at],
        target=TERRITORY_NAMES[at],
        then=then,
    )


def _choose_place(ats: Iterable[int], prompt: str = "") -> One:
    return One(
        tuple(_place_option(at) for at in ats), _risk_message(f"ask.{prompt}") if prompt else None
    )


def _unit_shares(units: Units) -> tuple[Share, ...]:
    return tuple(
        Share(name, words.UNIT_NAME[unit], there)
        for unit, (name, there) in enumerate(zip(UNITS, units, strict=True))
        if there
    )


def _force_option(force: Forces) -> Option:
    """The units to march; for a castle the siege weapons are named first."""
    if not force.siege:
        node: Node = Assign(_unit_shares(force.there), force.least, force.most)
        return _verb_option("march", node, most=force.most)
    f, a, c, siege = force.there
    rest = (f, a, c, 0)
    options = (
        Option(
            str(n),
            _risk_message("units.siege", n=n),
            then=Assign(_unit_shares(rest), 0, min(force.most - n, total_units(rest))),
        )
        for n in range(force.siege, min(siege, force.most) + 1)
    )
    return _verb_option("storm", One(tuple(options)), most=force.most)


def add_reveals(question: Question, ready: list[str]) -> Question:
    """The same question, and the missions that could be shown now."""
    if not ready or not isinstance(question.node, One):
        return question
    options = (*question.node.options, _reveal_option(ready))
    return Question(question.prompt, One(options, question.node.prompt))


def ask_reveal(ready: list[str]) -> Question:
    return _one_question("reveal", [_reveal_option(ready)])


def _reveal_option(ready: list[str]) -> Option:
    return _verb_option(
        "reveal", One(tuple(Option(card, words.crown_name(card)) for card in ready))
    )


# Before the first round, and bids


def ask_bid(state: State, step: Bid, who: int) -> Question:
    most, made = bids.highest_bid(state, who), state.armies[who].bid
    army = {} if step.army == NOBODY else {"army": words.army_name(state, step.army)}
    kind = "hire" if army else "bid"
    if made == NO_BID_YET:
        options = [_verb_option("bid", Amount(0, most), most=most)]
        return _one_question(kind, options, most=most, **army)
    options = [_verb_option("bid", Amount(0, most, chosen=made), most=most)]
    return _one_question(f"change_{kind}", options, coins=words.coin_count(made), **army)


def ask_settle(state: State, step: Settle, who: int) -> Question:
    cities = [a.at for a in setup.settle_legal(state, step, who)]
    options = (
        _place_option(
            at,
            label=_risk_message("city_at", city=words.CITY_NAME[at], at=words.TERRITORY_NAME[at]),
        )
        for at in cities
    )
    return _one_question("settle", [_verb_option("settle", One(tuple(options)))])


def ask_garrison(state: State, step: Garrison, who: int) -> Question:
    most = step.footmen - 1
    options = (_place_option(at, Amount(1, most)) for at in setup.garrison_places(state, step))
    city = words.TERRITORY_NAME[step.city]
    return _one_question(
        "garrison", [_verb_option("garrison", One(tuple(options)))], footmen=step.footmen, city=city
    )


def ask_pick(state: State, step: Pick, who: int) -> Question:
    pairs = [(a.first, a.second) for a in rounds.pick_options(state, step, who)]
    firsts = sorted({first for first, _ in pairs}, key=DECK.index)
    options = (
        Option(
            first,
            words.king_card_name(first),
            target=first,
            then=One(
                tuple(Option(b, words.king_card_name(b), target=b) for a, b in pairs if a == first),
                _risk_message("ask.pick_second"),
            ),
        )
        for first in firsts
    )
    code = "change_pick" if state.armies[who].stack else "pick"
    return _one_question(
        code, [_verb_option("pick", One(tuple(options), _risk_message("ask.pick_first")))]
    )


def ask_auction(state: State, step: Auctions, who: int) -> Question:
    armies = (Option(state.colours[i], words.army_name(state, i)) for i in (2, 3))
    return _one_question("auction", [_verb_option("auction", One(tuple(armies)))])


def ask_keep(state: State, step: Keep, who: int) -> Question:
    options = []
    for name in step.cards:
        card = missions.crown_card(state, name)
        texts = {"mission": words.mission_text(card.mission), "bonus": words.bonus_text(card.bonus)}
        options.append(
            Option(name, _risk_message("mission_card", crown=words.crown_name(name), **texts))
        )
    return _one_question("keep", [_verb_option("keep", One(tuple(options)))])


# A turn


def ask_act(state: State, step: Act, who: int) -> Question:
    options: list[Option] = []
    if orders := turns.order_options(state, step):
        named = tuple(Option(name, words.king_order_name(name)) for name in orders)
        options.append(_verb_option("order", One(named)))
    bonus = turns.bonus_actions(state, step)
    if fortify := [a.at for a in bonus if isinstance(a, actions.Fortify)]:
        options.append(_verb_option("fortify", _choose_place(fortify, "where")))
    if pairs := [(a.origin, a.target) for a in bonus if isinstance(a, actions.Besiege)]:
        options.append(_verb_option("besiege", _assault_tree(pairs)))
    if turns.berlin_open(state, step):
        options.append(_bare_option("berlin"))
    options.append(_bare_option("pass"))
    names = {"army": words.army_name(state, step.army), "card": words.king_card_name(step.card)}
    return _one_question("act" if step.army == who else "act_for", options, **names)


def _assault_tree(pairs: list[tuple[int, int]]) -> One:
    origins = sorted({origin for origin, _ in pairs})
    targets = {at: [to for origin, to in pairs if origin == at] for at in origins}
    return One(
        tuple(_place_option(at, _choose_place(targets[at], "assault_to")) for at in origins),
        _risk_message("ask.assault_from"),
    )


def ask_move(state: State, step: Move, who: int) -> Question:
    order = words.king_order_name(step.order)
    if step.origin == NOBODY:
        from_here = _verb_option("from", _choose_place(moves.move_origins(state, step)))
        return _one_question("from", [from_here], order=order)
    origin = words.TERRITORY_NAME[step.origin]
    if step.target != NOBODY:
        force = moves.move_forces(state, step)
        places = {"origin": origin, "at": words.TERRITORY_NAME[step.target]}
        return _one_question("march", [_force_option(force)], most=force.most, **places)
    if step.groups:
        more = _verb_option("to", _choose_place(moves.second_targets(state, step)))
        return _one_question("second_target", [more, _bare_option("done")], origin=origin)
    to = _verb_option("to", _choose_place(moves.move_targets(state, step)))
    return _one_question("to", [to], order=order, origin=origin)


def ask_tax(state: State, step: Tax, who: int) -> Question:
    options = (
        _place_option(
            at,
            label=_risk_message(
                "tax_city",
                city=words.CITY_NAME[at],
                coins=words.coin_count(economy.tax_income(state, step.army, at)),
            ),
        )
        for at in economy.taxable_cities(state, step.army)
    )
    return _one_question("tax", [_verb_option("tax", One(tuple(options)))])


def ask_spend(state: State, step: Spend, who: int) -> Question:
    shop = economy.Purchases(state, step.army)
    options: list[Option] = []
    kinds = tuple(_unit_for_sale(state, shop, unit) for unit, n in enumerate(shop.most) if n)
    if kinds:
        options.append(_verb_option("buy", One(kinds)))
    if sites := shop.sites():
        cost = economy.castle_price(state, step.army)
        places = _choose_place(sites, "where")
        options.append(_verb_option("build", places, coins=words.coin_count(cost)))
    if actions.BuyCrown() in shop.others:
        options.append(_bare_option("crown", coins=words.coin_count(CROWN_PRICE)))
    options.append(_bare_option("done"))
    return _one_question("spend", options, coins=words.coin_count(state.armies[step.army].coins))


def _unit_for_sale(state: State, shop: economy.Purchases, unit: int) -> Option:
    cost = economy.unit_price(state, shop.army, unit)
    amount = Amount(1, shop.most[unit])
    places = One(tuple(_place_option(at, amount) for at in shop.places), _risk_message("ask.where"))
    return Option(
        UNITS[unit],
        _risk_message("for_sale", unit=words.UNIT_NAME[unit], coins=words.coin_count(cost)),
        then=places,
    )


# Battles


def ask_battles(state: State, step: Battles, who: int) -> Question:
    return _one_question(
        "fight", [_verb_option("fight", _choose_place(sorted(a.at for a in state.attacks)))]
    )


def ask_battle(state: State, step: Battle, who: int) -> Question:
    at = words.TERRITORY_NAME[step.at]
    if step.stage == "castle":
        won, lost = dice.count_hits(step.rank, step.attacker, step.defender)
        return _one_question(
            "castle",
            [_bare_option("stand"), _bare_option("reroll")],
            at=at,
            dice=words.dice_text(step.defender),
            hits=words.hit_count(lost),
            against=words.hit_count(won),
        )
    units, hits = next((u, n) for i, u, n in fighting.sides_to_choose(state, step) if i == who)
    return _loss_question(units, hits, at)


def ask_casualties(state: State, step: Casualties, who: int) -> Question:
    return _loss_question(state.units[step.at], step.hits, words.TERRITORY_NAME[step.at])


def _loss_question(units: Units, hits: int, at: Msg) -> Question:
    return _one_question(
        "lose", [_verb_option("lose", Assign(_unit_shares(units), hits, hits))], n=hits, at=at
    )


def ask_reveals(state: State, step: Reveals, who: int) -> Question:
    code = "end_of_round" if missions.ready_missions(state, who) else "no_mission_yet"
    return _one_question(code, [Option("pass", _risk_message("do.keep_hidden"))])
