"""Uprising checks: regions, die, the nation and issue hit, strategies (V-UPR-01..14, V-STRAT)."""

from powderkeg.core import chance
from powderkeg.core.errors import Illegal
from powderkeg.games.versailles import words
from powderkeg.games.versailles.actions import Choose, Modify, TakeStrategy
from powderkeg.games.versailles.board import NATIONS, NOBODY
from powderkeg.games.versailles.rules.solo import bot_modifiers
from powderkeg.games.versailles.rules.tracks import add_keg, reset_track
from powderkeg.games.versailles.state import (
    Position,
    StateBuilder,
    clockwise_after,
    clockwise_from,
    is_solo,
    owned_issues,
    post_of,
    star_total,
    with_item,
)
from powderkeg.games.versailles.steps import (
    Affected,
    AfterCheck,
    Announce,
    Checking,
    ChooseAffected,
    ChooseStrategy,
    ChooseUnsettled,
    Do,
    Reset,
    RollOff,
    SelectStrategies,
    StartBid,
    Unsettle,
    Uprising,
)


def most_unrest(p: Position) -> tuple[int, ...]:
    """Every region with the greatest unrest, top to bottom (V-UPR-02)."""
    highest = max(p.unrest)
    return tuple(region for region, column in enumerate(p.unrest) if column == highest)


# The check


def check_regions(b: StateBuilder, step: Checking) -> None:
    """Announce and roll region by region, top to bottom; then resolve the uprisings (V-UPR-09)."""
    if not step.queue:
        _resolve_check(b, step)
        return
    region, *queue = step.queue
    b.push(_go_on(step, tuple(queue), (*step.checked, region), step.risen))
    column = b.unrest[region]
    if not b.pack.board.uprising[column]:
        b.say("versailles.no_roll", "V-UPR-03", region=words.REGION[region], column=column)
        return
    modifies = b.pack.board.modifies
    waiting = [n for n in clockwise_after(b.order, b.active) if post_of(b, n, region) in modifies]
    b.push(Announce(region, step.modifier, tuple(waiting)))


def _go_on(
    step: Checking, queue: tuple[int, ...], checked: tuple[int, ...], risen: tuple[int, ...]
) -> Checking:
    """The same check, further on: as `replace`, in a fifth of the time."""
    return Checking(
        step.check, step.modifier, queue, step.you, step.subject, step.half, checked, risen
    )


def modifier_choices(p: Position, step: Announce) -> list[Modify]:
    nation = step.waiting[0]
    if is_solo(p) and nation != p.human:
        return [Modify(n) for n in bot_modifiers(p, nation, step.region)]
    return [Modify(1), Modify(0), Modify(-1)]


def announce_modifier(b: StateBuilder, step: Announce, action: Modify) -> None:
    nation, region = words.NATION[step.waiting[0]], words.REGION[step.region]
    b.say("versailles.announces", "V-UPR-05", nation=nation, region=region, modifier=action.n)
    b.push(Announce(step.region, step.modifier + action.n, step.waiting[1:]))


def uprising_die(p: Position, step: Announce) -> chance.Dice | None:
    """The die is rolled once everybody has announced."""
    return None if step.waiting else chance.Dice(1)


def roll_uprising(b: StateBuilder, step: Announce, roll: chance.Roll) -> None:
    """An uprising if die and modifiers reach the number of the column (V-UPR-04)."""
    die, region = roll.dice[0], step.region
    wanted = b.pack.board.uprising[b.unrest[region]]
    rises = die + step.modifier >= wanted
    b.say(
        "versailles.rises" if rises else "versailles.quiet",
        "V-UPR-04",
        region=words.REGION[region],
        die=die,
        modifier=step.modifier,
        wanted=wanted,
    )
    check = b.agenda[-1]
    if rises and isinstance(check, Checking):
        b.pop()
        b.push(_go_on(check, check.queue, check.checked, (*check.risen, region)))


def _resolve_check(b: StateBuilder, step: Checking) -> None:
    context = step.you, step.subject, step.half
    b.push(AfterCheck(step.check.kept, step.checked, *context))
    if step.risen:
        b.push(*(Uprising(region) for region in step.risen))
    elif step.check.calm:
        b.push(Do(step.check.calm, *context, step.checked))


def after_check(b: StateBuilder, step: AfterCheck) -> None:
    if step.kept and not b.unsettled:
        b.push(Do(step.kept, step.you, step.subject, step.half, step.checked))
    if b.risen and not any(b.strategy):
        b.push(SelectStrategies())  # V-STRAT-01


# The uprising


