"""Scenes for ethics: a pair of scales, interlocking rings, stones in balance and a doorway."""

from __future__ import annotations

from artwork.palette import Palette
from artwork.shapes import shadow
from artwork.svg import Art, Dice, arc, mix, num, polar


def scales(art: Art, colours: Palette, dice: Dice) -> None:
    """A pair of scales with different things in equal weight."""
    tilt = dice.span(-9, 9)
    shadow(art, colours, 400, 398, 230, 26)
    metal = art.blend(colours.lift(colours.pop, 0.35), colours.shade(colours.pop, 0.18), 0)
    art.path(
        "M318 396c0 -26 38 -34 66 -38h32c28 4 66 12 66 38z", art.blend(colours.front, colours.shade(colours.front))
    )
    art.rect(390, 96, 20, 268, metal, 8)
    art.circle(400, 352, 21, metal)
    arms = dice.span(172, 206)
    ends = [polar(400, 112, arms, tilt), polar(400, 112, arms, tilt + 180)]
    (x1, y1), (x0, y0) = ends
    art.stroke(
        f"M{num(x0)} {num(y0)}Q{num(330)} {num((y0 + 112) / 2 - 26)} 400 112Q470 {num((y1 + 112) / 2 - 26)} "
        f"{num(x1)} {num(y1)}",
        colours.pop,
        13,
    )
    for index, (x, y) in enumerate(ends):
        _pan(art, colours, dice, x, y, index)
    art.circle(400, 106, 30, art.blend(colours.lift(colours.extra), colours.extra))
    art.circle(400, 106, 13, colours.paper)


def _pan(art: Art, colours: Palette, dice: Dice, x: float, y: float, number: int) -> None:
    """One pan with its cords and load."""
    low, half = y + dice.span(128, 150), 82
    art.path(
        f"M{num(x - half)} {num(low)}L{num(x)} {num(y)}L{num(x + half)} {num(low)}",
        stroke=colours.paper if colours.dark else colours.deep,
        stroke_width=2.5,
        opacity=0.75,
    )
    art.circle(x, y, 9, colours.paper)
    if number == 0:
        art.circle(x - 22, low - 32, 32, art.blend(colours.lift(colours.extra), colours.extra, 60))
        art.circle(x + 36, low - 20, 20, art.blend(colours.lift(colours.front), colours.front, 60))
    else:
        for index, side in enumerate(dice.shuffle((52, 40, 28))[:2]):
            tone = (colours.second, colours.main)[index]
            art.rect(x - 44 + index * 52, low - side, side, side, art.blend(colours.lift(tone), tone, 50), 6)
    art.path(
        f"M{num(x - half - 10)} {num(low)}h{2 * half + 20}a92 56 0 0 1 {-2 * half - 20} 0z",
        art.blend(colours.lift(colours.front, 0.3), colours.shade(colours.front, 0.3), 0),
    )


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


def stones(art: Art, colours: Palette, dice: Dice) -> None:
    """Smooth stones in balance, mirrored in still water."""
    flip = dice.pick((-1, 1))
    art.ellipse(400, 388, 330, 44, mix(colours.ground, colours.main, 0.3), opacity=0.55)
    for ring in (250, 180):
        art.ellipse(400, 388, ring, ring * 0.13, "none", stroke=colours.paper, stroke_width=2, opacity=0.5)
    _stack(art, colours, dice, 400 + flip * dice.span(0, 50), dice.whole(4, 5), 142)
    _stack(art, colours, dice, 400 - flip * dice.span(190, 225), dice.whole(2, 3), 66)


def _stack(art: Art, colours: Palette, dice: Dice, cx: float, count: int, width: float) -> None:
    tones = dice.shuffle((colours.front, colours.pop, colours.lift(colours.main, 0.5), colours.extra, colours.soft))
    base = 390.0
    shadow(art, colours, cx, base - 2, width * 1.3, 17, 0.5)
    for level in range(count):
        half = width * (1 - level * 0.19) * dice.span(0.86, 1.06)
        high = half * dice.span(0.36, 0.48) if level < count - 1 else half * 0.8
        x = cx + (dice.span(-0.2, 0.2) * half if level else 0)
        turn = dice.span(-5, 5)
        tone = tones[level]
        cy = base - high
        with art.group(f"rotate({num(turn)} {num(x)} {num(cy)})"):
            art.rect(
                x - half,
                cy - high,
                2 * half,
                2 * high,
                art.blend(colours.lift(tone, 0.4), colours.shade(tone, 0.28), 70),
                high * 0.98,
            )
            art.stroke(
                f"M{num(x - half * 0.62)} {num(cy - high * 0.42)}q{num(half * 0.3)} {num(-high * 0.3)} "
                f"{num(half * 0.7)} {num(-high * 0.26)}",
                colours.paper,
                3.5,
                opacity=0.45,
            )
        base = cy - high + 4


def doorway(art: Art, colours: Palette, dice: Dice) -> None:
    """Arches within arches; light falls out of the last one onto a path of steps."""
    count, shift = dice.whole(4, 6), dice.span(-16, 16)
    tones = [mix(colours.deep, colours.main, share / count) for share in range(count + 1)]
    if dice.chance(0.4):
        tones = [mix(colours.main, colours.pop, share / count) for share in range(count + 1)]
    for index in range(count):
        half, top = 190 - index * 140 / count, 34 + index * 150 / count
        cx = 400 + shift * index
        fill = art.blend(tones[index], mix(tones[index], colours.paper, 0.12), 0)
        art.path(_arch(cx, half, top), fill)
    cx = 400 + shift * count
    light = mix(colours.paper, colours.pop, 0.15)
    art.path(_arch(cx, 48, 196), art.blend(light, mix(light, colours.pop, 0.4)))
    lean = dice.span(-120, 120)
    art.poly(
        [(cx - 48, 396), (cx + 48, 396), (cx + 130 + lean, 450), (cx - 150 + lean, 450)],
        art.blend(light, light, fade=(0.85, 0.1)),
    )
    _visitors(art, colours, dice, cx)


