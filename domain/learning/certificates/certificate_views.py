"""Reads certificates: the public one of a code, a learner's own, and the bits of the status lists."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Select, bindparam, case, false, select
from sqlalchemy.orm import Session, aliased

from domain.database.prepared_select import PreparedSelect, row_type
from domain.learning.certificates.issuing import is_correctable, renewable_since
from domain.learning.certificates.revoking import REASONS
from domain.learning.enrolments import is_refunded
from domain.tables import Certificate, CompletionRuleRow, Enrolment, Lesson, Product

_CertificateRow = row_type(Certificate)
State = Literal["valid", "expired", "revoked"]
# Other text is not looked up: MariaDB would ignore spaces at its end.
_CODE = re.compile(r"[A-Za-z0-9_-]{1,40}")


@dataclass(frozen=True)
class CertificateView:
    """`reason`: why it was revoked, in a sentence; "" while it is not. `can_correct_name`: once, for 30 days.
    `renewable_from`: of the learner's own alone; None where passing quizzes again gives no other one."""

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


@dataclass(frozen=True)
class _Completion:
    """A completed course. `certificate` None: not issued. `reason_before`: why the one before it was revoked.
    `is_renewed`: by passing the quizzes again, while there is access."""

    course_id: int
    completed_at: datetime
    access_until: datetime | None
    slug: str
    name: str
    reason_before: str | None
    is_renewed: bool
    certificate: Any


def _completion(cells: Iterable[Any]) -> _Completion:
    course_id, completed_at, access_until, slug, name, reason, is_renewed, *certificate = cells
    is_issued = certificate[0] is not None
    row = _CertificateRow._make(certificate) if is_issued else None
    return _Completion(course_id, completed_at, access_until, slug, name, reason, bool(is_renewed), row)


def _completions() -> Select[*tuple[Any, ...]]:
    before, certificate = Certificate.__table__.alias("earlier").c, Certificate.__table__.c
    enrolment, product, rule = Enrolment.__table__.c, Product.__table__.c, CompletionRuleRow.__table__.c
    is_before = (before.enrolment_id == certificate.enrolment_id) & (before.number == certificate.number - 1)
    return (
        select(
            enrolment.product_id,
            enrolment.completed_at,
            enrolment.access_until,
            product.slug,
            product.name,
            before.revoked_reason,
            _is_renewed().label("is_renewed"),
            *certificate,
        )
        .select_from(Enrolment.__table__)
        .join(Product.__table__, product.id == enrolment.product_id)
        .outerjoin(Certificate.__table__, certificate.enrolment_id == enrolment.id)
        .outerjoin(before.id.table, is_before)
        .outerjoin(CompletionRuleRow.__table__, rule.course_id == enrolment.product_id)
        .where(enrolment.learner_id == bindparam("learner"), enrolment.completed_at.is_not(None))
        .where(certificate.id.is_not(None) | (rule.has_certificate.is_not(False) & ~is_refunded()))
        .order_by(enrolment.completed_at.desc(), certificate.issued_at.desc(), certificate.id.desc())
    )


def _is_renewed() -> ColumnElement[bool]:
    """As domain/learning/certificates/issuing.py renews: the rule of today gives certificates with an end, and asks for
    quizzes. Only certificates with an end are looked at."""
    certificate, rule, lesson = Certificate.__table__.c, CompletionRuleRow.__table__.c, Lesson.__table__.c
    is_counted = (lesson.kind == "quiz", lesson.is_required.is_(True), lesson.withdrawn_at.is_(None))
    of_course = lesson.course_id == certificate.product_id
    has_quizzes = select(lesson.id).where(of_course, *is_counted).correlate(Certificate.__table__).exists()
    has_end = rule.has_certificate.is_(True) & rule.valid_months.is_not(None) & (rule.quizzes != "none")
    return case((certificate.expires_at.is_not(None), has_end & has_quizzes), else_=false())


_OF_LEARNER = PreparedSelect(_completions(), _completion)
_OF_COURSE = PreparedSelect(_completions().where(Enrolment.__table__.c.product_id == bindparam("course")), _completion)


def by_code(session: Session, code: str, at: datetime) -> CertificateView | None:
    """The certificate of a code, for everybody who knows it."""
    if _CODE.fullmatch(code) is None:
        return None
    row = session.execute(_certificates().where(Certificate.code == code)).first()
    return None if row is None else _view(*row, at)


def own(session: Session, learner_id: int, code: str, at: datetime) -> CertificateView | None:
    """The certificate of a code, for its holder alone."""
    if _CODE.fullmatch(code) is None:
        return None
    is_own = (Certificate.code == code, Certificate.learner_id == learner_id)
    row = session.execute(_certificates().where(*is_own)).first()
    return None if row is None else _view(*row, at)


def of_enrolment(session: Session, learner_id: int, course_id: int, at: datetime) -> CertificateView | None:
    """The newest certificate of a learner in a course."""
    issued = of_learner(session, learner_id, at, course_id).issued
    return max(issued, key=lambda view: view.number, default=None)


def of_learner(session: Session, learner_id: int, at: datetime, course_id: int | None = None) -> LearnerCertificates:
    """In one statement: the certificates of all completed courses, and the courses whose certificate needs a name.
    `course_id`: of this course alone."""
    if course_id is None:
        rows = _OF_LEARNER.all(session, learner=learner_id)
    else:
        rows = _OF_COURSE.all(session, learner=learner_id, course=course_id)
    newest: dict[int, int] = {}
    for row in rows:
        if row.certificate is not None:
            newest[row.course_id] = max(row.certificate.number, newest.get(row.course_id, 0))
    issued = (
        replace(
            _view(row.certificate, row.slug, row.reason_before, at),
            renewable_from=_renewable_from(row, at) if row.certificate.number == newest[row.course_id] else None,
        )
        for row in rows
        if row.certificate is not None
    )
    return LearnerCertificates(
        tuple(sorted(_not_replaced(issued), key=lambda view: view.issued_at, reverse=True)),
        tuple(
            UnnamedCourse(row.course_id, row.slug, row.name, row.completed_at)
            for row in rows
            if row.certificate is None
        ),
    )


def _renewable_from(row: _Completion, at: datetime) -> datetime | None:
    """From when on the newest certificate of an enrolment can be renewed; None: it cannot."""
    has_access = row.access_until is None or row.access_until > at
    if row.certificate.revoked_at is not None or not (row.is_renewed and has_access):
        return None
    held = row.certificate
    return renewable_since(held.completed_at, held.issued_at, held.expires_at)


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
        renewable_from=None,
    )


def _state(row: Certificate, at: datetime) -> State:
    if row.revoked_at is not None:
        return "revoked"
    return "expired" if row.expires_at is not None and row.expires_at <= at else "valid"
