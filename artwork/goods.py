"""Vouchers and physical items: tickets with notches, and objects on a plinth."""

from __future__ import annotations

from collections.abc import Callable

from artwork.books import cover_tones
from artwork.emblems import Tones, emblem
from artwork.palette import Palette
from artwork.shapes import Iso, lines, ragged, seal, shadow, sheet
from artwork.svg import Art, Dice, mix, num

Item = Callable[[Art, Palette, Dice, str], None]


def voucher(art: Art, colours: Palette, dice: Dice, category: str, variant: int) -> None:
    """A ticket with notches: alone, in a pair, or on its way out of an envelope."""
    view, first = (dice.whole(0, 2) + variant) % 3, dice.whole(0, 4)
    turn = dice.pick((-1, 1)) * dice.span(6, 13)
    shadow(art, colours, 400, 398, 320, 30)
    if view == 2:
        _envelope(art, colours, dice, category, first)
        return
    if view == 1:
        tone, tones = cover_tones(colours, first + 1)
        with art.group(f"translate(400 210) rotate({num(-turn * 1.3)})"):
            _ticket(art, colours, dice.fork("back"), category, tone, tones)
    tone, tones = cover_tones(colours, first)
    with art.group(f"translate(400 {236 if view == 1 else 222}) rotate({num(turn)})"):
        _ticket(art, colours, dice.fork("ticket"), category, tone, tones)
    if dice.chance(0.6):
        seal(art, colours, 400 + dice.pick((-1, 1)) * 214, dice.span(326, 348), 40, colours.extra)


def _ticket(art: Art, colours: Palette, dice: Dice, category: str, tone: str, tones: Tones) -> None:
    """One ticket, 500 by 230 units around the origin, with a stub at its right."""
    shape = (
        "M-232 -115H104a22 22 0 0 0 44 0H232a18 18 0 0 1 18 18V-30a30 30 0 0 0 0 60V97a18 18 0 0 1 -18 18H148"
        "a22 22 0 0 0 -44 0H-232a18 18 0 0 1 -18 -18V30a30 30 0 0 0 0 -60V-97a18 18 0 0 1 18 -18z"
    )
    art.path(shape, colours.deep, opacity=0.22, transform="translate(8 13)")
    art.path(shape, art.blend(mix(tone, colours.paper, 0.2), mix(tone, colours.deep, 0.08), 40))
    art.path(
        "M126 -80V82", stroke=tones[0], stroke_width=4, stroke_dasharray="2 11", stroke_linecap="round", opacity=0.7
    )
    art.rect(-198, -90, 150, 180, mix(tone, tones[0], 0.16), 16)
    with art.group("translate(-123 0) scale(.64)"):
        emblem(art, category, dice, tones)
    lines(art, tones[0], -20, -64, [dice.span(80, 116)], 20, 16)
    lines(art, tones[0], -20, -26, ragged(dice, 3, 50, 112), 24, 7, 0.55)
    art.rect(-24, 52, 92, 34, tones[1], 17)
    bars = "".join(f"M{num(160 + index * 8)} -70v140" for index in range(8) if dice.chance(0.75))
    art.path(bars + "M160 -70v140", stroke=tones[0], stroke_width=4.5, opacity=0.8)


def _envelope(art: Art, colours: Palette, dice: Dice, category: str, first: int) -> None:
    """An open envelope from which a ticket rises."""
    tone, tones = cover_tones(colours, first)
    paper = mix(colours.front, colours.paper, 0.25)
    art.poly([(190, 212), (400, 70), (610, 212)], colours.shade(paper, 0.36))
    art.rect(190, 206, 420, 190, colours.shade(paper, 0.5), 12)
    with art.group(f"translate(400 {num(dice.span(176, 190))}) rotate({num(dice.span(-5, 5))}) scale(.78)"):
        _ticket(art, colours, dice.fork("ticket"), category, tone, tones)
    art.path(
        "M190 208L400 336L610 208V384a14 14 0 0 1 -14 14H204a14 14 0 0 1 -14 -14z",
        art.blend(mix(paper, colours.paper, 0.3), paper),
    )
    art.path(
        "M194 392L366 298Q400 276 434 298L606 392Q600 398 592 398H208Q200 398 194 392z",
        art.blend(paper, colours.shade(paper, 0.16)),
    )
    seal(art, colours, 400, 322, 34, colours.pop)


