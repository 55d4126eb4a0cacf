"""The flow: phases, secrecy, centres, victory, votes, absence, and games for fewer players."""

import random
from dataclasses import replace
from typing import Any

import pytest

from powderkeg.core import plain
from powderkeg.core.chance import CHANCE, Drawn, Scripted, Seeded
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Fact, Game
from powderkeg.core.table import Table
from powderkeg.core.words import LANGS, Msg, say
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Move, Ready, Retreat, parse, parse_unit
from powderkeg.games.diplomacy.board import CENTRES, POWERS, START
from powderkeg.games.diplomacy.rules.outcomes import CAUSES, Why
from powderkeg.games.diplomacy.rules.position import Position
from powderkeg.games.diplomacy.state import HANDS, Options, State

game: Game = diplomacy


def begin(players: int = 7, **options: Any) -> State:
    chosen = Options(**options)
    return diplomacy.start(diplomacy.seats(players, chosen), chosen)


def board(
    state: State, units: dict[str, str], centres: dict[str, str] | None = None, **fields
) -> State:
    """A state with other units (``A par F bre``) and centres; powers not named have none."""
    placed = {power: _units(units.get(power, "")) for power in POWERS}
    owners = {c: p for p, codes in (centres or {}).items() for c in codes.split()}
    return replace(state, units=placed, centres=owners if centres else state.centres, **fields)


def _units(text: str):
    words = text.split()
    return tuple(parse_unit(f"{a} {b}") for a, b in zip(words[::2], words[1::2], strict=True))


def play(state: State, **orders: str) -> tuple[State, list[Fact]]:
    """Everybody writes and is ready; orders of a seat are separated by commas."""
    facts: list[Fact] = []
    for seat, texts in orders.items():
        for text in filter(None, map(str.strip, texts.split(","))):
            state, told, _ = diplomacy.apply(state, seat, parse(text))
            facts += told
    phase = state.phase
    for seat in sorted(diplomacy.to_act(state)):
        if state.phase == phase and seat in diplomacy.to_act(state):
            state, told, _ = diplomacy.apply(state, seat, Ready())
            facts += told
    return state, facts


def codes(facts: list[Fact]) -> list[str]:
    return [fact.msg.code.removeprefix("diplomacy.") for fact in facts]


def refused(state: State, seat: str, text: str) -> str:
    action = parse(text)
    assert action not in diplomacy.legal(state, seat)
    with pytest.raises(Illegal) as error:
        diplomacy.apply(state, seat, action)
    assert all(say(error.value.msg, lang) != error.value.code for lang in LANGS)
    return error.value.code.removeprefix("diplomacy.")


def units(state: State, power: str) -> set[str]:
    return {str(unit) for unit in state.units[power]}


FIGHT = {"FRANCE": "A bur A par", "GERMANY": "A mun A ruh"}
OWNED = {"FRANCE": "par mar bre", "GERMANY": "mun ber kie"}
ATTACK = "A mun - bur, A ruh S A mun - bur"


# Seats and calendar


@pytest.mark.rule("D-SET-01")
def test_seven_powers_and_nothing_beyond():
    assert diplomacy.seats(7, Options()) == POWERS
    for players in (0, 1, 8):
        with pytest.raises(Illegal) as error:
            diplomacy.seats(players, Options())
        assert error.value.rule == "D-SET-01"


@pytest.mark.rule("D-SET-02")
def test_no_chance_in_the_game_of_seven():
    state = begin(last_year=1902)
    rng = random.Random(1)
    while acting := sorted(diplomacy.to_act(state)):
        assert CHANCE not in acting
        assert not list(diplomacy.legal(state, CHANCE))
        state = diplomacy.apply(
            state, acting[0], diplomacy.legal(state, acting[0]).sample(rng)
        ).state


@pytest.mark.rule("D-SET-06")
def test_calendar():
    state = begin()
    phases = []
    for _ in range(4):
        phases.append(state.phase)
        state, _ = play(state)
    assert phases == ["S1901M", "F1901M", "S1902M", "F1902M"]


@pytest.mark.rule("D-PHASE-01", "D-SC-01", "D-SC-04")
def test_spring_is_movement_and_retreat_without_count():
    state = board(begin(), FIGHT, OWNED)
    state, _ = play(state, GERMANY=ATTACK)
    assert state.phase == "S1901R"
    state, facts = play(state, FRANCE="A bur R bel")
    assert state.phase == "F1901M"
    assert state.centres.get("bel") is None
    assert "takes" not in codes(facts)
    state, _ = play(state, FRANCE="A bel - pic")
    assert "bel" not in state.centres


@pytest.mark.rule("D-PHASE-02", "D-WIN-02")
def test_fall_counts_then_wins_then_adjusts():
    state = board(begin(), FIGHT, OWNED, season="fall")
    state, _ = play(state, GERMANY=ATTACK)
    assert state.phase == "F1901R"
    state, facts = play(state, FRANCE="A bur R bel")
    assert codes(facts)[-2:] == ["takes", "begins"]
    assert state.phase == "W1901A"
    assert state.centres["bel"] == "FRANCE"


