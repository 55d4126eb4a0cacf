"""What forms, lists and checks know about the options of a game."""

from dataclasses import dataclass
from typing import Annotated, Literal

import pytest
import sparks

from powderkeg import games
from powderkeg.core.errors import Unreadable
from powderkeg.core.options import (
    OptionField,
    allowed_values,
    choice_label,
    load_options,
    option_fields,
    option_hint,
    option_label,
)
from powderkeg.core.plain import Between, load
from powderkeg.core.words import say


@dataclass(frozen=True)
class Options:
    length: Literal[20, 15] = 20
    seats: Annotated[int, Between(2, 4)] = 3
    last_year: Annotated[int, Between(0, 2000, 1901)] = 0
    missions: bool = False
    pack: str = ""

    def check_new(self) -> None:
        if self.pack == "harmful":
            raise Unreadable("core.bad_value", where="/pack", wanted="a pack", got="harmful")


def test_options_describe_themselves():
    assert option_fields(Options) == (
        OptionField("length", "choice", 20, (20, 15)),
        OptionField("seats", "int", 3, (), 2, 4),
        OptionField("last_year", "int", 0, (), 0, 2000, 1901),
        OptionField("missions", "bool", default=False),
        OptionField("pack", "text", ""),
    )


def test_what_may_be_typed_is_said_in_words():
    assert [say(allowed_values(field)) for field in option_fields(Options)] == [
        "one of 20, 15",
        "a number from 2 to 4",
        "0 or a number from 1901 to 2000",
        "yes or no (true, false)",
        "text",
    ]


@pytest.mark.parametrize("year", [0, 1901, 2000])
def test_a_value_that_makes_sense_is_taken(year):
    assert load_options(Options, {"last_year": year}).last_year == year


@pytest.mark.parametrize("year", [1, 1800, 1900])
def test_a_value_without_sense_is_refused_for_a_new_game_only(year):
    with pytest.raises(Unreadable, match="0 or a number from 1901 to 2000"):
        load_options(Options, {"last_year": year})
    assert load(Options, {"last_year": year}).last_year == year, "a stored game opens"


def test_what_the_options_refuse_themselves_is_refused_for_a_new_game_only():
    with pytest.raises(Unreadable):
        load_options(Options, {"pack": "harmful"})
    assert load(Options, {"pack": "harmful"}).pack == "harmful", "a stored game opens"


def test_senseless_options_of_diplomacy():
    diplomacy = games.find_game("diplomacy")
    for wrong in ({"last_year": 1800}, {"victory_centres": 2}):
        with pytest.raises(Unreadable):
            load_options(diplomacy.Options, wrong)
    assert load_options(diplomacy.Options, {}) == diplomacy.Options()


def test_labels_come_from_the_catalogue_or_from_the_name():
    risk = games.find_game("risk_europe")
    fields = {field.name: field for field in option_fields(risk.Options)}
    assert say(option_label(risk, fields["missions"], "es"), "es") == "Misiones del Reino"
    assert say(choice_label(risk, fields["tie"], "target", "en")).startswith("all count as tied")
    unknown = OptionField("last_call", "choice", "a", ("a", "b"))
    assert option_label(sparks, unknown, "en") == "last call"
    assert choice_label(sparks, unknown, "b", "en") == "b"
    assert option_hint(sparks, unknown, "en") == ""
