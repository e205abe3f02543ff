"""Events as the screens of staff show them: with the name of whoever acted, the newest first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, Select, select, true
from sqlalchemy.orm import InstrumentedAttribute, Session

from domain.audit.recording import EVENTS as _EVENTS
from domain.audit.recording import Subject
from domain.database.list_page import ListSource
from domain.errors import NotFound
from domain.tables import Learner, Organisation

_SUBJECT_EVENTS = 50


@dataclass(frozen=True)
class AuditEntry:
    """`actor` is the name of whoever acted, "" when they have deleted their account; None, as their student number: a
    command or the system itself. `before` and `after`: the changed fields."""

    number: int
    occurred_at: datetime
    actor_id: int | None
    actor: str | None
    actor_number: str | None
    area: str
    roles: tuple[str, ...]
    organisation: str | None
    action: str
    subject: Subject
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    reason: str
    request_id: str
    ip_network: str
    hash: str


_ROWS: Select[Any] = (
    select(
        *(_EVENTS.c.number, _EVENTS.c.occurred_at, _EVENTS.c.actor_id),
        *(Learner.name.label("actor"), Learner.student_number),
        *(_EVENTS.c.area, _EVENTS.c.roles, Organisation.name.label("organisation"), _EVENTS.c.action),
        *(_EVENTS.c.subject_type, _EVENTS.c.subject_id, _EVENTS.c.before, _EVENTS.c.after, _EVENTS.c.reason),
        *(_EVENTS.c.request_id, _EVENTS.c.ip_network, _EVENTS.c.hash),
    )
    .select_from(_EVENTS)
    .outerjoin(Learner, Learner.id == _EVENTS.c.actor_id)
    .outerjoin(Organisation, Organisation.id == _EVENTS.c.organisation_id)
)


def _entry(cells: Iterable[Any]) -> AuditEntry:
    number, at, actor_id, actor, student_number, area, roles, organisation, action, kind, subject_id, *rest = cells
    name, shown_number = (None, None) if actor_id is None else (actor or "", (student_number or "").upper())
    subject = Subject(kind, subject_id)
    return AuditEntry(
        number, at, actor_id, name, shown_number, area, tuple(roles), organisation, action, subject, *rest
    )


def _by_actor(text: str) -> ColumnElement[bool]:
    """By student number; "command" and "system" for what no person did."""
    if text in ("command", "system"):
        return _EVENTS.c.area == text
    is_theirs = Learner.student_number == text.strip().casefold()
    return _EVENTS.c.actor_id.in_(select(Learner.id).where(is_theirs))


def _by_action(text: str) -> ColumnElement[bool]:
    """An action such as "course.publish", or all of a noun: "course"."""
    action = text.strip().lower()
    return _EVENTS.c.action == action if "." in action else _EVENTS.c.action.startswith(f"{action}.", autoescape=True)


def _by_subject(text: str) -> ColumnElement[bool]:
    """All subjects of a kind, "course", or one of them: "course 12"."""
    kind, _, subject_id = text.strip().replace(":", " ").partition(" ")
    of_kind = _EVENTS.c.subject_type == kind.lower()
    return of_kind & (_EVENTS.c.subject_id == subject_id.strip() if subject_id else true())


def _start_of(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


# Newest first, and no page moves while events are appended.
EVENTS: ListSource[AuditEntry] = ListSource(
    rows=_ROWS,
    make=_entry,
    key=_EVENTS.c.number,
    filters={
        "actor": _by_actor,
        "action": _by_action,
        "subject": _by_subject,
        "since": lambda day: _EVENTS.c.occurred_at >= _start_of(day),
        "until": lambda day: _EVENTS.c.occurred_at < _start_of(day) + timedelta(days=1),
    },
    only_grows=True,
)


def entry(session: Session, number: int) -> AuditEntry:
    """The event of this number. Raises NotFound."""
    row = session.execute(_ROWS.where(_EVENTS.c.number == number)).one_or_none()
    if row is None:
        raise NotFound("There is no such event.")
    return _entry(row)


def subject_entries(session: Session, subject: Subject, *, limit: int = _SUBJECT_EVENTS) -> Sequence[AuditEntry]:
    """The newest events of one subject, for its own page."""
    is_its = (_EVENTS.c.subject_type == subject.kind, _EVENTS.c.subject_id == str(subject.id))
    rows = session.execute(
        _ROWS.where(*is_its).order_by(_EVENTS.c.occurred_at.desc(), _EVENTS.c.number.desc()).limit(limit)
    )
    return [_entry(row) for row in rows]


def latest_of(action: str, actor_id: InstrumentedAttribute[int], column: str) -> ScalarSelect[Any]:
    """A column of the newest event with this action by the person in a row of another query."""
    event = _EVENTS.alias()
    is_theirs = (event.c.actor_id == actor_id, event.c.action == action)
    return select(event.c[column]).where(*is_theirs).order_by(event.c.number.desc()).limit(1).scalar_subquery()