@pytest.mark.rule("D-PHASE-03")
def test_all_must_be_ready():
    state = begin()
    for seat in POWERS[:6]:
        state = diplomacy.apply(state, seat, Ready()).state
    assert state.phase == "S1901M"
    assert diplomacy.to_act(state) == {POWERS[6]}
    assert diplomacy.apply(state, POWERS[6], Ready()).state.phase == "F1901M"


@pytest.mark.rule("D-PHASE-03")
def test_only_who_is_in_the_game_must_be_ready():
    state = board(begin(), FIGHT, OWNED | {"ITALY": "rom"})
    assert diplomacy.to_act(state) == {"FRANCE", "GERMANY", "ITALY"}


@pytest.mark.rule("D-PHASE-04")
def test_no_agreement_binds():
    state = begin()
    before = list(diplomacy.legal(state, "FRANCE").groups[0])
    state = diplomacy.apply(state, "GERMANY", parse("propose FRANCE")).state
    assert list(diplomacy.legal(state, "FRANCE").groups[0]) == before


@pytest.mark.rule("D-PHASE-05", "D-ORD-08")
def test_a_deadline_turns_missing_orders_into_holds():
    state = board(begin(), FIGHT, OWNED)
    state = diplomacy.apply(state, "FRANCE", parse("A par - pic")).state
    for seat in ("FRANCE", "GERMANY"):
        state = diplomacy.apply(state, seat, diplomacy.default(state, seat)).state
    assert units(state, "FRANCE") == {"A bur", "A pic"}


@pytest.mark.rule("D-PHASE-06")
def test_talk_only_before_movements():
    state = board(begin(), FIGHT, OWNED)
    assert diplomacy.view(state, "FRANCE")["talk"]
    state, _ = play(state, GERMANY=ATTACK)
    assert not diplomacy.view(state, "FRANCE")["talk"]
    chatty = replace(state, options=Options(talk_always=True))
    assert diplomacy.view(chatty, "FRANCE")["talk"]


@pytest.mark.rule("D-PHASE-07", "D-GM-03", "D-RET-01", "D-RET-13", "D-ADJ-02")
@pytest.mark.parametrize("stage", ["movement", "retreat", "adjustment"])
def test_orders_are_secret_until_all_are_ready(stage):
    state = board(
        begin(), FIGHT | {"ITALY": "A pie"}, OWNED | {"ITALY": "rom ven nap"}, season="fall"
    )
    texts = ("A bur - gas", "A bur - pic")
    if stage != "movement":
        state, _ = play(state, GERMANY=ATTACK)
        texts = ("A bur R gas", "A bur R pic")
    if stage == "adjustment":
        state, _ = play(state, FRANCE="A bur R pic")
        texts = ("A mar B", "F mar B")
    assert state.stage == stage
    one, two = (diplomacy.apply(state, "FRANCE", parse(text)) for text in texts)
    for viewer in ("GERMANY", "ITALY", None):
        assert diplomacy.view(one.state, viewer) == diplomacy.view(two.state, viewer)
        assert not [f for f in one.facts if f.seen_by(viewer)]
    assert diplomacy.view(one.state, "FRANCE")["drafts"] == {texts[0][2:5]: texts[0]}


@pytest.mark.rule("D-PHASE-07")
def test_all_orders_are_public_afterwards():
    state = board(begin(), FIGHT, OWNED)
    state, _ = play(state, GERMANY=ATTACK)
    orders = [o["order"] for o in diplomacy.view(state, None)["reports"][0]["outcomes"]]
    assert orders == ["A mun - bur", "A ruh S A mun - bur", "A bur H", "A par H"]


@pytest.mark.rule("D-PHASE-09")
def test_phases_without_a_decision_pass():
    state, _ = play(begin())
    assert state.phase == "F1901M"  # nobody was dislodged
    state, _ = play(state)
    assert state.phase == "S1902M"  # nobody has anything to adjust


@pytest.mark.rule("D-PHASE-10")
def test_no_length_is_imposed():
    state = begin()
    for _ in range(60):
        state, _ = play(state)
    assert state.phase == "S1931M"
    assert diplomacy.result(state) is None


# Drafts


@pytest.mark.rule("D-ORD-15")
def test_a_later_draft_replaces_an_earlier_one():
    state = board(begin(), FIGHT, OWNED)
    state, _ = play(state, FRANCE="A par - pic, A par - gas")
    assert "A gas" in units(state, "FRANCE")


@pytest.mark.rule("D-ORD-15")
def test_ready_can_be_taken_back():
    state = board(begin(), FIGHT, OWNED)
    state = diplomacy.apply(state, "FRANCE", Ready()).state
    assert refused(state, "FRANCE", "A par - pic") == "revise_first"
    state = diplomacy.apply(state, "FRANCE", parse("revise")).state
    state, _ = play(state, FRANCE="A par - pic")
    assert "A pic" in units(state, "FRANCE")


