"""Books and bundles: standing, lying, stacked and fanned out."""

from __future__ import annotations

from artwork.emblems import Tones, emblem
from artwork.palette import Palette
from artwork.shapes import lines, pencil, ragged, shadow
from artwork.svg import Art, Dice, Point, mix, num

LEAN = 0.1
SPINE: Point = (-48, -18)


def book(art: Art, colours: Palette, dice: Dice, category: str, variant: int) -> None:
    """A book in one of three views: standing, lying, or in a pair."""
    view, first = variant % 3, dice.whole(0, 4)
    if view == 0:
        _display(art, colours, dice, category, first)
    elif view == 1:
        lying(art, colours, dice, category, first)
    else:
        with art.group("translate(412 -16) scale(1.08)"):
            standing(art, colours, dice, category, (-190, 92), (186, 250), first + 1)
            standing(art, colours, dice, category, (26, 130), (198, 262), first)


def _display(art: Art, colours: Palette, dice: Dice, category: str, first: int) -> None:
    """A standing book, alone or with a companion."""
    side, company = dice.pick((-1, 1)), dice.whole(0, 3)
    if company == 1:
        tones = dice.shuffle((colours.front, colours.pop, colours.extra))
        shadow(art, colours, 400, 412, 320, 26, 0.5)
        for index, (wide, thick) in enumerate(((400, 44), (370, 38))):
            top = 410 - (44, 82)[index]
            left = 400 - wide / 2 + dice.span(-12, 12)
            _spine(art, colours, dice, (left, top, wide, thick - 2), tones[index], side)
    with art.group(f"translate({400 + side * (20 if company == 2 else 0)} 0) scale({side} 1)"):
        if company == 2:
            standing(art, colours, dice, category, (-196, 128), (176, 226), first + 1, side < 0)
        if company == 1:
            standing(art, colours, dice, category, (-84, 66), (206, 262), first, side < 0)
        else:
            standing(art, colours, dice, category, (-100, 78), (244, 318), first, side < 0)
    if company == 3:
        pencil(art, colours, 400 + side * 156, 412, 200, 180 + dice.span(-8, 8), colours.extra)


def cover_tones(colours: Palette, number: int) -> tuple[str, Tones]:
    """Return the colour of a cover and the tones of what is printed on it; neighbours differ."""
    choices: list[tuple[str, Tones]] = [
        (colours.main, (colours.paper, colours.accent, colours.deep)),
        (colours.deep, (colours.accent, colours.soft, colours.second)),
        (colours.accent, (colours.deep, colours.paper, colours.main)),
        (colours.paper, (colours.main, colours.accent, colours.deep)),
        (colours.second, (colours.paper, colours.deep, colours.accent)),
    ]
    usable = [choice for choice in choices if not _is_similar(choice[0], colours.sky)]
    return usable[number % len(usable)]


def _is_similar(first: str, second: str) -> bool:
    """Whether two colours can hardly be distinguished."""
    return sum(abs(int(first[i : i + 2], 16) - int(second[i : i + 2], 16)) for i in (1, 3, 5)) < 84


def standing(
    art: Art,
    colours: Palette,
    dice: Dice,
    category: str,
    corner: Point,
    size: Point,
    number: int,
    mirrored: bool = False,
) -> None:
    """A book that stands, seen from its front, its spine and from above."""
    (x, y), (w, h), (dx, dy) = corner, size, SPINE
    tone, tones = cover_tones(colours, number)
    rise = w * LEAN
    base = y + h
    shadow(art, colours, x + w * 0.44, base - 2, w * 0.86, 30, 0.6)
    art.poly(
        [(x, base), (x + w, base - rise), (x + w + 66, base - rise + 4), (x + 40, base + 18)],
        colours.deep,
        opacity=0.16,
    )
    dark = mix(tone, colours.deep if tone != colours.deep else "#000000", 0.42)
    art.poly([(x, y), (x + dx, y + dy), (x + dx, base + dy), (x, base)], art.blend(mix(dark, tone, 0.3), dark, 0))
    for share in (0.12, 0.2, 0.8):
        top = y + h * share
        art.path(f"M{num(x)} {num(top)}l{dx} {dy}", stroke=tones[1], stroke_width=6, opacity=0.75)
    art.poly([(x, y), (x + w, y - rise), (x + w + dx, y - rise + dy), (x + dx, y + dy)], dark)
    near, right = [(x - 6, y - 3.5), (x + w - 6, y - rise - 3.5)], x + w + dx + 7
    far = [(right, y - rise + dy + 3), (x + dx + 7, y + dy + 3)]
    art.poly(near + far, art.blend(mix(colours.paper, colours.soft, 0.4), colours.paper, 0))
    with art.group(f"matrix(1 {-LEAN} 0 1 {num(x)} {num(y)})"):
        front(art, colours, dice.fork("front", number), category, size, (tone, tones), mirrored)


