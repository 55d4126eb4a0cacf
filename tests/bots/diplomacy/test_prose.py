"""Plain sentences to bots are understood in three languages, or not at all."""

import tomllib
from pathlib import Path

import pytest

from powderkeg.bots.diplomacy.press import envoy, prose_answers
from powderkeg.bots.diplomacy.press.prose import ProseReading, read_letter
from powderkeg.core.table import Table
from powderkeg.core.words import say
from powderkeg.games import diplomacy
from tests.bots.diplomacy.letters.notation import meaning_of

PRESS = Path(prose_answers.__file__).parent


@pytest.fixture(scope="module")
def view():
    return Table(diplomacy, 7).view("FRANCE")


@pytest.mark.parametrize(
    "text",
    [
        "I was going to propose a DMZ in Burgundy to you.",
        "Nobody said anything about Burgundy being off limits until you came.",
        "Are you aware that Italy has been shopping around an alliance against you?",
        "Before you order Munich to Burgundy, think about who gains by it.",
        "Gracias por no tocar Borgoña.",
        "Peccato che la Borgogna non sia vuota come avevamo detto.",
    ],
)
def test_what_was_or_is_only_said_is_no_wish(view, text):
    reading = read_letter(view, "GERMANY", text)
    assert not reading.parts
    assert reading.remark in ("unclear", "others")


def test_a_wish_beside_words_that_nobody_knows_is_only_guessed(view):
    said = say(envoy.answer_prose(view, "GERMANY", "Peace, and may your herrings prosper."))
    assert said.startswith("I am not sure that I follow you.")
    assert "peace between France and Germany" in said


def test_a_guess_fills_the_form_of_an_offer_too(view):
    answer = envoy.answer_prose(view, "GERMANY", "Peace, and may your herrings prosper.")
    assert answer.code == "bots.prose.perhaps"
    assert answer.args["offer"] == "PRP ( PCE ( FRA GER ) )"


@pytest.mark.parametrize(
    "text",
    [
        "Mun - Ruh would be a blunder.",
        "Our herrings sail to Burgundy, dmz or no dmz.",
        "Would Munich support Marseilles to Burgundy if England agreed?",
        "We attack Russia, and nobody forgets Tyrolia, without England hearing.",
        "Burgundy stays empty provided you go to Ruhr and not to Belgium.",
        "Borgoña queda vacía siempre que vayas al Ruhr.",
        "La Borgogna resta vuota purché tu vada in Ruhr.",
        "Is Burgundy empty?",
        "You may keep Burgundy empty, except for my army.",
    ],
)
def test_places_beside_a_doubt_are_never_offered(view, text):
    reading = read_letter(view, "GERMANY", text)
    assert not [part for part in reading.parts if part.kind != "alliance"]
    assert not (reading.parts and reading.sure)


@pytest.mark.parametrize(
    "text",
    [
        "I'd like war more than peace.",
        "Preferirei la guerra alla pace.",
        "All I want is peace and Munich.",
        "Munich holds? I don't believe it.",
        "Burgundy stays empty, but only for you.",
        "Peace, if you have earned it.",
    ],
)
def test_what_is_left_over_beside_a_wish_makes_it_a_guess_at_most(view, text):
    reading = read_letter(view, "GERMANY", text)
    assert not (reading.parts and reading.sure)


@pytest.mark.parametrize(
    "text",
    [
        "Dear Kaiser, I hope you are well. I would like to propose peace between our two nations.",
        "wont attack u, pls dont attack me",
        "peace pls, and dmz bur",
        "Alianza contra Rusia, por favor.",
        "Facciamo la pace quest'anno?",
        "move kiel to denmrk plz",
    ],
)
def test_plain_courteous_letters_are_understood_as_a_whole(view, text):
    reading = read_letter(view, "GERMANY", text)
    assert reading.parts
    assert reading.sure


def test_what_one_thinks_of_others_is_not_said(view):
    answer = envoy.answer_prose(view, "GERMANY", "What do you make of Austria?")
    assert answer.code == "bots.prose.others"


