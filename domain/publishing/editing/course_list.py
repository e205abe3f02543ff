"""All courses as a list for staff, and who changed one of them last."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.orm import Session

from domain.audit import Subject
from domain.audit.views.events import subject_entries
from domain.database.list_page import ListSource
from domain.publishing import publish_rules
from domain.publishing.product_changes import COURSES, PRODUCTS
from domain.tables import Category, Enrolment, EnrolmentGrant, FormerSlug, Instructor, Review, SearchSnippet

STATES = {"draft": "Draft", "scheduled": "Scheduled", "published": "Published", "retired": "Retired"}
_products = PRODUCTS.c
# Of the long text only whether there is any.
_DESCRIPTION = case((func.length(COURSES.c.description) > 0, "x"), else_="")
_CATEGORY = select(Category.name).where(Category.id == _products.category_id).scalar_subquery()
_RULE_COLUMNS = (
    *("kind", "name", "subtitle", "image", "image_width", "image_height", "category_id", "duration_min"),
    *("list_price", "sale_price"),
)


@dataclass(frozen=True)
class CourseRow:
    """`missing`: what a draft or scheduled course lacks for its page."""

    id: int
    name: str
    slug: str
    status: str
    category: str
    enrolled: int
    updated_at: datetime
    published_at: datetime | None
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """A category or an instructor to choose."""

    slug: str
    name: str


def _make(cells: Iterable[Any]) -> CourseRow:
    course_id, slug, status, category, enrolled, updated_at, published_at, description, *rest = cells
    facts = dict(zip(_RULE_COLUMNS, rest, strict=True)) | {"description": description}
    waits = status in ("draft", "scheduled")
    missing = publish_rules.missing_requirements(facts) if waits else ()
    return CourseRow(course_id, facts["name"], slug, status, category, enrolled, updated_at, published_at, missing)


def _named(text: str) -> ColumnElement[bool]:
    return _products.name.icontains(text, autoescape=True)


_own = (_products.id, _products.slug, _products.status, _CATEGORY, _products.enrolled)
COURSE_LIST: ListSource[CourseRow] = ListSource(
    rows=select(
        *_own,
        *(_products.updated_at, _products.published_at, _DESCRIPTION),
        *(_products[name] for name in _RULE_COLUMNS),
    )
    .join_from(PRODUCTS, COURSES, _products.id == COURSES.c.id)
    .where(_products.kind == "course"),
    make=_make,
    key=_products.id,
    filters={
        "q": _named,
        "status": _products.status.__eq__,
    },
)


def categories(session: Session) -> list[Choice]:
    return [Choice(*row) for row in session.execute(select(Category.slug, Category.name).order_by(Category.position))]


def instructors(session: Session) -> list[Choice]:
    return [Choice(*row) for row in session.execute(select(Instructor.slug, Instructor.name).order_by(Instructor.name))]


def last_editor(session: Session, course_id: int) -> str:
    """Who changed it last, in words: for somebody who has edited it at the same time."""
    newest = next(iter(subject_entries(session, Subject("course", course_id))), None)
    return "An import or a command" if newest is None or newest.actor is None else newest.actor or "A deleted account"


class CourseReview(NamedTuple):
    reviewed_at: datetime
    rating: int
    state: str
    author: str
    title: str
    body: str
    hidden_reason: str


def newest_reviews(session: Session, course_id: int, limit: int = 50) -> list[CourseReview]:
    """Also pending and hidden ones."""
    query = select(*(Review.__table__.c[name] for name in CourseReview._fields)).where(Review.course_id == course_id)
    rows = session.execute(query.order_by(Review.reviewed_at.desc(), Review.id.desc()).limit(limit))
    return [CourseReview._make(row) for row in rows]


def former_slugs(session: Session, course_id: int) -> list[str]:
    query = select(FormerSlug.slug).where(FormerSlug.kind == "course", FormerSlug.product_id == course_id)
    return [*session.scalars(query.order_by(FormerSlug.replaced_at))]


def snippet(session: Session, course_id: int) -> tuple[str, str]:
    """Title and description of the course in search results; both "" while it has none."""
    query = select(SearchSnippet.title, SearchSnippet.description).where(SearchSnippet.product_id == course_id)
    row = session.execute(query).one_or_none()
    return ("", "") if row is None else (row.title, row.description)


def count_owners(session: Session, course_id: int) -> int:
    """Learners whose access has not ended."""
    count = select(func.count(func.distinct(Enrolment.learner_id)))
    grants = select(EnrolmentGrant.enrolment_id).where(EnrolmentGrant.ended_at.is_(None))
    own = (Enrolment.product_id == course_id, Enrolment.id.in_(grants))
    return session.scalar(count.where(*own)) or 0
