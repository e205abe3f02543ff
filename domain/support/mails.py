"""The mails of the outbox as staff see them, and sending one again."""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from contracts.tasks import Topic
from domain.audit import recording
from domain.audit.recording import Subject
from domain.database.list_page import ListSource
from domain.errors import NotFound
from domain.outbox import outbox_rows
from domain.outbox.leases import Lease
from domain.tables import Outbox

_rows = Outbox.__table__.c
_IS_MAIL = _rows.topic == str(Topic.MAIL)
_IS_DONE, _IS_DEAD = _rows.done_at.is_not(None), _rows.dead_at.is_not(None)
STATES: dict[str, ColumnElement[bool]] = {
    "waiting": ~_IS_DONE & ~_IS_DEAD,
    "sent": _IS_DONE,
    "failed": ~_IS_DONE & _IS_DEAD,
}
# Copies of one mail are looked for among so many waiting ones of its kind.
MAX_WAITING = 1_000


class MailRow(NamedTuple):
    """One row of the outbox. `kind`: an OutboxKind, or that of a newer build. `body`: ids of what it is about."""

    id: int
    kind: str
    created_at: datetime
    attempts: int
    next_at: datetime | None
    done_at: datetime | None
    dead_at: datetime | None
    error: str | None
    body: dict[str, Any]

    @property
    def state(self) -> str:
        if self.done_at is not None:
            return "sent"
        return "waiting" if self.dead_at is None else "failed"

    @property
    def lease(self) -> Lease:
        """To compose what the mail says; nothing is leased."""
        return Lease(self.id, self.kind, self.body, self.created_at, self.attempts, token="")


_COLUMNS = select(
    *(_rows.id, _rows.task, _rows.created_at, _rows.attempts, _rows.next_at),
    *(_rows.done_at, _rows.dead_at, _rows.error, _rows.body),
).where(_IS_MAIL)

# The newest first, and no page moves while mails are written.
MAILS = ListSource(
    rows=_COLUMNS,
    make=MailRow._make,
    key=_rows.id,
    filters={"state": STATES.__getitem__, "kind": _rows.task.__eq__},
    only_grows=True,
)


def mail(session: Session, number: int) -> MailRow:
    """Raises NotFound."""
    row = session.execute(_COLUMNS.where(_rows.id == number)).one_or_none()
    if row is None:
        raise NotFound("There is no such mail. Those that were sent are deleted after a time.")
    return MailRow._make(row)


def newest_mails(session: Session, most: int, since: datetime | None = None) -> list[MailRow]:
    """The newest first, whatever their state. `since`: none that was written before."""
    query = _COLUMNS if since is None else _COLUMNS.where(_rows.created_at >= since)
    return [MailRow._make(row) for row in session.execute(query.order_by(_rows.id.desc()).limit(most))]


def send_again(session: Session, number: int, at: datetime) -> int:
    """The number of the mail that will be sent, for `Database.write_as`.

    One that failed begins anew itself. One that was sent is sent as a copy, because mail programs drop a second mail
    with the same Message-ID. While it, or a copy of it, still waits, nothing is added. Raises NotFound.
    """
    # Locked first: two who press at the same time do it one after the other, and the second finds the first's copy.
    session.execute(select(_rows.id).where(_rows.id == number, _IS_MAIL).with_for_update())
    found = mail(session, number)
    waiting = found.id if found.state == "waiting" else _waiting_copy(session, found)
    if waiting is not None:
        recording.no_change(session)
        return waiting
    sent = _copy(session, found, at) if found.state == "sent" else _anew(session, found, at)
    recording.record(session, "mail.send", Subject("mail", number), after={"kind": found.kind, "number": sent})
    return sent


def _waiting_copy(session: Session, found: MailRow) -> int | None:
    """By comparing the bodies here: no database compares JSON as the other does."""
    is_later = (_rows.id > found.id, _rows.task == found.kind, STATES["waiting"])
    rows = session.execute(_COLUMNS.where(*is_later).order_by(_rows.id.desc()).limit(MAX_WAITING))
    return next((row.id for row in map(MailRow._make, rows) if row.body == found.body), None)


def _anew(session: Session, found: MailRow, at: datetime) -> int:
    outbox_rows.replay(session, [found.id], at)
    return found.id


def _copy(session: Session, found: MailRow, at: datetime) -> int:
    row = Outbox(topic=str(Topic.MAIL), kind=found.kind, body=found.body, created_at=at, next_at=at, attempts=0)
    session.add(row)
    session.flush()
    return row.id
