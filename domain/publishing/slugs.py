"""Slugs: how one is derived from a text, and what happens when it is taken."""

import hashlib
import re
import unicodedata
from collections.abc import Container, Iterator

# The length of the column.
MAX_LENGTH = 191

# Symbols that distinguish names: "C", "C++" and "C#" are three subjects. The others have no letter without a mark.
_SPELLED_OUT = str.maketrans({"+": " plus ", "#": " sharp ", "&": " and ", "ß": "ss", "ẞ": "ss"})
_ASCII_WORDS = re.compile(r"[a-z0-9]+")
_LATIN_MARKS = re.compile("([a-z0-9])[\u0300-\u036f]+")
# Apostrophes, and what chooses between pictures of one sign or says how it joins: letters around them are one word.
_SILENT = re.compile("[\u2018\u2019\u02bc\u00ad\u034f\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]")


def slug_from(text: str, source_id: str | None = None) -> str:
    """The letters and digits of the text in any script, in lower case: Café & Bar -> cafe-and-bar, データ分析 101 ->
    データ分析-101. Latin letters lose their marks; other scripts keep theirs, which tell words apart. A text without
    letters and digits leaves those of the source's id."""
    return _slug(text) or _slug(source_id or "")


def unique_slug(wanted: str, source_id: str | None, taken: Container[str]) -> str:
    """The wanted slug, or one with a suffix derived from the source's id when it is taken."""
    return next(slug for slug in candidates(wanted, source_id) if slug not in taken)


def candidates(wanted: str, source_id: str | None) -> Iterator[str]:
    """Slugs to try in their order. The last one, with a digest, is for ids that differ only in other characters. An id
    that is an address, such as courses.example/tracks/law, is told by the part before the last (law-tracks), one of
    title and provider by the provider."""
    yield wanted[:MAX_LENGTH]
    own = source_id or ""
    short = own.split("/")[-2] if "/" in own else own.rpartition("@")[2]
    for suffix in (_slug(short), hashlib.sha256((source_id or wanted).encode()).hexdigest()[:12]):
        if 0 < len(suffix) <= 40:
            yield f"{wanted[: MAX_LENGTH - 1 - len(suffix)]}-{suffix}"


def _slug(text: str) -> str:
    text = text.translate(_SPELLED_OUT)
    if not text.isascii():
        # Marks and letters apart, so that those of Latin letters can go, and compatible forms as one; then NFC.
        plain = _LATIN_MARKS.sub(r"\1", unicodedata.normalize("NFKD", _SILENT.sub("", text)).lower())
        text = unicodedata.normalize("NFC", plain)
    text = text.lower()
    words = _ASCII_WORDS.findall(text) if text.isascii() else _words(text)
    return "-".join(words)[:MAX_LENGTH].rstrip("-")


def _words(text: str) -> list[str]:
    """The runs of letters, digits and the marks that follow them, such as vowels of Devanagari."""
    kept: list[str] = []
    for character in text:
        is_mark = unicodedata.category(character)[0] == "M" and kept and kept[-1] != " "
        kept.append(character if character.isalnum() or is_mark else " ")
    return "".join(kept).split()
