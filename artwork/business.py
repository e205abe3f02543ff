"""Scenes for business: coins, curves, towers, an orbit, columns and a balance and planes in formation."""

from __future__ import annotations

from artwork.palette import Palette
from artwork.shapes import Iso, coin, grid, pile, shadow
from artwork.svg import Art, Dice, Point, mix, num, polar, smooth, trace


def piles(art: Art, colours: Palette, dice: Dice) -> None:
    """Piles of coins that grow, with a curve and an arrow above them."""
    count, side = dice.whole(4, 6), 1
    step = dice.span(480, 560) / count
    radius = min(52.0, step * 0.46)
    shadow(art, colours, 400, 392, 340, 36)
    tones = dice.shuffle((colours.gold, colours.pop, colours.front))
    tops: list[Point] = []
    for index in range(count):
        level = 2 + index * dice.span(1.5, 2.2) + dice.span(0, 2)
        x = 400 + side * (index - (count - 1) / 2) * step
        coins = min(13, round(level))
        pile(art, colours, x, 380, radius, coins, tones[index % 3] if index % 2 else tones[0], 15)
        tops.append((x, 380 - coins * 15 - 50))
    end = tops[-1]
    art.stroke(smooth(tops), colours.paper if colours.dark else colours.deep, 6)
    art.poly(
        [(end[0] + side * 30, end[1]), (end[0] - side * 4, end[1] - 20), (end[0] - side * 4, end[1] + 20)],
        colours.paper if colours.dark else colours.deep,
    )
    for x, y in tops[:-1]:
        art.circle(x, y, 10, colours.pop, stroke=colours.paper, stroke_width=4)


def curves(art: Art, colours: Palette, dice: Dice) -> None:
    """Areas that rise behind each other, with a marked point and its tag."""
    layers = dice.whole(3, 4)
    ink = colours.paper if colours.dark else colours.deep
    grid(art, ink, 0, 0, 800, 450, (80, 64), 0.1)
    tones = [colours.front, colours.pop, colours.extra, mix(colours.deep, colours.pop, 0.2)]
    line: list[Point] = []
    for layer in range(layers):
        top = 300 - (layers - layer) * 62 + dice.span(-10, 10)
        line = [
            (
                x,
                420
                - (420 - top) * (x / 800) ** dice.span(0.9, 1.6)
                + dice.span(-34, 34) * (0 < x < 800)
                + layer * 18
                - 60,
            )
            for x in (0.0, 135.0, 270.0, 400.0, 535.0, 665.0, 800.0)
        ]
        tone = tones[layer if layer < layers - 1 else 3]
        fill = art.blend(colours.lift(tone, 0.2), tone, fade=(0.95, 0.55 if layer < layers - 1 else 1))
        art.path(smooth(line) + "V450H0z", fill)
        art.path(smooth(line), stroke=colours.paper, stroke_width=4, opacity=0.85 if layer == layers - 1 else 0.4)
    for x, y in line[1:-1]:
        art.circle(x, y, 8, colours.paper, stroke=colours.pop, stroke_width=4)
    _tag(art, colours, *line[dice.whole(2, 4)])
    sun = dice.span(90, 250)
    coin(art, colours, sun, dice.span(90, 130), dice.span(40, 56), colours.gold, 1.0, 0)


def _tag(art: Art, colours: Palette, x: float, y: float) -> None:
    """A small card above a point of the curve."""
    art.stroke(f"M{num(x)} {num(y - 16)}v-44", colours.paper, 3, stroke_dasharray="1 8")
    art.rect(x - 52, y - 124, 116, 64, colours.deep, 14, opacity=0.22)
    art.rect(x - 58, y - 132, 116, 64, colours.paper, 14)
    art.stroke(f"M{num(x - 38)} {num(y - 110)}h50", colours.deep, 8, opacity=0.8)
    art.stroke(f"M{num(x - 38)} {num(y - 90)}h28", colours.deep, 6, opacity=0.35)
    art.stroke(f"M{num(x + 16)} {num(y - 88)}l12 -12l8 6l10 -14", colours.main, 5)


