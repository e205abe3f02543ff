"""Scenes for courses that come from somewhere else: design, music, the web and plain shapes."""

from __future__ import annotations

from artwork import business, charts, technology
from artwork.palette import Palette
from artwork.shapes import grid, lines, pencil, ragged, shadow, sheet, window
from artwork.svg import Art, Dice, Point, arc, mix, num, polar, wedge


def pen(art: Art, colours: Palette, dice: Dice) -> None:
    """A drawing pen that pulls a curve with its handles."""
    ink = colours.paper if colours.dark else colours.deep
    grid(art, ink, 0, 0, 800, 450, (50, 50), 0.1)
    side = dice.pick((-1, 1))
    a, b = (400 - side * 240, dice.span(290, 340)), (400 + side * 110, dice.span(170, 230))
    c, e = (a[0] + side * 40, dice.span(40, 110)), (b[0] - side * dice.span(130, 180), b[1] + dice.span(60, 130))
    d = f"M{num(a[0])} {num(a[1])}C{num(c[0])} {num(c[1])} {num(e[0])} {num(e[1])} {num(b[0])} {num(b[1])}"
    art.path(d + f"L{num(b[0])} 400H{num(a[0])}z", art.blend(colours.pop, colours.front, 30, (0.9, 0.35)))
    art.stroke(d, ink, 8)
    for (x, y), (u, v) in ((a, c), (b, e)):
        art.stroke(f"M{num(x)} {num(y)}L{num(u)} {num(v)}", colours.extra, 3)
        art.circle(u, v, 10, colours.extra)
        art.rect(x - 12, y - 12, 24, 24, colours.paper, stroke=colours.deep, stroke_width=5)
    with art.group(f"translate({num(b[0])} {num(b[1])}) rotate({num(side * dice.span(-64, -40) + 180)})"):
        art.path("M0 0C-34 58 -46 92 -42 132H42C46 92 34 58 0 0z", art.blend(colours.soft, colours.paper, 0))
        art.path("M0 0C34 58 46 92 42 132H0z", colours.deep, opacity=0.16)
        art.stroke("M0 6V78", colours.deep, 4)
        art.circle(0, 86, 11, colours.deep)
        art.rect(-46, 130, 92, 28, art.blend(colours.lift(colours.pop), colours.shade(colours.pop), 0), 6)
        art.rect(-38, 158, 76, 150, art.blend(colours.lift(colours.main), colours.shade(colours.main, 0.4), 0), 12)


def tiles(art: Art, colours: Palette, dice: Dice) -> None:
    """A composition of quarter discs, rings and stripes in a grid."""
    columns, rows = dice.pick(((4, 3), (5, 3), (3, 2), (4, 2)))
    size = min(560 / columns, 348 / rows)
    left, top = 400 - columns * size / 2, 225 - rows * size / 2
    tones = [colours.front, colours.pop, colours.extra, colours.second, colours.paper, colours.main, colours.deep]
    art.rect(left + 10, top + 14, columns * size, rows * size, colours.deep, opacity=0.2)
    last = ""
    for index in range(columns * rows):
        x, y = left + index % columns * size, top + index // columns * size
        back, fore = dice.shuffle([tone for tone in tones if tone != last])[:2]
        last = back
        art.rect(x, y, size + 0.5, size + 0.5, back)
        with art.group(f"translate({num(x + size / 2)} {num(y + size / 2)}) rotate({dice.whole(0, 3) * 90})"):
            _tile(art, colours, fore, size, dice.whole(0, 6))


def _tile(art: Art, colours: Palette, tone: str, size: float, number: int) -> None:
    """One tile, drawn around the origin."""
    h = size / 2
    if number == 0:
        art.path(wedge(-h, -h, 0, size, 0, 90), tone)
    elif number == 1:
        art.path(wedge(-h, -h, size * 0.5, size, 0, 90), tone)
        art.path(wedge(-h, -h, 0, size * 0.28, 0, 90), tone)
    elif number == 2:
        art.circle(0, 0, h * 0.7, art.blend(colours.lift(tone), tone, 45))
    elif number == 3:
        art.poly([(-h, -h), (h, h), (-h, h)], tone)
    elif number == 4:
        art.path(
            "".join(f"M{num(-h)} {num(-h + size * (i + 0.5) / 4)}h{num(size)}" for i in range(4)),
            stroke=tone,
            stroke_width=size / 10,
        )
    elif number == 5:
        art.path(wedge(-h, 0, 0, h, -90, 90) + wedge(0, 0, 0, h, -90, 90), tone)
    else:
        art.rect(-h, -h, size, size, art.dots(tone, size / 6, size / 18))


