"""Names in addresses: how one is made from a text, and what happens when it is taken."""

import hashlib
import re
import unicodedata
from collections.abc import Container, Iterator

# The width of the column.
LONGEST = 191

# Signs that tell names apart: "C", "C++" and "C#" are three subjects.
_SPOKEN = str.maketrans({"+": " plus ", "#": " sharp ", "&": " and "})


def ascii_slug(text: str) -> str:
    """Café & Bar -> cafe-and-bar; empty when no Latin letter or digit is left."""
    plain = unicodedata.normalize("NFKD", text.translate(_SPOKEN)).encode("ascii", "ignore").decode()
    return _joined(re.findall(r"[a-z0-9]+", plain.lower()))


def letter_slug(text: str) -> str:
    """The same with the letters of every script, for texts of which the Latin form leaves nothing."""
    return _joined(re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold()))


def made_from(text: str, source_id: str | None = None) -> str:
    """A slug of the text; when no Latin letter is in it, of the source's id; else of whatever letters there are."""
    return ascii_slug(text) or ascii_slug(source_id or "") or letter_slug(text)


def free(wanted: str, source_id: str | None, taken: Container[str]) -> str:
    """The slug itself, or with a suffix made from the source's id when another product has it."""
    return next(slug for slug in candidates(wanted, source_id) if slug not in taken)


def candidates(wanted: str, source_id: str | None) -> Iterator[str]:
    """What is tried in turn. The last one, a digest, is for ids that fold to the same letters."""
    yield wanted[:LONGEST]
    for suffix in (ascii_slug(source_id or ""), hashlib.sha256((source_id or wanted).encode()).hexdigest()[:12]):
        if 0 < len(suffix) <= 40:
            yield f"{wanted[: LONGEST - 1 - len(suffix)]}-{suffix}"


def _joined(words: list[str]) -> str:
    slug = "-".join(words)
    return slug[:LONGEST].rstrip("-")
