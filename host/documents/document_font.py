"""Fonts of ReportLab whose texts can be copied, searched and read aloud, and one whose figures have one width."""

from collections import Counter
from pathlib import Path
from typing import Any

import uharfbuzz as hb
from reportlab.pdfbase.ttfonts import SUBSETN, ShapedStr, TTFont

FIGURES = "0123456789"
# Codes of forms of letters, in the second of the planes for private use: none is in a text.
_FIRST_OWN = 0xF0000
# What a reader gets for a further form of letters that it has got already.
_NOTHING = "\u200b"


class DocumentFont(TTFont):  # type: ignore[misc] # ReportLab has no types
    """Maps each form of a letter to the letter. ReportLab 5.1 maps it to the code of the form, or to one for private
    use, and writes codes beyond FFFF in five digits."""

    def __init__(self, name: str, path: Path, index: int = 0):
        super().__init__(name, str(path), subfontIndex=index)
        self._meanings: dict[int, str] = {}
        self._codes: dict[tuple[int, str], int] = {}

    def with_meanings(self, shaped: ShapedStr, text: str) -> ShapedStr:
        """`shaped`, the forms of a text, with codes that stand for their letters."""
        places = [data.cluster for data in shaped.__shapeData__]
        codes = [
            self._code(ord(form), letters) for form, letters in zip(str(shaped), _letters(places, text), strict=True)
        ]
        return ShapedStr("".join(map(chr, codes)), shaped.__shapeData__)

    def _code(self, form: int, meaning: str) -> int:
        if chr(form) == meaning:
            return form
        face = self.face
        key = (face.charToGlyph[form], meaning)
        code = self._codes.get(key)
        if code is None:
            code = self._codes[key] = _FIRST_OWN + len(self._codes)
            face.charToGlyph[code], face.charWidths[code] = key[0], face.charWidths[form]
            self._meanings[code] = meaning
        return code

    def addObjects(self, doc: Any) -> None:
        subsets = [[*subset] for subset in self.state[doc].subsets]
        super().addObjects(doc)
        for number, subset in enumerate(subsets):
            name = b"".join((SUBSETN(number), b"+", self.face.name, self.face.subfontNameX)).decode("pdfdoc")
            stream = doc.idToObject[f"toUnicodeCMap:{name}"]
            for at, code in enumerate(subset):
                if code > 0xFFFF:
                    letters = self._meanings.get(code, chr(code)).encode("utf-16-be").hex()
                    stream.content = stream.content.replace(f"<{at:02X}> <{code:04X}>", f"<{at:02X}> <{letters}>")


def _letters(places: list[int], text: str) -> list[str]:
    """What each form says. `places`: where in the text its letters begin; forms may share their letters."""
    starts = sorted(set(places))
    letters = {start: text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)}
    left = Counter(places)
    is_from_right = places != sorted(places)
    said = []
    for place in places:
        left[place] -= 1
        own, rest = letters[place], left[place]
        if is_from_right:
            at = min(rest, len(own))
            letters[place], share = own[:at], own[at:]
        else:
            at = max(1, len(own) - rest) if own else 0
            share, letters[place] = own[:at], own[at:]
        said.append(share or _NOTHING)
    return said


class FiguresFont(DocumentFont):
    """The font with its tabular figures: amounts below one another are easier to compare."""

    def __init__(self, name: str, path: Path):
        super().__init__(name, path)
        face = self.face
        # Parts of the file are named after it in the document, which may have the font with its other figures too.
        face.name = face.name + b"-Figures"
        shaped = hb.Buffer()
        shaped.add_str(FIGURES)
        shaped.guess_segment_properties()
        hb.shape(hb.Font(self.hbFace), shaped, {"tnum": True, "kern": False})
        for figure, info, position in zip(FIGURES, shaped.glyph_infos, shaped.glyph_positions, strict=True):
            face.charToGlyph[ord(figure)] = info.codepoint
            face.charWidths[ord(figure)] = self.pdfScale(position.x_advance)
