"""Solitaire: the strength of factions, and the play of the two bots (V-SOLO)."""

from powderkeg.core import chance
from powderkeg.games.versailles import words
from powderkeg.games.versailles.actions import Bid, Choose, DeployUnit, Place, Reclaim, Settle
from powderkeg.games.versailles.board import FRANCE, NATIONS, NAVAL, NOBODY, POSTS, REGIONS, UK, USA
from powderkeg.games.versailles.cards.pack import IssueOption
from powderkeg.games.versailles.rules.military import best_gain, deploy_unit
from powderkeg.games.versailles.rules.political import (
    can_place,
    least_to_lead,
    place_influence,
    placing_range,
    possible_reclaims,
    reclaim_tokens,
    settle_issue,
)
from powderkeg.games.versailles.rules.tracks import units_limit
from powderkeg.games.versailles.state import (
    Position,
    StateBuilder,
    counters_in_play,
    deployed_regions,
    is_bot,
    issue_leader,
    owned_issues,
    post_of,
    star_total,
    unit_count,
)
from powderkeg.games.versailles.steps import (
    BotMilitary,
    BotPlaces,
    BotPolitical,
    BotReclaims,
    BotRegion,
    BotSettles,
    ChangeFaction,
    ChooseUnit,
    Turn,
)

FACTION_ICONS: dict[int, frozenset[str]] = {  # V-SOLO-04
    FRANCE: frozenset({"german_containment", "german_reparations", "empire.france"}),
    UK: frozenset({"naval.uk", "bolshevik_containment", "empire.uk"}),
    USA: frozenset({"self_determination", "industrial_growth", "naval.usa"}),
}
DEPLOYS_FROM = 4  # unrest column from which a bot sends a unit (V-SOLO-12)
UNITS_BID = (0, 1, 1, 2)  # by units not demobilised (V-SOLO-36)

# Values


def matching_icons(option: IssueOption, faction: int) -> int:
    """Icons of an option that count for the faction; a naval choice can be its own flag."""
    icons = FACTION_ICONS[faction]
    own_navy = faction in (UK, USA)
    return sum(c in icons or (c == NAVAL and own_navy) for c in option.counters)


def potential_value(p: Position, issue: str, faction: int) -> int:
    """Potential issue value: stars and the best option (V-SOLO-06)."""
    card = p.pack.issues[issue]
    return card.stars + max((matching_icons(option, faction) for option in card.options), default=0)


def settled_value(p: Position, issue: str, faction: int) -> int:
    """The value of a settled issue (V-SOLO-05)."""
    icons = FACTION_ICONS[faction]
    return p.pack.issues[issue].stars + sum(c in icons for c in p.held[issue].counters)


def faction_strength(p: Position, faction: int) -> int:
    """Stars of its issues and every counter of its kinds in play, on any nation's issues (V-SOLO-07)."""
    icons = FACTION_ICONS[faction]
    return star_total(p, faction) + sum(counter in icons for counter in counters_in_play(p))


def score_turn(b: StateBuilder) -> None:
    """A victory point for the only strongest faction, if every faction has an issue (V-SOLO-08)."""
    strengths = {faction: faction_strength(b, faction) for faction in b.order}
    others = [n for faction, n in strengths.items() if faction != b.human]
    if strengths[b.human] > max(others) and all(owned_issues(b, faction) for faction in b.order):
        b.points += 1
        b.say("versailles.point", "V-SOLO-08", nation=words.NATION[b.human], points=b.points)


# Military


def bot_military(b: StateBuilder, step: BotMilitary) -> None:
    """Deploy, else demobilise, else nothing; once per turn, before or after (V-SOLO-12..18)."""
    if not is_bot(b, step.nation):
        b.push(Turn())  # V-SOLO-35: the turn has become the human's
        return
    if b.military:
        return
    regions = bot_regions(b, step.nation)
    if len(regions) > 1:
        b.push(BotRegion(step.nation, regions))
    elif regions:
        bot_deploys(b, step.nation, regions[0])
    elif bot_demobilises(b, step.nation):
        b.military = True
        b.say("versailles.bot_demobilises", "V-SOLO-15", nation=words.NATION[step.nation])
        b.push(ChooseUnit(step.nation, "demobilise"))


