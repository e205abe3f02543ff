"""One course, one shop item, and the data of the home page."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Integer, Select, bindparam, distinct, func, or_, select
from sqlalchemy.orm import Session

from domain.catalogue import redirects
from domain.catalogue.listing import CARD_COLUMNS, PRODUCTS, VERSION, CardRow, card_rows
from domain.catalogue.scope import CatalogueScope, scope_conditions
from domain.catalogue.search_snippets import Snippet, fallback_snippet
from domain.database.prepared_select import PreparedSelect, first_number, row_type
from domain.tables import (
    Category,
    Course,
    CourseInstructor,
    Instructor,
    Product,
    Review,
    SearchSnippet,
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
    # src, width, height, alt.
    image: Mapping[str, Any] | None


@dataclass(frozen=True)
class CourseDetail:
    """A course with the critical data of its page; reviews and related courses are loaded separately.

    `product`, `course` and `category` are rows of their tables, with columns as attributes. `version`: that of the
    catalogue they were read with.
    """

    product: Any
    course: Any
    category: Any
    texts: Snippet
    version: int
    instructors: Sequence[InstructorRow]
    successors: Sequence[CardRow]


class ItemDetail(NamedTuple):
    """A shop item, as `CourseDetail` a course."""

    product: Any
    item: Any
    category: Any
    texts: Snippet
    version: int


_Parts = tuple[Any, Any, Any, Snippet, int]
_product_columns, _snippet = Product.__table__.c, SearchSnippet.__table__.c


def _one_product(details: Any, *conditions: ColumnElement[bool]) -> PreparedSelect[_Parts]:
    """All that pages show of a product, in one statement: its row, that of `details`, its category, texts, version."""
    types = (row_type(Product), row_type(details), row_type(Category))
    ends = list(accumulate(len(type_._fields) for type_ in types))
    product_type, detail_type, category_type = types

    def parts(row: Iterable[Any]) -> _Parts:
        cells = tuple(row)
        product = product_type._make(cells[: ends[0]])
        title, description, version = cells[ends[2] :]
        texts = fallback_snippet(product.name, product.subtitle) if title is None else Snippet(title, description)
        detail, category = cells[ends[0] : ends[1]], cells[ends[1] : ends[2]]
        return product, detail_type._make(detail), category_type._make(category), texts, version or 0

    columns = (*_product_columns, *details.__table__.c, *Category.__table__.c, _snippet.title, _snippet.description)
    statement = (
        select(*columns, VERSION.scalar_subquery().label("version"))
        .select_from(Product.__table__)
        .join(details.__table__, details.__table__.c.id == _product_columns.id)
        .join(Category.__table__, Category.__table__.c.id == _product_columns.category_id)
        .outerjoin(SearchSnippet.__table__, _snippet.product_id == _product_columns.id)
        .where(*conditions)
    )
    return PreparedSelect(statement, parts)


_COURSE = _one_product(Course, Product.kind == "course", Product.slug == bindparam("slug"), _IS_PUBLIC)
_COURSE_IN_ANY_STATE = _one_product(Course, Product.kind == "course", Product.id == bindparam("id"))
_ITEM = _one_product(ShopItem, Product.kind == "item", Product.id == bindparam("id"), _IS_PUBLIC)
_ITEM_IN_ANY_STATE = _one_product(ShopItem, Product.kind == "item", Product.id == bindparam("id"))
_STATE = PreparedSelect(
    select(
        VERSION.scalar_subquery().label("version"),
        select(Course.reviews_changed_at).where(Course.id == bindparam("id")).scalar_subquery().label("changed_at"),
    ),
    tuple,
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
    # MariaDB ignores trailing spaces in comparisons: "slug " would give the course a second URL.
    return _course_detail(session, rows[0]) if rows[0][0].slug == slug else None


def course_in_any_state(session: Session, course_id: int) -> CourseDetail | None:
    """A course by its id, also a draft: for a preview, never for visitors."""
    rows = _COURSE_IN_ANY_STATE.all(session, id=course_id)
    return _course_detail(session, rows[0]) if rows else None


def _course_detail(session: Session, parts: _Parts) -> CourseDetail:
    product = parts[0]
    instructors = _INSTRUCTORS.all(session, id=product.id)
    successor = redirects.successor(session, product) if product.successor_id else None
    successors = card_rows(session, [successor.id]) if successor else []
    return CourseDetail(*parts, instructors, successors)


def is_unchanged(session: Session, product_id: int, version: int) -> bool:
    """Whether the catalogue is still of this version, and no review on the product's page has changed since."""
    return _STATE.all(session, id=product_id) == [(version, None)]


def slug_of(session: Session, product_id: int, kind: str) -> str | None:
    return session.scalar(select(Product.slug).where(Product.id == product_id, Product.kind == kind, _IS_PUBLIC))