@pytest.mark.rule("D-ORD-07")
def test_illegal_orders_are_refused_with_the_reason():
    state = board(begin(), FIGHT | {"ENGLAND": "F eng A lon"}, OWNED)
    assert refused(state, "FRANCE", "A par - mun") == "why.not_adjacent"
    assert refused(state, "FRANCE", "A mun - bur") == "why.foreign_unit"
    assert refused(state, "FRANCE", "A mar - spa") == "why.no_unit"
    assert refused(state, "FRANCE", "A bur R par") == "why.not_now"
    assert refused(state, "ENGLAND", "F eng - par") == "why.fleet_inland"
    assert refused(state, "ENGLAND", "A lon - eng") == "why.army_at_sea"
    assert refused(state, "ENGLAND", "A lon - nwy") == "why.no_route"
    assert refused(state, "ENGLAND", "F eng C A par - lon") == "why.convoy_to_inland"


@pytest.mark.rule("D-ORD-10", "D-ORD-12", "D-ORD-14")
def test_drafts_are_spelled_in_one_way():
    state = board(begin(), {"FRANCE": "F gas A lon F eng"}, OWNED)
    for text in ("A gas - spa", "F lon - bre VIA", "F eng C F lon - bre"):
        state = diplomacy.apply(state, "FRANCE", parse(text)).state
    assert [str(order) for order in state.drafts.values()] == [
        "F gas - spa/nc",
        "A lon - bre",
        "F eng C A lon - bre",
    ]


def test_waivers_and_kept_units_erase_drafts():
    state = board(
        begin(),
        {"FRANCE": "A bur", "GERMANY": "A mun A ruh"},
        {"FRANCE": "par mar bre", "GERMANY": "mun"},
    )
    state = replace(state, stage="adjustment", season="fall")
    for text in ("A par B", "F mar B"):
        state = diplomacy.apply(state, "FRANCE", parse(text)).state
    assert refused(state, "FRANCE", "A bre B") == "why.no_build_due"
    assert refused(state, "FRANCE", "WAIVE") == "waive_where"
    state = diplomacy.apply(state, "FRANCE", parse("WAIVE par")).state
    state = diplomacy.apply(state, "FRANCE", parse("A bre B")).state
    state = diplomacy.apply(state, "GERMANY", parse("A mun D")).state
    assert refused(state, "GERMANY", "A ruh D") == "why.no_removal_due"
    state, _ = play(state, GERMANY="A mun H, A ruh D")
    assert units(state, "FRANCE") == {"A bur", "F mar", "A bre"}
    assert units(state, "GERMANY") == {"A mun"}


@pytest.mark.rule("D-ADJ-01")
def test_in_winter_the_question_says_how_many():
    where = {"FRANCE": "A bur", "AUSTRIA": "A vie"}
    owned = {"FRANCE": "par mar", "AUSTRIA": "vie tri"}

    def asked(players: int, seat: str, units: dict[str, str], lang: str = "en") -> str:
        state = replace(board(begin(players), units, owned), stage="adjustment", season="fall")
        question = diplomacy.ask(state, seat)
        assert question is not None
        return say(question.prompt, lang).partition(": ")[2]

    assert asked(7, "FRANCE", where) == "you may build 1 unit."
    assert asked(7, "FRANCE", {"FRANCE": "A bur A gas A par"}) == "remove 1 unit."
    assert asked(4, "AUSTRIA_FRANCE", where, "es") == "puedes construir 2 unidades."
    mixed = {"FRANCE": "A bur", "AUSTRIA": "A vie A tri A bud"}
    assert asked(4, "AUSTRIA_FRANCE", mixed, "it") == "costruisci o sciogli unità."


# Retreats and centres in the flow


@pytest.mark.rule("D-RET-06", "D-RET-09", "D-RET-10")
def test_only_who_has_a_choice_is_asked_to_retreat():
    state = board(
        begin(), {"FRANCE": "A por A bur", "ITALY": "A spa F mao", "GERMANY": "A mun A ruh"}, OWNED
    )
    state, _ = play(state, ITALY="A spa - por, F mao S A spa - por", GERMANY=ATTACK)
    rows = diplomacy.ask(state, "FRANCE").node.rows
    assert [row.target for row in rows] == ["bur"]
    texts = {str(action) for action in diplomacy.legal(state, "FRANCE")}
    assert {"A bur D", "A bur R gas"} <= texts
    state, facts = play(state)
    assert units(state, "FRANCE") == set()
    assert {"why.no_retreat", "why.no_retreat_order"} <= set(codes(facts))


@pytest.mark.rule("D-RET-14", "D-SC-02", "D-SC-05")
def test_a_fall_retreat_takes_a_centre_and_the_winner_takes_his():
    state = board(
        begin(),
        {"FRANCE": "A mun", "GERMANY": "A boh A tyr"},
        {"FRANCE": "mun par", "GERMANY": "ber kie"},
        season="fall",
    )
    state, _ = play(state, GERMANY="A boh - mun, A tyr S A boh - mun")
    state, facts = play(state, FRANCE="A mun R ber")
    assert (state.centres["mun"], state.centres["ber"]) == ("GERMANY", "FRANCE")
    assert codes(facts).count("takes_from") == 2