def bot_column(p: Position, nation: int, region: int) -> int:
    """Column 7 unless taken or it would cause mutiny, then 8, else none (V-SOLO-13, 14)."""
    after_loss = max(0, p.happiness[nation] - p.pack.board.unhappy[7])
    mutiny = unit_count(p, nation) > units_limit(p, after_loss)
    row = p.posts[region * 4 : region * 4 + 4]
    if row[7 - POSTS[0]] == NOBODY and not mutiny:
        return 7
    return 8 if row[8 - POSTS[0]] == NOBODY else 0


def bot_regions(p: Position, nation: int) -> tuple[int, ...]:
    """Where the bot would deploy: most own issues, then the highest star (V-SOLO-12, 17)."""
    if not p.ready[nation]:
        return ()
    issues = p.pack.issues
    ranked = []
    for region in range(len(REGIONS)):
        own = [i for i in owned_issues(p, nation) if issues[i].region == region]
        if (
            p.unrest[region] >= DEPLOYS_FROM
            and own
            and len(own) >= max(_held_in_region(p, other, region) for other in p.order)
            and not post_of(p, nation, region)
            and bot_column(p, nation, region)
        ):
            ranked.append((len(own), max(issues[i].stars for i in own), region))
    best = max((entry[:2] for entry in ranked), default=(0, 0))
    return tuple(region for count, top, region in ranked if (count, top) == best)


def _held_in_region(p: Position, nation: int, region: int) -> int:
    return sum(p.pack.issues[issue].region == region for issue in owned_issues(p, nation))


def roll_bot_region(b: StateBuilder, step: BotRegion, roll: chance.Roll) -> None:
    best = max(roll.dice)
    tied = tuple(r for r, die in zip(step.regions, roll.dice, strict=True) if die == best)
    for region, die in zip(step.regions, roll.dice, strict=True):
        b.say("versailles.bot_rolls", "V-SOLO-17", region=words.REGION[region], die=die)
    if len(tied) == 1:
        bot_deploys(b, step.nation, tied[0])
    else:
        b.push(BotRegion(step.nation, tied))


def bot_deploys(b: StateBuilder, nation: int, region: int) -> None:
    b.military = True
    column = bot_column(b, nation, region)
    b.say(
        "versailles.bot_deploys", "V-SOLO-12", nation=words.NATION[nation], where=words.IN[region]
    )
    deploy_unit(b, nation, DeployUnit("available", REGIONS[region], column))


def bot_demobilises(p: Position, nation: int) -> bool:
    """One or two happiness from mutiny, and a space of two or more is free (V-SOLO-15)."""
    near = units_limit(p, max(0, p.happiness[nation] - 2))
    return unit_count(p, nation) > near and best_gain(p) >= 2


def bot_modifiers(p: Position, nation: int, region: int) -> list[int]:
    """Down if it would be hit, else up; the human picks if that is open (V-SOLO-31)."""
    mine = _held_in_region(p, nation, region)
    most = max(_held_in_region(p, other, region) for other in p.order)
    if not mine or mine < most:
        return [1]
    sole = sum(_held_in_region(p, other, region) == most for other in p.order) == 1
    return [-1] if sole else [1, -1]


# Political


def bot_political(b: StateBuilder, step: BotPolitical) -> None:
    """Settle an issue it leads, else place, else recover, else settle for the other bot."""
    bot = step.nation
    b.political = True
    led = [issue for issue in b.table if issue_leader(b, issue) == bot]
    if led:
        best = max(potential_value(b, issue, bot) for issue in led)
        b.say("versailles.bot_settles", "V-SOLO-19", nation=words.NATION[bot])
        b.push(BotSettles(tuple(i for i in led if potential_value(b, i, bot) == best)))
    elif can_place(b, bot):
        b.say("versailles.bot_places", "V-SOLO-20", nation=words.NATION[bot])
        b.push(BotPlaces(bot))
    elif b.exhausted[bot] or b.spent[bot]:
        b.say("versailles.bot_recovers", "V-SOLO-21", nation=words.NATION[bot])
        b.push(BotReclaims(bot))
    elif others := [i for i in b.table if issue_leader(b, i) not in (NOBODY, bot, b.human)]:
        b.say("versailles.bot_settles", "V-SOLO-22", nation=words.NATION[bot])
        b.push(BotSettles(tuple(others)))
    else:
        b.say("versailles.forced_pass", "V-SOLO-22", nation=words.NATION[bot])


def bot_settle_choices(p: Position, step: BotSettles) -> list[Settle]:
    return [Settle(issue) for issue in step.issues]


def bot_settles(b: StateBuilder, step: BotSettles, action: Settle) -> None:
    settle_issue(b, b.active, action.issue)


