"""Shapes that several pictures share: papers, blocks, coins, windows and their shadows."""

from __future__ import annotations

import math

from artwork.palette import Palette
from artwork.svg import Art, Dice, Point, mix, num


def shadow(art: Art, colours: Palette, cx: float, cy: float, rx: float, ry: float, strength: float = 0.42) -> None:
    """Draw a soft shadow on the floor."""
    art.ellipse(cx, cy, rx, ry, art.glow(mix(colours.deep, "#000000", 0.3), strength))


def sheet(
    art: Art,
    colours: Palette,
    x: float,
    y: float,
    w: float,
    h: float,
    rx: float = 10,
    drop: float = 10,
) -> None:
    """Draw a sheet of paper or a card with a shadow."""
    art.rect(x + drop * 0.7, y + drop, w, h, colours.deep, rx, opacity=0.2)
    art.rect(x, y, w, h, art.blend(colours.paper, mix(colours.paper, colours.soft, 0.45), 70), rx)


def lines(
    art: Art, colour: str, x: float, y: float, widths: list[float], gap: float, thick: float = 6, opacity: float = 1
) -> None:
    """Draw lines of writing, all in one path."""
    d = "".join(f"M{num(x)} {num(y + i * gap)}h{num(w)}" for i, w in enumerate(widths))
    art.stroke(d, colour, thick, opacity=opacity)


def grid(
    art: Art, colour: str, x: float, y: float, w: float, h: float, step: Point, opacity: float = 0.3, thick: float = 1.5
) -> None:
    """Draw a grid of thin lines."""
    dx, dy = step
    d = "".join(f"M{num(x + i * dx)} {num(y)}v{num(h)}" for i in range(1, int(w / dx + 0.01)))
    d += "".join(f"M{num(x)} {num(y + i * dy)}h{num(w)}" for i in range(1, int(h / dy + 0.01)))
    art.path(d, stroke=colour, stroke_width=thick, opacity=opacity)


class Iso:
    """A view from above at a slant, with blocks that stand on one floor."""

    def __init__(self, art: Art, colours: Palette, cx: float, cy: float, unit: float) -> None:
        """Put the rear corner of the floor at a place; ``unit`` is the length of one step."""
        self.art = art
        self.colours = colours
        self.cx, self.cy, self.unit = cx, cy, unit

    def at(self, x: float, y: float, z: float = 0) -> Point:
        """Return the place of a point of the floor plan on the picture."""
        across, down = (x - y) * 0.866 * self.unit, (x + y) * 0.5 * self.unit - z * self.unit
        return round(self.cx + across), round(self.cy + down)

    def block(self, x: float, y: float, z: float, size: tuple[float, float, float], colour: str) -> None:
        """Draw a block from its rear corner; size is width, depth and height."""
        w, d, h = size
        at, shade, lift = self.at, self.colours.shade, self.colours.lift
        left = [at(x, y + d, z + h), at(x + w, y + d, z + h), at(x + w, y + d, z), at(x, y + d, z)]
        right = [at(x + w, y + d, z + h), at(x + w, y, z + h), at(x + w, y, z), at(x + w, y + d, z)]
        self.art.poly(left, self.art.blend(colour, shade(colour, 0.18)))
        self.art.poly(right, self.art.blend(shade(colour, 0.34), shade(colour, 0.5)))
        self.plate(x, y, z + h, (w, d), lift(colour, 0.34))

    def plate(self, x: float, y: float, z: float, size: tuple[float, float], colour: str, **more: float) -> None:
        """Draw a flat rectangle that lies at a height."""
        w, d = size
        at = self.at
        self.art.poly([at(x, y, z), at(x + w, y, z), at(x + w, y + d, z), at(x, y + d, z)], colour, **more)


