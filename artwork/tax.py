"""Scenes for tax: layered forms, percent discs, a stamp at work and a divided disc."""

from __future__ import annotations

from artwork.palette import Palette
from artwork.shapes import Iso, coin, lines, ragged, seal, shadow, sheet, tick
from artwork.svg import Art, Dice, mix, num, polar, wedge


def forms(art: Art, colours: Palette, dice: Dice) -> None:
    """Forms in layers; the one on top is filled in, ticked and sealed."""
    count, lean = dice.whole(2, 4), dice.pick((-1, 1))
    shadow(art, colours, 400, 404, 260, 32)
    tones = dice.shuffle((colours.front, colours.pop, colours.extra, colours.lift(colours.main)))
    for index in range(count):
        back = count - index
        place = f"translate({num(400 + lean * (back * 36 - 30))} {num(240 - back * 2)})"
        with art.group(f"{place} rotate({num(lean * back * 6)}) scale(.92)"):
            art.rect(-122, -152, 252, 322, colours.deep, 14, opacity=0.16)
            art.rect(-130, -160, 252, 322, art.blend(colours.lift(tones[index], 0.22), tones[index], 70), 14)
            art.path("M-104 -128h90m-90 20h150", stroke=colours.paper, stroke_width=6, opacity=0.5)
    with art.group(f"translate({num(400 - lean * 30)} 234) rotate({num(lean * dice.span(-7, 1))})"):
        _form(art, colours, dice)
    x = 400 - lean * dice.span(148, 174)
    seal(art, colours, x, dice.span(300, 330), dice.span(46, 56), colours.pop)


def _form(art: Art, colours: Palette, dice: Dice) -> None:
    """The form on top: a heading, boxes to tick and fields."""
    sheet(art, colours, -132, -172, 264, 344, 14)
    art.path("M-132 -122v-36a14 14 0 0 1 14 -14h236a14 14 0 0 1 14 14v36z", colours.main)
    lines(art, colours.paper, -108, -148, [96], 20, 11)
    art.circle(100, -147, 13, colours.pop)
    ticked = dice.whole(0, 2)
    for row in range(3):
        y = -94 + row * 36
        art.rect(-108, y, 22, 22, colours.soft, 6)
        if row == ticked or dice.chance(0.4):
            tick(art, colours.main, -97, y + 11, 7)
        lines(art, colours.deep, -70, y + 11, [dice.span(80, 160)], 10, 7, 0.5)
    for row, wide in enumerate(ragged(dice, 3, 50, 100)):
        y = 26 + row * 36
        art.rect(-108, y, 128, 24, colours.soft, 6, opacity=0.8)
        lines(art, colours.deep, -98, y + 12, [wide], 10, 6, 0.55)
        art.rect(34, y, 74, 24, colours.pop if row == 2 else colours.soft, 6)
    lines(art, colours.deep, 46, 38, [46, 30], 36, 6, 0.6)


def percent(art: Art, colours: Palette, dice: Dice) -> None:
    """Two thick discs and a bar between them, standing like a sculpture."""
    turn, big, small = dice.span(-12, 12), dice.span(78, 98), dice.span(58, 80)
    depth = dice.span(16, 26)
    shadow(art, colours, 400, 398, 290, 34)
    with art.group(f"translate(400 222) rotate({num(turn)})"):
        tones, lean = dice.shuffle((colours.front, colours.pop, colours.extra)), dice.span(30, 40)
        _ring(art, colours, -124, -82, big, depth, tones[0])
        for step, tone in ((depth, colours.shade(tones[1], 0.4)), (0, tones[1])):
            fill = art.blend(colours.lift(tone), tone, 20) if step == 0 else tone
            with art.group(f"translate({num(step)} {num(step * 0.6)}) rotate({num(lean)})"):
                art.rect(-24, -190, 48, 380, fill, 24)
        _ring(art, colours, 128, 88, small, depth, tones[2])
    for index in range(dice.whole(3, 5)):
        x, y = polar(400, 222, dice.span(232, 300), dice.span(-50, 50) + (index % 2) * 180)
        art.circle(x, y, dice.span(7, 17), (colours.pop, colours.front, colours.paper)[index % 3], opacity=0.9)


def _ring(art: Art, colours: Palette, cx: float, cy: float, r: float, depth: float, tone: str) -> None:
    """One thick ring with a light face and a dark side."""
    side = colours.shade(tone, 0.42)
    for step in (1.0, 0.66, 0.33):
        art.circle(cx + depth * step, cy + depth * 0.6 * step, r, side)
    art.circle(cx, cy, r, art.blend(colours.lift(tone, 0.35), tone, 50))
    art.circle(cx + depth * 0.2, cy + depth * 0.1, r * 0.5, colours.shade(tone, 0.5))
    art.path(wedge(cx, cy, r * 0.5, r * 0.62, 150, 290), colours.paper, opacity=0.35)
    art.circle(cx + depth * 0.55, cy + depth * 0.4, r * 0.42, art.blend(colours.sky, colours.back))


