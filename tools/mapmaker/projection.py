"""From longitude and latitude to the sheet of paper."""

from dataclasses import dataclass, replace
from math import cos, exp, log, log1p, pi, radians, sin, tan
from typing import Any

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Conic:
    """Lambert's conformal conic projection of the unit sphere, y pointing down."""

    parallels: tuple[float, float]
    centre: Point

    def __call__(self, lon: float, lat: float) -> Point:
        n, f = self._cone()
        rho = f / tan(pi / 4 + radians(lat) / 2) ** n
        rho0 = f / tan(pi / 4 + radians(self.centre[1]) / 2) ** n
        theta = n * radians(lon - self.centre[0])
        return rho * sin(theta), rho * cos(theta) - rho0

    def _cone(self) -> Point:
        a, b = (radians(p) for p in self.parallels)
        slope = log(tan(pi / 4 + b / 2) / tan(pi / 4 + a / 2))
        n = log(cos(a) / cos(b)) / slope
        return n, cos(a) * tan(pi / 4 + a / 2) ** n / n


@dataclass(frozen=True, slots=True)
class Lens:
    """Beyond `edge` the sheet is squeezed towards `scale`, softly over about `width`.

    A board needs room where provinces are small. The wide plains of Russia, the far north and
    the ocean give it: the middle keeps its shape and the rim is foreshortened.
    """

    edge: float
    scale: float
    width: float

    def __call__(self, t: float) -> float:
        return t - (1 - self.scale) * self.width * _softplus((t - self.edge) / self.width)


def _softplus(t: float) -> float:
    return t if t > 30 else log1p(exp(t))


@dataclass(frozen=True, slots=True)
class Sheet:
    """A projection fitted to a frame: the west, north, east and south edge pass through `fit`."""

    conic: Conic
    lenses: dict[str, Lens]  # by compass point: w, n, e, s
    width: int
    fit: dict[str, Point]
    scale: float
    offset: Point

    @staticmethod
    def make(spec: dict[str, Any]) -> "Sheet":
        a, b = spec["parallels"]
        lon, lat = spec["centre"]
        lenses = {side: Lens(**lens) for side, lens in spec["lens"].items()}
        fit = {side: (point[0], point[1]) for side, point in spec["fit"].items()}
        raw = Sheet(Conic((a, b), (lon, lat)), lenses, spec["width"], fit, 1.0, (0.0, 0.0))
        west, east = raw(*fit["w"])[0], raw(*fit["e"])[0]
        scale = raw.width / (east - west)
        offset = -west * scale, -raw(*fit["n"])[1] * scale
        return replace(raw, scale=scale, offset=offset)

    @property
    def height(self) -> int:
        return round(self(*self.fit["s"])[1])

    def __call__(self, lon: float, lat: float) -> Point:
        x, y = self.conic(lon, lat)
        if "e" in self.lenses:
            x = self.lenses["e"](x)
        if "w" in self.lenses:
            x = -self.lenses["w"](-x)
        if "s" in self.lenses:
            y = self.lenses["s"](y)
        if "n" in self.lenses:
            y = -self.lenses["n"](-y)
        return x * self.scale + self.offset[0], y * self.scale + self.offset[1]
