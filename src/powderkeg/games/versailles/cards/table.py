"""The pack as tables that a person can look at, correct and check."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Final

from powderkeg.core.cards import CardTool, FindingLevel, PackTables
from powderkeg.core.words import Arg, Msg
from powderkeg.games.versailles import words
from powderkeg.games.versailles.board import CATEGORIES, GAME_END
from powderkeg.games.versailles.cards import examples
from powderkeg.games.versailles.cards.pack import CardPack, IssueCard, IssueOption, StrategyCard
from powderkeg.games.versailles.cards.reader import (
    BOX,
    default_pack,
    load_pack,
    pack_changes,
    pack_of,
)

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
    return pack_changes(default_pack(), load_pack(pack))


def card_titles(pack: PackTables) -> dict[str, Msg]:
    found = {f"{part}.{id_}": _card_title(part, id_) for part in BOX for id_ in pack[part]}
    return {**found, "board": Msg("cards.versailles.board")}


def _card_title(part: str, id_: str) -> Msg:
    return {
        "issues": words.issue_name,
        "events": words.event_name,
        "strategies": words.strategy_name,
    }[part](id_)


def part_title(path: str) -> Msg | None:
    match path.split("."):
        case ["issues", _, "options", choice]:
            return words.option_name(choice)
        case ["strategies", _, "conditions", position]:
            return Msg("cards.versailles.condition", position=position)
        case [part] if part in BOX:
            return Msg(f"cards.versailles.{part}")
    return None


def check_pack(pack: PackTables) -> Iterator[tuple[FindingLevel, Msg]]:
    read = load_pack(pack)
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
            told: dict[str, Arg] = {"region": where, "total": total, "usual": ours[region]}
            yield "note", Msg("cards.check.stars_differ", **told)
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
                    option=words.option_name(worse.id),
                    by=words.option_name(better.id),
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
            yield "note", Msg("cards.check.example_holds", example=name)


def _fault_text(fault: examples.ExampleFault) -> Msg:
    told: dict[str, Arg] = {
        "example": Msg(f"cards.example.{fault.example}"),
        "step": fault.step,
        "line": fault.line,
        "what": fault.what,
    }
    if not fault.wanted:
        return Msg("cards.check.example_refused", **told)
    return Msg("cards.check.example_differs", **told, wanted=fault.wanted, got=fault.got)


CARD_TOOL: Final = CardTool(
    option="pack",
    whole_tables=("happiness", "unrest", "crisis", "conference"),
    shipped_pack=shipped_tables,
    parse_option=parse_pack_option,
    format_option=format_pack_option,
    card_titles=card_titles,
    part_title=part_title,
    check_pack=check_pack,
)
