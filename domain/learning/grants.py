"""Access to courses: the only writer of enrolments and their grants.

A grant is bound to what it came from, such as the line of an order; several may give access to one course, and the end
of one leaves the others as they are. Callers lock the source (its order, its seat, its gift) as the first statement of
their transaction. Enrolments are locked here, in the order of their products.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.payloads import AccessEndItem, EnrolledItem, RecountItem
from contracts.tasks import OutboxKind
from domain.database.database import insert_ignoring
from domain.database.prepared_select import SelectByIds, first_number
from domain.learning import outline
from domain.learning.certificates import issuing
from domain.learning.enrolments import OWNED, has_access, locked_enrolments
from domain.outbox import queue as outbox_queue
from domain.tables import CourseClosure, Enrolment, EnrolmentGrant

# How long before the end of their access learners are told of it.
END_NOTICE = timedelta(days=14)


@dataclass(frozen=True)
class GrantSource:
    """What access came from. `id`: of the order line, the seat or the gift."""

    kind: Literal["order", "seat", "gift"]
    id: int


@dataclass(frozen=True)
class Opened:
    """A course that a source has opened to a learner."""

    learner_id: int
    product_id: int


_OWNED = SelectByIds(lambda ids: OWNED.where(Enrolment.__table__.c.product_id.in_(ids)), first_number)


def owned_ids(session: Session, learner_id: int, ids: Collection[int], at: datetime) -> set[int]:
    """The products of `ids` that the learner has access to at that time."""
    return set(_OWNED.all(session, ids, learner=learner_id, at=at))


def grant(  # noqa: PLR0913 a grant and its end
    session: Session,
    learner_id: int,
    product_ids: Collection[int],
    source: GrantSource,
    at: datetime,
    *,
    until: datetime | None = None,
    is_renewed: bool = False,
) -> None:
    """Give access to these courses. `until` None: without an end. The same source again changes nothing, also after it
    ended, unless `is_renewed`: a seat may come back to whoever had it before."""
    ids = sorted(set(product_ids))
    insert_ignoring(
        session,
        Enrolment,
        [{"learner_id": learner_id, "product_id": product_id, "enrolled_at": at} for product_id in ids],
    )
    enrolments = locked_enrolments(session, learner_id, ids)
    insert_ignoring(
        session,
        EnrolmentGrant,
        [
            {"enrolment_id": enrolment.id, "source": source.kind, "source_id": source.id, "granted_at": at}
            | {"until": until}
            for enrolment in enrolments
        ],
    )
    rows = _lock_grants(session, enrolments)
    for row in rows:
        if is_renewed and row.ended_at is not None and (row.source, row.source_id) == (source.kind, source.id):
            row.granted_at, row.until, row.ended_at, row.reason = at, until, None, ""
    returning = [row for row in enrolments if not has_access(row, at)]
    _update_access(session, enrolments, rows, at)
    for enrolment in returning:
        if has_access(enrolment, at):
            _take_up_again(session, enrolment, at)


def _take_up_again(session: Session, enrolment: Enrolment, at: datetime) -> None:
    """A refund took the certificate; and the course may have changed while the learner could not complete it, which is
    counted by a transaction of its own: this one's snapshot may be older than the lock."""
    if enrolment.completed_at is not None:
        rule = outline.rule_of(session, enrolment.product_id)
        issuing.issue(session, [enrolment], rule, at, is_locking=True)
    elif enrolment.started_at is not None:
        item = RecountItem(course_id=enrolment.product_id, after_id=enrolment.id - 1, limit=1, is_single=True)
        outbox_queue.enqueue(session, OutboxKind.RECOUNT, item, at)


def enqueue_mail(session: Session, source: GrantSource, at: datetime) -> None:
    """The mail to the learner that the source has opened courses to them."""
    outbox_queue.enqueue(session, OutboxKind.ENROLLED, EnrolledItem(source=source.kind, source_id=source.id), at)


def end(session: Session, source: GrantSource, at: datetime, reason: str, *, also: Collection[Opened] = ()) -> None:
    """End what the source gave, and nothing else. `reason`: a word such as "refund". Ending again changes nothing.
    `also`: what it may have opened since the transaction's snapshot, which MariaDB reads from."""

    def change(row: EnrolmentGrant) -> None:
        row.ended_at, row.reason = at, reason

    _change_live(session, source, change, also, at=at)


def end_one(  # noqa: PLR0913 whose grant, when and why
    session: Session, learner_id: int, product_id: int, grant_id: int, at: datetime, *, reason: str
) -> bool:
    """End one grant of a learner; False when it has ended already."""
    enrolments = locked_enrolments(session, learner_id, (product_id,))
    rows = _lock_grants(session, enrolments)
    live = [row for row in rows if row.id == grant_id and row.ended_at is None]
    for row in live:
        row.ended_at, row.reason = at, reason
    _update_access(session, enrolments, rows, at)
    return bool(live)


def extend(session: Session, source: GrantSource, until: datetime | None) -> None:
    """Another end for what the source gives; one that has ended stays ended. Who has less than END_NOTICE left is told
    at once."""

    def change(row: EnrolmentGrant) -> None:
        row.until = until

    _change_live(session, source, change)