def test_what_a_condition_asks_for_is_only_guessed(view):
    reading = read_letter(view, "GERMANY", "If you stay out of Burgundy, I won't attack you.")
    assert meaning_of(reading) == {"?", "peace", "zone bur"}


def test_an_order_on_a_condition_is_not_offered(view):
    text = "If you give me Belgium, I move Paris to Picardy."
    assert not read_letter(view, "GERMANY", text).parts


def test_powers_of_two_frames_are_no_common_victims(view):
    text = "Could we work together against Austria w/o you telling Russia?"
    assert not read_letter(view, "GERMANY", text).parts
    listed = read_letter(view, "GERMANY", "Let's ally against Austria and Russia.")
    assert meaning_of(listed) == {"alliance AUSTRIA,RUSSIA"}


def test_a_sentence_beside_a_wish_that_is_not_read_makes_it_a_guess(view):
    reading = read_letter(view, "GERMANY", "Let's both hit Russia. I do Norway, you do Sweden.")
    assert meaning_of(reading) == {"?", "alliance RUSSIA"}
    assert reading.unread == "I do Norway, you do Sweden."


def test_a_no_after_a_wish_takes_it_back(view):
    reading = read_letter(view, "GERMANY", "Peace with you? Not in this life.")
    assert not reading.parts
    assert reading.remark == "unclear"


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, I was away. What about Holland and Belgium?",
        "You moved to Tyrolia, to my surprise. Shall we go on like that?",
        "Thanks! And what do you make of Belgium?",
    ],
)
def test_a_mood_is_answered_only_if_the_letter_asks_nothing_else(view, text):
    assert read_letter(view, "GERMANY", text).remark == "unclear"


def test_a_support_for_a_unit_that_holds_is_no_support_for_a_move():
    view = Table(diplomacy, 7).view("ITALY")
    assert not read_letter(view, "AUSTRIA", "Would Budapest support Trieste to hold?").parts


def test_a_language_is_no_power(view):
    said = say(envoy.answer_prose(view, "GERMANY", "I speak English, and only plain English."))
    assert "England" not in said


def test_a_guess_beside_a_clear_wish_is_not_understood(view):
    text = "Peace? Tulips permitting, let us marinate Burgundy demilitarised beyond lunch."
    reading = read_letter(view, "GERMANY", text)
    assert meaning_of(reading) == {"?", "peace"}
    assert reading.unread.startswith("Tulips")


def test_a_place_that_a_wish_leaves_out_is_not_dropped_in_silence(view):
    text = "I won't go to Burgundy, but I'd like the same promise from you for Ruhr."
    said = say(envoy.answer_prose(view, "GERMANY", text))
    assert "without units of France and Germany: Burgundy" in said
    assert said.endswith("The rest I did not understand.")


def test_a_sea_that_is_asked_for_like_a_centre_is_not_understood(view):
    assert read_letter(view, "ENGLAND", "The Channel is yours.").remark == "unclear"


@pytest.mark.parametrize(
    "text",
    [
        "From Paris, Brest and Marseilles with love.",
        "I don't want Paris, I hope you agree.",
        "And Paris?",
    ],
)
def test_where_only_a_place_was_recognised_nothing_is_offered_there(view, text):
    answer = envoy.answer_prose(view, "GERMANY", text)
    assert answer.code == "bots.prose.unclear_about"
    assert "all I recognised is this: Paris" in say(answer)


def test_orders_in_short_are_read_by_who_has_the_units(view):
    reading = read_letter(view, "GERMANY", "Par-Pic, Mar - Spa, Mun > Ruh. Nap-Ion")
    assert meaning_of(reading) == {"?", "A par - pic", "A mar - spa", "A mun - ruh"}


def test_what_one_sentence_lacks_is_taken_from_the_next(view):
    assert meaning_of(read_letter(view, "GERMANY", "Alliance? Against Russia, I mean.")) == {
        "alliance RUSSIA"
    }
    text = "I worry about Burgundy. Let us both not go there."
    assert meaning_of(read_letter(view, "GERMANY", text)) == {"?", "zone bur"}


