"""Saves of jDip, written for these tests after its public source."""

import pytest
import typer
from typer.testing import CliRunner

from powderkeg.cli.convert import convert_games
from powderkeg.core.errors import Unreadable
from powderkeg.games import open_game_files
from powderkeg.games.diplomacy.actions import parse_order
from powderkeg.games.diplomacy.archive.forms import load_archives
from powderkeg.games.diplomacy.archive.replay import replay_archive
from powderkeg.games.diplomacy.board import Unit

from .archive_games import GROWTH, STUCK, SWAP, played
from .jdip_saves import Obj, World, jdip_bytes, jdip_text, jdip_world

RETREAT = ["A vie - tyr", "A tyr - ven; F tri S A tyr - ven", "A ven R apu", "A rom D"]
COASTS = ["F stp/sc - bot; A mos - stp", "F bot - swe; A stp - fin", "F stp/nc B"]
SEA = ["F lon - nth; A lvp - yor; F edi - nwg", "A yor - nwy; F nth C A yor - nwy", "A lvp B"]
GAMES = [STUCK, SWAP, GROWTH, RETREAT, COASTS, SEA]


def opened(text):
    return replay_archive(load_archives(text)[0]).table


@pytest.mark.parametrize("moves", GAMES)
def test_a_save_of_jdip_is_played_again(moves):
    table = played(moves)
    again = opened(jdip_text(jdip_world(table)))
    assert again.state.units == table.state.units
    assert again.state.centres == table.state.centres
    assert again.state.dislodged == table.state.dislodged


def test_the_names_of_game_and_players_are_kept():
    [found] = open_game_files(jdip_text(jdip_world(played(GROWTH))))
    assert found.problem is None
    assert found.record.header.names == {"FRANCE": "Zoë"}
    [archive] = load_archives(jdip_text(jdip_world(played(GROWTH))))
    assert archive.id == "Café & friends"


def test_a_save_is_compressed_and_the_command_opens_it(tmp_path):
    save = tmp_path / "evening.dip"
    save.write_bytes(jdip_bytes(played(GROWTH)))
    out = tmp_path / "game.jsonl"
    app = typer.Typer()
    app.command()(convert_games)
    answer = CliRunner().invoke(app, [str(save), str(out)])
    assert answer.exit_code == 0, answer.output
    assert out.read_text(encoding="utf-8").startswith('{"game":"diplomacy"')


def test_a_game_that_ended_in_a_draw_is_over():
    table = played(GROWTH)
    assert not opened(jdip_text(jdip_world(table))).state.ending
    assert opened(jdip_text(jdip_world(table, over=True))).state.ending.how == "draw"


def test_orders_that_jdip_replaced_do_not_count():
    """France's army held in Paris, because jDip refused its order, and the next position shows it."""
    table = played(["A vie - gal"])
    world = World()
    save = jdip_world(table, world)
    turn = next(iter(save.fields["turnStates"].fields["m"].values()))
    bad = world.order("FRANCE", parse_order("A par - bur"))
    orders = turn.fields["orderMap"][world.powers["FRANCE"]]
    orders[:] = [o for o in orders if o.fields["src"].fields["province"] is not world.places["par"]]
    orders.append(bad)
    with pytest.raises(Unreadable) as wrong:
        opened(jdip_text(save))
    assert wrong.value.msg.code == "archive.unit_differs"
    hold = world.order("FRANCE", parse_order("A par H"), "dip.order.")
    result = Obj("dip.order.result.SubstitutedResult", power=None, order=bad, newOrder=hold)
    turn.fields["resultList"].append(result)
    assert Unit("A", "par") in opened(jdip_text(save)).state.units["FRANCE"]


def test_rules_and_maps_that_we_do_not_have_are_named():
    table = played(GROWTH)
    save = jdip_text(jdip_world(table, builds="OptionValue.any-owned"))
    assert problem_of(save) == ("archive.other_rules", "BUILD_ANY")
    world = World()
    world.kinds["F"].fields["internalName"] = "wing"
    assert problem_of(jdip_text(jdip_world(table, world))) == ("archive.other_rules", "wing")
    world = World()
    world.powers["ITALY"].fields["names"][0] = "Carthage"
    assert problem_of(jdip_text(jdip_world(table, world))) == ("judge.other_map", "Standard")
    world = World()
    world.places["par"].fields |= {"fullName": "Lutetia", "shortNames": ["lut"]}
    assert problem_of(jdip_text(jdip_world(table, world))) == ("judge.other_map", "Standard")


def problem_of(text):
    [found] = open_game_files(text)
    assert found.problem is not None
    args = found.problem.msg.args
    assert "{" not in str(found.problem)
    return found.problem.msg.code, args.get("name") or args.get("map")


@pytest.mark.parametrize(
    "text",
    [
        "<jsx",
        "<jsx></jsx>",
        "<jsx><object class='dip.world.World' id='i1'/></jsx>",
        "<?xml version='1.0'?><jsx><reference idref='nowhere'/></jsx>",
        "<!-- note --><jsx><object class='dip.world.World' id='a'><reference idref='a'/></object></jsx>",
        "<jsx><!DOCTYPE a [<!ENTITY b 'c'>]></jsx>",
        "<jsx>" + "<object class='dip.world.World' id='i1'>" * 20_000,
        "<jsx>" + "<object class='x'>" * 20_000 + "</object>" * 20_000 + "</jsx>",
    ],
)
def test_a_broken_save_is_refused_in_words(text):
    [found] = open_game_files(text)
    assert found.problem.msg.code in ("archive.broken", "archive.not_a_saved_game", "archive.empty")
