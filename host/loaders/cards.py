"""A row of the catalogue as the card of a list (components/api/pageProps.ts, Card)."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from sqlalchemy.orm import Session

from domain import catalogue, money
from domain.catalogue import CardRow, CategoryCount, Narrowed, price_now
from host.site import SiteState

COURSE_PATH = "/course-details?course="
ITEM_PATH = "/shop-details/"
# About 1.5 KB each.
MOST_KEPT = 4_000


# Escaping a slug costs as much as the rest of a card.
@lru_cache(10_000)
def href_of(kind: str, product_id: int, slug: str) -> str:
    return COURSE_PATH + quote(slug) if kind == "course" else f"{ITEM_PATH}{product_id}"


def picture(src: str, width: int, height: int, alt: str) -> dict[str, Any]:
    return {"src": src, "width": width, "height": height, "alt": alt}


def _cover(row: CardRow) -> dict[str, Any]:
    """A drawn cover says nothing that the name beside it does not: in a list it is decoration, without words."""
    alt = "" if row.image.startswith("/pictures/") else row.image_alt
    return picture(row.image, row.image_width, row.image_height, alt)


def card(row: CardRow, categories: Mapping[int, CategoryCount], at: datetime) -> dict[str, Any]:
    known = categories.get(row.category_id)
    return {
        "id": row.id,
        "kind": row.kind,
        "href": href_of(row.kind, row.id, row.slug),
        "name": row.name,
        "subtitle": row.subtitle,
        "category": known.name if known else "",
        "level": row.level,
        "language": row.language,
        "itemKind": row.item_kind,
        "picture": _cover(row),
        "listPrice": money.to_minor(row.list_price),
        "price": money.to_minor(price_now(row, at)),
        "rating": None if row.rating is None else float(row.rating),
        "ratingCount": row.rating_count,
        "durationMin": row.duration_min,
        "lessonCount": row.lesson_count,
    }


def cards(rows: Iterable[CardRow], categories: Mapping[int, CategoryCount], at: datetime) -> list[dict[str, Any]]:
    return [card(row, categories, at) for row in rows]


def cards_by_id(
    session: Session, site: SiteState, version: int, ids: Sequence[int], at: datetime
) -> list[dict[str, Any]]:
    """Cards of products in the order of `ids`; those already made of this very `version` are not read again."""
    if version != site.version:
        # The site has not heard of the newest change yet: its cards are the old ones.
        return cards(catalogue.card_rows(session, ids), site.by_id, at)
    found = {one: site.cards.get(one) for one in ids}
    missing = [one for one, made in found.items() if made is None]
    for row in catalogue.card_rows(session, missing):
        found[row.id] = card(row, site.by_id, at)
        _keep(site.cards, row.id, found[row.id])
    return [made for made in found.values() if made is not None]


def related(
    session: Session, site: SiteState, product: tuple[int, int, str], only: Narrowed | None, at: datetime
) -> list[dict[str, Any]]:
    """Cards of others like a `product`: its id, category and kind."""
    ids = catalogue.related(session, *product, only=only)
    return cards_by_id(session, site, catalogue.version(session), ids, at)


def _keep(kept: dict[int, dict[str, Any]], product_id: int, made: dict[str, Any] | None) -> None:
    if made is not None:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        kept[product_id] = made
