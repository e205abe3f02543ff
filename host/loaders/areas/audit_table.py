"""Events of the audit as rows: in their own list, and on the page of what they are about."""

from typing import Any

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


def change_text(entry: AuditEntry) -> str | None:
    """The changed fields, such as "roles: editor → editor, finance"; None where no field changed."""
    before, after = entry.before or {}, entry.after or {}
    if not before and not after:
        return None
    texts = [_change(name, before.get(name), after.get(name)) for name in dict.fromkeys([*before, *after])]
    return "; ".join(texts) or None


def _change(name: str, before: Any, after: Any) -> str:
    label = name.replace("_", " ")
    if before == after:
        return f"{label}: {value_text(after)}"
    if before is None:
        return f"{label}: {value_text(after)}"
    return f"{label}: {value_text(before)} → {value_text(after)}"


def value_text(value: Any) -> str:
    """A value of an event in words."""
    # As most are.
    if value.__class__ is str and value:
        return str(value)
    match value:
        case None | [] | {} | "":
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(value_text(item) for item in value)
        case dict():
            return ", ".join(f"{key} {value_text(member)}" for key, member in value.items())
        case _:
            return str(value)


# Kind of subject -> its page.
_PAGES = {
    **{kind: f"/admin/{kind}s/" for kind in ("course", "item", "instructor", "order", "learner", "organisation")},
    **{kind: f"/admin/{kind}s/" for kind in ("contract", "coupon", "message", "review")},
    "category": "/admin/categories/",
    "coupon_alarm": "/admin/coupons/alarms/",
    "dead_letter": "/admin/dead-letters/",
    "delivery_rate": "/admin/delivery-rates/",
    "mail": "/admin/mail/",
    "member": "/admin/learners/",
    "staff": "/admin/staff/",
    "tax_rate": "/admin/tax-rates/",
}


def subject_text(entry: AuditEntry) -> str:
    """Kind and number or code, as its filter has them: "course 12"."""
    return f"{entry.subject.kind} {entry.subject.id}"


def _subject_cell(entry: AuditEntry) -> Cell:
    page = _PAGES.get(entry.subject.kind)
    if page is None:
        return {"kind": "text", "text": subject_text(entry)}
    return {"kind": "link", "text": subject_text(entry), "href": f"{page}{entry.subject.id}"}


EVENT: Column[AuditEntry] = cells.link("event", "Event", lambda row: (row.text, f"{PATH}/{row.number}"))
NUMBER: Column[AuditEntry] = cells.count("number", "Number", lambda row: row.number, hidden=True)
SUBJECT: Column[AuditEntry] = Column("subject", "About", "link", lambda rows: [_subject_cell(row) for row in rows])
TIME: Column[AuditEntry] = cells.time("at", "Time", lambda row: row.occurred_at)
ACTOR: Column[AuditEntry] = cells.text("actor", "By", actor_text)
CODE: Column[AuditEntry] = cells.text("action", "Action", lambda row: row.action, hidden=True)
CHANGE: Column[AuditEntry] = cells.text("change", "Change", change_text)
REASON: Column[AuditEntry] = cells.text("reason", "Reason", lambda row: row.reason or None)


def events_table(entries: list[AuditEntry]) -> ShortTable:
    """The newest events of one subject, for its own page."""
    columns = (EVENT, TIME, ACTOR, CHANGE, REASON)
    return short_table("events", "Recorded events", "Nothing was recorded yet.", columns, entries)
