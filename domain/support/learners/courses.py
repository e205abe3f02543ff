"""What staff change about the courses of a learner, each recorded with their reason."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.coupons.create import product_id_of
from domain.errors import InvalidInput, NotFound, Refused
from domain.learning import bundles, by_hand, grants
from domain.learning.certificates import issuing, revoking
from domain.learning.certificates.revoking import Reason
from domain.learning.gifts import storing as gift_storing
from domain.learning.gifts.storing import StaffGift
from domain.permissions import Actor
from domain.support.learners.learner_page import UNKNOWN
from domain.tables import Certificate, Enrolment, EnrolmentGrant, Learner

MAX_REASON = 500
# The reason in the column; the reason as typed is in the audit.
ENDED_BY_STAFF = "staff"


def enrol(session: Session, learner_id: int, product: str, reason: str, actor: Actor) -> bool:
    """Open a course, or those of a bundle, to a learner at no charge; `product`: its slug. False when they have all of
    it. For `Database.write_as`. Raises NotFound, InvalidInput."""
    text = required_reason(reason)
    learner = lock_person(session, learner_id)
    product_id, courses = _courses_of(session, product)
    if set(courses) <= grants.owned_ids(session, learner_id, courses, actor.at):
        recording.no_change(session)
        return False
    gift_storing.give_by_staff(session, learner, StaffGift(actor.learner_id, product_id, text), actor.at)
    subject = Subject("learner", learner_id)
    recording.record(session, "learner.enrol", subject, after={"courses": list(courses)}, reason=text)
    return True


def _courses_of(session: Session, product: str) -> tuple[int, tuple[int, ...]]:
    try:
        product_id = product_id_of(session, product.strip())
    except NotFound as error:
        raise InvalidInput({"product": str(error)}) from None
    courses = bundles.course_ids(session, product_id)
    if not courses:
        raise InvalidInput({"product": "This opens no course."})
    return product_id, courses


def end_grant(session: Session, learner_id: int, grant_id: int, reason: str, at: datetime) -> bool:
    """End one grant; the others of the same course stay. False when it has ended already. For `Database.write_as`.
    Raises NotFound, InvalidInput, Refused for one that an organisation pays for."""
    text = required_reason(reason)
    query = select(EnrolmentGrant.source, Enrolment.product_id).join(Enrolment)
    query = query.where(EnrolmentGrant.id == grant_id, Enrolment.learner_id == learner_id)
    row = session.execute(query).one_or_none()
    if row is None:
        raise NotFound("This learner has no such access.")
    if row.source == "seat":
        raise Refused("This is a seat of an organisation: its managers take it back.")
    if not grants.end_one(session, learner_id, row.product_id, grant_id, at, reason=ENDED_BY_STAFF):
        recording.no_change(session)
        return False
    about = {"grant": grant_id, "course": row.product_id}
    recording.record(session, "learner.end_access", Subject("learner", learner_id), after=about, reason=text)
    return True


def extend(  # noqa: PLR0913 whose grant, its end and why, and who changes it
    session: Session, learner_id: int, grant_id: int, until: datetime | None, actor: Actor, *, reason: str
) -> bool:
    """Another end for one grant, None: without one; the others of the same course stay. False when it has that end
    already. For `Database.write_as`. Raises NotFound, InvalidInput, Refused for one that an organisation pays for, and
    for one that was taken back."""
    text = required_reason(reason)
    columns = (EnrolmentGrant.source, EnrolmentGrant.until, Enrolment.product_id)
    query = select(*columns).join(Enrolment, Enrolment.id == EnrolmentGrant.enrolment_id)
    row = session.execute(query.where(EnrolmentGrant.id == grant_id, Enrolment.learner_id == learner_id)).one_or_none()
    if row is None:
        raise NotFound("This learner has no such access.")
    if row.source == "seat":
        raise Refused("This is a seat of an organisation: its contract says until when.")
    if until is not None and until <= actor.at:
        raise InvalidInput({"until": "Choose a time to come. To end it now, use “End access”."})
    if row.until == until:
        recording.no_change(session)
        return False
    if not grants.set_until(session, learner_id, row.product_id, grant_id, until, at=actor.at):
        raise Refused("This access was taken back. Enrol them by hand instead.")
    about = {"grant": grant_id, "course": row.product_id}
    before, after = {"until": row.until}, {"until": until or "no end", **about}
    subject = Subject("learner", learner_id)
    recording.record(session, "learner.extend_access", subject, before=before, after=after, reason=text)
    return True


def complete(session: Session, learner_id: int, course_id: int, reason: str, actor: Actor) -> datetime:
    """Complete a course for a learner; when it is completed. For `Database.write_as`. Raises NotFound and
    InvalidInput."""
    return by_hand.complete(
        session, learner_id, course_id, staff_id=actor.learner_id, reason=required_reason(reason), at=actor.at
    )


def revoke_certificate(  # noqa: PLR0913 whose and which, the public reason and that of the record
    session: Session, learner_id: int, code: str, at: datetime, *, why: Reason, reason: str
) -> bool:
    """Revoke a certificate; False when it was revoked before. `why` is what its public page says. For
    `Database.write_as`. Raises NotFound, InvalidInput."""
    text = required_reason(reason)
    is_theirs = (Certificate.code == code, Certificate.learner_id == learner_id)
    # MariaDB compares a code, which is ASCII, with nothing else.
    row = session.scalar(select(Certificate).where(*is_theirs).with_for_update()) if code.isascii() else None
    if row is None:
        raise NotFound("This learner has no such certificate.")
    if row.revoked_at is not None:
        recording.no_change(session)
        return False
    revoking.revoke(session, code, why, at)
    about = {"certificate": row.id, "course": row.product_id, "why": why}
    recording.record(session, "certificate.revoke", Subject("learner", learner_id), after=about, reason=text)
    return True


def revoke_by_code(session: Session, code: str, at: datetime, *, why: Reason, reason: str) -> bool:
    """As `revoke_certificate`, of whomever it is."""
    learner_id = (
        session.scalar(select(Certificate.learner_id).where(Certificate.code == code)) if code.isascii() else None
    )
    if learner_id is None:
        raise NotFound("There is no certificate with this code.")
    return revoke_certificate(session, learner_id, code, at, why=why, reason=reason)


def correct_certificate(  # noqa: PLR0913 whose and which, the name and the reason
    session: Session, learner_id: int, code: str, actor: Actor, *, name: str, reason: str
) -> bool:
    """Replace a certificate by one with another name, for whoever can no longer do so; False when it has the name
    already. For `Database.write_as`. Raises NotFound, InvalidInput, and Refused for one that was revoked."""
    text = required_reason(reason)
    lock_person(session, learner_id)
    replaced = issuing.correct_by_staff(session, learner_id, code, name, actor.at)
    if replaced is None:
        recording.no_change(session)
        return False
    wrong, right = replaced
    # Without the names: the record is for good, and a name may have to go.
    before, after = {"certificate": wrong.id}, {"certificate": right.id, "course": right.product_id}
    subject = Subject("learner", learner_id)
    recording.record(session, "certificate.correct_name", subject, before=before, after=after, reason=text)
    return True


def required_reason(reason: str) -> str:
    """On one line. Raises InvalidInput without one."""
    text = " ".join(reason.split())
    if not 0 < len(text) <= MAX_REASON:
        raise InvalidInput({"reason": f"Give a reason in at most {MAX_REASON} characters."})
    return text


def lock_person(session: Session, learner_id: int) -> Learner:
    """Raises NotFound, also for an account that was deleted."""
    query = select(Learner).where(Learner.id == learner_id, Learner.issuer != "").with_for_update()
    learner = session.scalars(query, execution_options={"populate_existing": True}).one_or_none()
    if learner is None:
        raise NotFound(UNKNOWN)
    return learner