def front(
    art: Art,
    colours: Palette,
    dice: Dice,
    category: str,
    size: Point,
    printed: tuple[str, Tones],
    mirrored: bool = False,
) -> None:
    """The printed front of a book; in a mirrored picture the print is turned back."""
    tone, tones = printed
    w, h = size
    art.rect(0, 0, w, h, art.blend(mix(tone, colours.paper, 0.14), mix(tone, colours.deep, 0.1), 60))
    layout = dice.whole(0, 2)
    back = mix(tone, tones[0], 0.2)
    if layout == 0:
        art.circle(w * 0.52, h * 0.42, w * 0.4, back)
        place, line = (w * 0.52, h * 0.42), h * 0.82
    elif layout == 1:
        art.rect(0, h * 0.34, w, h * 0.66, back)
        place, line = (w * 0.52, h * 0.66), h * 0.12
    else:
        art.poly([(0, h * 0.2), (w, h * 0.02), (w, h * 0.66), (0, h * 0.84)], back)
        place, line = (w * 0.52, h * 0.42), h * 0.86
    with art.group(f"translate({num(w)} 0) scale(-1 1)" if mirrored else ""):
        with art.group(f"translate({num(place[0])} {num(place[1])}) scale({w / 292:.2f})"):
            emblem(art, category, dice, tones)
        lines(art, tones[0], w * 0.16, line, [w * dice.span(0.4, 0.66), w * dice.span(0.24, 0.4)], h * 0.06, h * 0.026)
    art.rect(0, 0, 13, h, art.blend(colours.deep, colours.deep, 0, (0.34, 0.1)))
    art.rect(15, 0, 3, h, colours.paper, opacity=0.22)


def lying(art: Art, colours: Palette, dice: Dice, category: str, first: int) -> None:
    """A book that lies on another one, seen from above at a slant."""
    shadow(art, colours, 400, 330, 330, 96, 0.5)
    with art.group("translate(400 96)"):
        _slab(art, colours, dice, category, 76, first + 1, False)
        _slab(art, colours, dice, category, 30, first, True)


def _slab(art: Art, colours: Palette, dice: Dice, category: str, lower: float, number: int, printed: bool) -> None:
    """One lying book; its plan is 224 by 300 units."""
    tone, tones = cover_tones(colours, number)
    w, d, thick = 230, 300, 40
    p, q, r = (w * 0.866, w * 0.5), (-d * 0.866, d * 0.5), ((w - d) * 0.866, (w + d) * 0.5)
    left = 32.0
    dark = mix(tone, colours.deep if tone != colours.deep else "#000000", 0.4)

    def at(point: Point, down: float) -> Point:
        """Place a corner of the plan on the picture."""
        return point[0] + left, point[1] + lower - 30 + down

    art.poly([at(q, 0), at(r, 0), at(r, thick), at(q, thick)], dark)
    art.poly([at(r, 0), at(p, 0), at(p, thick), at(r, thick)], colours.deep)
    inner = mix(colours.paper, colours.soft, 0.5)
    art.poly(
        [at((r[0], r[1] - 1), 6), at(p, 6), at(p, thick - 6), at((r[0], r[1] - 1), thick - 6)],
        art.blend(colours.paper, inner, 0),
    )
    for step in (14, 20, 26):
        (a, b), (c, e) = at(r, step), at(p, step)
        art.path(f"M{num(a)} {num(b)}L{num(c)} {num(e)}", stroke=colours.deep, stroke_width=1, opacity=0.25)
    with art.group(f"matrix(.866 .5 -.866 .5 {num(left)} {num(lower - 30)})"):
        if printed:
            front(art, colours, dice.fork("front", number), category, (w, d), (tone, tones))
        else:
            art.rect(0, 0, w, d, tone)


def bundle(art: Art, colours: Palette, dice: Dice, category: str, variant: int) -> None:
    """Several courses together: a stack, a fan of cards or a row on a shelf."""
    (stack, fan, row)[(dice.whole(0, 2) + variant) % 3](art, colours, dice, category)


