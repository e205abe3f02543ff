"""Issues certificates: with the completion of a course, with a name given later, corrected, or renewed.

Every function needs the enrolment locked, or locks it: two certificates of one enrolment cannot have one number.
"""

import calendar
import secrets
import unicodedata
from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from contracts.payloads import CertificateItem
from contracts.tasks import OutboxKind
from domain import outbox
from domain.errors import InvalidInput, NotFound, Refused
from domain.learning import outline
from domain.learning.completion import CompletionRule, describe_rule
from domain.learning.grants import locked_enrolment
from domain.tables import Certificate, Course, Enrolment, Learner, Product

MAX_NAME = 120
# The holder may correct the name once, for this long after the issue.
CORRECTION = timedelta(days=30)
# A certificate with an end can be renewed from this long before it.
RENEWAL = timedelta(days=90)
# 16 bytes as URL-safe text are 22 characters.
_CODE_BYTES = 16
NOT_YET = "This course has no certificate for you yet."
FINAL = "The name on this certificate can no longer be changed here. Please write to us."


def issue_on_completion(session: Session, enrolment: Enrolment, rule: CompletionRule, at: datetime) -> None:
    """Issue the first certificate of a locked, completed enrolment, where the rule has one. A learner without a name is
    asked for it (`put_name`). A second call changes nothing."""
    learner = session.get_one(Learner, enrolment.learner_id)
    name = " ".join(learner.name.split())
    if rule.has_certificate and name and _newest(session, enrolment.id) is None:
        _issue(session, enrolment, rule, name, at)


def put_name(session: Session, learner_id: int, course_id: int, name: str, at: datetime) -> Certificate:
    """The certificate with this name: issued now where the name was missing, else corrected. The same name again
    changes nothing. Raises InvalidInput, NotFound without a completion, and Refused for a second or late correction."""
    name = checked_name(name)
    enrolment = locked_enrolment(session, learner_id, course_id)
    if enrolment is None or enrolment.completed_at is None:
        raise NotFound(NOT_YET)
    newest = _newest(session, enrolment.id)
    if newest is not None:
        is_same = newest.holder_name == name and newest.revoked_at is None
        return newest if is_same else _correct(session, newest, name, at)
    rule = outline.rule_of(session, course_id)
    if not rule.has_certificate:
        raise NotFound(NOT_YET)
    return _issue(session, enrolment, rule, name, at)


def checked_name(name: str) -> str:
    """One line without control characters. Raises InvalidInput."""
    name = unicodedata.normalize("NFC", " ".join(name.split()))
    if not any(char.isalpha() for char in name):
        raise InvalidInput({"name": "Enter the name that the certificate shall carry."})
    # Overrides of the direction could make a name look like another one.
    if any(unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs") and char not in "\u200c\u200d" for char in name):
        raise InvalidInput({"name": "The name contains a character that cannot be printed."})
    if len(name) > MAX_NAME:
        raise InvalidInput({"name": f"Use at most {MAX_NAME} characters."})
    return name


def renew_if_passed_again(
    session: Session, enrolment: Enrolment, rule: CompletionRule, passed_at: Collection[datetime | None], at: datetime
) -> Certificate | None:
    """The next certificate of a locked enrolment, once every quiz that the rule counts was passed again since RENEWAL
    before the end of the last one. `passed_at`: of each of these quizzes the last pass, None for none."""
    last = _newest(session, enrolment.id)
    if last is None or last.revoked_at is not None or last.expires_at is None or not rule.has_certificate:
        return None
    since = last.expires_at - RENEWAL
    if at < since or not passed_at or any(passed is None or passed < since for passed in passed_at):
        return None
    return _issue(session, enrolment, rule, last.holder_name, at, number=last.number + 1, completed_at=at)


def is_correctable(certificate: Certificate, *, is_correction: bool, at: datetime) -> bool:
    """`is_correction`: it took the place of one with a wrong name."""
    return certificate.revoked_at is None and not is_correction and at < certificate.issued_at + CORRECTION


def _correct(session: Session, wrong: Certificate, name: str, at: datetime) -> Certificate:
    """A new code for the same completion; the code with the wrong name is revoked."""
    before = select(Certificate.revoked_reason).where(
        Certificate.enrolment_id == wrong.enrolment_id, Certificate.number == wrong.number - 1
    )
    is_correction = session.scalar(before) == "replaced"
    if not is_correctable(wrong, is_correction=is_correction, at=at):
        raise Refused(FINAL)
    wrong.revoked_at, wrong.revoked_reason = at, "replaced"
    unchanged = ("enrolment_id", "learner_id", "product_id", "course_name", "credits", "minutes", "rule_text")
    facts = {field: getattr(wrong, field) for field in (*unchanged, "completed_at", "expires_at")}
    return _add(session, Certificate(**facts, number=wrong.number + 1, holder_name=name, issued_at=at), at)


def _issue(  # noqa: PLR0913 what a certificate says
    session: Session,
    enrolment: Enrolment,
    rule: CompletionRule,
    name: str,
    at: datetime,
    *,
    number: int = 1,
    completed_at: datetime | None = None,
) -> Certificate:
    product = session.get_one(Product, enrolment.product_id)
    completed_at = completed_at or enrolment.completed_at or at
    return _add(
        session,
        Certificate(
            enrolment_id=enrolment.id,
            learner_id=enrolment.learner_id,
            product_id=product.id,
            number=number,
            holder_name=name[:MAX_NAME],
            course_name=product.name,
            credits=session.scalar(select(Course.credits).where(Course.id == product.id)),
            minutes=product.duration_min or 0,
            rule_text=describe_rule(rule, outline.outline_of(session, product.id)),
            completed_at=completed_at,
            issued_at=at,
            expires_at=None if rule.valid_months is None else months_after(completed_at, rule.valid_months),
        ),
        at,
    )


def _add(session: Session, certificate: Certificate, at: datetime) -> Certificate:
    certificate.code = secrets.token_urlsafe(_CODE_BYTES)
    session.add(certificate)
    session.flush()
    # Ids are never used twice, so that no bit of the status lists is either.
    certificate.status_index = certificate.id
    session.flush()
    outbox.enqueue(session, OutboxKind.CERTIFICATE_ISSUED, CertificateItem(certificate_id=certificate.id), at)
    return certificate


def _newest(session: Session, enrolment_id: int) -> Certificate | None:
    """Locking reads the newest row, which MariaDB's snapshot may lack."""
    newest = select(func.max(Certificate.number)).where(Certificate.enrolment_id == enrolment_id).scalar_subquery()
    query = select(Certificate).where(Certificate.enrolment_id == enrolment_id, Certificate.number == newest)
    return session.scalar(query.with_for_update().execution_options(populate_existing=True))


def months_after(at: datetime, months: int) -> datetime:
    """The same day and time so many months later, or the last day of a shorter month."""
    year, month = divmod(at.year * 12 + at.month - 1 + months, 12)
    return at.replace(year=year, month=month + 1, day=min(at.day, calendar.monthrange(year, month + 1)[1]))
