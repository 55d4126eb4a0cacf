"""Card packs of a tiny game: values, names, parts, differences, text, and several owners' packs."""

import pytest

from powderkeg.core.cards import CardTool, certainty_of, mark_value
from powderkeg.core.cards.packs import (
    PackValue,
    add_part,
    blank_part,
    find_part,
    find_path,
    list_changes,
    merge_packs,
    note_certainty,
    pack_differences,
    pack_values,
    parse_changes,
    parse_toml,
    parse_value,
    put_value,
    read_pack_text,
    remove_part,
    spoken_value,
    table_at,
    toml_text,
    typed_text,
)
from powderkeg.core.cards.union import unite_packs
from powderkeg.core.errors import Unreadable
from powderkeg.core.words import Msg

SHIPPED = """
[suits.red]
rank = 3
worth = { gold = 1 }
certainty = { rank = "reconstructed", name = "probable" }

[suits.red.sides.front]
points = 1
certainty = { points = "probable" }

[suits.red.sides.back]
points = 2

[suits.blue]
rank = 2

[suits.blue.sides.front]
points = 5

[board]
size = 8
dice = [1, 2]
word = "go"

[board.zones]
low = 1

[board.certainty]
zones = "probable"

[joker]
rank = 1
certainty = "probable"
"""


def parse_line(text):
    changes = parse_changes(text)
    pack = parse_toml(SHIPPED)
    for path, value in changes.items():
        put_value(pack, path, value, "certain")
    return pack


TOOL = CardTool(
    option="pack",
    whole_tables=("worth",),
    named=("suits.*", "suits.*.sides.*"),
    open_lists={"suits.*.sides": {"points": 0}},
    shipped_pack=lambda: parse_toml(SHIPPED),
    parse_option=parse_line,
    format_option=lambda pack: "",
    card_titles=lambda pack: {"suits.red": Msg("cards.plain", text="Red")},
    part_title=lambda pack, path: None,
    card_preview=lambda pack, path: ({}, {}),
    value_choices=lambda path: {},
    mark_names=lambda option, msg: msg,
    check_pack=lambda pack: [],
)


@pytest.fixture
def pack():
    return TOOL.shipped_pack()


def test_values_come_with_names_and_certainties(pack):
    found = {value.path: value for value in pack_values(pack, TOOL)}
    assert found["suits.red.name"] == PackValue("suits.red.name", "", "probable")
    assert found["suits.red.worth"].value == {"gold": 1}
    assert found["suits.red.rank"].sure == "reconstructed"
    assert found["board.zones.low"].sure == "probable"  # noted for all zones
    assert found["joker.rank"].sure == "probable"  # one word for the whole table
    assert "joker.name" not in found


@pytest.mark.parametrize(
    ("path", "value", "spoken"),
    [
        ("suits.red.name", "", "Red"),
        ("suits.red.name", "Crimson", "Crimson"),
        ("suits.blue.name", "", ""),
        ("suits.red.rank", 3, 3),
    ],
)
def test_a_name_that_the_pack_leaves_out_is_the_title(pack, path, value, spoken):
    assert spoken_value(pack, TOOL, PackValue(path, value, ""), "en").value == spoken


@pytest.mark.parametrize(
    ("sures", "code"),
    [
        (("certain", ""), "a.b"),
        (("probable", "certain"), "cards.marked.probable"),
        (("probable", "reconstructed"), "cards.marked.reconstructed"),
    ],
)
def test_a_text_takes_the_mark_of_its_least_certain_value(sures, code):
    assert mark_value(Msg("a.b"), *sures).code == code


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("suits.red.rank", "suits.red.rank"),
        ("red.rank", "suits.red.rank"),
        ("red.front.points", "suits.red.sides.front.points"),
        ("red.name", "suits.red.name"),
        ("red.back.name", "suits.red.sides.back.name"),
    ],
)
def test_a_value_is_found_by_the_end_of_its_path(pack, name, path):
    assert find_path(pack, TOOL, name) == path


@pytest.mark.parametrize(
    ("name", "code"), [("rank", "cards.many_values"), ("red.runk", "cards.no_value")]
)
def test_a_value_that_is_not_clear(pack, name, code):
    with pytest.raises(Unreadable) as error:
        find_path(pack, TOOL, name)
    assert error.value.code == code


