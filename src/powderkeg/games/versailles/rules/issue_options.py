"""Choosing an option of an issue and carrying it out (V-OPT, V-SETTLE-08)."""

from functools import lru_cache

from powderkeg.core.errors import Illegal
from powderkeg.games.versailles import words
from powderkeg.games.versailles.actions import (
    Flag,
    TakeOption,
)
from powderkeg.games.versailles.board import NAVAL, NAVAL_FLAGS, USA
from powderkeg.games.versailles.cards.pack import IssueOption
from powderkeg.games.versailles.rules.solo import bot_options
from powderkeg.games.versailles.rules.tracks import add_moods, add_unrest
from powderkeg.games.versailles.state import (
    Held,
    Position,
    StateBuilder,
    clockwise_from,
    is_bot,
    is_two,
)
from powderkeg.games.versailles.steps import (
    ChooseFlag,
    ChooseOption,
)

_take_option = lru_cache(maxsize=1024)(TakeOption)  # listed again and again, made once


def open_options(p: Position, step: ChooseOption) -> list[TakeOption]:
    """Any printed option (V-SETTLE-08); the USA of two players wants least unhappiness
    (V-2P-08); a bot takes the option worth most to it (V-SOLO-23)."""
    options = p.pack.issues[step.issue].options
    if is_bot(p, step.nation):
        return [_take_option(option.id) for option in bot_options(p, step.nation, step.issue)]
    if is_two(p) and step.nation == USA:
        worst = {option.id: _lost_happiness(option, USA) for option in options}
        fewest = min(worst.values())
        return [_take_option(option.id) for option in options if worst[option.id] == fewest]
    return [_take_option(option.id) for option in options]


def _lost_happiness(option: IssueOption, nation: int) -> int:
    return sum(-n for who, n in option.happiness if who == nation and n < 0)


def refuse_option(p: Position, step: ChooseOption, action: object) -> Illegal:
    if isinstance(action, TakeOption) and any(
        option.id == action.option for option in p.pack.issues[step.issue].options
    ):
        if is_bot(p, step.nation):
            return Illegal(
                "versailles.refused.bot_option", rule="V-SOLO-23", nation=words.NATION[step.nation]
            )
        return Illegal("versailles.refused.usa_option", rule="V-2P-08")
    return Illegal(
        "versailles.refused.no_such_option", rule="V-SETTLE-08", issue=words.issue_name(step.issue)
    )


def choose_option(b: StateBuilder, step: ChooseOption, action: TakeOption) -> None:
    issue = b.pack.issues[step.issue]
    number = issue.option(action.option)
    b.say(
        "versailles.option",
        "V-SETTLE-08",
        nation=words.NATION[step.nation],
        issue=words.issue_name(step.issue),
        option=words.option_name(step.issue, action.option),
    )
    if NAVAL in issue.options[number].counters:
        b.push(ChooseFlag(step.issue, step.nation, number))
    else:
        carry_out(b, step.issue, step.nation, number, ())


def open_flags(p: Position, step: ChooseFlag) -> list[Flag]:
    """A bot shows its own flag if it can (V-SOLO-23)."""
    if is_bot(p, step.nation) and step.nation in (0, USA):
        return [Flag("uk" if step.nation == 0 else "usa")]
    return [Flag(name) for name in NAVAL_FLAGS]


def choose_flag(b: StateBuilder, step: ChooseFlag, action: Flag) -> None:
    flags = (*step.flags, action.nation)
    flag = words.counter_name(f"naval.{action.nation}")
    b.say("versailles.flag", "V-OPT-10", nation=words.NATION[step.nation], counter=flag)
    if len(flags) < b.pack.issues[step.issue].options[step.option].counters.count(NAVAL):
        b.push(ChooseFlag(step.issue, step.nation, step.option, flags))
    else:
        carry_out(b, step.issue, step.nation, step.option, flags)


def carry_out(
    b: StateBuilder, issue: str, nation: int, number: int, flags: tuple[str, ...]
) -> None:
    """Unrest, then happiness with its mutinies, then counters (V-OPT-13)."""
    option = b.pack.issues[issue].options[number]
    before = tuple(b.unrest)
    for region, n in option.unrest:
        add_unrest(b, region, n, "V-OPT-01" if n > 0 else "V-OPT-02")
    if issue == b.settled:
        b.gained = tuple(r for r in range(5) if b.unrest[r] > before[r])
    circle = clockwise_from(b.order, b.active)  # V-TURN-12; those who do not play come last
    everyone = [*circle, *[n for n in range(5) if n not in circle]]
    moved = [who for who, _ in option.happiness]
    add_moods(b, [(who, option.mood(who)) for who in everyone if who in moved])
    rest = iter(flags)
    counters = tuple(f"naval.{next(rest)}" if c == NAVAL else c for c in option.counters)
    b.held = {**b.held, issue: Held(nation, number, counters)}
    for counter in counters:
        b.say(
            "versailles.counter",
            "V-OPT-09",
            issue=words.issue_name(issue),
            counter=words.counter_name(counter),
        )
