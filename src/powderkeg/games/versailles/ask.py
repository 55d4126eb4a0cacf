"""Questions: the prompt of each, and a tree of the legal actions with labels and targets."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from powderkeg.core.ask import Amount, Node, One, Option, Question, Some
from powderkeg.core.words import Msg
from powderkeg.games.versailles import words
from powderkeg.games.versailles.actions import NO_REGIONS, Bid, Choose
from powderkeg.games.versailles.actions import TakeOption as ChosenOption
from powderkeg.games.versailles.board import NATIONS, REGIONS
from powderkeg.games.versailles.events.words import effects_text
from powderkeg.games.versailles.rules.auction import best_bid
from powderkeg.games.versailles.rules.military import best_gain
from powderkeg.games.versailles.state import Position
from powderkeg.games.versailles.steps import (
    Bidding,
    ChooseBranch,
    ChooseOption,
    ChoosePerform,
    ChooseSign,
    ChooseToAdvance,
    ChooseUnit,
    FactionOrder,
    SoloBid,
    Turn,
    UsaTurn,
)

Prompt: TypeAlias = Callable[[Position, Any], Msg]


def put_question(p: Position, prompt: Msg, actions: Sequence[Any]) -> Question:
    """The pending question, answered by one of `actions`."""
    nested = isinstance(p.agenda[-1], Turn | UsaTurn)
    return Question(prompt, One(tuple(_answer_options(p, actions, nested=nested))))


# Prompts


def plain_prompt(code: str) -> Prompt:
    return lambda p, step: Msg(f"versailles.ask.{code}")


def nation_prompt(code: str) -> Prompt:
    """A prompt that speaks of the nation of the step."""
    return lambda p, step: Msg(f"versailles.ask.{code}", nation=words.NATION[step.nation])


def issue_prompt(code: str) -> Prompt:
    """A prompt that speaks of the issue of the step."""
    return lambda p, step: Msg(f"versailles.ask.{code}", issue=words.issue_name(step.issue))


def region_prompt(code: str) -> Prompt:
    """A prompt that speaks of the region of the step."""
    return lambda p, step: Msg(f"versailles.ask.{code}", region=words.REGION[step.region])


def faction_prompt(p: Position, step: FactionOrder) -> Msg:
    return Msg("versailles.ask.faction_order", place=len(step.order) + 1)


def turn_prompt(p: Position, step: Turn) -> Msg:
    code = "turn_military" if p.political else "turn"
    return Msg(f"versailles.ask.{code}", nation=words.NATION[p.active])


def bot_settles_prompt(p: Position, step: object) -> Msg:
    return Msg("versailles.ask.bot_settles", nation=words.NATION[p.active])


def perform_prompt(p: Position, step: ChoosePerform) -> Msg:
    return Msg("versailles.ask.perform", event=words.event_name(step.event))


def advance_prompt(p: Position, step: ChooseToAdvance) -> Msg:
    if step.issue and step.event:
        return Msg("versailles.ask.advance")
    return Msg(f"versailles.ask.advance_{'issue' if step.issue else 'event'}")


def cube_prompt(p: Position, step: object) -> Msg:
    return Msg("versailles.ask.cube", event=words.event_name(p.event))


def branch_prompt(p: Position, step: ChooseBranch) -> Msg:
    return Msg("versailles.ask.branch", nation=words.NATION[step.subject])


def sign_prompt(p: Position, step: ChooseSign) -> Msg:
    return Msg("versailles.ask.sign", n=step.n)


def unit_prompt(p: Position, step: ChooseUnit) -> Msg:
    return Msg(f"versailles.ask.unit_{step.work}")


def bid_prompt(p: Position, step: Bidding) -> Msg:
    return _bid_prompt(step.issue, step.best, step.leader)


def solo_bid_prompt(p: Position, step: SoloBid) -> Msg:
    best_bot = max(step.bids, key=lambda entry: entry[1].rank)[0]
    return _bid_prompt(step.issue, best_bid(step), best_bot)


def _bid_prompt(issue: str, best: Bid, leading: int) -> Msg:
    if best.rank == (0, 0):
        return Msg("versailles.ask.first_bid", issue=words.issue_name(issue))
    return Msg(
        "versailles.ask.bid",
        issue=words.issue_name(issue),
        nation=words.NATION[leading],
        strength=best.strength,
        cubes=words.count_text("cubes", best.cubes),
    )


# Trees


def _answer_options(p: Position, actions: Sequence[Any], *, nested: bool) -> list[Option]:
    """One option per verb; short answers are not hidden behind their verb unless `nested`."""
    verbs: dict[str, list[tuple[list[str], Any]]] = {}
    for action in actions:
        verb, *parts = str(action).split(" ")
        verbs.setdefault(verb, []).append((parts, action))
    options: list[Option] = []
    for verb, entries in verbs.items():
        if all(not parts for parts, _ in entries):
            options.append(Option(verb, Msg(f"versailles.do.{verb}")))
        elif not nested and all(len(parts) == 1 for parts, _ in entries):
            options += [
                Option(str(action), _word_label(p, verb, parts, action), _board_target(parts))
                for parts, action in entries
            ]
        else:
            node = _word_choices(p, verb, entries, 0)
            options.append(Option(verb, Msg(f"versailles.do.{verb}"), then=node))
    return options


def _word_choices(p: Position, verb: str, entries: list[tuple[list[str], Any]], depth: int) -> Node:
    """The choices of one word, then of the next."""
    groups: dict[str, list[tuple[list[str], Any]]] = {}
    for parts, action in entries:
        groups.setdefault(parts[depth], []).append((parts, action))
    last = all(len(parts) == depth + 1 for parts, _ in entries)
    if last and verb in ("place", "bid") and depth == 1:
        amounts = sorted(map(int, groups))
        if amounts == list(range(amounts[0], amounts[-1] + 1)):
            return Amount(amounts[0], amounts[-1], Msg("versailles.ask.cubes"))
    if verb == "reclaim" and depth == 1 and (home := _returning_units(list(groups))):
        return home
    return One(
        tuple(
            Option(
                word,
                _word_label(p, verb, group[0][0][: depth + 1], group[0][1]),
                _board_target(group[0][0][: depth + 1]),
                None if last else _word_choices(p, verb, group, depth + 1),
            )
            for word, group in groups.items()
        )
    )


def _returning_units(written: list[str]) -> Some | None:
    """Units of several regions are ticked off one by one, where each may come or stay."""
    regions = [word for word in written if word in REGIONS]
    least = 0 if NO_REGIONS in written else 1
    if len(regions) < 2 or len(written) != 2 ** len(regions) - least:
        return None
    units = tuple(Option(name, words.unit_name(name), name) for name in regions)
    return Some(units, least, len(units), Msg("versailles.ask.units_home"))


# Labels


def _word_label(p: Position, verb: str, parts: list[str], action: Any) -> Msg:
    """The label of the last of `parts` after `verb`."""
    match p.agenda[-1], action:
        case ChooseBranch(effect), Choose(number):
            return effects_text(effect.branches[int(number) - 1])
        case ChooseSign(_, n), Choose(sign):
            return _modify_word(n if sign == "plus" else -n)
        case ChooseOption(id_), ChosenOption(option):
            issue = p.pack.issues[id_]
            return words.option_text(issue.options[issue.option(option)])
    return _WORD_LABELS[verb](p, parts)


def _thing_word(p: Position, parts: list[str]) -> Msg:
    """A nation, a region, a unit or a card, by its id."""
    word = parts[-1]
    if word in NATIONS:
        return words.NATION[NATIONS.index(word)]
    if word in REGIONS:
        return words.region_name(word)
    if word in ("available", "exhausted"):
        return words.unit_name(word)
    return words.card_name(word)


def _unit_word(p: Position, parts: list[str]) -> Msg:
    return words.unit_name(parts[-1])


def _deploy_word(p: Position, parts: list[str]) -> Msg:
    if len(parts) == 1:
        return words.unit_name(parts[0])
    if len(parts) == 2:
        return words.region_name(parts[1])
    column, board = int(parts[2]), p.pack.board
    cubes, unhappy = board.cubes_back[column], board.unhappy[column]
    if not cubes and not unhappy:
        return Msg("versailles.label.column_free", column=column)
    back = words.count_text("cubes", cubes)
    return Msg("versailles.label.column", column=column, cubes=back, unhappy=unhappy)


def _reclaim_word(p: Position, parts: list[str]) -> Msg:
    if len(parts) == 1:
        return words.count_text("cubes", int(parts[0]))
    if parts[1] == "-":
        return Msg("versailles.label.no_units")
    return Msg(
        "versailles.label.units_from",
        regions=[words.IN[REGIONS.index(r)] for r in parts[1].split(",")],
    )


def _bid_word(p: Position, parts: list[str]) -> Msg:
    units, _, local = parts[0].partition("+")
    if len(parts) == 1:
        return words.force_text(int(units), int(local))
    return words.count_text("cubes", int(parts[1]))


def _modify_word(modifier: int) -> Msg:
    if not modifier:
        return Msg("versailles.label.unmodified")
    return Msg("versailles.label.modifier", modifier=modifier)


def _dive_word(p: Position, parts: list[str]) -> Msg:
    cost = p.pack.board.dive_costs[p.pile.index(parts[0])]
    return Msg("versailles.label.dive", issue=words.issue_name(parts[0]), n=cost)


def _demobilise_word(p: Position, parts: list[str]) -> Msg:
    return Msg("versailles.label.demobilise", unit=words.unit_name(parts[0]), space=best_gain(p))


_WORD_LABELS: dict[str, Callable[[Position, list[str]], Msg]] = {
    "nation": _thing_word,
    "place": lambda p, parts: (
        words.issue_name(parts[0]) if len(parts) == 1 else words.count_text("cubes", int(parts[1]))
    ),
    "settle": _thing_word,
    "reclaim": _reclaim_word,
    "deploy": _deploy_word,
    "demobilise": _demobilise_word,
    "option": lambda p, parts: words.option_name(parts[0]),
    "flag": _thing_word,
    "choose": _thing_word,
    "advance": _thing_word,
    "cube": lambda p, parts: Msg(f"versailles.label.cube_{parts[0]}"),
    "dive": _dive_word,
    "keep": _thing_word,
    "mutiny": _unit_word,
    "modify": lambda p, parts: _modify_word(int(parts[0])),
    "bid": _bid_word,
    "strategy": lambda p, parts: words.strategy_name(parts[0]),
}


NO_ELEMENT = ("-", "yes", "no", "plus", "minus")


def _board_target(parts: list[str]) -> str:
    """The card, nation, region or space of the board that an answer points at; none where it
    points at several, as units called home from two regions do."""
    if len(parts) == 3:
        return f"{parts[1]}.{parts[2]}"
    word = parts[-1]
    return "" if word in NO_ELEMENT or "," in word or not word[0].isalpha() else word
