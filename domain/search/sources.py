"""What of a product is searched, and how much each part of it weighs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.search import impacts
from domain.search.tokens import index_tokens
from domain.search.word_lists import OPTIONAL
from domain.tables import Category, Course, CourseInstructor, Instructor, Product, ShopItem

# A product is about fewer things than this; a pasted book does not fill the index. Heavier fields come first.
MOST_TERMS = 300

_LANGUAGES = {
    "en": "English",
    "de": "German Deutsch",
    "es": "Spanish Español",
    "fr": "French Français",
    "it": "Italian Italiano",
    "ja": "Japanese 日本語",
    "pt": "Portuguese Português",
    "zh": "Chinese 中文",
}
_KINDS = {"book": "Book", "voucher": "Exam voucher", "bundle": "Bundle", "physical": ""}


@dataclass
class Entry:
    """One word of one product: its written form, what its fields add up to, and its place in the name."""

    shown: str
    weight: int = 0
    place: int = 0
    is_last: bool = False


@dataclass(frozen=True)
class Source:
    """A published product with the texts that are searched: (weight of the field, text), heaviest first."""

    id: int
    name: str
    popularity: int
    fields: tuple[tuple[int, str], ...]

    def entries(self) -> dict[str, Entry]:
        found: dict[str, Entry] = {}
        name = index_tokens(self.name)
        last = name[-1].place if name else 0
        for token in name:
            entry = found.setdefault(token.text, Entry(token.shown))
            entry.weight = impacts.NAME
            entry.place = entry.place or token.place
            # A word that comes twice ends the name only where it stands first: else it would pass for all of the name.
            entry.is_last = entry.is_last or (not token.extra and token.place == entry.place == last)
        for weight, text in self.fields:
            _add(found, weight, text)
        return found


def _add(found: dict[str, Entry], weight: int, text: str) -> None:
    seen: set[str] = set()
    for token in index_tokens(text):
        if token.text in seen or token.text in OPTIONAL:
            continue
        seen.add(token.text)
        entry = found.get(token.text)
        if entry is None:
            if len(found) >= MOST_TERMS:
                continue
            entry = found[token.text] = Entry(token.shown)
        entry.weight += weight


def sources(session: Session, ids: Sequence[int]) -> list[Source]:
    """The published ones among these products."""
    columns = (Product.id, Product.kind, Product.name, Product.subtitle, Product.popularity, Product.level)
    long_part = (
        Course.description,
        Course.is_generated,
        Course.outcomes,
        Course.prerequisites,
        Course.audience,
        Course.sections,
        ShopItem.sku,
        ShopItem.description.label("item_description"),
    )
    found = session.execute(
        select(*columns, Product.language, Product.item_kind, Category.name.label("category"), *long_part)
        .join(Category, Category.id == Product.category_id)
        .outerjoin(Course, Course.id == Product.id)
        .outerjoin(ShopItem, ShopItem.id == Product.id)
        .where(Product.id.in_(ids), Product.status == "published")
    ).all()
    people = _people(session, [row.id for row in found])
    return [Source(row.id, row.name, row.popularity, _fields(row, people.get(row.id, ""))) for row in found]


def _people(session: Session, ids: Sequence[int]) -> dict[int, str]:
    query = select(CourseInstructor.course_id, Instructor.name).join(
        Instructor, Instructor.id == CourseInstructor.instructor_id
    )
    names: dict[int, str] = {}
    for course, name in session.execute(query.where(CourseInstructor.course_id.in_(ids))):
        names[course] = f"{names.get(course, '')} {name}"
    return names


def _fields(row: Any, people: str) -> tuple[tuple[int, str], ...]:
    made = [(impacts.CATEGORY, row.category), (impacts.KIND, _KINDS.get(row.item_kind or "", ""))]
    labels = f"{row.level or ''} {_LANGUAGES.get(row.language or '', '')}"
    # A text composed from the other fields (domain/imports/composing.py) says nothing more than they do, in words that
    # every product has.
    if not row.is_generated:
        made.append((impacts.SUBTITLE, row.subtitle))
    made += [(impacts.PERSON, people), (impacts.PERSON, row.sku or "")]
    if row.kind == "course":
        sections = row.sections or []
        outline = [*row.outcomes, *(section["title"] for section in sections)]
        lessons = [lesson["title"] for section in sections for lesson in section["lessons"]]
        made += [(impacts.OUTLINE, "\n".join(outline)), (impacts.LABEL, labels)]
        rest = "" if row.is_generated else row.description
        made.append((impacts.TEXT, "\n".join([*lessons, *row.prerequisites, *row.audience, rest])))
    else:
        made += [(impacts.LABEL, labels), (impacts.TEXT, row.item_description or "")]
    return tuple(made)