def bot_places(p: Position, step: BotPlaces) -> list[Place]:
    """Pairs that can be paid, at the least that leads (V-SOLO-20)."""
    bot = step.nation
    low = {issue: least_to_lead(p, bot, issue) for issue in p.cubes}
    return [Place(issue, n) for issue, n in low.items() if n <= placing_range(p, bot, issue, "")[1]]


def place_for_bot(b: StateBuilder, step: BotPlaces, action: Place) -> None:
    place_influence(b, step.nation, action)


def bot_reclaims(p: Position, step: BotReclaims) -> list[Reclaim]:
    """Six cubes or all, all exhausted units; deployed ones as the human wants (V-SOLO-21)."""
    most = min(p.pack.board.reclaim, p.exhausted[step.nation])
    return [action for action in possible_reclaims(p, step.nation) if action.n == most]


def reclaim_for_bot(b: StateBuilder, step: BotReclaims, action: Reclaim) -> None:
    reclaim_tokens(b, step.nation, action)


# Settling


def bot_options(p: Position, nation: int, issue: str) -> list[IssueOption]:
    """Worth most; then least unhappiness of its own; then the human picks (V-SOLO-23)."""
    options = p.pack.issues[issue].options
    best = max(matching_icons(option, nation) for option in options)
    good = [option for option in options if matching_icons(option, nation) == best]
    unhappy = [max(0, -option.mood(nation)) for option in good]
    return [option for option, n in zip(good, unhappy, strict=True) if n == min(unhappy)]


def bot_waiting_issues(p: Position, nation: int) -> tuple[str, ...]:
    """One it leads, else one without cubes, else any (V-SOLO-27)."""
    led = tuple(issue for issue in p.waiting if issue_leader(p, issue) == nation)
    bare = tuple(issue for issue in p.waiting if not any(p.cubes[issue]))
    return led or bare or p.waiting


# Bids and factions


def bot_bids(p: Position, issue: str) -> tuple[tuple[int, Bid], ...]:
    """The bid of each bot; a tie is broken by one cube (V-SOLO-36..38)."""
    bots = [nation for nation in p.order if nation != p.human]
    bids = {bot: _bot_bid(p, bot, issue) for bot in bots}
    one, two = bots
    if bids[one].rank == bids[two].rank and p.available[one] != p.available[two]:
        richer = max(bots, key=lambda bot: p.available[bot])
        old = bids[richer]
        bids[richer] = Bid(old.units, old.local, old.cubes + 1)
    return tuple(bids.items())


def _bot_bid(p: Position, bot: int, issue: str) -> Bid:
    card = p.pack.issues[issue]
    wanted = 0 if card.no_military else UNITS_BID[unit_count(p, bot)]
    in_region = card.region < len(REGIONS) and card.region in deployed_regions(p, bot)
    local = 1 if wanted and in_region else 0
    ready = min(wanted - local, p.ready[bot])
    return Bid(ready, local, min(potential_value(p, issue, bot), p.available[bot]))


def weakest_factions(p: Position, step: ChangeFaction) -> list[Choose]:
    strengths = {faction: faction_strength(p, faction) for faction in p.order}
    return [Choose(NATIONS[f]) for f, n in strengths.items() if n == min(strengths.values())]


def change_faction(b: StateBuilder, step: ChangeFaction, action: Choose) -> None:
    faction = NATIONS.index(action.what)
    if faction != b.human:
        b.human = faction
        b.say("versailles.faction", "V-SOLO-33", nation=words.NATION[faction])


def current_target(p: Position) -> int:
    """The points to win: those of the first game, moved by the games since (V-SOLO-44, 45)."""
    won = tuple(letter == "w" for letter in p.options.solo_series)
    return next_target(won, p.options.solo_target)


def next_target(won: tuple[bool, ...], first: int = 20) -> int:
    """The target of the next game after a series of games, oldest first (V-SOLO-45).

    Five more after a win until two defeats, then one less after each; before the first win five
    less after each defeat, and then two wins running before it rises again.
    """
    target, defeats, row = first, 0, 0
    lowered = bool(won) and not won[0]
    for i, win in enumerate(won):
        row = row + 1 if win else 0
        before_first_win = not any(won[: i + 1])
        if before_first_win:
            target -= 5
        elif not win:
            defeats += 1
            target -= 1 if defeats >= 2 else 0
        elif row >= 2 or not (lowered or defeats >= 2):
            target += 5 if defeats < 2 else 1
    return max(1, target)
