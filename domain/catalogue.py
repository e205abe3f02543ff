"""Reading the catalogue: pages of cards with facets, one course, one shop item. Writing is domain/publishing.py."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Integer, Select, and_, bindparam, case, func, or_, select
from sqlalchemy.orm import Session

from domain.tables import (
    CatalogueVersion,
    Category,
    Course,
    CourseInstructor,
    Instructor,
    Product,
    Review,
    ShopItem,
)
from domain.tables.base import UTCTime

PAGE_SIZE = 24
# A list is asked for page by page; nobody reads further, and a crawler is told 404 beyond the end anyway.
LARGEST_PAGE = 100_000

LEVELS = ("beginner", "intermediate", "advanced", "all")
ITEM_KINDS = ("book", "voucher", "bundle", "physical")
KINDS = ("course", *ITEM_KINDS)
# Bands of money in major units and of time in minutes: name -> (from, below).
PRICE_BANDS: dict[str, tuple[Decimal, Decimal | None]] = {
    "free": (Decimal(0), Decimal("0.01")),
    "under-50": (Decimal("0.01"), Decimal(50)),
    "50-150": (Decimal(50), Decimal(150)),
    "150-300": (Decimal(150), Decimal(300)),
    "over-300": (Decimal(300), None),
}
DURATION_BANDS: dict[str, tuple[int, int | None]] = {
    "under-2h": (0, 120),
    "2h-5h": (120, 300),
    "5h-10h": (300, 600),
    "over-10h": (600, None),
}
SORTS = ("popular", "newest", "rating", "price-low", "price-high")
FACETS = ("category", "level", "language", "price", "duration", "kind")


@dataclass(frozen=True)
class ShopQuery:
    """What /shop was asked for. Each facet holds the chosen values in their fixed order; () means no filter."""

    category: tuple[str, ...] = ()
    level: tuple[str, ...] = ()
    language: tuple[str, ...] = ()
    price: tuple[str, ...] = ()
    duration: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    sort: str = "popular"
    page: int = 1

    def chosen(self, facet: str) -> tuple[str, ...]:
        values: tuple[str, ...] = getattr(self, facet)
        return values

    def without(self, facet: str) -> "ShopQuery":
        return replace(self, **{facet: ()})  # type: ignore[arg-type]

    @property
    def filters(self) -> "ShopQuery":
        """The same filters on the first page in the usual order: what counts depend on."""
        return replace(self, sort="popular", page=1)


@dataclass(frozen=True)
class CategoryCount:
    id: int
    slug: str
    name: str
    description: str
    count: int


class CardRow(NamedTuple):
    """What a list shows of a product: columns of its table by their names."""

    id: int
    kind: str
    slug: str
    name: str
    subtitle: str
    category_id: int
    level: str | None
    language: str | None
    item_kind: str | None
    list_price: Decimal
    sale_price: Decimal | None
    sale_from: datetime | None
    sale_until: datetime | None
    image: str
    image_width: int
    image_height: int
    image_alt: str
    rating: float | None
    rating_count: int
    duration_min: int | None
    lesson_count: int | None


# Columns of the table, not attributes of the class: a list then skips the ORM's loading, half of its cost.
CARD_COLUMNS = tuple(Product.__table__.c[name] for name in CardRow._fields)
_VERSION = select(CatalogueVersion.number).where(CatalogueVersion.id == 1)
# Statements are kept once built; the moment they are asked for is their parameter.
_AT = bindparam("at", type_=UTCTime())
STATEMENTS_KEPT = 500


def version(session: Session) -> int:
    """Moves with every change of the catalogue; 0 for an empty one."""
    return session.scalar(_VERSION) or 0


def is_on_sale(sale_price: Decimal | None, since: datetime | None, until: datetime | None, at: datetime) -> bool:
    return sale_price is not None and (since is None or since <= at) and (until is None or at < until)


def price_now(row: Any, at: datetime) -> Decimal:
    """List price, or the sale price inside its window. `row` has the price columns of products."""
    if is_on_sale(row.sale_price, row.sale_from, row.sale_until, at):
        return Decimal(row.sale_price)
    return Decimal(row.list_price)


_ON_SALE = and_(
    Product.sale_price.is_not(None),
    or_(Product.sale_from.is_(None), Product.sale_from <= _AT),
    or_(Product.sale_until.is_(None), Product.sale_until > _AT),
)
_PRICE: ColumnElement[Decimal] = case((_ON_SALE, Product.sale_price), else_=Product.list_price)


def _in_band(column: Any, band: tuple[Any, Any]) -> ColumnElement[bool]:
    start, below = band
    return column >= start if below is None else and_(column >= start, column < below)


def _filter(facet: str, values: Sequence[str]) -> ColumnElement[bool]:
    """The condition one facet sets. Bands and kinds are joined by OR, like every value inside one facet."""
    if facet == "category":
        return Product.category_id.in_(select(Category.id).where(Category.slug.in_(values)))
    if facet == "level":
        return Product.level.in_(values)
    if facet == "language":
        return Product.language.in_(values)
    if facet == "price":
        return or_(*(_in_band(_PRICE, PRICE_BANDS[value]) for value in values))
    if facet == "duration":
        return or_(*(_in_band(Product.duration_min, DURATION_BANDS[value]) for value in values))
    return or_(*(_kind_is(value) for value in values))


def _kind_is(kind: str) -> ColumnElement[bool]:
    return Product.kind == "course" if kind == "course" else Product.item_kind == kind


def _conditions(query: ShopQuery) -> list[ColumnElement[bool]]:
    chosen = [(facet, query.chosen(facet)) for facet in FACETS]
    return [Product.status == "published", *(_filter(facet, values) for facet, values in chosen if values)]


def _order(sort: str) -> tuple[Any, ...]:
    if sort == "newest":
        return (Product.published_at.desc(), Product.id.desc())
    if sort == "rating":
        return (func.coalesce(Product.rating, 0).desc(), Product.rating_count.desc(), Product.id.desc())
    if sort == "price-low":
        return (_PRICE, Product.id.desc())
    if sort == "price-high":
        return (_PRICE.desc(), Product.id.desc())
    return (Product.popularity.desc(), Product.id.desc())


# So many pages of an index are walked in no time.
GLANCED_PAGES = 20


def is_indexed(query: ShopQuery) -> bool:
    """Whether an index leads straight to the page of cards: the usual order, whole or of one category."""
    by_category = ShopQuery(category=query.category[:1], page=query.page)
    return query.page <= GLANCED_PAGES and query in (by_category, ShopQuery(sort="newest", page=query.page))


def card_page(session: Session, query: ShopQuery, at: datetime) -> tuple[int, Sequence[CardRow]]:
    """Catalogue version and the cards of one page, of one and the same state."""
    first = (query.page - 1) * PAGE_SIZE
    rows = _cards(session, _list(replace(query, page=1)), {"at": at, "first": first})
    return version(session), rows


@lru_cache(STATEMENTS_KEPT)
def _list(query: ShopQuery) -> Select[Any]:
    """The statement of a list, whatever its page."""
    found = select(*CARD_COLUMNS).where(*_conditions(query)).order_by(*_order(query.sort))
    return found.limit(PAGE_SIZE).offset(bindparam("first", type_=Integer))


def facet_counts(session: Session, query: ShopQuery, at: datetime) -> tuple[int, dict[str, dict[str, int]]]:
    """Total hits, and for each facet how many each value would leave, given what the other facets filter."""
    total = session.scalar(select(func.count()).select_from(Product).where(*_conditions(query)), {"at": at}) or 0
    return total, {facet: _counts_of(session, facet, query, at) for facet in FACETS}


def _counts_of(session: Session, facet: str, query: ShopQuery, at: datetime) -> dict[str, int]:
    value = _facet_value(facet)
    counted = select(value, func.count()).where(*_conditions(query.without(facet))).group_by(value)
    found = session.execute(counted, {"at": at})
    counts = {str(name): count for name, count in found if name is not None}
    if facet == "category":
        slugs = {row.id: row.slug for row in session.execute(select(Category.id, Category.slug))}
        return {slugs[int(name)]: count for name, count in counts.items()}
    return counts


def _facet_value(facet: str) -> Any:
    if facet == "category":
        return Product.category_id
    if facet == "level":
        return Product.level
    if facet == "language":
        return Product.language
    if facet == "price":
        return case(*((_in_band(_PRICE, band), name) for name, band in PRICE_BANDS.items()))
    if facet == "duration":
        return case(*((_in_band(Product.duration_min, band), name) for name, band in DURATION_BANDS.items()))
    return case((Product.kind == "course", "course"), else_=Product.item_kind)


def categories(session: Session) -> list[CategoryCount]:
    """Every category with its number of published products, in the shop's order."""
    live = func.count(Product.id)
    found = session.execute(
        select(Category.id, Category.slug, Category.name, Category.description, live)
        .outerjoin(Product, and_(Product.category_id == Category.id, Product.status == "published"))
        .group_by(Category.id, Category.slug, Category.name, Category.description, Category.position)
        .order_by(Category.position, Category.name)
    )
    return [CategoryCount(*row) for row in found]