def coin(
    art: Art, colours: Palette, cx: float, cy: float, r: float, colour: str, flat: float = 1.0, thick: float = 10
) -> None:
    """Draw a coin; ``flat`` below 1 tips it towards the floor."""
    rim, face = colours.shade(colour, 0.3), colours.lift(colour, 0.25)
    art.path(
        f"M{num(cx - r)} {num(cy)}v{num(thick)}a{num(r)} {num(r * flat)} 0 0 0 {num(2 * r)} 0v{num(-thick)}z",
        art.blend(colour, rim, 0),
    )
    art.ellipse(cx, cy, r, r * flat, art.blend(face, colour, 60))
    art.ellipse(cx, cy, r * 0.72, r * 0.72 * flat, "none", stroke=rim, stroke_width=max(2.0, r * 0.05), opacity=0.55)


def pile(
    art: Art, colours: Palette, cx: float, base: float, r: float, count: int, colour: str, thick: float = 13
) -> None:
    """Draw a pile of coins that lie on each other."""
    flat, high = r * 0.36, count * thick
    rim, curve = colours.shade(colour, 0.45), f"a{num(r)} {num(flat)} 0 0 0 {num(2 * r)} 0"
    art.path(
        f"M{num(cx - r)} {num(base - high)}v{num(high)}{curve}v{num(-high)}z",
        art.blend(colours.lift(colour, 0.3), colours.shade(colour, 0.3), 0),
    )
    edges = "".join(f"M{num(cx - r)} {num(base - level * thick)}{curve}" for level in range(1, count))
    art.path(edges, stroke=rim, stroke_width=2.4, opacity=0.65)
    art.ellipse(cx, base - high, r, flat, art.blend(colours.lift(colour, 0.5), colour, 60))
    art.ellipse(cx, base - high, r * 0.7, flat * 0.7, "none", stroke=rim, stroke_width=2.2, opacity=0.6)


def seal(art: Art, colours: Palette, cx: float, cy: float, r: float, colour: str) -> None:
    """Draw a round seal with a toothed rim and a tick."""
    art.circle(cx + 4, cy + 6, r, colours.deep, opacity=0.2)
    art.circle(cx, cy, r, colour)
    tooth = f"{r * 0.98 * math.pi / 22:.2f}"
    art.circle(cx, cy, r * 0.98, "none", stroke=colour, stroke_width=r * 0.16, stroke_dasharray=tooth)
    art.circle(cx, cy, r * 0.74, "none", stroke=colours.paper, stroke_width=max(2.0, r * 0.06), opacity=0.9)
    tick(art, colours.paper, cx, cy, r * 0.36)


def tick(art: Art, colour: str, cx: float, cy: float, size: float) -> None:
    art.stroke(
        f"M{num(cx - size)} {num(cy)}l{num(size * 0.7)} {num(size * 0.7)}l{num(size * 1.3)} {num(-size * 1.4)}",
        colour,
        size * 0.36,
    )


def window(art: Art, colours: Palette, x: float, y: float, w: float, h: float, bar: str) -> None:
    """Draw an application window with a title bar."""
    sheet(art, colours, x, y, w, h, 14, drop=14)
    art.path(f"M{num(x)} {num(y + 34)}v-20a14 14 0 0 1 14 -14h{num(w - 28)}a14 14 0 0 1 14 14v20z", bar)
    for index, tone in enumerate((colours.accent, colours.second, colours.soft)):
        art.circle(x + 22 + index * 18, y + 17, 5, tone)


def pencil(art: Art, colours: Palette, x: float, y: float, length: float, turn: float, colour: str) -> None:
    """Draw a pencil whose tip is at the given point; ``turn`` is where its end points."""
    with art.group(f"translate({num(x)} {num(y)}) rotate({num(turn)})"):
        art.rect(30, 2, length - 30, 17, colours.deep, 4, opacity=0.18)
        art.poly([(0, 0), (30, -9), (30, 9)], mix(colours.paper, colours.accent, 0.25))
        art.poly([(0, 0), (10, -3), (10, 3)], colours.deep)
        art.rect(30, -9, length - 60, 18, art.blend(colours.lift(colour), colours.shade(colour, 0.25)))
        art.rect(length - 30, -9, 12, 18, colours.soft)
        art.rect(length - 18, -9, 20, 18, colours.accent, 5)


def ragged(dice: Dice, count: int, low: float, high: float) -> list[float]:
    """Return widths for lines of writing."""
    return [dice.span(low, high) for _ in range(count)]