def stack(art: Art, colours: Palette, dice: Dice, category: str) -> None:
    """Books that lie on each other, with a card that leans on them."""
    count, side = dice.whole(4, 5), dice.pick((-1, 1))
    shadow(art, colours, 400, 398, 310, 30)
    tones = dice.shuffle((colours.front, colours.pop, colours.extra, colours.lift(colours.main), colours.second))
    base = 394.0
    for index in range(count):
        thick, wide = dice.span(50, 62), dice.span(370, 430)
        x = 400 - side * 56 - wide / 2 + dice.span(-18, 18)
        base -= thick
        _spine(art, colours, dice, (x, base, wide, thick - 2), tones[index], side)
    with art.group(f"translate({400 + side * 178} 400) rotate({num(-side * dice.span(5, 11))}) scale(1.26)"):
        _card(art, colours, dice, category, colours.paper, (colours.main, colours.accent, colours.deep))


def _spine(
    art: Art, colours: Palette, dice: Dice, box: tuple[float, float, float, float], tone: str, side: int
) -> None:
    """One lying book seen at its spine, with the pages showing at one end."""
    x, y, w, h = box
    end = x if side > 0 else x + w - 60
    art.rect(x, y, w, h, colours.shade(tone, 0.36), 5)
    art.rect(end + (9 if side > 0 else 0), y + 6, 51, h - 12, art.blend(colours.paper, colours.soft))
    body = art.blend(colours.lift(tone, 0.3), colours.shade(tone, 0.14))
    art.rect(x + (36 if side > 0 else 0), y, w - 36, h, body, 9)
    first = x + w * 0.34
    lines(art, colours.paper, first, y + h / 2, [w * dice.span(0.2, 0.34)], 10, h * 0.16, 0.85)
    for share in (0.2, 0.82):
        art.rect(x + w * share, y, 9, h, colours.paper, opacity=0.35)


def _card(art: Art, colours: Palette, dice: Dice, category: str, tone: str, tones: Tones) -> None:
    """A card with the sign of the subject; its foot is the origin."""
    art.rect(-74, -238, 168, 240, colours.deep, 16, opacity=0.2)
    art.rect(-84, -246, 168, 240, art.blend(mix(tone, colours.paper, 0.2), mix(tone, colours.deep, 0.06), 60), 16)
    art.rect(-70, -232, 140, 136, mix(tone, tones[0], 0.16), 10)
    with art.group("translate(0 -164) scale(.56)"):
        emblem(art, category, dice, tones)
    lines(art, tones[0], -62, -70, ragged(dice, 1, 70, 116) + ragged(dice, 2, 40, 90), 20, 8, 0.85)


def fan(art: Art, colours: Palette, dice: Dice, category: str) -> None:
    """Course cards that fan out like a hand."""
    count = dice.whole(3, 4)
    step, first = dice.span(17, 22), dice.whole(0, 4)
    shadow(art, colours, 400, 414, 270, 24)
    for index in range(count):
        turn = (index - (count - 1) / 2) * step
        tone, tones = cover_tones(colours, first + index)
        with art.group(f"translate(400 560) rotate({num(turn)}) translate(0 -170) scale(1.14)"):
            _card(art, colours, dice, category, tone, tones)


def row(art: Art, colours: Palette, dice: Dice, category: str) -> None:
    """Books in a row on a shelf, the last one facing forward."""
    art.rect(96, 372, 608, 20, art.blend(colours.lift(colours.front), colours.shade(colours.front)), 6)
    art.rect(96, 392, 608, 14, colours.deep, opacity=0.16)
    tones = dice.shuffle((colours.main, colours.accent, colours.second, colours.lift(colours.main), colours.deep))
    x = 132.0
    for index in range(dice.whole(4, 5)):
        wide, high = dice.span(38, 56), dice.span(206, 268)
        lean = 7 if index == 3 else 0
        tone = tones[index]
        with art.group(f"rotate({lean} {num(x + wide)} 372)"):
            art.rect(x, 372 - high, wide, high, art.blend(colours.lift(tone, 0.26), mix(tone, "#000000", 0.16), 0), 6)
            art.path(
                f"M{num(x)} {num(402 - high)}h{num(wide)}m0 10h{num(-wide)}M{num(x)} 346h{num(wide)}",
                stroke=colours.paper,
                stroke_width=4,
                opacity=0.7,
            )
            art.circle(x + wide / 2, 372 - high * 0.5, wide * 0.24, colours.paper, opacity=0.75)
        x += wide + (26 if index == 2 else 3)
    tone, shown = cover_tones(colours, dice.whole(0, 4))
    with art.group(f"translate({num(max(x + 24, 440))} 112)"):
        art.rect(10, 10, 192, 252, colours.deep, 6, opacity=0.2)
        front(art, colours, dice, category, (190, 260), (tone, shown))
