"""Reading the catalogue: pages of cards with facets, one course, one shop item. Writing is domain/publishing.py."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Integer, and_, bindparam, case, func, or_, select
from sqlalchemy.orm import Session

from domain import addresses
from domain.prepared import Prepared, row_type
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


# Lists speak of columns of the table, not of attributes of the class: that skips the ORM's loading, half of their cost.
_products = Product.__table__.c
CARD_COLUMNS = tuple(_products[name] for name in CardRow._fields)
_categories = Category.__table__.c
_version = CatalogueVersion.__table__.c
_VERSION = Prepared(select(_version.number).where(_version.id == 1), tuple)
# Statements are kept once built; the moment they are asked for is their parameter.
_AT = bindparam("at", type_=UTCTime())
STATEMENTS_KEPT = 500


def version(session: Session) -> int:
    """Moves with every change of the catalogue; 0 for an empty one."""
    found = _VERSION.all(session)
    return int(found[0][0]) if found else 0


def is_on_sale(sale_price: Decimal | None, since: datetime | None, until: datetime | None, at: datetime) -> bool:
    return sale_price is not None and (since is None or since <= at) and (until is None or at < until)


def price_now(row: Any, at: datetime) -> Decimal:
    """List price, or the sale price inside its window. `row` has the price columns of products."""
    if is_on_sale(row.sale_price, row.sale_from, row.sale_until, at):
        return Decimal(row.sale_price)
    return Decimal(row.list_price)


_ON_SALE = and_(
    _products.sale_price.is_not(None),
    or_(_products.sale_from.is_(None), _products.sale_from <= _AT),
    or_(_products.sale_until.is_(None), _products.sale_until > _AT),
)
_PRICE: ColumnElement[Decimal] = case((_ON_SALE, _products.sale_price), else_=_products.list_price)


def _in_band(column: Any, band: tuple[Any, Any]) -> ColumnElement[bool]:
    start, below = band
    return column >= start if below is None else and_(column >= start, column < below)


def _filter(facet: str, values: Sequence[str]) -> ColumnElement[bool]:
    """The condition one facet sets. Bands and kinds are joined by OR, like every value inside one facet."""
    if facet == "category":
        return _products.category_id.in_(select(_categories.id).where(_is_one_of(_categories.slug, values)))
    if facet == "level":
        return _is_one_of(_products.level, values)
    if facet == "language":
        return _is_one_of(_products.language, values)
    if facet == "price":
        return or_(*(_in_band(_PRICE, PRICE_BANDS[value]) for value in values))
    if facet == "duration":
        return or_(*(_in_band(_products.duration_min, DURATION_BANDS[value]) for value in values))
    return or_(*(_kind_is(value) for value in values))


def _is_one_of(column: ColumnElement[Any], values: Sequence[str]) -> ColumnElement[bool]:
    """Written out: what IN becomes is only known at execution, too late for a Prepared."""
    return or_(*(column == value for value in values))


def _kind_is(kind: str) -> ColumnElement[bool]:
    return _products.kind == "course" if kind == "course" else _products.item_kind == kind


def _conditions(query: ShopQuery) -> list[ColumnElement[bool]]:
    chosen = [(facet, query.chosen(facet)) for facet in FACETS]
    return [_products.status == "published", *(_filter(facet, values) for facet, values in chosen if values)]


def _order(sort: str) -> tuple[Any, ...]:
    if sort == "newest":
        return (_products.published_at.desc(), _products.id.desc())
    if sort == "rating":
        return (func.coalesce(_products.rating, 0).desc(), _products.rating_count.desc(), _products.id.desc())
    if sort == "price-low":
        return (_PRICE, _products.id.desc())
    if sort == "price-high":
        return (_PRICE.desc(), _products.id.desc())
    return (_products.popularity.desc(), _products.id.desc())


# So many pages of an index are walked in no time.
GLANCED_PAGES = 20


def is_indexed(query: ShopQuery) -> bool:
    """Whether an index leads straight to the page of cards: the whole catalogue in one of the orders it is kept in."""
    whole = ShopQuery(sort=query.sort, page=query.page)
    return query == whole and query.sort in ("popular", "newest") and query.page <= GLANCED_PAGES


def card_page(session: Session, query: ShopQuery, at: datetime) -> tuple[int, Sequence[CardRow]]:
    """Catalogue version and the cards of one page, of one and the same state."""
    first = (query.page - 1) * PAGE_SIZE
    rows = _list(replace(query, page=1)).all(session, at=at, first=first)
    return version(session), rows


@lru_cache(STATEMENTS_KEPT)
def _list(query: ShopQuery) -> Prepared[CardRow]:
    """The statement of a list, whatever its page."""
    found = select(*CARD_COLUMNS).where(*_conditions(query)).order_by(*_order(query.sort))
    return Prepared(found.limit(PAGE_SIZE).offset(bindparam("first", type_=Integer)), CardRow._make)


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


# Drafts and scheduled products are nobody's yet. Not IN, which SQLAlchemy writes anew for every execution.
_IS_SHOWN = or_(Product.status == "published", Product.status == "retired")
_LIMIT = bindparam("limit", type_=Integer)


def _most_chosen(*conditions: ColumnElement[bool]) -> Prepared[CardRow]:
    """Cards of published products, those that most learners chose first."""
    found = select(*CARD_COLUMNS).where(_products.status == "published", *conditions)
    ordered = found.order_by(_products.popularity.desc(), _products.id.desc()).limit(_LIMIT)
    return Prepared(ordered, CardRow._make)


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
_SUCCESSOR = _most_chosen(_products.id == bindparam("id"))


def course(session: Session, slug: str) -> CourseDetail | None:
    """A published or retired course by its slug; drafts and scheduled ones are nobody's yet."""
    found = _COURSE.all(session, slug=slug)
    if not found:
        return None
    product, detail, category = found[0]
    instructors = _INSTRUCTORS.all(session, id=product.id)
    following = addresses.successor(session, product) if product.successor_id else None
    successors = _SUCCESSOR.all(session, id=following.id, limit=4) if following else []
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


_RELATED = _most_chosen(
    _products.category_id == bindparam("category_id"),
    _products.kind == bindparam("kind"),
    _products.id != bindparam("id"),
)


def related(session: Session, product_id: int, category_id: int, kind: str, limit: int = 4) -> Sequence[CardRow]:
    """Others of the same category that most learners chose."""
    return _RELATED.all(session, id=product_id, category_id=category_id, kind=kind, limit=limit)


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