def test_a_partner_of_both_is_no_victim(view):
    reading = read_letter(view, "GERMANY", "Join the alliance against England with me and Russia.")
    assert meaning_of(reading) == {"?", "alliance ENGLAND"}
    assert reading.remark == "third"


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("You're not moving to Burgundy, are you?", "plans"),
        ("Please don't build a fleet in Kiel.", "builds"),
        ("Could you press ready?", "pace"),
        ("I moved to Burgundy because I was afraid.", "past"),
        ("You took Belgium.", "reproach"),
        ("Austria is weak this time.", "others"),
        ("You stabbed me. Peace?", "reproach"),
    ],
)
def test_who_acts_and_when_decides_what_a_sentence_means(view, text, remark):
    reading = read_letter(view, "GERMANY", text)
    assert reading.remark == remark
    assert {part.kind for part in reading.parts} == ({"peace"} if "Peace" in text else set())


def test_in_autumn_it_is_spring_that_comes_later(view):
    fall = {**view, "season": "fall"}
    assert read_letter(fall, "GERMANY", "Move Kiel to Denmark this fall.").parts
    assert read_letter(fall, "GERMANY", "Move Kiel to Denmark in spring.").remark == "this_turn"


def test_a_clear_wish_does_not_hide_one_that_is_ambiguous(view):
    said = say(envoy.answer_prose(view, "GERMANY", "Peace? Support me into Burgundy."), "en")
    assert "peace between France and Germany" in said
    assert "Which one do you mean?" in said


def test_more_wishes_than_an_offer_holds_are_not_dropped_in_silence(view):
    wishes = ("Peace", "Keep out of Ruhr", "Support Paris to Burgundy with Munich")
    more = ("Hold in Berlin", "Move Kiel to Holland")
    reading = read_letter(view, "GERMANY", ". ".join([*wishes, *more]) + ".")
    assert len(reading.parts) == 4
    assert reading.remark == "too_many"


def test_a_letter_of_a_hundred_sentences_is_not_read(view):
    text = " ".join(f"Support me into Burgundy for the {n}th time." for n in range(100))
    assert read_letter(view, "GERMANY", text).remark == "unclear"


@pytest.mark.parametrize(
    "text",
    [
        "I will never attack you.",
        "Let us never attack each other.",
        "Prima di tutto facciamo pace.",
        "No te atacaré nunca.",
        "Nunca te atacaré.",
        "Non ti attaccherò mai.",
    ],
)
def test_never_to_attack_is_peace(view, text):
    found = read_letter(view, "GERMANY", text)
    assert [part.kind for part in found.parts] == ["peace"]
    assert found.sure


@pytest.mark.parametrize(
    "shape", ["Ruhr or Ruhr and ", "if you do Ruhr and then ", "peace or war, "]
)
def test_a_long_letter_of_one_sentence_is_answered(view, shape):
    """Reading takes time by its length, not by a power of it: this test would not end."""
    reading = read_letter(view, "GERMANY", (shape * 300)[:4000])
    assert not (reading.parts and reading.sure)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "dmz in Burgundy or Ruhr?",
            "¿DMZ en Borgoña o el Ruhr?",
            "DMZ in Borgogna o nella Ruhr?",
        ),
        *(
            "Peace or an alliance against Italy?",
            "Peace, or an alliance?",
            "DMZ Burgundy or support.",
        ),
        *("Alliance against Russia or England?", "Move Kiel to Denmark or Holland."),
    ],
)
def test_of_two_things_none_is_chosen(view, text):
    reading = read_letter(view, "GERMANY", text)
    assert not reading.parts
    assert reading.choices or reading.remark == "either"


def test_neither_of_two_places_is_both(view):
    reading = read_letter(view, "GERMANY", "Stay out of Burgundy or Ruhr, please.")
    assert meaning_of(reading) == {"zone bur,ruh"}


