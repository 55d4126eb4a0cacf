"""What bots say to letters in plain words: one head, then all the rest of the letter."""

from dataclasses import replace

import pytest

from powderkeg.bots.diplomacy.press import envoy
from powderkeg.bots.diplomacy.press.daide import parse_offer
from powderkeg.bots.diplomacy.press.memory import EnvoyMemory, look_back
from powderkeg.core import plain
from powderkeg.core.table import Table
from powderkeg.core.words import say
from powderkeg.games import diplomacy
from tools import conversations

GUESS = "I am not sure that I follow you."


@pytest.fixture(scope="module")
def view():
    return Table(diplomacy, 7).view("FRANCE")


@pytest.mark.parametrize(
    ("earlier", "text", "order"),
    [
        ("Support me into Burgundy.", "Paris", "A Munich supports A Paris"),
        (
            "Support me into Burgundy.",
            "the second one",
            "A Munich supports A Marseilles",
        ),
        ("Peace?", "ok", "peace between France and Germany"),
        (
            "Let us be allies!",
            "Against Russia.",
            "an alliance of France and Germany against Russia",
        ),
    ],
)
def test_a_letter_may_go_on_with_the_one_before(view, earlier, text, order):
    assert order in say(envoy.answer_prose(view, "GERMANY", text, None, earlier))
    assert order not in say(envoy.answer_prose(view, "GERMANY", text))


# What holds between the two


@pytest.fixture(scope="module")
def memory():
    """Germany's memory: peace with France, and a zone with Russia."""
    kept = agreed_with(
        "GERMANY", ("FRANCE", "PCE ( FRA GER )"), ("RUSSIA", "DMZ ( GER RUS ) ( BAL )")
    )
    return plain.dump(kept)


def agreed_with(seat, *deals):
    memory = look_back(Table(diplomacy, 7).view(seat), EnvoyMemory())
    for partner, offer in deals:
        memory = memory.with_deal(partner, parse_offer(offer))
    return memory


def test_what_holds_is_answered_from_the_deals_of_the_two_alone(view, memory):
    said = say(envoy.answer_prose(view, "GERMANY", "Are we still at peace?", memory))
    assert "peace between France and Germany (for 4 movements, this one included)" in said
    assert "Russia" not in said
    assert "Baltic" not in said
    nothing = say(envoy.answer_prose(view, "GERMANY", "Are we still at peace?"))
    assert nothing.startswith("Nothing is agreed between us")


def test_what_holds_is_not_proposed_again(view, memory):
    text = "I won't attack you, and I'll stay out of Burgundy."
    said = say(envoy.answer_prose(view, "GERMANY", text, memory))
    assert "already agreed between us: peace between France and Germany." in said
    assert "“I propose a demilitarised zone without units of France and Germany: Burgundy.”" in said
    again = say(envoy.answer_prose(view, "GERMANY", "Peace?", memory))
    assert again == "This is already agreed between us: peace between France and Germany."


@pytest.fixture(scope="module")
def offering():
    """Germany's memory when it has just offered peace to France, and a zone to Russia."""
    memory = look_back(Table(diplomacy, 7).view("GERMANY"), EnvoyMemory())
    memory = memory.with_proposal("FRANCE", parse_offer("PCE ( FRA GER )"))
    return plain.dump(memory.with_proposal("RUSSIA", parse_offer("DMZ ( GER RUS ) ( BAL )")))


@pytest.mark.parametrize(
    "text",
    [
        *("Yes, let's do that.", "agreed", "No, thanks.", "I accept your offer."),
        *("That works for me", "Sí, hagámoslo.", "Ci sto!"),
    ],
)
def test_a_yes_or_a_no_is_about_what_the_bot_has_offered(view, offering, text):
    said = say(envoy.answer_prose(view, "GERMANY", text, offering))
    assert said.startswith("If this is about what I offered (peace between France and Germany),")
    assert "Baltic" not in said


