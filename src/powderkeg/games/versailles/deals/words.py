"""Terms of deals in words."""

from collections.abc import Sequence
from functools import lru_cache

from powderkeg.core.cards import mark_value
from powderkeg.core.words import Arg, Msg
from powderkeg.games.versailles import words
from powderkeg.games.versailles.board import CATEGORIES, NATIONS, REGIONS
from powderkeg.games.versailles.cards.pack import EventCard
from powderkeg.games.versailles.events.operations import either_of
from powderkeg.games.versailles.events.words import effects_text

SIGNS = {"plus": 1, "zero": 0, "minus": -1}  # of a modifier, as terms write it
WHETHER = {"yes": True, "no": False}


@lru_cache(maxsize=1024)  # offers and refusals say the same terms again and again
def term_text(text: str) -> Msg:
    """A term of a deal in words."""
    nation, *rest = text.split(".")
    later = rest[0] == "later"
    kind, *args = rest[1:] if later else rest
    said = Msg(
        f"versailles.term.{_term_code(kind, args)}",
        nation=words.NATION[NATIONS.index(nation)],
        **_term_args(kind, args),
    )
    return Msg("versailles.term.later", text=said) if later else said


def term_label(text: str, event: EventCard | None) -> Msg:
    """A term while `event` is on the table: what is taken of it is named."""
    nation, *rest = text.split(".")
    chosen = next(either_of(event.conference), None) if event and rest[0] == "branch" else None
    if event is None or chosen is None or int(rest[1]) > len(chosen.branches):
        return term_text(text)
    effects = effects_text(chosen.branches[int(rest[1]) - 1])
    return Msg(
        "versailles.term.branch_effects",
        nation=words.NATION[NATIONS.index(nation)],
        effects=mark_value(effects, event.sure.get("conference", "")),
    )


def _term_code(kind: str, args: Sequence[str]) -> str:
    """The name of the sentence, where a kind has several."""
    if kind == "cube":
        return f"cube_{args[0]}"
    if kind == "keep" and args[0] in CATEGORIES:
        return "keep_region"
    if kind == "pick" and args[0] in SIGNS:
        return f"pick_{args[0]}"
    return kind


def _picked_name(word: str) -> Msg:
    """A region or an issue that is picked for an event."""
    return words.REGION[REGIONS.index(word)] if word in REGIONS else words.issue_name(word)


def _term_args(kind: str, args: Sequence[str]) -> dict[str, Arg]:
    match kind:
        case "settle" | "place" | "shun" | "dive" | "pass" | "bid":
            return {"issue": words.issue_name(args[0])}
        case "deploy" | "keepout":
            return {"where": words.IN[REGIONS.index(args[0])]}
        case "option":
            return {
                "issue": words.issue_name(args[0]),
                "option": words.option_name(args[0], args[1]),
            }
        case "flag":
            flag = words.counter_name(f"naval.{args[1]}")
            return {"issue": words.issue_name(args[0]), "counter": flag}
        case "choose":
            return {"other": Msg(f"versailles.nation.{args[0]}")}
        case "branch":
            return {"branch": args[0]}
        case "advance":
            return {"card": words.card_name(args[0])}
        case "modify":
            return {"where": words.IN[REGIONS.index(args[0])], "modifier": SIGNS[args[1]]}
        case "keep" if args[0] in CATEGORIES:
            return {"region": words.REGION[CATEGORIES.index(args[0])]}
        case "keep":
            return {"issue": words.issue_name(args[0])}
        case "pick" if args[0] not in SIGNS:
            return {"what": _picked_name(args[0])}
        case "strategy":
            return {"strategy": words.strategy_name(args[0])}
        case "give" | "prepay":
            return {"other": Msg(f"versailles.nation.{args[0]}"), "n": int(args[1])}
        case "answer":
            return {"action": args[0].replace("~", " ").replace(";", ",")}
    return {}
