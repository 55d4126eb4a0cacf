"""From a TOML file of seed points to the files in a game's folder."""

import json
from dataclasses import dataclass
from types import ModuleType
from typing import Final

from tools.mapmaker import chart, diplomacy, risk_europe

MAPS: Final[dict[str, ModuleType]] = {"diplomacy": diplomacy, "risk_europe": risk_europe}


@dataclass(frozen=True, slots=True)
class Built:
    name: str
    svg: str
    anchors: str
    wrong: tuple[str, ...]  # neighbours that the drawing gets wrong
    chart: chart.Chart


def build(name: str) -> Built:
    game = MAPS[name]
    sheet = chart.make(name)
    places = game.sites(sheet)
    data = json.dumps(game.anchors(sheet, places), ensure_ascii=False, separators=(",", ":"))
    # One place a line: a change of the map can be read in a diff.
    text = data.replace('},"', '},\n"') + "\n"
    return Built(
        name, game.drawing(sheet, places), text, tuple(game.wrong_neighbours(sheet)), sheet
    )


def write(made: Built) -> None:
    folder = MAPS[made.name].FOLDER
    (folder / "map.svg").write_text(made.svg, encoding="utf-8")
    (folder / "anchors.json").write_text(made.anchors, encoding="utf-8")
