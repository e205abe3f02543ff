"""Reading the catalogue: pages of cards with facets, one course, one shop item. Writing is domain/publishing.py."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, or_, select
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


CARD_COLUMNS = (
    Product.id,
    Product.kind,
    Product.slug,
    Product.name,
    Product.subtitle,
    Product.category_id,
    Product.level,
    Product.language,
    Product.item_kind,
    Product.list_price,
    Product.sale_price,
    Product.sale_from,
    Product.sale_until,
    Product.image,
    Product.image_width,
    Product.image_height,
    Product.image_alt,
    Product.rating,
    Product.rating_count,
    Product.duration_min,
    Product.lesson_count,
)
# A row of CARD_COLUMNS; its members are read by name.
CardRow = Any


def version(session: Session) -> int:
    """Moves with every change of the catalogue; 0 for an empty one."""
    return session.scalar(select(CatalogueVersion.number).where(CatalogueVersion.id == 1)) or 0


def is_on_sale(sale_price: Decimal | None, since: datetime | None, until: datetime | None, at: datetime) -> bool:
    return sale_price is not None and (since is None or since <= at) and (until is None or at < until)


def price_now(row: Any, at: datetime) -> Decimal:
    """List price, or the sale price inside its window. `row` has the price columns of products."""
    if is_on_sale(row.sale_price, row.sale_from, row.sale_until, at):
        return Decimal(row.sale_price)
    return Decimal(row.list_price)


def _price_column(at: datetime) -> ColumnElement[Decimal]:
    running = and_(
        Product.sale_price.is_not(None),
        or_(Product.sale_from.is_(None), Product.sale_from <= at),
        or_(Product.sale_until.is_(None), Product.sale_until > at),
    )
    return case((running, Product.sale_price), else_=Product.list_price)


def _in_band(column: Any, band: tuple[Any, Any]) -> ColumnElement[bool]:
    start, below = band
    return column >= start if below is None else and_(column >= start, column < below)


def _filter(facet: str, values: Sequence[str], at: datetime) -> ColumnElement[bool]:
    """The condition one facet sets. Bands and kinds are joined by OR, like every value inside one facet."""
    if facet == "category":
        return Product.category_id.in_(select(Category.id).where(Category.slug.in_(values)))
    if facet == "level":
        return Product.level.in_(values)
    if facet == "language":
        return Product.language.in_(values)
    if facet == "price":
        return or_(*(_in_band(_price_column(at), PRICE_BANDS[value]) for value in values))
    if facet == "duration":
        return or_(*(_in_band(Product.duration_min, DURATION_BANDS[value]) for value in values))
    return or_(*(_kind_is(value) for value in values))


def _kind_is(kind: str) -> ColumnElement[bool]:
    return Product.kind == "course" if kind == "course" else Product.item_kind == kind


def _conditions(query: ShopQuery, at: datetime) -> list[ColumnElement[bool]]:
    chosen = [(facet, query.chosen(facet)) for facet in FACETS]
    return [Product.status == "published", *(_filter(facet, values, at) for facet, values in chosen if values)]


def _order(sort: str, at: datetime) -> tuple[Any, ...]:
    if sort == "newest":
        return (Product.published_at.desc(), Product.id.desc())
    if sort == "rating":
        return (func.coalesce(Product.rating, 0).desc(), Product.rating_count.desc(), Product.id.desc())
    if sort == "price-low":
        return (_price_column(at), Product.id.desc())
    if sort == "price-high":
        return (_price_column(at).desc(), Product.id.desc())
    return (Product.popularity.desc(), Product.id.desc())


def card_page(session: Session, query: ShopQuery, at: datetime) -> tuple[int, Sequence[CardRow]]:
    """Catalogue version and the cards of one page, of one and the same state."""
    found = session.execute(
        select(*CARD_COLUMNS)
        .where(*_conditions(query, at))
        .order_by(*_order(query.sort, at))
        .limit(PAGE_SIZE)
        .offset((query.page - 1) * PAGE_SIZE)
    )
    return version(session), found.all()


def facet_counts(session: Session, query: ShopQuery, at: datetime) -> tuple[int, dict[str, dict[str, int]]]:
    """Total hits, and for each facet how many each value would leave, given what the other facets filter."""
    total = session.scalar(select(func.count()).select_from(Product).where(*_conditions(query, at))) or 0
    return total, {facet: _counts_of(session, facet, query, at) for facet in FACETS}


def _counts_of(session: Session, facet: str, query: ShopQuery, at: datetime) -> dict[str, int]:
    value = _facet_value(facet, at)
    found = session.execute(select(value, func.count()).where(*_conditions(query.without(facet), at)).group_by(value))
    counts = {str(name): count for name, count in found if name is not None}
    if facet == "category":
        slugs = {row.id: row.slug for row in session.execute(select(Category.id, Category.slug))}
        return {slugs[int(name)]: count for name, count in counts.items()}
    return counts


def _facet_value(facet: str, at: datetime) -> Any:
    if facet == "category":
        return Product.category_id
    if facet == "level":
        return Product.level
    if facet == "language":
        return Product.language
    if facet == "price":
        return case(*((_in_band(_price_column(at), band), name) for name, band in PRICE_BANDS.items()))
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


@dataclass(frozen=True)
class CourseDetail:
    """A course with all its page shows at once; reviews and related courses come apart."""

    product: Product
    course: Course
    category: Category
    instructors: Sequence[Instructor]
    successors: Sequence[CardRow]


def course(session: Session, slug: str) -> CourseDetail | None:
    """A published or retired course by its slug; drafts and scheduled ones are nobody's yet."""
    found = session.execute(
        select(Product, Course, Category)
        .join(Course, Course.id == Product.id)
        .join(Category, Category.id == Product.category_id)
        .where(Product.kind == "course", Product.slug == slug, Product.status.in_(("published", "retired")))
    ).one_or_none()
    if found is None:
        return None
    product, detail, category = found
    instructors = session.scalars(
        select(Instructor)
        .join(CourseInstructor, CourseInstructor.instructor_id == Instructor.id)
        .where(CourseInstructor.course_id == product.id)
        .order_by(CourseInstructor.position)
    ).all()
    successors = _cards(session, Product.id == product.successor_id, 4) if product.successor_id else []
    return CourseDetail(product, detail, category, instructors, successors)


