"""Finds a person by what they say of themselves. There is no list of all learners: nobody browses in it."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, bindparam, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect
from domain.identity.learners import normalised_student_number
from domain.identity.names import MIN_LETTERS, has_enough_letters, with_words, word_values
from domain.orders.views.staff_list import CODE_LENGTH
from domain.tables import Learner, Order
from domain.tables.areas.person_keys import email_key
from domain.typed_codes import plain_code

MAX_HITS = 20
TOO_SHORT = f"Enter an email address, a student number, the code of an order, or {MIN_LETTERS} letters of a name."
_learners = Learner.__table__.c


class LearnerHit(NamedTuple):
    id: int
    name: str
    email: str
    student_number: str


def _hit(cells: Iterable[Any]) -> LearnerHit:
    learner_id, name, email, student_number = cells
    return LearnerHit(learner_id, name, email, student_number.upper())


def _those(condition: ColumnElement[bool]) -> PreparedSelect[LearnerHit]:
    columns = (_learners.id, _learners.name, _learners.email, _learners.student_number)
    # Accounts that were deleted have no provider any more.
    rows = select(*columns).where(condition, _learners.issuer != "").order_by(_learners.name_key, _learners.id)
    return PreparedSelect(rows.limit(MAX_HITS + 1), _hit)


_BY_EMAIL = _those(_learners.email_key == bindparam("text"))
_BY_NUMBER = _those(_learners.student_number == bindparam("text"))
_BY_CODE = _those(_learners.id.in_(select(Order.learner_id).where(Order.code == bindparam("text"))))


@lru_cache(maxsize=10)
def _by_words(count: int) -> PreparedSelect[LearnerHit]:
    return _those(with_words(count))


def find(session: Session, text: str) -> tuple[list[LearnerHit], bool]:
    """At most MAX_HITS learners, and whether there are more: by a whole email address, student number or code of an
    order, or by the beginnings of words of a name. [] for a text that names nobody so."""
    hits = _exact(session, plain_code(text))
    if not hits and "@" not in text and has_enough_letters(text):
        values = word_values(text)
        hits = _by_words(len(values) // 2).all(session, **values)
    return hits[:MAX_HITS], len(hits) > MAX_HITS


def _exact(session: Session, text: str) -> list[LearnerHit]:
    if not text:
        return []
    if "@" in text:
        return _BY_EMAIL.all(session, text=email_key(text))
    # MariaDB compares a code, which is ASCII, with nothing else.
    if len(text) == CODE_LENGTH and text.isascii():
        return _BY_CODE.all(session, text=text.upper())
    return _BY_NUMBER.all(session, text=normalised_student_number(text))