def towers(art: Art, colours: Palette, dice: Dice) -> None:
    """A quarter of office towers seen from above at a slant."""
    view = Iso(art, colours, 400, 176, 59)
    shadow(art, colours, 400, 312, 340, 106, 0.3)
    view.block(-0.3, -0.3, -0.25, (4.5, 4.5, 0.25), mix(colours.back, colours.deep, 0.14))
    view.plate(-0.3, 1.75, 0.01, (4.5, 0.4), colours.paper, opacity=0.35)
    view.plate(1.75, -0.3, 0.01, (0.4, 4.5), colours.paper, opacity=0.35)
    highs = dice.shuffle((dice.span(2.3, 2.7), dice.span(1.5, 2.1), dice.span(0.8, 1.5), dice.span(0.4, 0.8)))
    highs[3] = min(highs[3], 1.2)
    tones = dice.shuffle((colours.front, colours.pop, colours.extra, colours.lift(colours.front, 0.4)))
    corners = ((0.1, 0.1), (2.4, 0.1), (0.1, 2.4), (2.4, 2.4))
    for (x, y), high, tone in zip(corners, highs, tones, strict=True):
        side = dice.span(1.2, 1.5)
        if high > 1.4:
            view.block(x, y, 0, (side, side, 0.4), colours.soft)
            view.block(x + 0.15, y + 0.15, 0.4, (side - 0.3, side - 0.3, high - 0.4), tone)
            _panes(view, x + 0.15, y + 0.15, side - 0.3, (0.6, high), colours.paper)
            view.block(x + 0.45, y + 0.45, high, (0.4, 0.4, 0.22), colours.soft)
        else:
            view.block(x, y, 0, (side, side, high), tone)
            _panes(view, x, y, side, (0.15, high), colours.paper)
    x, y = view.at(4.2, dice.span(0.4, 3))
    pile(art, colours, x, y + 6, 26, dice.whole(2, 5), colours.gold, 9)


def _panes(view: Iso, x: float, y: float, side: float, levels: tuple[float, float], tone: str) -> None:
    """Rows of windows on the two faces that can be seen."""
    low, high = levels
    left = right = ""
    while low < high - 0.15:
        left += trace([view.at(x + 0.15, y + side, low), view.at(x + side - 0.15, y + side, low)])
        right += trace([view.at(x + side, y + side - 0.15, low), view.at(x + side, y + 0.15, low)])
        low += 0.27
    for d, strength in ((left, 0.7), (right, 0.35)):
        view.art.path(d, stroke=tone, stroke_width=6, stroke_dasharray="7 4", opacity=strength)


def orbit(art: Art, colours: Palette, dice: Dice) -> None:
    """One large coin and smaller ones on rings around it."""
    cx, r = 400 + dice.span(-24, 24), dice.span(92, 110)
    turn = dice.span(-26, 26)
    shadow(art, colours, cx, 412, 220, 22)
    ink = colours.paper if colours.dark else colours.deep
    with art.group(f"rotate({num(turn)} {num(cx)} 220)"):
        for scale in (1.0, 1.34):
            art.ellipse(cx, 220, 205 * scale, 104 * scale, "none", stroke=ink, stroke_width=2.5, opacity=0.45)
    _face(art, colours, dice, cx, 220, r)
    tones = dice.shuffle((colours.front, colours.pop, colours.extra, colours.second))
    start = dice.span(0, 360)
    for index in range(dice.whole(4, 6)):
        scale = 1.34 if index % 2 else 1.0
        x, y = polar(0, 0, 1, start + index * 67)
        x, y = polar(x * 205 * scale, y * 104 * scale, 0, 0)
        a, b = polar(0, 0, 1, turn)
        px, py = cx + x * a - y * b, 220 + x * b + y * a
        size = dice.span(17, 34)
        coin(art, colours, px, min(py, 400), size, tones[index % 4], dice.span(0.5, 0.95), size * 0.25)


def _face(art: Art, colours: Palette, dice: Dice, cx: float, cy: float, r: float) -> None:
    """The large coin: a milled edge, two rims and a rising line."""
    gold = colours.gold
    side = dice.pick((-1, 1))
    art.circle(cx + side * 20, cy + 6, r, colours.shade(gold, 0.55))
    art.circle(cx + side * 11, cy + 3, r, colours.shade(gold, 0.4))
    art.circle(cx, cy, r, art.blend(colours.lift(gold, 0.5), gold, 55))
    art.circle(cx, cy, r * 0.84, "none", stroke=colours.shade(gold, 0.35), stroke_width=4, stroke_dasharray="2 6")
    art.circle(cx, cy, r * 0.72, art.blend(gold, colours.lift(gold, 0.3), 55))
    highs = dice.shuffle((0.22, 0.34, 0.5, 0.68)) if dice.chance(0.3) else [0.22, 0.34, 0.5, 0.68]
    d = "".join(
        f"M{num(cx + (i - 1.5) * r * 0.26)} {num(cy + r * 0.34)}v{num(-r * high)}" for i, high in enumerate(highs)
    )
    art.stroke(d, colours.shade(gold, 0.7), r * 0.14)


