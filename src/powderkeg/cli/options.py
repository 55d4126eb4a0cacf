"""`powderkeg options`: every option of a game, and how options are written on the command line."""

import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.padding import Padding
from rich.table import Table as Grid

from powderkeg import games
from powderkeg.cli.cards.packs import expand_option
from powderkeg.cli.complete import complete_game
from powderkeg.cli.say import Lang, chosen_language, console, speak_text, t, use_language
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Game, Options, game_message
from powderkeg.core.options import (
    OptionField,
    allowed_values,
    choice_label,
    load_options,
    option_fields,
    option_label,
)

HELP_OPTION = "help"  # `-o help` lists the options instead of playing


def list_options(
    game: Annotated[
        str | None,
        typer.Argument(
            help="diplomacy, versailles or risk_europe; default: all.", autocompletion=complete_game
        ),
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    lang: Lang = None,
) -> None:
    """List the options of a game with their meaning, values and defaults."""
    use_language(lang)
    found = [games.find_game(name) for name in ([game] if game else games.GAME_NAMES)]
    if as_json:
        print(json.dumps({rules.name: options_json(rules) for rules in found}))
        return
    for rules in found:
        print_options_of(rules)


def options_json(rules: Game) -> list[dict[str, Any]]:
    """The options of a game for programs, with labels in the chosen language."""
    lang = chosen_language()
    return [
        {
            "name": field.name,
            "label": speak_text(option_label(rules, field, lang)),
            "kind": field.kind,
            "values": _values_text(rules, field),
            "choices": {str(c): _choice_text(rules, field, c) for c in field.choices},
            "default": field.default,
        }
        for field in option_fields(rules.Options)
    ]


def print_options_of(rules: Game) -> None:
    """Print the options of one game as a list."""
    console.print(t("cli.options", game=game_message(rules)), style="bold", markup=False)
    grid = Grid.grid(padding=(0, 2))
    for field in option_fields(rules.Options):
        grid.add_row(field.name, speak_text(option_label(rules, field, chosen_language())))
        for line in _value_lines(rules, field):
            grid.add_row("", line, style="dim")
    console.print(Padding(grid, (0, 0, 1, 2)))


def _value_lines(rules: Game, field: OptionField) -> Iterator[str]:
    if field.kind != "choice":
        values, default = _values_text(rules, field), _default_text(field)
        yield t("cli.option_values", values=values, default=default)
    for choice in field.choices:
        mark = t("cli.option_default") if choice == field.default else ""
        yield f"{choice}: {_choice_text(rules, field, choice)} {mark}".rstrip()


def _values_text(rules: Game, field: OptionField) -> str:
    tool = games.find_card_tool(rules.name)
    if tool and field.name == tool.option:
        return t("cli.pack_value")
    return speak_text(allowed_values(field))


def _choice_text(rules: Game, field: OptionField, choice: Any) -> str:
    """The words of a choice, without the choice itself in front of them."""
    words = speak_text(choice_label(rules, field, choice, chosen_language()))
    return words.removeprefix(f"{choice}: ")


def _default_text(field: OptionField) -> str:
    if field.kind == "bool":
        return t("cli.yes") if field.default else t("cli.no")
    return str(field.default) or t("cli.none")


# Reading


def read_options(rules: Game, given: list[str]) -> Options:
    """Options written name=value, checked against the game's own."""
    known = {f.name: f for f in option_fields(rules.Options)}
    read: dict[str, Any] = {}
    for pair in given:
        name, _, text = pair.partition("=")
        if name == HELP_OPTION:
            print_options_of(rules)
            raise typer.Exit
        if name not in known:
            raise Unreadable("cli.no_such_option", name=name, options=list(known))
        read[name] = _option_value(expand_option(rules.name, name, text), known[name])
    return load_options(rules.Options, read)


def _option_value(text: str, wanted: OptionField) -> Any:
    if wanted.kind == "bool":
        return BOOLEAN_WORDS.get(text.lower(), text)
    if wanted.kind == "int":
        return int(text) if text.lstrip("-").isdecimal() else text
    if wanted.kind == "choice":
        return next((c for c in wanted.choices if str(c) == text), text)
    return text


BOOLEAN_WORDS = {"true": True, "yes": True, "1": True, "sí": True, "sì": True, "si": True}
BOOLEAN_WORDS |= {"false": False, "no": False, "0": False}