def swatches(art: Art, colours: Palette, dice: Dice) -> None:
    """A fan of colour cards, and a pencil."""
    count, side = dice.whole(6, 8), dice.pick((-1, 1))
    spread = dice.span(13, 16)
    shadow(art, colours, 400, 412, 260, 26)
    ends = ((colours.main, colours.accent), (colours.accent, colours.second))
    scale = [mix(first, second, share) for first, second in ends for share in (0, 0.25, 0.5, 0.75)]
    for index in range(count):
        turn = side * ((index - (count - 1) / 2) * spread)
        tone = scale[index % 8]
        with art.group(f"translate({400 - side * 10} 412) rotate({num(turn)})"):
            art.rect(-38, -338, 90, 350, colours.deep, 12, opacity=0.14)
            art.rect(-45, -344, 90, 350, colours.paper, 12)
            for row in range(4):
                art.rect(-37, -336 + row * 68, 74, 62, mix(tone, colours.paper, row * 0.21), 6)
    art.circle(400 - side * 10, 398, 13, colours.deep)
    art.circle(400 - side * 10, 398, 5, colours.paper)
    x, turn = (486, 0) if side > 0 else (314, 180)
    pencil(art, colours, x, 412, 200, turn + dice.span(-7, 2) * side, colours.front)


def easel(art: Art, colours: Palette, dice: Dice) -> None:
    """An artboard with overlapping shapes, handles at its corners and a row of colours."""
    shadow(art, colours, 400, 404, 300, 24)
    with art.group(f"rotate({num(dice.span(-3, 3))} 400 222)"):
        sheet(art, colours, 190, 56, 420, 314, 6, drop=16)
        tones = dice.shuffle((colours.main, colours.accent, colours.second))
        spots: list[Point] = [
            (dice.span(290, 350), dice.span(150, 190)),
            (dice.span(440, 500), dice.span(150, 200)),
            (dice.span(360, 440), dice.span(240, 276)),
        ]
        for index, (x, y) in enumerate(dice.shuffle(spots)):
            r = dice.span(66, 88)
            fill = art.blend(colours.lift(tones[index]), tones[index], 45)
            if index == 0:
                art.circle(x, y, r, fill, opacity=0.9)
            elif index == 1:
                art.poly([polar(x, y, r * 1.15, a + dice.span(-6, 6)) for a in (-90, 30, 150)], fill, opacity=0.88)
            else:
                art.rect(
                    x - r * 0.8,
                    y - r * 0.8,
                    r * 1.6,
                    r * 1.6,
                    fill,
                    14,
                    opacity=0.88,
                    transform=f"rotate({num(dice.span(0, 40))} {num(x)} {num(y)})",
                )
        art.rect(214, 80, 372, 266, "none", stroke=colours.extra, stroke_width=3)
        for x, y in ((214, 80), (586, 80), (214, 346), (586, 346)):
            art.rect(x - 8, y - 8, 16, 16, colours.paper, stroke=colours.extra, stroke_width=4)
    side = dice.pick((106, 634))
    art.rect(side, 92, 60, 232, colours.deep, 30, opacity=0.9)
    for index, tone in enumerate((colours.main, colours.accent, colours.second, colours.soft)):
        art.circle(side + 30, 124 + index * 56, 19, tone)


def record(art: Art, colours: Palette, dice: Dice) -> None:
    """A record on its player with the arm in the groove."""
    side = dice.pick((-1, 1))
    shadow(art, colours, 400, 408, 310, 26)
    with art.group(f"translate(400 222) scale({side} 1) rotate({num(dice.span(-4, 4))})"):
        art.rect(-256, -160, 530, 346, colours.deep, 26, opacity=0.22)
        wood = art.blend(colours.lift(colours.front), colours.shade(colours.front, 0.14), 50)
        art.rect(-265, -172, 530, 346, wood, 26)
        art.circle(-80, 0, 148, colours.shade(colours.front, 0.45))
        black = mix(colours.deep, "#000000", 0.35)
        art.circle(-80, -2, 140, art.blend(mix(colours.deep, colours.paper, 0.16), black, 45))
        for r in range(70, 136, 11):
            art.circle(-80, -2, r, "none", stroke=colours.paper, stroke_width=1.2, opacity=0.2)
        start = dice.span(0, 180)
        for turn in (start, start + 180):
            art.path(wedge(-80, -2, 60, 134, turn, turn + 26), colours.paper, opacity=0.12)
        art.circle(-80, -2, 52, art.blend(colours.lift(colours.pop), colours.pop, 45))
        art.path(wedge(-80, -2, 18, 44, start, start + 150), colours.extra, opacity=0.8)
        art.circle(-80, -2, 7, colours.paper)
        art.stroke("M196 -116V30L112 100", colours.paper, 11)
        art.rect(84, 84, 44, 26, colours.deep, 6, transform="rotate(-40 106 97)")
        art.circle(196, -116, 34, colours.deep)
        art.circle(196, -116, 17, colours.paper)
        for index in range(2):
            art.circle(
                172 + index * 50, 130, 17, (colours.pop, colours.extra)[index], stroke=colours.paper, stroke_width=4
            )


