"""Charts of a run as SVG: lines over its minutes, with a band for each fault."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 960, 300, 64, 32, 44, 36
COLORS = ("#1f5fa8", "#b3541e", "#3c7a3c", "#7a3c8f", "#5b5b5b", "#a8871f", "#1f8f8f")
Series = Sequence[tuple[float, float]]


class Band(NamedTuple):
    """A fault, in seconds since the beginning."""

    name: str
    began: float
    ended: float


def line_chart(title: str, lines: Mapping[str, Series], bands: Sequence[Band], *, seconds: float) -> str:
    """An SVG document with its own light background, so that it is read the same in dark pages. Values from 0."""
    most = _round_up(max((value for series in lines.values() for _, value in series), default=1.0))

    def x(at: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * at / seconds

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / most

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="sans-serif">',
        f'<title>{escape(title)}</title><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="17" font-size="14" font-weight="600" fill="#222">{escape(title)}</text>',
    ]
    for band in bands:
        width = max(1.5, x(band.ended) - x(band.began))
        parts.append(
            f'<rect x="{x(band.began):.1f}" y="{TOP}" width="{width:.1f}" height="{HEIGHT - TOP - BOTTOM}"'
            f' fill="#d33" fill-opacity="0.13"><title>{escape(band.name)}</title></rect>'
        )
    parts += [_level(most * part / 4, y(most * part / 4)) for part in range(5)]
    parts += [_minute(at, x(at)) for at in _ticks(seconds)]
    for number, (name, series) in enumerate(lines.items()):
        color = COLORS[number % len(COLORS)]
        points = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in series)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.5"/>')
        left = LEFT + number * 118
        parts.append(f'<rect x="{left}" y="26" width="12" height="4" fill="{color}"/>')
        parts.append(f'<text x="{left + 17}" y="33" font-size="12" fill="#222">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _level(value: float, y: float) -> str:
    text = f"{value:,.0f}" if value >= 10 or not value else f"{value:.1f}"
    return (
        f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#ddd"/>'
        f'<text x="{LEFT - 8}" y="{y + 4:.1f}" font-size="11" text-anchor="end" fill="#444">{text}</text>'
    )


def _minute(at: float, x: float) -> str:
    y = HEIGHT - BOTTOM + 16
    return f'<text x="{x:.1f}" y="{y}" font-size="11" text-anchor="middle" fill="#444">{at / 60:g} min</text>'


def _ticks(seconds: float) -> list[float]:
    step = next((step for step in (60, 120, 300, 600, 1200) if seconds / step <= 12), 3600)
    return [float(at) for at in range(0, int(seconds) + 1, step)]


def _round_up(value: float) -> float:
    """The next of 1, 2, 2.5, 5 and 10 times a power of ten."""
    power = 1.0
    while power * 10 < value:
        power *= 10
    while power > value > 0:
        power /= 10
    return next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= value)
