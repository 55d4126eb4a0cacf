"""The envoy at a table: seats, stored memories, a process of its own."""

import json
import random
from typing import Any

import pytest

from powderkeg.bots import levels
from powderkeg.bots.diplomacy.press import envoy
from powderkeg.bots.envoy import FormalNote, PromisePart
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.process.guard import BotAnswer, Guard
from powderkeg.core.errors import RulesError
from powderkeg.core.table import Table
from powderkeg.core.words import say
from powderkeg.games import diplomacy, versailles
from powderkeg.games.diplomacy.actions import Move, parse_order

PEACE = "PRP ( PCE ( ENG FRA ) )"
SUPPORT = "XDO ( ( GER AMY MUN ) SUP ( FRA AMY PAR ) MTO BUR )"


def view(seat: str, players: int = 7) -> dict[str, Any]:
    return dict(Table(diplomacy, players, diplomacy.Options()).view(seat))


def test_only_games_whose_bots_talk_have_an_envoy():
    assert bots_of(diplomacy).envoy is envoy
    assert bots_of(versailles).envoy is None
    assert set(envoy.TALKING_LEVELS) <= set(levels.LEVEL_NAMES)


@pytest.mark.parametrize(
    ("to", "parts", "text"),
    [
        (["ENGLAND"], [PromisePart("peace")], PEACE),
        (["ENGLAND"], [PromisePart("draw")], "PRP ( DRW )"),
        (
            ["ENGLAND"],
            [PromisePart("alliance", against=("GERMANY", "RUSSIA"))],
            "PRP ( ALY ( ENG FRA ) VSS ( GER RUS ) )",
        ),
        (
            ["ENGLAND"],
            [PromisePart("zone", places=("eng", "bel", "eng"))],
            "PRP ( DMZ ( ENG FRA ) ( ECH BEL ) )",
        ),
        (
            ["GERMANY"],
            [
                PromisePart("order", action="A mun S A par - bur"),
                PromisePart("order", action="A par - bur"),
            ],
            f"PRP ( AND ( {SUPPORT} ) ( XDO ( ( FRA AMY PAR ) MTO BUR ) ) )",
        ),
    ],
)
def test_people_put_offers_together(to, parts, text):
    made = envoy.compose_offer(view("FRANCE"), to, parts)
    assert made == text
    assert envoy.canonical_text(made) == text
    assert envoy.expects_answer(made)
    assert envoy.answer_text(made, agree=True) == f"YES ( {text} )"
    assert envoy.answer_text(made, agree=False) == f"REJ ( {text} )"
    assert not envoy.expects_answer(f"YES ( {text} )")
    again = envoy.split_offer(view(to[0]), "FRANCE", made)
    assert [part.kind for part in again] == [part.kind for part in parts]
    assert envoy.compose_offer(view("FRANCE"), to, again) == made


@pytest.mark.parametrize(
    "text", [f"YES ( {PEACE} )", "PRP ( SLO ( ENG ) )", f"PRP ( NOT ( {PEACE[6:-2]} ) )"]
)
def test_what_no_form_holds_has_no_parts(text):
    assert list(envoy.split_offer(view("FRANCE"), "GERMANY", text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "PRP ( PCE ( AUS GER ) )",
        "PRP ( ALY ( ITA GER ) VSS ( FRA ) )",
        "PRP ( DMZ ( ITA GER ) ( TYR ) )",
        "PRP ( AND ( PCE ( FRA GER ) ) ( PCE ( AUS GER ) ) )",
        "PRP ( PCE ( AUS FRA ) )",
        "PRP ( PCE ( AUS FRA GER ) )",
        "PRP ( DMZ ( AUS FRA GER ) ( TYR ) )",
        "PRP ( ALY ( AUS FRA GER ) VSS ( RUS ) )",
        "PRP ( XDO ( ( RUS AMY WAR ) HLD ) )",
    ],
)
def test_an_offer_that_does_not_bind_reader_and_sender_alone_has_no_parts(text):
    """France reads it, from Germany."""
    assert list(envoy.split_offer(view("FRANCE"), "GERMANY", text)) == []


@pytest.mark.parametrize(
    "part",
    [
        PromisePart("order", action="A lon - bre VIA"),
        PromisePart("order", action="A par B"),
        PromisePart("order", action="F bre - spa/nc"),
        PromisePart("order", action="A xyz H"),
        PromisePart("riches"),
    ],
)
def test_what_cannot_be_promised_is_refused(part):
    with pytest.raises(RulesError) as refused:
        envoy.compose_offer(view("FRANCE"), ["ENGLAND"], [part])
    for lang in ("en", "es", "it"):
        assert "bots." not in say(refused.value.msg, lang)


def test_a_seat_of_several_powers_speaks_with_one_voice():
    few = Table(diplomacy, 3, diplomacy.Options())
    first, second = few.seats[:2]
    text = envoy.compose_offer(few.view(first), [second], [PromisePart("peace")])
    powers = sorted(few.view(None)["seats"][seat]["powers"][0][:3] for seat in (first, second))
    assert text == f"PRP ( PCE ( {' '.join(powers)} ) )"
    spoken = envoy.exchange_letters(
        few.view(second), None, [FormalNote(first, (second,), text)], luck()
    )
    answers = [note for note in spoken.notes if note.text[:3] in ("YES", "REJ")]
    assert [note.to for note in answers] == [(first,)]


def luck() -> random.Random:
    return random.Random(4)


