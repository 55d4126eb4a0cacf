"""Curves of cost against size as SVG: microseconds for one, on a scale of powers of ten."""

from itertools import groupby
from math import ceil, floor, log10
from typing import Final

from powderkeg.bench.figures import Figure

WIDTH, HEIGHT = 640, 320
LEFT, TOP, RIGHT, BOTTOM = 70, 20, 620, 270
INKS: Final = ("#7a1f1f", "#1f4d7a", "#3d6b2f", "#8a6414")


def draw_curves(figures: list[Figure]) -> str:
    """One curve per kind of work; empty without figures."""
    if not figures:
        return ""
    rows = sorted(figures, key=lambda f: (f.work, f.size))
    costs = [1e6 / f.median for f in rows]
    low, high = floor(log10(min(costs))), ceil(log10(max(costs)))
    most = max(f.size for f in rows)
    parts = [*_grid_lines(low, max(high, low + 1), most)]
    for n, (work, group) in enumerate(groupby(rows, lambda f: f.work)):
        points = [_point(f, low, max(high, low + 1), most) for f in group]
        parts.append(_curve(points, INKS[n % len(INKS)], work, n))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="12">\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fbf8f0"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _point(figure: Figure, low: int, high: int, most: float) -> tuple[float, float]:
    share = (log10(1e6 / figure.median) - low) / (high - low)
    return LEFT + (RIGHT - LEFT) * figure.size / most, BOTTOM - (BOTTOM - TOP) * share


def _grid_lines(low: int, high: int, most: float) -> list[str]:
    parts = []
    for power in range(low, high + 1):
        y = BOTTOM - (BOTTOM - TOP) * (power - low) / (high - low)
        parts.append(f'<path d="M{LEFT} {y:.0f}H{RIGHT}" stroke="#d8d0bd"/>')
        label = f"{10.0**power:,g} µs"
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.0f}" text-anchor="end">{label}</text>')
    for part in (0.25, 0.5, 0.75, 1):
        x = LEFT + (RIGHT - LEFT) * part
        label = f"{most * part:g}"
        parts.append(f'<text x="{x:.0f}" y="{BOTTOM + 16}" text-anchor="middle">{label}</text>')
    return parts


def _curve(points: list[tuple[float, float]], ink: str, work: str, n: int) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{ink}"/>' for x, y in points)
    label = f'<text x="{LEFT + 270 * (n % 2)}" y="{HEIGHT - 18 + 14 * (n // 2)}" fill="{ink}">{work}</text>'
    return f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="2"/>{dots}{label}'
