"""Events as the screens of staff show them: with the name of whoever acted, the newest first."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Integer, ScalarSelect, Select, String, case, cast, or_, select, type_coerce
from sqlalchemy.orm import InstrumentedAttribute, Session

from domain.audit.recording import EVENTS as _EVENTS
from domain.audit.recording import Subject
from domain.audit.texts import event_text, kind_of
from domain.database.list_page import ListSource
from domain.errors import NotFound
from domain.tables import (
    Category,
    ContentPage,
    Coupon,
    DismissedSearch,
    Instructor,
    Learner,
    Organisation,
    Product,
    SeatQuote,
)

_SUBJECT_EVENTS = 50


class AuditEntry(NamedTuple):
    """`actor` is the name of whoever acted, "" when they have deleted their account; None, as their student number: a
    command or the system itself. `before` and `after`: the changed fields. `subject_name`: None for what has none, and
    for learners."""

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
    subject_name: str | None

    @property
    def text(self) -> str:
        """What happened, in words."""
        return event_text(self.action, self.subject, self.subject_name)


_named = Learner.__table__.alias("named_staff")
# Names by kind of subject: of things, and of whoever works for the shop. Instructors are named on the pages of their
# courses.
_NAMES: Mapping[str, tuple[Any, Any]] = {
    "course": (Product.name, Product.id),
    "item": (Product.name, Product.id),
    "coupon": (Coupon.display_code, Coupon.id),
    "category": (Category.name, Category.id),
    "instructor": (Instructor.name, Instructor.id),
    "organisation": (Organisation.name, Organisation.id),
    "content": (ContentPage.title, ContentPage.id),
    "quote": (SeatQuote.number, SeatQuote.id),
    "search": (DismissedSearch.query, DismissedSearch.id),
    "staff": (_named.c.name, _named.c.id),
}
_SUBJECT_ID = cast(_EVENTS.c.subject_id, Integer)
_SUBJECT_NAME = case(
    *(
        (_EVENTS.c.subject_type == kind, select(name).where(key == _SUBJECT_ID).scalar_subquery())
        for kind, (name, key) in _NAMES.items()
    )
)
_actors, _organisations = Learner.__table__.alias("actors"), Organisation.__table__.alias("organisations_of_events")
_ROWS: Select[Any] = (
    select(
        *(_EVENTS.c.number, _EVENTS.c.occurred_at, _EVENTS.c.actor_id, _actors.c.name, _actors.c.student_number),
        *(_EVENTS.c.area, _EVENTS.c.roles, _organisations.c.name),
        *(_EVENTS.c.action, _EVENTS.c.subject_type, _EVENTS.c.subject_id),
        *(_EVENTS.c.before, _EVENTS.c.after, _EVENTS.c.reason),
        *(_EVENTS.c.request_id, _EVENTS.c.ip_network, _EVENTS.c.hash),
        _SUBJECT_NAME,
    )
    .outerjoin_from(_EVENTS, _actors, _actors.c.id == _EVENTS.c.actor_id)
    .outerjoin(_organisations, _organisations.c.id == _EVENTS.c.organisation_id)
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
    """All subjects of a kind, "coupon alarm", or one of them: "coupon alarm 12", "order ABC…"."""
    words = text.replace(":", " ").split()
    *kind, last = words or [""]
    is_one = (_EVENTS.c.subject_type == kind_of(" ".join(kind))) & (_EVENTS.c.subject_id == last)
    return or_(_EVENTS.c.subject_type == kind_of(" ".join(words)), is_one)


def _start_of(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


# Newest first, and no page moves while events are appended.
EVENTS: ListSource[AuditEntry] = ListSource(
    rows=_ROWS,
    counted=select(_EVENTS.c.number),
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


def organisation_entries(
    session: Session, organisation_id: int, *, limit: int = _SUBJECT_EVENTS
) -> Sequence[AuditEntry]:
    """The newest events of one organisation and its people, for its own page."""
    rows = session.execute(
        _ROWS.where(_EVENTS.c.organisation_id == organisation_id)
        .order_by(_EVENTS.c.occurred_at.desc(), _EVENTS.c.number.desc())
        .limit(limit)
    )
    return [_entry(row) for row in rows]


def latest_of(action: str, actor_id: InstrumentedAttribute[int], column: str) -> ScalarSelect[Any]:
    """A column of the newest event with this action by the person in a row of another query."""
    event = _EVENTS.alias()
    is_theirs = (event.c.actor_id == actor_id, event.c.action == action)
    return select(event.c[column]).where(*is_theirs).order_by(event.c.number.desc()).limit(1).scalar_subquery()


def latest_about(verb: str, kind: ColumnElement[str], subject_id: ColumnElement[int], column: str) -> ScalarSelect[Any]:
    """A column of the newest event about the subject in a row of another query, such as course.retire of a course."""
    event = _EVENTS.alias()
    # Not CAST, whose text MariaDB does not compare with a column of another collation.
    text = type_coerce(subject_id, String) + ""
    is_its = (
        event.c.subject_type == kind,
        event.c.subject_id == text,
        event.c.action == type_coerce(kind, String) + f".{verb}",
    )
    return select(event.c[column]).where(*is_its).order_by(event.c.number.desc()).limit(1).scalar_subquery()
