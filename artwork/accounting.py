"""Scenes for accounting: an open ledger, columns, a fan of sheets and a beam in balance."""

from __future__ import annotations

from artwork.palette import Palette
from artwork.shapes import Iso, coin, grid, lines, pencil, ragged, seal, shadow, sheet
from artwork.svg import Art, Dice, mix, num


def open_ledger(art: Art, colours: Palette, dice: Dice) -> None:
    """An open ledger with ruled columns, a marked row and a pencil."""
    turn = dice.pick((-1, 1)) * dice.span(4, 15)
    marked, rows = dice.whole(1, 5), dice.whole(7, 8)
    shadow(art, colours, 400, 392, 300, 44)
    with art.group(f"translate(400 226) rotate({num(turn)})"):
        art.rect(-252, -136, 504, 288, colours.deep, 16, opacity=0.22)
        art.rect(-252, -146, 504, 288, art.blend(colours.shade(colours.main, 0.3), colours.main, 0), 14)
        for side in (-1, 1):
            with art.group(f"scale({side} 1)"):
                _page(art, colours)
        for side in (-1, 1):
            _entries(art, colours, dice, side, rows, marked if side > 0 else -1)
        art.path("M40 -142h22V-52l-11 -12l-11 12z", colours.pop)
    if dice.chance(0.65):
        pencil(art, colours, 400 + dice.span(20, 90), dice.span(270, 320), 240, dice.span(-38, -12), colours.extra)
    else:
        for x, y in ((640, 338), (672, 352), (626, 362)):
            coin(art, colours, x, y, 34, colours.pop, 0.5, 9)


def _page(art: Art, colours: Palette) -> None:
    """The right-hand page of a book, bent towards the spine."""
    for step in (2, 1, 0):
        tone = mix(colours.paper, colours.soft, 0.55 * step / 2)
        rim = 228 + step * 6
        fill = art.blend(mix(tone, colours.main, 0.3), tone, 0) if step == 0 else tone
        art.path(f"M0 {-108 + step * 2}C50 -140 150 -142 {rim} -130V126C150 112 50 114 0 {134 - step * 2}z", fill)


def _entries(art: Art, colours: Palette, dice: Dice, side: int, rows: int, marked: int) -> None:
    """Rulings and figures of one page."""
    left = -206 if side < 0 else 34
    if marked >= 0:
        art.rect(left - 6, -96 + marked * 25, 182, 22, colours.pop, 5, opacity=0.75)
    art.path(
        "".join(f"M{left + x} -106v206" for x in (62, 104, 146)), stroke=colours.main, stroke_width=1.6, opacity=0.45
    )
    for index, x in enumerate((0, 72, 114, 154)):
        widest = (48, 22, 22, 16)[index]
        lines(
            art,
            colours.deep,
            left + x,
            -85,
            ragged(dice, rows, widest * 0.45, widest),
            25,
            6,
            0.75 if index == 0 else 0.42,
        )


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


def fan(art: Art, colours: Palette, dice: Dice) -> None:
    """Statements that fan out from one corner, the last one with a total and a seal."""
    count, lean = dice.whole(3, 5), dice.pick((-1, 1))
    step = dice.span(8, 12) * lean
    shadow(art, colours, 400, 408, 240, 34)
    for index in range(count):
        turn = -step * (count - 1) / 2 * 1.2 + index * step
        with art.group(f"translate({num(400 - lean * 30)} 420) rotate({num(turn)})"):
            if index == count - 1:
                _statement(art, colours, dice)
            else:
                tone = mix(colours.front, colours.pop, 0.0 if index % 2 else 1.0)
                art.rect(-118, -342, 250, 322, colours.deep, 12, opacity=0.16)
                art.rect(-125, -350, 250, 322, art.blend(colours.lift(tone, 0.2), tone), 12)
                lines(art, colours.paper, -100, -320, [60, 120], 16, 6, 0.6)
    x = 400 + lean * dice.span(150, 190)
    seal(art, colours, x, dice.span(300, 330), 46, colours.extra)