def columns(art: Art, colours: Palette, dice: Dice) -> None:
    """Two rows of columns made of stacked ledgers on a slanted floor, one of them in colour."""
    count, along = dice.whole(3, 5), dice.chance()
    long, deep = count * 1.06 + 0.5, 2.7
    unit = 440 / ((long + deep) * 0.866)
    view = Iso(art, colours, 400 + (deep - long) * 0.433 * unit * (1 if along else -1), 0, unit)
    view.cy = 292 - (long + deep) * 0.25 * unit
    shadow(art, colours, 400, 330, 340, 110, 0.3)
    floor = (long, deep) if along else (deep, long)
    view.block(0, 0, -0.22, (*floor, 0.22), mix(colours.back, colours.deep, 0.1))
    chosen = dice.whole(0, count - 1)
    rear = [dice.span(84, 165) / unit for _ in range(count)]
    if dice.chance(0.6):
        rear.sort(reverse=dice.chance())
    for index, tall in enumerate(rear):
        place = 0.35 + index * 1.06
        near = dice.span(16, 52) / unit if index != chosen else 70 / unit
        tones = (colours.pop if index == chosen else colours.front, colours.extra if index == chosen else colours.soft)
        for depth, height, tone in ((0.3, tall, tones[0]), (1.55, near, tones[1])):
            x, y = (place, depth) if along else (depth, place)
            _tower(view, x, y, height, tone)


def _tower(view: Iso, x: float, y: float, height: float, colour: str) -> None:
    """One column, with the edges of the pages showing at its side."""
    view.block(x, y, 0, (0.8, 0.8, height), colour)
    marks = ""
    level = 0.18
    while level < height - 0.1:
        (a, b), (c, d) = view.at(x + 0.1, y + 0.8, level), view.at(x + 0.7, y + 0.8, level)
        marks += f"M{num(a)} {num(b)}L{num(c)} {num(d)}"
        level += 0.26
    view.art.path(marks, stroke=view.colours.paper, stroke_width=2.4, opacity=0.5)


def beam(art: Art, colours: Palette, dice: Dice) -> None:
    """A beam in balance: blocks on one side, discs on the other."""
    turn = dice.span(-7, 7)
    flip = dice.pick((-1, 1))
    shadow(art, colours, 400, 392, 320, 30)
    art.poly([(400, 292), (332, 388), (468, 388)], art.blend(colours.pop, colours.shade(colours.pop), 0))
    art.poly([(400, 292), (400, 388), (468, 388)], colours.deep, opacity=0.16)
    with art.group(f"translate(400 288) rotate({num(turn)}) scale({flip} 1)"):
        art.rect(-272, -11, 544, 22, art.blend(colours.lift(colours.front), colours.shade(colours.front)), 11)
        _blocks(art, colours, dice)
        _discs(art, colours, dice)
    art.circle(400, 288, 13, colours.paper)
    art.circle(400, 288, 5, colours.deep)


def _blocks(art: Art, colours: Palette, dice: Dice) -> None:
    """Blocks that stand on the left arm."""
    size, rows = dice.span(46, 56), dice.whole(2, 3)
    tones = dice.shuffle((colours.main, colours.pop, colours.lift(colours.main), colours.paper, colours.extra))
    for row in range(rows):
        for column in range(3 - row):
            x, y = -262 + row * size / 2 + column * size, -11 - (row + 1) * size
            tone = tones[(row * 2 + column) % 5]
            art.rect(x, y, size - 3, size - 3, art.blend(colours.lift(tone, 0.2), colours.shade(tone, 0.16), 60), 6)
            if (row + column) % 2 == 0:
                art.path(
                    f"M{num(x + 12)} {num(y + size / 2 - 7)}h{num(size - 27)}m0 12h{num(27 - size)}",
                    stroke=colours.deep,
                    stroke_width=4,
                    opacity=0.4,
                )


def _discs(art: Art, colours: Palette, dice: Dice) -> None:
    """Discs that stand on the right arm."""
    big = dice.span(52, 72)
    art.circle(185, -11 - big, big, art.blend(colours.lift(colours.extra, 0.25), colours.extra, 60))
    art.circle(185, -11 - big, big * 0.62, "none", stroke=colours.paper, stroke_width=5, opacity=0.5)
    small = dice.span(24, 34)
    art.circle(185 - big - small * 0.72, -11 - small, small, art.blend(colours.lift(colours.pop), colours.pop, 60))
    top = dice.span(18, 30)
    art.circle(185, -11 - 2 * big - top, top, colours.paper)


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