def recompute(session: Session, learner_id: int, product_id: int, at: datetime) -> Enrolment:
    """Compute the end of access anew, because something beside the grants has changed."""
    enrolments = locked_enrolments(session, learner_id, (product_id,))
    _update_access(session, enrolments, _lock_grants(session, enrolments), at)
    return enrolments[0]


def access_until(grants: Iterable[EnrolmentGrant]) -> datetime | None:
    """When the last of the grants ends or ended; None: at least one has no end."""
    ends = [last_end(row) for row in grants]
    known = [end for end in ends if end is not None]
    return max(known) if len(known) == len(ends) else None


def set_until(  # noqa: PLR0913 whose grant, its end, and when that is changed
    session: Session, learner_id: int, product_id: int, grant_id: int, until: datetime | None, *, at: datetime
) -> bool:
    """Another end for one grant of a learner, None: without one; False when it was taken back."""
    enrolments = locked_enrolments(session, learner_id, (product_id,))
    had_access = {row.id: has_access(row, at) for row in enrolments}
    rows = _lock_grants(session, enrolments)
    live = [row for row in rows if row.id == grant_id and row.ended_at is None]
    for row in live:
        row.until = until
    _update_access(session, enrolments, rows, at)
    for enrolment in enrolments:
        if not had_access[enrolment.id] and has_access(enrolment, at):
            _take_up_again(session, enrolment, at)
    return bool(live)


def last_end(row: EnrolmentGrant) -> datetime | None:
    """When a grant ended or will end; None: never."""
    return min((end for end in (row.until, row.ended_at) if end is not None), default=None)


def _change_live(
    session: Session,
    source: GrantSource,
    change: Callable[[EnrolmentGrant], None],
    also: Collection[Opened] = (),
    *,
    at: datetime | None = None,
) -> None:
    is_source = (EnrolmentGrant.source == source.kind, EnrolmentGrant.source_id == source.id)
    concerned = select(Enrolment.learner_id, Enrolment.product_id).join(
        EnrolmentGrant, EnrolmentGrant.enrolment_id == Enrolment.id
    )
    products: dict[int, set[int]] = defaultdict(set)
    for learner_id, product_id in session.execute(concerned.where(*is_source)):
        products[learner_id].add(product_id)
    for opened in also:
        products[opened.learner_id].add(opened.product_id)
    for learner_id in sorted(products):
        enrolments = locked_enrolments(session, learner_id, products[learner_id])
        rows = _lock_grants(session, enrolments)
        for row in rows:
            if (row.source, row.source_id) == (source.kind, source.id) and row.ended_at is None:
                change(row)
        _update_access(session, enrolments, rows, at)


def _lock_grants(session: Session, enrolments: Sequence[Enrolment]) -> Sequence[EnrolmentGrant]:
    """All grants of locked enrolments. Locking reads the newest rows: MariaDB's snapshot may be older than the lock of
    the enrolment, and lack what others have committed before it."""
    query = select(EnrolmentGrant).where(EnrolmentGrant.enrolment_id.in_([row.id for row in enrolments]))
    return session.scalars(query.with_for_update().execution_options(populate_existing=True)).all()


def _closures(session: Session, product_ids: Collection[int]) -> dict[int, datetime]:
    """When access to these courses ends for everybody (domain/learning/closures.py)."""
    query = select(CourseClosure.course_id, CourseClosure.ends_at)
    open_ones = query.where(CourseClosure.course_id.in_(product_ids), CourseClosure.cancelled_at.is_(None))
    return {row.course_id: row.ends_at for row in session.execute(open_ones)}


def _update_access(
    session: Session, enrolments: Sequence[Enrolment], grants: Sequence[EnrolmentGrant], at: datetime | None
) -> None:
    """`access_until` and `source` are computed anew from all grants each time. Access never outlasts a closure of the
    course. A new end is told before it comes; `at`: not one that has come or is near by then."""
    of_enrolment: dict[int, list[EnrolmentGrant]] = defaultdict(list)
    for row in grants:
        of_enrolment[row.enrolment_id].append(row)
    closures = _closures(session, [enrolment.product_id for enrolment in enrolments])
    for enrolment in enrolments:
        until = access_until(of_enrolment[enrolment.id])
        if (closed_at := closures.get(enrolment.product_id)) is not None:
            until = closed_at if until is None else min(until, closed_at)
        if until is not None and until != enrolment.access_until and (at is None or until > at + END_NOTICE):
            # Due then: the mail is sent if the end is still the same.
            item = AccessEndItem(enrolment_id=enrolment.id, until=until.isoformat())
            outbox_queue.enqueue(session, OutboxKind.ACCESS_ENDS, item, until - END_NOTICE)
        enrolment.access_until, enrolment.source = until, _shown_source(of_enrolment[enrolment.id])
    session.flush()


def _shown_source(grants: Iterable[EnrolmentGrant]) -> str | None:
    """The source of the oldest grant that lives, else of the one that ended last."""
    rows = sorted(grants, key=lambda row: row.id)
    living = next((row for row in rows if row.ended_at is None), None)
    shown = living or max(rows, key=lambda row: row.ended_at or row.granted_at, default=None)
    return None if shown is None else shown.source
