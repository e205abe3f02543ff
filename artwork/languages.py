"""Scenes for languages: overlapping speech shapes, a dialogue, a globe and a voice."""

from __future__ import annotations

from artwork.palette import Palette
from artwork.shapes import bubble, lines, ragged, shadow
from artwork.svg import Art, Dice, mix, num, polar, trace, wedge


def speech(art: Art, colours: Palette, dice: Dice) -> None:
    """Large speech shapes that overlap; where they meet, they share a colour."""
    side = dice.pick((-1, 1))
    wide, high = dice.span(270, 310), dice.span(176, 206)
    x, y = 400 - wide * 0.5 - side * 96, dice.span(56, 78)
    u, v = 400 - wide * 0.5 + side * 96, y + dice.span(76, 104)
    shadow(art, colours, 400, 420, 250, 18)
    back = art.blend(colours.lift(colours.front), colours.front)
    front = art.blend(colours.lift(colours.pop), colours.pop)
    bubble(art, x + 8, y + 12, wide, high, colours.deep, -side, 52, opacity=0.2)
    bubble(art, x, y, wide, high, back, -side, 52)
    bubble(art, u + 8, v + 12, wide, high, colours.deep, side, 52, opacity=0.2)
    bubble(art, u, v, wide, high, front, side, 52, opacity=0.95)
    left, right = max(x, u), min(x, u) + wide
    art.rect(left, v, right - left, y + high - v, mix(colours.main, colours.deep, 0.55), 44, opacity=0.55)
    lines(art, colours.paper, x + (40 if side > 0 else 150), y + 38, ragged(dice, 2, 60, 110), 24, 9, 0.85)
    _sound(art, colours, dice, u + wide / 2 + side * 60, v + high / 2 + 16)
    for index in range(3):
        art.circle((left + right) / 2 - 26 + index * 26, (v + y + high) / 2, 8, colours.paper)
    _small(art, colours, dice, 400 + side * 270, y + 10)


def _sound(art: Art, colours: Palette, dice: Dice, cx: float, cy: float) -> None:
    """A few bars of sound."""
    d = "".join(
        f"M{num(cx + (i - 2) * 20)} {num(cy - size)}v{num(2 * size)}"
        for i, size in enumerate(dice.span(8, 36) for _ in range(5))
    )
    art.stroke(d, colours.deep, 9, opacity=0.75)


def _small(art: Art, colours: Palette, dice: Dice, cx: float, cy: float) -> None:
    """A small speech shape at a distance."""
    size = dice.span(62, 84)
    tone = colours.extra
    bubble(art, cx - size / 2, cy, size, size * 0.66, art.blend(colours.lift(tone), tone), dice.pick((-1, 1)), 20)


def dialogue(art: Art, colours: Palette, dice: Dice) -> None:
    """Two heads in profile that face each other, and what passes between them."""
    shadow(art, colours, 400, 446, 360, 30, 0.3)
    size = dice.span(0.96, 1.08)
    tones = dice.shuffle((colours.front, colours.extra, colours.second if colours.dark else colours.deep))[:2]
    for side, tone in zip((-1, 1), tones, strict=True):
        with art.group(f"translate({400 + side * 216} 300) scale({-side * size:.2f} {size:.2f})"):
            _profile(art, colours, dice, tone)
    high = dice.span(56, 84)
    bubble(art, 292, high, 146, 92, art.blend(colours.lift(colours.pop), colours.pop), -1, 34)
    lines(art, colours.deep, 322, high + 34, ragged(dice, 2, 46, 86), 24, 8, 0.65)
    with art.group("translate(800 0) scale(-1 1)"):
        bubble(art, 308, high + 120, 130, 80, art.blend(colours.paper, colours.soft), -1, 30)
    for index in range(3):
        art.circle(402 + index * 24, high + 160, 7, (colours.main, colours.accent, colours.second)[index])


def _profile(art: Art, colours: Palette, dice: Dice, tone: str) -> None:
    """One head that looks to the right, cut from simple curves, with a pattern in its hair."""
    light = colours.lift(tone, 0.3)
    art.path(
        "M-150 160C-146 96 -92 76 -34 70V20H44V66C84 78 104 112 110 160z",
        art.blend(colours.shade(tone, 0.1), colours.shade(tone, 0.42)),
    )
    art.path(
        "M-88 -60C-88 -130 -36 -166 14 -166C68 -166 98 -128 98 -84C98 -70 96 -60 104 -44L118 -14"
        "C122 -4 116 0 104 2C104 14 106 18 102 24C104 34 100 38 96 42C98 62 84 70 54 62L44 90H-34V34"
        "C-70 20 -88 -14 -88 -60z",
        art.blend(light, tone, 20),
    )
    hair = dice.whole(0, 2)
    dark = colours.shade(tone, 0.62)
    if hair == 0:
        art.path(
            "M-92 -40C-112 -130 -46 -190 24 -184C76 -180 104 -148 100 -112C56 -138 20 -112 -6 -108"
            "C-10 -60 -40 -30 -56 4C-78 -4 -90 -20 -92 -40z",
            dark,
        )
    elif hair == 1:
        art.circle(-84, -128, 44, dark)
        art.path("M-90 -36C-104 -124 -40 -178 20 -178C70 -178 98 -150 100 -118C40 -124 -20 -110 -54 -10z", dark)
    else:
        art.path(
            "M-88 -50C-96 -130 -40 -176 16 -176C74 -176 104 -140 98 -108L60 -126L22 -110L-14 -120L-40 -70L-60 -76z",
            dark,
        )
    art.circle(60, -62, 6, colours.soft if tone == colours.deep else colours.deep)
    art.path(wedge(-22, -34, 8, 17, 40, 320), colours.shade(tone, 0.4))


