"""Grave changes that wait for another administrator, and those that were decided, as administrators see them."""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, aliased

from domain.database.list_page import ListSource
from domain.errors import NotFound
from domain.staff.confirmations import KINDS
from domain.tables import Learner, PendingAction
from domain.text_direction import isolated

_rows = PendingAction.__table__.c
_person, _asker, _decider = aliased(Learner), aliased(Learner), aliased(Learner)


class PendingRow(NamedTuple):
    """`kind` of KINDS, about this learner. `requester` and `decider` are names; None: nobody decided in time. `values`:
    of its form. `answer`: why it was refused."""

    id: int
    kind: str
    learner_id: int
    name: str
    student_number: str
    values: dict[str, Any]
    reason: str
    state: str
    requested_by: int
    requester: str
    requested_at: datetime
    expires_at: datetime
    decider: str | None
    decided_at: datetime | None
    answer: str

    @property
    def text(self) -> str:
        """What is done, in words. A learner is called by their number."""
        kind = KINDS[self.kind]
        number = self.student_number.upper()
        return kind.text.format(name=isolated(self.name or number) if kind.subject == "staff" else number)


_ROWS = (
    select(
        *(_rows.id, _rows.action, _rows.learner_id, _person.name, _person.student_number, _rows["values"]),
        *(_rows.reason, _rows.state, _rows.requested_by, _asker.name, _rows.requested_at, _rows.expires_at),
        *(_decider.name, _rows.decided_at, _rows.answer),
    )
    .join_from(PendingAction.__table__, _person, _person.id == _rows.learner_id)
    .join(_asker, _asker.id == _rows.requested_by)
    .outerjoin(_decider, _decider.id == _rows.decided_by)
)
PENDING = ListSource(
    rows=_ROWS,
    counted=select(_rows.id),
    make=PendingRow._make,
    key=_rows.id,
    filters={"state": _rows.state.__eq__},
    only_grows=True,
)


def pending(session: Session, number: int) -> PendingRow:
    """Raises NotFound."""
    row = session.execute(_ROWS.where(_rows.id == number)).one_or_none()
    if row is None:
        raise NotFound("There is nothing to confirm with this number.")
    return PendingRow._make(row)


def to_confirm(at: datetime, learner_id: int) -> Select[Any]:
    """What waits for this administrator: what others have asked for."""
    is_open = (_rows.state == "waiting", _rows.expires_at > at, _rows.requested_by != learner_id)
    return select(_rows.id).where(*is_open)
