"""A record compared with the stored row: the wanted columns, and whether they differ."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import cast

from sqlalchemy import Table

from domain.publishing import publish_rules
from domain.publishing.records import PLAIN_COLUMNS, Json, ProductRecord
from domain.tables import Course, Product, ShopItem

PRODUCTS = cast(Table, Product.__table__)
COURSES = cast(Table, Course.__table__)
ITEMS = cast(Table, ShopItem.__table__)


@dataclass
class ProductChange:
    """`row`: the wanted columns of both tables, and for courses `instructors`, their ids in order. `withheld`: what
    stays although the record wants something else, in words."""

    record: ProductRecord
    stored: Json | None
    row: Json
    withheld: tuple[str, ...] = ()

    @property
    def id(self) -> int:
        return cast(int, self.row["id"] if self.stored is None else self.stored["id"])

    @property
    def draft_reasons(self) -> tuple[str, ...]:
        """Why a record that should be published is stored as a draft; () when it is not."""
        wanted = self.record.status == "published" and self.row["status"] == "draft"
        return publish_rules.missing_requirements(self.row) if wanted else ()

    @property
    def changed_columns(self) -> tuple[str, ...]:
        """() for a record that is not stored yet."""
        stored = self.stored
        return () if stored is None else tuple(name for name, value in self.row.items() if stored[name] != value)

    @property
    def differs(self) -> bool:
        return self.stored is None or bool(self.changed_columns)


def identity(record: ProductRecord) -> tuple[str, str]:
    """The column that identifies a product, and its value."""
    return ("slug", record.slug) if record.source_id is None else ("source_id", record.source_id)


def stays_retired(stored: Json | None, row: Json) -> bool:
    return stored is not None and stored["status"] == row["status"] == "retired"


# Puts stored columns back into the wanted ones, and returns why.
HoldBack = Callable[[Json, Json], tuple[str, ...]]


def _nothing_is_held_back(_stored: Json, _row: Json) -> tuple[str, ...]:
    return ()


def row_of(  # noqa: PLR0913 a record, and what its row depends on
    record: ProductRecord,
    place: Json,
    stored: Json | None,
    new_slug: str,
    at: datetime,
    *,
    closed: Collection[int] = (),
    hold_back: HoldBack = _nothing_is_held_back,
) -> tuple[Json, tuple[str, ...]]:
    """The wanted columns, and what `hold_back` kept of the stored ones, in words.

    `place`: kind and category_id; `new_slug`: for a product that is not stored yet; `closed`: ids of courses that end
    for legal reasons, which are not sold again.

    A stored slug never changes here, because search engines know it. A product that should be published but lacks
    something for its page (publish_rules.py) becomes a draft.
    """
    slug = new_slug if stored is None else stored["slug"]
    row: Json = place | {name: getattr(record, name) for name in PLAIN_COLUMNS[type(record)]}
    row |= record.with_derived_fields(slug) | {"slug": slug, "featured": int(record.featured)}
    # Without an outline the stored lessons stay.
    row.setdefault("lesson_count", None if stored is None else stored["lesson_count"])
    row["list_price"] = _stored(record.list_price)
    row["sale_price"] = None if record.sale_price is None else _stored(record.sale_price)
    withheld: tuple[str, ...] = ()
    if stored is not None:
        row |= {name: stored[name] for name in _preserved_columns(record, row, stored)}
        withheld = hold_back(stored, row)
        if stored["id"] in closed:
            row["status"] = stored["status"]
        if stays_retired(stored, row) and getattr(record, "outline", None) is not None:
            # The outline of a retired course stays, and so does what is counted of it.
            row |= {name: stored[name] for name in ("lesson_count", "duration_min")}
    if row["sale_price"] is not None and row["sale_price"] >= row["list_price"]:
        # The price has dropped to or below a preserved sale price, which ends the sale.
        row["sale_price"] = None
    if row["status"] == "published" and publish_rules.missing_requirements(row):
        row["status"] = "draft"
    dates = _dates(record, row["status"], stored or {}, at)
    if stored is not None and withheld and record.status != row["status"]:
        # The time of a state stays with it: that of a plan, too.
        dates = {name: stored[name] for name in dates}
    return row | dates | _retirement(stored, row), withheld


def _retirement(stored: Json | None, row: Json) -> Json:
    """What staff decided about the page stays as long as the product stays retired."""
    if stored is not None and stays_retired(stored, row):
        return {name: stored[name] for name in ("retirement_choice", "retirement_reason")}
    return {"retirement_choice": "auto", "retirement_reason": ""}


def _stored(price: Decimal) -> Decimal:
    """The price as its column holds it."""
    return price.quantize(Decimal("0.001"), ROUND_HALF_UP)


def _preserved_columns(record: ProductRecord, row: Json, stored: Json) -> set[str]:
    names = set(record.preserved_fields) & row.keys()
    if stored["status"] != "retired":
        names.discard("status")
    if record.source_id is None:
        names.add("source_id")
    if "enrolled" in names:
        names.add("popularity")
    if row.get("is_generated") and not stored["is_generated"]:
        # A person has written a text since.
        names |= {"subtitle", "description", "is_generated"}
    if "item_kind" not in names and row.get("item_kind") != stored.get("item_kind"):
        # Another kind reaches the buyer in another way.
        names -= {"fulfilment", "tax_class"}
    if not record.image and not stored["image"].startswith("/pictures/"):
        names |= {"image", "image_width", "image_height", "image_alt", "images"} & row.keys()
    return names


def _dates(record: ProductRecord, status: str, stored: Json, at: datetime) -> Json:
    """When it was first published and when it was retired: known, or now."""
    published = record.published_at or stored.get("published_at") or (at if status == "published" else None)
    retired = record.retired_at or stored.get("retired_at") or at
    return {"published_at": published, "retired_at": retired if status == "retired" else None}
