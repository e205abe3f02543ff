"""One course, one shop item, and the data of the home page."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Integer, bindparam, func, or_, select
from sqlalchemy.orm import Session

from domain.catalogue import redirects
from domain.catalogue.listing import CARD_COLUMNS, PRODUCTS, CardRow, card_rows
from domain.catalogue.scope import CatalogueScope, scope_conditions
from domain.database.prepared_select import PreparedSelect, first_number, row_type
from domain.tables import (
    Category,
    Course,
    CourseInstructor,
    Instructor,
    Product,
    Review,
    ShopItem,
)

# Drafts and scheduled products are not public. Not IN, which SQLAlchemy expands at every execution.
_IS_PUBLIC = or_(Product.status == "published", Product.status == "retired")
_LIMIT = bindparam("limit", type_=Integer)


class InstructorRow(NamedTuple):
    slug: str
    name: str
    title: str
    bio: str


@dataclass(frozen=True)
class CourseDetail:
    """A course with the critical data of its page; reviews and related courses are loaded separately.

    `product`, `course` and `category` are rows of their tables, with columns as attributes.
    """

    product: Any
    course: Any
    category: Any
    instructors: Sequence[InstructorRow]
    successors: Sequence[CardRow]


_ProductRow, _DetailRow, _CategoryRow = row_type(Product), row_type(Course), row_type(Category)


def _course_parts(row: Iterable[Any]) -> tuple[Any, Any, Any]:
    cells = tuple(row)
    detail = len(_ProductRow._fields)
    category = detail + len(_DetailRow._fields)
    return (
        _ProductRow._make(cells[:detail]),
        _DetailRow._make(cells[detail:category]),
        _CategoryRow._make(cells[category:]),
    )


_COURSE = PreparedSelect(
    select(*Product.__table__.c, *Course.__table__.c, *Category.__table__.c)
    .join(Course, Course.id == Product.id)
    .join(Category, Category.id == Product.category_id)
    .where(Product.kind == "course", Product.slug == bindparam("slug"), _IS_PUBLIC),
    _course_parts,
)
_INSTRUCTORS = PreparedSelect(
    select(*(Instructor.__table__.c[name] for name in InstructorRow._fields))
    .join(CourseInstructor, CourseInstructor.instructor_id == Instructor.id)
    .where(CourseInstructor.course_id == bindparam("id"))
    .order_by(CourseInstructor.position),
    InstructorRow._make,
)


def course(session: Session, slug: str) -> CourseDetail | None:
    """A published or retired course by its slug; None for drafts and scheduled ones."""
    rows = _COURSE.all(session, slug=slug)
    if not rows:
        return None
    product, detail, category = rows[0]
    # MariaDB ignores trailing spaces in comparisons: "slug " would give the course a second URL.
    if product.slug != slug:
        return None
    instructors = _INSTRUCTORS.all(session, id=product.id)
    successor = redirects.successor(session, product) if product.successor_id else None
    successors = card_rows(session, [successor.id]) if successor else []
    return CourseDetail(product, detail, category, instructors, successors)


def slug_of(session: Session, product_id: int, kind: str) -> str | None:
    return session.scalar(select(Product.slug).where(Product.id == product_id, Product.kind == kind, _IS_PUBLIC))


class ReviewRow(NamedTuple):
    id: int
    author: str
    rating: int
    title: str
    body: str
    is_verified: bool
    reviewed_at: datetime
    edited_at: datetime | None


_reviews = Review.__table__.c
_OF_COURSE = (_reviews.course_id == bindparam("id"), _reviews.state == "published")
_NEWEST_REVIEWS = PreparedSelect(
    select(*(_reviews[name] for name in ReviewRow._fields))
    .where(*_OF_COURSE)
    .order_by(_reviews.reviewed_at.desc(), _reviews.id.desc())
    .limit(_LIMIT),
    ReviewRow._make,
)
_REVIEWS_BY_STARS = PreparedSelect(
    select(_reviews.rating, func.count()).where(*_OF_COURSE).group_by(_reviews.rating), tuple
)


def reviews(session: Session, course_id: int, limit: int = 12) -> tuple[Sequence[ReviewRow], list[int]]:
    """The newest reviews, and the number of reviews with one, two … five stars."""
    counts = dict(_REVIEWS_BY_STARS.all(session, id=course_id))
    newest = _NEWEST_REVIEWS.all(session, id=course_id, limit=limit)
    return newest, [counts.get(stars, 0) for stars in range(1, 6)]


# Related products beside one product.
RELATED = 4


@lru_cache(100)
def _related(scope: CatalogueScope | None) -> PreparedSelect[int]:
    others = select(PRODUCTS.id).where(
        PRODUCTS.status == "published",
        PRODUCTS.category_id == bindparam("category_id"),
        PRODUCTS.kind == bindparam("kind"),
        PRODUCTS.id != bindparam("id"),
        *scope_conditions(scope),
    )
    ordered = others.order_by(PRODUCTS.popularity.desc(), PRODUCTS.id.desc())
    return PreparedSelect(ordered.limit(RELATED), first_number)


def related(
    session: Session, product_id: int, category_id: int, kind: str, scope: CatalogueScope | None = None
) -> list[int]:
    """Ids of other products of the same category and kind, the most popular first."""
    return _related(scope).all(session, id=product_id, category_id=category_id, kind=kind)


_ITEM = (
    select(Product, ShopItem, Category)
    .join(ShopItem, ShopItem.id == Product.id)
    .join(Category, Category.id == Product.category_id)
    .where(Product.id == bindparam("id"), Product.kind == "item", _IS_PUBLIC)
)


def item(session: Session, item_id: int) -> tuple[Product, ShopItem, Category] | None:
    """A published or retired (withdrawn) shop item."""
    row = session.execute(_ITEM, {"id": item_id}).one_or_none()
    if row is None:
        return None
    product, detail, category = row
    return product, detail, category


@dataclass(frozen=True)
class HomeData:
    """The data of the home page."""

    featured: Sequence[CardRow]
    newest: Sequence[CardRow]
    stats: Mapping[str, Any]
    testimonials: Sequence[Any]


def home_data(session: Session, scope: CatalogueScope | None = None) -> HomeData:
    listed = (Product.status == "published", Product.kind == "course", *scope_conditions(scope))
    featured_first = select(*CARD_COLUMNS).where(*listed).order_by(Product.featured.desc(), Product.popularity.desc())
    newest_first = select(*CARD_COLUMNS).where(*listed).order_by(Product.published_at.desc(), Product.id.desc())
    featured = [CardRow._make(row) for row in session.execute(featured_first.limit(6))]
    newest = [CardRow._make(row) for row in session.execute(newest_first.limit(4))]
    courses, learners, ratings, weighted = session.execute(
        select(
            func.count(),
            func.coalesce(func.sum(Product.enrolled), 0),
            func.coalesce(func.sum(Product.rating_count), 0),
            func.sum(Product.rating * Product.rating_count),
        ).where(*listed)
    ).one()
    instructors = session.scalar(select(func.count()).select_from(Instructor)) or 0
    rating = float(weighted or 0) / int(ratings) if ratings else None
    stats = {
        "courses": courses,
        "learners": int(learners),
        "instructors": instructors,
        "rating": rating,
        "ratings": int(ratings),
    }
    return HomeData(featured, newest, stats, _testimonials(session, scope))


def _testimonials(session: Session, scope: CatalogueScope | None) -> Sequence[Any]:
    best_reviews = (
        select(Review, Product.name, Product.slug)
        .join(Product, Product.id == Review.course_id)
        .where(
            Review.rating == 5,
            Review.state == "published",
            Product.status == "published",
            func.length(Review.body) > 60,
            *scope_conditions(scope),
        )
        .order_by(Product.popularity.desc(), Review.id)
        .limit(3)
    )
    return session.execute(best_reviews).all()


def next_price_change(session: Session, at: datetime) -> datetime | None:
    """When the next sale begins or ends."""
    begins = select(func.min(Product.sale_from)).where(Product.status == "published", Product.sale_from > at)
    ends = select(func.min(Product.sale_until)).where(Product.status == "published", Product.sale_until > at)
    times = (session.scalar(begins), session.scalar(ends))
    return min((time for time in times if time is not None), default=None)