def test_a_wish_for_what_the_bot_has_offered_is_recognised(view, offering):
    said = say(envoy.answer_prose(view, "GERMANY", "Ok, peace it is.", offering))
    assert said.startswith("That is what I have offered you: peace between France and Germany.")
    said = say(envoy.answer_prose(view, "GERMANY", "Stay out of Burgundy.", offering))
    assert said.startswith("As a formal offer")


def test_a_zone_is_said_to_bind_both(view):
    said = say(envoy.answer_prose(view, "GERMANY", "Please stay out of Burgundy."))
    assert "A zone always binds both" in said


def test_italian_names_have_their_articles(view):
    said = in_italian(view, "Alleiamoci contro la Germania.")
    assert "un'alleanza tra la Francia e l'Italia contro la Germania" in said
    said = in_italian(view, "DMZ in Piemonte?")
    assert (
        "senza unit\N{LATIN SMALL LETTER A WITH GRAVE} della Francia e dell'Italia: Piemonte"
        in said
    )


def in_italian(view, text):
    said = say(envoy.answer_prose(view, "ITALY", text), "it")
    return said.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")


@pytest.mark.parametrize(
    "text", ["Peace, and may your herrings prosper.", "Peace, but only if you give me Belgium."]
)
def test_a_guess_stays_one_beside_an_open_offer_or_a_deal(view, offering, memory, text):
    assert say(envoy.answer_prose(view, "GERMANY", text, offering)).startswith(GUESS)
    said = say(envoy.answer_prose(view, "GERMANY", text, memory))
    assert said.startswith(f"{GUESS} If you mean this, it is already agreed between us: peace")


def test_what_else_a_letter_asks_is_answered_beside_a_no(view, offering):
    text = "No thanks. What did Italy tell you? Herrings sail in June."
    said = say(envoy.answer_prose(view, "GERMANY", text, offering))
    assert said.startswith("If this is about what I offered")
    assert "stays between them and me" in said
    assert said.endswith("This I did not understand: “Herrings sail in June.”")


def test_all_that_was_not_understood_is_named_in_few_words(view):
    text = "Peace? Tulips are red. My cat is blue. My dog barks."
    said = say(envoy.answer_prose(view, "GERMANY", text))
    assert said.endswith("“Tulips are red. My cat is blue. My dog barks.”")
    said = say(
        envoy.answer_prose(view, "GERMANY", f"Peace? {'Herrings sail. ' * 10}{'herring ' * 99}")
    )
    assert said.startswith(GUESS)
    assert said.endswith("...”")
    assert len(said) < 400


def test_a_clause_of_time_is_not_dropped_in_silence(view):
    said = say(envoy.answer_prose(view, "GERMANY", "Peace before the English wake up?"))
    assert said.startswith(GUESS)
    assert said.endswith("The rest I did not understand.")


def test_a_guess_has_its_remark_and_what_was_not_read(view):
    text = "Peace, but only if you give me Belgium. Tulips are red."
    said = say(envoy.answer_prose(view, "GERMANY", text))
    assert "who gets which centre" in said
    assert "Tulips" in said


@pytest.mark.parametrize("text", ["yes", "Exactly.", "that's what I mean", "esatto", "eso es"])
def test_a_yes_to_a_guess_makes_it_sure(view, text):
    earlier = "Peace, and may your herrings prosper."
    said = say(envoy.answer_prose(view, "GERMANY", text, None, earlier))
    assert said.startswith("As a formal offer, this would be: “I propose peace")
    assert "herrings" not in said


@pytest.mark.parametrize("text", ["No.", "nah", "never"])
def test_a_no_to_a_guess_ends_it(view, text):
    earlier = "Peace, and may your herrings prosper."
    answer = envoy.answer_prose(view, "GERMANY", text, None, earlier)
    assert answer.code == "bots.prose.no_offer"


