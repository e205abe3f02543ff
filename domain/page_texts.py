"""Title and description of a product's page: cut where a word ends, and told apart where names repeat.

These are the rules; domain/publishing/texts.py keeps what they yield.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from domain.prepared import Prepared
from domain.tables import PageText

# What search engines show (SEO contract): about 60 and 155 signs; wide ones count twice.
TITLE_ROOM = 60
DESCRIPTION_ROOM = 155
# Below this a description has room for the first sentence of the long text.
SHORT_DESCRIPTION = 90
# The columns hold 191 signs; marks without a width of their own must not fill them.
MOST_SIGNS = 180
# Numbers are a product's own, so more than one try with them is for names made to collide.
TRIES = 5
_ENDS = " ,;:.\u2013-|/&(+"


@dataclass(frozen=True)
class Texts:
    title: str
    description: str


@dataclass(frozen=True)
class Facts:
    """What tells a product apart. `traits`: short words about it, the most telling first; `number` is its own alone."""

    name: str
    subtitle: str
    text: str
    traits: tuple[str, ...]
    number: str


_texts = PageText.__table__.c
_OF_PRODUCT = Prepared(
    select(_texts.title, _texts.description).where(_texts.product_id == bindparam("id")), lambda row: Texts(*row)
)


def of_product(session: Session, product_id: int) -> Texts | None:
    return next(iter(_OF_PRODUCT.all(session, id=product_id)), None)


def made_up(name: str, subtitle: str) -> Texts:
    """For a product that has none kept."""
    return Texts(cut(name, TITLE_ROOM), cut(subtitle or name, DESCRIPTION_ROOM))


def titles(facts: Facts) -> Iterator[str]:
    """What is tried in turn: the name alone, with one trait, with its number."""
    yield cut(facts.name, TITLE_ROOM)
    numbers = (f"No. {facts.number}", *(f"No. {facts.number}.{again}" for again in range(2, TRIES)))
    for note in (*facts.traits, *numbers):
        yield f"{cut(facts.name, TITLE_ROOM - width(note) - 3)} ({note})"


def descriptions(facts: Facts, title: str) -> Iterator[str]:
    """The subtitle, filled up from the long text when it is short; behind the title where another says the same."""
    told = facts.subtitle or facts.name
    if width(told) < SHORT_DESCRIPTION and facts.text:
        told = f"{told.rstrip()}{'' if told.rstrip()[-1:] in '.!?…' else '.'} {facts.text}"
    yield cut(told, DESCRIPTION_ROOM)
    yield cut(f"{title}: {told}", DESCRIPTION_ROOM)
    for again in range(1, TRIES):
        yield cut(f"No. {facts.number}.{again}, {title}: {told}", DESCRIPTION_ROOM)


def width(text: str) -> int:
    return sum(map(_width_of, text))


@lru_cache(4096)
def _width_of(sign: str) -> int:
    if unicodedata.combining(sign) or sign in "\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def cut(text: str, room: int) -> str:
    """At most `room` wide: whole words and an ellipsis. Only what has no words, or one endless one, is cut inside."""
    text = " ".join(text.split())
    if width(text) <= room and len(text) <= MOST_SIGNS:
        return text
    end, taken = 0, 1
    for sign in text[: MOST_SIGNS - 1]:
        taken += _width_of(sign)
        if taken > room:
            break
        end += 1
    return _at_a_word(text, end) + "…"


def _at_a_word(text: str, end: int) -> str:
    """text[:end] without the word that would be torn apart."""
    kept = text[:end]
    if text[end] != " " and not (_is_wide(text[end]) or _is_wide(kept[-1:])):
        before = kept.rpartition(" ")[0]
        # A first word that fills the room has to be torn.
        kept = before or kept
    return kept.rstrip(_ENDS)


def _is_wide(sign: str) -> bool:
    return bool(sign) and _width_of(sign) == 2


_MARKS = (
    (re.compile(r"```.*?```", re.DOTALL), " "),
    (re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"^\s{0,3}(?:#{1,6}\s+|>\s?|[-*+]\s+|\d+[.)]\s+)", re.MULTILINE), ""),
    (re.compile(r"(?<!\\)(\*\*|__|\*|`)"), ""),
    (re.compile(r"\\([\\`*_\[\]<>()#+.!-])"), r"\1"),
)


def plain(markdown: str, most: int = 1000) -> str:
    """The first words of a Markdown text as one line."""
    text = markdown[:most]
    for mark, instead in _MARKS:
        text = mark.sub(instead, text)
    return " ".join(text.split())
