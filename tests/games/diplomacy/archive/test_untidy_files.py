"""Files with small faults: a game is lost only if it cannot be known how it was played."""

import copy
import json

import pytest
import typer
from typer.testing import CliRunner

from powderkeg.cli.convert import convert_games
from powderkeg.core.errors import Unreadable
from powderkeg.games import open_game_files
from powderkeg.games.diplomacy.archive.forms import list_foreign_games, load_archives
from powderkeg.games.diplomacy.archive.replay import replay_archive
from powderkeg.games.diplomacy.archive.webdiplomacy import export_api_game

from .archive_games import GROWTH, as_dipcc, named, played, saved

app = typer.Typer()
app.command()(convert_games)

HALF_EMOJI = "hi \ud83d"


def replayed(data):
    return replay_archive(load_archives(json.dumps(data))[0])


def converted(*arguments):
    return CliRunner().invoke(app, [str(each) for each in arguments])


def letter(text):
    return {"sender": "FRANCE", "recipient": "ITALY", "message": text}


def api_letter(text):
    return {"fromCountryID": 2, "toCountryID": 3, "message": text}


FORMS = [
    (lambda: saved(GROWTH), letter),
    (lambda: export_api_game(played(GROWTH), "7"), api_letter),
]


@pytest.mark.parametrize(("make", "letter"), FORMS)
def test_half_a_character_in_a_message(tmp_path, make, letter):
    data = make()
    data["phases"][0]["messages"] = [letter(HALF_EMOJI)]
    file, out = tmp_path / "game.json", tmp_path / "ours.jsonl"
    file.write_text(json.dumps(data), encoding="utf-8")
    assert converted(file, out).exit_code == 0
    assert "hi \ufffd" in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(("make", "letter"), FORMS)
def test_messages_without_text_are_left_out(make, letter):
    data = make()
    listed = [letter(None), None, {}, letter("Hello")]
    for messages in (listed, dict(enumerate(listed))):
        data["phases"][0]["messages"] = messages
        assert [each.text for each in replayed(data).letters] == ["Hello"]


@pytest.mark.parametrize("state", [{}, None, {"units": {}}])
@pytest.mark.parametrize("index", [1, 2, -1])
def test_a_phase_without_a_position(state, index):
    data = as_dipcc(saved(GROWTH))
    data["phases"][index]["state"] = state
    assert replayed(data).table.state == played(GROWTH).state


def test_an_end_without_a_position():
    data = saved(GROWTH)
    data["phases"].append({"name": "COMPLETED", "state": {}, "orders": {}})
    assert replayed(data).table.state.ending.how == "draw"


def test_a_position_without_centres():
    data = as_dipcc(saved(GROWTH))
    for phase in data["phases"]:
        del phase["state"]["centers"]
    assert replayed(data).table.state == played(GROWTH).state


@pytest.mark.parametrize("nobody", ["UNOWNED", "Neutral", "NONE"])
def test_what_belongs_to_nobody(nobody):
    data = as_dipcc(saved(GROWTH))
    for phase in data["phases"]:
        phase["orders"][nobody] = []
        phase["state"]["units"][nobody] = []
        phase["state"]["centers"][nobody] = ["BEL"]
        phase["state"]["retreats"][nobody] = {}
    assert replayed(data).table.state == played(GROWTH).state


@pytest.mark.parametrize("change", [{"map": "Standard"}, {"map": "classic"}, {"rules": "NO_PRESS"}])
def test_maps_and_rules_in_other_words(change):
    assert replayed({**saved(GROWTH), **change}).table.state == played(GROWTH).state


# Austria loses Vienna and Trieste; its army from Vienna retreats to Budapest, the other is disbanded.
TWO_BEATEN = [
    "A ven - tyr; A rom - ven; A mun - boh; A war - gal; F tri - adr; A bud - tri",
    "A boh - vie; A gal S A boh - vie; A ven - tri; A tyr S A ven - tri",
    "A vie R bud; A tri D",
]


@pytest.mark.parametrize("written", [["A VIE R BUD"], []])
def test_retreats_that_are_not_written_take_no_place_twice(written):
    data = as_dipcc(saved(TWO_BEATEN))
    named(data, "F1901R")["orders"] = {"AUSTRIA": written}
    assert replayed(data).table.state.units == played(TWO_BEATEN).state.units


