"""One course, one shop item, and the shop's front with what is shown beside them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Integer, bindparam, func, or_, select
from sqlalchemy.orm import Session

from domain import addresses
from domain.catalogue.lists import CARD_COLUMNS, PRODUCTS, CardRow, card_rows
from domain.catalogue.narrowing import Narrowed, conditions
from domain.prepared import Prepared, first_number, row_type
from domain.tables import (
    Category,
    Course,
    CourseInstructor,
    Instructor,
    Product,
    Review,
    ShopItem,
)

# Drafts and scheduled products are nobody's yet. Not IN, which SQLAlchemy writes anew for every execution.
_IS_SHOWN = or_(Product.status == "published", Product.status == "retired")
_LIMIT = bindparam("limit", type_=Integer)


class InstructorRow(NamedTuple):
    slug: str
    name: str
    title: str
    bio: str


@dataclass(frozen=True)
class CourseDetail:
    """A course with all its page shows at once; reviews and related courses come apart.

    `product`, `course` and `category` are rows of their tables, columns by their names.
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


_COURSE = Prepared(
    select(*Product.__table__.c, *Course.__table__.c, *Category.__table__.c)
    .join(Course, Course.id == Product.id)
    .join(Category, Category.id == Product.category_id)
    .where(Product.kind == "course", Product.slug == bindparam("slug"), _IS_SHOWN),
    _course_parts,
)
_INSTRUCTORS = Prepared(
    select(*(Instructor.__table__.c[name] for name in InstructorRow._fields))
    .join(CourseInstructor, CourseInstructor.instructor_id == Instructor.id)
    .where(CourseInstructor.course_id == bindparam("id"))
    .order_by(CourseInstructor.position),
    InstructorRow._make,
)


def course(session: Session, slug: str) -> CourseDetail | None:
    """A published or retired course by its slug; drafts and scheduled ones are nobody's yet."""
    found = _COURSE.all(session, slug=slug)
    if not found:
        return None
    product, detail, category = found[0]
    # MariaDB pads what it compares: a slug with a space behind it would find its course under a second address.
    if product.slug != slug:
        return None
    instructors = _INSTRUCTORS.all(session, id=product.id)
    following = addresses.successor(session, product) if product.successor_id else None
    successors = card_rows(session, [following.id]) if following else []
    return CourseDetail(product, detail, category, instructors, successors)


def slug_of(session: Session, product_id: int, kind: str) -> str | None:
    return session.scalar(select(Product.slug).where(Product.id == product_id, Product.kind == kind, _IS_SHOWN))


class ReviewRow(NamedTuple):
    id: int
    author: str
    rating: int
    title: str
    body: str
    at: datetime


_reviews = Review.__table__.c
_OF_COURSE = _reviews.course_id == bindparam("id")
_NEWEST_REVIEWS = Prepared(
    select(*(_reviews[name] for name in ReviewRow._fields))
    .where(_OF_COURSE)
    .order_by(_reviews.at.desc(), _reviews.id.desc())
    .limit(_LIMIT),
    ReviewRow._make,
)
_REVIEWS_BY_STARS = Prepared(select(_reviews.rating, func.count()).where(_OF_COURSE).group_by(_reviews.rating), tuple)


def reviews(session: Session, course_id: int, limit: int = 12) -> tuple[Sequence[ReviewRow], list[int]]:
    """The newest reviews, and how many there are of one, two … five stars."""
    counts = dict(_REVIEWS_BY_STARS.all(session, id=course_id))
    newest = _NEWEST_REVIEWS.all(session, id=course_id, limit=limit)
    return newest, [counts.get(stars, 0) for stars in range(1, 6)]


# Beside one product stand so many others.
RELATED = 4


@lru_cache(100)
def _related(only: Narrowed | None) -> Prepared[int]:
    found = select(PRODUCTS.id).where(
        PRODUCTS.status == "published",
        PRODUCTS.category_id == bindparam("category_id"),
        PRODUCTS.kind == bindparam("kind"),
        PRODUCTS.id != bindparam("id"),
        *conditions(only),
    )
    ordered = found.order_by(PRODUCTS.popularity.desc(), PRODUCTS.id.desc())
    return Prepared(ordered.limit(RELATED), first_number)


def related(session: Session, product_id: int, category_id: int, kind: str, only: Narrowed | None = None) -> list[int]:
    """Ids of others of the same category, those that most learners chose first."""
    return _related(only).all(session, id=product_id, category_id=category_id, kind=kind)


_ITEM = (
    select(Product, ShopItem, Category)
    .join(ShopItem, ShopItem.id == Product.id)
    .join(Category, Category.id == Product.category_id)
    .where(Product.id == bindparam("id"), Product.kind == "item", _IS_SHOWN)
)


def item(session: Session, item_id: int) -> tuple[Product, ShopItem, Category] | None:
    """A published or retired (withdrawn) shop item."""
    found = session.execute(_ITEM, {"id": item_id}).one_or_none()
    if found is None:
        return None
    product, detail, category = found
    return product, detail, category


@dataclass(frozen=True)
class Front:
    """What the home page shows."""

    featured: Sequence[CardRow]
    newest: Sequence[CardRow]
    proof: Mapping[str, Any]
    quotes: Sequence[Any]


def front(session: Session, only: Narrowed | None = None) -> Front:
    live = (Product.status == "published", Product.kind == "course", *conditions(only))
    by_choice = select(*CARD_COLUMNS).where(*live).order_by(Product.featured.desc(), Product.popularity.desc())
    by_age = select(*CARD_COLUMNS).where(*live).order_by(Product.published_at.desc(), Product.id.desc())
    featured = [CardRow._make(row) for row in session.execute(by_choice.limit(6))]
    newest = [CardRow._make(row) for row in session.execute(by_age.limit(4))]
    courses, learners, ratings, weighted = session.execute(
        select(
            func.count(),
            func.coalesce(func.sum(Product.enrolled), 0),
            func.coalesce(func.sum(Product.rating_count), 0),
            func.sum(Product.rating * Product.rating_count),
        ).where(*live)
    ).one()
    teachers = session.scalar(select(func.count()).select_from(Instructor)) or 0
    rating = float(weighted or 0) / int(ratings) if ratings else None
    proof = {
        "courses": courses,
        "learners": int(learners),
        "instructors": teachers,
        "rating": rating,
        "ratings": int(ratings),
    }
    return Front(featured, newest, proof, _quotes(session, only))


def _quotes(session: Session, only: Narrowed | None) -> Sequence[Any]:
    found = (
        select(Review, Product.name, Product.slug)
        .join(Product, Product.id == Review.course_id)
        .where(Review.rating == 5, Product.status == "published", func.length(Review.body) > 60, *conditions(only))
        .order_by(Product.popularity.desc(), Review.id)
        .limit(3)
    )
    return session.execute(found).all()


def next_price_change(session: Session, at: datetime) -> datetime | None:
    """When the next sale begins or ends by itself."""
    begins = select(func.min(Product.sale_from)).where(Product.status == "published", Product.sale_from > at)
    ends = select(func.min(Product.sale_until)).where(Product.status == "published", Product.sale_until > at)
    return min((one for one in (session.scalar(begins), session.scalar(ends)) if one is not None), default=None)
