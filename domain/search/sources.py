"""The searched texts of a product, and the weight of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.search import posting_weights
from domain.search.tokenizer import index_tokens
from domain.search.word_lists import OPTIONAL
from domain.tables import Category, Course, CourseInstructor, Instructor, Product, ShopItem

# Limits the index size of one product, however long its texts are. Fields with more weight come first.
MAX_TERMS = 300

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
class SourceText:
    """One word of one product: its written form, the sum of its fields' weights, and its place in the name."""

    shown: str
    weight: int = 0
    place: int = 0
    is_last: bool = False


@dataclass(frozen=True)
class SearchedProduct:
    """A published product with its searched texts: (weight of the field, text), heaviest first."""

    id: int
    name: str
    popularity: int
    fields: tuple[tuple[int, str], ...]

    def entries(self) -> dict[str, SourceText]:
        entries: dict[str, SourceText] = {}
        name = index_tokens(self.name)
        last = name[-1].place if name else 0
        for token in name:
            entry = entries.setdefault(token.text, SourceText(token.shown))
            entry.weight = posting_weights.NAME
            entry.place = entry.place or token.place
            # A repeated word is last only if its first occurrence is: otherwise it would count as the whole name.
            entry.is_last = entry.is_last or (not token.extra and token.place == entry.place == last)
        for weight, text in self.fields:
            _add(entries, weight, text)
        return entries


def _add(entries: dict[str, SourceText], weight: int, text: str) -> None:
    seen: set[str] = set()
    for token in index_tokens(text):
        if token.text in seen or token.text in OPTIONAL:
            continue
        seen.add(token.text)
        entry = entries.get(token.text)
        if entry is None:
            if len(entries) >= MAX_TERMS:
                continue
            entry = entries[token.text] = SourceText(token.shown)
        entry.weight += weight


def sources(session: Session, ids: Sequence[int]) -> list[SearchedProduct]:
    """The sources of the products among these that are published."""
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
    rows = session.execute(
        select(*columns, Product.language, Product.item_kind, Category.name.label("category"), *long_part)
        .join(Category, Category.id == Product.category_id)
        .outerjoin(Course, Course.id == Product.id)
        .outerjoin(ShopItem, ShopItem.id == Product.id)
        .where(Product.id.in_(ids), Product.status == "published")
    ).all()
    instructors = _instructors(session, [row.id for row in rows])
    return [
        SearchedProduct(row.id, row.name, row.popularity, _fields(row, instructors.get(row.id, ""))) for row in rows
    ]


def _instructors(session: Session, ids: Sequence[int]) -> dict[int, str]:
    query = select(CourseInstructor.course_id, Instructor.name).join(
        Instructor, Instructor.id == CourseInstructor.instructor_id
    )
    names: dict[int, str] = {}
    for course, name in session.execute(query.where(CourseInstructor.course_id.in_(ids))):
        names[course] = f"{names.get(course, '')} {name}"
    return names


def _fields(row: Any, instructors: str) -> tuple[tuple[int, str], ...]:
    fields = [(posting_weights.CATEGORY, row.category), (posting_weights.KIND, _KINDS.get(row.item_kind or "", ""))]
    labels = f"{row.level or ''} {_LANGUAGES.get(row.language or '', '')}"
    # A generated text (domain/catalogue_import/generated_texts.py) repeats the other fields in words that every
    # product has.
    if not row.is_generated:
        fields.append((posting_weights.SUBTITLE, row.subtitle))
    fields += [(posting_weights.PERSON, instructors), (posting_weights.PERSON, row.sku or "")]
    if row.kind == "course":
        sections = row.sections or []
        outline = [*row.outcomes, *(section["title"] for section in sections)]
        lessons = [lesson["title"] for section in sections for lesson in section["lessons"]]
        fields += [(posting_weights.OUTLINE, "\n".join(outline)), (posting_weights.LABEL, labels)]
        rest = "" if row.is_generated else row.description
        fields.append((posting_weights.TEXT, "\n".join([*lessons, *row.prerequisites, *row.audience, rest])))
    else:
        fields += [(posting_weights.LABEL, labels), (posting_weights.TEXT, row.item_description or "")]
    return tuple(fields)