def test_two_unwritten_retreats_find_their_own_places():
    moves = [*TWO_BEATEN[:2], "A vie R bud; A tri R ser"]
    data = as_dipcc(saved(moves))
    data["phases"].remove(named(data, "F1901R"))
    assert replayed(data).table.state.units == played(moves).state.units


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("wrong", [["A BUD H"], ["A BUD - SER"], ["A BUD H", "F TRI H", "A VIE H"]])
def test_of_two_copies_of_a_phase_the_one_that_leads_on_counts(first, wrong):
    data = as_dipcc(saved(GROWTH))
    other = copy.deepcopy(data["phases"][0])
    other["orders"] = {**other["orders"], "AUSTRIA": wrong}
    data["phases"].insert(0 if first else 1, other)
    assert replayed(data).table.state == played(GROWTH).state


@pytest.mark.parametrize("written", [["A BUD B"], ["F TRI B"], ["F TRI B", "WAIVE"]])
def test_builds_that_are_not_written_are_seen_in_the_next_position(written):
    data = as_dipcc(saved(GROWTH))
    named(data, "W1901A")["orders"] = {"AUSTRIA": written}
    assert replayed(data).table.state.units == played(GROWTH).state.units


# Russia has an army and a fleet in St Petersburg in turn; France has a fleet in Spain.
COASTS = [
    "F stp/sc - bot; A mos - stp; F bre - mao",
    "A stp - nwy; F mao - spa/nc",
    "F stp/nc B; F bre B",
    "",
]


def rewritten(data, *changes):
    text = json.dumps(data)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return json.loads(text)


@pytest.mark.parametrize(
    "changes",
    [
        [('"A STP"', '"A STP/NC"'), ("A STP - NWY", "A STP/NC - NWY")],
        [("A MOS - STP", "A MOS - STP/NC")],
        [("F MAO - SPA/NC", "F MAO - SPA/NC VIA")],
        [('"F SPA/NC"', '"F SPA"')],
        [('"F STP/NC"', '"F STP"'), ('"F STP/SC"', '"F STP"')],
    ],
)
def test_coasts_and_convoys_that_are_not_needed(changes):
    data = rewritten(as_dipcc(saved(COASTS)), *changes)
    assert replayed(data).table.state == played(COASTS).state


def test_a_beaten_fleet_without_a_coast():
    moves = [
        "F ank - bla; A bud - ser; A vie - bud",
        "F bla - bul/ec; A ser H; A bud - rum",
        "",
        "A ser - bul; A rum S A ser - bul",
        "F bul/ec R bla",
    ]
    data = as_dipcc(saved(moves))
    changes = [(f'"{star}F BUL/EC"', f'"{star}F BUL"') for star in ("", "*")]
    assert replayed(rewritten(data, *changes)).table.state == played(moves).state


def test_files_of_the_same_name_in_different_folders(tmp_path):
    for folder in ("one", "two"):
        (tmp_path / "in" / folder).mkdir(parents=True)
        file = tmp_path / "in" / folder / "game.json"
        file.write_text(json.dumps(saved(GROWTH)), encoding="utf-8")
    assert converted(tmp_path / "in", tmp_path / "out").exit_code == 0
    assert len(list((tmp_path / "out").iterdir())) == 2


def refusal(*arguments):
    with pytest.raises(Unreadable) as error:
        CliRunner().invoke(app, [str(each) for each in arguments], catch_exceptions=False)
    return error.value.code


@pytest.mark.parametrize("out", ["ours.jsonl", "ours"])
def test_nothing_to_convert(tmp_path, out):
    (tmp_path / "empty").mkdir()
    (tmp_path / "list.json").write_text("[]", encoding="utf-8")
    for source in ("empty", "list.json"):
        assert refusal(tmp_path / source, tmp_path / out) == "cli.nothing_to_convert"
    assert not (tmp_path / out).exists()


