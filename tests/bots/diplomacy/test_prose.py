"""Plain sentences to bots are understood in three languages, or not at all."""

import pytest

from powderkeg.bots.diplomacy.press import envoy
from powderkeg.bots.diplomacy.press.prose import read_promises
from powderkeg.bots.envoy import PromisePart
from powderkeg.core.table import Table
from powderkeg.games import diplomacy

PEACE = PromisePart("peace")
SUPPORT = PromisePart("order", action="A mun S A par - bur")
CHANNEL = PromisePart("zone", places=("eng",))
AGAINST = PromisePart("alliance", against=("GERMANY",))
TYROLIA = PromisePart("order", action="A ven - tyr")


@pytest.fixture(scope="module")
def view():
    return Table(diplomacy, 7).view("FRANCE")


@pytest.mark.parametrize(
    ("to", "text", "part"),
    [
        ("GERMANY", "Shall we have peace this year?", PEACE),
        ("GERMANY", "A truce would suit us both.", PEACE),
        ("GERMANY", "Quiero paz contigo.", PEACE),
        ("GERMANY", "Propongo una tregua.", PEACE),
        ("GERMANY", "Facciamo pace?", PEACE),
        ("GERMANY", "Lieutenant, the traditional peace?", PEACE),
        ("GERMANY", "Una tregua per tradizione?", PEACE),
        ("ENGLAND", "Let's both keep out of the English Channel.", CHANNEL),
        ("ENGLAND", "Una DMZ en el Canal de la Mancha, ¿de acuerdo?", CHANNEL),
        ("ENGLAND", "Stai fuori da Canale della Manica", CHANNEL),
        ("GERMANY", "Would you support my army from Paris to Burgundy with Munich?", SUPPORT),
        ("GERMANY", "¿Apoyas mi ejército de París a Borgoña desde Múnich?", SUPPORT),
        ("GERMANY", "Appoggia la mia armata da Parigi in Borgogna con Monaco.", SUPPORT),
        ("ENGLAND", "Ally with me against Germany!", AGAINST),
        ("ENGLAND", "Aliémonos contra Alemania.", AGAINST),
        ("ENGLAND", "Alleiamoci contro la Germania", AGAINST),
        ("ITALY", "Please move Venice to Tyrolia.", TYROLIA),
        ("ITALY", "Mueve Venecia a Tirol", TYROLIA),
        ("ITALY", "Attacca il Tirolo da Venezia", TYROLIA),
        ("ITALY", "Let's call it a draw.", PromisePart("draw")),
    ],
)
def test_a_simple_sentence_is_understood(view, to, text, part):
    assert read_promises(view, to, text) == [part]
    assert envoy.compose_offer(view, [to], [part])


@pytest.mark.parametrize(
    "text",
    [
        "Nice weather today.",
        "I don't want peace with you.",
        "No quiero paz.",
        "Non voglio la pace",
        "Your word of peace was a lie.",
        "La pace? Mi hai tradito.",
        "Support me into Burgundy.",  # with Paris or with Marseilles?
        "Support Vienna to Moscow.",
        "Move!",
        "",
    ],
)
def test_what_is_not_clear_is_not_guessed(view, text):
    assert read_promises(view, "GERMANY", text) == []
