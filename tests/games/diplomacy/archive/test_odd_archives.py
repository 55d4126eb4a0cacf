"""Archives as a stranger might keep them: odd but valid ones are read, others refused with the place."""

import copy
import gzip
import json
from typing import Any, cast

import pytest

from powderkeg.core import record
from powderkeg.core.errors import RulesError
from powderkeg.core.game_files import decode_game_file
from powderkeg.games import find_game, open_game_files
from powderkeg.games.diplomacy.archive.results_text import export_judge_text
from powderkeg.games.diplomacy.archive.webdiplomacy import export_api_game

from .archive_games import GROWTH, as_dipcc, played, saved
from .jdip_saves import jdip_text, jdip_world
from .test_other_forms import MAIL, PAGE, RETREAT, SEASONS


def opened(data):
    """The games in a file; bytes as a disk has them, or what JSON or a text is made of."""
    text = data if isinstance(data, str | bytes) else json.dumps(data)
    return list(open_game_files(decode_game_file(text.encode() if isinstance(text, str) else text)))


def changed(data, change):
    data = copy.deepcopy(data)
    change(data)
    return data


def swapped(data, *pairs):
    text = json.dumps(data)
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return json.loads(text)


def all_phases(change):
    def change_all(data):
        for phase in data["phases"]:
            change(phase)

    return change_all


def as_texts(data):
    """The same with every number written as a text, as PHP does."""
    if isinstance(data, dict):
        return {key: as_texts(value) for key, value in data.items()}
    if isinstance(data, list):
        return [as_texts(each) for each in data]
    return str(data) if type(data) is int else data


DIPCC, SAVED, API = as_dipcc(saved(GROWTH)), saved(GROWTH), export_api_game(played(GROWTH), "12")
API_RETREAT, JDIP = export_api_game(played(RETREAT), "13"), jdip_text(jdip_world(played(GROWTH)))
JUDGED = export_judge_text(played(RETREAT), "evening")
WINDOWS = "\ufeff{}"
MOVED = {"type": "MOVE", "result": "SUCCEEDS"}
BY_SEASON: dict[str, Any] = cast(Any, SEASONS)["seasons"]

