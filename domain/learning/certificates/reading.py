"""Reads certificates: the public one of a code, a learner's own, and the bits of the status lists."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.orm import Session, aliased

from domain.learning.certificates.issuing import RENEWAL, is_correctable
from domain.learning.certificates.revoking import REASONS
from domain.tables import Certificate, CompletionRuleRow, Enrolment, Product

State = Literal["valid", "expired", "revoked"]
# Other text is not looked up: MariaDB would ignore spaces at its end.
_CODE = re.compile(r"[A-Za-z0-9_-]{1,40}")


@dataclass(frozen=True)
class CertificateView:
    """`reason`: why it was revoked, in a sentence; "" while it is not. `can_correct_name`: once, for 30 days.
    `renewable_from`: None without an end."""

    code: str
    number: int
    course_id: int
    course_slug: str
    course_name: str
    holder_name: str
    credits: float | None
    minutes: int
    rule_text: str
    completed_at: datetime
    issued_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    reason: str
    status_index: int
    state: State
    can_correct_name: bool
    renewable_from: datetime | None


@dataclass(frozen=True)
class UnnamedCourse:
    """A completed course whose certificate waits for the learner's name."""

    course_id: int
    course_slug: str
    course_name: str
    completed_at: datetime


@dataclass(frozen=True)
class LearnerCertificates:
    """The newest first, without those that a correction replaced."""

    issued: tuple[CertificateView, ...]
    unnamed: tuple[UnnamedCourse, ...]


def by_code(session: Session, code: str, at: datetime) -> CertificateView | None:
    """The certificate of a code, for everybody who knows it."""
    if _CODE.fullmatch(code) is None:
        return None
    row = session.execute(_certificates().where(Certificate.code == code)).first()
    return None if row is None else _view(*row, at)


def own(session: Session, learner_id: int, code: str, at: datetime) -> CertificateView | None:
    """The same for its holder alone."""
    if _CODE.fullmatch(code) is None:
        return None
    is_own = (Certificate.code == code, Certificate.learner_id == learner_id)
    row = session.execute(_certificates().where(*is_own)).first()
    return None if row is None else _view(*row, at)


def of_enrolment(session: Session, learner_id: int, course_id: int, at: datetime) -> CertificateView | None:
    """The newest certificate of a learner in a course."""
    query = _certificates().where(Certificate.learner_id == learner_id, Certificate.product_id == course_id)
    row = session.execute(query.order_by(Certificate.number.desc()).limit(1)).first()
    return None if row is None else _view(*row, at)


def of_learner(session: Session, learner_id: int, at: datetime, course_id: int | None = None) -> LearnerCertificates:
    """In one statement: the certificates of all completed courses, and the courses whose certificate needs a name.
    `course_id`: of this course alone."""
    before = aliased(Certificate)
    query = (
        select(Certificate, Product.slug, before.revoked_reason, Enrolment, Product.name)
        .select_from(Enrolment)
        .join(Product, Product.id == Enrolment.product_id)
        .outerjoin(Certificate, Certificate.enrolment_id == Enrolment.id)
        .outerjoin(before, _is_before(before))
        .outerjoin(CompletionRuleRow, CompletionRuleRow.course_id == Enrolment.product_id)
        .where(
            Enrolment.learner_id == learner_id,
            Enrolment.completed_at.is_not(None),
            Certificate.id.is_not(None) | CompletionRuleRow.has_certificate.is_not(False),
        )
        .where(*(() if course_id is None else (Enrolment.product_id == course_id,)))
        .order_by(Enrolment.completed_at.desc(), Certificate.issued_at.desc(), Certificate.id.desc())
    )
    rows = session.execute(query).all()
    issued = (_view(row[0], row[1], row[2], at) for row in rows if row[0] is not None)
    return LearnerCertificates(
        tuple(sorted(_not_replaced(issued), key=lambda view: view.issued_at, reverse=True)),
        tuple(
            UnnamedCourse(enrolment.product_id, slug, name, enrolment.completed_at or at)
            for certificate, slug, _, enrolment, name in rows
            if certificate is None
        ),
    )


def revoked_indexes(session: Session, first: int, size: int) -> list[int] | None:
    """The status indexes of revoked certificates, from `first` on, among `size` of them; None: none is that far."""
    is_listed = (Certificate.status_index >= first, Certificate.status_index < first + size)
    query = select(Certificate.status_index).where(*is_listed, Certificate.revoked_at.is_not(None))
    revoked = [index for index in session.scalars(query) if index is not None]
    if revoked or session.scalar(select(Certificate.id).where(Certificate.status_index >= first).limit(1)):
        return revoked
    return None


def _certificates() -> Select[Certificate, str, str]:
    before = aliased(Certificate)
    columns = select(Certificate, Product.slug, before.revoked_reason)
    return columns.join(Product, Product.id == Certificate.product_id).outerjoin(before, _is_before(before))


def _is_before(before: type[Certificate]) -> ColumnElement[bool]:
    return (before.enrolment_id == Certificate.enrolment_id) & (before.number == Certificate.number - 1)


def _not_replaced(views: Iterable[CertificateView]) -> Iterable[CertificateView]:
    return (view for view in views if view.reason != REASONS["replaced"])


def _view(row: Certificate, slug: str, reason_before: str | None, at: datetime) -> CertificateView:
    return CertificateView(
        code=row.code,
        number=row.number,
        course_id=row.product_id,
        course_slug=slug,
        course_name=row.course_name,
        holder_name=row.holder_name,
        credits=None if row.credits is None else float(row.credits),
        minutes=row.minutes,
        rule_text=row.rule_text,
        completed_at=row.completed_at,
        issued_at=row.issued_at,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        reason=REASONS.get(row.revoked_reason, ""),
        status_index=row.status_index or row.id,
        state=_state(row, at),
        can_correct_name=is_correctable(row, is_correction=reason_before == "replaced", at=at),
        renewable_from=None if row.expires_at is None else row.expires_at - RENEWAL,
    )


def _state(row: Certificate, at: datetime) -> State:
    if row.revoked_at is not None:
        return "revoked"
    return "expired" if row.expires_at is not None and row.expires_at <= at else "valid"
