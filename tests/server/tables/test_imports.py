"""Games of other programs become tables: opened, replayed, with the letters of their players."""

import json

import pytest

from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.archive.saved_game import export_game
from tests.games.diplomacy.archive.archive_games import GROWTH, as_dipcc, played
from tests.server.visiting import running

LETTERS = [
    {"sender": "FRANCE", "recipient": "ENGLAND", "time_sent": 5, "message": "The Channel?"},
    {"sender": "ITALY", "recipient": "GLOBAL", "time_sent": 6, "message": "Peace!"},
]


def saved_game(name="friday"):
    data = as_dipcc(export_game(played(GROWTH), name))
    data["phases"][1]["messages"] = LETTERS
    return data


@pytest.mark.slow
def test_games_of_other_programs_are_opened(settings):
    with running(settings, games={"diplomacy": diplomacy}) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        text = json.dumps(saved_game()) + json.dumps(saved_game("sunday"))
        assert ann.post("/imports/games", {"file": text})["names"] == ["friday", "sunday"]
        made = ann.post("/imports", {"file": text, "number": 2, "title": "sunday"})
        assert made["table"]["purpose"] == "study"
        table = made["id"]
        assert "A ser" in ann.get(f"/tables/{table}")["view"]["units"]["AUSTRIA"]
        assert ann.get(f"/tables/{table}/at/0")["view"]["phase"] == "S1901M"
        letters = ann.get(f"/tables/{table}/press")["messages"]
        assert [(each["seat"], each["text"], each["phase"]) for each in letters] == [
            ("FRANCE", "The Channel?", "F1901M"),
            ("ITALY", "Peace!", "F1901M"),
        ]
        assert ben.get(f"/tables/{table}/press", 403)

        for wrong, code in [
            ({"file": text, "number": 3}, "core.no_such_game_in_file"),
            ({"file": "Dear diary"}, "archive.unknown_form"),
            ({"file": json.dumps(saved_game() | {"map": "ancmed"})}, "judge.other_map"),
        ]:
            assert ann.post("/imports", wrong, 422)["code"] == code


@pytest.mark.slow
def test_a_file_has_the_letters_that_its_reader_could_read(settings):
    with running(settings, games={"diplomacy": diplomacy}) as site:
        ann = site.guest("Ann")
        last = saved_game()
        last["phases"].append(
            {**last["phases"][-1], "name": "COMPLETED", "orders": {}, "messages": []}
        )
        table = ann.post("/imports", {"file": json.dumps(last)})["id"]
        file = ann.get(f"/tables/{table}/file", None).text
        again = ann.post("/imports", {"file": file})["id"]
        letters = ann.get(f"/tables/{again}/press")["messages"]
        assert [each["text"] for each in letters] == ["The Channel?", "Peace!"]