def name_of(session: Session, slug: str) -> str | None:
    """The name of a course or shop item that has a page."""
    row = session.execute(select(Product.slug, Product.name).where(Product.slug == slug, _IS_PUBLIC)).first()
    # MariaDB ignores trailing spaces in comparisons.
    return row.name if row is not None and row.slug == slug else None


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
    newest = _NEWEST_REVIEWS.all(session, id=course_id, limit=limit)
    if len(newest) < limit:
        # These are all.
        counts: Mapping[int, int] = Counter(review.rating for review in newest)
    else:
        counts = dict(_REVIEWS_BY_STARS.all(session, id=course_id))
    return newest, [counts.get(stars, 0) for stars in range(1, 6)]


# Related products beside one product.
RELATED = 4


@lru_cache(100)
def _most_popular(scope: CatalogueScope | None) -> PreparedSelect[int]:
    listed = select(PRODUCTS.id).where(
        PRODUCTS.status == "published",
        PRODUCTS.category_id == bindparam("category_id"),
        PRODUCTS.kind == bindparam("kind"),
        *scope_conditions(scope),
    )
    ordered = listed.order_by(PRODUCTS.popularity.desc(), PRODUCTS.id.desc())
    return PreparedSelect(ordered.limit(RELATED + 1), first_number)


def most_popular(session: Session, category_id: int, kind: str, scope: CatalogueScope | None = None) -> list[int]:
    """Ids of the first products of a category and kind: as many as `others` needs, whichever product it is for."""
    return _most_popular(scope).all(session, category_id=category_id, kind=kind)


def others(most_popular_ids: Iterable[int], product_id: int) -> list[int]:
    """The popular products that the page of a product shows beside it."""
    return [id_ for id_ in most_popular_ids if id_ != product_id][:RELATED]


def item(session: Session, item_id: int) -> ItemDetail | None:
    """A published or retired (withdrawn) shop item."""
    return _item_detail(_ITEM.all(session, id=item_id))


def item_in_any_state(session: Session, item_id: int) -> ItemDetail | None:
    """A shop item, also a draft: for a preview, never for visitors."""
    return _item_detail(_ITEM_IN_ANY_STATE.all(session, id=item_id))


def _item_detail(rows: Sequence[_Parts]) -> ItemDetail | None:
    return ItemDetail(*rows[0]) if rows else None


# Courses of the home page: the featured ones, and then the most popular.
FEATURED = 6


@dataclass(frozen=True)
class HomeData:
    """What the home page shows of courses."""

    featured: Sequence[CardRow]
    newest: Sequence[CardRow]
    testimonials: Sequence[Any]


@dataclass(frozen=True)
class ShopStats:
    """Numbers of the whole shop, or of a scope; `rating` None without ratings."""

    courses: int
    learners: int
    instructors: int
    rating: float | None
    ratings: int


def home_data(session: Session, scope: CatalogueScope | None = None) -> HomeData:
    listed = _listed_courses(scope)
    cards = select(*CARD_COLUMNS).where(*listed)
    featured = session.execute(
        cards.where(Product.featured > 0).order_by(Product.featured.desc(), Product.popularity.desc()).limit(FEATURED)
    ).all()
    # Each of the two has an index of its own.
    others = cards.where(Product.featured == 0).order_by(Product.popularity.desc(), Product.id.desc())
    shown = [*featured, *session.execute(others.limit(FEATURED - len(featured)))]
    newest_first = select(*CARD_COLUMNS).where(*listed).order_by(Product.published_at.desc(), Product.id.desc())
    newest = [CardRow._make(row) for row in session.execute(newest_first.limit(4))]
    return HomeData([CardRow._make(row) for row in shown], newest, _testimonials(session, scope))


def shop_stats(session: Session, scope: CatalogueScope | None = None) -> ShopStats:
    """Reads every course."""
    courses, learners, ratings, weighted = session.execute(
        select(
            func.count(),
            func.coalesce(func.sum(Product.enrolled), 0),
            func.coalesce(func.sum(Product.rating_count), 0),
            func.sum(Product.rating * Product.rating_count),
        ).where(*_listed_courses(scope))
    ).one()
    instructors = session.scalar(_count_instructors(scope)) or 0
    rating = float(weighted or 0) / int(ratings) if ratings else None
    return ShopStats(courses, int(learners), instructors, rating, int(ratings))


def _listed_courses(scope: CatalogueScope | None) -> tuple[ColumnElement[bool], ...]:
    return (Product.status == "published", Product.kind == "course", *scope_conditions(scope))


def _count_instructors(scope: CatalogueScope | None) -> Select[int]:
    """All of them; within a scope those who teach one of its courses."""
    if scope is None:
        return select(func.count()).select_from(Instructor)
    teachers = select(func.count(distinct(CourseInstructor.instructor_id)))
    return teachers.join(Product, Product.id == CourseInstructor.course_id).where(
        Product.status == "published", scope.condition()
    )


def _testimonials(session: Session, scope: CatalogueScope | None) -> Sequence[Any]:
    """The oldest review that says something, of each of the three most popular courses that have one."""
    is_good = (Review.rating == 5, Review.state == "published", func.length(Review.body) > 60)
    of_courses = select(func.min(Review.id)).where(*is_good).group_by(Review.course_id)
    best_reviews = (
        select(Review, Product.name, Product.slug)
        .join(Product, Product.id == Review.course_id)
        .where(Review.id.in_(of_courses), Product.status == "published", *scope_conditions(scope))
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
