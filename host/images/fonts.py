"""Fonts for pictures: Inter from its package, and whatever the machine has for letters that Inter lacks.

A letter nobody has must not become an empty box: `Typeface.can_write` says no, and the caller leaves the text out.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import uharfbuzz as hb

PACKAGE = Path(__file__).parents[2] / "node_modules" / "@expo-google-fonts" / "inter"
OWN = ("700Bold/Inter_700Bold.ttf", "500Medium/Inter_500Medium.ttf")
FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".fonts",
    Path.home() / ".local/share/fonts",
    Path("/System/Library/Fonts"),
    Path("/Library/Fonts"),
    Path("C:/Windows/Fonts"),
)
# A desktop may have thousands.
MOST_FILES = 2_000
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

    def has(self, sign: str) -> bool:
        return bool(self.font.get_nominal_glyph(ord(sign)))

    def advance(self, sign: str) -> float:
        glyph = self.font.get_nominal_glyph(ord(sign))
        return self.font.get_glyph_h_advance(glyph) / self.upem if glyph else 0.0


def opened(path: Path, language: str = "") -> Face | None:
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
    """The fonts that together write a text."""

    faces: list[Face] = field(default_factory=list)

    @property
    def families(self) -> str:
        names = dict.fromkeys(face.family for face in self.faces)
        return ", ".join(f"'{name}'" for name in names if "'" not in name and '"' not in name)

    @property
    def files(self) -> list[str]:
        return [str(path) for path in dict.fromkeys(face.path for face in self.faces)]

    def width(self, text: str, size: float) -> float:
        return size * sum(self._advance(sign) for sign in text)

    def _advance(self, sign: str) -> float:
        return next((face.advance(sign) for face in self.faces if face.has(sign)), 0.0)

    def missing(self, text: str) -> set[str]:
        return {sign for sign in text if _is_drawn(sign) and not any(face.has(sign) for face in self.faces)}


def _is_drawn(sign: str) -> bool:
    return not sign.isspace() and unicodedata.category(sign) not in ("Cf", "Mn", "Me")


def typeface(texts: list[str]) -> Typeface:
    """Fonts for these texts: Inter, and as few others as write the rest."""
    made = Typeface([face for name in OWN if (face := opened(PACKAGE / name)) is not None])
    wanted = "".join(texts)
    lacking = made.missing(wanted)
    language = _language(wanted)
    for path in _machine_fonts() if lacking else ():
        face = opened(path, language)
        if face is not None and any(face.has(sign) for sign in lacking):
            made.faces.append(face)
            lacking = made.missing(wanted)
            if not lacking:
                break
    return made


def _language(text: str) -> str:
    """Han letters look different in each language; kana and hangul tell which it is."""
    names = {unicodedata.name(sign, "").split(" ")[0] for sign in text}
    if names & {"HIRAGANA", "KATAKANA"}:
        return "JP"
    return "KR" if "HANGUL" in names else "SC"


def _machine_fonts() -> Iterator[Path]:
    """Bold sans fonts first, then what else may hold the letters."""
    found: list[Path] = []
    for folder in FOLDERS:
        if folder.is_dir():
            found += (path for path in folder.rglob("*") if path.suffix.lower() in (".ttf", ".otf", ".ttc"))
    yield from sorted(found[:MOST_FILES], key=_preference)


def _preference(path: Path) -> tuple[int, int, str]:
    name = path.stem.lower()
    return sum(word in name for word in _NOT_FOR_TEXT), "bold" not in name, name
