"""What a seat is asked: a tree made of the very actions that are legal, with labels and targets."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from powderkeg.core.ask import Amount, Node, One, Option, Question, Some
from powderkeg.core.words import Msg
from powderkeg.games.versailles import words as names
from powderkeg.games.versailles.actions import NONE, Choose
from powderkeg.games.versailles.board import NATIONS, REGIONS
from powderkeg.games.versailles.deals import offers as talk
from powderkeg.games.versailles.deals import terms
from powderkeg.games.versailles.deals.words import term_text
from powderkeg.games.versailles.flow import kept_answers, to_act
from powderkeg.games.versailles.kinds import ASKED
from powderkeg.games.versailles.rules.military import best_gain
from powderkeg.games.versailles.state import Position, State, clockwise, is_solo, nation_of
from powderkeg.games.versailles.steps import ChooseOption, Turn, UsaTurn
from powderkeg.games.versailles.words import option_text, region


def ask(state: State, seat: str) -> Question | None:
    """The pending question, and what may be offered; out of turn, offers alone."""
    offers = tuple(_talk(state, seat))
    if seat not in to_act(state):
        return Question(Msg("versailles.ask.talk"), One(offers)) if offers else None
    step = state.agenda[-1]
    nested = isinstance(step, Turn | UsaTurn)
    options = _options(state, kept_answers(state), nested=nested)
    return Question(ASKED[type(step)].prompt(state, step), One((*options, *offers)))


# Trees


def _options(p: Position, actions: Sequence[Any], *, nested: bool) -> list[Option]:
    """One option a verb; short answers are not hidden behind their verb unless `nested`."""
    verbs: dict[str, list[tuple[list[str], Any]]] = {}
    for action in actions:
        verb, *words = str(action).split(" ")
        verbs.setdefault(verb, []).append((words, action))
    options: list[Option] = []
    for verb, entries in verbs.items():
        if all(not words for words, _ in entries):
            options.append(Option(verb, Msg(f"versailles.do.{verb}")))
        elif not nested and all(len(words) == 1 for words, _ in entries):
            options += [
                Option(str(action), _label(p, verb, words, action), _target(words))
                for words, action in entries
            ]
        else:
            node = _level(p, verb, entries, 0)
            options.append(Option(verb, Msg(f"versailles.do.{verb}"), then=node))
    return options


def _level(p: Position, verb: str, entries: list[tuple[list[str], Any]], depth: int) -> Node:
    """The choices of one word, then of the next."""
    groups: dict[str, list[tuple[list[str], Any]]] = {}
    for words, action in entries:
        groups.setdefault(words[depth], []).append((words, action))
    last = all(len(words) == depth + 1 for words, _ in entries)
    if last and verb in ("place", "bid") and depth == 1:
        amounts = sorted(map(int, groups))
        if amounts == list(range(amounts[0], amounts[-1] + 1)):
            return Amount(amounts[0], amounts[-1], Msg("versailles.ask.cubes"))
    if verb == "reclaim" and depth == 1 and (home := _homecoming(list(groups))):
        return home
    return One(
        tuple(
            Option(
                word,
                _label(p, verb, group[0][0][: depth + 1], group[0][1]),
                _target(group[0][0][: depth + 1]),
                None if last else _level(p, verb, group, depth + 1),
            )
            for word, group in groups.items()
        )
    )


def _homecoming(written: list[str]) -> Some | None:
    """Units of several regions are ticked off one by one, where each may come or stay."""
    regions = [word for word in written if word in REGIONS]
    least = 0 if NONE in written else 1
    if len(regions) < 2 or len(written) != 2 ** len(regions) - least:
        return None
    units = tuple(Option(name, names.unit(name), name) for name in regions)
    return Some(units, least, len(units), Msg("versailles.ask.units_home"))


# Labels


def _label(p: Position, verb: str, words: list[str], action: Any) -> Msg:
    """What the last of `words` means after `verb`."""
    step = p.agenda[-1]
    asked = ASKED[type(step)]
    if asked.label and isinstance(action, Choose):
        return asked.label(p, step, action)
    if verb == "option" and isinstance(step, ChooseOption):
        issue = p.pack.issues[step.issue]
        return option_text(issue.options[issue.option(words[-1])])
    return _LABELS[verb](p, words)


def _thing(p: Position, words: list[str]) -> Msg:
    """A nation, a region, a unit or a card, told by its id."""
    word = words[-1]
    if word in NATIONS:
        return names.NATION[NATIONS.index(word)]
    if word in REGIONS:
        return region(word)
    if word in ("available", "exhausted"):
        return names.unit(word)
    return names.card(word)


def _unit(p: Position, words: list[str]) -> Msg:
    return names.unit(words[-1])


def _deploy_word(p: Position, words: list[str]) -> Msg:
    if len(words) == 1:
        return names.unit(words[0])
    if len(words) == 2:
        return region(words[1])
    column, board = int(words[2]), p.pack.board
    cubes, unhappy = board.cubes_back[column], board.unhappy[column]
    if not cubes and not unhappy:
        return Msg("versailles.label.column_free", column=column)
    back = names.count("cubes", cubes)
    return Msg("versailles.label.column", column=column, cubes=back, unhappy=unhappy)


def _reclaim_word(p: Position, words: list[str]) -> Msg:
    if len(words) == 1:
        return names.count("cubes", int(words[0]))
    if words[1] == "-":
        return Msg("versailles.label.no_units")
    return Msg(
        "versailles.label.units_from",
        regions=[names.IN[REGIONS.index(r)] for r in words[1].split(",")],
    )


def _bid_word(p: Position, words: list[str]) -> Msg:
    units, _, local = words[0].partition("+")
    if len(words) == 1:
        return names.force(int(units), int(local))
    return names.count("cubes", int(words[1]))


def _modify_word(modifier: int) -> Msg:
    if not modifier:
        return Msg("versailles.label.unmodified")
    return Msg("versailles.label.modifier", modifier=modifier)


def _dive_word(p: Position, words: list[str]) -> Msg:
    cost = p.pack.board.dive_costs[p.pile.index(words[0])]
    return Msg("versailles.label.dive", issue=names.issue(words[0]), n=cost)


def _demobilise_word(p: Position, words: list[str]) -> Msg:
    return Msg("versailles.label.demobilise", unit=names.unit(words[0]), space=best_gain(p))


_LABELS: dict[str, Callable[[Position, list[str]], Msg]] = {
    "nation": _thing,
    "place": lambda p, words: (
        names.issue(words[0]) if len(words) == 1 else names.count("cubes", int(words[1]))
    ),
    "settle": _thing,
    "reclaim": _reclaim_word,
    "deploy": _deploy_word,
    "demobilise": _demobilise_word,
    "option": lambda p, words: names.choice(words[0]),
    "flag": _thing,
    "choose": _thing,
    "advance": _thing,
    "cube": lambda p, words: Msg(f"versailles.label.cube_{words[0]}"),
    "dive": _dive_word,
    "keep": _thing,
    "mutiny": _unit,
    "modify": lambda p, words: _modify_word(int(words[0])),
    "bid": _bid_word,
    "strategy": lambda p, words: names.strategy(words[0]),
}


NO_ELEMENT = ("-", "yes", "no", "plus", "minus")


def _target(words: list[str]) -> str:
    """The card, nation, region or space of the board that an answer points at; none where it
    points at several, as units called home from two regions do."""
    if len(words) == 3:
        return f"{words[1]}.{words[2]}"
    word = words[-1]
    return "" if word in NO_ELEMENT or "," in word or not word[0].isalpha() else word


# Deals


def _talk(p: State, seat: str) -> list[Option]:
    if is_solo(p) or p.turn == 0 or p.over:
        return []
    nation = nation_of(p, seat)
    options = []
    for action in talk.replies(p, seat, nation):
        verb = str(action).partition(" ")[0]
        label = Msg(f"versailles.do.{verb}_deal", deal=action.deal)
        options.append(Option(str(action), label, f"deal.{action.deal}"))
    if p.offers[nation] >= talk.OFFERS_A_TURN:
        return options
    form = Form(p)
    for deal in p.deals:
        if not deal.made and nation in deal.parties and nation not in deal.agreed:
            parties = tuple(n for n in clockwise(p.order, nation) if n in deal.parties)
            label = Msg("versailles.do.counter_deal", deal=deal.number)
            options.append(Option(f"counter {deal.number}", label, then=form.terms(parties)))
    then = _partners(p, nation, form)
    options.append(Option("propose", Msg("versailles.do.propose"), then=then))
    return options


def _partners(p: State, nation: int, form: "Form") -> One:
    others = clockwise(p.order, nation)[1:]
    groups: list[tuple[int, ...]] = [(other,) for other in others]
    if len(others) > 1:
        groups.append(others)
    return One(
        tuple(
            Option(
                "+".join(NATIONS[n] for n in group),
                Msg("versailles.label.partners", nations=[names.NATION[n] for n in group]),
                then=form.terms((nation, *group)),
            )
            for group in groups
        ),
        Msg("versailles.ask.partner"),
    )


class Form:
    """The terms that can be offered now. What a nation can undertake is the same in every deal,
    so it is worked out once for all of them."""

    def __init__(self, p: State) -> None:
        self.p = p
        now = {n: terms.undertakings(p, n) for n in p.order}
        self.now = {n: _lines(found) for n, found in now.items()}
        self.exclusive = {n: terms.exclusive_groups(p, found) for n, found in now.items()}
        self.later = {n: _lines(terms.promises(p, n)) for n in p.order}

    def terms(self, parties: tuple[int, ...]) -> Some:
        lines: list[Option] = []
        exclusive: list[tuple[str, ...]] = []
        for nation in parties:
            exchanges = terms.exchanges(self.p, nation, parties)
            lines += [*self.now[nation], *_lines(exchanges)]
            exclusive += self.exclusive[nation]
            exclusive += terms.exclusive_groups(self.p, exchanges)
        for nation in parties:
            lines += self.later[nation]
        prompt = Msg("versailles.ask.terms")
        return Some(tuple(lines), 1, talk.MOST_TERMS, prompt, exclusive=tuple(exclusive))


def _lines(found: Iterable[terms.Term]) -> list[Option]:
    return [_form_line(term) for term in found]


@cache
def _form_line(term: terms.Term) -> Option:
    text = str(term)
    return Option(text, term_text(text))
