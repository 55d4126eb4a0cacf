"""The pack as tables that a person can look at, correct and check."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any, Final

from powderkeg.core.cards import CardTool, FindingLevel, PackTables
from powderkeg.core.cards.packs import fits_pattern
from powderkeg.core.words import Arg, Msg
from powderkeg.games.versailles import words
from powderkeg.games.versailles.board import (
    CATEGORIES,
    COUNTERS,
    GAME_END,
    NATIONS,
    NAVAL,
    REGIONS,
)
from powderkeg.games.versailles.cards import examples
from powderkeg.games.versailles.cards.certainty import (
    marked_names,
    name_cards,
    option_fallback,
    own_names,
)
from powderkeg.games.versailles.cards.pack import CardPack, IssueCard, IssueOption, StrategyCard
from powderkeg.games.versailles.cards.reader import (
    BOX,
    CONDITION_KINDS,
    check_new_pack,
    default_pack,
    load_pack,
    pack_changes,
    pack_of,
)
from powderkeg.games.versailles.describe import event_captions
from powderkeg.games.versailles.view import card_view

STARS: Final = range(1, 8)  # on a card
CONDITIONS_PER_CARD: Final = 4  # on a strategy card
FAULTS_SHOWN: Final = 3  # faults shown per example


def shipped_tables() -> PackTables:
    return _copy_tables(default_pack())


def parse_pack_option(text: str) -> PackTables:
    return _copy_tables(pack_of(text))


def _copy_tables(pack: CardPack) -> PackTables:
    copied: PackTables = json.loads(json.dumps(pack.raw))
    return copied


def format_pack_option(pack: PackTables) -> str:
    read = load_pack(pack)
    check_new_pack(read)
    return pack_changes(default_pack(), read)


def card_titles(pack: PackTables) -> dict[str, Msg]:
    found = {
        f"{part}.{id_}": _own_title(pack[part][id_]) or _CARD_NAMES[part](id_)
        for part in BOX
        for id_ in pack[part]
    }
    return {**found, "board": Msg("cards.versailles.board")}


def _own_title(table: PackTables, fallback: str = "") -> Msg | None:
    """The name that a pack gives to a card or an option."""
    name = table.get("name") or fallback
    return Msg("cards.plain", text=name) if name else None


_CARD_NAMES: Final = {
    "issues": words.issue_name,
    "events": words.event_name,
    "strategies": words.strategy_name,
}


def part_title(pack: PackTables, path: str) -> Msg | None:
    match path.split("."):
        case ["issues", issue, "options", choice]:
            table = pack["issues"][issue]["options"].get(choice, {})
            return _own_title(table, option_fallback(choice)) or words.option_name(issue, choice)
        case ["strategies", _, "conditions", position]:
            return Msg("cards.versailles.condition", position=position)
        case [part] if part in BOX:
            return Msg(f"cards.versailles.{part}")
        case ["board", _, *_]:
            return Msg(f"cards.versailles.{path}")
    return None


def preview_card(pack: PackTables, path: str) -> tuple[dict[str, Any], dict[str, Msg]]:
    """A card as the board's view has it, with the sentences of an event."""
    part, _, id_ = path.partition(".")
    if part not in BOX:
        return {}, {}
    card = card_view(load_pack(pack), id_)
    return card, event_captions({id_: card})


def check_pack(pack: PackTables) -> Iterator[tuple[FindingLevel, Msg]]:
    read = load_pack(pack)
    for level, msg in _list_findings(read):
        yield level, name_cards(own_names(read), msg)


def _list_findings(read: CardPack) -> Iterator[tuple[FindingLevel, Msg]]:
    yield from _count_findings(read)
    yield from _star_findings(read)
    for issue in read.issues.values():
        yield from _dominated_options(issue)
    for worse, better in permutations(read.strategies.values(), 2):
        if is_card_dominated(worse, better):
            titles = {"card": words.strategy_name(worse.id), "by": words.strategy_name(better.id)}
            yield "doubt", Msg("cards.check.card_dominated", **titles)
    yield from _example_findings(read)


def _count_findings(pack: CardPack) -> Iterator[tuple[FindingLevel, Msg]]:
    """The box: how many cards, numbered from one on, with words for each."""
    for part, count in BOX.items():
        numbers = [card.number for card in getattr(pack, part).values()]
        twice = sorted(number for number, n in Counter(numbers).items() if n > 1)
        if wrong := twice or sorted(set(numbers) - set(range(1, count + 1))):
            where = Msg(f"cards.versailles.{part}")
            yield "wrong", Msg("cards.check.numbers", part=where, numbers=wrong)
    for strategy in pack.strategies.values():
        if len(strategy.conditions) != CONDITIONS_PER_CARD:
            title_ = words.strategy_name(strategy.id)
            yield "wrong", Msg("cards.check.conditions", card=title_, n=len(strategy.conditions))
    counts = [Msg(f"cards.check.{part}", n=count) for part, count in BOX.items()]
    yield "note", Msg("cards.check.box", counts=counts)


def _star_findings(pack: CardPack) -> Iterator[tuple[FindingLevel, Msg]]:
    for issue in pack.issues.values():
        if issue.stars not in STARS:
            yield (
                "doubt",
                Msg("cards.check.stars_range", card=words.issue_name(issue.id), n=issue.stars),
            )
    ours, theirs = _stars_by_region(default_pack()), _stars_by_region(pack)
    for region, total in theirs.items():
        if total != ours[region]:
            where = words.REGION[CATEGORIES.index(region)]
            details: dict[str, Arg] = {"region": where, "total": total, "usual": ours[region]}
            yield "note", Msg("cards.check.stars_differ", **details)
    yield "note", Msg("cards.check.stars", n=sum(theirs.values()))