READ = {
    "dipcc: Windows": WINDOWS.format(json.dumps(DIPCC, indent=1)).replace("\n", "\r\n"),
    "dipcc: UTF-16": json.dumps(DIPCC).encode("utf-16"),
    "dipcc: neither id nor map": {"phases": DIPCC["phases"]},
    "dipcc: small letters": changed(
        DIPCC, all_phases(lambda phase: phase.update(name=phase["name"].lower()))
    ),
    "dipcc: short powers": swapped(DIPCC, ('"AUSTRIA"', '"AUS"'), ('"ENGLAND"', '"Eng"')),
    "dipcc: names only in the state": changed(DIPCC, all_phases(lambda phase: phase.pop("name"))),
    "dipcc: map with a path": {**DIPCC, "map": "maps/standard.map"},
    "dipcc: pairs of name and game": [["one", DIPCC], ["two", DIPCC]],
    "dipcc: blank lines": f"\n\n{json.dumps(DIPCC)}\n\n{json.dumps(DIPCC)}\n",
    "dipcc: an end without units": {
        **DIPCC,
        "phases": [*DIPCC["phases"], {"name": "COMPLETED", "state": {"name": "COMPLETED"}}],
    },
    "package: results as objects": changed(
        SAVED,
        lambda game: [p.update(results={"A PAR": [{"code": 1}]}) for p in game["phases"][:-1]],
    ),
    "package: messages by time": changed(
        SAVED, all_phases(lambda phase: phase.update(messages={"1": {"message": "Hello"}}))
    ),
    "package: other rules": {**SAVED, "rules": ["CIVIL_DISORDER", "HOLD_WIN", "SOLITAIRE"]},
    "package: phases in any order": changed(
        SAVED, lambda game: game["phases"].sort(key=lambda phase: phase["name"])
    ),
    "package: builds in words": swapped(SAVED, ("A BUD B", "Build Army Budapest")),
    "package: no retreats": changed(
        saved(RETREAT),
        lambda game: game.update(phases=[p for p in game["phases"] if p["name"][-1] != "R"]),
    ),
    "judge: Windows": WINDOWS.format(MAIL[MAIL.index("Movement") :]).replace("\n", "\r\n"),
    "judge: Latin-1": MAIL.replace("the judge", "José").encode("latin-1"),
    "judge: a quoted mail": "\n".join(f"> {line}" for line in MAIL.splitlines()),
    "judge: a reply below the moves": MAIL.replace(
        "\nMovement results for Fall",
        "\n> France: Army Paris -> Gascony.\nMovement results for Fall",
    ),
    "judge: letters between the mails": MAIL.replace(
        "\nMovement results for Fall",
        "\nSubject: Fleet orders - and more\nNote: army of mine, be brave.\n\nMovement results for Fall",
    ),
    "judge: civil disorder": MAIL.replace("\nRussia:", "\nTurkey: Civil disorder.\nRussia:", 1),
    "judge: autumn": JUDGED.replace("for Fall", "for Autumn"),
    "judge: removed by the judge": JUDGED.replace("Removes", "Defaults, removing"),
    "judge: short coasts": MAIL.replace("(south coast)", "(SC)").replace("(north coast)", "(nc)"),
    "judge: a slip": MAIL.replace("Liverpool", "Liverpol"),
    "judge: capitals": MAIL.replace("Austria:", "AUSTRIA:"),
    "webDiplomacy: texts for numbers": as_texts(API),
    "webDiplomacy: Windows": WINDOWS.format(json.dumps(API, indent=1)).replace("\n", "\r\n"),
    "webDiplomacy: no messages": changed(API, all_phases(lambda phase: phase.pop("messages"))),
    "webDiplomacy: no centres": changed(API, all_phases(lambda phase: phase.pop("centers"))),
    "webDiplomacy: no units in a phase": changed(API, lambda game: game["phases"][1].pop("units")),
    "webDiplomacy: true and false": swapped(
        API_RETREAT, ('"retreating": "Yes"', '"retreating": true')
    ),
    "webDiplomacy: before and after": changed(
        API,
        lambda game: game["phases"].extend(
            {"turn": turn, "phase": phase, "units": []}
            for turn, phase in ((0, "Pre-game"), (3, "Finished"))
        ),
    ),
    "webDiplomacy: small letters": changed(
        API, all_phases(lambda phase: phase.update(phase=phase["phase"].lower()))
    ),
    "webDiplomacy: no variant": {"gameID": 12, "phases": API["phases"]},
    "webDiplomacy: backwards, no retreats": {
        **API_RETREAT,
        "phases": [p for p in API_RETREAT["phases"][::-1] if p["phase"] != "Retreats"],
    },
    "Backstabbr: season first": {
        "seasons": {" ".join(name.split()[::-1]): it for name, it in BY_SEASON.items()}
    },
    "Backstabbr: underlines": {
        "seasons": {name.title().replace(" ", "_"): it for name, it in BY_SEASON.items()}
    },
    "Backstabbr: autumn": swapped(SEASONS, ("1901 fall", "1901 autumn")),
    "Backstabbr: small letters": swapped(SEASONS, ('"MOVE"', '"move"'), ('"FAILS"', '"fails"')),
    "Backstabbr: an empty season": {"seasons": {**BY_SEASON, "1902 spring": {}}},
    "Backstabbr: a season of nothing": {"seasons": {**BY_SEASON, "1902 spring": None}},
    "Backstabbr: nobody ordered": {
        "seasons": {**BY_SEASON, "1902 spring": {"orders": {"Italy": [], "France": None}}}
    },
    "Backstabbr: a page with an open season": f"{PAGE}\nSpring 1902\n",
    "Backstabbr: a page with a reply": PAGE.replace(
        "\nFall 1901", "\n> France: Par - Gas\nFall 1901"
    ),
    "Backstabbr: a page, year first": PAGE.replace("Spring 1901", "1901 Spring"),
    "Backstabbr: a page from Windows": WINDOWS.format(PAGE).replace("\n", "\r\n"),
    "Backstabbr: a page in Markdown": PAGE.replace("Spring 1901", "## **Spring 1901**"),
    "Backstabbr: a page in capitals": PAGE.upper(),
    "jDip: Windows": WINDOWS.format(JDIP).replace("\n", "\r\n"),
    "jDip: Latin-1": JDIP.replace("UTF-8", "ISO-8859-1").encode("latin-1"),
    "jDip: UTF-16": JDIP.encode("utf-16"),
    "jDip: compressed": gzip.compress(JDIP.encode()),
    "jDip: a variant's name": JDIP.replace("Standard", "Standard 1.6"),
    "jDip: no positions": JDIP.replace("provArray", "other"),
    "jDip: no name": JDIP.replace("Café &amp; friends", ""),
}