def test_peace_beside_an_alliance_is_not_lost(view):
    reading = read_letter(view, "GERMANY", "Peace with an alliance against Italy.")
    assert meaning_of(reading) == {"peace", "alliance ITALY"}
    reading = read_letter(view, "GERMANY", "Peace with Italy.")
    assert reading.remark == "third"


@pytest.mark.parametrize("text", ["Peace? Nah", "Peace? No.", "Pace? Anche no.", "¿Paz? Mejor no."])
def test_a_mere_no_takes_a_wish_back(view, text):
    assert not read_letter(view, "GERMANY", text).parts


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        *((text, "unclear") for text in ("I never got your letter.", "Nunca me contestas.")),
        *((text, "refused") for text in ("I don't want it.", "Sorry, no peace.", "No draw.")),
        *((text, "refused") for text in ("You won't get peace.", "Mai più pace.")),
        ("Non voglio disturbarti.", "unclear"),
        ("Please explain the rules of convoys.", "help"),
        ("Explain yourself!", "reproach"),
        *((f"{text} Munich.", "order_which") for text in ("Move", "Sposta", "Mueve")),
        ("Move Munich out of there.", "order_which"),
        ("Is there a DMZ in Burgundy?", "standing"),
        ("¿Hay tregua entonces?", "standing"),
        ("Abbiamo ancora una tregua?", "standing"),
        ("When is the deadline?", "pace"),
        ("Buonanotte!", "goodbye"),
        ("I'd take an alliance against Italy over peace with them.", "unclear"),
        ("Stay neutral and I won't forget it.", "unclear"),
        ("Still waiting for an answer about Denmark.", "unclear"),
    ],
)
def test_only_what_is_said_is_answered(view, text, remark):
    reading = read_letter(view, "GERMANY", text)
    assert reading._replace(rest=False, sure=True) == ProseReading(remark=remark)


@pytest.mark.parametrize(
    "text", ["I will never betray you.", "No te voy a traicionar.", "Non ti tradirò."]
)
def test_not_to_betray_is_peace_and_no_reproach(view, text):
    assert [part.kind for part in read_letter(view, "GERMANY", text).parts] == ["peace"]


def test_what_stands_on_the_other_side_of_a_but_is_not_dropped_in_silence(view):
    reading = read_letter(view, "GERMANY", "I don't trust you, but let's keep Burgundy empty.")
    assert meaning_of(reading) == {"?", "zone bur"}
    assert reading.remark == "trust"
    reading = read_letter(view, "GERMANY", "I don't trust you, but the herrings sail south.")
    assert (reading.remark, reading.rest) == ("trust", True)


def test_a_wish_beside_the_deadline_is_not_lost(view):
    text = "Let's sort this out before the deadline: peace?"
    assert meaning_of(read_letter(view, "GERMANY", text)) == {"?", "peace"}


def test_a_word_too_many_leaves_the_choice_of_orders(view):
    assert (
        len(read_letter(view, "GERMANY", "I need your support into Burgundy badly.").choices) == 2
    )


def test_a_condition_beside_builds_is_named(view):
    text = "i will not build fleets if u attak austria"
    reading = read_letter(view, "GERMANY", text)
    assert (reading.remark, reading.unread) == ("builds", text)


def test_the_units_of_a_bounce_may_stand_in_two_clauses():
    view = Table(diplomacy, 7).view("RUSSIA")
    text = (
        "A War-Gal is just a bounce for show, plz order A Vie-Gal so Turkey thinks we are fighting."
    )
    assert read_letter(view, "AUSTRIA", text).remark == "unclear"


@pytest.mark.parametrize(
    "text",
    ["Non ho nessuna voglia di venire.", "¿De qué hablas?", "Bel titolo!", "Sus nuevas ideas."],
)
def test_a_word_in_another_form_is_no_name_with_a_slip(view, text):
    answer = prose_answers.unclear_answer(text)
    assert answer.code in ("bots.prose.unclear", "bots.prose.no_answer")
    assert not read_letter(view, "ITALY", text).parts


