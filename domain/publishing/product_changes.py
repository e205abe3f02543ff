"""One record beside the row that is there: what should stand in the tables, and whether that is a change."""

from dataclasses import dataclass
from datetime import datetime
from typing import cast

from sqlalchemy import Table

from domain import money
from domain.publishing import gate
from domain.publishing.records import PLAIN_COLUMNS, Json, ProductRecord
from domain.tables import Course, Product, ShopItem

PRODUCTS = cast(Table, Product.__table__)
COURSES = cast(Table, Course.__table__)
ITEMS = cast(Table, ShopItem.__table__)


@dataclass
class Line:
    """`row` holds the columns of both tables, and for courses `instructors`: their ids in order."""

    record: ProductRecord
    stored: Json | None
    row: Json

    @property
    def id(self) -> int:
        return cast(int, self.row["id"] if self.stored is None else self.stored["id"])

    @property
    def held_back(self) -> tuple[str, ...]:
        """Why it is a draft though it should be published; () when it is not."""
        wanted = self.record.status == "published" and self.row["status"] == "draft"
        return gate.lacks(self.row) if wanted else ()

    @property
    def differs(self) -> bool:
        return self.stored is None or any(self.stored[name] != value for name, value in self.row.items())


def identity(record: ProductRecord) -> tuple[str, str]:
    """By which column a product is found again, and the value there."""
    return ("slug", record.slug) if record.source_id is None else ("source_id", record.source_id)


def row_of(record: ProductRecord, place: Json, stored: Json | None, address: str, at: datetime) -> Json:
    """The wanted columns; `place`: kind and category_id.

    A slug once given stays, whatever the source calls it now: search engines know it. What should be published and
    lacks something for its page (gate.py) is a draft.
    """
    slug = address if stored is None else stored["slug"]
    row: Json = place | {name: getattr(record, name) for name in PLAIN_COLUMNS[type(record)]}
    row |= record.derived(slug) | {"slug": slug, "featured": int(record.featured)}
    row["list_price"] = money.rounded(record.list_price)
    row["sale_price"] = None if record.sale_price is None else money.rounded(record.sale_price)
    if stored is not None:
        row |= {name: stored[name] for name in _kept(record, row, stored)}
    if row["sale_price"] is not None and row["sale_price"] >= row["list_price"]:
        # The price has come down below a sale that was kept: that is the end of the sale.
        row["sale_price"] = None
    if row["status"] == "published" and gate.lacks(row):
        row["status"] = "draft"
    return row | _dates(record, row["status"], stored or {}, at)


def _kept(record: ProductRecord, row: Json, stored: Json) -> set[str]:
    kept = set(record.keep) & row.keys()
    if stored["status"] != "retired":
        kept.discard("status")
    if record.source_id is None:
        kept.add("source_id")
    if "enrolled" in kept:
        kept.add("popularity")
    if row.get("is_generated") and not stored["is_generated"]:
        # Somebody wrote a text of their own since.
        kept |= {"subtitle", "description", "is_generated"}
    if not record.image and not stored["image"].startswith("/pictures/"):
        kept |= {"image", "image_width", "image_height", "image_alt", "images"} & row.keys()
    return kept


def _dates(record: ProductRecord, status: str, stored: Json, at: datetime) -> Json:
    """When it was first published and when it was retired: known, or now."""
    published = record.published_at or stored.get("published_at") or (at if status == "published" else None)
    retired = record.retired_at or stored.get("retired_at") or at
    return {"published_at": published, "retired_at": retired if status == "retired" else None}
