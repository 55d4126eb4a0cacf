"""Card packs: corrected by their owner, checked, compared, shared and played with."""

import json

import pytest
from typer.testing import CliRunner

from powderkeg import games
from powderkeg.cli.app import app
from powderkeg.cli.cards import packs
from powderkeg.cli.playout import read_options
from powderkeg.core import record
from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.games.risk_europe.cards.pack import crown_pack
from powderkeg.games.versailles.cards.reader import default_pack, pack_of

GAMES = tuple(packs.CARD_TOOLS)


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("POWDERKEG_DATA", str(tmp_path))
    monkeypatch.setenv("LANG", "en")
    return tmp_path / "packs"


def run(*args, stdin=None, code=0):
    done = CliRunner().invoke(app, ["cards", *args], input=stdin)
    if isinstance(done.exception, RulesError):
        raise done.exception
    assert done.exit_code == code, done.output
    return " ".join(done.output.split())


def refused(code, *args):
    with pytest.raises(Unreadable) as error:
        run(*args)
    assert error.value.code == code
    return str(error.value)


@pytest.mark.parametrize("game", GAMES)
def test_every_card_is_listed_with_its_doubts(game):
    name, tool = packs.card_tool_of(game)
    listed = json.loads(run("list", name, "--json"))["cards"]
    assert set(listed) == set(tool.card_titles(tool.shipped_pack()))
    assert sum(card.get("reconstructed", 0) for card in listed.values()) > 0


def test_doubtful_cards_only():
    assert "issues.rheinland" in run("list", "versailles", "--doubtful")
    assert "events.hughes" not in run("list", "versailles", "--doubtful")


@pytest.mark.parametrize(
    ("lang", "title", "legend"),
    [
        ("en", "French occupation", "nobody has confirmed this value"),
        ("es", "Ocupación francesa", "nadie ha leído todavía"),
        ("it", "Occupazione francese", "nessuno ha ancora letto"),
    ],
)
def test_a_card_is_shown_with_a_mark_beside_reconstructed_values(lang, title, legend):
    shown = run("show", "versailles", "rheinland", "--lang", lang)
    assert title in shown
    assert legend in shown
    assert "stars 6 no_military false °" in shown


def test_a_card_may_be_called_by_its_name():
    assert "issues.rheinland" in run("show", "versailles", "Renania", "--lang", "es")
    refused("cards.no_card", "show", "versailles", "atlantis")


# Editing


def test_corrections_are_kept_and_only_they(own_folder):
    run("edit", "versailles", "mine", "silesia.stars=2", "silesia.no_military=false")
    run("edit", "versailles", "mine", "armenia.us_mandate.happiness=usa -1, uk +1")
    written = packs.load_pack_file(own_folder / "versailles" / "mine.toml")
    mandate = {"happiness": {"usa": -1, "uk": 1}, "certainty": {"happiness": "certain"}}
    assert written["issues"] == {
        "silesia": {"stars": 2, "certainty": {"stars": "certain", "no_military": "certain"}},
        "armenia": {"options": {"us_mandate": mandate}},
    }
    assert written["name"] == "mine"
    assert "mine" in run("list", "versailles")


def test_values_may_be_asked_for_one_by_one(own_folder):
    answers = ["=", "much", "30", "", "", "", ""]  # type, least (twice), unit, then the bonus
    said = run(
        "edit", "risk_europe", "mine", "--card", "treasurer", stdin="\n".join(answers) + "\n"
    )
    assert "“much” is not a valid value here" in said
    mission = packs.load_pack_file(own_folder / "risk_europe" / "mine.toml")["treasurer"]["mission"]
    assert mission == {"least": 30, "certainty": "certain"}


def test_a_confirmed_value_is_no_longer_doubtful():
    was = json.loads(run("list", "versailles", "--json"))["cards"]["issues.silesia"]
    run("edit", "versailles", "mine", f"silesia.stars={default_pack().issues['silesia'].stars}")
    now = json.loads(run("list", "versailles", "-p", "mine", "--json"))["cards"]["issues.silesia"]
    assert now["reconstructed"] == was["reconstructed"] - 1
    assert "1 value differs" in run("diff", "versailles", "mine")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("rheinland.stars", "cards.no_equals"),
        ("rheinland.starz=5", "cards.no_value"),
        ("armenia.happiness={}", "cards.many_values"),
        ("rheinland.stars=many", "cards.bad_value"),
        ("rheinland.stars=true", "cards.bad_value"),
        ("rheinland.region=atlantis", "versailles.pack_unknown"),
    ],
)
def test_what_cannot_be_written_is_refused_and_nothing_is_kept(own_folder, text, code):
    refused(code, "edit", "versailles", "mine", text)
    assert not own_folder.exists()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("name = ", "cards.not_toml"),
        ("[issues.rheinland]\nstarz = 5", "cards.no_place"),
        ("[isues.rheinland]\nstars = 5", "cards.no_place"),
        ("issues = 5", "cards.no_place"),
        ('[issues.rheinland]\nstars = "five"', "versailles.pack_number"),
    ],
)
def test_files_written_by_hand_are_read_with_care(tmp_path, text, code):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    refused(code, "check", "versailles", str(file))


