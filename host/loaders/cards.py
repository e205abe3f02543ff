"""A row of the catalogue as the card of a list (components/api/pageProps.ts, Card)."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from domain import money
from domain.catalogue import CardRow, CategoryCount, price_now

COURSE_PATH = "/course-details?course="
ITEM_PATH = "/shop-details/"


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