def _statement(art: Art, colours: Palette, dice: Dice) -> None:
    """The statement in front: a heading, a table, a total."""
    sheet(art, colours, -125, -350, 250, 322, 12)
    lines(art, colours.main, -98, -318, [92], 16, 12)
    lines(art, colours.deep, -98, -296, [140], 16, 5, 0.4)
    grid(art, colours.main, -100, -276, 200, 168, (50, 24), 0.3)
    for column in range(3):
        lines(
            art,
            colours.deep,
            -90 + (0, 62, 112)[column],
            -264,
            ragged(dice, 7, 14, (50, 30, 34)[column]),
            24,
            6,
            (0.7, 0.4, 0.4)[column],
        )
    art.rect(-100, -98, 200, 30, colours.main, 6)
    lines(art, colours.paper, -86, -83, [52], 10, 7)
    lines(art, colours.pop, 34, -83, [48], 10, 9)


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


def abacus(art: Art, colours: Palette, dice: Dice) -> None:
    """A counting frame whose beads are pushed to both sides."""
    rods, turn = dice.whole(4, 6), dice.span(-6, 6)
    shadow(art, colours, 400, 408, 290, 26)
    frame = colours.shade(colours.front, 0.25) if not colours.dark else mix(colours.pop, colours.deep, 0.3)
    with art.group(f"rotate({num(turn)} 400 222)"):
        art.rect(178, 66, 460, 332, colours.deep, 30, opacity=0.2)
        art.rect(170, 54, 460, 332, art.blend(colours.lift(frame), colours.shade(frame, 0.2), 60), 30)
        art.rect(198, 82, 404, 276, art.blend(colours.paper, colours.soft), 14)
        tones = dice.shuffle((colours.main, colours.accent, colours.second, colours.lift(colours.main), colours.deep))
        room = 276 / rods
        for rod in range(rods):
            y = 82 + room * (rod + 0.5)
            art.path(f"M198 {num(y)}h404", stroke=colours.deep, stroke_width=5, opacity=0.55)
            fill = art.blend(colours.lift(tones[rod % 5], 0.35), colours.shade(tones[rod % 5], 0.15))
            left = dice.whole(1, 7)
            for bead in range(8):
                x = 216 + bead * 32 if bead < left else 584 - (7 - bead) * 32
                art.rect(x - 14, y - room * 0.4, 28, room * 0.8, fill, 13)


def archive(art: Art, colours: Palette, dice: Dice) -> None:
    """A box of folders with tabs; one folder is drawn out."""
    count, lean = dice.whole(5, 7), dice.pick((-1, 1)) * dice.span(10, 16)
    drawn = dice.whole(1, count - 3)
    shadow(art, colours, 400, 404, 300, 28)
    tones = dice.shuffle((colours.pop, colours.lift(colours.main, 0.4), colours.second, colours.paper, colours.accent))
    for index in range(count):
        up = 62 if index == drawn else 0
        x, y = 216 + lean * (count - index) * 0.12, 122 + index * 19 - up
        tab = x + 24 + (index * 96 + dice.span(0, 20)) % 270
        tone = tones[index % 5]
        art.path(
            f"M{num(x)} {num(y + 12)}a12 12 0 0 1 12 -12H{num(tab)}l12 -22h64l12 22H{num(x + 356)}"
            f"a12 12 0 0 1 12 12V390H{num(x)}z",
            art.blend(colours.lift(tone, 0.25), colours.shade(tone, 0.12)),
        )
        art.path(f"M{num(tab + 24)} {num(y - 8)}h40", stroke=colours.deep, stroke_width=6, opacity=0.4)
        if index == drawn:
            lines(art, colours.deep, x + 30, y + 24, ragged(dice, 2, 120, 260), 17, 6, 0.25)
    body = colours.front if not colours.dark else colours.main
    art.poly([(180, 250), (620, 250), (600, 402), (200, 402)], art.blend(colours.lift(body, 0.12), colours.shade(body)))
    art.path("M180 250H620l-3 20H183z", colours.paper, opacity=0.25)
    art.rect(330, 296, 140, 60, art.blend(colours.paper, colours.soft), 10)
    lines(art, colours.deep, 352, 318, [96, 60], 18, 7, 0.6)


SCENES = (open_ledger, columns, fan, beam, abacus, archive)
