"""Scenes for leadership: peaks, a winding path, a compass and a formation in flight."""

from __future__ import annotations

from itertools import pairwise

from artwork.palette import Palette
from artwork.shapes import Iso, shadow
from artwork.svg import Art, Dice, Point, mix, num, polar, trace


def peaks(art: Art, colours: Palette, dice: Dice) -> None:
    """Ranges of mountains behind each other, a sun and a flag on the highest top."""
    sun = (dice.span(170, 630), dice.span(96, 150))
    art.circle(*sun, 96, art.glow(colours.sunny, 0.55))
    art.circle(*sun, dice.span(44, 62), art.blend(colours.lift(colours.sunny), colours.sunny))
    layers = dice.whole(3, 4)
    summit = (dice.span(300, 500), dice.span(82, 112))
    base = dice.pick((colours.main, colours.accent, mix(colours.main, colours.soft, 0.3)))
    for layer in range(layers):
        share = (layer + 1) / layers
        tone = mix(mix(colours.back, base, 0.5), mix(base, colours.deep, 0.75), share * 0.95)
        if layer == layers - 2:
            _summit(art, colours, dice, summit, tone)
        _range(art, colours, dice, 200 + share * 150, 96 - share * 40, tone)
    _flag(art, colours, dice, summit)


def _range(art: Art, colours: Palette, dice: Dice, base: float, high: float, tone: str) -> None:
    """One range of low mountains."""
    points: list[Point] = [(0, base + dice.span(-20, 20))]
    while points[-1][0] < 800:
        up = len(points) % 2 == 1
        points.append((points[-1][0] + dice.span(60, 118), base - high * dice.span(0.5, 1) if up else base + 10))
    art.poly([(0, 450), *points, (points[-1][0], 450)], art.blend(colours.lift(tone, 0.16), tone))


def _summit(art: Art, colours: Palette, dice: Dice, top: Point, tone: str) -> None:
    """The main mountain with a lit side, a dark side and a cap of snow."""
    x, y = top
    left, right, bend = x - dice.span(230, 290), x + dice.span(230, 290), dice.span(-46, 46)
    art.poly([(left, 420), top, (x + bend, 420)], art.blend(colours.lift(tone, 0.35), tone))
    art.poly([top, (right, 420), (x + bend, 420), (x + bend * 0.4, 250)], art.blend(tone, colours.deep, 60))
    a, b = (x + (left - x) * 0.24, y + (420 - y) * 0.24), (x + (right - x) * 0.22, y + (420 - y) * 0.22)
    art.poly([top, b, (x + 26, y + 62), (x + bend * 0.22 + 4, y + 92), (x - 20, y + 66), a], colours.paper)
    art.poly([top, b, (x + 26, y + 62), (x + bend * 0.22 + 4, y + 92)], colours.soft)


def _flag(art: Art, colours: Palette, dice: Dice, top: Point) -> None:
    """A flag on the summit and a dotted way that leads to it."""
    x, y = top
    side = dice.pick((-1, 1))
    art.stroke(f"M{num(x)} {num(y + 4)}V{num(y - 56)}", colours.paper if colours.dark else colours.deep, 4)
    art.path(
        f"M{num(x)} {num(y - 56)}q{20 * side} -10 {34 * side} 0t{30 * side} 0v28q{-16 * side} 10 {-30 * side} 0"
        f"t{-34 * side} 0z",
        colours.accent if colours.sunny == colours.second else colours.second,
    )
    low = x - side * dice.span(90, 150)
    art.stroke(
        f"M{num(low)} 436C{num(low + side * 190)} 396 {num(low - side * 60)} 330 {num(x + side * 36)} 280"
        f"S{num(x - side * 40)} {num(y + 130)} {num(x)} {num(y + 14)}",
        colours.paper,
        5,
        stroke_dasharray="1 13",
        opacity=0.95,
    )


