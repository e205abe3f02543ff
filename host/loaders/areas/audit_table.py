"""Events of the audit as rows: in their own list, and on the page of what they are about."""

from domain.audit import words
from domain.audit.texts import kind_text
from domain.staff.recorded_events import AuditEntry
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import ShortTable, short_table
from host.loaders.ui.table_cells import Cell, Column

PATH = "/admin/audit"
DELETED = "A deleted account"
_AREAS = {"command": "A command", "system": "The system"}


def actor_text(entry: AuditEntry) -> str:
    """Who acted, in words."""
    if entry.actor is None:
        return _AREAS.get(entry.area, entry.area)
    return entry.actor or DELETED


# Kind of subject -> its page.
_PAGES = {
    **{kind: f"/admin/{kind}s/" for kind in ("course", "item", "instructor", "order", "learner", "organisation")},
    **{kind: f"/admin/{kind}s/" for kind in ("contract", "coupon", "message", "review")},
    "category": "/admin/categories/",
    "coupon_alarm": "/admin/coupons/alarms/",
    "coupon_trial": "/admin/coupons/trials/",
    "dead_letter": "/admin/dead-letters/",
    "delivery_rate": "/admin/delivery-rates/",
    "mail": "/admin/mail/",
    "member": "/admin/learners/",
    "staff": "/admin/staff/",
    "tax_rate": "/admin/tax-rates/",
}


def subject_text(entry: AuditEntry) -> str:
    """Kind and number or code, as its filter takes them: "Course 12". Staff are called by their names."""
    is_staff = entry.subject.kind == "staff" and entry.subject_name
    return entry.subject_name or "" if is_staff else f"{kind_text(entry.subject.kind)} {entry.subject.id}"


def _subject_cell(entry: AuditEntry) -> Cell:
    page = _PAGES.get(entry.subject.kind)
    if page is None:
        return {"kind": "text", "text": subject_text(entry)}
    return {"kind": "link", "text": subject_text(entry), "href": f"{page}{entry.subject.id}"}


def _actor_cell(entry: AuditEntry) -> Cell:
    """Who acted, with their page: for those who may read the audit, who may open it."""
    if entry.actor_id is None or not entry.actor:
        return {"kind": "text", "text": actor_text(entry)}
    page = _PAGES["staff"] if entry.area == "admin" else _PAGES["learner"]
    return {"kind": "link", "text": entry.actor, "href": f"{page}{entry.actor_id}"}


EVENT: Column[AuditEntry] = cells.link("event", "Event", lambda row: (row.text, f"{PATH}/{row.number}"))
NUMBER: Column[AuditEntry] = cells.count("number", "Number", lambda row: row.number, hidden=True)
SUBJECT: Column[AuditEntry] = Column("subject", "About", "link", lambda rows: [_subject_cell(row) for row in rows])
TIME: Column[AuditEntry] = cells.time("at", "Time", lambda row: row.occurred_at)
ACTOR: Column[AuditEntry] = cells.text("actor", "By", actor_text)
ACTOR_LINK: Column[AuditEntry] = Column("actor", "By", "link", lambda rows: [_actor_cell(row) for row in rows])
CODE: Column[AuditEntry] = cells.text("action", "Action", lambda row: row.action, hidden=True)
CHANGE: Column[AuditEntry] = cells.text("change", "Change", lambda row: words.change_text(row.before, row.after))
REASON: Column[AuditEntry] = cells.text("reason", "Reason", lambda row: row.reason or None)


def events_table(entries: list[AuditEntry]) -> ShortTable:
    """The newest events of one subject, for its own page."""
    columns = (EVENT, TIME, ACTOR, CHANGE, REASON)
    return short_table("events", "Recorded events", "Nothing was recorded yet.", columns, entries)
