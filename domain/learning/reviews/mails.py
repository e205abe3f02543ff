"""Mails to the author of a review, after a moderator has looked at it."""

from urllib.parse import quote

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.payloads import ReviewItem, decode
from contracts.tasks import OutboxKind
from domain.learning.addresses import course_href
from domain.mail import ExampleCase, Mail, MailSite, Values, mail
from domain.outbox.leases import Lease
from domain.tables import Learner, Product, Review


def _example(case: ExampleCase) -> Values:
    review = {
        "author": case.name,
        "course": case.course,
        "reason": "It names another person.",
        "link": f"{case.site.origin}/user-dashboard",
    }
    return {"review": review}


@mail(
    "Author",
    {
        OutboxKind.REVIEW_PUBLISHED: "A moderator shows a review.",
        OutboxKind.REVIEW_HIDDEN: "A moderator hides a review.",
    },
    example=_example,
)
def _to_author(session: Session, lease: Lease, site: MailSite) -> Mail | None:
    """None when the review is gone, or when another decision followed."""
    columns = (Review.state, Review.hidden_reason, Learner.email, Learner.name, Product.name.label("course"))
    query = select(*columns, Product.slug).join(Learner, Learner.id == Review.learner_id)
    review_id = decode(ReviewItem, lease.body).review_id
    row = session.execute(query.join(Product, Product.id == Review.course_id).where(Review.id == review_id)).first()
    decided = "hidden" if lease.kind == OutboxKind.REVIEW_HIDDEN else "published"
    if row is None or row.state != decided:
        return None
    return_to = quote(course_href(row.slug), safe="/")
    values = {
        "author": " ".join(row.name.split()),
        "course": row.course,
        "reason": row.hidden_reason,
        # No secret: whoever follows the link signs in.
        "link": f"{site.origin}/login?returnTo={return_to}",
    }
    return Mail(row.email, {"review": values})
