"""Access to courses: the only writer of enrolments and their grants.

A grant is bound to what it came from, such as the line of an order; several may give access to one course, and the end
of one leaves the others as they are. Callers lock the source (its order, its seat, its gift) as the first statement of
their transaction. Enrolments are locked here, in the order of their products.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import Integer, bindparam, or_, select
from sqlalchemy.orm import Session

from domain.database.database import insert_ignoring
from domain.database.prepared_select import PreparedSelect, SelectByIds, first_number
from domain.tables import Enrolment, EnrolmentGrant

# The browser gets all of them with its session: more would make that response large.
MAX_OWNED = 2000


@dataclass(frozen=True)
class Source:
    """What access came from. `id`: of the order line, the seat or the gift."""

    kind: Literal["order", "seat", "gift"]
    id: int


@dataclass(frozen=True)
class Opened:
    """A course that a source has opened to a learner."""

    learner_id: int
    product_id: int


_enrolments = Enrolment.__table__.c
_owned = select(_enrolments.product_id).where(
    _enrolments.learner_id == bindparam("learner"),
    or_(_enrolments.access_until.is_(None), _enrolments.access_until > bindparam("at")),
)
_OWNED = SelectByIds(lambda ids: _owned.where(_enrolments.product_id.in_(ids)), first_number)
_ALL_OWNED = PreparedSelect(
    _owned.order_by(_enrolments.id.desc()).limit(bindparam("most", type_=Integer)), first_number
)


def owned_ids(session: Session, learner_id: int, ids: Collection[int], at: datetime) -> set[int]:
    """Those of `ids` that the learner has access to at that time."""
    return set(_OWNED.all(session, ids, learner=learner_id, at=at))


def all_owned_ids(session: Session, learner_id: int, at: datetime) -> tuple[int, ...]:
    """The products that the learner has access to, the newest MAX_OWNED of them."""
    return tuple(_ALL_OWNED.all(session, learner=learner_id, at=at, most=MAX_OWNED))


def grant(  # noqa: PLR0913 a grant and its end
    session: Session,
    learner_id: int,
    product_ids: Collection[int],
    source: Source,
    at: datetime,
    *,
    until: datetime | None = None,
) -> None:
    """Give access to these courses. `until` None: without an end. The same source again changes nothing, also after it
    ended."""
    ids = sorted(set(product_ids))
    insert_ignoring(
        session,
        Enrolment,
        [{"learner_id": learner_id, "product_id": product_id, "enrolled_at": at} for product_id in ids],
    )
    enrolments = _lock(session, learner_id, ids)
    insert_ignoring(
        session,
        EnrolmentGrant,
        [
            {"enrolment_id": enrolment.id, "source": source.kind, "source_id": source.id, "granted_at": at}
            | {"until": until}
            for enrolment in enrolments
        ],
    )
    _update_access(session, enrolments, _lock_grants(session, enrolments))


def end(session: Session, source: Source, at: datetime, reason: str, *, also: Collection[Opened] = ()) -> None:
    """End what the source gave, and nothing else. `reason`: a word such as "refund". Ending again changes nothing.
    `also`: what it may have opened since the transaction's snapshot, which MariaDB reads from."""

    def change(row: EnrolmentGrant) -> None:
        row.ended_at, row.reason = at, reason

    _change_live(session, source, change, also)


def extend(session: Session, source: Source, until: datetime | None) -> None:
    """Another end for what the source gives; one that has ended stays ended."""

    def change(row: EnrolmentGrant) -> None:
        row.until = until

    _change_live(session, source, change)


def access_until(grants: Iterable[EnrolmentGrant]) -> datetime | None:
    """When the last of the grants ends or ended; None: at least one has no end."""
    ends = [last_end(row) for row in grants]
    known = [end for end in ends if end is not None]
    return max(known) if len(known) == len(ends) else None


def last_end(row: EnrolmentGrant) -> datetime | None:
    """When a grant ended or will end; None: never."""
    return min((end for end in (row.until, row.ended_at) if end is not None), default=None)


def _change_live(
    session: Session, source: Source, change: Callable[[EnrolmentGrant], None], also: Collection[Opened] = ()
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
        enrolments = _lock(session, learner_id, products[learner_id])
        rows = _lock_grants(session, enrolments)
        for row in rows:
            if (row.source, row.source_id) == (source.kind, source.id) and row.ended_at is None:
                change(row)
        _update_access(session, enrolments, rows)


def locked_enrolment(session: Session, learner_id: int, course_id: int) -> Enrolment | None:
    """The enrolment, locked until the end of the transaction; None where the learner never had the course."""
    return next(iter(_lock(session, learner_id, (course_id,))), None)


def _lock(session: Session, learner_id: int, product_ids: Collection[int]) -> Sequence[Enrolment]:
    query = select(Enrolment).where(Enrolment.learner_id == learner_id, Enrolment.product_id.in_(product_ids))
    newest = query.order_by(Enrolment.product_id).with_for_update().execution_options(populate_existing=True)
    return session.scalars(newest).all()


def _lock_grants(session: Session, enrolments: Sequence[Enrolment]) -> Sequence[EnrolmentGrant]:
    """All grants of locked enrolments. Locking reads the newest rows: MariaDB's snapshot may be older than the lock of
    the enrolment, and lack what others have committed before it."""
    query = select(EnrolmentGrant).where(EnrolmentGrant.enrolment_id.in_([row.id for row in enrolments]))
    return session.scalars(query.with_for_update().execution_options(populate_existing=True)).all()


def _update_access(session: Session, enrolments: Sequence[Enrolment], grants: Sequence[EnrolmentGrant]) -> None:
    """`access_until` is computed anew from all grants each time."""
    of_enrolment: dict[int, list[EnrolmentGrant]] = defaultdict(list)
    for row in grants:
        of_enrolment[row.enrolment_id].append(row)
    for enrolment in enrolments:
        enrolment.access_until = access_until(of_enrolment[enrolment.id])
    session.flush()