def test_certainties_are_noted_by_value_or_for_the_whole_table(pack):
    note_certainty(pack, "joker.rank", "certain")
    note_certainty(pack, "suits.blue.rank", "probable")
    assert pack["joker"]["certainty"] == "certain"
    assert certainty_of(pack["suits"]["blue"], "rank") == "probable"


def test_parts_are_added_and_removed(pack):
    path = find_part(pack, TOOL, "blue.edge")
    assert path == "suits.blue.sides.edge"
    add_part(pack, TOOL, path, "certain")
    add_part(pack, TOOL, "suits.red.sides.front", "certain")  # is there: nothing changes
    add_part(pack, TOOL, "board.size", "certain")  # no list
    assert table_at(pack, path) == {"points": 0, "certainty": {"points": "certain"}}
    assert table_at(pack, "suits.red.sides.front")["points"] == 1
    remove_part(pack, path)
    assert "edge" not in pack["suits"]["blue"]["sides"]
    assert blank_part(TOOL, "board.size") is None


@pytest.mark.parametrize("name", ["edge", "green.edge", "suits.edge"])
def test_a_part_that_has_no_place(pack, name):
    with pytest.raises(Unreadable):
        find_part(pack, TOOL, name)


def test_a_part_that_is_not_there_cannot_be_removed(pack):
    with pytest.raises(Unreadable):
        remove_part(pack, "suits.red.sides.edge")


OWN = """
name = "mine"

[suits.red]
name = "Crimson"
rank = 4
worth = { gold = 2 }

[suits.red.sides.edge]
points = 3

[suits.red.sides.back]
removed = true
"""


def test_what_an_owner_writes_is_certain_and_comes_back(pack):
    mine = merge_packs(pack, parse_toml(OWN), TOOL)
    assert mine["suits"]["red"]["certainty"] == {
        "rank": "certain",
        "name": "certain",
    }
    assert set(mine["suits"]["red"]["sides"]) == {"front", "edge"}
    again = parse_toml(toml_text(pack_differences(pack, mine, TOOL), "My cards"))
    assert merge_packs(pack, again, TOOL) == mine
    assert pack_differences(pack, pack, TOOL) == {}
    assert pack_differences(pack, {}, TOOL) == {}


def test_a_written_certainty_counts(pack):
    own = parse_toml('[suits.red]\nrank = 4\ncertainty = { rank = "probable" }')
    assert merge_packs(pack, own, TOOL)["suits"]["red"]["certainty"]["rank"] == "probable"


@pytest.mark.parametrize(
    "text",
    [
        "[suits.green]\nrank = 1",
        "[suits.red]\nrunk = 1",
        "[suits.red]\nsides = 1",
        "[board]\nname = 'x'",
        "zzz = 1",
    ],
)
def test_what_has_no_place_is_refused(pack, text):
    with pytest.raises(Unreadable) as error:
        merge_packs(pack, parse_toml(text), TOOL)
    assert error.value.code == "cards.no_place"


def test_changes_are_listed_value_by_value(pack):
    changes = {
        c.path: c for c in list_changes(pack, merge_packs(pack, parse_toml(OWN), TOOL), TOOL)
    }
    assert set(changes) == {
        "suits.red.name",
        "suits.red.rank",
        "suits.red.worth",
        "suits.red.sides.back",
        "suits.red.sides.edge.name",
        "suits.red.sides.edge.points",
    }
    assert changes["suits.red.sides.back"].new is None
    assert changes["suits.red.sides.edge.points"].old is None


@pytest.mark.parametrize(
    ("text", "old", "value"),
    [
        ("4", 1, 4),
        ("gold 2, iron -1", {}, {"gold": 2, "iron": -1}),
        ("{ gold = +2 }", {}, {"gold": 2}),
        ("4,3", [], [4, 3]),
        ("[4, 3]", [], [4, 3]),
        ("naval.uk, empire", [], ["naval.uk", "empire"]),
        ("two words", "", "two words"),
        ('"quoted"', "", "quoted"),
        ("1919", "", "1919"),
        ("true", False, True),
    ],
)
def test_values_as_people_type_them(text, old, value):
    assert parse_value(text, old) == value
    assert parse_value(typed_text(value), old) == value