@pytest.mark.parametrize(
    "text",
    [
        "Absolutely nothing to fear from me.",
        "It's warm in Rome.",
        "Allies elsewhere, herrings here.",
        "Come noi non ce n'è.",
        "I get home at ten.",
    ],
)
def test_a_phrase_ends_with_its_last_word(view, text):
    assert read_letter(view, "ITALY", text).remark == "unclear"


@pytest.mark.parametrize(
    "text",
    [
        "DMZ Burgundy. If I see you there it's war.",
        "Zona desmilitarizada en Borgoña. Si entras es la guerra.",
        "Borgogna smilitarizzata. Se entri è guerra.",
    ],
)
def test_a_threat_leaves_the_wish_before_it_as_a_guess(view, text):
    reading = read_letter(view, "GERMANY", text)
    assert meaning_of(reading) == {"?", "zone bur"}
    assert reading.remark == "threat"


def test_what_others_were_refused_is_no_refusal(view):
    text = "England just proposed to me that we split you up. I said no."
    assert read_letter(view, "GERMANY", text).remark == "rumour"


@pytest.mark.parametrize(
    "text",
    [
        "Bounce me in Burgundy and we have herrings and tulips and a problem lol",
        "Alleanza contro l'Austria fino alla fine, senza scherzi",
        "¿Para qué te voy a atacar?",
        "Why would I attack you?",
    ],
)
def test_a_laugh_or_a_why_is_no_stance(view, text):
    assert read_letter(view, "GERMANY", text).remark in ("", "unclear")


def test_two_remarks_in_one_sentence_are_both_said(view):
    text = "If you give me Belgium, I'll support you into Holland."
    reading = read_letter(view, "GERMANY", text)
    assert {reading.remark, reading.also} == {"centres", "no_such_order"}


def test_what_stands_beside_a_remark_is_not_dropped_in_silence(view):
    text = "Russia told me that you lie, and my fleet sails to Iceland."
    reading = read_letter(view, "GERMANY", text)
    assert (reading.remark, reading.rest) == ("rumour", True)


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("Where is he going next?", "others"),
        ("Fammi sapere se l'Italia va in Tirolo.", "others"),
        ("Where are you going next?", "plans"),
    ],
)
def test_what_somebody_else_does_is_no_plan_of_the_reader(view, text, remark):
    assert read_letter(view, "GERMANY", text).remark == remark


@pytest.mark.parametrize(
    "text",
    [
        "I won't enter Burgundy and neither will you.",
        "No entro en Borgoña y tú tampoco.",
        "Io non entro in Borgogna e tu nemmeno.",
    ],
)
def test_a_no_that_comes_back_is_no_other_no(view, text):
    assert meaning_of(read_letter(view, "GERMANY", text)) == {"zone bur"}


def test_a_no_to_one_thing_is_none_to_another(view):
    for text in (
        "I like the truce, but not Burgundy.",
        "De acuerdo con la paz, pero no con Borgoña.",
    ):
        assert read_letter(view, "GERMANY", text).remark != "refused"


def test_where_a_unit_stands_is_no_place_of_a_zone():
    view = Table(diplomacy, 7).view("ITALY")
    reading = read_letter(view, "FRANCE", "My fleet in Naples will not go to the Tyrrhenian Sea.")
    assert "peace" not in meaning_of(reading)


def test_every_phrase_is_listed_once_and_every_list_is_used():
    data = tomllib.loads((PRESS / "prose.toml").read_text("utf-8"))
    for table in ("spelling", "places", "peoples"):
        assert all(isinstance(words, str) for words in data.pop(table).values())
    source = "".join(path.read_text("utf-8") for path in PRESS.glob("prose*.py"))
    for part, lists in data.items():
        for meaning, phrases in lists.items():
            assert len(set(phrases)) == len(phrases), (part, meaning)
            assert f'"{meaning}"' in source.replace("'", '"'), (part, meaning)