@pytest.mark.rule("D-SC-03")
def test_control_persists():
    state = board(begin(), {"FRANCE": "A par", "GERMANY": "A mun"}, OWNED)
    for _ in range(6):
        state, _ = play(state)
    assert state.centres_of("FRANCE") == ("bre", "mar", "par")


@pytest.mark.rule("D-SC-06", "D-ALT-10")
def test_centres_belong_to_nations():
    state = begin(4)
    state = board(
        state,
        {"FRANCE": "A tri", "AUSTRIA": "A vie"},
        {"AUSTRIA": "tri vie bud", "FRANCE": "par"},
        season="fall",
    )
    state, _ = play(state)
    assert state.centres["tri"] == "FRANCE"
    assert state.phase == "W1901A"
    assert refused(state, "AUSTRIA_FRANCE", "A tri B") == "why.not_a_home"
    sites = {str(action) for action in diplomacy.legal(state, "AUSTRIA_FRANCE")}
    assert {"A bud B", "A par B"} <= sites
    assert "A tri B" not in sites


@pytest.mark.rule("D-SET-07", "D-ADJ-01")
def test_units_never_exceed_centres_after_adjustments():
    state = board(
        begin(),
        {"FRANCE": "A bur A par A gas", "GERMANY": "A mun"},
        {"FRANCE": "par", "GERMANY": "mun"},
        season="fall",
    )
    state, _ = play(state)
    assert state.phase == "W1901A"
    state, facts = play(state, FRANCE="A gas D")
    assert units(state, "FRANCE") == {"A par"}
    assert codes(facts).count("why.removed") == 1
    assert codes(facts).count("why.removed_by_rule") == 1


# Civil disorder


@pytest.mark.rule("D-CD-01", "D-CD-02", "D-CD-04")
def test_who_misses_a_movement_loses_dislodged_units():
    state = board(begin(), FIGHT, OWNED)
    state, _ = diplomacy.apply(state, "FRANCE", diplomacy.default(state, "FRANCE"))[:2]
    assert state.absent == {"FRANCE"}
    state, facts = play(state, GERMANY=ATTACK)
    assert state.phase == "F1901M"  # no retreat was asked
    assert units(state, "FRANCE") == {"A par"}
    assert {"in_disorder", "why.in_disorder"} <= set(codes(facts))


@pytest.mark.rule("D-CD-01")
def test_with_a_single_order_written_nobody_is_absent():
    state = board(begin(), FIGHT, OWNED)
    state = diplomacy.apply(state, "FRANCE", parse("A par H")).state
    assert diplomacy.default(state, "FRANCE") == Ready()
    assert refused(state, "FRANCE", "absent") == "not_absent"


@pytest.mark.rule("D-CD-03")
def test_others_may_support_units_in_disorder():
    state = board(begin(), FIGHT | {"ITALY": "A mar"}, OWNED | {"ITALY": "rom"})
    state = diplomacy.apply(state, "FRANCE", parse("absent")).state
    state, _ = play(state, GERMANY=ATTACK, ITALY="A mar S A bur")
    assert units(state, "FRANCE") == {"A bur", "A par"}


@pytest.mark.rule("D-CD-06", "D-CD-08")
def test_absence_builds_nothing_and_keeps_centres():
    state = board(begin(), {"FRANCE": "A bur", "GERMANY": "A mun"}, OWNED, season="fall")
    for seat in ("FRANCE", "GERMANY"):
        state = diplomacy.apply(state, seat, diplomacy.default(state, seat)).state
    assert state.phase == "W1901A"
    for seat in ("FRANCE", "GERMANY"):
        state = diplomacy.apply(state, seat, diplomacy.default(state, seat)).state
    assert units(state, "FRANCE") == {"A bur"}
    assert state.centres_of("FRANCE") == ("bre", "mar", "par")


@pytest.mark.rule("D-CD-07", "D-CD-01")
def test_a_substitute_takes_over_at_the_next_phase():
    state = board(begin(), FIGHT, OWNED)
    state = diplomacy.apply(state, "FRANCE", parse("absent")).state
    state, _ = play(state)
    state, _ = play(state, FRANCE="A par - pic")
    assert "A pic" in units(state, "FRANCE")


# Victory


def owning(count: int, power: str = "FRANCE") -> dict[str, str]:
    """A power owns so many centres, Turkey the rest."""
    mine = [*HOMES_FIRST[power], *(c for c in CENTRES if c not in HOMES_FIRST[power])]
    return {power: " ".join(mine[:count]), "TURKEY": " ".join(mine[count:])}


HOMES_FIRST = {"FRANCE": ["bre", "mar", "par"], "ENGLAND": ["edi", "lon", "lvp"]}


