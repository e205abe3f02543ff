"""Issues certificates: with the completion of a course, with a name given later, corrected, or renewed.

Every function needs the enrolment locked, or locks it: two certificates of one enrolment cannot have one number.
"""

import calendar
import secrets
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, cast

from sqlalchemy import Table, func, insert, select, update
from sqlalchemy.orm import Session

from contracts.payloads import CertificateItem
from contracts.tasks import OutboxKind
from domain.errors import InvalidInput, NotFound, Refused
from domain.identity import learners
from domain.learning import outline
from domain.learning.completion import CompletionRule, describe_rule
from domain.learning.enrolments import is_refunded, locked_enrolment
from domain.locales import DEFAULT_LOCALE
from domain.outbox import queue as outbox_queue
from domain.tables import Certificate, Course, Enrolment, Learner, Product

MAX_NAME = 120
# The holder may correct the name once, for this long after the issue.
CORRECTION = timedelta(days=30)
# A certificate with an end can be renewed from this long before it (`renewable_since`).
RENEWAL = timedelta(days=90)
# 16 bytes as URL-safe text are 22 characters.
_CODE_BYTES = 16
# Without ORM objects, which cost several times what the row does: a recount issues hundreds in one transaction.
_TABLE = cast(Table, Certificate.__table__)
NOT_YET = "This course has no certificate for you yet."
FINAL = "The name on this certificate can no longer be changed here. Please write to us."
OVER = "This certificate was revoked or replaced: choose the one that counts now."


@dataclass(frozen=True)
class _CourseFacts:
    """What all certificates of a course say that are issued at one time."""

    rule: CompletionRule
    rule_text: str
    name: str
    minutes: int
    credits: Decimal | None


def issue(
    session: Session,
    enrolments: Collection[Enrolment],
    rule: CompletionRule,
    at: datetime,
    *,
    is_locking: bool = False,
) -> None:
    """Issue what locked, completed enrolments of one course are due, where the rule has certificates: the first one, or
    the next after a refund took it and access came back. In so many statements, however many they are. Learners without
    a name are asked for it (`put_name`). A second call changes nothing. `is_locking`: as `_due`."""
    completed = {row.id: row for row in enrolments if row.completed_at is not None}
    if not completed or not rule.has_certificate:
        return
    names = _names(session, [row.learner_id for row in completed.values()])
    numbers = _due(session, completed, is_locking=is_locking)
    waiting = [(completed[key], number) for key, number in numbers.items() if names[completed[key].learner_id]]
    if waiting:
        course = _course_facts(session, waiting[0][0].product_id, rule)
        rows = [_row(enrolment, course, names[enrolment.learner_id], at, number) for enrolment, number in waiting]
        _insert(session, rows, at)


def put_name(session: Session, learner_id: int, course_id: int, name: str, at: datetime) -> Certificate:
    """The certificate with this name: issued now where the name was missing, else corrected. The same name again
    changes nothing. Raises InvalidInput, NotFound without a completion and after a refund, and Refused for a second or
    late correction."""
    name = checked_name(name)
    learners.lock_account(session, learner_id)
    enrolment = locked_enrolment(session, learner_id, course_id)
    if enrolment is None or enrolment.completed_at is None:
        raise NotFound(NOT_YET)
    newest = _newest(session, enrolment.id)
    number = _due(session, [enrolment.id]).get(enrolment.id)
    if number is None and newest is not None:
        is_same = newest.holder_name == name and newest.revoked_at is None
        return newest if is_same else _correct(session, newest, name, at)
    rule = outline.rule_of(session, course_id)
    if number is None or not rule.has_certificate:
        raise NotFound(NOT_YET)
    return _add(session, _row(enrolment, _course_facts(session, course_id, rule), name, at, number), at)


