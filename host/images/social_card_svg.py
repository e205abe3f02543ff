"""Renders one social card: `python -m host.images.social_card_svg` reads its texts as JSON and writes a PNG.

This runs in a child process, because the SVG library holds Python's lock for the half second it takes: in a thread of
the host no page would be served meanwhile. Its memory, and a crash, end with the process.
"""

import json
import os
import re
import sys
from dataclasses import dataclass
from xml.sax.saxutils import escape

import resvg_py

from artwork.covers import picture
from domain.text_direction import embedded_from_right, is_right_to_left
from host.images.fonts import Typeface, typeface
from host.images.logo import logo_file

WIDTH, HEIGHT = 1200, 630
LEFT, TEXT_WIDTH = 72, 560
ART_LEFT = 700
TITLE_SIZES = (66, 58, 50, 44, 38)
# Lines times size; a higher title would overlap the brand above.
MAX_TITLE_WIDTH = 250
# Characters that must not begin a line.
_CLOSING = set(
    "、。\uff0c\uff0e\uff1a\uff1b\uff01\uff1f\uff09」』】〉》ーぁぃぅぇぉっゃゅょァィゥェォッャュョ,.;:!?)]}%"
)


@dataclass(frozen=True)
class CardTexts:
    """The texts on a card; empty ones are omitted."""

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


def svg(texts: CardTexts, art: tuple[str, str, str], face: Typeface, logo: str = "") -> str:
    size, lines = fit_title(texts.title, face)
    step = size * 1.16
    top = 330 - step * (len(lines) - 1) / 2 + size * 0.35
    title: Style = (size, 700, "#ffffff")
    brand_at = LEFT + LOGO_SIZE + 18 if logo else LEFT
    rows = [
        logo,
        _text(truncate(texts.brand, LEFT + TEXT_WIDTH - brand_at, BRAND[0], face), brand_at, 97, BRAND),
        _text(truncate(texts.label, TEXT_WIDTH, LABEL[0], face), LEFT, top - size * 0.98 - 22, LABEL),
        *(_title_line(line, top + step * at, title, texts.title) for at, line in enumerate(lines)),
        _text(truncate(texts.tagline, TEXT_WIDTH, TAGLINE[0], face), LEFT, HEIGHT - 58, TAGLINE),
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
    """The cover, cropped to the part beside the text."""
    cover = picture(*art)
    # The renderer also draws pixels that are cropped: scale the cover to what is visible.
    place = f'x="{ART_LEFT}" y="0" width="{WIDTH - ART_LEFT}" height="{HEIGHT}" preserveAspectRatio="xMidYMid slice"'
    return cover.replace('width="800" height="450"', place, 1)


def logo_of(address: str) -> str:
    """The shop's logo as SVG if it is an SVG file below static/, else an empty text."""
    path = logo_file(address)
    if path is None or path.suffix != ".svg":
        return ""
    logo = path.read_text("utf-8")
    head, closing, rest = logo[logo.find("<svg") :].partition(">")
    place = f' x="{LEFT}" y="58" width="{LOGO_SIZE}" height="{LOGO_SIZE}"'
    return re.sub(r'\s(?:x|y|width|height)="[^"]*"', "", head) + place + closing + rest


def _text(words: str, x: float, y: float, style: Style) -> str:
    if not words:
        return ""
    size, weight, colour = style
    place = f'x="{x:g}" y="{y:.1f}" font-size="{size:g}" font-weight="{weight}" fill="{colour}"'
    return f"<text {place}>{escape(words)}</text>"


def _title_line(line: str, y: float, style: Style, title: str) -> str:
    """At the right edge for a title that is read from there."""
    if not is_right_to_left(title):
        return _text(line, LEFT, y, style)
    return _text(embedded_from_right(line), LEFT + TEXT_WIDTH, y, style).replace("<text ", '<text text-anchor="end" ')


def fit_title(title: str, face: Typeface) -> tuple[int, list[str]]:
    """The largest size at which the title fits, and its lines; at the smallest size a long title is truncated."""
    for size in TITLE_SIZES:
        lines = wrap(title, TEXT_WIDTH, size, face)
        # A single character on the last line looks like a mistake.
        if len(lines) <= MAX_TITLE_WIDTH // size and (len(lines) < 2 or len(lines[-1]) > 1):
            return size, lines
    max_lines = MAX_TITLE_WIDTH // TITLE_SIZES[-1]
    if len(lines) <= max_lines:
        return TITLE_SIZES[-1], lines
    shown = lines[:max_lines]
    shown[-1] = truncate(f"{shown[-1]} {lines[max_lines]}", TEXT_WIDTH, TITLE_SIZES[-1], face)
    return TITLE_SIZES[-1], shown


def wrap(text: str, max_width: float, size: float, face: Typeface) -> list[str]:
    """Lines no wider than `max_width`: broken at spaces, inside scripts without spaces, else inside a long word."""
    lines = [""]
    for piece in _pieces(text):
        grown = lines[-1] + piece
        if face.width(grown.rstrip(), size) <= max_width or not lines[-1]:
            lines[-1] = grown
        else:
            lines.append(piece.lstrip())
        while face.width(lines[-1].rstrip(), size) > max_width and len(lines[-1]) > 1:
            lines[-1:] = _break_word(lines[-1], max_width, size, face)
    return [line.strip() for line in lines if line.strip()]


def _pieces(text: str) -> list[str]:
    """Words with the space before them; single characters of scripts that have no spaces."""
    pieces: list[str] = []
    for char in text:
        is_dense = "\u2e80" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7a3" or "\uf900" <= char <= "\ufaff"
        begins = char == " " or is_dense or (pieces and "\u2e80" <= pieces[-1][-1] <= "\u9fff")
        if not pieces or (begins and char not in _CLOSING):
            pieces.append(char)
        else:
            pieces[-1] += char
    return pieces


def _break_word(word: str, max_width: float, size: float, face: Typeface) -> list[str]:
    end = 1
    while end < len(word) - 1 and face.width(word[: end + 1], size) <= max_width:
        end += 1
    return [word[:end], word[end:]]


def truncate(text: str, max_width: float, size: float, face: Typeface) -> str:
    if face.width(text, size) <= max_width:
        return text
    while text and face.width(f"{text}…", size) > max_width:
        text = text[:-1]
    return f"{text.rstrip(' ,;:.-')}…"


def readable(texts: CardTexts, face: Typeface) -> CardTexts:
    """The texts without what no font has, which would be empty boxes."""
    return CardTexts(*(face.writable(text) for text in (texts.title, texts.label, texts.brand, texts.tagline)))


def png(texts: CardTexts, art: tuple[str, str, str], logo: str = "") -> bytes:
    face = typeface([texts.title, texts.label, texts.brand, texts.tagline])
    card = svg(readable(texts, face), art, face, logo_of(logo))
    return bytes(resvg_py.svg_to_bytes(svg_string=card, skip_system_fonts=True, font_files=face.files))


def main() -> int:
    os.nice(10)
    job = json.load(sys.stdin)
    texts = CardTexts(job["title"], job["label"], job["brand"], job["tagline"])
    sys.stdout.buffer.write(png(texts, tuple(job["art"]), job["logo"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