def test_an_offer_that_was_declined_is_no_longer_open(view):
    now = look_back(Table(diplomacy, 7).view("GERMANY"), EnvoyMemory())
    peace = parse_offer("PCE ( FRA GER )")
    now = now.with_proposal("FRANCE", peace)
    assert now.offers_to("FRANCE") == [peace]
    assert now.offers_to("RUSSIA") == []
    closed = now.with_refusal("FRANCE", peace)
    assert closed.offers_to("FRANCE") == []
    answer = envoy.answer_prose(view, "GERMANY", "Peace?", plain.dump(closed))
    assert answer.code == "bots.prose.understood"


def test_who_asks_for_an_ally_hears_of_the_offer_that_is_open(view, offering):
    said = say(envoy.answer_prose(view, "GERMANY", "Shall we be allies?", offering))
    assert "name that power" in said
    assert "still open: peace between France and Germany" in said


@pytest.mark.parametrize(
    "text", ["Support me into Burgundy.", "Can you support me?", "Munich holds."]
)
def test_a_cautious_bot_says_at_once_that_it_promises_no_orders(view, text):
    now = look_back(Table(diplomacy, 7).view("GERMANY"), EnvoyMemory())
    cautious = plain.dump(replace(now, character="cautious"))
    answer = envoy.answer_prose(view, "GERMANY", text, cautious)
    assert answer.code == "bots.press.why.orders"
    own = envoy.answer_prose(view, "GERMANY", "I'll move Paris to Picardy.", cautious)
    assert own.code == "bots.prose.understood"


def test_small_talk_and_questions_about_the_bot_get_their_own_answers(view):
    codes = {
        text: envoy.answer_prose(view, "GERMANY", text).code
        for text in ("The weather in Paris is lovely today.", "How old are you?", "sup?")
    }
    assert [*codes.values()] == ["bots.prose.small_talk", "bots.prose.chat", "bots.prose.chat"]


def test_a_letter_not_understood_is_answered_with_few_of_its_names(view):
    text = (
        "Paris, Brest, Marseilles, Munich, Kiel, Berlin, Vienna, Trieste, Rome, Naples and Venice!"
    )
    answer = envoy.answer_prose(view, "GERMANY", text)
    assert answer.code == "bots.prose.unclear_about"
    assert len(answer.args["names"]) == 8


def test_a_letter_with_a_clear_and_an_unclear_part_says_both(view):
    said = say(envoy.answer_prose(view, "GERMANY", "Peace? And let's be allies!"))
    assert "peace between France and Germany" in said
    assert "name that power" in said


def test_a_letter_that_fits_several_orders_is_asked_back(view):
    said = say(envoy.answer_prose(view, "GERMANY", "Support me into Burgundy."))
    assert said.count("A Munich supports A") == 2
    assert "Which one do you mean?" in said


def test_an_unclear_letter_names_what_was_recognised(view):
    said = say(envoy.answer_prose(view, "GERMANY", "I was going to write about peace."))
    assert said.startswith("I did not understand what you want; all I recognised is this: peace.")
    assert "between France and Germany" not in said


def test_a_letter_that_asks_two_things_gets_two_answers(view):
    text = "What are your plans? And what did Italy tell you?"
    said = say(envoy.answer_prose(view, "GERMANY", text))
    assert "I do not say what I plan" in said
    assert "stays between them and me" in said


def test_a_letter_says_which_of_its_sentences_was_not_understood(view):
    text = "Let's have peace. My cat walked over the keyboard all morning."
    said = say(envoy.answer_prose(view, "GERMANY", text))
    assert "peace between France and Germany" in said
    assert "This I did not understand: “My cat walked over the keyboard all morning.”" in said


def test_a_question_without_names_is_not_answered(view):
    said = say(envoy.answer_prose(view, "GERMANY", "Who do you think will win?"))
    assert said.startswith("I cannot answer that.")


# The conversations in the docs


@pytest.mark.slow
def test_the_page_shows_what_bots_say():
    assert conversations.write_page() == conversations.PAGE.read_text(encoding="utf-8")


def test_there_are_ten_in_three_languages():
    assert len(conversations.SCRIPTS) == 10
    assert {script.lang for script in conversations.SCRIPTS} == {"en", "es", "it"}
    assert {script.character for script in conversations.SCRIPTS} >= {"loyal", "cautious"}
