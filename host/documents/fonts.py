"""Fonts of documents in ReportLab: Inter, and others for characters that Inter lacks."""

import unicodedata
from functools import lru_cache
from pathlib import Path
from xml.sax.saxutils import escape

import uharfbuzz as hb
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError

from host.documents.document_font import DocumentFont, FiguresFont
from host.images import fonts
from host.images.fonts import Face, Typeface

REGULAR, BOLD = "Inter", "Inter-Bold"
REGULAR_FIGURES, BOLD_FIGURES = "Inter-Figures", "Inter-Bold-Figures"
REGULAR_FILE, BOLD_FILE = "inter/400Regular/Inter_400Regular.ttf", "inter/600SemiBold/Inter_600SemiBold.ttf"
# From Hebrew to Mongolian: before are Latin, Greek and Cyrillic, behind them signs, kana, Han and Hangul, and further
# scripts that are read from the right.
_FIRST_SHAPED, _AFTER_SHAPED = 0x0590, 0x1E00


def register() -> None:
    """Make Inter known to ReportLab; a second call changes nothing."""
    for name, figures, file in ((REGULAR, REGULAR_FIGURES, REGULAR_FILE), (BOLD, BOLD_FIGURES, BOLD_FILE)):
        _register(name, fonts.PACKAGES / file, 0)
        _register_figures(figures, fonts.PACKAGES / file)


def typeface_for(texts: list[str]) -> Typeface:
    """Fonts that ReportLab can embed, for these texts. Their missing characters cannot be printed."""
    return fonts.typeface(texts, (REGULAR_FILE,), lambda face: registered_name(face) is not None, "400Regular")


def registered_name(face: Face) -> str | None:
    """The face's name in ReportLab; None for a font that it cannot embed, such as one with PostScript outlines."""
    if face.path == fonts.PACKAGES / REGULAR_FILE:
        return REGULAR
    index = _index_in_file(face)
    name = f"{face.path.stem}-{index}"
    return name if _register(name, face.path, index) else None


@lru_cache(256)
def _register(name: str, path: Path, index: int) -> bool:
    try:
        pdfmetrics.registerFont(DocumentFont(name, path, index))
    except TTFError:
        return False
    return True


@lru_cache(2)
def _register_figures(name: str, path: Path) -> None:
    pdfmetrics.registerFont(FiguresFont(name, path))


def _index_in_file(face: Face) -> int:
    if face.path.suffix != ".ttc":
        return 0
    blob = hb.Blob.from_file_path(str(face.path))
    faces = [hb.Face(blob, index) for index in range(hb.Face(blob, 0).count)]
    families = [one.get_name(hb.OTNameIdPredefined.FONT_FAMILY) for one in faces]
    return families.index(face.family) if face.family in families else 0


def markup(text: str, typeface: Typeface, base: str = REGULAR) -> str:
    """A text that needs no shaping as markup for a paragraph of ReportLab: escaped, each run in a font that has its
    characters."""
    runs: list[tuple[str, str]] = []
    for char in text:
        name = font_of(char, typeface, base, runs[-1][0] if runs else base)
        if runs and runs[-1][0] == name:
            runs[-1] = (name, runs[-1][1] + char)
        else:
            runs.append((name, char))
    return "".join(escape(run) if name == base else f'<font name="{name}">{escape(run)}</font>' for name, run in runs)


def font_of(char: str, typeface: Typeface, base: str, current: str) -> str:
    """Spaces and combining marks stay in the font of the characters before them."""
    if char.isspace() or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return current
    inter, *others = typeface.faces
    if inter.has(char):
        return base
    return next((registered_name(face) or base for face in others if face.has(char)), base)


def needs_shaping(text: str) -> bool:
    """Whether letters change with their neighbours, as in Arabic and Indic scripts, or are read from the right. Others
    are set twice as fast."""
    return not text.isascii() and any(
        _FIRST_SHAPED <= ord(char) < _AFTER_SHAPED
        or unicodedata.category(char) in ("Mn", "Me")
        or unicodedata.bidirectional(char) in ("R", "AL")
        for char in text
    )
