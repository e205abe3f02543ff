"""What lies behind the subject of a picture: sky, one large shape, halftone and grain."""

from __future__ import annotations

from collections.abc import Callable

from artwork.palette import Palette
from artwork.svg import HEIGHT, WIDTH, Art, Dice, mix, num, trace

Backdrop = Callable[[Art, Palette, Dice], None]


def paint(art: Art, colours: Palette, dice: Dice, number: int) -> None:
    """Paint the sky, one of the backdrops and a patch of halftone."""
    art.rect(0, 0, WIDTH, HEIGHT, art.blend(colours.sky, colours.ground, dice.pick((60, 75, 90, 110))))
    BACKDROPS[number % len(BACKDROPS)](art, colours, dice)
    _halftone(art, colours, dice)


def finish(art: Art, colours: Palette, dice: Dice) -> None:
    """Lay a light vignette and grain over the whole picture."""
    art.rect(0, 0, WIDTH, HEIGHT, art.grain(colours.paper if colours.dark else colours.deep, dice), opacity=0.16)


def _disc(art: Art, colours: Palette, dice: Dice) -> None:
    """One large disc with a paler rim."""
    cx, cy, r = dice.span(330, 470), dice.span(200, 245), dice.span(165, 195)
    art.circle(cx, cy, r + dice.span(24, 46), colours.back, opacity=0.35)
    art.circle(cx, cy, r, art.blend(colours.back, mix(colours.back, colours.sky, 0.55), 60))


def _arch(art: Art, colours: Palette, dice: Dice) -> None:
    """A tall arch with a second one beside it."""
    half, left = dice.span(140, 180), dice.span(345, 455)
    top = dice.span(38, 66)
    fill = art.blend(colours.back, mix(colours.back, colours.ground, 0.75))
    side = left + dice.pick((-1, 1)) * dice.span(150, 190)
    for middle, width, height, opacity in ((side, half * 0.62, top + 96, 0.5), (left, half, top, 1.0)):
        art.path(
            f"M{num(middle - width)} 450V{num(height + width)}a{num(width)} {num(width)} 0 0 1 {num(2 * width)} 0V450z",
            fill,
            opacity=opacity,
        )


def _band(art: Art, colours: Palette, dice: Dice) -> None:
    """A broad diagonal band with a narrow companion."""
    lean = dice.pick((-1, 1)) * dice.span(120, 260)
    left, width = dice.span(210, 300), dice.span(230, 310)
    for start, wide, opacity in ((left, width, 0.85), (left + width + 26, 30, 0.45), (left - 46, 20, 0.45)):
        points = [(start + lean, 0), (start + wide + lean, 0), (start + wide - lean, 450), (start - lean, 450)]
        art.poly(points, colours.back, opacity=opacity)


def _horizon(art: Art, colours: Palette, dice: Dice) -> None:
    """A floor, a low sun and a soft hill."""
    line, sun = dice.span(296, 322), dice.span(240, 560)
    art.circle(sun, line, dice.span(120, 165), art.blend(colours.back, mix(colours.back, colours.sky, 0.7)))
    floor = mix(colours.ground, colours.deep if colours.dark else colours.main, 0.3)
    art.path(f"M0 {num(line)}h800V450H0z", art.blend(floor, colours.ground))


def _rings(art: Art, colours: Palette, dice: Dice) -> None:
    """Concentric rings around a point beside the middle."""
    cx, cy, step = dice.span(300, 500), dice.span(190, 260), dice.span(44, 58)
    for ring in range(5, 0, -1):
        art.circle(cx, cy, ring * step, colours.back, opacity=0.22)


def _hills(art: Art, colours: Palette, dice: Dice) -> None:
    """Two overlapping curves that rise from the corners."""
    high, low = dice.span(120, 170), dice.span(250, 300)
    flip = dice.chance()
    for start, end, opacity in ((high, low, 0.55), (low - 20, high + 90, 0.8)):
        a, b = (start, end) if flip else (end, start)
        art.path(
            f"M0 {num(a)}C230 {num(a - 90)} 520 {num(b + 110)} 800 {num(b - 30)}V450H0z",
            art.blend(colours.back, mix(colours.back, colours.ground, 0.6)),
            opacity=opacity,
        )


def _tile(art: Art, colours: Palette, dice: Dice) -> None:
    """A large tilted square with round corners and its outline."""
    size, turn = dice.span(300, 345), dice.span(12, 40) * dice.pick((-1, 1))
    fill = art.blend(colours.back, mix(colours.back, colours.sky, 0.5), 45)
    with art.group(f"translate(400 225) rotate({num(turn)})"):
        art.rect(-size / 2, -size / 2, size, size, fill, 34)
        art.rect(
            -size / 2 - 22,
            -size / 2 - 22,
            size + 44,
            size + 44,
            "none",
            50,
            stroke=colours.back,
            stroke_width=3,
            opacity=0.7,
        )


def _corners(art: Art, colours: Palette, dice: Dice) -> None:
    """Quarter circles in two opposite corners."""
    flip, big, small = dice.chance(), dice.span(230, 290), dice.span(150, 200)
    for x, y, r in ((0 if flip else 800, 450, big), (800 if flip else 0, 0, small)):
        art.circle(x, y, r + 40, colours.back, opacity=0.35)
        art.circle(x, y, r, colours.back, opacity=0.85)


BACKDROPS: tuple[Backdrop, ...] = (_disc, _arch, _band, _horizon, _rings, _hills, _tile, _corners)


def _halftone(art: Art, colours: Palette, dice: Dice) -> None:
    """A patch of regular dots near an edge."""
    ink = colours.paper if colours.dark else colours.main
    fill = art.dots(ink, dice.span(13, 17), dice.span(1.6, 2.3), dice.pick((0, 45, 30)))
    x, y = dice.pick((44, 560)), dice.pick((34, 290))
    shape = dice.whole(0, 2)
    if shape == 0:
        art.circle(x + 95, y + 62, dice.span(60, 84), fill, opacity=0.4)
    elif shape == 1:
        art.rect(x, y, dice.span(150, 196), dice.span(90, 126), fill, opacity=0.36)
    else:
        art.path(trace([(x, y + 130), (x + 95, y - 10), (x + 190, y + 130)]) + "z", fill, opacity=0.4)
