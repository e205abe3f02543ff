"""Scenes for technology: windows, a network of nodes, a circuit and layers of a system."""

from __future__ import annotations

from artwork.palette import Palette
from artwork.shapes import Iso, grid, lines, ragged, shadow, tick, window
from artwork.svg import Art, Dice, mix, num, polar


def windows(art: Art, colours: Palette, dice: Dice) -> None:
    """Application windows that overlap, with a pointer."""
    side = dice.pick((-1, 1))
    shadow(art, colours, 400, 410, 310, 24)
    bars = dice.shuffle((colours.main, colours.deep, mix(colours.main, colours.second, 0.5)))
    x, y = 400.0 - 165 - side * 118, dice.span(48, 70)
    window(art, colours, x, y, 330, 220, bars[0])
    _blocks(art, colours, dice, x, y)
    x, y = 400 - 160 + side * 110, dice.span(150, 172)
    window(art, colours, x, y, 320, 216, bars[1])
    _code(art, colours, dice, x, y)
    x, y = 400 - 80 - side * dice.span(170, 200), dice.span(290, 312)
    art.rect(x + 8, y + 10, 170, 74, colours.deep, 18, opacity=0.2)
    art.rect(x, y, 170, 74, art.blend(colours.lift(colours.pop), colours.pop), 18)
    art.circle(x + 38, y + 37, 20, colours.deep)
    tick(art, colours.pop, x + 37, y + 38, 8)
    lines(art, colours.deep, x + 74, y + 29, [dice.span(50, 74), dice.span(30, 50)], 19, 8, 0.8)
    px, py = 400 + side * dice.span(10, 190), dice.span(300, 350)
    art.path(
        f"M{num(px)} {num(py)}v46l12 -11l9 20l10 -4l-9 -20h17z",
        colours.paper,
        stroke=colours.deep,
        stroke_width=4,
        stroke_linejoin="round",
    )


def _blocks(art: Art, colours: Palette, dice: Dice, x: float, y: float) -> None:
    """A picture and tiles inside the first window."""
    art.rect(x + 20, y + 54, 140, 96, art.blend(colours.second, mix(colours.second, colours.main, 0.6)), 10)
    art.path(
        f"M{num(x + 20)} {num(y + 140)}l36 -{num(dice.span(28, 52))}l34 30l26 -18l44 40v3a7 7 0 0 1 -7 7h-126"
        f"a7 7 0 0 1 -7 -7z",
        colours.deep,
        opacity=0.5,
    )
    art.circle(x + 124, y + 78, 11, colours.accent)
    lines(art, colours.main, x + 184, y + 64, ragged(dice, 4, 60, 124), 24, 8, 0.6)
    for index in range(3):
        art.rect(x + 20 + index * 100, y + 166, 88, 36, (colours.soft, colours.accent, colours.soft)[index], 8)


def _code(art: Art, colours: Palette, dice: Dice, x: float, y: float) -> None:
    """Coloured lines of a script inside the second window."""
    tones = (colours.main, colours.second, colours.shade(colours.accent, 0.25))
    for row in range(6):
        left = x + 28 + dice.pick((0, 24, 24, 48))
        for part in range(dice.whole(2, 3)):
            wide = dice.span(22, 70)
            lines(art, tones[(row + part) % 3], left, y + 62 + row * 25, [wide], 10, 9, 0.9)
            left += wide + 20


def nodes(art: Art, colours: Palette, dice: Dice) -> None:
    """A hub with nodes around it, tied by lines on which small parcels travel."""
    cx, cy = 400 + dice.span(-40, 40), 222
    ink = colours.paper if colours.dark else colours.deep
    count, start = dice.whole(6, 8), dice.span(0, 360)
    art.circle(cx, cy, 210, art.glow(colours.pop, 0.4))
    places = []
    for index in range(count):
        x, y = polar(0, 0, 1, start + index * 360 / count + dice.span(-12, 12))
        places.append((cx + x * dice.span(190, 270), cy + y * dice.span(118, 158)))
    for (x, y), (u, v) in zip(places, places[1:] + places[:1], strict=True):
        art.path(f"M{num(x)} {num(y)}L{num(u)} {num(v)}", stroke=ink, stroke_width=2, opacity=0.3)
    for index, (x, y) in enumerate(places):
        art.path(f"M{num(cx)} {num(cy)}L{num(x)} {num(y)}", stroke=ink, stroke_width=3, opacity=0.6)
        share = dice.span(0.45, 0.7)
        art.circle(cx + (x - cx) * share, cy + (y - cy) * share, 6, colours.pop)
        tone = (colours.front, colours.extra, colours.second, colours.lift(colours.main, 0.5))[index % 4]
        _node(art, colours, x, y, dice.span(22, 40), tone, index)
    for size, tone in ((70, colours.deep), (56, colours.pop)):
        art.circle(cx, cy, size, art.blend(colours.lift(tone), tone, 60))
    art.path(
        f"M{num(cx)} {cy - 32}l28 16v32l-28 16l-28 -16v-32zM{num(cx)} {cy}v32M{num(cx)} {cy}l28 -16M{num(cx)} {cy}"
        "l-28 -16",
        stroke=colours.deep,
        stroke_width=6,
        stroke_linejoin="round",
    )


