"""The mail to the staff about a course that could not be published at its time."""

from sqlalchemy.orm import Session

from contracts.payloads import ProductItem, decode
from domain.errors import NotFound
from domain.outbox import Lease
from domain.publishing.editing.stored_course import stored_course
from domain.publishing.records import Json


def refused_course(session: Session, lease: Lease, origin: str) -> Json | None:
    """What the mail shows; None when the course is gone, or lacks nothing any more."""
    try:
        stored = stored_course(session, decode(ProductItem, lease.body).product_id)
    except NotFound:
        return None
    if stored.product.status != "draft" or not stored.missing:
        return None
    return {
        "name": stored.product.name,
        "missing": list(stored.missing),
        "link": f"{origin}/admin/courses/{stored.product.id}/publication",
    }