# Drafts and scheduled products are nobody's yet.
_IS_SHOWN = Product.status.in_(("published", "retired"))
_LIMIT = bindparam("limit", type_=Integer)


def _most_chosen(*conditions: ColumnElement[bool]) -> Select[Any]:
    """Cards of published products, those that most learners chose first."""
    found = select(*CARD_COLUMNS).where(Product.status == "published", *conditions)
    return found.order_by(Product.popularity.desc(), Product.id.desc()).limit(_LIMIT)


def _cards(session: Session, statement: Select[Any], values: Mapping[str, Any]) -> Sequence[CardRow]:
    return [CardRow._make(row) for row in session.execute(statement, values)]


@dataclass(frozen=True)
class CourseDetail:
    """A course with all its page shows at once; reviews and related courses come apart."""

    product: Product
    course: Course
    category: Category
    instructors: Sequence[Instructor]
    successors: Sequence[CardRow]


_COURSE = (
    select(Product, Course, Category)
    .join(Course, Course.id == Product.id)
    .join(Category, Category.id == Product.category_id)
    .where(Product.kind == "course", Product.slug == bindparam("slug"), _IS_SHOWN)
)
_INSTRUCTORS = (
    select(Instructor)
    .join(CourseInstructor, CourseInstructor.instructor_id == Instructor.id)
    .where(CourseInstructor.course_id == bindparam("id"))
    .order_by(CourseInstructor.position)
)
_SUCCESSOR = _most_chosen(Product.id == bindparam("id"))