def globe(art: Art, colours: Palette, dice: Dice) -> None:
    """A globe with meridians; speech shapes travel around it."""
    cx, r, turn = 400 + dice.span(-30, 30), dice.span(126, 142), dice.span(-28, 28)
    shadow(art, colours, cx, 412, 200, 22)
    art.circle(cx, 226, r, art.blend(colours.lift(colours.front, 0.4), colours.shade(colours.front, 0.35), 60))
    ink = colours.paper
    with art.group(f"rotate({num(turn)} {num(cx)} 226)"):
        for share in (0.34, 0.72):
            art.ellipse(cx, 226, r * share, r, "none", stroke=ink, stroke_width=3, opacity=0.65)
        for share in (-0.56, 0, 0.56):
            half = r * (1 - share * share) ** 0.5
            art.path(
                f"M{num(cx - half)} {num(226 + share * r)}q{num(half)} {num(r * 0.2)} {num(2 * half)} 0",
                stroke=ink,
                stroke_width=3,
                opacity=0.65,
            )
    art.circle(cx - r * 0.3, 226 - r * 0.36, r * 0.5, art.glow(colours.paper, 0.5))
    with art.group(f"rotate({num(-18 + turn / 2)} {num(cx)} 226)"):
        art.ellipse(
            cx,
            226,
            r * 1.62,
            r * 0.52,
            "none",
            stroke=colours.pop,
            stroke_width=4,
            stroke_dasharray="2 12",
            stroke_linecap="round",
        )
    tones = dice.shuffle((colours.pop, colours.extra, colours.paper, colours.second))
    start = dice.span(0, 90)
    for index in range(dice.whole(3, 4)):
        x, y = polar(cx, 222, 1, start + index * 95)
        x, y = cx + (x - cx) * (r + 70), 222 + (y - 222) * (r - 14)
        _tag(art, colours, dice, x, y, tones[index])


def _tag(art: Art, colours: Palette, dice: Dice, x: float, y: float, tone: str) -> None:
    """A speech shape with one mark in it."""
    w, h = dice.span(96, 124), dice.span(62, 76)
    side = -1 if x > 400 else 1
    x, y = min(max(x - w / 2, 40), 760 - w), min(max(y - h / 2, 22), 330)
    bubble(art, x + 5, y + 8, w, h, colours.deep, side, 24, opacity=0.2)
    bubble(art, x, y, w, h, art.blend(colours.lift(tone), tone), side, 24)
    ink = colours.paper if tone in (colours.deep, colours.main) else colours.deep
    if dice.chance():
        lines(art, ink, x + 22, y + h * 0.38, [w - 44, w * 0.36], 17, 7, 0.7)
    else:
        for index in range(3):
            art.circle(x + w / 2 - 20 + index * 20, y + h / 2, 6, ink, opacity=0.75)


def voice(art: Art, colours: Palette, dice: Dice) -> None:
    """One large speech shape with a band of sound that runs through the picture."""
    side = dice.pick((-1, 1))
    shadow(art, colours, 400, 424, 230, 16)
    bubble(art, 238, 66, 340, 260, colours.deep, side, 96, opacity=0.2)
    bubble(art, 228, 52, 340, 260, art.blend(colours.lift(colours.front), colours.front), side, 96)
    art.rect(250, 74, 296, 216, art.blend(colours.back, colours.sky), 78, opacity=0.35)
    count, phase = dice.whole(21, 27), dice.span(0, 60)
    step = 640 / count
    tones = (colours.pop, colours.extra, colours.paper)
    strokes = ["", "", ""]
    for index in range(count):
        swell = 1 - abs(index - (count - 1) / 2) / count * 1.7
        high = max(4.0, swell * 96 * abs(polar(0, 0, 1, phase + index * 53)[1]) + dice.span(2, 16))
        strokes[index % 3 if index % 5 else 0] += f"M{num(90 + index * step)} {num(184 - high)}v{num(2 * high)}"
    for tone, d in zip(tones, strokes, strict=True):
        if d:
            art.stroke(d, tone, step * 0.5)
    _small(art, colours, dice, 400 + side * 240, 52)
    _small(art, colours, dice, 400 - side * 236, 296)