def test_a_memory_is_json_and_what_was_said_is_said_once():
    seen = view("ENGLAND")
    spoken = envoy.exchange_letters(seen, None, [FormalNote("FRANCE", ("ENGLAND",), PEACE)], luck())
    assert json.loads(json.dumps(spoken.memory)) == spoken.memory
    again = envoy.exchange_letters(seen, spoken.memory, [], luck())
    assert again.notes == ()
    assert again.memory == spoken.memory
    assert not again.rebound


@pytest.mark.slow
def test_only_agreements_change_what_a_bot_is_bound_to():
    seen = view("ENGLAND")
    letters = [FormalNote("FRANCE", ("ENGLAND",), "PRP ( SLO ( FRA ) )")]
    assert not envoy.exchange_letters(seen, None, letters, luck()).rebound
    proposed = envoy.exchange_letters(seen, None, [], luck())
    memory = {**proposed.memory, "proposed": ["FRANCE PCE ( ENG FRA )"]}
    agreed = envoy.exchange_letters(
        seen, memory, [FormalNote("FRANCE", ("ENGLAND",), f"YES ( {PEACE} )")], luck()
    )
    assert agreed.rebound
    assert {"par", "bre"} <= set(envoy.bind_view(seen, agreed.memory)["pledges"]["barred"])
    assert "pledges" not in envoy.bind_view(seen, None)


@pytest.mark.slow
def test_what_is_said_to_all_is_answered_by_those_whom_it_names():
    letters = [FormalNote("FRANCE", (), PEACE)]
    england = envoy.exchange_letters(view("ENGLAND"), None, letters, luck(), public=True)
    turkey = envoy.exchange_letters(view("TURKEY"), None, letters, luck(), public=True)
    replies = [note.text for note in (*england.notes, *turkey.notes) if PEACE in note.text]
    assert len(replies) == 1
    assert all(note.to == () for note in (*england.notes, *turkey.notes))


def test_what_nobody_understands_is_left_unanswered():
    letters = [FormalNote("FRANCE", ("ENGLAND",), "Peace?")]
    spoken = envoy.exchange_letters(view("ENGLAND"), None, letters, luck())
    assert all(note.text.startswith("PRP") for note in spoken.notes)


def test_a_proposal_that_binds_others_is_refused():
    letters = [FormalNote("FRANCE", ("ENGLAND",), "PRP ( PCE ( GER FRA ) )")]
    spoken = envoy.exchange_letters(view("ENGLAND"), None, letters, luck())
    answers = [note for note in spoken.notes if not note.text.startswith("PRP")]
    refusal, why = "REJ ( PRP ( PCE ( GER FRA ) ) )", "bots.press.why.impossible"
    assert answers == [FormalNote("ENGLAND", ("FRANCE",), refusal, why)]
    assert spoken.memory["phase"] == "S1901M"


def test_nobody_talks_but_in_a_movement():
    seen = view("ENGLAND")
    seen["stage"] = "retreat"
    assert (
        envoy.exchange_letters(
            seen, None, [FormalNote("FRANCE", ("ENGLAND",), PEACE)], luck()
        ).notes
        == ()
    )
    assert envoy.bind_view(seen, {"phase": "x"}) == seen


# In a process of its own


@pytest.fixture(scope="module")
def guarded():
    with Guard(seconds=600.0) as made:
        yield made


@pytest.mark.slow
def test_an_envoy_says_the_same_there_as_here(guarded):
    seen = view("ENGLAND")
    letters = [FormalNote("FRANCE", ("ENGLAND",), PEACE)]
    there, fault = guarded.talk(diplomacy, seen, None, letters, "s", within=60.0, public=False)
    here = envoy.exchange_letters(seen, None, letters, random.Random("s"))
    assert fault == ""
    assert there == here
    assert any(PEACE in note.text for note in there.notes)


def test_a_bot_keeps_there_what_it_promised(guarded):
    table = Table(diplomacy, 7, diplomacy.Options())
    deal = {"partner": "FRANCE", "offer": "DMZ ( ENG FRA ) ( ECH NTH NWG )", "left": 3}
    spoken = envoy.exchange_letters(table.view("ENGLAND"), None, [], luck())
    memory = {**spoken.memory, "deals": [deal]}
    free, bound = [], []
    for found, remembered in ((free, None), (bound, memory)):
        for seed in range(6):
            said = guarded.decide(
                diplomacy, table.state, "ENGLAND", "normal", str(seed), memory=remembered
            )
            assert said.fault == ""
            order = parse_order(str(said.action))
            found.append(order.to if isinstance(order, Move) else "")
    assert {"eng", "nth", "nwg"} & set(free)
    assert not {"eng", "nth", "nwg"} & set(bound)


@pytest.mark.parametrize(
    "text",
    [
        "gibberish",
        "[]",
        "[[], {}]",
        '[[["ENGLAND", ["FRANCE"], "Peace!"]], null, false]',
        '[[["ENGLAND", 7, "PRP ( DRW )"]], null, false]',
        json.dumps([[["ENGLAND", [], "PRP ( DRW )"]] * 21, None, False]),
        json.dumps([[], "x" * 60_000, False]),
    ],
)
def test_nonsense_is_not_passed_on(monkeypatch, text):
    monkeypatch.setattr(Guard, "ask", lambda self, request: BotAnswer(text))
    spoken, fault = Guard().talk(
        diplomacy, view("ENGLAND"), {"a": 1}, [], "s", within=1.0, public=False
    )
    assert (spoken.notes, spoken.memory, fault) == ((), {"a": 1}, "nonsense")


def test_an_envoy_that_raises_is_silent(guarded):
    broken = {"phase": 7}  # no memory of ours
    spoken, fault = guarded.talk(
        diplomacy, view("ENGLAND"), broken, [], "s", within=1.0, public=False
    )
    assert (spoken.notes, spoken.memory, fault) == ((), broken, "raised")
