"""A product as a line of the feed. Names and forms are those of the common shopping feeds (Google's product data
specification); search engines read the same facts in the structured data of the page."""

import csv
import re
from collections.abc import Iterable
from datetime import datetime
from io import StringIO
from typing import Any

import orjson

from config.settings import Settings
from domain.catalogue.gtin import gtin_of
from domain.catalogue.listing import is_on_sale, price_now
from domain.catalogue.product_feed import FeedRow
from domain.catalogue.search_snippets import plain_text
from domain.csv_text import safe_text
from domain.money import Currency, rounded, to_text
from host.images import social_card as og
from host.images.social_card import CardSubject
from host.loaders.course import iso_utc
from host.urls import href_of, picture

MAX_DESCRIPTION = 1_000
# Markdown is longer than its text.
_READ = 2 * MAX_DESCRIPTION
COLUMNS = (
    "id",
    "title",
    "description",
    "link",
    "image_link",
    "availability",
    "price",
    "sale_price",
    "sale_price_effective_date",
    "brand",
    "product_type",
    "kind",
    "condition",
    "gtin",
    "isbn",
    "identifier_exists",
    "sku",
    "language",
    "updated_at",
)
# What is never text of a person: no spreadsheet takes these for a formula.
_SAFE = {"id", "link", "image_link", "price", "sale_price", "sale_price_effective_date", "updated_at"}
_SPACES = re.compile(r"\s+")
# A feed of such goods says whether they are new.
_NEW = {"book", "physical"}

Entry = dict[str, str]


def entry(settings: Settings, row: FeedRow, at: datetime) -> Entry:
    """The values by the names of COLUMNS; what a product does not have is missing."""
    currency, is_course = settings.shop.currency, row.kind == "course"
    gtin = "" if is_course else gtin_of(row.sku or "", row.item_kind)
    values = {
        "id": str(row.id),
        "title": _line(row.name),
        "description": _description(row),
        "link": settings.site_origin + href_of(row.kind, row.id, row.slug),
        "image_link": _image(settings, row),
        "availability": "in_stock" if row.stock is None or row.stock > 0 else "out_of_stock",
        "price": _price(row.list_price, currency),
        **_sale(row, currency, at),
        "brand": _line(row.provider or "") or settings.site_name,
        "product_type": _line(row.category_name),
        "kind": row.item_kind or row.kind,
        "condition": "new" if row.item_kind in _NEW else "",
        "gtin": gtin,
        "isbn": gtin if row.item_kind == "book" else "",
        "identifier_exists": "yes" if gtin else "no",
        "sku": row.sku or "",
        "language": row.language or "",
        "updated_at": iso_utc(_changed(row, at)),
    }
    return {name: value for name, value in values.items() if value}


def json_line(values: Any) -> bytes:
    return orjson.dumps(values, option=orjson.OPT_APPEND_NEWLINE)


def csv_lines(entries: Iterable[Entry]) -> bytes:
    return _csv([[_cell(name, values.get(name, "")) for name in COLUMNS] for values in entries])


def csv_header() -> bytes:
    return _csv([COLUMNS])


def _csv(lines: Iterable[Iterable[str]]) -> bytes:
    text = StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(lines)
    return text.getvalue().encode()


def _cell(name: str, value: str) -> str:
    return value if name in _SAFE else safe_text(value)


def _line(text: str) -> str:
    return _SPACES.sub(" ", text).strip()


def _description(row: FeedRow) -> str:
    """The long text without markup, else the short one, else the name."""
    text = plain_text(row.course_text or row.item_text or "", _READ) or _line(row.subtitle) or _line(row.name)
    if len(text) <= MAX_DESCRIPTION:
        return text
    return text[: MAX_DESCRIPTION - 1].rpartition(" ")[0].rstrip(" ,;:.") + "…"


def _price(amount: Any, currency: Currency) -> str:
    return f"{to_text(rounded(amount, currency), currency)} {currency.code}"


def _sale(row: FeedRow, currency: Currency, at: datetime) -> Entry:
    """While a sale lowers the price. One without a beginning holds since the product was changed last."""
    if not is_on_sale(row.sale_price, row.sale_from, row.sale_until, at) or price_now(row, at) >= row.list_price:
        return {}
    sale = {"sale_price": _price(price_now(row, at), currency)}
    if row.sale_until is None:
        return sale
    begin = min(row.sale_from or row.updated_at, at)
    return {**sale, "sale_price_effective_date": f"{iso_utc(begin)}/{iso_utc(row.sale_until)}"}


def _changed(row: FeedRow, at: datetime) -> datetime:
    """As the sitemap has it: the last change of texts and prices, also by a sale that began or ended."""
    times = (row.sale_from, row.sale_until) if row.sale_price is not None else ()
    return max([row.updated_at, *(time for time in times if time is not None and time <= at)])


def _image(settings: Settings, row: FeedRow) -> str:
    """The image that the page's head names for others: drawn covers are SVG, which no shopping feed takes."""
    sort = row.level if row.kind == "course" else row.item_kind
    card = og.of_product(
        settings, CardSubject(row.kind, row.id, row.name, row.slug, sort, row.category_slug, row.category_name)
    )
    first: Any = next(iter(row.images or ()), None)
    shown = first or picture(row.image, row.image_width, row.image_height, row.image_alt)
    return og.shared_image(settings, card, shown)["image"]