# The tidy game behind each case: of the form, or of the case itself.
TIDY: dict[str, Any] = {
    "dipcc": DIPCC,
    "package": SAVED,
    "package: no retreats": saved(RETREAT),
    "judge": MAIL,
    "judge: autumn": JUDGED,
    "judge: removed by the judge": JUDGED,
    "webDiplomacy": API,
    "webDiplomacy: true and false": API_RETREAT,
    "webDiplomacy: backwards, no retreats": API_RETREAT,
    "Backstabbr": SEASONS,
    "jDip": JDIP,
}
TIDY |= {name: PAGE for name in READ if "a page" in name}


def position_of(state):
    """Season and year (whether the game is over or not), units and centres."""
    units = {power: set(listed) for power, listed in state.units.items()}
    return state.phase[:-1], units, state.centres


def final_position(found):
    assert found.problem is None
    return position_of(record.replay_record(found.record, find_game("diplomacy")).state)


@pytest.mark.parametrize("name", READ)
def test_an_odd_archive_is_read(name):
    """It leads to the same position as the tidy game."""
    [tidy] = opened(TIDY.get(name) or TIDY[name.split(":")[0]])
    found = opened(READ[name])
    assert found
    assert [final_position(game) for game in found] == [final_position(tidy)] * len(found)


@pytest.mark.parametrize(
    ("tidy", "moves"),
    [
        (DIPCC, GROWTH),
        (SAVED, GROWTH),
        (API, GROWTH),
        (JDIP, GROWTH),
        (JUDGED, RETREAT),
        (API_RETREAT, RETREAT),
    ],
)
def test_a_tidy_archive_leads_where_the_game_led(tidy, moves):
    [found] = opened(tidy)
    assert final_position(found) == position_of(played(moves).state)