def keys(art: Art, colours: Palette, dice: Dice) -> None:
    """A keyboard in a slant, some keys in colour, and waves above it."""
    count, lean = dice.whole(9, 12), dice.pick((-1, 1)) * dice.span(4, 9)
    wide = 620 / count
    lit = dice.shuffle(list(range(count)))[:3]
    for index, tone in enumerate((colours.pop, colours.extra, colours.front)):
        high = dice.span(26, 56)
        d = "M-20 100" + "".join(f"q50 {num(high * (-1 if i % 2 else 1))} 100 0" for i in range(9))
        art.stroke(d, tone, 6, opacity=0.75, transform=f"translate({num(dice.span(-80, 0))} {index * 12 - 12})")
    with art.group(f"translate(400 290) rotate({num(lean)})"):
        art.rect(-326, -120, 668, 250, colours.deep, 18, opacity=0.25)
        art.rect(-334, -132, 668, 250, art.blend(colours.shade(colours.main, 0.4), colours.deep), 18)
        for index in range(count):
            tone = (colours.pop, colours.second, colours.main)[lit.index(index)] if index in lit else colours.paper
            art.rect(-310 + index * wide, -104, wide - 4, 204, art.blend(tone, mix(tone, colours.deep, 0.12)), 8)
        for index in range(count - 1):
            if index % 7 not in (2, 6):
                art.rect(
                    -310 + (index + 0.68) * wide,
                    -106,
                    wide * 0.58,
                    122,
                    art.blend(colours.deep, mix(colours.deep, colours.paper, 0.16)),
                    5,
                )


def strings(art: Art, colours: Palette, dice: Dice) -> None:
    """The body of a guitar with its strings; some of them sound."""
    side, turn = dice.pick((-1, 1)), dice.span(12, 26)
    shadow(art, colours, 400, 410, 270, 22)
    wood = mix(colours.pop, colours.main, dice.span(0, 0.4))
    body = (
        "M-60 -84C0 -84 24 -58 62 -62C130 -126 250 -100 250 0C250 100 130 126 62 62C24 58 0 84 -60 84"
        "C-130 84 -150 40 -150 0C-150 -40 -130 -84 -60 -84z"
    )
    with art.group(f"translate({400 - side * 70} 232) scale({-side} 1) rotate({num(turn)}) scale(1.04)"):
        art.path(body, colours.deep, opacity=0.22, transform="translate(8 14)")
        art.rect(-330, -17, 300, 34, colours.deep, 4)
        art.path("M-330 -26h-62l-12 12v28l12 12h62z", colours.shade(wood, 0.4))
        art.path(body, art.blend(colours.lift(wood, 0.35), colours.shade(wood, 0.25), 60))
        art.path(body, "none", stroke=colours.shade(wood, 0.55), stroke_width=5)
        art.rect(-330, -17, 270, 34, colours.deep, 4)
        art.circle(4, 0, 46, colours.deep)
        art.circle(4, 0, 54, "none", stroke=colours.paper, stroke_width=4, opacity=0.8)
        art.rect(150, -44, 20, 88, colours.deep, 6)
        art.path("".join(f"M{x} -17v34" for x in range(-300, -60, 30)), stroke=colours.soft, stroke_width=2.5)
        art.path(
            "".join(f"M-392 {num(y)}H160" for y in (-12, -7, -2, 3, 8, 13)),
            stroke=colours.paper,
            stroke_width=1.6,
            opacity=0.85,
        )
        pegs = "".join(f"M{place} -34v68" for place in (-352, -372, -390))
        art.path(pegs, stroke=colours.paper, stroke_width=8, stroke_linecap="round", stroke_dasharray="1 66")
    for index in range(dice.whole(3, 5)):
        x = 400 - side * (20 + index * 82 + dice.span(-14, 14))
        _note(art, colours, x, 106 + index % 2 * 34 + dice.span(-14, 14), dice.span(0.6, 0.9), index)


