"""Draws one picture: `python -m host.og.drawing` reads its facts as JSON and writes a PNG.

A process of its own, because the drawing library keeps Python's lock for the half second it takes: on a thread of the
host no page would be served meanwhile. It also takes its memory, and whatever goes wrong in it, away with it.
"""

import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import resvg_py

from domain import pictures
from host.og.fonts import Typeface, typeface

ROOT = Path(__file__).parents[2]
WIDTH, HEIGHT = 1200, 630
LEFT, TEXT_WIDTH = 72, 560
ART_LEFT = 700
TITLE_SIZES = (66, 58, 50, 44, 38)
# Lines times size; more would push the label into the brand above.
TITLE_ROOM = 250
# Signs that never begin a line.
_CLOSING = set(
    "、。\uff0c\uff0e\uff1a\uff1b\uff01\uff1f\uff09」』】〉》ーぁぃぅぇぉっゃゅょァィゥェォッャュョ,.;:!?)]}%"
)


@dataclass(frozen=True)
class Texts:
    """What is written; empty is left out."""

    title: str
    label: str
    brand: str
    tagline: str


# Size, weight and colour.
Style = tuple[float, int, str]
BRAND: Style = (30, 700, "#ffffff")
LABEL: Style = (26, 500, "#f6c56b")
TAGLINE: Style = (24, 500, "#a9cdd3")
LOGO_SIZE = 56


def svg(texts: Texts, art: tuple[str, str, str], face: Typeface, logo: str = "") -> str:
    size, lines = fitted(texts.title, face)
    step = size * 1.16
    top = 330 - step * (len(lines) - 1) / 2 + size * 0.35
    title: Style = (size, 700, "#ffffff")
    brand_at = LEFT + LOGO_SIZE + 18 if logo else LEFT
    rows = [
        logo,
        _text(cut(texts.brand, LEFT + TEXT_WIDTH - brand_at, BRAND[0], face), brand_at, 97, BRAND),
        _text(cut(texts.label, TEXT_WIDTH, LABEL[0], face), LEFT, top - size * 0.98 - 22, LABEL),
        *(_text(line, LEFT, top + step * at, title) for at, line in enumerate(lines)),
        _text(cut(texts.tagline, TEXT_WIDTH, TAGLINE[0], face), LEFT, HEIGHT - 58, TAGLINE),
    ]
    families = escape(face.families, {'"': "&quot;"})
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"
 font-family="{families}"><defs><linearGradient id="og-ground" x1="0" y1="0" x2="1" y2="1">
<stop offset="0" stop-color="#0b3d4a"/><stop offset="1" stop-color="#062630"/></linearGradient>
<clipPath id="og-art"><path d="M{ART_LEFT + 60} 0H{WIDTH}V{HEIGHT}H{ART_LEFT}z"/></clipPath></defs>
<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#og-ground)"/>
<g clip-path="url(#og-art)">{_art(art)}</g>
<path d="M{ART_LEFT + 60} 0L{ART_LEFT} {HEIGHT}" stroke="#f6a82c" stroke-width="8"/>
{"".join(rows)}</svg>"""


def _art(art: tuple[str, str, str]) -> str:
    """The cover, cut to the part beside the text."""
    drawn = pictures.picture(*art)
    # Pixels that are cut away would be drawn first: only as large as the place needs.
    place = f'x="{ART_LEFT}" y="0" width="{WIDTH - ART_LEFT}" height="{HEIGHT}" preserveAspectRatio="xMidYMid slice"'
    return drawn.replace('width="800" height="450"', place, 1)


def logo_of(address: str) -> str:
    """The shop's logo when it is a drawing among our own files, else nothing."""
    path = (ROOT / address.lstrip("/")).resolve()
    if path.suffix != ".svg" or not path.is_relative_to(ROOT / "static") or not path.is_file():
        return ""
    drawn = path.read_text("utf-8")
    head, closing, rest = drawn[drawn.find("<svg") :].partition(">")
    place = f' x="{LEFT}" y="58" width="{LOGO_SIZE}" height="{LOGO_SIZE}"'
    return re.sub(r'\s(?:x|y|width|height)="[^"]*"', "", head) + place + closing + rest