REFUSED = {  # the file, and what the refusal names
    "dipcc: no phases": ({**DIPCC, "phases": None}, "“phases”"),
    "dipcc: a list as a phase": (
        changed(DIPCC, lambda game: game["phases"].insert(1, [])),
        "Phase 2 of the file",
    ),
    "dipcc: a phase without name": (
        changed(DIPCC, lambda game: game["phases"].insert(1, {"orders": {}})),
        "Phase 2 of the file",
    ),
    "dipcc: another place": (swapped(DIPCC, ('"F TRI"', '"F XYZ"')), "(S1901M): No place"),
    "dipcc: another power": (swapped(DIPCC, ('"TURKEY"', '"NARNIA"')), "(S1901M): There is no"),
    "dipcc: units in a text": (
        changed(DIPCC, lambda game: game["phases"][1]["state"]["units"].update(FRANCE="A PAR")),
        "(F1901M): “units”",
    ),
    "dipcc: broken JSON": (f"{json.dumps(DIPCC)[:-1]},}}", "line 1, column"),
    "package: another map": ({**SAVED, "map": "pure"}, "“pure”"),
    "package: house rules": ({**SAVED, "rules": ["build_any"]}, "BUILD_ANY"),
    "package: an unknown phase": (
        changed(SAVED, lambda game: game["phases"].insert(2, {"name": "S1901X"})),
        "Phase 3 of the file (S1901X)",
    ),
    "package: a fault after the beginning": (
        {**SAVED, "phases": [{"name": "FORMING"}, SAVED["phases"][0], {"name": "S1901X"}]},
        "Phase 3 of the file (S1901X)",
    ),
    "package: orders in numbers": (
        changed(SAVED, lambda game: game["phases"][1]["orders"].update(FRANCE=[1])),
        "(F1901M): “orders”",
    ),
    "package: a phase is missing": (
        changed(SAVED, lambda game: game["phases"].pop(1)),
        "Winter 1901",
    ),
    "judge: another variant": (MAIL.replace("Austria", "India"), "(S1901M): There is no power"),
    "judge: a later beginning": (MAIL.replace("1901", "1902"), "Spring 1902"),
    "judge: no retreats": (
        f"{JUDGED.split('Retreat results')[0]}Adjustment{JUDGED.split('Adjustment')[1]}",
        "our rules with Fall 1901, retreats",
    ),
    "judge: a removal that is not due": (
        f"{MAIL}Turkey: Removes the army in Smyrna.\n",
        "“A smy D” (Turkey)",
    ),
    "judge: a winter without anything due": (
        f"{export_judge_text(played(['A par - bur', '']), 'evening')}\n"
        + MAIL[MAIL.index("Adjustment") :],
        "it continues with Winter 1901",
    ),
    "webDiplomacy: another variant": ({**API, "variantID": 2}, "variant 2"),
    "webDiplomacy: a number too large": (
        changed(API, lambda game: game["phases"][1]["units"][0].update(terrID=99)),
        "(Diplomacy 1): “terrID” is 99",
    ),
    "webDiplomacy: no place": (
        changed(API, lambda game: game["phases"][1]["units"][0].pop("terrID")),
        "(Diplomacy 1): “terrID” is missing",
    ),
    "webDiplomacy: another kind of order": (
        changed(API, lambda game: game["phases"][0]["orders"][0].update(type="Dance")),
        "(Diplomacy 0): “type: Dance”",
    ),
    "webDiplomacy: a fault after the beginning": (
        changed(
            {**API, "phases": [{"turn": 0, "phase": "Pre-game"}, *API["phases"]]},
            lambda game: game["phases"][2]["units"][0].pop("terrID"),
        ),
        "Phase 3 of the file (Diplomacy 1)",
    ),
    "webDiplomacy: a support without units": (
        changed(API_RETREAT, lambda game: game["phases"][1].pop("units")),
        "(Diplomacy 1): “units” is missing",
    ),
    "webDiplomacy: no turn": (
        changed(API, lambda game: game["phases"][1].pop("turn")),
        "“turn” is missing",
    ),
    "Backstabbr: another season": (swapped(SEASONS, ("1901 fall", "year 2")), "“year 2”"),
    "Backstabbr: another place": (swapped(SEASONS, ('"Apu"', '"Xyz"')), "(1901 fall): No place"),
    "Backstabbr: another kind of order": (
        swapped(SEASONS, ('"HOLD"', '"DANCE"')),
        "(1901 spring): “Ven: DANCE”",
    ),
    "Backstabbr: a move to nowhere": (
        swapped(SEASONS, ('"MOVE", "to": "Tyr"', '"MOVE"')),
        "(1901 spring): “Vie: to” is missing",
    ),
    "Backstabbr: a move that cannot have succeeded": (
        swapped(SEASONS, ('"to": "Tyr"', '"to": "Par"')),
        "Spring 1901, movement: the order “vie - par” (Austria)",
    ),
    "Backstabbr: a fleet on one of two coasts": (
        {
            "seasons": {
                "1901 spring": {"orders": {"France": {"Bre": MOVED | {"to": "MAO"}}}},
                "1901 fall": {"orders": {"France": {"MAO": MOVED | {"to": "Spa"}}}},
            }
        },
        "the order “mao - spa” (France)",
    ),
    "Backstabbr: no kind": (
        swapped(SEASONS, ('"type": "HOLD", ', "")),
        "(1901 spring): “type” is missing",
    ),
    "jDip: it breaks off": (JDIP[: len(JDIP) // 2], "line 2, column"),
    "jDip: another year": (JDIP.replace('value="1901"', 'value="AD 1"'), "AD 1 movement"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused_with_its_place(name):
    data, place = REFUSED[name]
    [found] = opened(data)
    assert place in str(found.problem)


# St Petersburg's northern coast is 78, the province 32; Norway is 35 and Sweden 34.
COASTS = [
    "F stp/sc - bot",
    "F bot - swe",
    "F stp/nc B",
    "F stp/nc - nwy; F swe S F stp/nc - nwy",
    "",
]


@pytest.mark.parametrize("moves", [RETREAT, COASTS])
def test_answers_of_the_site_itself(moves):
    """Retreats list only the units that retreat, builds have no unit, and what is supported stands in
    a province, on no coast."""
    data = export_api_game(played(moves), "407459") | {"standoffs": [], "votes": None}
    for phase in data["phases"]:
        if phase["phase"] == "Retreats":
            phase["units"] = [unit for unit in phase["units"] if unit["retreating"] == "Yes"]
        for order in phase["orders"]:
            order["fromTerrID"] = 32 if order["fromTerrID"] == 78 else order["fromTerrID"]
            if order["type"].startswith("Build"):
                order |= {"unitType": "", "terrID": order["toTerrID"], "toTerrID": 0}
    [found] = opened(data)
    assert found.problem is None
    again = record.replay_record(found.record, find_game("diplomacy"))
    assert again.state.units == played(moves).state.units


def test_a_damaged_archive_is_called_so():
    with pytest.raises(RulesError, match="damaged"):
        opened(gzip.compress(json.dumps(DIPCC).encode())[:-30])