def test_effects_are_typed_as_in_the_file():
    effects = [{"do": "check", "n": 1}]
    assert parse_value(typed_text(effects), []) == effects
    assert typed_text(value=False) == "false"


def test_a_value_of_another_kind():
    with pytest.raises(Unreadable):
        parse_value("many", 3)


@pytest.mark.parametrize(
    ("text", "line"), [("a = 1\nb = \n", 2), ("[a\n", 1), ("a = [1,\n", 2), ("\n\nx", 3)]
)
def test_a_mistake_in_a_file_is_located(text, line):
    with pytest.raises(Unreadable) as error:
        parse_toml(text)
    assert error.value.code == "cards.toml_mistake"
    assert error.value.msg.args["line"] == line


@pytest.mark.parametrize("text", ["[", "3", "name ="])
def test_what_is_no_line_of_a_pack(text):
    with pytest.raises(Unreadable) as error:
        parse_changes(text)
    assert error.value.code == "cards.not_a_line"


def test_a_pack_is_read_from_a_file_or_a_line(pack):
    assert read_pack_text(TOOL, " ") == pack
    assert read_pack_text(TOOL, '{"suits.red.rank": 9}')["suits"]["red"]["rank"] == 9
    assert read_pack_text(TOOL, "[suits.red]\nrank = 9")["suits"]["red"]["rank"] == 9


def test_odd_keys_are_quoted():
    text = toml_text({"odd key": {"a": 1, "é": [True, "x"]}}, "One\nTwo")
    assert text.startswith("# One\n# Two\n")
    assert parse_toml(text) == {"odd key": {"a": 1, "é": [True, "x"]}}


# Several owners


def owner(*lines):
    return merge_packs(TOOL.shipped_pack(), parse_toml("\n".join(lines)), TOOL)


def test_what_owners_agree_on_is_taken():
    one = owner("[suits.red]", "rank = 4", 'certainty = { rank = "probable" }')
    two = owner("[suits.red]", "rank = 4")
    united, disputed = unite_packs(TOOL, {"one": one, "two": two})
    assert united["suits"]["red"]["rank"] == 4
    assert certainty_of(united["suits"]["red"], "rank") == "certain"
    assert disputed == []


def test_the_majority_counts_and_a_tie_changes_nothing():
    four, five = owner("[suits.red]", "rank = 4"), owner("[suits.red]", "rank = 5")
    united, disputed = unite_packs(TOOL, {"a": four, "b": five, "c": five})
    assert united["suits"]["red"]["rank"] == 5
    assert certainty_of(united["suits"]["red"], "rank") == "probable"
    assert disputed[0].said == {"a": 4, "b": 5, "c": 5}
    united, disputed = unite_packs(TOOL, {"a": four, "b": five})
    assert united["suits"]["red"] == TOOL.shipped_pack()["suits"]["red"]
    assert len(disputed) == 1


def test_parts_of_one_owner_are_taken_over():
    edge = owner("[suits.blue.sides.edge]", "points = 3", 'name = "Edge"')
    gone = owner("[suits.red.sides.back]", "removed = true")
    united, disputed = unite_packs(TOOL, {"a": edge, "b": gone})
    assert united["suits"]["blue"]["sides"]["edge"]["points"] == 3
    assert "back" not in united["suits"]["red"]["sides"]
    assert disputed == []


def test_a_part_that_one_removes_and_another_corrects():
    gone = owner("[suits.red.sides.back]", "removed = true")
    kept = owner("[suits.red.sides.back]", "points = 7")
    united, disputed = unite_packs(TOOL, {"a": gone, "b": kept})
    assert united["suits"]["red"]["sides"]["back"]["points"] == 7
    assert disputed[0].path == "suits.red.sides.back"
    united, disputed = unite_packs(TOOL, {"a": gone, "b": kept, "c": gone})
    assert "back" not in united["suits"]["red"]["sides"]
    assert disputed[0].said == {"a": None, "b": True, "c": None}
