"""Pictures of products as SVG: stored ones for the demo shop, generated ones for every other product."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from artwork import business, charts, imported
from artwork.backdrop import finish, paint
from artwork.palette import SCHEMES, Palette, palette
from artwork.svg import Art, Dice, num

Scene = Callable[[Art, Palette, Dice], None]

# Named {kind}.{category}.{slug}.{variant}.svg; `kind` is course, book, voucher, bundle or physical.
DEMO_PICTURES = {file.stem: file for file in (Path(__file__).parent / "demo").glob("*.svg")}

# These scenes fill the whole width and must not leave a gap at its ends.
_WIDE: tuple[Scene, ...] = (
    business.curves,
    charts.streams,
    imported.bows,
    imported.keys,
    imported.pen,
    imported.score,
)

# Scenes by words in the name of a category.
_WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("music", ("music", "instrument", "audio", "song", "singing")),
    ("design", ("design", "graphic", "photo", "drawing", "illustrat", "painting")),
    ("web", ("web", "develop", "programming", "software", "coding", "technolog")),
    (
        "business",
        ("business", "financ", "invest", "trading", "marketing", "sales", "management", "account", "tax", "leader"),
    ),
)


def picture(kind: str, category: str, slug: str, variant: int = 0) -> str:
    """The SVG document of the URL /pictures/{kind}/{category}/{slug}/{variant}.svg."""
    stored = DEMO_PICTURES.get(f"{kind}.{category}.{slug}.{variant}")
    return stored.read_text("utf-8") if stored else _generate(slug, _scenes_for(category))


def _scenes_for(category: str) -> str:
    """The key in `imported.SCENES` that suits the name of a category."""
    plain = category.strip().lower()
    if plain in imported.SCENES:
        return plain
    return next((name for name, words in _WORDS if any(word in plain for word in words)), "abstract")


def _numbers(*parts: object) -> bytes:
    """Return pseudo-random bytes that depend on the given parts alone."""
    return hashlib.sha256("/".join(str(part) for part in parts).encode()).digest()


def _generate(slug: str, name: str) -> str:
    # URLs are cached for ever: the zeros, which meant something once, keep the pictures of imported courses.
    digest = _numbers(slug, name, 0)
    art = Art("m" + _numbers(slug, name, "course", 0, "id").hex()[:7])
    dice = Dice(slug, name, "course", 0)
    colours = palette(name, SCHEMES[digest[1] % len(SCHEMES)], dice)
    paint(art, colours, dice, digest[2])
    scenes = imported.SCENES[name]
    scene = scenes[digest[0] % len(scenes)]
    with art.group(_frame(scene, digest[3], dice)):
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
