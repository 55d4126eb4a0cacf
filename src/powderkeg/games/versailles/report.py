"""Reports beside the board: settlements, uprisings and auctions step by step; the score pad."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from powderkeg.core import plain
from powderkeg.core.cards import mark_value
from powderkeg.core.game import Fact
from powderkeg.core.reports.scenes import Beat, Scene, Side
from powderkeg.core.reports.score_pad import ScoreLine
from powderkeg.core.words import Arg, Msg
from powderkeg.games.versailles import words
from powderkeg.games.versailles.cards.certainty import mark_card, marked_names, name_cards
from powderkeg.games.versailles.cards.reader import pack_of
from powderkeg.games.versailles.rules.score import Score, score_sheet
from powderkeg.games.versailles.rules.solo import current_target
from powderkeg.games.versailles.state import State, is_solo, nation_of, owned_issues

# Scenes

KEPT_TURNS: Final = 4  # how many turns back a scene is still shown
_DEALS: Final = ("offered", "countered", "accepted", "refused_deal", "withdrawn", "promise")


@dataclass(slots=True)
class _Open:
    """A scene being put together from its facts."""

    kind: str
    about: str
    title: Msg
    beats: list[Beat] = field(default_factory=list)
    over: bool = False


class _Stage:
    """The scenes of some turns; those not over yet lie on a stack: an auction follows an uprising,
    which follows a crisis, which interrupts a settlement."""

    def __init__(self) -> None:
        self.scenes: list[_Open] = []
        self.stack: list[_Open] = []

    def open(self, kind: str, about: str, thing: Arg) -> None:
        scene = _Open(kind, about, Msg(f"versailles.scene.{kind}", thing=thing))
        self.scenes.append(scene)
        self.stack.append(scene)

    def reopen(self, kind: str, about: str) -> None:
        """The uprising whose die has been rolled goes on."""
        found = [scene for scene in self.scenes if (scene.kind, scene.about) == (kind, about)]
        if found and found[-1] not in self.stack:
            self.stack.append(found[-1])

    def tell(self, beat: Beat) -> None:
        if self.stack:
            self.stack[-1].beats.append(beat)

    def close(self, *kinds: str) -> None:
        while self.stack and self.stack[-1].kind in kinds:
            self.stack.pop().over = True

    @property
    def kind(self) -> str:
        return self.stack[-1].kind if self.stack else ""


def scenes(view: dict[str, Any], facts: Sequence[Fact]) -> tuple[Scene, ...]:
    """What was settled, rolled and bid for in the last turns; names carry their marks."""
    stage = _Stage()
    for each in _last_turns(facts):
        name = each.msg.code.removeprefix("versailles.")
        _STAGED.get(name, _tell_fact)(stage, each)
    names = marked_names(pack_of(view["state"]["options"]["pack"]))
    return tuple(_finished_scene(scene, names) for scene in stage.scenes if scene.beats)


def _last_turns(facts: Sequence[Fact]) -> Sequence[Fact]:
    turns = [i for i, each in enumerate(facts) if each.msg.code == "versailles.turn"]
    return facts[turns[-KEPT_TURNS] :] if len(turns) >= KEPT_TURNS else facts


def _finished_scene(scene: _Open, names: Any) -> Scene:
    beats = (Beat(name_cards(names, b.text), b.rule, b.sides) for b in scene.beats)
    title = name_cards(names, scene.title)
    return Scene(scene.kind, scene.about, title, tuple(beats), over=scene.over)


def _tell_fact(stage: _Stage, each: Fact) -> None:
    name = each.msg.code.removeprefix("versailles.")
    if name not in _DEALS and not name.startswith("deal_"):
        stage.tell(Beat(each.msg, each.rule))


def _tell_settling(stage: _Stage, each: Fact) -> None:
    stage.open("settlement", _last_part(each.msg.args["issue"]), each.msg.args["issue"])
    _tell_fact(stage, each)


def _tell_announcement(stage: _Stage, each: Fact) -> None:
    region = _last_part(each.msg.args["region"])
    if stage.kind != "uprising" or stage.stack[-1].about != region:
        stage.open("uprising", region, each.msg.args["region"])
    _tell_fact(stage, each)


def _tell_die(stage: _Stage, each: Fact) -> None:
    """The die, the modifier and what was needed."""
    args = each.msg.args
    region = _last_part(args["region"])
    if stage.kind != "uprising" or stage.stack[-1].about != region:
        stage.open("uprising", region, args["region"])
    need = Msg("versailles.scene.need", modifier=args["modifier"], wanted=args["wanted"])
    rises = each.msg.code == "versailles.rises"
    name = cast(Msg, args["region"])
    side = Side(region, name, (int(cast(int, args["die"])),), (rises,), note=need)
    stage.tell(Beat(Msg(f"versailles.scene.{'rises' if rises else 'quiet'}"), each.rule, (side,)))
    stage.close("uprising")


def _tell_hit(stage: _Stage, each: Fact) -> None:
    stage.reopen("uprising", _last_part(each.msg.args.get("where") or each.msg.args["region"]))
    _tell_fact(stage, each)


def _tell_auction(stage: _Stage, each: Fact) -> None:
    stage.close("uprising")
    stage.open("auction", _last_part(each.msg.args["issue"]), each.msg.args["issue"])
    _tell_fact(stage, each)


def _tell_bid(stage: _Stage, each: Fact) -> None:
    args = each.msg.args
    name = cast(Msg, args["nation"])
    bid = Msg("versailles.scene.bid", strength=args["strength"], cubes=args["cubes"])
    stage.tell(Beat(each.msg, each.rule, (Side(_last_part(name), name, note=bid),)))


def _tell_last(stage: _Stage, each: Fact) -> None:
    """An auction ends with the option that the winner chooses, or with the discards."""
    _tell_fact(stage, each)
    stage.close("auction")


def _end_turn(stage: _Stage, each: Fact) -> None:
    stage.close("settlement", "uprising", "auction")


_STAGED: Final[dict[str, Callable[[_Stage, Fact], None]]] = {
    "turn": _end_turn,
    "ends": _end_turn,
    "settles": _tell_settling,
    "announces": _tell_announcement,
    "rises": _tell_die,
    "quiet": _tell_die,
    "hit": _tell_hit,
    "nobody_hit": _tell_hit,
    "unsettled": _tell_auction,
    "bids": _tell_bid,
    "option": _tell_last,
    "discarded": _tell_last,
}


def _last_part(name: Arg) -> str:
    """The id in the code of a name: ``uk`` of ``versailles.nation.uk``."""
    msg = cast(Msg, name)
    return msg.code.rpartition(".")[2] if msg.code != "versailles.quoted" else str(msg.args["text"])


# The score pad


def score(view: dict[str, Any]) -> tuple[ScoreLine, ...]:
    """Issues, flags, strategy and happiness (V-SCORE); in solitaire points against the target."""
    p = plain.load(State, view["state"])
    if not p.turn and not p.over:
        return ()
    if is_solo(p):
        return tuple(_solo_lines(p))
    nations = {seat: nation_of(p, seat) for seat in p.seats}
    sheets = {seat: score_sheet(p, nation) for seat, nation in nations.items()}
    names = marked_names(p.pack)
    lines = _score_lines(p, nations, sheets)
    return tuple(
        ScoreLine(
            line.label,
            line.points,
            {seat: name_cards(names, note) for seat, note in line.notes.items()},
            line.rule,
            line.open,
            line.total,
        )
        for line in lines
    )


def _score_lines(
    p: State, nations: dict[str, int], sheets: dict[str, Score]
) -> Iterator[ScoreLine]:
    def points(part: str) -> dict[str, float]:
        return {seat: float(getattr(sheet, part)) for seat, sheet in sheets.items()}

    def label(code: str) -> Msg:
        return Msg(f"versailles.score.{code}")

    held = {seat: _held_note(p, nation) for seat, nation in nations.items()}
    yield ScoreLine(label("issues"), points("issues"), _present_notes(held), "V-SCORE-01")
    yield ScoreLine(label("flags"), points("flags"), {}, "V-SCORE-02")
    cards = {seat: _strategy_note(p, nation, sheets[seat]) for seat, nation in nations.items()}
    chosen = {seat: v for seat, v in points("strategy").items() if p.strategy[nations[seat]]}
    still = not p.over and len(chosen) < len(nations)
    yield ScoreLine(label("strategy"), chosen, _present_notes(cards), "V-SCORE-03", open=still)
    moods = {
        seat: Msg("versailles.score.mood", n=p.happiness[nation])
        for seat, nation in nations.items()
    }
    yield ScoreLine(label("happiness"), points("happiness"), moods, "V-SCORE-09", open=not p.over)
    yield ScoreLine(label("total"), points("total"), {}, "V-SCORE-13", total=True)


def _present_notes(notes: dict[str, Msg | None]) -> dict[str, Msg]:
    return {seat: note for seat, note in notes.items() if note is not None}


def _held_note(p: State, nation: int) -> Msg | None:
    """The issues of a nation with their stars."""
    cards = [p.pack.issues[issue] for issue in owned_issues(p, nation)]
    names = [
        Msg(
            "versailles.score.issue",
            issue=words.issue_name(card.id),
            stars=mark_card(words.count_text("stars", card.stars), card, "stars"),
        )
        for card in cards
    ]
    return Msg("versailles.score.of", names=names) if names else None


def _strategy_note(p: State, nation: int, sheet: Score) -> Msg | None:
    """The strategy of a nation, condition by condition."""
    card = p.pack.strategies.get(p.strategy[nation])
    if card is None:
        return None
    parts = [
        Msg(
            "versailles.score.condition",
            text=mark_value(words.condition_text(condition.counts), *condition.sure.values()),
            points=worth,
        )
        for condition, worth in zip(card.conditions, sheet.conditions, strict=True)
    ]
    strategy = words.strategy_name(p.strategy[nation])
    return Msg("versailles.score.strategy_of", strategy=strategy, conditions=parts)


def _solo_lines(p: State) -> Iterator[ScoreLine]:
    (seat,) = p.seats
    yield ScoreLine(
        Msg("versailles.score.solo"), {seat: float(p.points)}, {}, "V-SOLO-44", total=True
    )
    target = current_target(p)
    missing = {seat: float(max(0, target - p.points))}
    yield ScoreLine(
        Msg("versailles.score.missing", target=target), missing, {}, "V-SOLO-45", open=not p.over
    )