def _text(words: str, x: float, y: float, style: Style) -> str:
    if not words:
        return ""
    size, weight, colour = style
    place = f'x="{x:g}" y="{y:.1f}" font-size="{size:g}" font-weight="{weight}" fill="{colour}"'
    return f"<text {place}>{escape(words)}</text>"


def fitted(title: str, face: Typeface) -> tuple[int, list[str]]:
    """The largest size at which the title fits, and its lines; the smallest cuts what is still too long."""
    for size in TITLE_SIZES:
        lines = wrapped(title, TEXT_WIDTH, size, face)
        # A last line of one sign looks lost.
        if len(lines) <= TITLE_ROOM // size and (len(lines) < 2 or len(lines[-1]) > 1):
            return size, lines
    most = TITLE_ROOM // TITLE_SIZES[-1]
    if len(lines) <= most:
        return TITLE_SIZES[-1], lines
    kept = lines[:most]
    kept[-1] = cut(f"{kept[-1]} {lines[most]}", TEXT_WIDTH, TITLE_SIZES[-1], face)
    return TITLE_SIZES[-1], kept


def wrapped(text: str, room: float, size: float, face: Typeface) -> list[str]:
    """Lines no wider than the room: broken at spaces, inside scripts without spaces, else inside a word too long."""
    lines = [""]
    for piece in _pieces(text):
        grown = lines[-1] + piece
        if face.width(grown.rstrip(), size) <= room or not lines[-1]:
            lines[-1] = grown
        else:
            lines.append(piece.lstrip())
        while face.width(lines[-1].rstrip(), size) > room and len(lines[-1]) > 1:
            lines[-1:] = _broken(lines[-1], room, size, face)
    return [line.strip() for line in lines if line.strip()]


def _pieces(text: str) -> list[str]:
    """Words with the space before them; every sign by itself where a script has no spaces."""
    pieces: list[str] = []
    for sign in text:
        is_dense = "\u2e80" <= sign <= "\u9fff" or "\uac00" <= sign <= "\ud7a3" or "\uf900" <= sign <= "\ufaff"
        begins = sign == " " or is_dense or (pieces and "\u2e80" <= pieces[-1][-1] <= "\u9fff")
        if not pieces or (begins and sign not in _CLOSING):
            pieces.append(sign)
        else:
            pieces[-1] += sign
    return pieces


def _broken(word: str, room: float, size: float, face: Typeface) -> list[str]:
    end = 1
    while end < len(word) - 1 and face.width(word[: end + 1], size) <= room:
        end += 1
    return [word[:end], word[end:]]


def cut(text: str, room: float, size: float, face: Typeface) -> str:
    if face.width(text, size) <= room:
        return text
    while text and face.width(f"{text}…", size) > room:
        text = text[:-1]
    return f"{text.rstrip(' ,;:.-')}…"


def readable(texts: Texts, face: Typeface) -> Texts:
    """Without the texts that no font here can write: left out is better than a row of empty boxes.

    Signs that are no letters (emoji and the like) are dropped alone.
    """

    def kept(text: str) -> str:
        lacking = face.missing(text)
        rest = " ".join("".join(sign for sign in text if sign not in lacking and sign.isprintable()).split())
        return "" if any(sign.isalnum() for sign in lacking) else rest

    return Texts(kept(texts.title), kept(texts.label), kept(texts.brand), kept(texts.tagline))


def png(texts: Texts, art: tuple[str, str, str], logo: str = "") -> bytes:
    face = typeface([texts.title, texts.label, texts.brand, texts.tagline])
    drawn = svg(readable(texts, face), art, face, logo_of(logo))
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, skip_system_fonts=True, font_files=face.files))


def main() -> int:
    os.nice(10)
    asked = json.load(sys.stdin)
    texts = Texts(asked["title"], asked["label"], asked["brand"], asked["tagline"])
    sys.stdout.buffer.write(png(texts, tuple(asked["art"]), asked["logo"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
