"""Composes a picture: palette, backdrop, subject and finish."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from artwork import accounting, data, ethics, finance, imported, languages, leadership, tax, technology
from artwork.backdrop import BACKDROPS, finish, paint
from artwork.books import book, bundle
from artwork.goods import physical_item, voucher
from artwork.palette import SCHEMES, Palette, palette
from artwork.svg import Art, Dice, num

Scene = Callable[[Art, Palette, Dice], None]

_SCENES: dict[str, Sequence[Scene]] = {
    "accounting": accounting.SCENES,
    "tax": tax.SCENES,
    "ethics": ethics.SCENES,
    "data": data.SCENES,
    "leadership": leadership.SCENES,
    "languages": languages.SCENES,
    "finance": finance.SCENES,
    "technology": technology.SCENES,
    **imported.SCENES,
}

# These scenes fill the whole width and must not leave a gap at its ends.
_WIDE: tuple[Scene, ...] = (
    data.streams,
    data.scatter,
    ethics.prism,
    ethics.beacon,
    ethics.doorway,
    finance.curves,
    imported.bows,
    imported.keys,
    imported.pen,
    imported.score,
    languages.dialogue,
    leadership.path,
    leadership.peaks,
)

# Chosen so that neighbouring courses of the demo catalogue get different scenes.
_SALTS = {
    "accounting": 990,
    "tax": 7391,
    "ethics": 5805,
    "data": 5066,
    "leadership": 13379,
    "languages": 9085,
    "finance": 8731,
    "technology": 11978,
}

# Scenes of an imported course, by words in the name of its category.
_WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("music", ("music", "instrument", "audio", "song", "singing")),
    ("design", ("design", "graphic", "photo", "drawing", "illustrat", "painting")),
    ("web", ("web", "develop", "programming", "software", "coding")),
    ("business", ("business", "financ", "invest", "trading", "marketing", "sales", "management")),
)


def cover(slug: str, category: str, kind: str = "course", variant: int = 0) -> str:
    """Return a picture of a course or of a shop item as a complete SVG document.

    ``kind`` is ``course``, ``book``, ``voucher``, ``bundle`` or ``physical``. Other values of ``variant``
    show the same item from another side, for galleries.
    """
    if kind == "course":
        name = category if category in _SCENES else _nearest(category)
        return _course(slug, name, variant)
    return _item(slug, category, kind, variant)


def generic_cover(slug: str, category: str) -> str:
    """Return a picture of an imported course, whatever its category is called."""
    return _course(slug, _nearest(category), 0)


def _nearest(category: str) -> str:
    """Return the key of the scenes that suit the name of an imported category."""
    plain = category.strip().lower()
    if plain in _SCENES:
        return plain
    return next((name for name, words in _WORDS if any(word in plain for word in words)), "abstract")


def _numbers(*parts: object) -> bytes:
    """Return pseudo-random bytes that depend on the given parts alone."""
    return hashlib.sha256("/".join(str(part) for part in parts).encode()).digest()


def _start(slug: str, name: str, kind: str, variant: int) -> tuple[Art, Dice]:
    """Open an empty picture whose ids differ from those of every other picture."""
    uid = "m" + _numbers(slug, name, kind, variant, "id").hex()[:7]
    return Art(uid), Dice(slug, name, kind, variant)


def _course(slug: str, name: str, variant: int) -> str:
    digest = _numbers(slug, name, _SALTS.get(name, 0))
    art, dice = _start(slug, name, "course", variant)
    scenes = _SCENES[name]
    scheme = SCHEMES[(digest[1] + variant) % len(SCHEMES)]
    colours = palette(name, scheme, dice, 0.03 if name in imported.SCENES else 0.014)
    paint(art, colours, dice, digest[2] + variant * 3)
    scene = scenes[(digest[0] + variant) % len(scenes)]
    with art.group(_frame(scene, digest[3] + variant, dice)):
        scene(art, colours, dice)
    finish(art, colours, dice)
    return art.render()


def _frame(scene: Scene, number: int, dice: Dice) -> str:
    """Choose how near the subject is and where it stands, as a transformation."""
    tilt, across, down = dice.span(-5, 5), dice.span(-1, 1), dice.span(-1, 1)
    if scene in _WIDE:
        zoom = 1 + (number % 3) * 0.09
        return f"translate({num(400 + across * 300 * (zoom - 1))} 225) scale({zoom:.2f}) translate(-400 -225)"
    zoom, x, y = (
        (1.0, 0.0, 0.0),
        (1.14, across * 24, 4.0),
        (0.96, -96.0, 0.0),
        (0.96, 96.0, 0.0),
        (1.42, across * 70, 16 + down * 22),
    )[number % 5]
    turn = tilt if zoom > 1 else 0
    return f"translate({num(400 + x)} {num(225 + y)}) rotate({num(turn)}) scale({zoom}) translate(-400 -225)"


def _item(slug: str, category: str, kind: str, variant: int) -> str:
    """Draw a shop item; all views of one item share its palette."""
    digest = _numbers(slug, category, kind)
    art, dice = _start(slug, category, kind, variant)
    colours = palette(category, SCHEMES[digest[1] % len(SCHEMES)], Dice(slug, category, "palette"))
    paint(art, colours, dice, (digest[2] + variant * 3) % len(BACKDROPS))
    subject = Dice(slug, category, kind, "subject")
    if kind == "book":
        book(art, colours, subject, category, variant)
    elif kind == "voucher":
        voucher(art, colours, subject, category, variant)
    elif kind == "bundle":
        bundle(art, colours, subject, category, variant)
    else:
        physical_item(art, colours, subject, category, variant, slug)
    finish(art, colours, dice)
    return art.render()