def _node(art: Art, colours: Palette, x: float, y: float, r: float, tone: str, index: int) -> None:
    art.circle(x + 3, y + 6, r, colours.deep, opacity=0.25)
    art.circle(x, y, r, art.blend(colours.lift(tone), tone, 60))
    sign = colours.paper if tone in (colours.main, colours.deep, colours.extra) else colours.deep
    if index % 3 == 0:
        art.rect(x - r * 0.4, y - r * 0.3, r * 0.8, r * 0.6, sign, 3, opacity=0.85)
    elif index % 3 == 1:
        art.circle(x, y, r * 0.36, sign, opacity=0.85)
    else:
        tick(art, sign, x, y, r * 0.34)


def circuit(art: Art, colours: Palette, dice: Dice) -> None:
    """A chip with traces that run to the edges of the board."""
    turn = dice.pick((0, 0, 45)) + dice.span(-3, 3)
    ink = colours.front if colours.dark else colours.main
    half = dice.span(82, 96)
    with art.group(f"translate(400 225) rotate({num(turn)})"):
        for side in range(4):
            with art.group(f"rotate({side * 90})"):
                _traces(art, colours, dice, half, ink)
        art.rect(-half + 8, -half + 14, half * 2, half * 2, colours.deep, 22, opacity=0.3)
        body = mix(colours.deep, colours.main, 0.25)
        art.rect(-half, -half, half * 2, half * 2, art.blend(mix(body, colours.paper, 0.2), body, 50), 20)
        art.rect(-half * 0.74, -half * 0.74, half * 1.48, half * 1.48, "none", 14, stroke=colours.pop, stroke_width=3)
        core = half * 0.52
        art.rect(-core, -core, core * 2, core * 2, art.blend(colours.lift(colours.pop), colours.pop, 50), 10)
        grid(art, colours.deep, -core, -core, core * 2, core * 2, (core * 2 / 3, core * 2 / 3), 0.35, 3)
        for _ in range(3):
            x, y = dice.whole(-1, 1) * core * 2 / 3, dice.whole(-1, 1) * core * 2 / 3
            art.rect(x - core / 3 + 4, y - core / 3 + 4, core * 2 / 3 - 8, core * 2 / 3 - 8, colours.deep, 4)
        art.circle(-half * 0.86, -half * 0.86, 4, colours.paper)


def _traces(art: Art, colours: Palette, dice: Dice, half: float, ink: str) -> None:
    """The traces at one side of the chip; each ends in a pad or runs off the board."""
    plain = lit = ""
    for index in range(5):
        y = (index - 2) * half * 0.36
        first, bend = dice.span(26, 90), (index - 2) * dice.span(16, 36)
        last = dice.span(30, 130)
        d = f"M{num(half)} {num(y)}h{num(first)}l{num(abs(bend))} {num(bend)}h{num(last)}"
        end = (half + first + abs(bend) + last, y + bend)
        if index == dice.whole(0, 4):
            lit += d
            art.circle(*end, 10, colours.pop)
        else:
            plain += d
            art.circle(*end, 8, colours.sky, stroke=ink, stroke_width=4)
    art.stroke(plain, ink, 5)
    if lit:
        art.stroke(lit, colours.pop, 6)


def layers(art: Art, colours: Palette, dice: Dice) -> None:
    """Plates that float above each other, tied by dotted lines."""
    count = dice.whole(3, 4)
    side, room = 3.1, dice.span(2.1, 2.5) / (count - 1)
    view = Iso(art, colours, 400, 214, 60)
    shadow(art, colours, 400, 330, 300, 84, 0.35)
    tones = dice.shuffle((colours.front, colours.pop, colours.extra, colours.lift(colours.main, 0.45)))
    ink = colours.paper if colours.dark else colours.deep
    for level in range(count):
        z = level * room
        if level:
            for x, y in ((0.1, side - 0.1), (side - 0.1, side - 0.1), (side - 0.1, 0.1)):
                (a, b), (_, c) = view.at(x, y, z), view.at(x, y, z - room + 0.2)
                art.stroke(f"M{num(a)} {num(b)}V{num(c)}", ink, 3, stroke_dasharray="1 9", opacity=0.8)
        view.block(0, 0, z, (side, side, 0.2), tones[level])
        _load(view, dice, z + 0.2, side, tones[level], level == count - 1)


def _load(view: Iso, dice: Dice, z: float, side: float, tone: str, top: bool) -> None:
    """What stands on a plate: tiles, and blocks on the uppermost one."""
    colours = view.colours
    cells = dice.shuffle([(x, y) for x in range(3) for y in range(3)])
    chosen = sorted(cells[: dice.whole(3, 5)])
    for index, (x, y) in enumerate(chosen):
        at = (0.25 + x * (side - 0.4) / 3, 0.25 + y * (side - 0.4) / 3)
        if top:
            view.block(
                *at, z, (0.66, 0.66, dice.span(0.15, 0.75)), (colours.paper, colours.main, colours.second)[index % 3]
            )
        else:
            view.plate(*at, z, (0.66, 0.66), colours.deep if index % 2 else colours.paper, opacity=0.35)


