"""Categories and instructors, as staff list and write them.

Their version is made of their contents: who changes one sends that of what they have seen. Their short names never
change, because addresses of lists and generated pictures contain them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.database.list_page import ListSource
from domain.errors import InvalidInput, NotFound
from domain.publishing import slugs
from domain.publishing.categories import put_category, put_instructor
from domain.publishing.editing.course_texts import shortened
from domain.publishing.editing.stored_course import NewerVersion
from domain.publishing.records import Json
from domain.staff.recorded_events import subject_entries
from domain.tables import Category, CourseInstructor, Instructor, Product

MAX_POSITION = 10_000


@dataclass(frozen=True)
class CategoryTexts:
    """`position`: its place among the categories, from 0."""

    name: str
    description: str
    position: int


@dataclass(frozen=True)
class InstructorTexts:
    """`title`: what they are, such as a profession."""

    name: str
    title: str
    bio: str


Texts = CategoryTexts | InstructorTexts


class EntryRow(NamedTuple):
    """A category or an instructor in the list; `uses`: its products or courses."""

    id: int
    slug: str
    name: str
    text: str
    position: int
    uses: int


_categories = Category.__table__.c
_instructors = Instructor.__table__.c
_OF_CATEGORY = select(func.count()).where(Product.category_id == _categories.id).scalar_subquery()
_OF_INSTRUCTOR = select(func.count()).where(CourseInstructor.instructor_id == _instructors.id).scalar_subquery()


def _category_named(text: str) -> ColumnElement[bool]:
    return _categories.name.icontains(text, autoescape=True)


def _instructor_named(text: str) -> ColumnElement[bool]:
    return _instructors.name.icontains(text, autoescape=True)


CATEGORY_LIST: ListSource[EntryRow] = ListSource(
    rows=select(
        *(_categories.id, _categories.slug, _categories.name, _categories.description, _categories.position),
        _OF_CATEGORY,
    ),
    make=EntryRow._make,
    key=_categories.id,
    filters={"q": _category_named},
)
INSTRUCTOR_LIST: ListSource[EntryRow] = ListSource(
    rows=select(
        *(_instructors.id, _instructors.slug, _instructors.name, _instructors.title, _instructors.id),
        _OF_INSTRUCTOR,
    ),
    make=EntryRow._make,
    key=_instructors.id,
    filters={"q": _instructor_named},
)


@dataclass(frozen=True)
class EntryKind:
    """Categories or instructors. `put` gets the session, the short name, and the texts in the order of their class."""

    noun: str
    table: type[Category] | type[Instructor]
    texts: type[CategoryTexts] | type[InstructorTexts]
    put: Callable[..., int]


CATEGORY = EntryKind("category", Category, CategoryTexts, put_category)
INSTRUCTOR = EntryKind("instructor", Instructor, InstructorTexts, put_instructor)


def entry(session: Session, kind: EntryKind, entry_id: int, *, locks: bool = False) -> Category | Instructor:
    """Raises NotFound. `locks`: nobody else can change it in this transaction."""
    row = session.get(kind.table, entry_id, with_for_update=True if locks else None, populate_existing=locks)
    if not isinstance(row, Category | Instructor):
        raise NotFound(f"There is no such {kind.noun}.")
    return row


def is_in_shop(session: Session, row: Category | Instructor) -> bool:
    """Whether anything in the category, or by the instructor, is on sale."""
    published = select(Product.id).where(Product.status == "published")
    if isinstance(row, Category):
        found = published.where(Product.category_id == row.id)
    else:
        taught = CourseInstructor.course_id == Product.id
        found = published.join(CourseInstructor, taught).where(CourseInstructor.instructor_id == row.id)
    return session.scalar(found.limit(1)) is not None


def texts_of(row: Category | Instructor) -> Texts:
    if isinstance(row, Category):
        return CategoryTexts(row.name, row.description, row.position)
    return InstructorTexts(row.name, row.title, row.bio)


def version_of(texts: Texts) -> int:
    """A number that other contents do not have; JavaScript represents it exactly."""
    return int.from_bytes(sha256(repr(texts).encode()).digest()[:6], "big")


def create(session: Session, kind: EntryKind, name: str) -> int:
    """One with this name alone, a category at the end of the list; returns its id. Raises InvalidInput for a name whose
    short one is taken."""
    slug = _new_slug(session, kind, name)
    key = kind.put(session, slug, " ".join(name.split()))
    recording.record(session, f"{kind.noun}.create", Subject(kind.noun, key), after={"name": name, "slug": slug})
    return key


def change(session: Session, kind: EntryKind, entry_id: int, version: int, texts: Texts) -> int:
    """Store the texts and return their version. Raises NotFound, NewerVersion and InvalidInput."""
    row = entry(session, kind, entry_id, locks=True)
    before = texts_of(row)
    if version_of(before) != version:
        raise NewerVersion
    _require(texts)
    name, *others = vars(texts).values()
    kind.put(session, row.slug, " ".join(name.split()), *(_stripped(value) for value in others))
    return _record(session, Subject(kind.noun, entry_id), before, texts_of(row))


def last_editor(session: Session, subject: Subject) -> str:
    """In words, for somebody who has edited it at the same time."""
    newest = next(iter(subject_entries(session, subject)), None)
    return "An import or a command" if newest is None or newest.actor is None else newest.actor or "A deleted account"


def _new_slug(session: Session, kind: EntryKind, name: str) -> str:
    slug = slugs.slug_from(name)
    if not slug:
        raise InvalidInput({"name": "Enter a name with letters or digits."})
    if session.scalar(select(kind.table.id).where(kind.table.slug == slug)) is not None:
        raise InvalidInput({"name": f"There is one with the short name {slug} already."})
    return slug


def _require(texts: Texts) -> None:
    if not texts.name.strip():
        raise InvalidInput({"name": "Enter a name."})
    if isinstance(texts, CategoryTexts) and not 0 <= texts.position <= MAX_POSITION:
        raise InvalidInput({"position": f"Enter 0 to {MAX_POSITION}."})


def _stripped(value: str | int) -> str | int:
    return value.strip() if isinstance(value, str) else value


def _record(session: Session, subject: Subject, before: Texts, after: Texts) -> int:
    if before == after:
        recording.no_change(session)
    else:
        recording.record(session, f"{subject.kind}.edit", subject, before=_fields(before), after=_fields(after))
    return version_of(after)


def _fields(texts: Texts) -> Json:
    return {name: value if len(str(value)) <= 200 else shortened(value) for name, value in vars(texts).items()}
