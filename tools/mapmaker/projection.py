"""From longitude and latitude to the sheet of paper."""

from dataclasses import dataclass
from math import cos, exp, log, log1p, pi, radians, sin, tan

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
    def make(spec: dict[str, object]) -> "Sheet":
        raw = Sheet(
            Conic(tuple(spec["parallels"]), tuple(spec["centre"])),  # type: ignore[arg-type]  # from TOML
            {side: Lens(**lens) for side, lens in spec["lens"].items()},  # type: ignore[attr-defined]  # from TOML
            spec["width"],  # type: ignore[arg-type]  # from TOML
            {side: tuple(p) for side, p in spec["fit"].items()},  # type: ignore[attr-defined]  # from TOML
            1.0,
            (0.0, 0.0),
        )
        west, east = raw(*raw.fit["w"])[0], raw(*raw.fit["e"])[0]
        north = raw(*raw.fit["n"])[1]
        scale = raw.width / (east - west)
        return Sheet(
            raw.conic, raw.lenses, raw.width, raw.fit, scale, (-west * scale, -north * scale)
        )

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
