"""The flow of a turn: phases, secrecy, drafts, retreats and centres."""

import random
from dataclasses import replace

import pytest

from powderkeg.core.chance import CHANCE
from powderkeg.core.errors import Illegal
from powderkeg.core.table import Table
from powderkeg.core.words import say
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Ready, parse
from powderkeg.games.diplomacy.board import POWERS
from powderkeg.games.diplomacy.state import Options
from powderkeg.games.diplomacy.steps import order_pieces, phase_board
from tests.games.diplomacy.scene import (
    ATTACK,
    FIGHT,
    OWNED,
    begin,
    board,
    codes,
    play,
    refused,
    units,
)

# Seats and calendar


@pytest.mark.rule("D-SET-01")
def test_seven_powers_and_nothing_beyond():
    assert diplomacy.seats(7, Options()) == POWERS
    assert len(diplomacy.seats(1, Options())) == 1  # a sandbox: one hand moves all powers
    for players in (0, 8):
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
    assert not facts[-1].quiet  # for everybody, not only for the seat that was ready last
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
    before = list(diplomacy.legal(state, "FRANCE").order_groups[0])
    state = diplomacy.apply(state, "GERMANY", parse("propose FRANCE")).state
    assert list(diplomacy.legal(state, "FRANCE").order_groups[0]) == before


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


# What follows from the board is worked out once per phase


def test_writing_orders_does_not_work_out_the_board_again():
    before = begin()
    drafted = diplomacy.apply(before, "FRANCE", parse("A par - bur")).state
    assert phase_board(drafted) is phase_board(before)
    rows = [diplomacy.ask(state, "FRANCE").node.rows for state in (before, drafted)]
    assert all(one.node is two.node for one, two in zip(*rows, strict=True))
    assert [row.chosen for row in rows[1]] == ["A par - bur", "", ""]


def test_another_board_is_not_mistaken_for_the_last_one():
    before = begin()
    other = replace(before, units={**before.units, "FRANCE": ()})
    assert phase_board(other) is not phase_board(before)
    assert not list(order_pieces(other, "FRANCE"))
    retreating = replace(before, stage="retreat")
    assert phase_board(retreating).deciding == frozenset()


def test_a_ready_seat_reads_its_orders_and_can_be_not_ready_again():
    table = Table(diplomacy, 7)
    table.act("FRANCE", "A par - bur")
    table.act("FRANCE", "ready")
    asked = table.ask("FRANCE")
    assert {say(row.label, "en") for row in asked.node.rows} == {
        "A Paris \N{EN DASH} Burgundy",
        "A Marseilles: no order",
        "F Brest: no order",
    }
    assert [option.text for option in asked.node.options] == ["revise"]
    table.act("FRANCE", "revise")
    assert all(row.node.options for row in table.ask("FRANCE").node.rows)


def test_own_orders_can_be_undone_whatever_others_write():
    table = Table(diplomacy, 7)
    table.act("FRANCE", "A par - bur")
    table.act("FRANCE", "ready")
    table.act("ENGLAND", "F lon - nth")
    table.undo("FRANCE")
    assert table.to_act >= {"FRANCE", "ENGLAND"}
    assert table.view("ENGLAND")["drafts"] == {"lon": "F lon - nth"}


def test_undo_never_resolves_a_phase():
    """A is ready, then not, then the last other is ready: undoing the *not ready* would reveal all."""
    table = Table(diplomacy, 7)
    first, second, *others = table.seats
    for seat in others:
        table.act(seat, "ready")
    table.act(first, "ready")
    table.act(first, "revise")
    table.act(second, "ready")
    before = table.state
    with pytest.raises(Illegal, match="cannot undo"):
        table.undo(first)
    assert table.state == before