@pytest.mark.rule("D-WIN-01", "D-WIN-02")
def test_eighteen_centres_win_after_a_fall():
    places = {"FRANCE": "A gas", "TURKEY": "A arm"}
    short, _ = play(board(begin(), places, owning(17), season="fall"))
    assert diplomacy.result(short) is None
    spring, _ = play(board(begin(), places, owning(18)))
    assert diplomacy.result(spring) is None
    won, facts = play(board(begin(), places, owning(18), season="fall"))
    result = diplomacy.result(won)
    assert result is not None
    assert result.winners == ("FRANCE",)
    assert result.scores["FRANCE"] == 1
    assert sum(result.scores.values()) == 1
    assert "ends.victory" in codes(facts)
    assert not diplomacy.to_act(won)


@pytest.mark.rule("D-WIN-03")
def test_there_is_one_winner():
    half = {"FRANCE": " ".join(CENTRES[:17]), "TURKEY": " ".join(CENTRES[17:])}
    state = board(
        begin(victory_centres=15), {"FRANCE": "A boh", "TURKEY": "A ukr"}, half, season="fall"
    )
    tied, _ = play(state)
    assert diplomacy.result(tied) is None
    ahead = {"FRANCE": " ".join(CENTRES[:18]), "TURKEY": " ".join(CENTRES[18:])}
    won, _ = play(board(state, {"FRANCE": "A boh", "TURKEY": "A ukr"}, ahead))
    assert diplomacy.result(won).winners == ("FRANCE",)


@pytest.mark.rule("D-WIN-04")
def test_a_draw_needs_all_survivors_and_only_them():
    state = board(begin(), FIGHT | {"TURKEY": "A con"}, OWNED | {"ITALY": "rom"})
    assert refused(state, "ITALY", "propose draw") == "no_voice"
    state = diplomacy.apply(state, "FRANCE", parse("propose draw")).state
    state = diplomacy.apply(state, "GERMANY", parse("accept draw")).state
    assert diplomacy.result(state) is None
    step = diplomacy.apply(state, "TURKEY", parse("accept draw"))
    result = diplomacy.result(step.state)
    assert result is not None
    assert set(result.winners) == {"FRANCE", "GERMANY", "TURKEY"}
    assert result.scores["FRANCE"] == pytest.approx(1 / 3)
    assert result.scores["ITALY"] == 0


@pytest.mark.rule("D-WIN-04")
def test_answers_are_secret_and_can_change():
    state = diplomacy.apply(begin(), "FRANCE", parse("propose draw")).state
    assert refused(state, "FRANCE", "refuse draw") == "answered_already"
    yes = diplomacy.apply(state, "GERMANY", parse("accept draw"))
    no = diplomacy.apply(state, "GERMANY", parse("refuse draw"))
    for viewer in ("FRANCE", "ITALY", None):
        assert diplomacy.view(yes.state, viewer) == diplomacy.view(no.state, viewer)
        assert not [fact for fact in yes.facts if fact.seen_by(viewer)]
    assert diplomacy.view(yes.state, "GERMANY")["proposals"][0]["mine"] == "yes"
    back = diplomacy.apply(yes.state, "GERMANY", parse("refuse draw")).state
    assert diplomacy.view(back, "GERMANY")["proposals"][0]["mine"] == "no"
    assert refused(back, "GERMANY", "withdraw draw") == "not_your_proposal"
    assert not diplomacy.apply(back, "FRANCE", parse("withdraw draw")).state.proposals


def test_a_new_phase_clears_proposals():
    state = diplomacy.apply(begin(), "FRANCE", parse("propose draw")).state
    state, _ = play(state)
    assert state.proposals == ()


def test_a_concession_needs_all_others():
    state = board(begin(), FIGHT | {"TURKEY": "A con"}, OWNED)
    assert refused(state, "FRANCE", "propose ITALY") == "no_voice"
    state = diplomacy.apply(state, "FRANCE", parse("propose GERMANY")).state
    assert refused(state, "GERMANY", "accept GERMANY") == "answered_already"
    state = diplomacy.apply(state, "TURKEY", parse("accept GERMANY")).state
    result = diplomacy.result(state)
    assert result is not None
    assert result.winners == ("GERMANY",)
    assert result.why.code == "diplomacy.ends.concession"


@pytest.mark.rule("D-WIN-05")
def test_between_two_24_centres_together_win():
    state = begin(2)
    assert state.target == 24
    split = {"ENGLAND": CENTRES[:10], "FRANCE": CENTRES[10:20], "RUSSIA": CENTRES[20:23]}
    owned = {power: " ".join(codes) for power, codes in split.items()} | {
        "TURKEY": " ".join(CENTRES[23:])
    }
    places = {"ENGLAND": "F nth", "TURKEY": "F bla", "ITALY": ""}
    short, _ = play(board(state, places, owned, season="fall"))
    assert diplomacy.result(short) is None
    owned["RUSSIA"] += f" {CENTRES[23]}"
    owned["TURKEY"] = " ".join(CENTRES[24:])
    won, _ = play(board(state, places, owned, season="fall"))
    assert diplomacy.result(won).winners == ("ENTENTE",)


