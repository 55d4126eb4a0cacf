"""Several owners' packs in one: what they agree on, and where they disagree."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from powderkeg.core.cards.packs import PackChange, add_part, list_changes, put_value, remove_part
from powderkeg.core.cards.tool import CERTAINTIES, CardTool, PackTables

Votes: TypeAlias = dict[str, PackChange]  # by pack


class Disagreement(NamedTuple):
    """A value about which packs say different things; None stands for a part that was removed."""

    path: str
    said: dict[str, Any]


def unite_packs(
    tool: CardTool, packs: Mapping[str, PackTables]
) -> tuple[PackTables, list[Disagreement]]:
    """One pack from the packs of several owners, and every disagreement.

    What most of them say counts, but is only probable; without a majority the shipped value stays as
    it was.
    """
    united = tool.shipped_pack()
    votes: dict[str, Votes] = {}
    for name, pack in packs.items():
        for change in list_changes(united, pack, tool):
            votes.setdefault(change.path, {})[name] = change
    removals = {path for path, said in votes.items() if None in map(_vote_value, said.values())}
    disputed = [each for path in sorted(removals) for each in _vote_part(united, path, votes)]
    for path in sorted(votes.keys() - removals):
        disputed += _vote_on_value(united, tool, path, votes[path])
    return united, disputed


def _vote_value(change: PackChange) -> Any:
    return change.new.value if change.new else None


def _vote_part(united: PackTables, path: str, votes: dict[str, Votes]) -> list[Disagreement]:
    """Remove a part unless as many packs correct it; what others say about it is then void."""
    against = dict.fromkeys(votes[path])
    inside = [other for other in votes if other.startswith(f"{path}.")]
    kept = {name: True for other in inside for name in votes[other]}
    if len(against) > len(kept):
        remove_part(united, path)
        for other in inside:
            votes[other] = {}
    return [Disagreement(path, {**against, **kept})] if kept else []


def _vote_on_value(
    united: PackTables, tool: CardTool, path: str, said: Votes
) -> list[Disagreement]:
    values = {name: _vote_value(change) for name, change in said.items()}
    counts = Counter(json.dumps(value, sort_keys=True) for value in values.values()).most_common(2)
    if not counts:
        return []
    agreed = len(counts) == 1
    if agreed or counts[0][1] > counts[1][1]:
        sure = _best_certainty(said) if agreed else "probable"
        add_part(united, tool, path.rpartition(".")[0], sure)
        put_value(united, path, json.loads(counts[0][0]), sure)
    return [] if agreed else [Disagreement(path, values)]


def _best_certainty(said: Votes) -> str:
    sures = [change.new.sure for change in said.values() if change.new]
    return min((sure or "certain" for sure in sures), key=CERTAINTIES.index)
