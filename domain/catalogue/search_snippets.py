"""Title and description of a product's page in search results: truncated at a word, distinct where names repeat.

These are the rules; domain/publishing/snippet_store.py stores their results.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect
from domain.tables import SearchSnippet
from domain.text_direction import isolated

# What search engines show (SEO contract): about 60 and 155 characters; wide ones count twice.
MAX_TITLE_WIDTH = 60
MAX_DESCRIPTION_WIDTH = 155
# A shorter description is followed by the beginning of the long text.
SHORT_DESCRIPTION = 90
# The columns hold 191 characters; combining marks, which have no width, must not fill them.
MAX_CHARACTERS = 180
# A product's number is unique, so further attempts matter only for names that imitate the form "(No. 7)".
MAX_ATTEMPTS = 5
_ENDS = " ,;:.\u2013-|/&(+"


@dataclass(frozen=True)
class Snippet:
    title: str
    description: str


@dataclass(frozen=True)
class SnippetSource:
    """What distinguishes a product. `traits`: short words about it, the best first; `number`: unique."""

    name: str
    subtitle: str
    text: str
    traits: tuple[str, ...]
    number: str


_texts = SearchSnippet.__table__.c
_OF_PRODUCT = PreparedSelect(
    select(_texts.title, _texts.description).where(_texts.product_id == bindparam("id")), lambda row: Snippet(*row)
)


def of_product(session: Session, product_id: int) -> Snippet | None:
    return next(iter(_OF_PRODUCT.all(session, id=product_id)), None)


def fallback_snippet(name: str, subtitle: str) -> Snippet:
    """For a product without a stored one."""
    return Snippet(fallback_title(name), truncate(subtitle or name, MAX_DESCRIPTION_WIDTH))


def fallback_title(name: str) -> str:
    return truncate(name, MAX_TITLE_WIDTH)


def titles(source: SnippetSource) -> Iterator[str]:
    """Candidates in their order: the name alone, with one trait, with the number."""
    yield truncate(source.name, MAX_TITLE_WIDTH)
    numbers = (f"No. {source.number}", *(f"No. {source.number}.{attempt}" for attempt in range(2, MAX_ATTEMPTS)))
    for note in (*source.traits, *numbers):
        yield f"{truncate(source.name, MAX_TITLE_WIDTH - width(note) - 3)} ({note})"


def descriptions(source: SnippetSource, title: str) -> Iterator[str]:
    """Candidates in their order: the subtitle, with text appended when it is short; then the same after the title."""
    text = source.subtitle or source.name
    if width(text) < SHORT_DESCRIPTION and source.text:
        text = f"{text.rstrip()}{'' if text.rstrip()[-1:] in '.!?…' else '.'} {source.text}"
    yield truncate(text, MAX_DESCRIPTION_WIDTH)
    yield truncate(f"{isolated(title)}: {text}", MAX_DESCRIPTION_WIDTH)
    for attempt in range(1, MAX_ATTEMPTS):
        yield truncate(f"No. {source.number}.{attempt}, {isolated(title)}: {text}", MAX_DESCRIPTION_WIDTH)


def width(text: str) -> int:
    # Reports look at the titles of all products.
    return len(text) if text.isascii() else sum(map(_width_of, text))


@lru_cache(4096)
def _width_of(character: str) -> int:
    if unicodedata.combining(character) or character in "\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def truncate(text: str, max_width: int) -> str:
    """The text, at most `max_width` wide: whole words and an ellipsis. Only a word that fills the width is split."""
    text = " ".join(text.split())
    if width(text) <= max_width and len(text) <= MAX_CHARACTERS:
        return text
    end, used = 0, 1
    for character in text[: MAX_CHARACTERS - 1]:
        used += _width_of(character)
        if used > max_width:
            break
        end += 1
    return _at_word_boundary(text, end) + "…"


def _at_word_boundary(text: str, end: int) -> str:
    """text[:end] without the word that would be split."""
    head = text[:end]
    # Scripts with wide characters have no spaces between words.
    if text[end] != " " and not (_is_wide(text[end]) or _is_wide(head[-1:])):
        # A first word that fills the width has to be split.
        head = head.rpartition(" ")[0] or head
    return head.rstrip(_ENDS)


def _is_wide(character: str) -> bool:
    return bool(character) and _width_of(character) == 2


# Markdown markup and its replacement.
_MARKUP = (
    (re.compile(r"```.*?```", re.DOTALL), " "),
    (re.compile(r"!?(?<!\\)\[([^\]]*)\]\([^)]*\)"), r"\1"),
    # The line below the headings of a table, the bars of its cells, and a line break within a paragraph.
    (re.compile(r"^\s*\|[\s|:-]*-[\s|:-]*$", re.MULTILINE), " "),
    (re.compile(r"(?<!\\)\||\\$", re.MULTILINE), " "),
    (re.compile(r"^\s{0,3}(?:#{1,6}\s+|>\s?|[-*+]\s+|\d+[.)]\s+)", re.MULTILINE), ""),
    (re.compile(r"(?<!\\)(\*\*|__|~~|\*|`)"), ""),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)


def plain_text(markdown: str, max_length: int = 1000) -> str:
    """The beginning of a Markdown text as one line without markup."""
    text = markdown[:max_length]
    for pattern, replacement in _MARKUP:
        text = pattern.sub(replacement, text)
    return " ".join(text.split())