def physical_item(art: Art, colours: Palette, dice: Dice, category: str, variant: int, slug: str) -> None:
    """A physical item on a plinth; further views come closer or show a second one."""
    draw = next((maker for words, maker in _ITEMS if any(word in slug for word in words)), None)
    maker = draw or dice.pick([maker for _, maker in _ITEMS])
    view = variant % 3
    if view == 1:
        shadow(art, colours, 400, 408, 250, 30)
        with art.group(f"translate(400 406) rotate({num(dice.pick((-1, 1)) * dice.span(3, 7))}) scale(1.22)"):
            maker(art, colours, dice.fork("thing"), category)
        return
    _plinth(art, colours, dice, 230 if view else 190)
    places = ((-114, 0.86), (114, 0.86)) if view == 2 else ((0, 1.14),)
    for index, (x, scale) in enumerate(places):
        shadow(art, colours, 400 + x + 8, 366, 118 * scale, 17, 0.55)
        with art.group(f"translate({400 + x} 368) scale({scale})"):
            maker(art, colours, dice.fork("thing", *("other",) * index), category)


def _plinth(art: Art, colours: Palette, dice: Dice, half: float) -> None:
    """A low round plinth in two steps."""
    tone = mix(colours.back, colours.paper, dice.span(0.3, 0.6))
    dark = colours.shade(tone, 0.4)
    shadow(art, colours, 400, 436, half * 1.7, 20, 0.5)
    for wide, top, high in ((half + 44, 402, 60), (half, 366, 34)):
        flat = wide * 0.15
        art.path(
            f"M{num(400 - wide)} {top}v{high}a{num(wide)} {num(flat)} 0 0 0 {num(2 * wide)} 0v{-high}z",
            art.blend(tone, dark, 0),
        )
        art.ellipse(400, top, wide, flat, art.blend(mix(tone, colours.paper, 0.6), tone, 20))


# Items stand on the origin and are about 200 by 270 units. ---------------------------------------


def _notebook(art: Art, colours: Palette, dice: Dice, category: str) -> None:
    """A notebook with an elastic band, a ribbon and a pocket of pages."""
    tone, tones = cover_tones(colours, dice.whole(0, 4))
    with art.group(f"rotate({num(dice.span(-5, 5))})"):
        art.rect(-86, -262, 186, 262, mix(tone, "#000000", 0.3), 12)
        art.rect(-88, -258, 184, 254, colours.paper, 8)
        art.path("M92 -254V-8M88 -254V-8", stroke=colours.deep, stroke_width=1.4, opacity=0.3)
        art.rect(-98, -264, 182, 264, art.blend(mix(tone, colours.paper, 0.2), mix(tone, colours.deep, 0.14), 50), 12)
        art.rect(-98, -264, 22, 264, colours.deep, 10, opacity=0.2)
        with art.group("translate(-16 -150) scale(.56)"):
            emblem(art, category, dice, tones)
        art.rect(52, -264, 11, 264, tones[1])
        art.path("M-20 0v24l8 -8l8 8V0z", tones[1])