@pytest.mark.rule("D-WIN-06")
def test_among_three_one_nation_must_have_18_unless_agreed():
    split = {
        "RUSSIA": " ".join(CENTRES[:9]),
        "ITALY": " ".join(CENTRES[9:18]),
        "TURKEY": " ".join(CENTRES[18:]),
    }
    places = {"RUSSIA": "A boh", "TURKEY": "A ukr"}
    apart, _ = play(board(begin(3), places, split, season="fall"))
    assert diplomacy.result(apart) is None
    together, _ = play(board(begin(3, sum_of_nations=True), places, split, season="fall"))
    assert diplomacy.result(together).winners == ("ITALY_RUSSIA",)


def test_the_last_year_ends_the_game():
    state = board(begin(last_year=1901), FIGHT, OWNED, season="fall")
    state, _ = play(state)
    result = diplomacy.result(state)
    assert result is not None
    assert result.ranking[0] == ("FRANCE", "GERMANY")
    assert result.scores["FRANCE"] == 0.5


@pytest.mark.rule("D-ADJ-15")
def test_elimination():
    owned = {"FRANCE": "par", "ITALY": "rom", "GERMANY": "mun ber"}
    state = board(begin(), {"FRANCE": "A par", "GERMANY": "A rom"}, owned, season="fall")
    assert "ITALY" in diplomacy.to_act(state)
    state, facts = play(state)
    while state.stage != "movement":
        state, more = play(state)
        facts += more
    assert "ITALY" not in diplomacy.to_act(state)
    assert refused(state, "ITALY", "propose draw") == "no_voice"
    assert "eliminated" in codes(facts)


@pytest.mark.rule("D-ADJ-15")
def test_elimination_by_removing_the_last_unit():
    owned = {"FRANCE": "par", "GERMANY": "mun ber rom"}
    where = {"FRANCE": "A par", "ITALY": "A pie", "GERMANY": "A mun"}
    state, facts = play(board(begin(), where, owned, season="fall"))
    assert state.stage == "adjustment"
    assert "eliminated" not in codes(facts)
    state, facts = play(state)
    assert "eliminated" in codes(facts)


# Fewer players


@pytest.mark.rule("D-ALT-01", "D-ALT-11")
def test_six_players_italy_holds_can_be_supported_and_never_retreats():
    state = begin(6)
    assert "ITALY" not in HANDS[6]
    assert state.static == {"ITALY"}
    state = board(state, {"ITALY": "A ven A rom", "AUSTRIA": "A tri A tyr", "FRANCE": "A pie"})
    held, _ = play(state, AUSTRIA="A tri - ven, A tyr S A tri - ven", FRANCE="A pie S A ven")
    assert units(held, "ITALY") == {"A ven", "A rom"}
    fell, facts = play(state, AUSTRIA="A tri - ven, A tyr S A tri - ven")
    assert units(fell, "ITALY") == {"A rom"}
    assert fell.phase == "F1901M"
    assert "why.in_disorder" in codes(facts)


@pytest.mark.rule("D-ALT-02")
def test_a_static_power_never_adjusts_and_counts_for_nobody():
    state = board(
        begin(6),
        {"ITALY": "A rom", "FRANCE": "A ven"},
        {"ITALY": "rom ven nap", "FRANCE": "par"},
        season="fall",
    )
    state, _ = play(state)
    assert state.centres["ven"] == "FRANCE"
    state, _ = play(state)
    assert units(state, "ITALY") == {"A rom"}
    rest = {"ITALY": " ".join(CENTRES[:20]), "FRANCE": "par"}
    state, _ = play(board(begin(6), {"ITALY": "A rom", "FRANCE": "A gas"}, rest, season="fall"))
    assert diplomacy.result(state) is None


@pytest.mark.rule("D-ALT-03")
def test_five_players_italy_and_germany_stand_still():
    state = begin(5)
    assert state.static == {"ITALY", "GERMANY"}
    for _ in range(4):
        state, _ = play(state)
    assert {power: state.units[power] for power in state.static} == {
        p: START[p] for p in state.static
    }


@pytest.mark.rule("D-ALT-04", "D-ALT-05", "D-ALT-06")
@pytest.mark.parametrize(
    ("players", "hands"),
    [
        (4, ["ENGLAND", "AUSTRIA FRANCE", "GERMANY TURKEY", "ITALY RUSSIA"]),
        (3, ["AUSTRIA ENGLAND GERMANY", "ITALY RUSSIA", "FRANCE TURKEY"]),
        (2, ["ENGLAND FRANCE RUSSIA", "AUSTRIA GERMANY TURKEY"]),
    ],
)
def test_who_plays_what(players, hands):
    state = begin(players)
    assert [" ".join(powers) for powers in state.hands.values()] == hands
    for seat, powers in state.hands.items():
        mine = {unit.province for power in powers for unit in START[power]}
        rows = diplomacy.ask(state, seat).node.rows
        assert {row.target[:3] for row in rows} == mine


