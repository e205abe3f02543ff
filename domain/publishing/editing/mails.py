"""The mail to the staff about a course or shop item that could not be published at its time."""

from sqlalchemy.orm import Session

from contracts.payloads import ProductItem, decode
from domain.errors import NotFound
from domain.outbox import Lease
from domain.publishing.editing.stored_product import stored_product
from domain.publishing.records import Json


def refused_product(session: Session, lease: Lease, origin: str) -> Json | None:
    """What the mail shows; None when the product is gone, or lacks nothing any more."""
    try:
        stored = stored_product(session, decode(ProductItem, lease.body).product_id)
    except NotFound:
        return None
    if stored.product.status != "draft" or not stored.missing:
        return None
    area = "courses" if stored.product.kind == "course" else "items"
    return {
        "kind": stored.product.kind,
        "name": stored.product.name,
        "missing": list(stored.missing),
        "link": f"{origin}/admin/{area}/{stored.product.id}/publication",
    }
