"""Terms of deals in words."""

from collections.abc import Sequence

from powderkeg.core.words import Arg, Msg
from powderkeg.games.versailles import words
from powderkeg.games.versailles.board import NATIONS, REGIONS

SIGNS = {"plus": 1, "zero": 0, "minus": -1}  # of a modifier, as terms write it


def term_text(text: str) -> Msg:
    """A term of a deal in words."""
    nation, *rest = text.split(".")
    later = rest[0] == "later"
    kind, *args = rest[1:] if later else rest
    said = Msg(
        f"versailles.term.{kind}",
        nation=words.NATION[NATIONS.index(nation)],
        **_term_args(kind, args),
    )
    return Msg("versailles.term.later", text=said) if later else said


def _term_args(kind: str, args: Sequence[str]) -> dict[str, Arg]:
    match kind:
        case "settle" | "place" | "shun" | "dive" | "pass" | "bid":
            return {"issue": words.issue_name(args[0])}
        case "deploy" | "keepout":
            return {"where": words.IN[REGIONS.index(args[0])]}
        case "option":
            return {"issue": words.issue_name(args[0]), "option": words.option_name(args[1])}
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
        case "give":
            return {"other": Msg(f"versailles.nation.{args[0]}"), "n": int(args[1])}
        case "answer":
            return {"action": args[0].replace("~", " ").replace(";", ",")}
    return {}