def test_a_misspelt_value_is_answered_with_the_nearest(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("[issues.rheinlnd]\nstars = 5")
    assert "issues.rheinland" in refused("cards.no_place", "check", "versailles", str(file))


@pytest.mark.parametrize("game", GAMES)
def test_what_is_written_is_read_again(game, tmp_path):
    """A whole pack, too, is a pack of one's own, and changes nothing."""
    _, tool = packs.card_tool_of(game)
    packs.save_pack_file(tmp_path / "all.toml", tool.shipped_pack(), "all of it")
    assert packs.load_pack_file(tmp_path / "all.toml") == tool.shipped_pack()
    assert packs.expand_option(game, tool.option, str(tmp_path / "all.toml")) == ""


# Checking


@pytest.mark.parametrize("game", GAMES)
def test_our_packs_have_no_fault_and_no_doubt(game):
    found = json.loads(run("check", game, "--json"))
    assert [finding for finding in found if finding["level"] != "note"] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "value", "said"),
    [
        ("versailles", "rheinland.stars=5", "should be 7 but is 6"),
        ("versailles", "rheinland.stars=5", "Europe: 45 stars, but 46 in the pack"),
        ("versailles", "silesia.stars=9", "cards show 1 to 7"),
        ("versailles", "silesia.to_poland.counters=self_determination", "worse than"),
        ("versailles", "columns.uprising=[0, 0, 0, 0, 0, 0, 0, 0]", "can no longer be played"),
        ("risk_europe", "sea_king.bonus.amount=2", "no better than what everyone has"),
    ],
)
def test_doubts_are_told(game, value, said):
    run("edit", game, "mine", value)
    assert said in run("check", game, "mine")


@pytest.mark.parametrize(
    ("game", "value", "said"),
    [
        ("versailles", "silesia.number=1", "wrong or repeated card numbers: 1"),
        ("risk_europe", "sea_king.mission.least=99", "the box allows"),
    ],
)
def test_faults_are_told_and_end_badly(game, value, said):
    run("edit", game, "mine", value)
    assert said in run("check", game, "mine", code=2)


def test_a_crown_card_worse_than_another(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        "[bowmaster]\n"
        'mission = { type = "units", least = 9, unit = "cavalry" }\n'
        'bonus = { type = "unit_price", amount = 2, unit = "cavalry" }\n'
    )
    said = run("check", "risk_europe", str(file))
    assert "worse than" in said


# Sharing and playing


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "value"), [("versailles", "syria.stars=1"), ("risk_europe", "treasurer.least=30")]
)
def test_a_pack_travels_inside_a_stored_game(game, value, tmp_path, own_folder):
    name, tool = packs.card_tool_of(game)
    run("edit", game, "mine", value)
    line = run("diff", game, "mine", "--line")
    saved = tmp_path / "game.jsonl"
    args = ["play", game, "-o", f"{tool.option}=mine", "--people", "0", "--seed", "1"]
    done = CliRunner().invoke(app, [*args, "--save", str(saved)])
    assert done.exit_code == 0, done.output
    (own_folder / name / "mine.toml").unlink()  # elsewhere there is no such file
    kept = record.read_record(saved.read_text())
    table = record.replay_record(kept, games.find_game(game))
    assert table.result is not None
    assert getattr(table.state.options, tool.option) == line


def test_names_files_and_lines_mean_the_same(own_folder):
    run("edit", "versailles", "mine", "syria.stars=1")
    line = run("diff", "versailles", "mine", "--line")
    rules = games.find_game("versailles")
    for text in ("mine", str(own_folder / "versailles" / "mine.toml"), line):
        options = read_options(rules, [f"pack={text}"])
        assert options.pack == line
    assert pack_of(line).issues["syria"].stars == 1
    assert run("diff", "versailles", line, "mine") == "0 values differ."
    refused("cards.no_pack", "check", "versailles", "yours")
    refused("cli.no_file", "check", "versailles", "yours.toml")


def test_crown_cards_of_ones_own_are_used():
    run("edit", "risk_europe", "mine", "treasurer.least=30")
    options = read_options(games.find_game("risk_europe"), ["cards=mine"])
    assert crown_pack(options.cards)["treasurer"].mission.least == 30


def test_a_game_without_cards():
    refused("cards.no_cards", "list", "diplomacy")
