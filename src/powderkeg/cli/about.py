"""What this Powderkeg is: its version, which rules its tests prove, and how fast it is."""

import json
from pathlib import Path
from typing import Annotated

import typer

import powderkeg
from powderkeg import proof
from powderkeg.cli.say import Lang, console, t, use_language
from powderkeg.core.errors import Unreadable


def count_rules(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    lang: Lang = None,
) -> None:
    """Count the numbered rules that tests prove, and list the others."""
    use_language(lang)
    counts = proof.count_proven()
    if as_json:
        print(json.dumps({name: count._asdict() for name, count in counts.items()}))
        return
    for name, count in counts.items():
        console.print(t("cli.rules", game=name, proven=count.proven, total=count.total))
        if count.missing:
            console.print("  " + t("cli.rules_missing", rules=", ".join(count.missing)))


def print_version(*, lang: Lang = None) -> None:
    """Print the version of Powderkeg."""
    use_language(lang)
    print(powderkeg.__version__)


def run_bench(
    suites: Annotated[
        list[str] | None,
        typer.Argument(
            help="adjudicate, legal, playout, search, env, server, page, start; default: all."
        ),
    ] = None,
    *,
    short: Annotated[bool, typer.Option(help="Fewer and shorter runs: a few minutes.")] = False,
    peers: Annotated[bool, typer.Option(help="Measure other engines, too.")] = True,
    cache: Annotated[Path | None, typer.Option(help="Where other engines are installed.")] = None,
    seed: Annotated[int, typer.Option(help="Equal seeds give equal positions.")] = 1,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write all figures to this file.")
    ] = None,
    write: Annotated[
        Path | None, typer.Option(help="Write page, figures and curves into this folder of docs.")
    ] = None,
    lang: Lang = None,
) -> None:
    """Measure how fast Powderkeg is on this machine, beside other engines."""
    from powderkeg.bench.figures import Bench
    from powderkeg.bench.peers import PeerShelf
    from powderkeg.bench.report import write_files, write_json
    from powderkeg.bench.run import SUITES, run_suites

    use_language(lang)
    names = tuple(suites or SUITES)
    if unknown := [name for name in names if name not in SUITES]:
        raise Unreadable("cli.no_such_suite", suite=unknown[0], suites=", ".join(SUITES))
    shelf = PeerShelf(cache or Path.home() / ".cache" / "powderkeg" / "peers") if peers else None
    bench = run_suites(Bench(short=short, peers=shelf, seed=seed), names)
    if json_file:
        json_file.write_text(write_json(bench), encoding="utf-8")
    if write:
        write_files(bench, write)
