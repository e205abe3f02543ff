"""Scenes for finance: piles of coins, rising curves, towers and coins in orbit."""

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


def sapling(art: Art, colours: Palette, dice: Dice) -> None:
    """A plant that grows out of piled coins and bears coins itself."""
    lean, pairs = dice.span(-40, 40), dice.whole(3, 4)
    shadow(art, colours, 400, 404, 250, 28)
    leaf = min((colours.accent, colours.second), key=lambda tone: int(tone[1:3], 16))
    stem = [(400.0, 350.0), (400 + lean * 0.2, 250.0), (400 + lean, 96.0)]
    d = f"M400 350C400 260 {num(400 + lean * 0.1)} 200 {num(stem[2][0])} 96"
    art.stroke(d, colours.shade(leaf, 0.3), 10)
    for index in range(pairs):
        share = (index + 0.7) / (pairs + 0.4)
        x, y, size = 400 + lean * share**2, 340 - 240 * share, (1.25 - share * 0.6) * dice.span(0.86, 1.1)
        for side in (-1, 1):
            _leaf(art, colours, x, y, size, side, mix(leaf, colours.paper, 0.1 * index))
    coin(art, colours, stem[2][0], 84, 40, colours.gold, 1.0, 0)
    for x, y in ((-118, 150), (126, 120), (86, 226)):
        place = 400 + x + dice.span(-18, 18), y + dice.span(-18, 18)
        coin(art, colours, *place, dice.span(17, 27), colours.gold, 0.9, 4)
    side = dice.pick((-1, 1))
    left, right = (side * 96, dice.whole(3, 5), 56), (-side * 100, dice.whole(1, 3), 56)
    for x, count, r in (left, right, (0, dice.whole(2, 3), 78)):
        pile(art, colours, 400 + x, 392 + (8 if not x else 0), r, count, colours.gold, 15)


def _leaf(art: Art, colours: Palette, x: float, y: float, size: float, side: int, tone: str) -> None:
    """A leaf in two halves."""
    with art.group(f"translate({num(x)} {num(y)}) scale({side * size:.2f} {size:.2f})"):
        art.path("M0 0C20 -62 76 -84 128 -72C112 -18 62 10 0 0z", art.blend(colours.lift(tone, 0.3), tone, 30))
        art.path("M0 0C40 -22 84 -50 128 -72C112 -18 62 10 0 0z", colours.deep, opacity=0.14)


def vault(art: Art, colours: Palette, dice: Dice) -> None:
    """The round door of a vault with its wheel and bolts."""
    cx, turn = 400 + dice.pick((-1, 1)) * dice.span(0, 60), dice.span(0, 60)
    body = mix(colours.deep, colours.soft, dice.span(0.16, 0.34))
    shadow(art, colours, cx, 414, 270, 24)
    art.rect(cx - 178, 44, 372, 372, colours.deep, 36, opacity=0.25)
    art.rect(cx - 186, 36, 372, 372, art.blend(colours.lift(body, 0.3), colours.shade(body, 0.3), 60), 36)
    art.rect(cx - 168, 54, 336, 336, "none", 26, stroke=colours.paper, stroke_width=3, opacity=0.35)
    for x, y in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        art.circle(cx + x * 150, 222 + y * 150, 9, colours.shade(body, 0.6))
    art.circle(cx + 5, 230, 140, colours.deep, opacity=0.3)
    art.circle(cx, 222, 140, art.blend(colours.lift(colours.gold, 0.4), colours.shade(colours.gold, 0.35), 55))
    art.circle(cx, 222, 116, art.blend(colours.shade(body, 0.1), colours.shade(body, 0.45), 55))
    art.circle(cx, 222, 127, "none", stroke=colours.deep, stroke_width=6, stroke_dasharray="3 30.2", opacity=0.6)
    bars = dice.pick((3, 4, 5))
    for bar in range(bars):
        (a, b), (c, e) = polar(cx, 222, 34, turn + bar * 360 / bars), polar(cx, 222, 88, turn + bar * 360 / bars)
        art.stroke(f"M{num(a)} {num(b)}L{num(c)} {num(e)}", colours.pop, 15)
        art.circle(c, e, 15, art.blend(colours.lift(colours.pop), colours.pop, 50))
    art.circle(cx, 222, 46, art.blend(colours.lift(colours.gold, 0.5), colours.gold, 55))
    art.circle(cx, 222, 20, colours.deep)
    side = dice.pick((-1, 1))
    for x, count in ((206, dice.whole(2, 6)), (262, dice.whole(1, 4))):
        pile(art, colours, cx + side * x, 404, 34, count, colours.gold, 11)


SCENES = (piles, curves, towers, orbit, sapling, vault)