def path(art: Art, colours: Palette, dice: Dice) -> None:
    """A road that winds to the horizon, with marks along the way."""
    line, end = dice.span(122, 150), dice.span(330, 470)
    side = dice.pick((-1, 1))
    tone = mix(dice.pick((colours.main, colours.main, colours.accent)), colours.deep, 0.12)
    art.circle(end, line, dice.span(58, 80), art.blend(colours.sunny, colours.lift(colours.sunny)))
    art.rect(0, line, 800, 450 - line, art.blend(mix(tone, colours.soft, 0.3), tone))
    for index in range(3):
        top = line + 30 + index * 74
        art.path(
            f"M0 {num(top + 26)}C200 {num(top - 26 - index * 8)} 520 {num(top + 60)} 800 {num(top)}V450H0z",
            colours.deep,
            opacity=0.13,
        )
    _road(art, colours, end, line, side)
    for index, share in enumerate(sorted(dice.shuffle((0.16, 0.36, 0.56, 0.78))[: dice.whole(2, 4)])):
        away = (end - 400) * (1 - share)
        x = 400 + away + side * (1 if index % 2 else -1) * (70 + 170 * share)
        _marker(art, colours, x, line + 30 + share * 250, 0.4 + share * 0.85, index)


def _road(art: Art, colours: Palette, end: float, line: float, side: int) -> None:
    """The road itself, wide in front and narrow at the horizon."""
    low = (450 - line) / 3
    knots = (
        (end, line, 3.0),
        (400 - side * 84, line + low * 0.62, 15.0),
        (400 + side * 112, line + low * 1.6, 44.0),
        (400 - side * 40, 450.0, 108.0),
    )
    left = _edge(knots, -1)
    right = _edge(tuple(reversed(knots)), 1)
    art.path(left + "L" + right[1:] + "z", art.blend(mix(colours.deep, colours.paper, 0.25), colours.deep))
    art.stroke(_edge(knots, 0), colours.paper, 4, stroke_dasharray="16 17", opacity=0.9)


def _edge(knots: tuple[tuple[float, float, float], ...], side: int) -> str:
    """One edge of the road as path data."""
    first = knots[0]
    d = f"M{num(first[0] + side * first[2])} {num(first[1])}"
    for (x0, y0, w0), (x1, y1, w1) in pairwise(knots):
        a, b, middle = x0 + side * w0, x1 + side * w1, num((y0 + y1) / 2)
        d += f"C{num(a)} {middle} {num(b)} {middle} {num(b)} {num(y1)}"
    return d


def _marker(art: Art, colours: Palette, x: float, y: float, scale: float, index: int) -> None:
    """A pin at the side of the road."""
    tone = (colours.accent, colours.second, colours.paper)[index % 3]
    with art.group(f"translate({num(x)} {num(y)}) scale({scale:.2f})"):
        art.ellipse(0, 2, 24, 7, colours.deep, opacity=0.35)
        art.path(
            "M0 0C-10 -26 -34 -40 -34 -66a34 34 0 0 1 68 0C34 -40 10 -26 0 0z",
            art.blend(colours.lift(tone), colours.shade(tone, 0.12)),
        )
        art.circle(0, -66, 14, colours.deep if tone == colours.paper else colours.paper)


def compass(art: Art, colours: Palette, dice: Dice) -> None:
    """A compass with its rose, needle and lid."""
    cx, cy, r = 400 + dice.span(-30, 30), 226, dice.span(146, 160)
    side = dice.pick((-1, 1))
    shadow(art, colours, cx, 404, 230, 26)
    lid = cx + side * dice.span(96, 140)
    art.circle(lid + 6, cy - 24, r * 0.96, colours.deep, opacity=0.2)
    art.circle(lid, cy - 34, r * 0.96, art.blend(colours.lift(colours.front), colours.shade(colours.front, 0.3), 50))
    art.circle(lid, cy - 34, r * 0.8, "none", stroke=colours.lift(colours.front, 0.5), stroke_width=3)
    art.circle(cx + 6, cy + 12, r, colours.deep, opacity=0.25)
    art.circle(cx, cy, r, art.blend(colours.lift(colours.pop, 0.35), colours.shade(colours.pop, 0.35), 60))
    art.circle(cx, cy, r * 0.87, art.blend(colours.soft, colours.paper, 60))
    for length, every, thick in ((0.05, 10, 2.0), (0.1, 30, 4.0)):
        marks = "".join(
            trace([polar(cx, cy, r * 0.8, a), polar(cx, cy, r * (0.8 - length), a)]) for a in range(0, 360, every)
        )
        art.path(marks, stroke=colours.deep, stroke_width=thick, opacity=0.6)
    _needle(art, colours, cx, cy, r, dice.span(0, 360))