def gears(art: Art, colours: Palette, dice: Dice) -> None:
    """Wheels that drive each other."""
    start, side = dice.span(0, 40), dice.pick((-1, 1))
    shadow(art, colours, 400, 414, 290, 22)
    tones = dice.shuffle((colours.front, colours.pop, colours.extra))
    places = ((-98.0, 16.0, 14), (84.0, -64.0, 9), (92.0, 104.0, 8))
    with art.group(f"translate({400 + side * 10} 214) scale({side} 1)"):
        for index, (x, y, teeth) in enumerate(places):
            _gear(art, colours, (x, y), teeth, start + index * 13, tones[index])
    for index in range(dice.whole(2, 4)):
        x, y = polar(400, 222, dice.span(240, 300), side * 30 + index * 95 + dice.span(-14, 14))
        small = colours.paper if index % 2 else colours.pop
        art.circle(x, min(max(y, 40), 410), dice.span(7, 14), small, opacity=0.9)


def _gear(art: Art, colours: Palette, centre: tuple[float, float], teeth: int, turn: float, tone: str) -> None:
    """One toothed wheel; its size follows from the number of teeth."""
    (cx, cy), r = centre, teeth * 9.2
    step = 360 / teeth
    points = [
        polar(cx, cy, radius, turn + tooth * step + share * step)
        for tooth in range(teeth)
        for share, radius in ((0, r), (0.08, r + 17), (0.42, r + 17), (0.5, r))
    ]
    art.poly([(x + 6, y + 11) for x, y in points], colours.deep, opacity=0.25)
    art.poly(points, art.blend(colours.lift(tone, 0.32), colours.shade(tone, 0.18), 60), stroke_linejoin="round")
    art.circle(cx, cy, r * 0.72, colours.shade(tone, 0.35))
    art.circle(cx, cy, r * 0.66, art.blend(colours.shade(tone, 0.1), colours.lift(tone, 0.2), 60))
    holes = (polar(cx, cy, r * 0.44, turn + index * 60) for index in range(6))
    for x, y in holes:
        art.circle(x, y, r * 0.1, colours.shade(tone, 0.5))
    art.circle(cx, cy, r * 0.26, colours.deep)
    art.circle(cx, cy, r * 0.13, colours.paper)


def guard(art: Art, colours: Palette, dice: Dice) -> None:
    """A shield with a keyhole, ringed by tiles of code."""
    turn, cx = dice.span(0, 60), 400 + dice.span(-20, 20)
    shadow(art, colours, cx, 416, 200, 20)
    ink = colours.paper if colours.dark else colours.main
    for ring, (r, dash) in enumerate(((150, "30 16 8 16"), (196, "3 17"), (238, "44 30 12 30"))):
        art.circle(
            cx,
            222,
            r,
            "none",
            stroke=colours.pop if ring == 0 else ink,
            stroke_width=(9, 6, 7)[ring],
            stroke_dasharray=dash,
            stroke_linecap="round",
            opacity=(0.8, 0.5, 0.28)[ring],
            transform=f"rotate({num(turn * (ring + 1))} {num(cx)} 222)",
        )
    with art.group(f"translate({num(cx)} 222)"):
        shape = "M0 -150L116 -108V-6C116 68 66 122 0 154C-66 122 -116 68 -116 -6V-108z"
        art.path(shape, colours.deep, opacity=0.28, transform="translate(8 14)")
        art.path(
            shape,
            art.blend(colours.lift(colours.front, 0.35), colours.front, 60),
            stroke=colours.paper,
            stroke_width=7,
            stroke_linejoin="round",
        )
        art.path("M0 -146L112 -106V-6C112 66 64 118 0 150z", colours.deep, opacity=0.2)
        art.circle(0, -18, 34, colours.deep)
        art.path("M-15 -2h30l13 72h-56z", colours.deep)
        art.circle(0, -18, 13, colours.pop)
    for index in range(dice.whole(4, 6)):
        x, y = polar(cx, 222, 196 + index % 2 * 42, turn + index * 63)
        size = dice.span(38, 56)
        y = min(max(y, 50), 380)
        art.rect(x - size / 2 + 3, y - size / 2 + 6, size, size, colours.deep, 13, opacity=0.22)
        tone = (colours.pop, colours.extra, colours.paper, colours.second)[index % 4]
        art.rect(x - size / 2, y - size / 2, size, size, art.blend(colours.lift(tone), tone, 60), 13)
        lines(
            art,
            colours.main if tone == colours.deep else colours.deep,
            x - size * 0.24,
            y - size * 0.12,
            [size * 0.48, size * 0.28],
            size * 0.26,
            5,
            0.6,
        )


SCENES = (windows, nodes, circuit, layers, gears, guard)