def _box(art: Art, colours: Palette, dice: Dice, category: str) -> None:
    """An open box of cards; the cards fan out above its rim."""
    tone, tones = cover_tones(colours, dice.whole(0, 4))
    shades = dice.shuffle((colours.accent, colours.second, colours.soft, colours.lift(colours.main), colours.paper))
    for index in range(5):
        with art.group(f"translate({(index - 2) * 17} -86) rotate({(index - 2) * 7})"):
            art.rect(-58, -170, 120, 180, colours.deep, 10, opacity=0.14)
            art.rect(-62, -174, 120, 180, shades[index], 10)
            if index == 4:
                lines(art, colours.deep, -40, -150, [60, 84, 40], 18, 7, 0.6)
            else:
                art.circle(-36, -146, 11, colours.deep, opacity=0.3)
    art.poly(
        [(-112, -116), (92, -116), (92, 0), (-112, 0)],
        art.blend(mix(tone, colours.paper, 0.18), mix(tone, colours.deep, 0.1)),
    )
    art.poly([(92, -116), (124, -132), (124, -18), (92, 0)], mix(tone, "#000000", 0.28))
    art.path("M-112 -116h204l32 -16", stroke=tones[1], stroke_width=5)
    with art.group("translate(-10 -56) scale(.42)"):
        emblem(art, category, dice, tones)


def _calculator(art: Art, colours: Palette, dice: Dice, category: str) -> None:
    """A desk calculator with a tilted display and round keys."""
    body, dark = mix(colours.paper, colours.soft, 0.5), colours.deep
    with art.group(f"rotate({num(dice.span(-6, 6))})"):
        art.rect(-92, -268, 196, 270, dark, 24, opacity=0.9)
        art.rect(-102, -274, 196, 270, art.blend(colours.paper, body, 60), 24)
        art.rect(-82, -254, 156, 58, art.blend(dark, mix(dark, colours.main, 0.4)), 10)
        lines(art, colours.accent, 6, -214, [54], 10, 9)
        art.path("M-66 -238h34m8 0h14m8 0h14", stroke=colours.soft, stroke_width=5, opacity=0.5)
        tones = (colours.main, colours.accent, colours.second)
        for line in range(4):
            for column in range(4):
                special = column == 3 or line == 0
                tone = tones[(column + line) % 3] if special else colours.shade(body, 0.16)
                art.rect(-82 + column * 41, -178 + line * 43, 33, 33, tone, 11)
        art.path(
            "".join(f"M{-76 + c * 41} {-171 + r * 43}h21" for r in range(4) for c in range(4)),
            stroke=colours.paper,
            stroke_width=3,
            stroke_linecap="round",
            opacity=0.5,
        )


def _tote(art: Art, colours: Palette, dice: Dice, category: str) -> None:
    """A canvas bag with long handles."""
    cloth = mix(colours.paper, colours.sunny, dice.span(0.08, 0.2))
    fold = mix(cloth, colours.deep, 0.24)
    for shift, tone in ((14, fold), (0, mix(cloth, colours.deep, 0.1))):
        art.path(
            f"M{-52 + shift} -190C{-56 + shift} -300 {52 + shift} -300 {48 + shift} -190", stroke=tone, stroke_width=13
        )
    art.path(
        "M-98 -200H100L116 -6Q116 0 108 0H-106Q-114 0 -114 -6z",
        art.blend(mix(cloth, "#ffffff", 0.35), mix(cloth, colours.deep, 0.14), 30),
    )
    art.path("M-98 -200H100l1 16H-99z", fold, opacity=0.6)
    art.path("M-70 -184C-78 -120 -70 -60 -88 0M74 -184C66 -110 88 -70 84 0", stroke=fold, stroke_width=3, opacity=0.5)
    with art.group("translate(0 -92) scale(.68)"):
        art.circle(0, 0, 92, "none", stroke=colours.main, stroke_width=8)
        art.path(
            "M0 -92C-58 -50 -58 50 0 92C58 50 58 -50 0 -92zM-84 -34Q0 -8 84 -34M-84 34Q0 60 84 34",
            stroke=colours.main,
            stroke_width=8,
        )
        art.circle(dice.span(-30, 30), dice.span(-30, 30), 19, colours.accent)


