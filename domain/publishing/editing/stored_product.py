"""A stored course or shop item, for what is the same for both."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.errors import NotFound
from domain.publishing.editing.stored_course import NewerVersion, StoredCourse, locked_course, stored_course
from domain.publishing.editing.stored_item import StoredItem, stored_item
from domain.publishing.records import CourseRecord, ItemRecord
from domain.publishing.writer import put_course, put_item
from domain.tables import Product

StoredProduct = StoredCourse | StoredItem


def stored_product(session: Session, product_id: int) -> StoredProduct:
    """Raises NotFound."""
    return stored_course(session, product_id) if _is_course(session, product_id) else stored_item(session, product_id)


def locked_product(
    session: Session, product_id: int, version: int | None = None, kind: str | None = None
) -> StoredProduct:
    """The product while nobody else can change it; `version` None: whichever it has. Raises NotFound, also for one of
    another kind, and NewerVersion."""
    # Before any other reading: MariaDB reads a transaction's rows as they were at its first plain SELECT, and what was
    # saved between that and the lock would be written back.
    product = session.get(Product, product_id, with_for_update=True, populate_existing=True)
    if _require_kind(None if product is None else product.kind, kind) == "course":
        return locked_course(session, product_id, version)
    stored = stored_item(session, product_id, locks=True)
    if version is not None and stored.product.version != version:
        raise NewerVersion
    return stored


def put_product(session: Session, record: CourseRecord | ItemRecord, at: datetime) -> int:
    """Write the record; returns the product's version afterwards."""
    is_course = isinstance(record, CourseRecord)
    key = put_course(session, record, at) if isinstance(record, CourseRecord) else put_item(session, record, at)
    kind = "course" if is_course else "item"
    return session.scalars(select(Product.version).where(Product.id == key, Product.kind == kind)).one()


def _is_course(session: Session, product_id: int) -> bool:
    return _require_kind(session.scalar(select(Product.kind).where(Product.id == product_id)), None) == "course"


def _require_kind(kind: str | None, wanted: str | None) -> str:
    if kind is None or wanted not in (None, kind):
        raise NotFound(f"There is no such {wanted or 'course or item'}.")
    return kind
