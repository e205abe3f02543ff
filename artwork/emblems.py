"""Small signs, one for each subject, for covers, tickets and cards; drawn within 100 units of the origin."""

from __future__ import annotations

from collections.abc import Callable

from artwork.shapes import bubble
from artwork.svg import Art, Dice, arc, num, polar, trace, wedge

Tones = tuple[str, str, str]
Emblem = Callable[[Art, Dice, Tones], None]


def emblem(art: Art, category: str, dice: Dice, tones: Tones) -> None:
    """Draw the sign of a subject in three tones."""
    _EMBLEMS.get(category, _abstract)(art, dice, tones)


def _columns(art: Art, dice: Dice, tones: Tones) -> None:
    """Ledger columns above a double line."""
    highs = dice.shuffle((150, 112, 78, 130))
    for index, high in enumerate(highs):
        x = -92 + index * 49
        art.rect(x, 66 - high, 37, high, tones[index % 2], 6)
        art.path(
            "".join(f"M{x + 8} {num(66 - level)}h21" for level in range(18, high - 8, 20)),
            stroke=tones[2],
            stroke_width=5,
            opacity=0.7,
        )
    art.path("M-96 80h192m0 13h-192", stroke=tones[0], stroke_width=6)


def _percent(art: Art, dice: Dice, tones: Tones) -> None:
    """Two rings and a bar between them."""
    turn = dice.span(32, 44)
    art.rect(-13, -106, 26, 212, tones[0], 13, transform=f"rotate({num(turn)})")
    for cx, cy, tone in ((-52, -44, tones[1]), (54, 46, tones[2])):
        art.circle(cx, cy, 32, "none", stroke=tone, stroke_width=21)


def _circles(art: Art, dice: Dice, tones: Tones) -> None:
    """Three circles that share a middle."""
    start = dice.span(0, 120)
    for index, tone in enumerate(tones):
        cx, cy = polar(0, 0, 40, start + index * 120)
        art.circle(cx, cy, 58, tone, opacity=0.3)
        art.circle(cx, cy, 54, "none", stroke=tone, stroke_width=9)


def _chart(art: Art, dice: Dice, tones: Tones) -> None:
    """A ring chart, bars and a point."""
    end = dice.span(200, 290)
    art.path(arc(0, 0, 74, -90, -90 + end), stroke=tones[0], stroke_width=30)
    art.path(arc(0, 0, 74, -84 + end, 264), stroke=tones[1], stroke_width=30)
    d = "".join(f"M{(i - 1) * 26} 32v{num(-dice.span(22, 68))}" for i in range(3))
    art.stroke(d, tones[2], 15)


def _peaks(art: Art, dice: Dice, tones: Tones) -> None:
    """A mountain, a lower one and the sun."""
    side = dice.pick((-1, 1))
    art.circle(side * 46, -54, 34, tones[1])
    art.poly([(-side * 30, -92), (-side * 30 - 92, 84), (-side * 30 + 92, 84)], tones[0])
    art.poly(
        [(-side * 30, -92), (-side * 30 + 92, 84), (-side * 30 + 8, 84), (-side * 30 + 14, -20)], tones[2], opacity=0.4
    )
    art.poly([(side * 48, -4), (side * 48 - 62, 84), (side * 48 + 56, 84)], tones[2])


def _speech(art: Art, dice: Dice, tones: Tones) -> None:
    """Two speech shapes that overlap."""
    side = dice.pick((-1, 1))
    bubble(art, -64 - side * 30, -92, 128, 84, tones[0], -side, 30)
    bubble(art, -64 + side * 30, -26, 128, 84, tones[1], side, 30, opacity=0.94)
    for index in range(3):
        art.circle(side * 30 - 28 + index * 28, 16, 8, tones[2])


def _coins(art: Art, dice: Dice, tones: Tones) -> None:
    """Coins along a rising line."""
    bend = dice.span(10, 40)
    art.stroke(f"M-92 {num(70)}C{num(-30)} {num(70 - bend / 2)} {num(20)} {num(40 - bend)} 92 -84", tones[2], 10)
    first, last = ((-58, 24, 26, tones[1]), (8, 50, 36, tones[0])), ((-8, -40, 44, tones[0]), (70, 26, 24, tones[1]))
    for x, y, r, tone in first + last:
        art.circle(x, y, r, tone)
        art.circle(x, y, r * 0.68, "none", stroke=tones[2], stroke_width=4, opacity=0.7)


def _nodes(art: Art, dice: Dice, tones: Tones) -> None:
    """A hexagon of nodes with a core."""
    start = dice.pick((0, 30))
    corners = [polar(0, 0, 82, start + index * 60) for index in range(6)]
    art.path(trace(corners) + "z", stroke=tones[2], stroke_width=6)
    art.path("".join(trace([(0, 0), corner]) for corner in corners[::2]), stroke=tones[2], stroke_width=6)
    for index, corner in enumerate(corners):
        art.circle(*corner, 17, tones[index % 2])
    art.rect(-30, -30, 60, 60, tones[0], 14, transform="rotate(45)")
    art.circle(0, 0, 14, tones[1])


def _abstract(art: Art, dice: Dice, tones: Tones) -> None:
    """Quarter rings in a square."""
    for index in range(4):
        turn = index * 90
        tone = tones[index % 3]
        x, y = polar(0, 0, 8, turn + 45)
        art.path(wedge(x, y, 26 + dice.whole(0, 1) * 24, 88, turn, turn + 90), tone)


_EMBLEMS: dict[str, Emblem] = {
    "accounting": _columns,
    "tax": _percent,
    "ethics": _circles,
    "data": _chart,
    "leadership": _peaks,
    "languages": _speech,
    "finance": _coins,
    "technology": _nodes,
}
