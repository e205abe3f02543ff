"""A stored shop item as the record that the writer takes, as for courses (stored_course.py)."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.errors import NotFound
from domain.publishing import publish_rules
from domain.publishing.product_changes import ITEMS, PRODUCTS
from domain.publishing.records import ItemRecord, Json
from domain.tables import Category, Product, ShopItem

# A successor has a call of its own, and pictures have their page.
_PRESERVED = frozenset({"successor_id", "images"})


@dataclass(frozen=True)
class StoredItem:
    """`row`: the columns of both tables, as publish rules read them."""

    product: Product
    item: ShopItem
    record: ItemRecord
    row: Json

    @property
    def missing(self) -> tuple[str, ...]:
        return publish_rules.missing_requirements(self.row)


def stored_item(session: Session, item_id: int, *, locks: bool = False) -> StoredItem:
    """Raises NotFound. `locks`: nobody else can change it in this transaction."""
    product = session.get(Product, item_id, with_for_update=True if locks else None, populate_existing=locks)
    if product is None or product.kind != "item":
        raise NotFound("There is no such item.")
    item = session.get_one(ShopItem, item_id, populate_existing=locks)
    category = session.scalars(select(Category.slug).where(Category.id == product.category_id)).one()
    row: Json = {column.key: getattr(item, column.key) for column in ITEMS.columns}
    row |= {column.key: getattr(product, column.key) for column in PRODUCTS.columns}
    return StoredItem(product, item, _record(row, category), row)


def _record(row: Json, category: str) -> ItemRecord:
    names = ItemRecord.__dataclass_fields__.keys() & row.keys()
    values = {name: row[name] for name in names - {"featured", "image", "image_alt"}}
    is_generated_picture = row["image"].startswith("/pictures/")
    return ItemRecord(
        **values,
        category=category,
        featured=bool(row["featured"]),
        image="" if is_generated_picture else row["image"],
        image_alt="" if is_generated_picture else row["image_alt"],
        picture_count=max(1, len(row["images"])),
        preserved_fields=_PRESERVED,
    )
