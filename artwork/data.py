"""Scenes for data: a board of charts, a scatter, flowing lines and a ring of segments."""

from __future__ import annotations

from artwork.palette import Palette
from artwork.shapes import Iso, grid, lines, ragged, shadow, sheet
from artwork.svg import Art, Dice, Point, arc, mix, num, polar, smooth, trace, wedge


def board(art: Art, colours: Palette, dice: Dice) -> None:
    """A large card with bars and a curve, and two smaller cards that float before it."""
    flip = dice.pick((-1, 1))
    shadow(art, colours, 400, 408, 290, 26)
    with art.group(f"translate({400 - flip * 40} 222) rotate({num(dice.span(-3, 3))})"):
        sheet(art, colours, -220, -160, 440, 310, 20, drop=16)
        lines(art, colours.deep, -188, -126, [dice.span(90, 140)], 10, 11, 0.85)
        lines(art, colours.deep, -188, -102, [dice.span(50, 90)], 10, 6, 0.35)
        grid(art, colours.main, -190, -76, 380, 200, (380, 40), 0.25)
        _bars(art, colours, dice)
    side = 400 + flip * 168
    with art.group(f"translate({side} {num(dice.span(120, 150))}) rotate({num(flip * dice.span(2, 7))})"):
        art.rect(-80, -58, 172, 132, colours.deep, 18, opacity=0.18)
        art.rect(-86, -70, 172, 132, art.blend(colours.lift(colours.pop, 0.2), colours.pop, 60), 18)
        _donut(art, colours, dice)
    with art.group(f"translate({side + flip * 14} {num(dice.span(300, 328))}) rotate({num(-flip * dice.span(0, 5))})"):
        art.rect(-86, -44, 184, 104, colours.deep, 18, opacity=0.18)
        art.rect(-92, -54, 184, 104, colours.deep, 18)
        _spark(art, colours, dice)


def _bars(art: Art, colours: Palette, dice: Dice) -> None:
    """Bars and the curve above them."""
    count = dice.whole(6, 9)
    step = 372 / count
    drift = dice.pick((-1, 1)) * dice.span(0.3, 0.6)
    highs = [max(24.0, 90 + drift * 130 * (i / count - 0.5) + dice.span(-34, 34)) for i in range(count)]
    chosen = dice.whole(0, count - 1)
    usual, marked = (art.blend(colours.lift(t), t) for t in (colours.main, colours.accent))
    for index, high in enumerate(highs):
        art.rect(-186 + index * step, 124 - high, step * 0.58, high, marked if index == chosen else usual, 6)
    curve: list[Point] = [
        (-186 + (i + 0.29) * step, 92 - high * 0.95 - dice.span(0, 20)) for i, high in enumerate(highs)
    ]
    art.stroke(smooth(curve), colours.second, 5)
    for x, y in curve[::2]:
        art.circle(x, y, 6, colours.paper, stroke=colours.second, stroke_width=4)


def _donut(art: Art, colours: Palette, dice: Dice) -> None:
    """A small ring chart with a legend."""
    end = dice.span(150, 300)
    art.circle(-36, -4, 32, "none", stroke=colours.paper, stroke_width=15, opacity=0.4)
    art.path(arc(-36, -4, 32, -90, -90 + end), stroke=colours.paper, stroke_width=15)
    lines(art, colours.paper, 22, -24, ragged(dice, 3, 26, 50), 20, 8, 0.9)


def _spark(art: Art, colours: Palette, dice: Dice) -> None:
    """A short jagged curve on a dark card."""
    points = [(-72 + i * 24.0, dice.span(-34, 26)) for i in range(7)]
    fill = art.blend(colours.second, colours.second, fade=(0.5, 0))
    art.path(trace([(-72, 40), *points, (72, 40)]) + "z", fill)
    art.stroke(trace(points), colours.second, 5)
    art.circle(*points[-1], 8, colours.paper)


