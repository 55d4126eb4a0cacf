"""Messages become sentences, in every language, and never an exception."""

import gettext

import pytest

from powderkeg.core import words
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Fact, Listed, Section
from powderkeg.core.words import LANGS, Msg, has_words, say


def test_plurals_follow_the_language():
    assert say(Msg("sparks.rolled", seat="red", n=1)) == "red scores 1 point."
    assert say(Msg("sparks.rolled", seat="red", n=2), "es") == "red gana 2 puntos."
    assert say(Msg("sparks.rolled", seat="red", n=1), "it") == "red ottiene 1 punto."


def test_a_number_without_a_plural():
    assert say(Msg("sparks.two_players", n=3)) == "Sparks is for two players, not 3."


def test_messages_nest_and_lists_are_joined():
    cards = [Msg("sparks.card", card=c) for c in ("c1", "c2", "c3")]
    assert say(Msg("sparks.dealt", cards=cards)) == "You hold Card c1, Card c2 and Card c3."
    assert say(cards[:2], "es") == "Carta c1 y Carta c2"
    assert say(cards[:1], "it") == "Carta c1"
    assert say([]) == ""


def test_an_italian_list_says_ed_before_an_e():
    assert words.say(["Siria", "Etiopia"], "it") == "Siria ed Etiopia"
    assert words.say(["Siria", "Arabia"], "it") == "Siria e Arabia"
    assert words.say(["Siria", "Etiopía"], "es") == "Siria y Etiopía"


def test_and_changes_before_the_sound_of_i_in_spanish():
    """Y gives way to e before i and hi, but not before a diphthong."""
    for last in ("Italia", "íberos", "hijos", "Híjar", "«Irlanda»"):
        assert say(["Francia", last], "es") == f"Francia e {last}"
    for last in ("Rusia", "hielo", "hiato", "iones", "Egipto", "3", ""):
        assert say(["Francia", last], "es") == f"Francia y {last}"
    assert say(["Austria", "Francia", "Italia"], "es") == "Austria, Francia e Italia"
    assert say(["France", "Italy"], "en") == "France and Italy"
    assert say(["Francia", "Italia"], "it") == "Francia e Italia"


def test_a_code_without_words_shows_itself():
    assert say(Msg("sparks.unheard_of", n=2, what=Msg("sparks.duck"))) == (
        "sparks.unheard_of (n=2, what=Duck)"
    )
    assert say(Msg("nowhere.at_all")) == "nowhere.at_all"
    assert not has_words("sparks.unheard_of", "en")
    assert has_words("sparks.rolled", "es")
    assert has_words("sparks.duck", "it")


def test_a_slip_in_a_catalogue_does_not_hide_what_happened():
    assert say(Msg("sparks.card")) == "sparks.card"
    assert say(Msg("sparks.card", n=1)) == "sparks.card (n=1)"


def test_numbers_keep_their_format(monkeypatch):
    class Catalogue(gettext.NullTranslations):
        def gettext(self, message):
            return "{n:+d} happiness, {seat:>4}, {x:.1f}"

    monkeypatch.setattr(words, "find_catalogue", lambda domain, lang: Catalogue())
    assert say(Msg("any.code", n=3, seat="red", x=0.25)) == "+3 happiness, red, 0.2"


def test_a_catalogue_cannot_reach_into_objects(monkeypatch):
    class Catalogue(gettext.NullTranslations):
        def gettext(self, message):
            return "{seat.__class__}"

    monkeypatch.setattr(words, "find_catalogue", lambda domain, lang: Catalogue())
    assert say(Msg("any.code", seat="red")) == "any.code (seat=red)"


def test_messages_are_values():
    assert Msg("a.b", n=1) == Msg("a.b", n=1) != Msg("a.b", n=2)
    assert hash(Msg("a.b", n=1)) == hash(Msg("a.b", n=2))
    assert str(Msg("sparks.duck")) == "Duck"


def test_errors_say_why_and_by_which_rule():
    error = Illegal("sparks.not_now", rule="S-01", seat="red", what="duck")
    assert error.code == "sparks.not_now"
    assert str(error) == "red cannot do that now: duck. [S-01]"
    assert str(Illegal("sparks.duck")) == "Duck"


def test_facts_are_for_those_who_may_know():
    secret = Fact(Msg("a.b"), to=frozenset({"red"}))
    public = Fact(Msg("a.b"))
    others = Fact(Msg("a.b"), but=frozenset({"red"}))
    seen = {
        who: [f.seen_by(who) for f in (secret, public, others)] for who in ("red", "blue", None)
    }
    assert seen == {
        "red": [True, True, False],
        "blue": [False, True, True],
        None: [False, True, True],
    }


def test_listed_actions():
    legal = Listed("abc")
    assert len(legal) == legal.count_all() == 3
    assert "b" in legal
    assert list(legal) == ["a", "b", "c"]
    assert repr(legal) == "<3 legal: a, b, c>"
    assert Section(Msg("a.b"), ()).lines == ()


@pytest.mark.parametrize("lang", LANGS)
def test_every_language_has_a_catalogue(lang):
    assert has_words("core.game_over", lang)


def test_an_abbreviation_at_the_end_brings_its_own_full_stop():
    assert say(Msg("sparks.two_players", n="U.S.")) == "Sparks is for two players, not U.S."
    assert say(Msg("sparks.two_players", n="…")) == "Sparks is for two players, not …."
    assert say(Msg("sparks.two_players", n="../..")) == "Sparks is for two players, not ../..."


def test_numbers_have_a_true_minus_sign_and_zero_has_none(monkeypatch):
    monkeypatch.setattr(words, "_message_template", lambda code, lang, n: "{change:+d}")
    said = [say(Msg("a.change", change=n)) for n in (2, 0, -2)]
    assert said == ["+2", "0", "\N{MINUS SIGN}2"]


def test_a_name_takes_its_article_after_a_preposition():
    spoken = {
        "a.moves": "goes {at:from}",
        "a.place.sicily": "Regno di Sicilia",
        "a.place.sicily.from": "dal Regno di Sicilia",
        "a.place.rome": "Roma",
        "a.form.from": "da {name}",
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "_message_template", lambda code, lang, n: spoken.get(code, code))
        assert say(Msg("a.moves", at=Msg("a.place.sicily"))) == "goes dal Regno di Sicilia"
        assert say(Msg("a.moves", at=Msg("a.place.rome"))) == "goes da Roma"
        both = say(Msg("a.moves", at=(Msg("a.place.rome"), Msg("a.place.sicily"))), "xx")
        assert both.startswith("goes ")
        assert both.count("da Roma") == both.count("dal Regno di Sicilia") == 1
