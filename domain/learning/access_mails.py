"""Mails to learners about their access: that courses were opened to them, that it ends soon, and that a course ends for
everybody, or stays after all."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.payloads import AccessEndItem, EnrolledItem, decode
from contracts.tasks import OutboxKind
from domain.display_text import day_text
from domain.learning.addresses import begin_href, course_href, next_href
from domain.mail import ExampleCase, Mail, MailSite, Values, mail
from domain.outbox.leases import Lease
from domain.tables import CourseClosure, Enrolment, EnrolmentGrant, Gift, Learner, Product


def _example(case: ExampleCase) -> Values:
    home = f"{case.site.origin}/user-dashboard"
    first = {"name": case.course, "link": f"{home}?course=1"}
    courses = [first] if case.is_bare else [first, {"name": "Statistics", "link": f"{home}?course=2"}]
    access = {
        "name": case.name,
        "course": case.course,
        "courses": courses,
        "count": len(courses),
        "begin": home,
        "link": home,
        "until": "" if case.source == "gift" else case.day(30),
        "source": case.source,
        # What staff wrote when they opened the course, or why it is closed.
        "reason": "" if case.is_bare else "As we agreed on the telephone.",
    }
    return {"access": access}


@mail("Learner", {OutboxKind.ENROLLED: "A seat, a gift or staff open courses."}, example=_example)
def _enrolled(session: Session, lease: Lease, site: MailSite) -> Mail | None:
    """None when the access has ended meanwhile."""
    item = decode(EnrolledItem, lease.body)
    query = (
        select(Enrolment.learner_id, Enrolment.access_until, Product.name, Product.slug)
        .join(EnrolmentGrant, EnrolmentGrant.enrolment_id == Enrolment.id)
        .join(Product, Product.id == Enrolment.product_id)
        .where(EnrolmentGrant.source == item.source, EnrolmentGrant.source_id == item.source_id)
        .where(EnrolmentGrant.ended_at.is_(None))
        .order_by(Product.name, Product.id)
    )
    rows = session.execute(query).all()
    if not rows:
        return None
    values = {
        "begin": site.origin + begin_href([row.slug for row in rows]),
        "courses": [{"name": row.name, "link": site.origin + next_href(row.slug)} for row in rows],
        "course": rows[0].name,
        "count": len(rows),
        "until": _common_end([row.access_until for row in rows], site.locale),
        **_why(session, item),
    }
    return _to_learner(session, rows[0].learner_id, values)


def _common_end(ends: list[datetime | None], locale: str) -> str:
    """The day on which the access ends, where all courses have the same; else ""."""
    first = ends[0]
    return day_text(first, locale) if first is not None and set(ends) == {first} else ""


def _why(session: Session, item: EnrolledItem) -> dict[str, str]:
    """`source`: seat, gift or staff. `reason`: what staff wrote."""
    if item.source != "gift":
        return {"source": item.source, "reason": ""}
    gift = session.get(Gift, item.source_id)
    is_by_staff = gift is not None and gift.order_line_id is None
    return {"source": "staff" if is_by_staff else "gift", "reason": gift.message if gift and is_by_staff else ""}


@mail(
    "Learner",
    {
        OutboxKind.ACCESS_ENDS: "Access to a course ends soon.",
        OutboxKind.COURSE_CLOSES: "A course is to be closed for everybody.",
        OutboxKind.COURSE_STAYS: "A course that was to be closed stays.",
    },
    example=_example,
)
def _of_enrolment(session: Session, lease: Lease, site: MailSite) -> Mail | None:
    """`until`: the end that is told, or that was and does not come. None when the access has changed meanwhile."""
    item = decode(AccessEndItem, lease.body)
    until = datetime.fromisoformat(item.until)
    enrolment = session.get(Enrolment, item.enrolment_id)
    # Who is told that a course stays had another end before, and has it again.
    if enrolment is None or (enrolment.access_until == until) is (lease.kind == OutboxKind.COURSE_STAYS):
        return None
    product = session.get_one(Product, enrolment.product_id)
    closure = session.get(CourseClosure, product.id)
    if lease.kind == OutboxKind.COURSE_STAYS and closure is not None and closure.cancelled_at is None:
        return None
    values = {
        **{
            "course": product.name,
            "link": site.origin + course_href(product.slug),
            "until": day_text(until, site.locale),
        },
        "reason": "" if closure is None else closure.reason,
    }
    return _to_learner(session, enrolment.learner_id, values)


def _to_learner(session: Session, learner_id: int, values: Mapping[str, Any]) -> Mail:
    learner = session.get_one(Learner, learner_id)
    return Mail(learner.email, {"access": {**values, "name": " ".join(learner.name.split())}})