def scatter(art: Art, colours: Palette, dice: Dice) -> None:
    """A cloud of points in groups, with rings around them and a line of best fit."""
    ink = colours.paper if colours.dark else colours.deep
    grid(art, ink, 110, 50, 580, 350, (58, 50), 0.13)
    art.stroke("M110 46V400H694", ink, 4, opacity=0.7)
    rising = dice.chance(0.7)
    tones = dice.shuffle((colours.pop, colours.front, colours.extra))
    for index in range(3):
        cx = 215 + index * 175 + dice.span(-20, 20)
        cy = (310 - index * 88 if rising else 140 + index * 82) + dice.span(-24, 24)
        wide, high, turn = dice.span(74, 104), dice.span(50, 72), dice.span(-40, 40)
        with art.group(f"rotate({num(turn)} {num(cx)} {num(cy)})"):
            art.ellipse(cx, cy, wide, high, tones[index], opacity=0.2)
            art.ellipse(cx, cy, wide, high, "none", stroke=tones[index], stroke_width=2.5, stroke_dasharray="7 8")
        _cloud(art, colours, dice, (cx, cy, wide, high), tones[index])
    start, end = (352, 86) if rising else (92, 346)
    art.stroke(f"M130 {start}L670 {end}", ink, 4, stroke_dasharray="1 11", opacity=0.85)


def _cloud(art: Art, colours: Palette, dice: Dice, place: tuple[float, float, float, float], tone: str) -> None:
    cx, cy, wide, high = place
    fill = art.blend(colours.lift(tone, 0.45), tone, 60)
    for _ in range(dice.whole(6, 9)):
        turn, away = dice.span(0, 360), dice.unit() ** 0.6
        x, y = polar(0, 0, away, turn)
        art.circle(cx + x * wide * 0.8, cy + y * high * 0.8, dice.span(6, 19), fill, opacity=0.95)


def streams(art: Art, colours: Palette, dice: Dice) -> None:
    """Ribbons that flow from one side to the other, cross and settle in another order."""
    count = dice.whole(4, 6)
    room = 320 / count
    ends = dice.shuffle(list(range(count)))
    tones = [colours.front, colours.pop, colours.extra, colours.lift(colours.main, 0.55), colours.second, colours.paper]
    middle = dice.shuffle(list(range(count)))
    for index in range(count):
        thick = dice.span(0.4, 0.84) * room
        knots = [
            (-20.0, 66 + index * room + room / 2),
            (dice.span(290, 380), 66 + middle[index] * room * 0.8 + 50),
            (820.0, 66 + ends[index] * room + room / 2),
        ]
        near, far = tones[index], mix(tones[index], tones[(index + 1) % count], 0.55)
        d = smooth(knots)
        art.path(d, stroke=colours.deep, stroke_width=thick, opacity=0.16, transform="translate(0 9)")
        art.path(d, stroke=art.blend(near, far, 0), stroke_width=thick, opacity=0.94)
        art.path(d, stroke=colours.paper, stroke_width=1.6, opacity=0.5)
    for index in range(dice.whole(4, 7)):
        x = 110 + index * 100 + dice.span(-20, 20)
        y = 66 + dice.whole(0, count - 1) * room + room / 2 + dice.span(-8, 8)
        art.circle(x, y, dice.span(8, 15), colours.paper)
        art.circle(x, y, 4.5, colours.deep)


def segments(art: Art, colours: Palette, dice: Dice) -> None:
    """Rings of segments around one middle, with a few drawn out."""
    rings, turn = dice.whole(2, 4), dice.span(0, 360)
    cx = 400 + dice.span(-40, 40)
    tones = [colours.front, colours.pop, colours.extra, colours.lift(colours.main, 0.5), colours.second]
    shadow(art, colours, cx, 412, 230, 20)
    art.circle(cx, 222, 62, art.blend(colours.paper, colours.soft))
    art.circle(cx, 222, 20, colours.main)
    width = 118 / rings
    for ring in range(rings):
        inner, angle = 70 + ring * width, turn + ring * 31
        parts = [dice.span(0.6, 1.8) for _ in range(dice.whole(3, 4 + ring))]
        for part, weight in enumerate(parts):
            size = weight / sum(parts) * (360 if ring % 2 == 0 else 300)
            tone = tones[(ring + part * 2) % 5]
            dx, dy = polar(0, 0, dice.span(6, 14) if dice.chance(0.2) else 0, angle + size / 2)
            art.path(
                wedge(cx + dx, 222 + dy, inner + 3, inner + width - 3, angle + 1.5, angle + size - 1.5),
                art.blend(colours.lift(tone, 0.28), tone, 45),
            )
            angle += size
    _callouts(art, colours, dice, cx)


