"""What others need of enrolments: which products a learner has access to, rows locked, and whether something that
happened counts. Access itself is written by domain/learning/grants.py alone."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Integer, bindparam, func, or_, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect, first_number
from domain.tables import Enrolment, EnrolmentGrant, Learner

# What happened while a learner had access is stored for so long after its end: a browser may have been offline.
ACCEPTED = timedelta(days=30)
# The browser gets all owned products with its session: more would make that response large.
MAX_OWNED = 2000

_enrolments = Enrolment.__table__.c
_has_access = or_(_enrolments.access_until.is_(None), _enrolments.access_until > bindparam("at"))
# The products that a learner has access to; parameters "learner" and "at".
OWNED = select(_enrolments.product_id).where(_enrolments.learner_id == bindparam("learner"), _has_access)
_NEWEST_OWNED = PreparedSelect(
    OWNED.order_by(_enrolments.id.desc()).limit(bindparam("most", type_=Integer)), first_number
)
# The products that a learner has access to, as a column of a statement about learners: their ids, separated by commas,
# for `all_owned_ids`. The statement's parameter "at" is the time.
OWNED_TEXT = (
    select(func.group_concat(_enrolments.product_id))
    .where(_enrolments.learner_id == Learner.__table__.c.id, _has_access)
    .correlate(Learner.__table__)
    .scalar_subquery()
    .label("owned")
)


def all_owned_ids(session: Session, learner_id: int, text: str | None, at: datetime) -> tuple[int, ...]:
    """The products that the learner has access to, the newest MAX_OWNED of them. `text`: their OWNED_TEXT."""
    found = [*map(int, text.split(","))] if text else []
    # Hardly anybody has so many.
    if len(found) > MAX_OWNED:
        found = _NEWEST_OWNED.all(session, learner=learner_id, at=at, most=MAX_OWNED)
    return tuple(found)


def locked_enrolments(session: Session, learner_id: int, product_ids: Collection[int]) -> Sequence[Enrolment]:
    """The learner's enrolments in these courses, locked in the courses' order until the end of the transaction."""
    query = select(Enrolment).where(Enrolment.learner_id == learner_id, Enrolment.product_id.in_(product_ids))
    newest = query.order_by(Enrolment.product_id).with_for_update().execution_options(populate_existing=True)
    return session.scalars(newest).all()


def locked_enrolment(session: Session, learner_id: int, course_id: int) -> Enrolment | None:
    """The enrolment, locked until the end of the transaction; None where the learner never had the course."""
    return next(iter(locked_enrolments(session, learner_id, (course_id,))), None)


def has_access(enrolment: Enrolment, at: datetime) -> bool:
    return enrolment.access_until is None or enrolment.access_until > at


def is_accepted(enrolment: Enrolment, happened_at: datetime, now: datetime) -> bool:
    """Whether something that the learner did at a time counts: they have access, or had it then and not long ago."""
    until = enrolment.access_until
    if until is None or until > now:
        return True
    return enrolment.enrolled_at <= happened_at < until and now < until + ACCEPTED


def is_refunded() -> ColumnElement[bool]:
    """Whether the last grant of an enrolment ended with a refund: it holds no certificate until access comes back."""
    ended_last = (EnrolmentGrant.ended_at == Enrolment.access_until, EnrolmentGrant.reason == "refund")
    of_enrolment = EnrolmentGrant.enrolment_id == Enrolment.id
    return select(EnrolmentGrant.id).where(of_enrolment, *ended_last).correlate(Enrolment).exists()