def _note(art: Art, colours: Palette, x: float, y: float, scale: float, index: int) -> None:
    """One note, single or in a pair."""
    tone = (colours.front, colours.extra, colours.paper if colours.dark else colours.main)[index % 3]
    with art.group(f"translate({num(x)} {num(y)}) scale({scale:.2f})"):
        art.ellipse(0, 0, 19, 14, tone, transform="rotate(-20)")
        if index % 2:
            art.stroke("M16 -4V-72L72 -84V-14", tone, 7)
            art.ellipse(56, -12, 19, 14, tone, transform="rotate(-20 56 -12)")
        else:
            art.stroke("M16 -4V-76C20 -58 42 -56 38 -30", tone, 7)


def score(art: Art, colours: Palette, dice: Dice) -> None:
    """Five lines that wave through the picture and carry notes."""
    swing, low = dice.span(44, 90) * dice.pick((-1, 1)), dice.span(212, 246)
    ink = colours.paper if colours.dark else colours.deep
    d = "".join(
        f"M-20 {num(low + i * 27 - 54)}C190 {num(low - swing * 2 + i * 27 - 54)} 560 "
        f"{num(low + swing * 2 + i * 27 - 54)} 820 {num(low + i * 27 - 54)}"
        for i in range(5)
    )
    art.path(d, stroke=ink, stroke_width=4, opacity=0.55)
    count = dice.whole(5, 7)
    for index in range(count):
        share = (index + 0.6) / count
        wave = 3 * (1 - share) ** 2 * share * -2 * swing + 3 * (1 - share) * share**2 * 2 * swing
        x, y = 60 + share * 660, low + wave + dice.whole(-2, 2) * 27
        tone = (colours.pop, colours.front, colours.extra, colours.second)[index % 4]
        fill = art.blend(colours.lift(tone), tone, 50)
        art.ellipse(x + 5, y + 9, 37, 28, colours.deep, opacity=0.2, transform=f"rotate(-18 {num(x)} {num(y)})")
        up = -1 if y > 200 else 1
        stem = f"M{num(x - up * 30)} {num(y)}v{up * 112}"
        art.stroke(stem + ("c8 34 52 34 44 74" if up < 0 and dice.chance(0.5) else ""), tone, 8)
        art.ellipse(x, y, 37, 28, fill, transform=f"rotate(-18 {num(x)} {num(y)})")


def browser(art: Art, colours: Palette, dice: Dice) -> None:
    """A page in a wide window, with brackets of code and a telephone in front."""
    side = dice.pick((-1, 1))
    shadow(art, colours, 400, 406, 310, 24)
    x, y = 400 - 230 - side * 36, 60.0
    window(art, colours, x, y, 460, 300, dice.pick((colours.main, colours.deep)))
    hero = art.blend(colours.pop, mix(colours.pop, colours.main, 0.5), 30)
    art.rect(x + 22, y + 54, 416, 112, hero, 10)
    lines(art, colours.paper, x + 48, y + 88, ragged(dice, 2, 90, 170), 24, 10, 0.95)
    art.circle(x + 356, y + 110, 36, colours.paper, opacity=0.35)
    art.path(arc(x + 356, y + 110, 24, 20, 20 + dice.span(150, 300)), stroke=colours.paper, stroke_width=9)
    for index in range(3):
        art.rect(x + 22 + index * 142, y + 184, 132, 92, colours.soft, 10)
        lines(art, colours.main, x + 38 + index * 142, y + 210, ragged(dice, 3, 36, 96), 20, 7, 0.6)
    with art.group(f"translate({400 + side * 214} 262) rotate({num(side * dice.span(0, 8))})"):
        art.rect(-58, -112, 128, 232, colours.deep, 24, opacity=0.22)
        art.rect(-64, -120, 128, 232, colours.deep, 24)
        art.rect(-54, -104, 108, 200, art.blend(colours.paper, colours.soft), 12)
        art.rect(-44, -92, 88, 66, hero, 8)
        lines(art, colours.deep, -42, -6, ragged(dice, 3, 40, 84), 19, 7, 0.5)
        art.rect(-44, 58, 88, 26, colours.second, 13)