def _deck(art: Art, colours: Palette, dice: Dice, category: str) -> None:
    """A deck of conversation cards beside a sand timer."""
    first = dice.whole(0, 4)
    for index in range(3):
        tone, tones = cover_tones(colours, first + index)
        with art.group(f"translate({-46 + index * 8} {-4 - index * 2}) rotate({-16 + index * 13})"):
            art.rect(-62, -186, 136, 190, colours.deep, 14, opacity=0.16)
            art.rect(-68, -192, 136, 190, art.blend(mix(tone, colours.paper, 0.2), tone, 60), 14)
            if index == 2:
                with art.group("translate(0 -98) scale(.54)"):
                    emblem(art, category, dice, tones)
    sand, frame = colours.sunny, colours.shade(colours.front, 0.2)
    with art.group("translate(106 0)"):
        art.path(
            "M-30 -132h60C30 -96 8 -88 8 -70C8 -52 30 -44 30 -10h-60C-30 -44 -8 -52 -8 -70C-8 -88 -30 -96 -30 -132z",
            colours.paper,
            opacity=0.7,
        )
        art.path(
            "M-24 -108h48C18 -90 4 -84 0 -70C-4 -84 -18 -90 -24 -108z"
            "M-28 -12C-24 -38 -8 -44 0 -46C8 -44 24 -38 28 -12z",
            sand,
        )
        for y in (-146, -14):
            art.rect(-40, y, 80, 15, art.blend(colours.lift(frame), frame, 0), 6)


def _kit(art: Art, colours: Palette, dice: Dice, category: str) -> None:
    """A felt pouch with a lock and a card that looks out of it."""
    felt = mix(colours.front, colours.soft, 0.3)
    sheet(art, colours, -74, -258, 120, 160, 12)
    lines(art, colours.main, -54, -232, [60, 84, 72], 18, 7, 0.7)
    art.stroke("M52 -150C52 -262 112 -262 112 -200V-120", colours.shade(colours.pop, 0.1), 12)
    art.path(
        "M-124 -150Q-124 -168 -106 -168H106Q124 -168 124 -150V-22Q124 0 102 0H-102Q-124 0 -124 -22z",
        art.blend(colours.lift(felt, 0.3), colours.shade(felt, 0.2)),
    )
    art.path("M-110 -146H110", stroke=colours.deep, stroke_width=7, stroke_dasharray="5 4", opacity=0.7)
    art.rect(84, -152, 40, 13, colours.pop, 6)
    with art.group("translate(0 -72) scale(.48)"):
        art.path("M0 -92L78 -62V0C78 48 42 80 0 98C-42 80 -78 48 -78 0V-62z", colours.deep)
        art.stroke("M-32 2l24 24L36 -28", colours.pop, 17)


def _cubes(art: Art, colours: Palette, dice: Dice, category: str) -> None:
    """A small tower of wooden blocks, for anything without a drawing of its own."""
    view = Iso(art, colours, 0, -92, 60)
    tones = dice.shuffle((colours.front, colours.pop, colours.extra, colours.sunny))
    view.block(0, 0, 0, (1, 1, 1), tones[0])
    view.block(-0.3, 0.85, 0, (0.8, 0.8, 0.8), tones[1])
    view.block(0.95, -0.1, 0, (0.7, 0.7, 0.7), tones[2])
    view.block(0.15, 0.15, 1, (0.7, 0.7, 0.7), tones[3])


_ITEMS: tuple[tuple[tuple[str, ...], Item], ...] = (
    (("notebook", "journal", "planner", "diary"), _notebook),
    (("flash", "index-card"), _box),
    (("calculator",), _calculator),
    (("tote", "bag", "backpack"), _tote),
    (("deck", "practice", "game", "timer"), _deck),
    (("kit", "pouch", "security", "lock"), _kit),
    (("block", "puzzle", "toy"), _cubes),
)