def start_uprising(b: StateBuilder, step: Uprising) -> None:
    region = step.region
    if not b.risen:
        b.risen = True
        b.say("versailles.first_uprising", "V-UPR-32")
        if b.options.strategies_at_once:
            b.push(SelectStrategies())
    tied = most_issues(b, region)
    if not tied:
        b.say("versailles.nobody_hit", "V-UPR-13", region=words.REGION[region])
        if b.options.empty_uprising_resets:
            reset_track(b, region)
        else:
            add_keg(b, region, 1, "V-UPR-13")
    elif len(tied) == 1:
        b.push(Affected(region, tied[0]))
    elif (chooser := leftmost_owner(b, region)) != NOBODY:
        b.push(ChooseAffected(region, tied, chooser))
    else:
        b.push(RollOff(region, tied))


def most_issues(p: Position, region: int) -> tuple[int, ...]:
    """The nations with most issues of the region; none if it has no settled issue (V-UPR-10)."""
    issues = p.pack.issues
    count = [0] * 5
    for issue, held in p.held.items():
        if issues[issue].region == region:
            count[held.owner] += 1
    return tuple(nation for nation, n in enumerate(count) if n == max(count) > 0)


def leftmost_owner(p: Position, region: int) -> int:
    """The owner of the leftmost unit of the row (V-UPR-11)."""
    row = p.posts[region * 4 : region * 4 + 4]
    return next((owner for owner in row if owner != NOBODY), NOBODY)


def affected_choices(p: Position, step: ChooseAffected) -> list[Choose]:
    return [Choose(NATIONS[nation]) for nation in step.tied]


def choose_affected(b: StateBuilder, step: ChooseAffected, action: Choose) -> None:
    b.push(Affected(step.region, NATIONS.index(action.what)))


def roll_off(b: StateBuilder, step: RollOff, roll: chance.Roll) -> None:
    """The highest die is hit; those who tie for it roll again (V-UPR-12)."""
    best = max(roll.dice)
    tied = tuple(n for n, die in zip(step.tied, roll.dice, strict=True) if die == best)
    for nation, die in zip(step.tied, roll.dice, strict=True):
        b.say("versailles.rolls_off", "V-UPR-12", nation=words.NATION[nation], die=die)
    b.push(Affected(step.region, tied[0]) if len(tied) == 1 else RollOff(step.region, tied))


def hit_nation(b: StateBuilder, step: Affected) -> None:
    """The issue of that region with most stars; its owner picks among equals (V-UPR-14)."""
    b.say(
        "versailles.hit", "V-UPR-10", nation=words.NATION[step.nation], where=words.IN[step.region]
    )
    issues = b.pack.issues
    there = [issue for issue in owned_issues(b, step.nation) if issues[issue].region == step.region]
    most = max(issues[issue].stars for issue in there)
    tied = tuple(sorted(issue for issue in there if issues[issue].stars == most))
    b.push(Unsettle(tied, step.nation, step.region))


def unsettled_choices(p: Position, step: ChooseUnsettled) -> list[Choose]:
    return [Choose(issue) for issue in step.issues]


def refuse_unsettled(p: Position, step: ChooseUnsettled, action: object) -> Illegal:
    return Illegal(
        "versailles.refused.not_that_issue",
        rule="V-UPR-14" if step.region != NOBODY else "V-EVENT-18",
    )


def choose_unsettled(b: StateBuilder, step: ChooseUnsettled, action: Choose) -> None:
    b.push(StartBid(action.what, step.region))


def reset_region(b: StateBuilder, step: Reset) -> None:
    reset_track(b, step.region)


# Strategies


def select_strategies(b: StateBuilder, step: SelectStrategies) -> None:
    """Fewest stars first; equals clockwise from the active player (V-STRAT-02, 03)."""
    if is_solo(b):
        return
    waiting = sorted(clockwise_from(b.order, b.active), key=lambda nation: star_total(b, nation))
    b.push(ChooseStrategy(tuple(waiting)))


def free_strategies(p: Position, step: ChooseStrategy) -> list[TakeStrategy]:
    return [TakeStrategy(card) for card in p.dealt if card not in p.strategy]


def choose_strategy(b: StateBuilder, step: ChooseStrategy, action: TakeStrategy) -> None:
    nation, *rest = step.waiting
    b.strategy = with_item(b.strategy, nation, action.strategy)
    card = words.strategy_name(action.strategy)
    b.say("versailles.strategy", "V-STRAT-04", nation=words.NATION[nation], strategy=card)
    if rest:
        b.push(ChooseStrategy(tuple(rest)))
