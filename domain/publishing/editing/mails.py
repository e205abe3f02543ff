"""The mail to the staff about a course or shop item that could not be published at its time."""

from sqlalchemy.orm import Session

from contracts.payloads import ProductItem, decode
from contracts.tasks import OutboxKind
from domain.errors import NotFound
from domain.mail import Mail, MailSite, mail
from domain.outbox.leases import Lease
from domain.publishing.editing.stored_product import stored_product


@mail(OutboxKind.PUBLICATION_FAILED)
def _refused_product(session: Session, lease: Lease, site: MailSite) -> Mail | None:
    """None when the product is gone, or lacks nothing any more."""
    try:
        stored = stored_product(session, decode(ProductItem, lease.body).product_id)
    except NotFound:
        return None
    if stored.product.status != "draft" or not stored.missing:
        return None
    area = "courses" if stored.product.kind == "course" else "items"
    shown = {
        "kind": stored.product.kind,
        "name": stored.product.name,
        "missing": list(stored.missing),
        "link": f"{site.origin}/admin/{area}/{stored.product.id}/publication",
    }
    return Mail(site.staff_email, {"product": shown})