def stamp(art: Art, colours: Palette, dice: Dice) -> None:
    """A stamp above a sheet, with the marks it has left."""
    flip = dice.pick((-1, 1))
    turn = dice.span(-9, 9)
    shadow(art, colours, 400, 384, 320, 52)
    with art.group(f"translate(400 260) rotate({num(turn)})"):
        art.rect(-236, -104, 480, 244, colours.deep, 14, opacity=0.14, transform="rotate(5)")
        art.rect(-240, -112, 480, 244, art.blend(colours.lift(colours.front), colours.front), 14, transform="rotate(5)")
        sheet(art, colours, -240, -118, 480, 250, 14)
        lines(art, colours.main, -208 if flip > 0 else 40, -84, [110], 20, 12)
        lines(art, colours.deep, -208 if flip > 0 else 40, -50, ragged(dice, 6, 80, 168), 27, 7, 0.36)
        _mark(art, colours, 118 * flip, 46, 64, dice)
    with art.group(
        f"translate({num(400 + flip * dice.span(60, 130))} {num(dice.span(196, 214))}) "
        f"rotate({num(flip * dice.span(8, 22))})"
    ):
        _handle(art, colours)


def _mark(art: Art, colours: Palette, cx: float, cy: float, r: float, dice: Dice) -> None:
    """The print of a stamp: a ring, a band and a few strokes."""
    with art.group(f"translate({num(cx)} {num(cy)}) rotate({num(dice.span(-24, 24))})", opacity=0.85):
        art.circle(0, 0, r, "none", stroke=colours.main, stroke_width=6)
        art.circle(0, 0, r * 0.82, "none", stroke=colours.main, stroke_width=3, stroke_dasharray="3 7")
        art.rect(-r * 0.95, -15, r * 1.9, 30, colours.main, 6)
        lines(art, colours.paper, -r * 0.6, 0, [r * 1.2], 10, 7)


def _handle(art: Art, colours: Palette) -> None:
    """The stamp itself, seen from the side."""
    art.ellipse(8, 74, 104, 20, colours.deep, opacity=0.25)
    art.rect(-92, 40, 184, 34, art.blend(colours.shade(colours.pop, 0.1), colours.shade(colours.pop, 0.5), 0), 8)
    art.rect(-84, 66, 168, 12, colours.deep, 4)
    art.path(
        "M-70 40C-66 6 -26 6 -24 -30H24C26 6 66 6 70 40z",
        art.blend(colours.lift(colours.pop), colours.shade(colours.pop, 0.3), 0),
    )
    art.path(
        "M-27 -24C-30 -70 -52 -84 -52 -112a52 46 0 0 1 104 0C52 -84 30 -70 27 -24z",
        art.blend(colours.lift(colours.extra, 0.25), colours.shade(colours.extra, 0.35), 20),
    )
    art.ellipse(-18, -126, 15, 20, colours.paper, opacity=0.3)


def shares(art: Art, colours: Palette, dice: Dice) -> None:
    """A thick disc cut into shares, with one share drawn out and coins below."""
    radius, start = dice.span(136, 152), dice.span(-70, 20)
    parts = [dice.span(0.6, 1.6) for _ in range(dice.whole(3, 5))]
    tones = [colours.front, colours.extra, colours.lift(colours.main, 0.5), colours.second, colours.soft]
    shadow(art, colours, 400, 386, 270, 40)
    cut = dice.span(44, 76)
    out = polar(0, 0, dice.span(30, 44), start + cut / 2)
    angle = start + cut
    for part, tone in zip(parts, tones, strict=False):
        end = angle + part / sum(parts) * (360 - cut)
        _share(art, colours, (400, 214), radius, (angle, end), tone)
        angle = end
    _share(art, colours, (400 + out[0], 214 + out[1]), radius * 1.08, (start, start + cut), colours.pop)
    side = dice.pick((-1, 1))
    for index in range(dice.whole(2, 4)):
        coin(art, colours, 400 + side * (190 + index % 2 * 46), 366 - index * 15, 38, colours.pop, 0.42, 11)


def _share(
    art: Art, colours: Palette, centre: tuple[float, float], radius: float, angles: tuple[float, float], tone: str
) -> None:
    """One share of the disc with its thickness below."""
    cx, cy = centre
    for drop in (22, 15, 8):
        art.path(wedge(cx, cy + drop, radius * 0.34, radius, *angles), mix(tone, colours.deep, 0.42))
    art.path(wedge(cx, cy, radius * 0.34, radius, *angles), art.blend(colours.lift(tone, 0.24), tone, 60))


