"""Card packs: corrected by their owner, checked, compared, shared and played with."""

import json

import pytest
from typer.testing import CliRunner

from powderkeg import games
from powderkeg.cli.app import app
from powderkeg.cli.cards import packs
from powderkeg.cli.options import read_options
from powderkeg.core import record
from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.words import say
from powderkeg.games import CARD_TOOLS
from powderkeg.games.risk_europe.cards.pack import crown_pack
from powderkeg.games.versailles.cards.reader import default_pack, pack_of

GAMES = tuple(CARD_TOOLS)


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
    assert "events.ho_chi_minh" not in run("list", "versailles", "--doubtful")


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
    assert "stars 6 no_military false°" in shown
    assert "number 1·" in shown


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


def test_an_answer_that_cannot_be_played_is_asked_again_at_once(own_folder):
    answers = ["", "", "Atlantis", "europe", "5", *[""] * 13]  # name, number, region (twice), stars
    said = run("edit", "versailles", "mine", "--card", "silesia", stdin="\n".join(answers) + "\n")
    assert "Atlantis is not known" in said
    card = packs.load_pack_file(own_folder / "versailles" / "mine.toml")["issues"]["silesia"]
    assert card == {"stars": 5, "certainty": {"region": "certain", "stars": "certain"}}


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
    """A whole pack, too, is your own pack, and changes nothing."""
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
def test_doubts_are_listed(game, value, said):
    run("edit", game, "mine", value)
    assert said in run("check", game, "mine")


@pytest.mark.parametrize(
    ("game", "value", "said"),
    [
        ("versailles", "silesia.number=1", "wrong or repeated card numbers: 1"),
        ("risk_europe", "sea_king.mission.least=99", "the box allows"),
    ],
)
def test_faults_are_listed_and_exit_with_an_error(game, value, said):
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


def test_custom_crown_cards_are_used():
    run("edit", "risk_europe", "mine", "treasurer.least=30")
    options = read_options(games.find_game("risk_europe"), ["cards=mine"])
    assert crown_pack(options.cards)["treasurer"].mission.least == 30


def test_a_game_without_cards():
    refused("cards.no_cards", "list", "diplomacy")


# Owners can correct everything


def test_names_are_counted_and_shown(own_folder):
    listed = json.loads(run("list", "versailles", "--json"))["cards"]["issues.fiume"]
    named = json.loads(run("show", "versailles", "fiume", "--json"))["issues.fiume"]
    assert sum(listed.values()) == len(named)
    assert [v["sure"] for v in named if v["path"] == "issues.fiume.name"] == ["reconstructed"]
    assert "Fiume°" in run("show", "versailles", "fiume")


def test_cards_and_options_are_renamed(own_folder):
    run("edit", "versailles", "mine", "fiume.name=Danzig", "fiume.free_city.name=Plebiscite")
    shown = run("show", "versailles", "fiume", "-p", "mine")
    assert "Danzig" in shown
    assert "Plebiscite" in shown
    assert "Danzig°" not in shown
    assert "issues.fiume" in run("show", "versailles", "Danzig", "-p", "mine")


@pytest.mark.parametrize(
    ("lang", "card", "option"),
    [
        ("en", "Fiume", "Free city"),
        ("es", "Fiume", "Ciudad libre"),
        ("it", "Fiume", "Città libera"),
    ],
)
def test_a_difference_shows_the_name_that_a_card_had(own_folder, lang, card, option):
    run("edit", "versailles", "mine", "fiume.name=Danzig", "fiume.free_city.name=Plebiscite")
    shown = run("diff", "versailles", "mine", "--lang", lang)
    assert f'issues.fiume.name "{card}" → "Danzig"' in shown
    assert f'issues.fiume.options.free_city.name "{option}" → "Plebiscite"' in shown
    assert f'"Danzig" → "{card}"' in run("diff", "versailles", "", "mine", "--lang", lang)


def test_a_name_that_one_owner_confirms_is_shown_beside_another(own_folder):
    run("edit", "versailles", "anna", "fiume.name=Danzig")
    run("edit", "versailles", "ben", "--card", "fiume", stdin="=\n" + "\n" * 40)
    shown = run("merge", "versailles", "all", "anna", "ben")
    assert 'issues.fiume.name anna: "Danzig" ben: "Fiume"' in shown