def _arch(cx: float, half: float, top: float) -> str:
    """Path data of a round arch that stands on the floor."""
    return f"M{num(cx - half)} 396V{num(top + half)}a{num(half)} {num(half)} 0 0 1 {num(2 * half)} 0V396z"


def _visitors(art: Art, colours: Palette, dice: Dice, cx: float) -> None:
    """The floor line, a ball on the threshold and discs in the air."""
    ball = dice.span(24, 34)
    art.stroke("M150 396H650", colours.paper if colours.dark else colours.deep, 4, opacity=0.7)
    x = cx + dice.pick((-1, 1)) * dice.span(60, 130)
    shadow(art, colours, x, 398, ball * 1.5, 8, 0.6)
    art.circle(x, 395 - ball, ball, art.blend(colours.lift(colours.extra, 0.4), colours.extra, 60))
    side = dice.pick((-1, 1))
    for index in range(3):
        art.circle(
            400 + side * (240 + index * 26),
            130 + index * 46,
            26 - index * 7,
            (colours.pop, colours.front, colours.paper)[index],
        )


def prism(art: Art, colours: Palette, dice: Dice) -> None:
    """A prism that parts one beam into bands of colour."""
    side, aim = dice.pick((-1, 1)), dice.span(-26, 26)
    tones = dice.shuffle((colours.accent, colours.second, colours.lift(colours.main), colours.soft, colours.main))
    count = dice.whole(4, 5)
    with art.group(f"translate(400 232) scale({side} 1)"):
        wide = dice.span(34, 46)
        for index in range(count):
            top = aim * 3 - 120 + index * wide * 1.5
            art.poly(
                [(20, -22 + index * 9), (440, top), (440, top + wide * 1.5 + 1), (20, -13 + index * 9)],
                art.blend(tones[index], tones[index], 0, (1, 0.72)),
            )
        light = colours.paper if colours.dark else mix(colours.paper, colours.sunny, 0.25)
        art.poly([(-440, 70 + aim), (-440, 96 + aim), (-40, 4), (-36, -12)], light)
        art.poly([(8, 172), (240, 172), (180, 188), (-20, 188)], colours.deep, opacity=0.2)
        art.poly([(0, -150), (-156, 158), (22, 178)], art.blend(colours.paper, colours.front, 70, (0.85, 0.75)))
        art.poly([(0, -150), (22, 178), (148, 140)], art.blend(colours.front, colours.deep, 70, (0.75, 0.85)))
        art.path(
            "M0 -150L22 178M0 -150L-156 158L22 178L148 140z",
            stroke=colours.paper,
            stroke_width=3,
            stroke_linejoin="round",
            opacity=0.85,
        )
        art.circle(-250, -120, dice.span(14, 24), colours.pop)


def beacon(art: Art, colours: Palette, dice: Dice) -> None:
    """A lighthouse on its rock, with beams over a calm sea."""
    cx, turn = 400 + dice.span(-90, 90), dice.span(-14, 4)
    glow = mix(colours.paper, colours.sunny, 0.3)
    with art.group(f"rotate({num(turn)} {num(cx)} 112)"):
        for side in (-1, 1):
            art.poly(
                [(cx, 104), (cx + side * 700, 20), (cx + side * 700, 210), (cx, 122)],
                art.blend(glow, glow, 0, (0.75, 0) if side > 0 else (0, 0.75)),
            )
    art.circle(cx, 112, 74, art.glow(glow, 0.85))
    for wave in range(3):
        y = 372 + wave * 24
        d = f"M-20 {y}" + "".join(f"q40 {-13 if i % 2 else 13} 80 0" for i in range(11)) + "V450H-20z"
        art.path(
            d, mix(colours.main, colours.deep, 0.2 + wave * 0.24), transform=f"translate({num(dice.span(-60, 0))} 0)"
        )
        if wave == 0:
            rock = f"M{num(cx - 130)} 400q20 -54 70 -60q60 -18 118 4q56 10 74 56z"
            art.path(rock, mix(colours.deep, colours.main, 0.2))
            _lighthouse(art, colours, cx, dice.whole(2, 4))


def _lighthouse(art: Art, colours: Palette, cx: float, bands: int) -> None:
    """The tower with its bands, gallery and lamp."""
    body, strip = art.blend(colours.paper, colours.soft, 0), art.blend(colours.pop, colours.shade(colours.pop, 0.3), 0)

    def half(y: float) -> float:
        """Return half of the width of the tower at a height."""
        return 26 + (y - 140) * 0.1

    art.poly([(cx - 26, 140), (cx + 26, 140), (cx + half(348), 348), (cx - half(348), 348)], body)
    step = 208 / (bands * 2)
    for band in range(bands):
        top = 140 + step * (band * 2 + 0.7)
        low = top + step
        art.poly([(cx - half(top), top), (cx + half(top), top), (cx + half(low), low), (cx - half(low), low)], strip)
    art.rect(cx - 40, 130, 80, 13, colours.deep, 4)
    art.rect(cx - 22, 92, 44, 40, colours.sunny)
    art.path(f"M{num(cx - 8)} 92v40m16 0v-40", stroke=colours.deep, stroke_width=3)
    art.path(f"M{num(cx - 30)} 94q30 -46 60 0z", strip)
    art.path(f"M{num(cx - 11)} 348v-24a11 11 0 0 1 22 0v24z", colours.deep)


SCENES = (scales, rings, stones, doorway, prism, beacon)