def _callouts(art: Art, colours: Palette, dice: Dice, cx: float) -> None:
    """Small cards that are tied to the rings by a thin line."""
    ink = colours.paper if colours.dark else colours.deep
    for side in (-1, 1):
        y = dice.span(96, 350)
        x = cx + side * 262
        art.stroke(
            f"M{num(x)} {num(y)}H{num(cx + side * 205)}L{num(cx + side * 165)} {num((y + 222) / 2)}",
            ink,
            2.5,
            opacity=0.6,
        )
        art.circle(cx + side * 165, (y + 222) / 2, 6, ink)
        sheet(art, colours, x - 56, y - 30, 112, 60, 14, drop=8)
        lines(art, colours.main, x - 38, y - 9, [dice.span(40, 74)], 18, 9)
        lines(art, colours.deep, x - 38, y + 11, [dice.span(30, 60)], 18, 6, 0.4)


def surface(art: Art, colours: Palette, dice: Dice) -> None:
    """A field of bars, seen from above, whose heights form a hill."""
    side, unit = dice.pick((4, 5)), 292
    view = Iso(art, colours, 400, 0, unit / dice.pick((4.6, 5.2)))
    view.cy = 290 - side * 0.5 * view.unit
    shadow(art, colours, 400, 330, 330, 100, 0.3)
    view.block(-0.25, -0.25, -0.18, (side + 0.4, side + 0.4, 0.18), mix(colours.back, colours.deep, 0.15))
    top = (dice.span(0.3, side - 1.3), dice.span(0.3, side - 1.3))
    tones = (colours.extra, mix(colours.front, colours.back, 0.3), colours.front, colours.pop)
    if dice.chance():
        tones = (colours.soft, colours.lift(colours.main, 0.4), colours.main, colours.pop)
    for x in range(side):
        for y in range(side):
            away = ((x - top[0]) ** 2 + (y - top[1]) ** 2) ** 0.5 / side
            high = max(0.12, 2.3 * (1 - away * 1.25) + dice.span(-0.3, 0.3))
            view.block(x, y, 0, (0.72, 0.72, high), tones[min(3, int(high / 0.62))])


def matrix(art: Art, colours: Palette, dice: Dice) -> None:
    """A map of values: cells in tones, with a row drawn out and its curve."""
    columns, rows = dice.whole(8, 10), dice.whole(5, 6)
    size, turn = 400 / columns, dice.span(-5, 5)
    shadow(art, colours, 400, 410, 300, 22)
    with art.group(f"rotate({num(turn)} 400 222)"):
        sheet(art, colours, 160, 44, 480, 350, 22, drop=16)
        lines(art, colours.deep, 200, 76, [dice.span(90, 150), dice.span(50, 80)], 20, 8, 0.6)
        picked, peak = dice.whole(1, rows - 2), dice.span(1, columns - 2)
        high = 250 / rows
        for row in range(rows):
            for column in range(columns):
                heat = max(0.0, 1 - abs(column - peak) / columns * 1.5 - abs(row - picked) * 0.16)
                heat += dice.span(-0.2, 0.2)
                tone = mix(colours.soft, colours.main, min(1.0, max(0.0, round(heat * 4) / 4)))
                if row == picked and abs(column - peak) < 1:
                    tone = colours.accent
                art.rect(200 + column * size, 118 + row * high, size - 5, high - 5, tone, 6)
        art.rect(192, 118 + picked * high - 8, 411, high + 11, "none", 12, stroke=colours.second, stroke_width=5)
    side = dice.pick((-1, 1))
    with art.group(f"translate({400 + side * 236} {num(dice.span(110, 330))}) rotate({num(side * dice.span(2, 7))})"):
        art.rect(-86, -44, 184, 104, colours.deep, 18, opacity=0.2)
        art.rect(-92, -54, 184, 104, colours.deep, 18)
        _spark(art, colours, dice)


SCENES = (board, scatter, streams, segments, surface, matrix)