@pytest.mark.rule("D-ALT-07", "D-ALT-08")
def test_between_two_italy_is_closed_at_first():
    state = begin(2)
    assert state.phase == "S1914M"
    state = board(
        state,
        {"AUSTRIA": "A tri A tyr F ion", "ITALY": "A ven A rom F nap", "FRANCE": "A mar F lyo"},
    )
    for text in ("A tri - ven", "A tyr - pie", "F ion - apu", "F ion - nap"):
        assert refused(state, "CENTRAL", text) == "why.neutral"
    for text in ("A mar - pie", "F lyo - tus", "F lyo C A mar - tus", "F lyo S A mar - pie"):
        assert refused(state, "ENTENTE", text).startswith("why.")
    assert parse("F ion - tys") in diplomacy.legal(state, "CENTRAL")
    assert parse("F ion - tun") in diplomacy.legal(state, "CENTRAL")
    listed = {o.to for o in diplomacy.legal(state, "ENTENTE") if isinstance(o, Move)}
    assert not listed & {"pie", "tus", "rom", "nap", "apu", "ven"}


@pytest.mark.rule("D-ALT-07")
def test_no_retreat_into_neutral_italy():
    state = board(begin(2), {"AUSTRIA": "A tri A vie", "FRANCE": "A tyr", "GERMANY": "A mun"})
    state, _ = play(state, CENTRAL="A tri - tyr, A vie S A tri - tyr")
    options = {o.to for o in diplomacy.legal(state, "ENTENTE") if isinstance(o, Retreat)}
    assert options == {"boh"}


@pytest.mark.rule("D-ALT-09")
@pytest.mark.parametrize("winner", ["ENTENTE", "CENTRAL"])
def test_a_coin_decides_about_italy(winner):
    source = Scripted([Drawn((winner,))])
    table = Table(diplomacy, 2, source=source)
    tosses = 0
    while table.state.phase != "S1916M":  # a second winter tosses no second coin
        for seat in sorted(table.to_act):
            before = len(table.log)
            table.act(seat, "ready")
            tosses += sum(entry.seat == CHANCE for entry in table.log[before:])
    assert tosses == 1
    assert table.state.hands[winner][-1] == "ITALY"
    table.act(winner, "A ven - tyr")
    assert not table.state.position.closed


@pytest.mark.rule("D-CD-01")
def test_who_comes_back_in_time_is_not_in_disorder():
    state = diplomacy.apply(begin(), "FRANCE", parse("absent")).state
    assert state.absent == {"FRANCE"}
    state = diplomacy.apply(state, "FRANCE", parse("revise")).state
    assert not state.absent
    assert "FRANCE" in diplomacy.to_act(state)


# The moderator, and what is told


@pytest.mark.rule("D-GM-01", "D-GM-02")
def test_a_game_needs_no_moderator():
    rng = random.Random(3)
    table = Table(diplomacy, 7, Options(last_year=1901), source=Seeded(rng))
    while acting := sorted(table.to_act):
        assert set(acting) <= set(POWERS)
        table.act(acting[0], "ready")
    assert table.result is not None


@pytest.mark.rule("D-GM-04")
def test_every_outcome_names_its_rule():
    state = board(begin(), FIGHT, OWNED)
    state, facts = play(state, GERMANY=ATTACK)
    told = [fact for fact in facts if fact.msg.code.startswith("diplomacy.why.")]
    assert len(told) == 4
    assert all(fact.rule.startswith("D-") for fact in told)
    assert set(CAUSES) == set(Why)
    assert all(0 <= cause.number <= 22 for cause in CAUSES.values())


@pytest.mark.parametrize("lang", LANGS)
def test_a_reason_is_one_sentence(lang):
    state = board(begin(), {"FRANCE": "A par", "GERMANY": "A mun"}, OWNED)
    _, facts = play(state, FRANCE="A par - bur", GERMANY="A mun - bur")
    msg = next(f.msg for f in facts if f.msg.code == "diplomacy.why.standoff")
    sentence = say(msg, lang).replace("\N{EN DASH}", "-")
    assert (
        sentence
        == {
            "en": "France, A Paris - Burgundy: fails in a standoff with A Munich - Burgundy (rule 3).",
            "es": "Francia, E París - Borgoña: fracasa por un enfrentamiento con E Múnich - Borgoña (regla 3).",
            "it": "Francia, A Parigi - Borgogna: fallisce, stallo con A Monaco - Borgogna (regola 3).",
        }[lang]
    )


@pytest.mark.parametrize("why", list(Why))
def test_every_reason_has_words(why):
    for lang in LANGS:
        assert say(
            Msg(f"diplomacy.why.{why}", power="P", order="O", by=(), number=1), lang
        ).startswith("P")


@pytest.mark.parametrize("field", plain.option_fields(Options), ids=lambda field: field.name)
def test_options_have_names(field):
    for lang in LANGS:
        for code in [field.name, *(f"{field.name}.{c}" for c in field.choices)]:
            assert say(Msg(f"diplomacy.option.{code}"), lang) != f"diplomacy.option.{code}"


def test_closed_provinces_are_shown():
    assert diplomacy.view(begin(2), None)["neutral"] == ["apu", "nap", "pie", "rom", "tus", "ven"]
    assert isinstance(begin(7).position, Position)


