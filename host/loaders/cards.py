"""A row of the catalogue as the card of a list."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NotRequired

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain import money
from domain.catalogue import details as catalogue_details
from domain.catalogue import listing as catalogue_listing
from domain.catalogue.listing import CardRow, ItemKind, Level, ProductKind, price_now
from domain.languages import language_name
from host.rendering.page_request import PageRequest
from host.site_state import SiteState
from host.urls import Picture, href_of, list_picture

# About 1.5 KB each.
MAX_CACHED = 4_000


class LowestPrice(TypedDict):
    """`lowestBefore`: of the 30 days before the sale that runs, where the shop shows it (UNION_RULES)."""

    lowestBefore: NotRequired[int]


class Card(LowestPrice):
    """One course or shop item in a list. `price` is the price now, `listPrice` the one without a sale. `language`: its
    name, where it is not the shop's own language."""

    id: int
    kind: ProductKind
    href: str
    name: str
    subtitle: str
    category: str
    level: Level | None
    language: str | None
    itemKind: ItemKind | None
    picture: Picture
    listPrice: int
    price: int
    rating: float | None
    ratingCount: int
    durationMin: int | None
    lessonCount: int | None


def _cover(row: CardRow) -> Picture:
    """A generated cover shows nothing that the name beside it does not say: in a list its alt text is empty."""
    alt = "" if row.image.startswith("/pictures/") else row.image_alt
    return list_picture(row.image, row.image_width, row.image_height, alt)


def lowest_price(row: Any, site: SiteState, at: datetime) -> LowestPrice:
    """`row` has the price columns of products."""
    lowest = catalogue_listing.lowest_before(row, at) if site.union_rules else None
    return {} if lowest is None else {"lowestBefore": money.to_minor(lowest, site.currency)}


def card(row: CardRow, site: SiteState, at: datetime) -> Card:
    category = site.by_id.get(row.category_id)
    return {
        "id": row.id,
        "kind": row.kind,
        "href": href_of(row.kind, row.id, row.slug),
        "name": row.name,
        "subtitle": row.subtitle,
        "category": category.name if category else "",
        "level": row.level,
        "language": _language(row, site),
        "itemKind": row.item_kind,
        "picture": _cover(row),
        "listPrice": money.to_minor(row.list_price, site.currency),
        "price": money.to_minor(price_now(row, at), site.currency),
        "rating": None if row.rating is None else float(row.rating),
        "ratingCount": row.rating_count,
        "durationMin": row.duration_min,
        "lessonCount": row.lesson_count,
        **lowest_price(row, site, at),
    }


def _language(row: CardRow, site: SiteState) -> str | None:
    """Cards do not repeat the shop's own language."""
    if not row.language or row.language == site.props["locale"].partition("-")[0]:
        return None
    return language_name(row.language, site.props["locale"])


def cards(rows: Iterable[CardRow], site: SiteState, at: datetime) -> list[Card]:
    return [card(row, site, at) for row in rows]


def cards_by_id(session: Session, site: SiteState, version: int, ids: Sequence[int], at: datetime) -> list[Card]:
    """Cards of products in the order of `ids`; cards of this `version` that were made before are not read again."""
    if version != site.version:
        # The site state is older than this read of the database, and so are its cards.
        return cards(catalogue_listing.card_rows(session, ids), site, at)
    found: dict[int, Card | None] = {product_id: site.cards.get(product_id) for product_id in ids}
    missing = [product_id for product_id, cached in found.items() if cached is None]
    for row in catalogue_listing.card_rows(session, missing):
        found[row.id] = new = card(row, site, at)
        _cache(site.cards, new)
    return [listed for listed in found.values() if listed is not None]


def related(session: Session, request: PageRequest, product: Any, version: int) -> list[Card]:
    """Cards of products similar to `product`, a row of the catalogue's `version`."""
    ids = _most_popular(session, request, product, version)
    return cards_by_id(session, request.site, version, catalogue_details.others(ids, product.id), request.at)


def related_now(session: Session, request: PageRequest, product: Any) -> list[Card]:
    """Cards of products similar to `product`, which was read before: the catalogue may have changed since."""
    return related(session, request, product, catalogue_listing.version(session))


def _most_popular(session: Session, request: PageRequest, product: Any, version: int) -> list[int]:
    """The first products of a category and kind, read once for all pages that show them."""
    key = (product.category_id, product.kind)
    if request.scope is not None or version != request.site.version:
        return catalogue_details.most_popular(session, *key, scope=request.scope)
    known = request.site.most_popular
    if key not in known:
        known[key] = catalogue_details.most_popular(session, *key)
    return known[key]


def _cache(cached: dict[int, Card], new: Card) -> None:
    if len(cached) >= MAX_CACHED:
        cached.clear()
    cached[new["id"]] = new
