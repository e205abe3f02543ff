"""Revokes certificates. A revoked one is still found under its code, which says why."""

from collections.abc import Collection
from datetime import datetime
from typing import Literal

from sqlalchemy import ColumnElement, exists, or_, select, update
from sqlalchemy.orm import Session

from contracts.payloads import CertificateItem
from contracts.tasks import OutboxKind
from domain.errors import NotFound
from domain.outbox import queue as outbox_queue
from domain.tables import Certificate, Enrolment, EnrolmentGrant, Gift

Reason = Literal["refunded", "fraud", "replaced", "holder"]
# What the public page says, by reason.
REASONS: dict[str, str] = {
    "refunded": "It was revoked because the course was refunded.",
    "fraud": "It was revoked because it was obtained by deception.",
    "replaced": "It was replaced by a certificate with a corrected name, which has another code.",
    "holder": "It was revoked at the wish of its holder.",
}


def revoke(session: Session, code: str, reason: Reason, at: datetime) -> None:
    """Revoke a certificate, and tell its holder by mail. Revoking again changes nothing. Raises NotFound."""
    certificate = session.scalar(select(Certificate).where(Certificate.code == code).with_for_update())
    if certificate is None:
        raise NotFound("There is no certificate with this code.")
    if certificate.revoked_at is None:
        certificate.revoked_at, certificate.revoked_reason = at, reason
        session.flush()
        outbox_queue.enqueue(
            session, OutboxKind.CERTIFICATE_REVOKED, CertificateItem(certificate_id=certificate.id), at
        )


def revoke_refunded(session: Session, line_ids: Collection[int], at: datetime) -> None:
    """After the grants of refunded lines ended: revoke the certificates of courses to which the learner has no access
    any more. Another grant keeps both."""
    has_ended = (Enrolment.access_until.is_not(None), Enrolment.access_until <= at)
    enrolments = list(session.scalars(select(Enrolment.id).where(_opened_by(line_ids), *has_ended))) if line_ids else []
    if enrolments:
        _revoke_all(session, Certificate.enrolment_id.in_(enrolments), "refunded", at)


def restore_refunded(session: Session, line_ids: Collection[int], at: datetime) -> None:
    """After the lines were given again, because their money came back: the certificates that were revoked with their
    access are valid again."""
    has_access = or_(Enrolment.access_until.is_(None), Enrolment.access_until > at)
    enrolments = list(session.scalars(select(Enrolment.id).where(_opened_by(line_ids), has_access))) if line_ids else []
    is_refunded = (Certificate.enrolment_id.in_(enrolments), Certificate.revoked_reason == "refunded")
    if enrolments:
        session.execute(update(Certificate).where(*is_refunded).values(revoked_at=None, revoked_reason=""))


def _opened_by(line_ids: Collection[int]) -> ColumnElement[bool]:
    """Enrolments that these lines of orders opened, to their buyers or by gifts."""
    gifts = select(Gift.id).where(Gift.order_line_id.in_(line_ids))
    was_bought = (EnrolmentGrant.source == "order") & EnrolmentGrant.source_id.in_(line_ids)
    was_received = (EnrolmentGrant.source == "gift") & EnrolmentGrant.source_id.in_(gifts)
    return exists().where(EnrolmentGrant.enrolment_id == Enrolment.id, was_bought | was_received)


def erase_of_account(session: Session, learner_id: int, at: datetime) -> None:
    """Revoke all certificates of a person who deletes their account, and remove the name from them."""
    _revoke_all(session, Certificate.learner_id == learner_id, "holder", at)
    named = update(Certificate).where(Certificate.learner_id == learner_id, Certificate.holder_name != "")
    session.execute(named.values(holder_name=""))


def _revoke_all(session: Session, condition: ColumnElement[bool], reason: Reason, at: datetime) -> None:
    valid = update(Certificate).where(condition, Certificate.revoked_at.is_(None))
    session.execute(valid.values(revoked_at=at, revoked_reason=reason))
