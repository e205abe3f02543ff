"""Lists of the catalogue: pages of cards, facets and their counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, Literal, NamedTuple, get_args

from sqlalchemy import ColumnElement, Integer, Select, and_, bindparam, case, cast, func, or_, select, union_all
from sqlalchemy.orm import Session

from domain.catalogue.scope import CatalogueScope, scope_conditions
from domain.database.prepared_select import PreparedSelect, SelectByIds, first_number
from domain.tables import (
    CatalogueVersion,
    Category,
    Product,
)
from domain.tables.base import UTCTime

PAGE_SIZE = 24
# Bounds the OFFSET of a query; pages beyond the end of a list answer 404 anyway.
MAX_PAGE = 100_000

ProductKind = Literal["course", "item"]
Level = Literal["beginner", "intermediate", "advanced", "all"]
ItemKind = Literal["book", "voucher", "bundle", "physical"]
LEVELS: tuple[str, ...] = get_args(Level)
ITEM_KINDS: tuple[str, ...] = get_args(ItemKind)
KINDS = ("course", *ITEM_KINDS)
# Bands of money in major units, before `price_scale`, and of time in minutes: name -> (from, below). Whole numbers: a
# band begins above 0 where the one before it is "free".
PRICE_BANDS: dict[str, tuple[int, int | None]] = {
    "free": (0, 0),
    "under-50": (0, 50),
    "50-150": (50, 150),
    "150-300": (150, 300),
    "over-300": (300, None),
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
    """A request for a list. Each facet holds the chosen values in their canonical order; () means no filter."""

    category: tuple[str, ...] = ()
    level: tuple[str, ...] = ()
    language: tuple[str, ...] = ()
    price: tuple[str, ...] = ()
    duration: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    sort: str = "popular"
    page: int = 1
    # What the limits of the price bands are multiplied by (domain.money.price_scale).
    price_scale: int = 1
    # What a restricted visitor may see: not shown as a filter, and no parameter of the URL can remove it.
    scope: CatalogueScope | None = None

    def selected(self, facet: str) -> tuple[str, ...]:
        values: tuple[str, ...] = getattr(self, facet)
        return values

    def with_selected(self, facet: str, values: tuple[str, ...]) -> "ShopQuery":
        """This query with other values of one facet, on the same page."""
        changes: dict[str, Any] = {facet: values}
        return replace(self, **changes)

    def without(self, facet: str) -> "ShopQuery":
        return self.with_selected(facet, ())

    @cached_property
    def filters(self) -> "ShopQuery":
        """The first page with these filters in the default order: all that the counts depend on."""
        return self if self.sort == SORTS[0] and self.page == 1 else replace(self, sort=SORTS[0], page=1)

    @cached_property
    def active_facets(self) -> tuple[str, ...]:
        """The facets that filter."""
        return tuple(facet for facet in FACETS if self.selected(facet))


@dataclass(frozen=True)
class CategoryCount:
    id: int
    slug: str
    name: str
    description: str
    count: int
    # src, width, height, alt.
    image: Mapping[str, Any] | None = field(default=None, hash=False)


class CardRow(NamedTuple):
    """The columns of a product that a list shows."""

    id: int
    kind: ProductKind
    slug: str
    name: str
    subtitle: str
    category_id: int
    level: Level | None
    language: str | None
    item_kind: ItemKind | None
    list_price: Decimal
    sale_price: Decimal | None
    sale_from: datetime | None
    sale_until: datetime | None
    lowest_before: Decimal | None
    image: str
    image_width: int
    image_height: int
    image_alt: str
    rating: float | None
    rating_count: int
    duration_min: int | None
    lesson_count: int | None


# Columns of the table instead of attributes of the class: without loading ORM objects, a list costs half.
PRODUCTS = Product.__table__.c
CARD_COLUMNS = tuple(PRODUCTS[name] for name in CardRow._fields)
_categories = Category.__table__.c
VERSION = select(cast(func.coalesce(func.sum(CatalogueVersion.__table__.c.number), 0), Integer))
_VERSION = PreparedSelect(VERSION, first_number)
_EDITS = PreparedSelect(
    select(CatalogueVersion.__table__.c.number).where(CatalogueVersion.__table__.c.id == CatalogueVersion.EDITS),
    first_number,
)
_CARDS = SelectByIds(lambda ids: select(*CARD_COLUMNS).where(PRODUCTS.id.in_(ids)), CardRow._make)
# `status = 'published'` for statements that read ranges of ids: as written there, a database would read all published
# products by an index that begins with the status, and sort them.
IS_LISTED = case((PRODUCTS.status == "published", 1), else_=0) == 1
# Statements are cached, so the current time is a parameter.
_AT = bindparam("at", type_=UTCTime())
MAX_CACHED_STATEMENTS = 500


def version(session: Session) -> int:
    """A number that every change of the catalogue increments; 0 for an empty catalogue."""
    [number] = _VERSION.all(session)
    return number


def edits(session: Session) -> int:
    """A number that every change of the catalogue increments but those of the stock, which no count depends on."""
    return next(iter(_EDITS.all(session)), 0)


def is_on_sale(sale_price: Decimal | None, since: datetime | None, until: datetime | None, at: datetime) -> bool:
    return sale_price is not None and (since is None or since <= at) and (until is None or at < until)


def price_now(row: Any, at: datetime) -> Decimal:
    """The sale price while the sale runs, else the list price. `row` has the price columns of products."""
    if is_on_sale(row.sale_price, row.sale_from, row.sale_until, at):
        return Decimal(row.sale_price)
    return Decimal(row.list_price)


def lowest_before(row: Any, at: datetime) -> Decimal | None:
    """The lowest price of the 30 days before the sale, while that runs. `row` as for `price_now`."""
    is_reduced = is_on_sale(row.sale_price, row.sale_from, row.sale_until, at)
    return Decimal(row.lowest_before) if is_reduced and row.lowest_before is not None else None


_ON_SALE = and_(
    PRODUCTS.sale_price.is_not(None),
    or_(PRODUCTS.sale_from.is_(None), PRODUCTS.sale_from <= _AT),
    or_(PRODUCTS.sale_until.is_(None), PRODUCTS.sale_until > _AT),
)
# The price at the time `at`, a parameter of the statement.
PRICE: ColumnElement[Decimal] = case((_ON_SALE, PRODUCTS.sale_price), else_=PRODUCTS.list_price)


def _in_band(column: Any, band: tuple[Any, Any]) -> ColumnElement[bool]:
    start, below = band
    return column >= start if below is None else and_(column >= start, column < below)


def _in_price_band(name: str, scale: int) -> ColumnElement[bool]:
    if name == "free":
        return PRICE == 0
    start, below = PRICE_BANDS[name]
    least = start * scale <= PRICE if start else PRICE > 0
    return least if below is None else and_(least, below * scale > PRICE)


def filter_of(facet: str, values: Sequence[str], price_scale: int) -> ColumnElement[bool]:
    """The condition of one facet: its values are joined by OR."""
    if facet == "category":
        return PRODUCTS.category_id.in_(select(_categories.id).where(_is_one_of(_categories.slug, values)))
    if facet == "level":
        return _is_one_of(PRODUCTS.level, values)
    if facet == "language":
        return _is_one_of(PRODUCTS.language, values)
    if facet == "price":
        return or_(*(_in_price_band(value, price_scale) for value in values))
    if facet == "duration":
        return or_(*(_in_band(PRODUCTS.duration_min, DURATION_BANDS[value]) for value in values))
    return or_(*(_kind_is(value) for value in values))


def _is_one_of(column: ColumnElement[Any], values: Sequence[str]) -> ColumnElement[bool]:
    """OR instead of IN: IN is expanded at execution, which a PreparedSelect cannot do."""
    return or_(*(column == value for value in values))


def _kind_is(kind: str) -> ColumnElement[bool]:
    return PRODUCTS.kind == "course" if kind == "course" else PRODUCTS.item_kind == kind


def _conditions(query: ShopQuery) -> list[ColumnElement[bool]]:
    chosen = [(facet, query.selected(facet)) for facet in FACETS]
    filters = (filter_of(facet, values, query.price_scale) for facet, values in chosen if values)
    return [PRODUCTS.status == "published", *filters, *scope_conditions(query.scope)]


def order_of(sort: str) -> tuple[Any, ...]:
    if sort == "newest":
        return (PRODUCTS.published_at.desc(), PRODUCTS.id.desc())
    if sort == "rating":
        # Both databases put those without a rating last.
        return (PRODUCTS.rating.desc(), PRODUCTS.rating_count.desc(), PRODUCTS.id.desc())
    if sort == "price-low":
        return (PRICE, PRODUCTS.id.desc())
    if sort == "price-high":
        return (PRICE.desc(), PRODUCTS.id.desc())
    return (PRODUCTS.popularity.desc(), PRODUCTS.id.desc())


# Up to this page, skipping rows of an index takes no noticeable time.
INDEXED_PAGES = 20


def is_indexed(query: ShopQuery) -> bool:
    """Whether an index alone yields the page: the whole catalogue in an indexed order, near its beginning."""
    return (
        not query.active_facets
        and query.scope is None
        and query.sort in ("popular", "newest")
        and query.page <= INDEXED_PAGES
    )


def card_page(session: Session, query: ShopQuery, at: datetime) -> tuple[int, Sequence[CardRow]]:
    """Catalogue version and the cards of one page, read in one transaction."""
    number = version(session)
    return number, card_rows(session, card_ids(session, query, at))


def card_ids(session: Session, query: ShopQuery, at: datetime) -> list[int]:
    """The products of one page of a list, in its order."""
    first = (query.page - 1) * PAGE_SIZE
    if query.sort in _BY_PRICE:
        return _list_by_price(query.filters, query.sort).all(session, at=at, first=first, last=first + PAGE_SIZE)
    return _list(query.filters, query.sort).all(session, at=at, first=first)


def card_rows(session: Session, ids: Sequence[int]) -> list[CardRow]:
    """Products by their ids, in the order of `ids`, without those that no longer exist."""
    by_id = {row.id: row for row in _CARDS.all(session, ids)}
    return [by_id[product_id] for product_id in ids if product_id in by_id]


@lru_cache(MAX_CACHED_STATEMENTS)
def _list(filters: ShopQuery, sort: str) -> PreparedSelect[int]:
    """The statement of a list; the page is a parameter."""
    ids = select(PRODUCTS.id).where(*_conditions(filters)).order_by(*order_of(sort))
    return PreparedSelect(ids.limit(PAGE_SIZE).offset(bindparam("first", type_=Integer)), first_number)


_BY_PRICE = ("price-low", "price-high")


@lru_cache(MAX_CACHED_STATEMENTS)
def _list_by_price(filters: ShopQuery, sort: str) -> PreparedSelect[int]:
    """The list in the order of the prices of a time: no index can have that. Those that are on sale and the others each
    have an index in the order of their price, so that only the first rows of both are sorted."""

    def first_of(price: ColumnElement[Decimal], is_here: ColumnElement[bool]) -> Select[Any]:
        order = (price if sort == "price-low" else price.desc(), PRODUCTS.id.desc())
        rows = select(PRODUCTS.id, price.label("price")).where(*_conditions(filters), is_here).order_by(*order)
        first = rows.limit(bindparam("last", type_=Integer)).subquery()
        return select(first.c.id, first.c.price)

    both = union_all(first_of(PRODUCTS.list_price, ~_ON_SALE), first_of(PRODUCTS.sale_price, _ON_SALE)).subquery()
    order = (both.c.price if sort == "price-low" else both.c.price.desc(), both.c.id.desc())
    ids = select(both.c.id).order_by(*order).limit(PAGE_SIZE).offset(bindparam("first", type_=Integer))
    return PreparedSelect(ids, first_number)


def facet_value(facet: str, price_scale: int) -> Any:
    if facet == "category":
        return Product.category_id
    if facet == "level":
        return Product.level
    if facet == "language":
        return Product.language
    if facet == "price":
        return case(*((_in_price_band(name, price_scale), name) for name in PRICE_BANDS))
    if facet == "duration":
        return case(*((_in_band(Product.duration_min, band), name) for name, band in DURATION_BANDS.items()))
    return case((Product.kind == "course", "course"), else_=Product.item_kind)


def categories(session: Session) -> list[CategoryCount]:
    """Every category with its number of published products, in the shop's order."""
    # Counted from the index that begins with the category alone: joined, or with the status compared as it stands,
    # MariaDB would read and sort a row of each product.
    counted = select(Product.category_id, func.count()).where(IS_LISTED)
    counts: dict[int, int] = dict(session.execute(counted.group_by(Product.category_id)).all())
    rows = session.execute(
        select(Category.id, Category.slug, Category.name, Category.description, Category.image).order_by(
            Category.position, Category.name
        )
    )
    return [
        CategoryCount(row.id, row.slug, row.name, row.description, counts.get(row.id, 0), row.image) for row in rows
    ]