def _needle(art: Art, colours: Palette, cx: float, cy: float, r: float, turn: float) -> None:
    """The rose of the compass and the needle over it."""
    for index in range(4):
        tip = polar(cx, cy, r * 0.56, index * 90 + 45)
        a, b = polar(cx, cy, r * 0.14, index * 90), polar(cx, cy, r * 0.14, index * 90 + 90)
        art.poly([(cx, cy), a, tip], colours.main, opacity=0.55)
        art.poly([(cx, cy), b, tip], colours.main, opacity=0.3)
    with art.group(f"rotate({num(turn)} {num(cx)} {num(cy)})"):
        for sign, tone in ((-1, colours.main), (1, colours.deep)):
            tip = (cx, cy + sign * r * 0.72)
            art.poly([(cx - 17, cy), tip, (cx, cy)], colours.lift(tone, 0.25))
            art.poly([(cx + 17, cy), tip, (cx, cy)], tone)
    art.circle(cx, cy, 11, colours.paper, stroke=colours.deep, stroke_width=5)


def formation(art: Art, colours: Palette, dice: Dice) -> None:
    """Paper planes in formation: one leads, the others follow its line."""
    count, side = dice.whole(4, 6), dice.pick((-1, 1))
    turn = dice.span(-26, -8)
    with art.group(f"translate(400 222) scale({side} 1) rotate({num(turn)})"):
        for index in range(count):
            row = index // 2 + 1
            x, y = -row * dice.span(82, 98), (1 if index % 2 else -1) * row * dice.span(44, 58)
            ink = colours.paper if colours.dark else colours.deep
            art.stroke(
                f"M{num(x - 20)} {num(y)}h{num(-dice.span(60, 130))}", ink, 3, stroke_dasharray="2 10", opacity=0.55
            )
            tone = (colours.front, colours.extra, colours.second)[index % 3]
            _plane(art, colours, x + 64, y, dice.span(0.5, 0.66), tone)
        art.stroke("M40 0h-190", colours.pop, 4, stroke_dasharray="2 11")
        _plane(art, colours, 156, 0, 1.25, colours.pop)
    for index in range(3):
        _cloud(
            art,
            colours,
            130 + index * 250 + dice.span(-40, 40),
            (372, 92, 350)[index] + dice.span(-24, 24),
            dice.span(0.6, 1.1),
        )


def _plane(art: Art, colours: Palette, x: float, y: float, scale: float, tone: str) -> None:
    """A folded paper plane that points to the right."""
    with art.group(f"translate({num(x)} {num(y)}) scale({scale:.2f})"):
        art.poly([(-58, 54), (60, 34), (-92, 84)], colours.deep, opacity=0.16)
        art.poly([(70, 0), (-84, -62), (-48, -6)], art.blend(colours.lift(tone, 0.55), colours.lift(tone, 0.2), 0))
        art.poly([(70, 0), (-48, -6), (-58, 34)], colours.shade(tone, 0.45))
        art.poly([(70, 0), (-48, -6), (-84, 62)], art.blend(tone, colours.shade(tone, 0.2), 0))


def _cloud(art: Art, colours: Palette, x: float, y: float, scale: float) -> None:
    with art.group(f"translate({num(x)} {num(y)}) scale({scale:.2f})", opacity=0.5):
        art.path(
            "M-80 24a24 24 0 0 1 6 -47a40 40 0 0 1 76 -8a30 30 0 0 1 44 18a19 19 0 0 1 24 37z",
            colours.paper if not colours.dark else colours.back,
        )