def cards(art: Art, colours: Palette, dice: Dice) -> None:
    """Picture cards in a loose row, with the speech shape that names one of them."""
    count, side = dice.whole(3, 4), dice.pick((-1, 1))
    shadow(art, colours, 400, 412, 300, 22)
    tones = dice.shuffle((colours.paper, colours.pop, colours.extra, colours.front, colours.soft))
    signs = dice.shuffle((0, 1, 2, 3, 4))
    room = 150 if count == 3 else 118
    for index in range(count):
        x = 400 + side * (index - (count - 1) / 2) * room
        with art.group(f"translate({num(x)} {num(252 + dice.span(-14, 14))}) rotate({num(dice.span(-13, 13))})"):
            art.rect(-78, -112, 166, 240, colours.deep, 20, opacity=0.2)
            art.rect(-86, -122, 166, 240, art.blend(colours.lift(tones[index], 0.25), tones[index], 60), 20)
            art.rect(-70, -106, 134, 144, colours.paper, 12, opacity=0.5)
            _sign(art, colours, signs[index])
            art.stroke("M-58 66h96M-58 88h54", colours.deep, 9, opacity=0.45)
    chosen = 400 + side * dice.span(60, 170)
    bubble(art, chosen - 70, 36, 140, 76, art.blend(colours.lift(colours.second), colours.second), -side, 30)
    for index in range(3):
        art.circle(chosen - 28 + index * 28, 74, 8, colours.deep)


def _sign(art: Art, colours: Palette, number: int) -> None:
    """A simple thing to name: the sun, a house, a cup, a leaf or a fish."""
    main, other = colours.main, colours.deep
    if number == 0:
        art.circle(-3, -34, 52, "none", stroke=colours.sunny, stroke_width=13, stroke_dasharray="9 18.2")
        art.circle(-3, -34, 34, colours.sunny)
    elif number == 1:
        art.poly([(-58, -36), (-3, -88), (52, -36)], main)
        art.path("M-42 -36h78v58H-42z", other, opacity=0.8)
        art.rect(-14, -8, 22, 30, colours.sunny)
    elif number == 2:
        art.path("M-50 -60h78v36a39 39 0 0 1 -78 0z", main)
        art.path("M28 -48h10a16 16 0 0 1 0 32h-12M-28 -74q8 -12 0 -22M6 -74q8 -12 0 -22", stroke=other, stroke_width=7)
        art.rect(-58, 18, 96, 9, other, 4)
    elif number == 3:
        art.path("M-46 16C-62 -60 -6 -96 50 -90C58 -30 24 26 -46 16z", main)
        art.stroke("M-60 30L20 -58M-20 -14V-46M-20 -14h30", other, 6)
    else:
        art.path("M-56 -34C-30 -76 18 -72 34 -34C18 4 -30 8 -56 -34z", main)
        art.poly([(26, -34), (58, -62), (58, -6)], main)
        art.circle(-30, -40, 6, colours.paper)


def signpost(art: Art, colours: Palette, dice: Dice) -> None:
    """A signpost whose boards point to many places."""
    count, cx = dice.whole(3, 5), 400 + dice.span(-60, 60)
    room = 250 / count
    art.path(
        f"M{num(cx - 300)} 450C{num(cx - 180)} 372 {num(cx + 160)} 366 {num(cx + 320)} 450z",
        art.blend(mix(colours.back, colours.main, 0.35), mix(colours.back, colours.deep, 0.25)),
    )
    art.rect(cx - 12, 40, 24, 376, art.blend(colours.lift(colours.deep, 0.3), colours.deep, 0), 8)
    art.circle(cx, 40, 20, colours.sunny)
    tones = dice.shuffle((colours.front, colours.pop, colours.extra, colours.second, colours.paper))
    side = dice.pick((-1, 1))
    for index in range(count):
        side = -side if dice.chance(0.8) else side
        wide, y = dice.span(150, 214), 72 + index * room
        high = min(58.0, room - 12)
        with art.group(f"translate({num(cx)} {num(y + high / 2)}) scale({side} 1) rotate({num(dice.span(-6, 6))})"):
            corners = ((-44, -high / 2), (wide, -high / 2), (wide + 34, 0), (wide, high / 2), (-44, high / 2))
            shape = trace(corners) + "z"
            art.path(shape, colours.deep, opacity=0.2, transform="translate(4 9)")
            tone = tones[index % 5]
            art.path(shape, art.blend(colours.lift(tone, 0.22), tone), stroke_linejoin="round")
            ink = colours.paper if tone in (colours.deep, colours.main) else colours.deep
            lines(art, ink, -14, 0 if dice.chance() else -9, [wide * dice.span(0.4, 0.8), wide * 0.3][:1], 18, 9, 0.6)
            art.circle(-30, 0, 5, ink, opacity=0.5)


SCENES = (speech, dialogue, globe, voice, cards, signpost)