def deadline(art: Art, colours: Palette, dice: Dice) -> None:
    """A calendar page with marked days, and a clock in front of it."""
    side, turn = dice.pick((-1, 1)), dice.span(-7, 7)
    shadow(art, colours, 400, 406, 280, 26)
    with art.group(f"translate({400 - side * 40} 224) rotate({num(turn)})"):
        art.rect(-186, -146, 390, 310, colours.shade(colours.front, 0.35), 22, transform="rotate(4)")
        sheet(art, colours, -196, -156, 392, 312, 22)
        art.path(
            "M-196 -92v-42a22 22 0 0 1 22 -22h348a22 22 0 0 1 22 22v42z",
            art.blend(colours.lift(colours.main, 0.15), colours.main, 0),
        )
        for x in (-120, -40, 40, 120):
            art.rect(x - 6, -178, 12, 46, colours.deep, 6)
        first, marked = dice.whole(0, 4), dice.whole(16, 26)
        for day in range(first, 33):
            x, y = -176 + day % 7 * 51, -76 + day // 7 * 45
            tone = colours.accent if day == marked else colours.second if day in (9, marked - 4) else colours.soft
            art.rect(x, y, 42, 36, tone, 9)
        x, y = -155 + marked % 7 * 51, -58 + marked // 7 * 45
        art.ellipse(x, y, 34, 29, "none", stroke=colours.main, stroke_width=6)
    _clock(art, colours, dice, 400 + side * 196, dice.span(286, 316))


def _clock(art: Art, colours: Palette, dice: Dice, cx: float, cy: float) -> None:
    """A round clock with two hands."""
    art.circle(cx + 5, cy + 10, 74, colours.deep, opacity=0.22)
    art.circle(cx, cy, 74, art.blend(colours.lift(colours.pop), colours.shade(colours.pop, 0.15), 50))
    art.circle(cx, cy, 59, art.blend(colours.paper, colours.soft))
    marks = (polar(0, 0, 1, turn) for turn in range(0, 360, 30))
    art.path(
        "".join(f"M{num(cx + x * 49)} {num(cy + y * 49)}L{num(cx + x * 54)} {num(cy + y * 54)}" for x, y in marks),
        stroke=colours.deep,
        stroke_width=3,
    )
    start = dice.span(0, 360)
    art.path(wedge(cx, cy, 0, 46, start, start + dice.span(50, 110)), colours.pop, opacity=0.4)
    for reach, turn, thick in ((28, start, 7), (42, start + dice.span(50, 200), 5)):
        x, y = polar(cx, cy, reach, turn)
        art.stroke(f"M{num(cx)} {num(cy)}L{num(x)} {num(y)}", colours.deep, thick)
    art.circle(cx, cy, 6, colours.main)


def crossing(art: Art, colours: Palette, dice: Dice) -> None:
    """Goods that cross a border between two regions."""
    view = Iso(art, colours, 400, 144, 60)
    shadow(art, colours, 400, 322, 350, 100, 0.3)
    tones = dice.shuffle((mix(colours.front, colours.back, 0.35), mix(colours.back, colours.paper, 0.5)))
    view.block(-0.5, -0.3, -0.3, (2.7, 5.2, 0.3), tones[0])
    view.block(2.6, -0.3, -0.3, (2.7, 5.2, 0.3), tones[1])
    for step in range(7):
        view.plate(2.28, -0.2 + step * 0.75, -0.3, (0.22, 0.42), colours.paper if colours.dark else colours.deep)
    row = dice.span(1.6, 2.4)
    view.plate(-0.3, row, 0.01, (2.3, 0.9), colours.deep, opacity=0.14)
    view.plate(2.8, row, 0.01, (2.3, 0.9), colours.deep, opacity=0.14)
    spots = [(0.1, 0.1), (3.2, 0.2), (0.2, row + 0.05), (3.4, row + 0.05), (0.4, 3.7), (3.6, 3.8)]
    boxes = (colours.pop, colours.extra, colours.sunny, colours.lift(colours.main))
    for index, (x, y) in enumerate(spots):
        if index in (2, 3) or dice.chance(0.75):
            _parcel(view, x, y, (dice.span(0.7, 1.1), dice.span(0.6, 0.8), dice.span(0.5, 1.3)), boxes[index % 4])
    (a, b), (c, e) = view.at(0.6, row + 0.4, 1.6), view.at(3.8, row + 0.4, 1.9)
    ink = colours.paper if colours.dark else colours.deep
    bow = f"M{num(a)} {num(b)}Q{num((a + c) / 2)} {num(b - 70)} {num(c)} {num(e)}"
    art.stroke(bow, ink, 5, stroke_dasharray="2 12")
    art.poly([(c + 12, e + 12), (c - 14, e + 5), (c + 6, e - 12)], ink)


def _parcel(view: Iso, x: float, y: float, size: tuple[float, float, float], tone: str) -> None:
    """A parcel with a strip of tape."""
    w, d, h = size
    view.block(x, y, 0, size, tone)
    view.plate(x + w * 0.38, y, h, (w * 0.24, d), view.colours.paper, opacity=0.7)
    (a, b), (c, e) = view.at(x + w * 0.38, y + d, h), view.at(x + w * 0.62, y + d, h)
    drop = h * 0.35 * view.unit
    view.art.poly([(a, b), (c, e), (c, e + drop), (a, b + drop)], view.colours.paper, opacity=0.5)


SCENES = (forms, percent, stamp, shares, deadline, crossing)
