"""Texts whose letters change with their neighbours or are read from the right, as flowables of ReportLab.

Its own paragraphs do not order words without a further library, and shape with the first font of a word alone
(ReportLab 5.1). Here lines are broken as they are read, then put in order, and each run is shaped in a font that has
its letters. What is read from the right stands in the file as on the line, and readers of PDF put it in order again,
letter by letter. What is read from the left, but not form by form, as in Indic scripts, carries its text (ActualText).
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from reportlab.lib.enums import TA_CENTER, TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase.pdfmetrics import getFont, stringWidth
from reportlab.pdfbase.ttfonts import shapeStr
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph

from domain.text_direction import is_right_to_left
from host.documents import fonts
from host.documents.bidi import Run, mirrored, runs_from_left
from host.images.fonts import Typeface


@dataclass(frozen=True)
class _Piece:
    """What is drawn at once, in one font. `letters`: what it says, where its forms do not tell that one by one."""

    text: str
    font: str
    width: float
    letters: str = ""


def paragraph_of(text: str, style: ParagraphStyle, typeface: Typeface) -> Flowable:
    """A text that the typeface can write, in any script."""
    if fonts.needs_shaping(text):
        return ShapedParagraph(text, style, typeface)
    return Paragraph(fonts.markup(text, typeface, style.fontName), style)


class ShapedParagraph(Flowable):  # type: ignore[misc] # ReportLab has no types
    """A text in the size, colour and alignment of a style. `text`: what the typeface can write."""

    def __init__(self, text: str, style: ParagraphStyle, typeface: Typeface):
        super().__init__()
        self._text, self.style, self._typeface = " ".join(text.split()), style, typeface
        self._is_from_right = is_right_to_left(text)
        self._lines: list[str] = []

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self._lines = list(self._broken(width))
        self.width, self.height = width, len(self._lines) * self.style.leading
        return self.width, self.height

    def draw(self) -> None:
        style, top = self.style, self.height - self.style.fontSize
        for number, line in enumerate(self._lines):
            pieces = self._pieces(line)
            free = self.width - sum(piece.width for piece in pieces)
            left = free / 2 if style.alignment == TA_CENTER else free if style.alignment == TA_RIGHT else 0
            for piece in pieces:
                self._draw(piece, left, top - number * style.leading)
                left += piece.width

    def _draw(self, piece: _Piece, left: float, base: float) -> None:
        canvas: Canvas = self.canv
        if piece.letters:
            text = f"\ufeff{piece.letters}".encode("utf-16-be").hex()
            canvas.addLiteral(f"/Span <</ActualText <{text}>>> BDC")
        drawn = canvas.beginText(left, base)
        drawn.setFillColor(self.style.textColor)
        drawn.setFont(piece.font, self.style.fontSize)
        drawn.textOut(piece.text)
        canvas.drawText(drawn)
        if piece.letters:
            canvas.addLiteral("EMC")

    def _broken(self, width: float) -> Iterable[str]:
        """Lines in the order in which they are read: broken at spaces, and inside a word that is longer than a line."""
        line = ""
        for word in self._text.split(" "):
            grown = f"{line} {word}" if line else word
            if self._width(grown) <= width:
                line = grown
                continue
            if line:
                yield line
            line = word
            while self._width(line) > width and len(line) > 1:
                end = next(end for end in range(len(line) - 1, 0, -1) if end == 1 or self._width(line[:end]) <= width)
                yield line[:end]
                line = line[end:]
        yield line

    def _width(self, line: str) -> float:
        return sum(piece.width for piece in self._pieces(line))

    def _pieces(self, line: str) -> list[_Piece]:
        """From left to right."""
        pieces = []
        for run in runs_from_left(line, is_from_right=self._is_from_right):
            parts = _parts(run, self._typeface, self.style.fontName)
            for text, font in reversed(parts) if run.is_from_right else parts:
                pieces.append(_shaped(Run(text, run.is_from_right), font, self.style.fontSize))
        return pieces


def _parts(run: Run, typeface: Typeface, base: str) -> list[tuple[str, str]]:
    """Text and font of each part in one font and one script, as shaping needs them."""
    parts: list[tuple[str, str, str]] = []
    for char in run.text:
        text, font, script = parts[-1] if parts else ("", base, "")
        own_font = fonts.font_of(char, typeface, base, font)
        own_script = _script(char) or script
        if parts and own_font == font and (own_script == script or not script):
            parts[-1] = (text + char, font, own_script)
        else:
            parts.append((char, own_font, own_script))
    return [(text, font) for text, font, _ in parts]


def _script(char: str) -> str:
    """A letter's script is the first word of its name, such as ARABIC; "" for what stands in every script."""
    return unicodedata.name(char, "").partition(" ")[0] if unicodedata.category(char)[0] == "L" else ""


def _shaped(run: Run, font: str, size: float) -> _Piece:
    text = run.text
    # HarfBuzz tells the direction by the letters; figures and signs alone have the run's.
    has_letters = any(unicodedata.category(char)[0] in "LM" for char in text)
    if not has_letters or not (run.is_from_right or fonts.needs_shaping(text)):
        drawn = mirrored(text) if run.is_from_right else text
        return _Piece(drawn, font, stringWidth(drawn, font, size))
    shaped = shapeStr(text, font, size, force=True)
    width = sum(data.x_advance for data in shaped.__shapeData__) * size / 1000
    drawn = getFont(font).with_meanings(shaped, text)
    return _Piece(drawn, font, width, "" if run.is_from_right else text)
