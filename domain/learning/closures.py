"""The end of all access to a course for legal reasons, on a day that everybody who has it is told of long before.

`announce` and `cancel` are acts of staff. `apply_slice` then tells the people and changes the end of their access, some
at a time: who has a later end than the closure's, or none, was not told yet.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from contracts.payloads import AccessEndItem
from contracts.tasks import OutboxKind
from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import InvalidInput, NotFound, Refused
from domain.learning import grants
from domain.outbox import queue as outbox_queue
from domain.permissions import Actor
from domain.tables import CourseClosure, Enrolment, Product

NOTICE = timedelta(days=30)
MAX_REASON_LENGTH = 500
SLICE = 200
STILL_SOLD = "Retire the course first: nobody should buy it any more."
ANNOUNCED = "The end of this course is announced already. Cancel that first."
NOT_ANNOUNCED = "No end of this course is announced."
BEING_CANCELLED = "People are being told that the course stays. Try again in a minute."
CLOSED = "The end of this course is announced, for legal reasons. Cancel that before it is published again."
ENDED = "This course has ended for legal reasons. It is not published again."
OVER = "Access to this course has ended. That cannot be undone."


def closure_of(session: Session, course_id: int) -> CourseClosure | None:
    """The one that is announced or has come; None also for a cancelled one."""
    row = session.get(CourseClosure, course_id)
    return None if row is None or row.cancelled_at is not None else row


def closed_ids(session: Session, course_ids: Collection[int]) -> set[int]:
    """The ids of the courses to which access ends or has ended."""
    query = select(CourseClosure.course_id).where(CourseClosure.cancelled_at.is_(None))
    return set(session.scalars(query.where(CourseClosure.course_id.in_(course_ids))))


def require_open(session: Session, course_id: int, at: datetime) -> None:
    """Locking reads the newest row, which may be later than the transaction's snapshot. Raises Refused for a closed
    course, which is not sold again."""
    row = session.get(CourseClosure, course_id, with_for_update=True, populate_existing=True)
    if row is not None and row.cancelled_at is None:
        raise Refused(CLOSED if row.ends_at > at else ENDED)


def announce(session: Session, actor: Actor, course_id: int, ends_at: datetime, reason: str) -> None:
    """End all access to a retired course at `ends_at`. `reason`: everybody who has it reads it. For
    `Database.write_as`. Raises NotFound, Refused, InvalidInput."""
    product = _locked_course(session, course_id)
    text = require_notice(ends_at, reason, actor.at)
    if product.status != "retired":
        raise Refused(STILL_SOLD)
    row = session.get(CourseClosure, course_id)
    if row is not None:
        # Who was told the former day is found by it.
        raise Refused(ANNOUNCED if row.cancelled_at is None else BEING_CANCELLED)
    session.add(CourseClosure(course_id=course_id, announced_at=actor.at, ends_at=ends_at, reason=text))
    session.flush()
    after = {"ends_at": ends_at, "reason": text}
    recording.record(session, "course.close", Subject("course", course_id), after=after, reason=text)


def require_notice(ends_at: datetime, reason: str, at: datetime) -> str:
    """The reason as it is stored. Raises InvalidInput for an end that comes too early, and without a reason."""
    text = " ".join(reason.split())
    errors = {
        "endsAt": "" if ends_at >= at + NOTICE else f"Give at least {NOTICE.days} days of notice.",
        "reason": ""
        if 0 < len(text) <= MAX_REASON_LENGTH
        else f"Give a reason in at most {MAX_REASON_LENGTH} characters.",
    }
    if wrong := {name: message for name, message in errors.items() if message}:
        raise InvalidInput(wrong)
    return text


def cancel(session: Session, actor: Actor, course_id: int, reason: str) -> None:
    """Access stays as it was given. For `Database.write_as`. Raises NotFound, Refused, InvalidInput."""
    _locked_course(session, course_id)
    row = closure_of(session, course_id)
    if row is None:
        raise Refused(NOT_ANNOUNCED)
    if row.ends_at <= actor.at:
        raise Refused(OVER)
    text = " ".join(reason.split())
    if not 0 < len(text) <= MAX_REASON_LENGTH:
        raise InvalidInput({"reason": f"Give a reason in at most {MAX_REASON_LENGTH} characters."})
    row.cancelled_at = actor.at
    session.flush()
    before = {"ends_at": row.ends_at}
    recording.record(session, "course.keep_open", Subject("course", course_id), before=before, reason=text)


def all_ids(session: Session) -> list[int]:
    """The courses of all closures, also of cancelled ones whose people were not told yet."""
    return [*session.scalars(select(CourseClosure.course_id).order_by(CourseClosure.course_id))]


def apply_slice(session: Session, course_id: int, at: datetime) -> int:
    """Change the end of access of the next SLICE people and tell them; how many there were. 0: everybody knows, and a
    cancelled closure is forgotten."""
    row = session.get(CourseClosure, course_id, with_for_update=True, populate_existing=True)
    if row is None:
        return 0
    of_course = Enrolment.product_id == course_id
    is_later = or_(Enrolment.access_until.is_(None), Enrolment.access_until > row.ends_at)
    concerned = is_later if row.cancelled_at is None else Enrolment.access_until == row.ends_at
    people = select(Enrolment.learner_id).where(of_course, concerned).order_by(Enrolment.id)
    # Whose own access ends at the same moment stays among them: a cancelled closure takes all, to miss nobody.
    ids = [*session.scalars(people if row.cancelled_at else people.limit(SLICE))]
    told = 0
    for learner_id in ids:
        if told == SLICE:
            break
        enrolment = grants.recompute(session, learner_id, course_id, at)
        is_changed = (
            enrolment.access_until == row.ends_at if row.cancelled_at is None else enrolment.access_until != row.ends_at
        )
        if is_changed:
            told += 1
            _tell(session, enrolment, row, at)
    if told == 0 and row.cancelled_at is not None:
        session.delete(row)
    session.flush()
    return told


def _tell(session: Session, enrolment: Enrolment, row: CourseClosure, at: datetime) -> None:
    kind = OutboxKind.COURSE_CLOSES if row.cancelled_at is None else OutboxKind.COURSE_STAYS
    outbox_queue.enqueue(session, kind, AccessEndItem(enrolment_id=enrolment.id, until=row.ends_at.isoformat()), at)


def _locked_course(session: Session, course_id: int) -> Product:
    query = select(Product).where(Product.id == course_id, Product.kind == "course").with_for_update()
    product = session.scalar(query.execution_options(populate_existing=True))
    if product is None:
        raise NotFound("There is no such course.")
    return product