def steps(art: Art, colours: Palette, dice: Dice) -> None:
    """A flight of steps with a flag at its end and travellers on the way."""
    count, along = dice.whole(4, 6), dice.chance()
    view = Iso(art, colours, 400, 0, 330 / (count + 1.6))
    unit = view.unit
    view.cx = 400 - (count - 2) * 0.433 * unit * (1 if along else -1)
    view.cy = 238
    shadow(art, colours, 400, 372, 310, 60, 0.35)
    rise = 170 / unit / count
    tones = [mix(colours.front, colours.pop, share / (count - 1)) for share in range(count)]
    for index in range(count):
        level = count - index
        size = (1.0, 2.0, rise * level) if along else (2.0, 1.0, rise * level)
        place = (float(index), 0.0) if along else (0.0, float(index))
        view.block(*place, 0, size, tones[index])
        if index and index % 2 == dice.whole(0, 1):
            x, y = view.at(place[0] + size[0] / 2, place[1] + size[1] / 2, rise * level)
            art.ellipse(x, y, 24, 11, colours.deep, opacity=0.3)
            art.circle(x, y - 22, 22, art.blend(colours.lift(colours.extra, 0.4), colours.extra, 60))
    x, y = view.at(0.5, 1, rise * count) if along else view.at(1, 0.5, rise * count)
    _banner(art, colours, x, y)


def _banner(art: Art, colours: Palette, x: float, y: float) -> None:
    """A flag on a pole whose foot is the given point."""
    art.ellipse(x, y, 16, 7, colours.deep, opacity=0.35)
    art.stroke(f"M{num(x)} {num(y)}v-84", colours.paper if colours.dark else colours.deep, 6)
    tone = colours.second if colours.pop == colours.accent else colours.accent
    art.path(f"M{num(x + 3)} {num(y - 84)}l62 19l-62 21z", tone)


def pieces(art: Art, colours: Palette, dice: Dice) -> None:
    """Playing pieces in a row; one of them has stepped forward."""
    count, side = dice.whole(4, 6), dice.pick((-1, 1))
    room, chosen = 540 / count, dice.whole(0, count - 1)
    art.ellipse(400, 372, 350, 62, mix(colours.back, colours.deep, 0.12), opacity=0.5)
    for index in range(count):
        x = 400 + side * (index - (count - 1) / 2) * room
        if index != chosen:
            tone = mix(colours.front, colours.soft, 0.12 * (index % 3))
            _piece(art, colours, x, 356 + (index % 2) * 10, 0.82, tone, False)
    _piece(art, colours, 400 + side * (chosen - (count - 1) / 2) * room * 0.86, 402, 1.24, colours.pop, True)


def _piece(art: Art, colours: Palette, x: float, base: float, scale: float, tone: str, crowned: bool) -> None:
    """One playing piece that stands on the given point."""
    fill = art.blend(colours.lift(tone, 0.45), colours.shade(tone, 0.35), 0)
    with art.group(f"translate({num(x)} {num(base)}) scale({scale})"):
        art.ellipse(22, 0, 84, 15, colours.deep, opacity=0.24)
        art.path("M-58 0q-4 -28 20 -34C-22 -60 -18 -96 -16 -128H16C18 -96 22 -60 38 -34q24 6 20 34z", fill)
        art.rect(-34, -142, 68, 17, fill, 8)
        art.circle(0, -176, 40, art.blend(colours.lift(tone, 0.5), colours.shade(tone, 0.3), 50))
        art.path("M-52 -18h104M-36 -36h72", stroke=colours.paper, stroke_width=3, opacity=0.35)
        if crowned:
            crown = colours.paper if colours.dark else colours.deep
            art.path("M-26 -212l-8 -34l19 15l15 -24l15 24l19 -15l-8 34z", crown)


SCENES = (peaks, path, compass, formation, steps, pieces)