def slug_of(session: Session, product_id: int, kind: str) -> str | None:
    found = select(Product.slug).where(
        Product.id == product_id, Product.kind == kind, Product.status.in_(("published", "retired"))
    )
    return session.scalar(found)


def reviews(session: Session, course_id: int, limit: int = 12) -> tuple[Sequence[Review], list[int]]:
    """The newest reviews, and how many there are of one, two … five stars."""
    newest = select(Review).where(Review.course_id == course_id).order_by(Review.at.desc(), Review.id.desc())
    grouped = select(Review.rating, func.count()).where(Review.course_id == course_id).group_by(Review.rating)
    counts = {rating: count for rating, count in session.execute(grouped)}  # noqa: C416 a result is no mapping
    return session.scalars(newest.limit(limit)).all(), [counts.get(stars, 0) for stars in range(1, 6)]


def related(session: Session, product_id: int, category_id: int, kind: str, limit: int = 4) -> Sequence[CardRow]:
    """Others of the same category that most learners chose."""
    return _cards(
        session, and_(Product.category_id == category_id, Product.kind == kind, Product.id != product_id), limit
    )


def _cards(session: Session, condition: ColumnElement[bool], limit: int) -> Sequence[CardRow]:
    found = select(*CARD_COLUMNS).where(Product.status == "published", condition)
    return session.execute(found.order_by(Product.popularity.desc(), Product.id.desc()).limit(limit)).all()


def item(session: Session, item_id: int) -> tuple[Product, ShopItem, Category] | None:
    """A published or retired (withdrawn) shop item."""
    found = session.execute(
        select(Product, ShopItem, Category)
        .join(ShopItem, ShopItem.id == Product.id)
        .join(Category, Category.id == Product.category_id)
        .where(Product.id == item_id, Product.kind == "item", Product.status.in_(("published", "retired")))
    ).one_or_none()
    return None if found is None else found._tuple()


@dataclass(frozen=True)
class Front:
    """What the home page shows."""

    featured: Sequence[CardRow]
    newest: Sequence[CardRow]
    proof: Mapping[str, Any]
    quotes: Sequence[Any]


def front(session: Session) -> Front:
    live = (Product.status == "published", Product.kind == "course")
    featured = session.execute(
        select(*CARD_COLUMNS).where(*live).order_by(Product.featured.desc(), Product.popularity.desc()).limit(6)
    ).all()
    newest = session.execute(
        select(*CARD_COLUMNS).where(*live).order_by(Product.published_at.desc(), Product.id.desc()).limit(4)
    ).all()
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


def addresses(session: Session) -> Sequence[Any]:
    """(kind, id, slug, updated_at) of everything a sitemap may name, in a fixed order."""
    found = select(Product.kind, Product.id, Product.slug, Product.updated_at)
    return session.execute(found.where(Product.status == "published").order_by(Product.id)).all()
