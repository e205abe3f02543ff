"""All courses as a list for staff, and who changed one of them last."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, case, func, literal, select
from sqlalchemy.orm import Session

from domain.audit.recording import Subject
from domain.database.list_page import ListSource
from domain.publishing import publish_rules
from domain.publishing.product_changes import COURSES, PRODUCTS
from domain.staff.recorded_events import subject_entries
from domain.tables import (
    Category,
    Enrolment,
    EnrolmentGrant,
    FormerSlug,
    Instructor,
    Order,
    OrderLine,
    Product,
    Review,
    SearchSnippet,
)

STATES = {"draft": "Draft", "scheduled": "Scheduled", "published": "Published", "retired": "Retired"}
_products = PRODUCTS.c
# The product's row once more if it is a draft or scheduled: of others no fact is read.
DRAFTS = PRODUCTS.alias("drafts")
IS_DRAFT = (DRAFTS.c.id == _products.id) & _products.status.in_([literal(status) for status in ("draft", "scheduled")])
_RULE_COLUMNS = (
    *("kind", "name", "subtitle", "image", "image_width", "image_height", "category_id", "duration_min"),
    *("list_price", "sale_price"),
)


def draft_columns(names: Iterable[str], description: ColumnElement[str]) -> list[ColumnElement[Any]]:
    """What `missing_of` needs, of DRAFTS, which are joined by IS_DRAFT. Of the long description only whether there is
    any. The first of `names` is `kind`, which no draft is without."""
    return [
        *(DRAFTS.c[name] for name in names),
        case((DRAFTS.c.id.is_(None), ""), (func.length(description) > 0, "x"), else_=""),
    ]


def missing_of(names: Iterable[str], values: Sequence[Any]) -> tuple[str, ...]:
    """What a draft or scheduled product lacks for its page; `values` of the `draft_columns` of these names."""
    return publish_rules.missing_requirements(dict(zip((*names, "description"), values, strict=True)))


class CourseRow(NamedTuple):
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
    course_id, name, slug, status, category, enrolled, updated_at, published_at, *facts = cells
    missing = missing_of(_RULE_COLUMNS, facts) if facts[0] else ()
    return CourseRow(course_id, name, slug, status, category, enrolled, updated_at, published_at, missing)


def _named(text: str) -> ColumnElement[bool]:
    return _products.name.icontains(text, autoescape=True)


def in_category(slug: str) -> ColumnElement[bool]:
    """The condition of a product in this category."""
    return _products.category_id == select(Category.id).where(Category.slug == slug).scalar_subquery()


# By another name than filters use.
_categories = Category.__table__.alias("own_categories")
_own = (_products.id, _products.name, _products.slug, _products.status, _categories.c.name, _products.enrolled)
COURSE_LIST: ListSource[CourseRow] = ListSource(
    rows=select(
        *_own,
        *(_products.updated_at, _products.published_at),
        *draft_columns(_RULE_COLUMNS, COURSES.c.description),
    )
    .join_from(PRODUCTS, COURSES, _products.id == COURSES.c.id)
    .outerjoin(_categories, _categories.c.id == _products.category_id)
    .outerjoin(DRAFTS, IS_DRAFT)
    .where(_products.kind == "course"),
    counted=select(_products.id).where(_products.kind == "course"),
    make=_make,
    key=_products.id,
    filters={
        "q": _named,
        "status": _products.status.__eq__,
        "category": in_category,
    },
)


def categories(session: Session) -> list[Choice]:
    return [Choice(*row) for row in session.execute(select(Category.slug, Category.name).order_by(Category.position))]


def instructors(session: Session) -> list[Choice]:
    return [Choice(*row) for row in session.execute(select(Instructor.slug, Instructor.name).order_by(Instructor.name))]


def last_editor(session: Session, product: Product) -> str:
    """Who changed it last, in words: for somebody who has edited it at the same time."""
    newest = next(iter(subject_entries(session, Subject(product.kind, product.id))), None)
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


def former_slugs(session: Session, product_id: int) -> list[str]:
    query = select(FormerSlug.slug).where(FormerSlug.product_id == product_id)
    return [*session.scalars(query.order_by(FormerSlug.replaced_at))]


def snippet(session: Session, course_id: int) -> tuple[str, str]:
    """Title and description of the course in search results; both "" while it has none."""
    query = select(SearchSnippet.title, SearchSnippet.description).where(SearchSnippet.product_id == course_id)
    row = session.execute(query).one_or_none()
    return ("", "") if row is None else (row.title, row.description)


def count_recent_buyers(session: Session, product_id: int, since: datetime) -> int:
    """People who bought it since then, and did not give it back."""
    count = select(func.count(func.distinct(Order.learner_id))).join(OrderLine, OrderLine.order_id == Order.id)
    own = (OrderLine.product_id == product_id, OrderLine.ended_at.is_(None), Order.paid_at >= since)
    return session.scalar(count.where(*own)) or 0


def count_owners(session: Session, course_id: int) -> int:
    """Learners whose access has not ended."""
    count = select(func.count(func.distinct(Enrolment.learner_id)))
    grants = select(EnrolmentGrant.enrolment_id).where(EnrolmentGrant.ended_at.is_(None))
    own = (Enrolment.product_id == course_id, Enrolment.id.in_(grants))
    return session.scalar(count.where(*own)) or 0
