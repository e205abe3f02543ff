"""Scenes of charts: a board, ribbons that flow, and rings of segments."""

from __future__ import annotations

from artwork.palette import Palette
from artwork.shapes import grid, lines, ragged, shadow, sheet
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
