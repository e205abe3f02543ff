"""A small drawing surface: SVG elements, paints and groups collected into one document."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import TypeVar

Item = TypeVar("Item")
Point = tuple[float, float]

WIDTH = 800
HEIGHT = 450


def num(value: float) -> str:
    """Write a number with at most one decimal and no trailing zero."""
    text = f"{value:.1f}"
    text = text[:-2] if text.endswith(".0") else text
    return "0" if text == "-0" else text


def mix(first: str, second: str, share: float) -> str:
    """Blend two ``#rrggbb`` colours; ``share`` is the part of the second one."""
    pairs = ((int(first[i : i + 2], 16), int(second[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


class Dice:
    """A deterministic stream of pseudo-random choices, derived from the given words alone."""

    def __init__(self, *parts: object) -> None:
        """Start a stream from the given words."""
        self._key = "|".join(str(part) for part in parts)
        self._count = 0

    def unit(self) -> float:
        """Return the next number from 0 up to, but not including, 1."""
        self._count += 1
        digest = hashlib.sha256(f"{self._key}#{self._count}".encode()).digest()
        return int.from_bytes(digest[:6], "big") / float(1 << 48)

    def span(self, low: float, high: float) -> float:
        """Return a number between two bounds."""
        return low + (high - low) * self.unit()

    def whole(self, low: int, high: int) -> int:
        """Return a whole number between two bounds, both included."""
        return low + int(self.unit() * (high - low + 1))

    def chance(self, share: float = 0.5) -> bool:
        """Return true in the given share of cases."""
        return self.unit() < share

    def pick(self, options: Sequence[Item]) -> Item:
        """Choose one of several options."""
        return options[int(self.unit() * len(options))]

    def shuffle(self, options: Sequence[Item]) -> list[Item]:
        """Return the options in another order."""
        return [item for _, item in sorted(((self.unit(), item) for item in options), key=lambda pair: pair[0])]


class Art:
    """One picture under construction."""

    def __init__(self, uid: str) -> None:
        """Start an empty picture whose ids begin with the given letters."""
        self._uid = uid
        self._defs: dict[str, str] = {}
        self._body: list[str] = []

    # Elements -----------------------------------------------------------------------------------

    def add(self, tag: str, **attributes: str | float) -> None:
        """Append one element; underscores in attribute names become hyphens."""
        self._body.append(f"<{tag}{_attributes(attributes)}/>")

    def rect(self, x: float, y: float, w: float, h: float, fill: str, rx: float = 0, **more: str | float) -> None:
        """Draw a rectangle."""
        rounding: dict[str, str | float] = {"rx": rx} if rx else {}
        self.add("rect", x=x, y=y, width=w, height=h, fill=fill, **rounding, **more)

    def circle(self, cx: float, cy: float, r: float, fill: str, **more: str | float) -> None:
        self.add("circle", cx=cx, cy=cy, r=r, fill=fill, **more)

    def ellipse(self, cx: float, cy: float, rx: float, ry: float, fill: str, **more: str | float) -> None:
        self.add("ellipse", cx=cx, cy=cy, rx=rx, ry=ry, fill=fill, **more)

    def path(self, d: str, fill: str = "none", **more: str | float) -> None:
        self.add("path", d=d, fill=fill, **more)

    def poly(self, points: Iterable[Point], fill: str, **more: str | float) -> None:
        """Draw a closed polygon."""
        self.path(trace(points) + "z", fill, **more)

    def stroke(self, d: str, colour: str, width: float, **more: str | float) -> None:
        """Draw a path as a line with round ends."""
        self.add(
            "path",
            d=d,
            fill="none",
            stroke=colour,
            stroke_width=width,
            stroke_linecap="round",
            stroke_linejoin="round",
            **more,
        )

    @contextmanager
    def group(self, transform: str = "", **more: str | float) -> Iterator[None]:
        """Wrap the elements drawn inside the block into one group."""
        placed: dict[str, str | float] = {"transform": transform} if transform else {}
        self._body.append(f"<g{_attributes({**placed, **more})}>")
        yield
        self._body.append("</g>")

    # Paints -------------------------------------------------------------------------------------

    def blend(self, first: str, second: str, angle: float = 90, fade: tuple[float, float] = (1, 1)) -> str:
        """Return a linear gradient; 90 degrees runs from the top to the bottom."""
        dx, dy = math.cos(math.radians(angle)) / 2, math.sin(math.radians(angle)) / 2
        ends = "".join(
            f' {name}="{value:.2f}"'
            for name, value in (("x1", 0.5 - dx), ("y1", 0.5 - dy), ("x2", 0.5 + dx), ("y2", 0.5 + dy))
        )
        stops = _stop(0, first, fade[0]) + _stop(1, second, fade[1])
        return self._define("linearGradient", ends, stops)

    def glow(self, colour: str, strength: float, edge: float = 0) -> str:
        """Return a radial gradient that fades from the middle to the rim."""
        return self._define("radialGradient", "", _stop(0, colour, strength) + _stop(1, colour, edge))

    def dots(self, colour: str, gap: float, radius: float, angle: float = 0) -> str:
        """Return a pattern of regular dots."""
        turn = f' patternTransform="rotate({num(angle)})"' if angle else ""
        size = f' width="{num(gap)}" height="{num(gap)}" patternUnits="userSpaceOnUse"{turn}'
        dot = f'<circle cx="{num(gap / 2)}" cy="{num(gap / 2)}" r="{num(radius)}" fill="{colour}"/>'
        return self._define("pattern", size, dot)

    def grain(self, colour: str, dice: Dice) -> str:
        """Return a pattern of irregular specks."""
        specks = "".join(f"M{num(dice.span(2, 95))} {num(dice.span(2, 95))}h.1" for _ in range(30))
        size = ' width="97" height="97" patternUnits="userSpaceOnUse" patternTransform="rotate(23)"'
        inner = f'<path d="{specks}" stroke="{colour}" stroke-width="1.4" stroke-linecap="round"/>'
        return self._define("pattern", size, inner)

    def clip(self, d: str) -> str:
        """Return a clip made from a path."""
        return self._define("clipPath", "", f'<path d="{d}"/>')

    def _define(self, tag: str, attributes: str, inner: str) -> str:
        """Store a definition once and return a reference to it."""
        markup = f"{tag}{attributes}>{inner}</{tag}>"
        name = self._defs.setdefault(markup, f"{self._uid}{len(self._defs)}")
        return f"url(#{name})"

    def render(self, view: str = f"0 0 {WIDTH} {HEIGHT}", width: float = WIDTH, height: float = HEIGHT) -> str:
        """Return the complete document."""
        defs = "".join(self._named(markup, name) for markup, name in self._defs.items())
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" width="{num(width)}" height="{num(height)}">'
        return f"{head}<defs>{defs}</defs>{''.join(self._body)}</svg>\n"

    @staticmethod
    def _named(markup: str, name: str) -> str:
        """Put the id into the opening tag of a stored definition."""
        cut = min(i for i in (markup.find(" "), markup.find(">")) if i >= 0)
        return f'<{markup[:cut]} id="{name}"{markup[cut:]}'


def _attributes(values: dict[str, str | float]) -> str:
    return "".join(
        f' {name.replace("_", "-")}="{value if isinstance(value, str) else _fine(value)}"'
        for name, value in values.items()
    )


def _fine(value: float) -> str:
    """Write small numbers such as opacities with two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if abs(value) < 1 and value else num(value)


def _stop(offset: float, colour: str, opacity: float) -> str:
    extra = "" if opacity >= 1 else f' stop-opacity="{_fine(opacity)}"'
    return f'<stop offset="{num(offset)}" stop-color="{colour}"{extra}/>'


def trace(points: Iterable[Point]) -> str:
    """Write straight lines through points as path data."""
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points)


def smooth(points: Sequence[Point]) -> str:
    """Write a soft curve through points as path data."""
    parts = [f"M{num(points[0][0])} {num(points[0][1])}"]
    for (x0, y0), (x1, y1) in pairwise(points):
        middle = num((x0 + x1) / 2)
        parts.append(f"C{middle} {num(y0)} {middle} {num(y1)} {num(x1)} {num(y1)}")
    return "".join(parts)


def polar(cx: float, cy: float, radius: float, degrees: float) -> Point:
    """Return a point on a circle; 0 degrees is to the right, 90 is down."""
    turn = math.radians(degrees)
    return cx + radius * math.cos(turn), cy + radius * math.sin(turn)


def arc(cx: float, cy: float, radius: float, start: float, end: float) -> str:
    """Write an open arc as path data."""
    (x0, y0), (x1, y1) = polar(cx, cy, radius, start), polar(cx, cy, radius, end)
    large = 1 if abs(end - start) > 180 else 0
    sweep = 1 if end > start else 0
    return f"M{num(x0)} {num(y0)}A{num(radius)} {num(radius)} 0 {large} {sweep} {num(x1)} {num(y1)}"


def wedge(cx: float, cy: float, inner: float, outer: float, start: float, end: float) -> str:
    """Write a piece of a ring as path data."""
    large = 1 if end - start > 180 else 0
    a, b = polar(cx, cy, outer, start), polar(cx, cy, outer, end)
    c, e = polar(cx, cy, inner, end), polar(cx, cy, inner, start)
    return (
        f"M{num(a[0])} {num(a[1])}A{num(outer)} {num(outer)} 0 {large} 1 {num(b[0])} {num(b[1])}"
        f"L{num(c[0])} {num(c[1])}A{num(inner)} {num(inner)} 0 {large} 0 {num(e[0])} {num(e[1])}z"
    )