# Views, worlds dealt from them, invariants


def three_stages() -> list[State]:
    """The same fight before its movement, its retreats and its adjustments."""
    first = board(
        begin(), FIGHT | {"ITALY": "A pie"}, OWNED | {"ITALY": "rom ven nap"}, season="fall"
    )
    second, _ = play(first, GERMANY=ATTACK)
    third, _ = play(second, FRANCE="A bur R pic")
    return [first, second, third]


@pytest.mark.parametrize("stage", [0, 1, 2])
def test_a_world_dealt_from_a_view_fits_it(stage):
    state = three_stages()[stage]
    state = diplomacy.apply(state, "FRANCE", parse("propose draw")).state
    for seat in sorted(diplomacy.to_act(state))[:-1]:
        state = diplomacy.apply(state, seat, Ready()).state
    rng = random.Random(4)
    for viewer in ("FRANCE", "GERMANY", None):
        view = diplomacy.view(state, viewer)
        for _ in range(5):
            world = diplomacy.deal(view, rng)
            assert not diplomacy.broken(world)
            assert diplomacy.view(world, viewer) == view


@pytest.mark.parametrize("stage", [0, 1, 2])
@pytest.mark.parametrize("lang", LANGS)
def test_a_view_can_be_read_aloud(stage, lang):
    state = three_stages()[stage]
    state = diplomacy.apply(state, "FRANCE", parse("propose GERMANY")).state
    state = diplomacy.apply(state, "FRANCE", parse(["A par H", "A bur D", "A mar B"][stage])).state
    sections = diplomacy.describe(diplomacy.view(state, "FRANCE"))
    text = " ".join(say(line, lang) for s in sections for line in (s.title, *s.lines))
    assert "diplomacy." not in text
    assert {"en": "Marseilles", "es": "Marsella", "it": "Marsiglia"}[lang] in text


@pytest.mark.rule("D-SET-07", "D-SET-10")
@pytest.mark.parametrize(
    ("units", "complaint"),
    [
        ({"FRANCE": "A par", "GERMANY": "A par"}, "2 units in par"),
        ({"FRANCE": "F par"}, "F par cannot stand there"),
        ({"FRANCE": "A par A bur A gas A bel"}, "FRANCE has 4 units and 3 centres"),
    ],
)
def test_impossible_states_are_found(units, complaint):
    assert complaint in diplomacy.broken(board(begin(), units))


def test_impossible_drafts_and_centres_are_found():
    state = begin()
    wrong = replace(
        state,
        drafts={"par": parse("A par - mun"), "spa": parse("A spa H")},
        centres={"boh": "FRANCE", "par": "SPAIN"},
        hands={**state.hands, "X": ("SPAIN",)},
        absent=frozenset({"Y"}),
    )
    found = " ".join(diplomacy.broken(wrong))
    for part in (
        "boh is no centre",
        "SPAIN owns",
        "X plays SPAIN",
        "not_adjacent",
        "no_unit",
        "Y",
        "absent",
    ):
        assert part in found


def test_after_the_end_nothing_is_legal():
    state, _ = play(
        board(begin(), {"FRANCE": "A gas", "TURKEY": "A arm"}, owning(18), season="fall")
    )
    assert diplomacy.legal(state, "FRANCE").count_all() == 0
    assert refused(state, "FRANCE", "ready") == "game_over"
    assert diplomacy.ask(state, "FRANCE") is None


def test_nobody_acts_before_the_coin():
    state = begin(2)
    while state.stage != "toss":
        state, _ = play(state)
    assert refused(state, "ENTENTE", "ready") == "toss_first"
    assert diplomacy.legal(state, "ENTENTE").count_all() == 0
    for seat, action in ((CHANCE, Drawn(("X",))), ("ENTENTE", Drawn(("ENTENTE",)))):
        with pytest.raises(Illegal):
            diplomacy.apply(state, seat, action)
    with pytest.raises(Illegal):
        diplomacy.apply(begin(2), CHANCE, Drawn(("ENTENTE",)))


def test_other_refusals():
    state = begin()
    assert refused(state, "FRANCE", "revise") == "not_ready_yet"
    assert refused(state, "FRANCE", "propose NOBODY") == "no_such_proposal"
    assert refused(state, "FRANCE", "accept draw") == "not_proposed"
    proposed = diplomacy.apply(state, "FRANCE", parse("propose draw")).state
    assert refused(proposed, "GERMANY", "propose draw") == "proposed_already"
    retreating = three_stages()[1]
    assert refused(retreating, "ITALY", "ready") == "nothing_to_decide"
    assert refused(retreating, "FRANCE", "A bur R mun") == "why.retreat_barred"
    assert refused(retreating, "FRANCE", "A par R pic") == "why.no_unit"
    with pytest.raises(Illegal):
        diplomacy.start(("A", "B"), Options())


def test_a_seat_that_is_none_may_do_nothing():
    assert diplomacy.legal(begin(), "NOBODY").count_all() == 0