def test_a_file_that_breaks_off_is_one_broken_game(tmp_path):
    text = json.dumps(saved(GROWTH), indent=1)
    (tmp_path / "game.json").write_text(text[: len(text) // 2], encoding="utf-8")
    code = refusal(tmp_path / "game.json", tmp_path / "ours.jsonl")
    assert code == "archive.broken"
    assert not (tmp_path / "ours.jsonl").exists()


def test_the_game_after_a_broken_one_is_read():
    whole = json.dumps(saved(GROWTH), indent=1)
    broken = whole[: len(whole) // 2]
    found = list(open_game_files(f"{broken}\n{whole}"))
    assert [each.problem is None for each in found] == [False, True]


@pytest.mark.parametrize("out", ["ours.jsonl", "ours"])
def test_no_file_is_written_when_no_game_could_be_converted(tmp_path, out):
    (tmp_path / "games.jsonl").write_text('{"phases": []}\n{"phases": []}\n', encoding="utf-8")
    assert converted(tmp_path / "games.jsonl", tmp_path / out).exit_code == 1
    assert not (tmp_path / out).exists()


@pytest.mark.parametrize("number", ["Italy", float("inf")])
def test_numbers_of_the_api_that_are_none(number):
    data = export_api_game(played(GROWTH), "7")
    data["phases"][0]["messages"] = [{**api_letter("Hello"), "toCountryID": number}]
    with pytest.raises(Unreadable) as error:
        replayed(data)
    assert error.value.code == "archive.at_phase"


@pytest.mark.parametrize(
    ("wrap", "names"),
    [
        (lambda game: {"first": game, "second": game}, ["made", "made"]),
        (lambda game: {"first": {**game, "id": ""}}, ["first"]),
        (lambda game: {"game": {**game, "id": None}, "made by": "somebody"}, ["game"]),
        (lambda game: {"count": 2, "games": [game, game]}, ["made", "made"]),
        (lambda game: game["phases"], ["#1"]),
        (lambda game: {**game, "phases": game["phases"][::-1]}, ["made"]),
        (lambda game: {**game, "map": "standard.map"}, ["made"]),
    ],
)
def test_games_inside_other_objects(wrap, names):
    found = list(open_game_files(json.dumps(wrap(as_dipcc(saved(GROWTH))))))
    assert [game.name for game in found] == names
    assert all(game.problem is None for game in found)


def test_orders_that_are_null_are_none():
    data = as_dipcc(saved(GROWTH))
    for phase in data["phases"]:
        phase["orders"] = {p: [*texts, None] for p, texts in phase["orders"].items() if texts}
    [found] = open_game_files(json.dumps(data))
    assert found.problem is None


def test_a_phase_before_the_game_began_is_left_out():
    data = as_dipcc(saved(GROWTH))
    data["phases"].insert(0, {"name": "FORMING", "state": {"name": "FORMING"}, "orders": {}})
    assert replayed(data).table.state == played(GROWTH).state


def test_orders_listed_by_unit():
    data = as_dipcc(saved(GROWTH))
    for phase in data["phases"]:
        by_unit = {p: {text[:5]: text[6:] for text in o} for p, o in phase["orders"].items() if o}
        phase["orders"] = by_unit
    assert replayed(data).table.state == played(GROWTH).state


# In the package `diplomacy` VIA belongs to moves of armies; elsewhere it makes an order void.
@pytest.mark.parametrize("wrong", ["F BRE - MAO VIA", "A MAR S A PAR - BUR VIA"])
def test_an_order_that_was_void_there_is_void_here(wrong):
    data, unit = saved(["A mun - bur; A par - bur", ""]), wrong[:5]
    first = named(data, "S1901M")
    first["orders"]["FRANCE"] = ["A PAR - BUR", wrong]
    first["results"][unit] = []
    with pytest.raises(Unreadable):
        replayed(data)
    first["results"][unit] = ["void"]
    assert "BUR" not in str(replayed(data).table.state.units)


def test_line_breaks_in_messages_of_webdiplomacy():
    data = as_dipcc(saved(GROWTH))
    data["phases"][0]["messages"] = [letter("Hello! ~N~ How are you?~N~Bye")]
    assert [each.text for each in replayed(data).letters] == ["Hello!\nHow are you?\nBye"]


def test_a_text_of_broken_documents_is_given_up_after_a_few():
    """Each of them may take as long as the whole text: thousands would keep a server busy for hours."""
    assert 1 < len(list_foreign_games('{"a":\n' * 1000)) < 20


@pytest.mark.parametrize("year", ["9" * 5000, "19", "٣٣٣٣", "soon"])
def test_a_time_limit_that_is_no_year_is_none(year):
    data = saved(GROWTH)
    last = data["phases"][-1]
    last["name"] = last["state"]["name"] = "COMPLETED"
    last["state"]["note"] = f"Time limit: {year}"
    assert replayed(data).table.options.last_year == 0
