"""Scenes for software: windows of code, connected nodes and stacked layers."""

from __future__ import annotations

from artwork.palette import Palette
from artwork.shapes import Iso, lines, ragged, shadow, tick, window
from artwork.svg import Art, Dice, mix, num, polar


def windows(art: Art, colours: Palette, dice: Dice) -> None:
    """Application windows that overlap, with a pointer."""
    side = dice.pick((-1, 1))
    shadow(art, colours, 400, 410, 310, 24)
    bars = dice.shuffle((colours.main, colours.deep, mix(colours.main, colours.second, 0.5)))
    x, y = 400.0 - 165 - side * 118, dice.span(48, 70)
    window(art, colours, x, y, 330, 220, bars[0])
    _blocks(art, colours, dice, x, y)
    x, y = 400 - 160 + side * 110, dice.span(150, 172)
    window(art, colours, x, y, 320, 216, bars[1])
    _code(art, colours, dice, x, y)
    x, y = 400 - 80 - side * dice.span(170, 200), dice.span(290, 312)
    art.rect(x + 8, y + 10, 170, 74, colours.deep, 18, opacity=0.2)
    art.rect(x, y, 170, 74, art.blend(colours.lift(colours.pop), colours.pop), 18)
    art.circle(x + 38, y + 37, 20, colours.deep)
    tick(art, colours.pop, x + 37, y + 38, 8)
    lines(art, colours.deep, x + 74, y + 29, [dice.span(50, 74), dice.span(30, 50)], 19, 8, 0.8)
    px, py = 400 + side * dice.span(10, 190), dice.span(300, 350)
    art.path(
        f"M{num(px)} {num(py)}v46l12 -11l9 20l10 -4l-9 -20h17z",
        colours.paper,
        stroke=colours.deep,
        stroke_width=4,
        stroke_linejoin="round",
    )


def _blocks(art: Art, colours: Palette, dice: Dice, x: float, y: float) -> None:
    """A picture and tiles inside the first window."""
    art.rect(x + 20, y + 54, 140, 96, art.blend(colours.second, mix(colours.second, colours.main, 0.6)), 10)
    art.path(
        f"M{num(x + 20)} {num(y + 140)}l36 -{num(dice.span(28, 52))}l34 30l26 -18l44 40v3a7 7 0 0 1 -7 7h-126"
        f"a7 7 0 0 1 -7 -7z",
        colours.deep,
        opacity=0.5,
    )
    art.circle(x + 124, y + 78, 11, colours.accent)
    lines(art, colours.main, x + 184, y + 64, ragged(dice, 4, 60, 124), 24, 8, 0.6)
    for index in range(3):
        art.rect(x + 20 + index * 100, y + 166, 88, 36, (colours.soft, colours.accent, colours.soft)[index], 8)


def _code(art: Art, colours: Palette, dice: Dice, x: float, y: float) -> None:
    """Coloured lines of a script inside the second window."""
    tones = (colours.main, colours.second, colours.shade(colours.accent, 0.25))
    for row in range(6):
        left = x + 28 + dice.pick((0, 24, 24, 48))
        for part in range(dice.whole(2, 3)):
            wide = dice.span(22, 70)
            lines(art, tones[(row + part) % 3], left, y + 62 + row * 25, [wide], 10, 9, 0.9)
            left += wide + 20


