"""Names and values of a pack as they are shown: its own names, and a mark where one is not certain.

Facts and refusals speak of cards by their ids, so that a recorded game stays the same. Their names
are put in here, where a message leaves the game.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from powderkeg.core.cards import mark_value
from powderkeg.core.words import Arg, Msg
from powderkeg.games.versailles import words
from powderkeg.games.versailles.board import NOBODY
from powderkeg.games.versailles.cards.pack import CardPack, EventCard, IssueCard
from powderkeg.games.versailles.rules.military import best_gain, free_space
from powderkeg.games.versailles.state import Position

CHOICE = "versailles.choice."


@lru_cache(64)  # packs come and go on a server
def own_names(pack: CardPack) -> Mapping[str, Msg]:
    """The names that a pack gives to cards and options, by `_name_key`."""
    return {key: Msg("cards.plain", text=name) for key, name, _ in _list_names(pack) if name}


@lru_cache(64)
def marked_names(pack: CardPack) -> Mapping[str, Msg]:
    """The names that need a mark or differ from the catalogue, by `_name_key`."""
    found = {}
    for key, name, sure in _list_names(pack):
        plain = Msg("cards.plain", text=name) if name else _catalogue_name(key)
        marked = mark_value(plain, sure)
        if name or marked is not plain:
            found[key] = marked
    return found


def _list_names(pack: CardPack) -> Iterator[tuple[str, str, str]]:
    """The key of every name, the pack's own name, and how certain it is."""
    for issue in pack.issues.values():
        yield f"versailles.issue.{issue.id}", issue.name, issue.sure.get("name", "")
        for option in issue.options:
            name = option.name or option_fallback(option.id)
            yield f"{CHOICE}{option.id}@{issue.id}", name, option.sure.get("name", "")
    for event in pack.events.values():
        yield f"versailles.event.{event.id}", event.name, event.sure.get("name", "")
    for strategy in pack.strategies.values():
        yield f"versailles.strategy.{strategy.id}", strategy.name, strategy.sure.get("name", "")


def option_fallback(id_: str) -> str:
    """A name for an option that has none: its id as words."""
    return "" if id_ in words.known_options() else id_.replace("_", " ").capitalize()


def _catalogue_name(key: str) -> Msg:
    code, _, issue = key.partition("@")
    return Msg(code, of=issue) if issue else Msg(code)


def _name_key(msg: Msg) -> str:
    """The code of a card's name; of an option's name also its issue, for issues share options."""
    if "of" not in msg.args:
        return msg.code
    option = msg.args.get("text", msg.code.removeprefix(CHOICE))
    return f"{CHOICE}{option}@{msg.args['of']}"


def name_cards(names: Mapping[str, Msg], msg: Msg) -> Msg:
    """`msg` with the names of cards and options in it replaced by those in `names`."""
    if found := names.get(_name_key(msg)):
        return found
    if not msg.args:
        return msg
    return Msg(msg.code, **{key: _name_argument(names, arg) for key, arg in msg.args.items()})


def _name_argument(names: Mapping[str, Msg], arg: Arg) -> Arg:
    if isinstance(arg, Msg):
        return name_cards(names, arg)
    if isinstance(arg, str | int | float):
        return arg
    return [_name_argument(names, item) for item in arg]


# Values with their marks


def mark_card(text: Msg, card: IssueCard | EventCard, *values: str) -> Msg:
    """`text` with the mark of the values of a card that are in it."""
    return mark_value(text, *(card.sure.get(value, "") for value in values))


def space_certainties(p: Position) -> tuple[str, ...]:
    """How certain the number of each demobilise space is, from high to low; the last space too."""
    board, sure = p.pack.board, p.pack.board_sure
    grey = board.grey if len(p.seats) == 4 else ()  # players (V-SET-15)
    spaces = [(n, sure.get("demobilise.spaces", "")) for n in board.spaces]
    spaces += [(n, sure.get("demobilise.grey", "")) for n in grey]
    ordered = sorted(spaces, key=lambda space: -space[0])
    return (*(certainty for _, certainty in ordered), sure.get("demobilise.last", ""))


def next_space(p: Position) -> Msg:
    """What demobilising the next unit brings, with its mark."""
    space = free_space(p)
    at = len(space_certainties(p)) - 1 if space == NOBODY else space
    return mark_value(Msg("cards.plain", text=str(best_gain(p))), space_certainties(p)[at])
