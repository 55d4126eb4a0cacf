"""How fast a table plays: presets that suit the game, weekdays without deadlines, one-screen tables."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
import sparks

from powderkeg.games import diplomacy, risk_europe, versailles
from powderkeg.server.db.table_settings import ClockSettings, dump_settings
from powderkeg.server.lobby import catalog
from powderkeg.server.lobby.presets import find_speed, offered_presets, preset_settings
from powderkeg.server.tables.clock import turn_deadline

MADRID = ZoneInfo("Europe/Madrid")
WEEKEND = (5, 6)


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=MADRID).timestamp()


def shown(seconds):
    return f"{datetime.fromtimestamp(seconds, MADRID):%a %d %H:%M}"


def test_a_bank_of_time_is_offered_only_where_players_take_turns():
    assert "live" not in offered_presets(diplomacy)
    for game in (versailles, risk_europe, sparks):
        assert "live" in offered_presets(game)


@pytest.mark.parametrize(("name", "minutes"), [("five", 5), ("ten", 10), ("fifteen", 15)])
def test_an_evening_has_short_retreats_and_builds(name, minutes):
    clock = preset_settings(name, diplomacy).clock
    assert clock.length == minutes * 60
    assert clock.stages == {"retreat": minutes * 30, "adjustment": minutes * 30}
    assert preset_settings(name, versailles).clock.stages == {}


def test_the_speeds_of_the_presets():
    speeds = {
        name: find_speed(preset_settings(name, sparks).clock) for name in offered_presets(sparks)
    }
    assert speeds == {
        **dict.fromkeys(("bots", "free"), "free"),
        **dict.fromkeys(("five", "ten", "fifteen", "live"), "evening"),
        **dict.fromkeys(("half", "day", "two", "three", "week"), "days"),
    }


@pytest.mark.parametrize("lang", ["en", "es", "it"])
def test_every_preset_and_stage_has_words(lang):
    shown = catalog.present_game(diplomacy, lang)
    texts = [text for x in shown.presets for text in (x.label, x.hint)]
    texts += [stage.label for stage in shown.stages]
    assert [
        text for text in texts if not text or ("." in text.rstrip(".") and " " not in text)
    ] == []


def test_options_that_matter_with_some_numbers_of_players_say_so():
    players = {o.name: o.players for o in catalog.present_game(versailles, "en").options}
    assert players["solo_target"] == [1]
    assert players["exchange_once"] == [2, 3, 4]
    assert players["length"] == []


@pytest.mark.parametrize(
    ("asked", "due"),
    [
        ("2026-11-19T15:00", "Fri 20 15:00"),  # Thursday to Friday
        ("2026-11-20T15:00", "Mon 23 15:00"),  # Friday to Saturday, which waits for Monday
        ("2026-11-21T15:00", "Mon 23 15:00"),
    ],
)
def test_no_deadline_falls_on_a_day_of_rest(asked, due):
    clock = ClockSettings(kind="turn", length=86400, zone="Europe/Madrid", rest=WEEKEND)
    assert shown(turn_deadline(clock, "", at(asked), None)) == due


def test_a_fixed_hour_and_days_of_rest_go_together():
    clock = ClockSettings("turn", 0, 0, 43200, "20:00", "Europe/Madrid", {}, WEEKEND)
    assert shown(turn_deadline(clock, "", at("2026-11-20T12:00"), None)) == "Mon 23 20:00"
    assert shown(turn_deadline(clock, "", at("2026-11-19T06:00"), None)) == "Thu 19 20:00"


def test_an_hour_that_clocks_skip_in_spring_is_the_next_one():
    """A rest that ends on the day when clocks go forward keeps the hour."""
    clock = ClockSettings("turn", 0, 0, 86400, None, "Europe/Madrid", {}, (5,))
    due = turn_deadline(clock, "", at("2026-03-27T12:00"), None)
    assert shown(due) == "Sun 29 12:00"


def test_settings_without_rest_are_stored_as_before():
    assert "rest" not in dump_settings(preset_settings("day", diplomacy))["clock"]