def _stars_by_region(pack: CardPack) -> dict[str, int]:
    totals = dict.fromkeys(CATEGORIES, 0)
    for issue in pack.issues.values():
        totals[CATEGORIES[issue.region]] += issue.stars
    return totals


def _dominated_options(issue: IssueCard) -> Iterator[tuple[FindingLevel, Msg]]:
    if issue.id == GAME_END:
        return
    for worse, better in permutations(issue.options, 2):
        if is_dominated(worse, better):
            yield (
                "doubt",
                Msg(
                    "cards.check.option_dominated",
                    card=words.issue_name(issue.id),
                    option=words.option_name(issue.id, worse.id),
                    by=words.option_name(issue.id, better.id),
                ),
            )


def is_dominated(worse: IssueOption, better: IssueOption) -> bool:
    """Whether an option makes nobody happier, no region calmer and lays no counter that the
    other does not, and differs from it."""
    a, b = dict(worse.unrest), dict(better.unrest)
    return (
        (worse.happiness, worse.unrest, worse.counters)
        != (better.happiness, better.unrest, better.counters)
        and all(worse.mood(nation) <= better.mood(nation) for nation in range(5))
        and all(a.get(region, 0) >= b.get(region, 0) for region in range(5))
        and not Counter(worse.counters) - Counter(better.counters)
    )


def is_card_dominated(worse: StrategyCard, better: StrategyCard) -> bool:
    """Whether a strategy pays for nothing that the other does not pay at least as well."""
    a = {c.counts: c.points for c in worse.conditions}
    b = {c.counts: c.points for c in better.conditions}
    doubles = "double_happiness" in a and "double_happiness" not in b
    return a != b and not doubles and all(a.get(c, 0) <= b.get(c, 0) for c in {*a, *b})


def _example_findings(pack: CardPack) -> Iterator[tuple[FindingLevel, Msg]]:
    differs = json.loads(pack_changes(default_pack(), pack) or "{}")
    broken = list(examples.example_faults(differs))
    for example in examples.EXAMPLES:
        here = [fault for fault in broken if fault.example == example]
        for fault in here[:FAULTS_SHOWN]:
            yield "doubt", _fault_text(fault)
        name = Msg(f"cards.example.{example}")
        if here:
            yield "doubt", Msg("cards.check.example_broken", example=name, n=len(here))
        else:
            yield "note", _holding_text(name, examples.Replay(example, differs).liberties())


def _holding_text(name: Msg, taken: examples.Liberties) -> Msg:
    """That an example comes out, and what was done by hand for it."""
    but = [
        *([Msg("cards.check.by_hand", n=taken.by_hand)] if taken.by_hand else []),
        *([Msg("cards.check.altered", n=taken.altered)] if taken.altered else []),
        *(Msg("cards.check.amended", card=words.event_name(card)) for card in taken.cards),
        *(
            Msg("cards.check.printed", what=examples.key_text(key), n=wanted, printed=printed)
            for key, wanted, printed in taken.differing
        ),
    ]
    return Msg("cards.check.example_holds", example=name, n=taken.numbers, but=but)


def _fault_text(fault: examples.ExampleFault) -> Msg:
    details: dict[str, Arg] = {
        "example": Msg(f"cards.example.{fault.example}"),
        "step": fault.step,
        "what": fault.what,
    }
    if not fault.wanted:
        return Msg("cards.check.example_refused", **details)
    return Msg("cards.check.example_differs", **details, wanted=fault.wanted, got=fault.got)


def _crisis_titles() -> list[str]:
    return sorted({event.title for event in default_pack().events.values()})


_CHOICES: Final[dict[str, dict[str, Msg]]] = {
    "issues.*.region": {name: words.region_name(name) for name in CATEGORIES},
    "issues.*.options.*.happiness": dict(zip(NATIONS, words.NATION, strict=True)),
    "issues.*.options.*.unrest": {name: words.region_name(name) for name in REGIONS},
    "issues.*.options.*.counters": {id_: words.counter_name(id_) for id_ in (*COUNTERS, NAVAL)},
    "events.*.title": {it: Msg(f"versailles.crisis.{it}") for it in _crisis_titles()},
    "strategies.*.conditions.*.counts": {it: words.condition_text(it) for it in CONDITION_KINDS},
}


def value_choices(path: str) -> dict[str, Msg]:
    """The words that a value is chosen from; empty where it is typed."""
    found = (choices for pattern, choices in _CHOICES.items() if fits_pattern(path, (pattern,)))
    return next(found, {})


CARD_TOOL: Final = CardTool(
    option="pack",
    whole_tables=("happiness", "unrest", "crisis", "conference"),
    named=("issues.*", "events.*", "strategies.*", "issues.*.options.*"),
    open_lists={"issues.*.options": {"happiness": {}, "unrest": {}, "counters": []}},
    shipped_pack=shipped_tables,
    parse_option=parse_pack_option,
    format_option=format_pack_option,
    card_titles=card_titles,
    part_title=part_title,
    card_preview=preview_card,
    value_choices=value_choices,
    mark_names=lambda option, msg: name_cards(marked_names(pack_of(option)), msg),
    check_pack=check_pack,
)