def course(session: Session, slug: str) -> CourseDetail | None:
    """A published or retired course by its slug; drafts and scheduled ones are nobody's yet."""
    found = session.execute(_COURSE, {"slug": slug}).one_or_none()
    if found is None:
        return None
    product, detail, category = found
    instructors = session.scalars(_INSTRUCTORS, {"id": product.id}).all()
    after = {"id": product.successor_id, "limit": 4}
    successors = _cards(session, _SUCCESSOR, after) if product.successor_id else []
    return CourseDetail(product, detail, category, instructors, successors)


def slug_of(session: Session, product_id: int, kind: str) -> str | None:
    return session.scalar(select(Product.slug).where(Product.id == product_id, Product.kind == kind, _IS_SHOWN))


_OF_COURSE = Review.course_id == bindparam("id")
_NEWEST_REVIEWS = select(Review).where(_OF_COURSE).order_by(Review.at.desc(), Review.id.desc()).limit(_LIMIT)
_REVIEWS_BY_STARS = select(Review.rating, func.count()).where(_OF_COURSE).group_by(Review.rating)


def reviews(session: Session, course_id: int, limit: int = 12) -> tuple[Sequence[Review], list[int]]:
    """The newest reviews, and how many there are of one, two … five stars."""
    found = session.execute(_REVIEWS_BY_STARS, {"id": course_id})
    counts = {rating: count for rating, count in found}  # noqa: C416 a result is no mapping
    newest = session.scalars(_NEWEST_REVIEWS, {"id": course_id, "limit": limit}).all()
    return newest, [counts.get(stars, 0) for stars in range(1, 6)]


_RELATED = _most_chosen(
    Product.category_id == bindparam("category_id"), Product.kind == bindparam("kind"), Product.id != bindparam("id")
)


def related(session: Session, product_id: int, category_id: int, kind: str, limit: int = 4) -> Sequence[CardRow]:
    """Others of the same category that most learners chose."""
    about = {"id": product_id, "category_id": category_id, "kind": kind, "limit": limit}
    return _cards(session, _RELATED, about)


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


def front(session: Session) -> Front:
    live = (Product.status == "published", Product.kind == "course")
    by_choice = select(*CARD_COLUMNS).where(*live).order_by(Product.featured.desc(), Product.popularity.desc())
    by_age = select(*CARD_COLUMNS).where(*live).order_by(Product.published_at.desc(), Product.id.desc())
    featured, newest = _cards(session, by_choice.limit(6), {}), _cards(session, by_age.limit(4), {})
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
    return Front(featured, newest, proof, _quotes(session))


def _quotes(session: Session) -> Sequence[Any]:
    found = (
        select(Review, Product.name, Product.slug)
        .join(Product, Product.id == Review.course_id)
        .where(Review.rating == 5, Product.status == "published", func.length(Review.body) > 60)
        .order_by(Product.popularity.desc(), Review.id)
        .limit(3)
    )
    return session.execute(found).all()


def next_price_change(session: Session, at: datetime) -> datetime | None:
    """When the next sale begins or ends by itself."""
    begins = select(func.min(Product.sale_from)).where(Product.status == "published", Product.sale_from > at)
    ends = select(func.min(Product.sale_until)).where(Product.status == "published", Product.sale_until > at)
    return min((one for one in (session.scalar(begins), session.scalar(ends)) if one is not None), default=None)


def addresses(session: Session) -> Sequence[Any]:
    """(kind, id, slug, updated_at) of everything a sitemap may name, in a fixed order."""
    found = select(Product.kind, Product.id, Product.slug, Product.updated_at)
    return session.execute(found.where(Product.status == "published").order_by(Product.id)).all()