def _due(session: Session, enrolment_ids: Collection[int], *, is_locking: bool = False) -> dict[int, int]:
    """By completed enrolment, in the order of their ids, the number of the certificate that it is due now: those that
    have none, or lost it by a refund, and are not refunded. `is_locking`: reads the newest certificates also where
    MariaDB's snapshot is older than the locks of the enrolments."""
    refunded = set(session.scalars(select(Enrolment.id).where(Enrolment.id.in_(enrolment_ids), is_refunded())))
    issued = select(Certificate.enrolment_id, Certificate.number, Certificate.revoked_reason)
    issued = issued.where(Certificate.enrolment_id.in_(enrolment_ids)).order_by(Certificate.number)
    rows = session.execute(issued.with_for_update() if is_locking else issued)
    newest = {row.enrolment_id: row for row in rows}
    due = {key: newest[key].number + 1 if key in newest else 1 for key in sorted(enrolment_ids)}
    held = {key for key, row in newest.items() if row.revoked_reason != "refunded"}
    return {key: number for key, number in due.items() if key not in refunded | held}


def correct_by_staff(
    session: Session, learner_id: int, code: str, name: str, at: datetime
) -> tuple[Certificate, Certificate] | None:
    """The certificate with the wrong name, and the one that takes its place: at any time, and again. None when it has
    this name already. Raises InvalidInput, NotFound, and Refused for one that was revoked."""
    name = checked_name(name)
    is_theirs = (Certificate.code == code, Certificate.learner_id == learner_id)
    # MariaDB compares a code, which is ASCII, with nothing else.
    course_id = session.scalar(select(Certificate.product_id).where(*is_theirs)) if code.isascii() else None
    enrolment = None if course_id is None else locked_enrolment(session, learner_id, course_id)
    if enrolment is None:
        raise NotFound("This learner has no such certificate.")
    newest = _newest(session, enrolment.id)
    if newest is None or newest.code != code or newest.revoked_at is not None:
        raise Refused(OVER)
    return None if newest.holder_name == name else (newest, _replace(session, newest, name, at))


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
    """The next certificate of a locked enrolment, once every quiz that the rule counts was passed again since the last
    one can be renewed (`renewable_since`). `passed_at`: of each of these quizzes the last pass, None for none."""
    last = _newest(session, enrolment.id)
    if last is None or last.revoked_at is not None or last.expires_at is None or not rule.has_certificate:
        return None
    since = renewable_since(last.completed_at, last.issued_at, last.expires_at)
    if at < since or not passed_at or any(passed is None or passed < since for passed in passed_at):
        return None
    course = _course_facts(session, enrolment.product_id, rule)
    again = {"completed_at": at, "expires_at": _end(rule, at)}
    return _add(session, {**_row(enrolment, course, last.holder_name, at, last.number + 1), **again}, at)


def renewable_since(completed_at: datetime, issued_at: datetime, expires_at: datetime) -> datetime:
    """From when on passes renew a certificate: in its last RENEWAL, of a short one in its second half, and never those
    from before it was issued."""
    half = completed_at + (expires_at - completed_at) / 2
    return max(expires_at - RENEWAL, half, issued_at)


def is_correctable(certificate: Certificate, *, is_correction: bool, at: datetime) -> bool:
    """`is_correction`: it took the place of one with a wrong name."""
    return certificate.revoked_at is None and not is_correction and at < certificate.issued_at + CORRECTION


def _correct(session: Session, wrong: Certificate, name: str, at: datetime) -> Certificate:
    """Raises Refused for a second correction, and for a late one."""
    before = select(Certificate.revoked_reason).where(
        Certificate.enrolment_id == wrong.enrolment_id, Certificate.number == wrong.number - 1
    )
    is_correction = session.scalar(before) == "replaced"
    if not is_correctable(wrong, is_correction=is_correction, at=at):
        raise Refused(FINAL)
    return _replace(session, wrong, name, at)


