"""Questions: the prompt of each, and a tree of the legal actions with labels and targets."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from powderkeg.core.ask import Amount, Node, One, Option, Question, Some
from powderkeg.core.words import Msg
from powderkeg.games.versailles import words
from powderkeg.games.versailles.actions import NO_REGIONS, Bid, Choose
from powderkeg.games.versailles.actions import TakeOption as ChosenOption
from powderkeg.games.versailles.board import NATIONS, NOBODY, REGIONS
from powderkeg.games.versailles.cards.certainty import (
    mark_card,
    marked_names,
    name_cards,
    next_space,
)
from powderkeg.games.versailles.events.words import effects_text
from powderkeg.games.versailles.rules.auction import best_bid, can_bid
from powderkeg.games.versailles.state import Position
from powderkeg.games.versailles.steps import (
    AddIssue,
    AdvanceIssueAndEvent,
    Bidding,
    ChooseBranch,
    ChooseCleared,
    ChooseCube,
    ChooseDeploy,
    ChooseFlag,
    ChooseKegRegion,
    ChooseKept,
    ChooseOption,
    ChoosePerform,
    ChoosePlayer,
    ChooseRegions,
    ChooseSign,
    ChooseSource,
    ChooseToAdvance,
    ChooseUnit,
    ChooseUnsettled,
    DiscardEvent,
    DrawEvent,
    FactionOrder,
    ResolveConferenceEvent,
    SoloBid,
    Turn,
    UsaTurn,
)

Prompt: TypeAlias = Callable[[Position, Any], Msg]


def put_question(p: Position, prompt: Msg, actions: Sequence[Any]) -> Question:
    """The pending question, answered by one of `actions`."""
    nested = isinstance(p.agenda[-1], Turn | UsaTurn)
    for cause in reversed(list(_causes_of(p))):
        prompt = Msg("versailles.ask.because", cause=cause, prompt=prompt)
    prompt = name_cards(marked_names(p.pack), prompt)
    return Question(prompt, One(tuple(_answer_options(p, actions, nested=nested))))


# Causes

_SETTLING = (ResolveConferenceEvent, AdvanceIssueAndEvent, AddIssue, DrawEvent, DiscardEvent)
_BY_EVENT = (
    ChoosePlayer,
    ChooseRegions,
    ChooseKegRegion,
    ChooseBranch,
    ChooseSign,
    ChooseUnit,
    ChooseDeploy,
    ChooseCleared,
)


def _causes_of(p: Position) -> Iterator[Msg]:
    """What led to the question: an issue that is being settled, an event, an uprising."""
    step = p.agenda[-1]
    match step:
        case ChooseOption(_, nation) | ChooseFlag(_, nation):
            if not _is_pending(p, ResolveConferenceEvent):  # the next step of a settlement
                yield Msg("versailles.cause.won")
            elif nation != p.acting:
                yield Msg("versailles.cause.settled_by", nation=words.NATION[p.acting])
        case Bidding(_, region) | SoloBid(_, region) | ChooseUnsettled(region=region):
            if region == NOBODY:
                yield _event_cause(p)
            else:
                yield Msg("versailles.cause.uprising", where=words.IN[region])
        case ChoosePerform() | ChooseCube() | ChooseToAdvance() | ChooseSource() | ChooseKept():
            yield from _settled_cause(p)
        case _ if isinstance(step, _BY_EVENT):
            yield from _settled_cause(p)
            yield _event_cause(p)


def _settled_cause(p: Position) -> Iterator[Msg]:
    """The issue that is being settled."""
    if p.settled and _is_pending(p, *_SETTLING):
        yield Msg("versailles.cause.settled", issue=words.issue_name(p.settled))


def _is_pending(p: Position, *kinds: type) -> bool:
    return any(isinstance(step, kinds) for step in p.agenda[:-1])


def _event_cause(p: Position) -> Msg:
    """The conference event until it is discarded, else the crisis that was revealed last."""
    at_table = any(isinstance(step, DiscardEvent) for step in p.agenda)
    if at_table or not p.lobby:
        return Msg("versailles.cause.event", event=words.event_name(p.event))
    return Msg("versailles.cause.crisis", event=words.event_name(p.lobby[-1]))


# Prompts


def plain_prompt(code: str) -> Prompt:
    return lambda p, step: Msg(f"versailles.ask.{code}")


def nation_prompt(code: str) -> Prompt:
    """A prompt that names the nation of the step."""
    return lambda p, step: Msg(f"versailles.ask.{code}", nation=words.NATION[step.nation])


def issue_prompt(code: str) -> Prompt:
    """A prompt that names the issue of the step."""
    return lambda p, step: Msg(f"versailles.ask.{code}", issue=words.issue_name(step.issue))


def region_prompt(code: str) -> Prompt:
    """A prompt that names the region of the step."""
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


def regions_prompt(p: Position, step: ChooseRegions) -> Msg:
    return Msg(f"versailles.ask.{'another_region' if step.regions else 'region'}")


def unit_prompt(p: Position, step: ChooseUnit) -> Msg:
    return Msg(f"versailles.ask.unit_{step.work}")


def bid_prompt(p: Position, step: Bidding) -> Msg:
    prompt = _bid_prompt(step.issue, step.best, step.leader)
    if can_bid(p, step.waiting[0], step.issue, step.best):
        return prompt
    return Msg("versailles.ask.short_bid", prompt=prompt)


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

# What is asked about the words after a verb, by their place.
_WORD_PROMPTS = {
    ("settle", 0): "which_issue",
    ("place", 0): "which_issue",
    ("demobilise", 0): "unit_demobilise",
    ("deploy", 0): "unit_deploy",
    ("deploy", 1): "deploy",
    ("deploy", 2): "deploy",
}


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
    says_it = isinstance(p.agenda[-1], ChooseDeploy)  # the whole question is about this word
    prompt = None if says_it else _WORD_PROMPTS.get((verb, depth))
    return One(
        tuple(
            Option(
                word,
                _word_label(p, verb, group[0][0][: depth + 1], group[0][1]),
                _board_target(group[0][0][: depth + 1]),
                None if last else _word_choices(p, verb, group, depth + 1),
            )
            for word, group in groups.items()
        ),
        Msg(f"versailles.ask.{prompt}") if prompt else None,
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
    """The label of the last of `parts` after `verb`, with marks where it is not certain."""
    return name_cards(marked_names(p.pack), _plain_label(p, verb, parts, action))


def _plain_label(p: Position, verb: str, parts: list[str], action: Any) -> Msg:
    match p.agenda[-1], action:
        case ChooseBranch(effect, half=half), Choose(number):
            event = p.pack.events[p.event if half == "conference" else p.lobby[-1]]
            return mark_card(effects_text(effect.branches[int(number) - 1]), event, half)
        case ChooseSign(_, n), Choose(sign):
            return _modify_word(n if sign == "plus" else -n)
        case ChooseOption(id_), ChosenOption(option):
            issue = p.pack.issues[id_]
            return words.option_text(id_, issue.options[issue.option(option)])
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
    if len(parts) > 1:
        return words.count_text("cubes", int(parts[1]))
    force = words.force_text(int(units), int(local))
    strength = Bid(int(units), int(local), 0).strength
    return Msg("versailles.label.strength", strength=strength, force=force)


def _modify_word(modifier: int) -> Msg:
    if not modifier:
        return Msg("versailles.label.unmodified")
    return Msg("versailles.label.modifier", modifier=modifier)


def _dive_word(p: Position, parts: list[str]) -> Msg:
    cost = p.pack.board.dive_costs[p.pile.index(parts[0])]
    return Msg("versailles.label.dive", issue=_issue_summary(p, parts[0]), n=cost)


def _keep_word(p: Position, parts: list[str]) -> Msg:
    return _issue_summary(p, parts[0])


def _issue_summary(p: Position, id_: str) -> Msg:
    """An issue with its region and stars, for a choice between cards."""
    card = p.pack.issues[id_]
    return Msg(
        "versailles.label.issue",
        issue=words.issue_name(id_),
        region=mark_card(words.REGION[card.region], card, "region"),
        stars=mark_card(words.count_text("stars", card.stars), card, "stars"),
    )


def _demobilise_word(p: Position, parts: list[str]) -> Msg:
    return Msg("versailles.label.demobilise", unit=words.unit_name(parts[0]), space=next_space(p))


_WORD_LABELS: dict[str, Callable[[Position, list[str]], Msg]] = {
    "nation": _thing_word,
    "place": lambda p, parts: (
        words.issue_name(parts[0]) if len(parts) == 1 else words.count_text("cubes", int(parts[1]))
    ),
    "settle": _thing_word,
    "reclaim": _reclaim_word,
    "deploy": _deploy_word,
    "demobilise": _demobilise_word,
    "flag": _thing_word,
    "choose": _thing_word,
    "advance": _thing_word,
    "cube": lambda p, parts: Msg(f"versailles.label.cube_{parts[0]}"),
    "dive": _dive_word,
    "keep": _keep_word,
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