def brackets(art: Art, colours: Palette, dice: Dice) -> None:
    """Large brackets with blocks of code between them."""
    thick, turn = dice.span(26, 34), dice.span(-7, 7)
    shadow(art, colours, 400, 404, 300, 26)
    with art.group(f"rotate({num(turn)} 400 222)"):
        for tone, side in ((colours.front, -1), (colours.pop, 1)):
            d = f"M{400 + side * 190} 112L{400 + side * 300} 222L{400 + side * 190} 332"
            art.stroke(d, colours.shade(tone, 0.5), thick, transform="translate(10 10)")
            art.stroke(d, art.blend(colours.lift(tone), tone), thick)
        tones = (colours.front, colours.pop, colours.extra, colours.second, colours.paper)
        for row in range(5):
            indent = 252.0 + (0, 34, 68, 34, 0)[row]
            for part in range(dice.whole(1, 3)):
                wide = dice.span(40, 96)
                if indent + wide > 552:
                    break
                tone = tones[(row + part * 2 + dice.whole(0, 1)) % 5]
                art.rect(indent + 4, 112 + row * 47, wide, 28, colours.deep, 14, opacity=0.18)
                art.rect(indent, 106 + row * 47, wide, 28, art.blend(colours.lift(tone, 0.2), tone, 0), 14)
                indent += wide + 14


def bows(art: Art, colours: Palette, dice: Dice) -> None:
    """Nested bows that grow from two points of the lower edge."""
    tones = dice.shuffle((colours.front, colours.pop, colours.extra, colours.second, colours.paper, colours.main))
    left, right = (dice.span(220, 330), dice.span(190, 235), 0), (dice.span(500, 590), dice.span(130, 180), 2)
    for base, size, shift in (left, right):
        count = dice.whole(4, 5)
        for ring in range(count):
            r, tone = size * (1 - ring / count), tones[(ring + shift) % 6]
            art.path(
                f"M{num(base - r)} 400V{num(400 - r * 0.4)}a{num(r)} {num(r)} 0 0 1 {num(2 * r)} 0V400z",
                art.blend(colours.lift(tone, 0.22), tone),
            )
    art.circle(dice.span(360, 470), dice.span(70, 110), dice.span(28, 44), art.blend(colours.lift(tones[0]), tones[0]))
    art.stroke("M60 400H740", colours.paper if colours.dark else colours.deep, 5, opacity=0.8)


def rings(art: Art, colours: Palette, dice: Dice) -> None:
    """Thick rings that pass over and under each other."""
    count, radius = dice.whole(3, 5), dice.span(92, 104)
    thick, start = dice.span(27, 36), dice.span(0, 360)
    shadow(art, colours, 400, 414, 250, 24)
    reach = radius * (0.66, 0.8, 0.9)[count - 3]
    angles = [start + index * 360 / count for index in range(count)]
    centres = [polar(400, 220, reach, angle) for angle in angles]
    tones = [colours.pop, colours.front, colours.extra, colours.lift(colours.main, 0.5), colours.second]
    for (cx, cy), tone in zip(centres, tones, strict=False):
        art.circle(cx, cy, radius, tone, opacity=0.16)
    for (cx, cy), tone in zip(centres, tones, strict=False):
        _hoop(art, colours, arc(cx, cy, radius, 0, 180) + arc(cx, cy, radius, 180, 360), tone, thick)
    for angle, (cx, cy), tone in zip(angles, centres, tones, strict=False):
        _hoop(art, colours, arc(cx, cy, radius, angle + 8, angle + 140), tone, thick)
    side = dice.pick((-1, 1))
    for index in range(dice.whole(2, 4)):
        x, y = polar(400, 220, 262 + index % 2 * 34, (index - 1) * 20 + (180 if side < 0 else 0))
        art.circle(x, y, 22 - index * 5, art.blend(colours.lift(tones[index]), tones[index], 60))


def _hoop(art: Art, colours: Palette, d: str, tone: str, thick: float) -> None:
    """One stretch of a ring with a dark rim and a light edge."""
    art.path(d, stroke=colours.shade(tone, 0.5), stroke_width=thick)
    art.path(d, stroke=tone, stroke_width=thick - 7)
    art.path(d, stroke=mix(tone, colours.paper, 0.45), stroke_width=3.5)


SCENES = {
    "business": (
        business.piles,
        business.curves,
        business.towers,
        charts.board,
        business.beam,
        charts.segments,
        business.orbit,
        business.columns,
    ),
    "design": (pen, tiles, swatches, easel),
    "music": (record, keys, strings, score),
    "web": (browser, brackets, technology.windows, technology.nodes, technology.layers),
    "abstract": (tiles, bows, charts.streams, rings, business.formation),
}