def _replace(session: Session, wrong: Certificate, name: str, at: datetime) -> Certificate:
    """A new code for the same completion; the code with the wrong name is revoked."""
    wrong.revoked_at, wrong.revoked_reason = at, "replaced"
    unchanged = ("enrolment_id", "learner_id", "product_id", "course_name", "credits", "minutes", "rule_text")
    facts = {field: getattr(wrong, field) for field in (*unchanged, "completed_at", "expires_at")}
    return _add(session, {**facts, "number": wrong.number + 1, "holder_name": name, "issued_at": at}, at)


def _names(session: Session, learner_ids: Collection[int]) -> dict[int, str]:
    query = select(Learner.id, Learner.name).where(Learner.id.in_(learner_ids))
    return {learner_id: " ".join(name.split()) for learner_id, name in session.execute(query)}


def _course_facts(session: Session, course_id: int, rule: CompletionRule) -> _CourseFacts:
    query = select(Product.name, Product.duration_min, Course.credits).outerjoin(Course, Course.id == Product.id)
    row = session.execute(query.where(Product.id == course_id)).one()
    # It is printed too, and the typeface of documents has the digits of few scripts.
    text = describe_rule(rule, outline.outline_of(session, course_id), DEFAULT_LOCALE)
    return _CourseFacts(rule, text, row.name, row.duration_min or 0, row.credits)


def _row(enrolment: Enrolment, course: _CourseFacts, name: str, at: datetime, number: int = 1) -> dict[str, Any]:
    """A certificate of the enrolment's completion, without its code."""
    completed_at = enrolment.completed_at or at
    return {
        "enrolment_id": enrolment.id,
        "learner_id": enrolment.learner_id,
        "product_id": enrolment.product_id,
        "number": number,
        "holder_name": name[:MAX_NAME],
        "course_name": course.name,
        "credits": course.credits,
        "minutes": course.minutes,
        "rule_text": course.rule_text,
        "completed_at": completed_at,
        "issued_at": at,
        "expires_at": _end(course.rule, completed_at),
    }


def _end(rule: CompletionRule, completed_at: datetime) -> datetime | None:
    return None if rule.valid_months is None else months_after(completed_at, rule.valid_months)


def _add(session: Session, row: dict[str, Any], at: datetime) -> Certificate:
    [code] = _insert(session, [row], at)
    return session.scalars(select(Certificate).where(Certificate.code == code)).one()


def _insert(session: Session, rows: Sequence[dict[str, Any]], at: datetime) -> list[str]:
    """Store certificates, each with a new code, and the rows of their mails; returns the codes."""
    codes = [secrets.token_urlsafe(_CODE_BYTES) for _ in rows]
    session.execute(insert(_TABLE), [{**row, "code": code} for row, code in zip(rows, codes, strict=True)])
    is_new = _TABLE.c.code.in_(codes)
    # Ids are never used twice, so that no bit of the status lists is either.
    session.execute(update(_TABLE).where(is_new).values(status_index=_TABLE.c.id))
    ids = session.scalars(select(_TABLE.c.id).where(is_new).order_by(_TABLE.c.id))
    mails = [CertificateItem(certificate_id=certificate_id) for certificate_id in ids]
    outbox_queue.enqueue_all(session, OutboxKind.CERTIFICATE_ISSUED, mails, at)
    return codes


def _newest(session: Session, enrolment_id: int) -> Certificate | None:
    """The newest certificate of an enrolment, locked: a locking read sees the newest row, which MariaDB's snapshot may
    lack."""
    newest = select(func.max(Certificate.number)).where(Certificate.enrolment_id == enrolment_id).scalar_subquery()
    query = select(Certificate).where(Certificate.enrolment_id == enrolment_id, Certificate.number == newest)
    return session.scalar(query.with_for_update().execution_options(populate_existing=True))


def months_after(at: datetime, months: int) -> datetime:
    """So many months later on the same day of the month, or on the last day of a shorter month, at the same time."""
    year, month = divmod(at.year * 12 + at.month - 1 + months, 12)
    return at.replace(year=year, month=month + 1, day=min(at.day, calendar.monthrange(year, month + 1)[1]))