def nodes(art: Art, colours: Palette, dice: Dice) -> None:
    """A hub with nodes around it, tied by lines on which small parcels travel."""
    cx, cy = 400 + dice.span(-40, 40), 222
    ink = colours.paper if colours.dark else colours.deep
    count, start = dice.whole(6, 8), dice.span(0, 360)
    art.circle(cx, cy, 210, art.glow(colours.pop, 0.4))
    places = []
    for index in range(count):
        x, y = polar(0, 0, 1, start + index * 360 / count + dice.span(-12, 12))
        places.append((cx + x * dice.span(190, 270), cy + y * dice.span(118, 158)))
    for (x, y), (u, v) in zip(places, places[1:] + places[:1], strict=True):
        art.path(f"M{num(x)} {num(y)}L{num(u)} {num(v)}", stroke=ink, stroke_width=2, opacity=0.3)
    for index, (x, y) in enumerate(places):
        art.path(f"M{num(cx)} {num(cy)}L{num(x)} {num(y)}", stroke=ink, stroke_width=3, opacity=0.6)
        share = dice.span(0.45, 0.7)
        art.circle(cx + (x - cx) * share, cy + (y - cy) * share, 6, colours.pop)
        tone = (colours.front, colours.extra, colours.second, colours.lift(colours.main, 0.5))[index % 4]
        _node(art, colours, x, y, dice.span(22, 40), tone, index)
    for size, tone in ((70, colours.deep), (56, colours.pop)):
        art.circle(cx, cy, size, art.blend(colours.lift(tone), tone, 60))
    art.path(
        f"M{num(cx)} {cy - 32}l28 16v32l-28 16l-28 -16v-32zM{num(cx)} {cy}v32M{num(cx)} {cy}l28 -16M{num(cx)} {cy}"
        "l-28 -16",
        stroke=colours.deep,
        stroke_width=6,
        stroke_linejoin="round",
    )


def _node(art: Art, colours: Palette, x: float, y: float, r: float, tone: str, index: int) -> None:
    art.circle(x + 3, y + 6, r, colours.deep, opacity=0.25)
    art.circle(x, y, r, art.blend(colours.lift(tone), tone, 60))
    sign = colours.paper if tone in (colours.main, colours.deep, colours.extra) else colours.deep
    if index % 3 == 0:
        art.rect(x - r * 0.4, y - r * 0.3, r * 0.8, r * 0.6, sign, 3, opacity=0.85)
    elif index % 3 == 1:
        art.circle(x, y, r * 0.36, sign, opacity=0.85)
    else:
        tick(art, sign, x, y, r * 0.34)


def layers(art: Art, colours: Palette, dice: Dice) -> None:
    """Plates that float above each other, tied by dotted lines."""
    count = dice.whole(3, 4)
    side, room = 3.1, dice.span(2.1, 2.5) / (count - 1)
    view = Iso(art, colours, 400, 214, 60)
    shadow(art, colours, 400, 330, 300, 84, 0.35)
    tones = dice.shuffle((colours.front, colours.pop, colours.extra, colours.lift(colours.main, 0.45)))
    ink = colours.paper if colours.dark else colours.deep
    for level in range(count):
        z = level * room
        if level:
            for x, y in ((0.1, side - 0.1), (side - 0.1, side - 0.1), (side - 0.1, 0.1)):
                (a, b), (_, c) = view.at(x, y, z), view.at(x, y, z - room + 0.2)
                art.stroke(f"M{num(a)} {num(b)}V{num(c)}", ink, 3, stroke_dasharray="1 9", opacity=0.8)
        view.block(0, 0, z, (side, side, 0.2), tones[level])
        _load(view, dice, z + 0.2, side, tones[level], level == count - 1)


def _load(view: Iso, dice: Dice, z: float, side: float, tone: str, top: bool) -> None:
    """What stands on a plate: tiles, and blocks on the uppermost one."""
    colours = view.colours
    cells = dice.shuffle([(x, y) for x in range(3) for y in range(3)])
    chosen = sorted(cells[: dice.whole(3, 5)])
    for index, (x, y) in enumerate(chosen):
        at = (0.25 + x * (side - 0.4) / 3, 0.25 + y * (side - 0.4) / 3)
        if top:
            view.block(
                *at, z, (0.66, 0.66, dice.span(0.15, 0.75)), (colours.paper, colours.main, colours.second)[index % 3]
            )
        else:
            view.plate(*at, z, (0.66, 0.66), colours.deep if index % 2 else colours.paper, opacity=0.35)
