"""Slugs: how one is derived from a text, and what happens when it is taken."""

import hashlib
import re
import unicodedata
from collections.abc import Container, Iterator

# The length of the column.
MAX_LENGTH = 191

# Symbols that distinguish names: "C", "C++" and "C#" are three subjects.
_SPELLED_OUT = str.maketrans({"+": " plus ", "#": " sharp ", "&": " and "})


def ascii_slug(text: str) -> str:
    """Café & Bar -> cafe-and-bar; empty when no Latin letter or digit is left."""
    plain = unicodedata.normalize("NFKD", text.translate(_SPELLED_OUT)).encode("ascii", "ignore").decode()
    return _joined(re.findall(r"[a-z0-9]+", plain.lower()))


def unicode_slug(text: str) -> str:
    """A slug with the letters of every script, for texts without Latin letters and digits."""
    return _joined(re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold()))


def slug_from(text: str, source_id: str | None = None) -> str:
    """A Latin slug of the text or of the source's id, else one of the text in its own script."""
    return ascii_slug(text) or ascii_slug(source_id or "") or unicode_slug(text)


def unique_slug(wanted: str, source_id: str | None, taken: Container[str]) -> str:
    """The wanted slug, or one with a suffix derived from the source's id when it is taken."""
    return next(slug for slug in candidates(wanted, source_id) if slug not in taken)


def candidates(wanted: str, source_id: str | None) -> Iterator[str]:
    """Slugs to try in their order. The last one, with a digest, is for ids that differ only in other characters."""
    yield wanted[:MAX_LENGTH]
    for suffix in (ascii_slug(source_id or ""), hashlib.sha256((source_id or wanted).encode()).hexdigest()[:12]):
        if 0 < len(suffix) <= 40:
            yield f"{wanted[: MAX_LENGTH - 1 - len(suffix)]}-{suffix}"


def _joined(words: list[str]) -> str:
    slug = "-".join(words)
    return slug[:MAX_LENGTH].rstrip("-")
