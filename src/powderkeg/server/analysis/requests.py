"""Analysis for readers: an evaluation, what a bot would do and why, and where a game was lost.

Analysis runs in a process of its own and starts from a view, so it knows no more than its reader.
Nobody gets it in a running game against other people, nor in a copy of one; in a game against bots it
coaches.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

from powderkeg.core.game import game_reference
from powderkeg.core.words import say
from powderkeg.server import message_json
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.analysis.process import AnalysisProcess
from powderkeg.server.analysis.reviewed import Review
from powderkeg.server.lobby.copies import write_game_file
from powderkeg.server.refusals import Refused, conflict, forbidden
from powderkeg.server.schemas.analysis import (
    AdviceIn,
    AdviceOut,
    BlunderOut,
    LineOut,
    MoveOut,
    ReviewIn,
    ReviewOut,
    ShareOut,
)
from powderkeg.server.tables import labels
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.loaded import LoadedTable
from powderkeg.server.views.delayed import hide_choices, started_moment
from powderkeg.server.views.readers import find_reader

SeatNames: TypeAlias = Callable[[str], str]
"""What players call a seat, such as the nation that it chose."""

# Advice


async def give_advice(
    cache: TableCache, process: AnalysisProcess, who: Principal, table: str, wish: AdviceIn
) -> AdviceOut:
    """An evaluation of a moment, and what a bot would do there and why."""
    async with cache.look(table) as loaded:
        await _check_analysis(cache, loaded, who)
        reader = find_reader(loaded, who, wish.seat)
        seq = await started_moment(cache, loaded, reader, wish.seq)
        row, game = loaded.row, loaded.game
    async with cache.store.read() as tx:
        replayed = hide_choices(row, await cache.replay_to(tx, row, seq), reader)
    view = game.view(replayed.table.state, reader.seat)
    found = await process.request(
        {
            "kind": "advice",
            "game": game_reference(game),
            "view": view,
            "asked": reader.seat in replayed.table.to_act,
            "level": wish.level,
        }
    )
    name = partial(labels.standing_label, game, row, lang=who.lang)
    return AdviceOut(
        seq=seq,
        seat=reader.seat,
        shares=_present_shares(found["shares"], name),
        moves=[
            MoveOut(
                text=m["text"],
                said=_labels_in_words(m["said"], who.lang),
                parts=[_labels_in_words([part], who.lang) for part in m["said"]],
            )
            for m in found["moves"]
        ],
        cut=found["cut"],
        reason=_labels_in_words(found["reason"], who.lang),
        lines=[_present_line(line, name, who.lang) for line in found["lines"]],
    )


def _present_line(line: dict[str, Any], name: SeatNames, lang: str) -> LineOut:
    return LineOut(
        text=line["text"],
        said=_labels_in_words(line["said"], lang),
        shares=_present_shares(line["shares"], name),
        visits=line["visits"],
        then=[f"{name(seat)}: {text}" for seat, text in line["then"]],
    )


def _present_shares(shares: dict[str, float], name: SeatNames) -> list[ShareOut]:
    return [
        ShareOut(seat=seat, label=name(seat), share=round(share, 4))
        for seat, share in shares.items()
    ]


def _labels_in_words(stored: list[Any], lang: str) -> str:
    return " ".join(say(message_json.load_message(part), lang) for part in stored)


# Review


async def review_game(
    cache: TableCache, process: AnalysisProcess, who: Principal, table: str, wish: ReviewIn
) -> ReviewOut:
    """The costly mistakes of a finished game, as far as time allows; what is known already comes at once."""
    async with cache.look(table) as loaded:
        find_reader(loaded, who, None)
        if loaded.row.status != "over":
            raise conflict("game_not_over")
        if wish.seat is not None and wish.seat not in loaded.seats:
            raise forbidden("not_your_seat")
        row, game = loaded.row, loaded.game
    review = Review(table, wish.seat, wish.level)
    found = process.reviewed.read(review, wish.since)
    if found is None:
        found = await process.request(
            {
                "kind": "review",
                "game": game_reference(game),
                "file": await write_game_file(cache, row, {}),
                "since": wish.since,
                "seats": [wish.seat] if wish.seat else None,
                "level": wish.level,
            }
        )
        process.reviewed.keep(review, wish.since, found)
    name = partial(labels.standing_label, game, row, lang=who.lang)
    blunders = [_present_blunder(one, name, who.lang) for one in found["found"]]
    return ReviewOut(found=blunders, next=found["next"], all=found["all"])


def _present_blunder(one: dict[str, Any], name: SeatNames, lang: str) -> BlunderOut:
    return BlunderOut(
        seq=one["seq"],
        seat=one["seat"],
        label=name(one["seat"]),
        did=", ".join(_labels_in_words(action, lang) for action in one["did"]),
        better=", ".join(_labels_in_words(action, lang) for action in one["better"]),
        loss=one["loss"],
        orders=one["orders"],
        then=[f"{name(seat)}: {_labels_in_words(said, lang)}" for seat, _, said in one["then"]],
        punished=[text for _, text, _ in one["then"]],
        empty=one["empty"],
    )


async def _check_analysis(cache: TableCache, loaded: LoadedTable, who: Principal) -> None:
    """Allow analysis of finished games, and of tables where nobody else plays: one person holds all
    seats, or all but those of bots; never of a copy of a running game."""
    held = loaded.held_by(who.id, who.grants)
    if loaded.row.status != "over" and not (held and _is_alone(loaded, held)):
        raise forbidden("no_analysis")
    if source := loaded.settings.copied_from:  # also of a copy that was played to its end
        try:
            async with cache.look(source) as played:
                _check_not_played(played)
        except Refused as error:
            if error.status != 404:  # a game that was deleted is not being played
                raise


def _is_alone(loaded: LoadedTable, held: Sequence[str]) -> bool:
    """Whether the holder of these seats plays alone, or against bots for no rating; at an anonymous
    table the answer would tell that all others are bots."""
    others = [seat for name, seat in loaded.seats.items() if name not in held]
    hidden = loaded.settings.rated or loaded.row.is_anonymous
    against_bots = loaded.row.purpose == "game" and not hidden
    return not others or (against_bots and all(seat.kind == "bot" for seat in others))


def _check_not_played(loaded: LoadedTable) -> None:
    people = {seat.user for seat in loaded.seats.values() if seat.kind == "person"}
    if loaded.row.is_running and len(people) > 1:
        raise forbidden("no_analysis")