def test_options_are_added_and_removed(own_folder):
    run(
        "edit",
        "versailles",
        "mine",
        "--add",
        "fiume.partition",
        "fiume.partition.happiness=italy -1",
    )
    run(
        "edit",
        "versailles",
        "mine",
        "issues.fiume.options.vote.name=Vote",
        "--remove",
        "fiume.free_city",
    )
    shown = json.loads(run("show", "versailles", "fiume", "-p", "mine", "--json"))["issues.fiume"]
    options = {v["path"].split(".")[3] for v in shown if ".options." in v["path"]}
    assert {"partition", "vote"} <= options
    assert "free_city" not in options
    assert "removed = true" in (own_folder / "versailles" / "mine.toml").read_text("utf-8")
    assert "issues.fiume.options.free_city" in run("diff", "versailles", "mine")
    line = run("diff", "versailles", "mine", "--line").strip()
    assert json.loads(line)["issues.fiume.options.free_city.removed"] is True
    run(
        "edit", "versailles", "mine", "fiume.vote.counters=naval.uk"
    )  # what was written is read again
    refused("cards.no_part", "edit", "versailles", "mine", "--remove", "fiume.atlantis")
    refused("cards.no_part", "edit", "versailles", "mine", "--add", "atlantis.yes")
    refused("versailles.pack_option_id", "edit", "versailles", "mine", "--add", "fiume.To-Poland")


def test_numbers_of_the_board_are_corrected(own_folder):
    run("edit", "versailles", "mine", "board.units_allowed.5=1", "board.demobilise.grey=4,3")
    shown = json.loads(run("show", "versailles", "board", "-p", "mine", "--json"))["board"]
    found = {v["path"]: (v["value"], v["sure"]) for v in shown}
    assert found["board.units_allowed.5"] == (1, "certain")
    assert found["board.units_allowed.0"][1] == "probable"
    assert found["board.demobilise.grey"] == ([4, 3], "certain")
    run("check", "versailles", "mine")


def test_the_packs_of_several_owners_are_put_together(tmp_path):
    packs_ = [str(tmp_path / f"{name}.toml") for name in ("anna", "ben", "carla")]
    run(
        "edit", "versailles", packs_[0], "silesia.stars=4", "prussia.stars=4", "--add", "fiume.vote"
    )
    run("edit", "versailles", packs_[1], "silesia.stars=5", "prussia.stars=4")
    run("edit", "versailles", packs_[2], "silesia.stars=5", "fiume.name=Danzig")
    into = str(tmp_path / "all.toml")
    printed = run("merge", "versailles", into, *packs_)
    assert "issues.silesia.stars" in printed
    assert "Disagreements: 1" in printed
    differs = json.loads(run("diff", "versailles", into, "--json"))
    assert differs["issues.prussia.stars"]["to"] == 4
    assert differs["issues.prussia.stars"]["sure"] == "certain"
    assert differs["issues.silesia.stars"]["to"] == 5
    assert differs["issues.silesia.stars"]["sure"] == "probable"
    assert differs["issues.fiume.name"]["to"] == "Danzig"
    assert any(".options.vote." in path for path in differs)


@pytest.mark.parametrize("lang", ["en", "es", "it"])
def test_a_broken_file_is_explained_in_the_readers_language(tmp_path, lang):
    path = tmp_path / "bad.toml"
    path.write_text("[issues.fiume\nstars = 3\n", "utf-8")
    with pytest.raises(Unreadable) as error:
        packs.load_pack_file(path)
    text = say(error.value.msg, lang)
    assert "TOML" in text
    assert "1" in text
    assert "Expected" not in text


def test_a_name_is_no_markup(own_folder):
    run("edit", "versailles", "mine", "fiume.name=A [/x] B", "fiume.free_city.name=[bold]Vote")
    shown = run("show", "versailles", "fiume", "--pack", "mine")
    assert "A [/x] B" in shown
    assert "[bold]Vote" in shown
