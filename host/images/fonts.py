"""Fonts of social cards and documents: Inter, then for characters that it lacks Noto Sans JP, then the machine's.

A character that no font has would become an empty box: `Typeface.writable` is the text without it.
"""

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import uharfbuzz as hb

from domain.text_direction import DIRECTION_SIGNS, FIRST_STRONG_ISOLATE, POP_ISOLATE

PACKAGES = Path(__file__).parents[2] / "node_modules" / "@expo-google-fonts"
OWN_FONTS = ("inter/700Bold/Inter_700Bold.ttf", "inter/500Medium/Inter_500Medium.ttf")
JAPANESE = "noto-sans-jp/{0}/NotoSansJP_{0}.ttf"
FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".fonts",
    Path.home() / ".local/share/fonts",
    Path("/System/Library/Fonts"),
    Path("/Library/Fonts"),
    Path("C:/Windows/Fonts"),
)
# They change the forms of letters beside them, in Persian and Indic words.
_JOINERS = "\u200c\u200d"
_DIRECTIONS = {FIRST_STRONG_ISOLATE, POP_ISOLATE, *DIRECTION_SIGNS}
_EMOJI = {chr(code) for code in range(0x1F000, 0x1FB00)}
# A desktop may have thousands.
MAX_FILES = 2_000
_NOT_FOR_TEXT = (
    "mono",
    "italic",
    "oblique",
    "emoji",
    "symbol",
    "math",
    "serif",
    "condensed",
    "narrow",
    "light",
    "thin",
)


@dataclass(frozen=True)
class Face:
    path: Path
    family: str
    font: hb.Font
    upem: int

    def has(self, char: str) -> bool:
        return bool(self.font.get_nominal_glyph(ord(char)))

    def advance(self, char: str) -> float:
        glyph = self.font.get_nominal_glyph(ord(char))
        return self.font.get_glyph_h_advance(glyph) / self.upem if glyph else 0.0


def open_font(path: Path, language: str = "") -> Face | None:
    """A font file; of a collection the face whose family ends with `language` (JP, KR, SC), else its first."""
    try:
        blob = hb.Blob.from_file_path(str(path))
        faces = [hb.Face(blob, index) for index in range(hb.Face(blob, 0).count if path.suffix == ".ttc" else 1)]
    except (OSError, ValueError, hb.HarfBuzzError):
        return None
    named = [(face, face.get_name(hb.OTNameIdPredefined.FONT_FAMILY) or path.stem) for face in faces]
    chosen = next(((face, name) for face, name in named if language and name.endswith(language)), named[0])
    return Face(path, chosen[1], hb.Font(chosen[0]), chosen[0].upem)


@dataclass
class Typeface:
    """Fonts that together have the characters of a text."""

    faces: list[Face] = field(default_factory=list)

    @property
    def families(self) -> str:
        names = dict.fromkeys(face.family for face in self.faces)
        return ", ".join(f"'{name}'" for name in names if "'" not in name and '"' not in name)

    @property
    def files(self) -> list[str]:
        return [str(path) for path in dict.fromkeys(face.path for face in self.faces)]

    def width(self, text: str, size: float) -> float:
        return size * sum(self._advance(char) for char in text)

    def _advance(self, char: str) -> float:
        return next((face.advance(char) for face in self.faces if face.has(char)), 0.0)

    def missing(self, text: str) -> set[str]:
        return {char for char in text if _is_visible(char) and not self._has(char)}

    def can_name(self, name: str) -> bool:
        """Whether the fonts have all letters of a name: half a name would be another one. Signs may be missing."""
        return bool(self.writable(name)) and all(_is_sign(char) for char in self.missing(name))

    def writable(self, text: str) -> str:
        """The text without what no font has, such as emoji; "" where neither letter nor digit is left."""
        kept, is_base_kept = "", True
        for char in text:
            if char.isspace():
                kept, is_base_kept = kept + " ", True
            elif _is_visible(char):
                is_base_kept = unicodedata.category(char) != "Cc" and self._has(char)
                kept += char if is_base_kept else ""
            elif char in _DIRECTIONS or (is_base_kept and self._has_mark(char)):
                kept += char
        return " ".join(kept.split()) if any(char.isalnum() for char in kept) else ""

    def _has_mark(self, char: str) -> bool:
        return char in _JOINERS or (unicodedata.category(char) != "Cf" and self._has(char))

    def _has(self, char: str) -> bool:
        return any(face.has(char) for face in self.faces)


def _is_visible(char: str) -> bool:
    return not char.isspace() and unicodedata.category(char) not in ("Cf", "Mn", "Me")


def _is_sign(char: str) -> bool:
    """Signs and punctuation; emoji that this Python does not know yet have no category."""
    return unicodedata.category(char)[0] in "SP" or unicodedata.category(char) == "Cc" or char in _EMOJI


def typeface(
    texts: list[str],
    own_fonts: tuple[str, ...] = (),
    is_usable: Callable[[Face], bool] | None = None,
    weight: str = "700Bold",
) -> Typeface:
    """Fonts for these texts: Inter, and as few others as the rest needs.

    `own_fonts`: files of Inter, by default OWN_FONTS. `is_usable`: of the other fonts; by default any. `weight`: of the
    Japanese font."""
    result = Typeface([face for name in own_fonts or OWN_FONTS if (face := open_font(PACKAGES / name)) is not None])
    text = "".join(texts)
    missing = result.missing(text)
    language = _language(text)
    for path in chain((PACKAGES / JAPANESE.format(weight),), _machine_fonts()) if missing else ():
        face = open_font(path, language)
        if face is None or not any(face.has(char) for char in missing):
            continue
        if is_usable is None or is_usable(face):
            result.faces.append(face)
            missing = result.missing(text)
            if not missing:
                break
    return result


def _language(text: str) -> str:
    """The language by its script: kana and hangul decide, as Han characters look different in each language."""
    names = {unicodedata.name(char, "").split(" ")[0] for char in text}
    if names & {"HIRAGANA", "KATAKANA"}:
        return "JP"
    return "KR" if "HANGUL" in names else "SC"


def _machine_fonts() -> Iterator[Path]:
    """Bold sans fonts first, then the others."""
    files: list[Path] = []
    for folder in FOLDERS:
        if folder.is_dir():
            files += (path for path in folder.rglob("*") if path.suffix.lower() in (".ttf", ".otf", ".ttc"))
    yield from sorted(files[:MAX_FILES], key=_preference)


def _preference(path: Path) -> tuple[int, int, str]:
    name = path.stem.lower()
    return sum(word in name for word in _NOT_FOR_TEXT), "bold" not in name, name
