"""The mail to the staff about a course or shop item that could not be published at its time, and tests of mails."""

from sqlalchemy.orm import Session

from contracts.payloads import MailTestItem, ProductItem, decode
from contracts.tasks import OutboxKind
from domain import money
from domain.errors import NotFound
from domain.mail import ExampleCase, Mail, MailSite, Values, mail, samples
from domain.outbox.leases import Lease
from domain.publishing.editing.stored_product import stored_product
from domain.tables import Learner


def _example(case: ExampleCase) -> Values:
    product = {
        "kind": "course",
        "name": case.course,
        "missing": ["It has no price.", "It has no lesson."],
        "link": f"{case.site.origin}/admin/courses/1/publication",
    }
    return {"product": product}


@mail("Staff", {OutboxKind.PUBLICATION_FAILED: "A planned publication was refused."}, example=_example)
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


@mail("Whoever asks for it", {OutboxKind.TEST: "Staff try the words of another mail."})
def _test(session: Session, lease: Lease, site: MailSite) -> Mail | None:
    """None when whoever asked for it is gone."""
    item = decode(MailTestItem, lease.body)
    learner = session.get(Learner, item.learner_id)
    if learner is None:
        return None
    first, *_ = samples(item.mail, site, money.currency(item.currency), lease.created_at)
    return Mail(learner.email, first, item.mail, item.words)
