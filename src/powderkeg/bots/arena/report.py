"""The report of a tournament: for people (Markdown and SVG) and for programs (JSON)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from typing import Any

from powderkeg.bots.arena.ratings import MeanInterval, bootstrap_mean, rate_bots, values_by_name
from powderkeg.bots.arena.tournament import (
    DecisionTimes,
    Design,
    Duel,
    GameOutcome,
    Mixed,
    Tournament,
    seat_lineups,
)
from powderkeg.bots.levels import names_model
from powderkeg.bots.models.usage import ModelUsage, total_usage
from powderkeg.bots.process.releases import split_release
from powderkeg.core.words import Arg, Msg, say


def summarize_games(tournament: Tournament, games: Sequence[GameOutcome]) -> dict[str, Any]:
    """All results as numbers."""
    names = [e.name for e in tournament.entrants]
    return {
        "game": tournament.game,
        "players": tournament.players,
        "options": tournament.options,
        "seeds": [tournament.first_seed, tournament.first_seed + tournament.seeds - 1],
        "exact": tournament.exact,
        "foreign": [e.name for e in tournament.entrants if _is_foreign(e.bot)],
        "settings": {e.name: e.settings for e in tournament.entrants if e.settings},
        "games": len(games),
        "models": _model_summary(games),
        "stopped": sum(not g.why for g in games),
        "endings": dict(sorted(Counter(g.why for g in games).items())),
        "faults": _fault_counts(games),
        "duels": [
            _duel_summary(tournament, d, games) for d in tournament.designs if isinstance(d, Duel)
        ],
        "mixed": [
            _mixed_summary(tournament, d, games) for d in tournament.designs if isinstance(d, Mixed)
        ],
        "ratings": {n: r._asdict() for n, r in rate_bots(games).items()} if games else {},
        "times": {name: _time_summary(games, name) for name in names},
        "seats": {name: _seat_summary(games, name) for name in names},
    }


def _is_foreign(spec: str) -> bool:
    return ":" in spec or split_release(spec) is not None or names_model(spec)


def _games_of(
    tournament: Tournament, design: Design, games: Sequence[GameOutcome]
) -> list[GameOutcome]:
    """The games of one design."""
    seeds = range(tournament.first_seed, tournament.first_seed + tournament.seeds)
    wanted = {(s, line) for s in seeds for line in seat_lineups(design, tournament.players, s)}
    return [g for g in games if (g.seed, g.lineup) in wanted]


def _duel_summary(
    tournament: Tournament, duel: Duel, games: Sequence[GameOutcome]
) -> dict[str, Any]:
    """The result of the single bot.

    It is clear if the whole interval is on one side of an equal share.
    """
    found = _games_of(tournament, duel, games)
    if not found:
        return {"a": duel.a, "b": duel.b, "games": 0}
    equal = 1 / tournament.players
    share = bootstrap_mean(_single_seat(duel, found, "shares"))
    wins = bootstrap_mean(_single_seat(duel, found, "wins"))
    return {
        "a": duel.a,
        "b": duel.b,
        "games": len(found),
        "equal": equal,
        "share": share._asdict(),
        "wins": wins._asdict(),
        "clear": [_verdict_code(m, equal) for m in (share, wins)],
        "seats": _seat_summary(found, duel.a) if duel.a != duel.b else {},
    }


def _single_seat(duel: Duel, games: Sequence[GameOutcome], what: str) -> list[tuple[int, float]]:
    """(seed, value) of the single seat; a bot against itself holds every seat in turn."""
    return values_by_name(games, duel.a, lambda g: getattr(g, what))


FEWEST_SEEDS = 5  # fewer seeds give no meaningful interval


def _verdict_code(m: MeanInterval, equal: float) -> str:
    if m.blocks < FEWEST_SEEDS:
        return "few"
    return "above" if m.low > equal else "below" if m.high < equal else "open"


def _mixed_summary(
    tournament: Tournament, mixed: Mixed, games: Sequence[GameOutcome]
) -> dict[str, Any]:
    found = _games_of(tournament, mixed, games)
    seated = {name: values_by_name(found, name, lambda g: g.shares) for name in mixed.names}
    return {
        "names": list(mixed.names),
        "games": len(found),
        "equal": 1 / tournament.players,
        "shares": {
            name: bootstrap_mean(shares)._asdict() for name, shares in seated.items() if shares
        },
    }


def _fault_counts(games: Sequence[GameOutcome]) -> dict[str, dict[str, int]]:
    total: dict[str, Counter[str]] = {}
    for game in games:
        for name, found in game.faults.items():
            total.setdefault(name, Counter()).update(found)
    return {name: dict(sorted(found.items())) for name, found in sorted(total.items())}


def _model_summary(games: Sequence[GameOutcome]) -> list[dict[str, Any]]:
    """What the language models cost, by bot and seat."""
    found: dict[tuple[str, str], list[ModelUsage]] = {}
    for game in games:
        for seat, name in zip(game.seats, game.lineup, strict=True):
            if seat in game.usage:
                found.setdefault((name, seat), []).append(game.usage[seat])
    return [
        {"bot": name, "seat": seat, "games": len(usage), **asdict(total_usage(usage))}
        for (name, seat), usage in sorted(found.items())
    ]


def _time_summary(games: Sequence[GameOutcome], name: str) -> dict[str, float]:
    times = DecisionTimes()
    for game in games:
        times = times.merged_with(game.times.get(name, DecisionTimes()))
    return {
        "decisions": times.decisions,
        "mean_ms": 1000 * times.total / max(1, times.decisions),
        "longest_ms": 1000 * times.longest,
    }


def _seat_summary(games: Sequence[GameOutcome], name: str) -> dict[str, dict[str, float]]:
    """Games, mean share and wins of a bot by seat."""
    held: dict[str, list[tuple[float, float]]] = {}
    for game in games:
        rows = zip(game.seats, game.lineup, game.shares, game.wins, strict=True)
        for seat, who, share, win in rows:
            if who == name:
                held.setdefault(seat, []).append((share, win))
    return {
        seat: {
            "games": len(found),
            "share": sum(s for s, _ in found) / len(found),
            "wins": sum(w for _, w in found) / len(found),
        }
        for seat, found in held.items()
    }


# For people


def report_page(found: dict[str, Any], lang: str = "en") -> str:
    """The report as a Markdown page; its pictures are separate files."""

    def t(code: str, /, **args: Arg) -> str:
        return say(Msg(f"bots.report.{code}", **args), lang)

    name = found["game"].rpartition(".")[2]
    first, last = found["seeds"]
    parts = [
        f"# {t('title', game=name)}",
        t("what", n=found["games"], players=found["players"], first=first, last=last),
        t("timed") if not found["exact"] else _exactness_line(found, t),
        *(
            t("settings", name=name, what=_settings_text(what))
            for name, what in found["settings"].items()
        ),
        t("faultless") if not found["faults"] else t("faults", what=_faults_text(found["faults"])),
    ]
    if found["stopped"]:
        parts.append(t("stopped", n=found["stopped"]))
    if found["duels"]:
        parts += [f"## {t('duels')}", t("duels_what"), _duel_table(found, t)]
        parts.append(f"![{t('duels')}](duels.svg)")
        parts += [f"## {t('by_seat')}", _seat_table(found, t)]
    for mixed in found["mixed"]:
        parts += [f"## {t('mixed')}", _mixed_table(mixed, t)]
    if found["ratings"]:
        parts += [f"## {t('ratings')}", t("ratings_what"), _rating_table(found, t)]
        parts.append(f"![{t('ratings')}](ratings.svg)")
    if found["models"]:
        parts += [f"## {t('models')}", t("models_what"), _model_table(found, t)]
    parts += [f"## {t('times')}", _time_table(found, t)]
    return "\n\n".join(parts) + "\n"


def _exactness_line(found: dict[str, Any], t: Any) -> str:
    """Whether the games can be repeated exactly; unknown for bots from outside the package."""
    foreign = tuple(found["foreign"])
    return str(t("foreign", bots=foreign) if foreign else t("exact"))


def _settings_text(settings: dict[str, Any]) -> str:
    return ", ".join(f"{key}={value}" for key, value in settings.items())


def _faults_text(faults: dict[str, dict[str, int]]) -> str:
    return "; ".join(
        f"{name}: " + ", ".join(f"{what} {n}" for what, n in found.items())
        for name, found in faults.items()
    )


def _markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def percent_interval(m: dict[str, float]) -> str:
    return f"{100 * m['mean']:.1f}% ({100 * m['low']:.1f}-{100 * m['high']:.1f})"


def _duel_table(found: dict[str, Any], t: Any) -> str:
    rows = [
        [
            d["a"],
            d["b"],
            str(d["games"]),
            percent_interval(d["share"]),
            percent_interval(d["wins"]),
            f"{100 * d['equal']:.1f}%",
            t(d["clear"][0]),
        ]
        for d in found["duels"]
        if d["games"]
    ]
    head = [t("one"), t("rest"), t("games"), t("share"), t("wins"), t("equal"), t("verdict")]
    return _markdown_table(head, rows)


def _seat_table(found: dict[str, Any], t: Any) -> str:
    duels = [d for d in found["duels"] if d["games"] and d["seats"]]
    seats = list(dict.fromkeys(s for d in duels for s in d["seats"]))
    rows = [
        [f"{d['a']} / {d['b']}", *(f"{100 * d['seats'][s]['share']:.1f}%" for s in seats)]
        for d in duels
    ]
    return _markdown_table([t("one_rest"), *seats], rows)


def _mixed_table(mixed: dict[str, Any], t: Any) -> str:
    rows = [[name, str(m["n"]), percent_interval(m)] for name, m in mixed["shares"].items()]
    return _markdown_table([t("bot"), t("seats"), t("share")], rows)


def _rating_table(found: dict[str, Any], t: Any) -> str:
    ranked = sorted(found["ratings"].items(), key=lambda item: -item[1]["mu"])
    rows = [
        [name, f"{r['mu']:.1f}", f"{r['sigma']:.1f}", f"{r['low']:.1f}-{r['high']:.1f}"]
        for name, r in ranked
    ]
    return _markdown_table([t("bot"), "mu", "sigma", "95%"], rows)


def _model_table(found: dict[str, Any], t: Any) -> str:
    rows = [
        [
            *(
                str(row[key])
                for key in ("bot", "seat", "games", "requests", "tokens_in", "tokens_out")
            ),
            f"{row['cost']:.4f}" if row["cost"] else "-",
            ", ".join(f"{what} {n}" for what, n in row["faults"].items()) or "-",
        ]
        for row in found["models"]
    ]
    head = ("bot", "seat", "games", "requests", "tokens_in", "tokens_out", "cost", "fault_kinds")
    return _markdown_table([t(name) for name in head], rows)


def _time_table(found: dict[str, Any], t: Any) -> str:
    rows = [
        [name, str(x["decisions"]), f"{x['mean_ms']:.1f}", f"{x['longest_ms']:.0f}"]
        for name, x in found["times"].items()
    ]
    return _markdown_table([t("bot"), t("decisions"), t("mean_ms"), t("longest_ms")], rows)


# Pictures: a dot for the mean, a bar for the interval, a dashed line for equal strength


def report_pictures(found: dict[str, Any]) -> dict[str, str]:
    """File name to SVG."""
    made = {}
    duels = [d for d in found["duels"] if d["games"]]
    if duels:
        rows = [(f"{d['a']} / {d['b']}", *_scale_interval(d["share"], 100)) for d in duels]
        made["duels.svg"] = interval_chart(rows, 100 * duels[0]["equal"], "%")
    if found["ratings"]:
        ranked = sorted(found["ratings"].items(), key=lambda item: -item[1]["mu"])
        made["ratings.svg"] = interval_chart([(n, r["low"], r["mu"], r["high"]) for n, r in ranked])
    return made


def _scale_interval(m: dict[str, float], by: float) -> tuple[float, float, float]:
    return by * m["low"], by * m["mean"], by * m["high"]


CHART_LEFT, CHART_WIDTH, CHART_ROW, CHART_TOP = 170, 460, 26, 14


def interval_chart(
    rows: Sequence[tuple[str, float, float, float]], equal: float | None = None, unit: str = ""
) -> str:
    """A chart of intervals from rows of (label, low, mean, high)."""
    ends = [n for _, low, _, high in rows for n in (low, high)] + ([equal] if equal else [])
    ticks = _axis_ticks(min(ends), max(ends))
    low, high = ticks[0], ticks[-1]
    bottom = CHART_TOP + CHART_ROW * len(rows)

    def x(n: float) -> str:
        return f"{CHART_LEFT + CHART_WIDTH * (n - low) / (high - low):.1f}"

    parts = [_svg_line(x(n), CHART_TOP, x(n), bottom, "#ddd") for n in ticks]
    parts += [_svg_text(x(n), bottom + 16, f"{n:g}{unit}", "middle") for n in ticks]
    if equal is not None:
        parts.append(
            _svg_line(x(equal), CHART_TOP, x(equal), bottom, "#8a2b1d", 'stroke-dasharray="4 3"')
        )
    for number, (label, least, middle, most) in enumerate(rows):
        y = CHART_TOP + CHART_ROW * number + CHART_ROW / 2
        parts.append(_svg_text(str(CHART_LEFT - 12), y + 4, label, "end"))
        parts.append(_svg_line(x(least), y, x(most), y, "#4a3a2a", 'stroke-width="3"'))
        parts.append(f'<circle cx="{x(middle)}" cy="{y:g}" r="5" fill="#4a3a2a"/>')
    size = f'viewBox="0 0 {CHART_LEFT + CHART_WIDTH + 40} {bottom + 28}"'
    style = 'font-family="serif" font-size="13" fill="#222"'
    body = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>\n{body}\n</svg>\n'


def _svg_line(x1: str, y1: float, x2: str, y2: float, colour: str, more: str = "") -> str:
    return f'<line x1="{x1}" y1="{y1:g}" x2="{x2}" y2="{y2:g}" stroke="{colour}" {more}/>'


def _svg_text(x: str, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y:g}" text-anchor="{anchor}">{escape(text)}</text>'


def _axis_ticks(low: float, high: float) -> list[float]:
    """Round numbers that span from `low` to `high`."""
    span = max(high - low, 1e-9)
    step = 10.0 ** len(str(int(span))) / 10
    while span / step < 4:
        step /= 2
    first = step * (low // step)
    ticks = [first]
    while ticks[-1] < high:
        ticks.append(first + step * len(ticks))
    return ticks if len(ticks) > 1 else [first, first + step]
