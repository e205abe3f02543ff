"""/admin/audit/{id}: one event, whole."""

from domain.audit import words
from domain.audit.words import FieldChange
from domain.errors import NotFound
from domain.routes import Page
from domain.staff import recorded_events as events
from domain.staff.recorded_events import AuditEntry
from domain.typed_values import is_number
from host.loaders.areas import area_page
from host.loaders.areas.audit_table import ACTOR_LINK, PATH, SUBJECT
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import DetailProps, facts, short_table
from host.loaders.ui.table_cells import Column
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult


@page("admin-audit-event")
async def load(request: PageRequest, route: Page) -> PageResult[DetailProps]:
    """Raises NotFound, ServiceUnavailable."""
    entry = await request.db.read(events.entry, event_number(request.values["id"]))
    props: DetailProps = {
        "title": route.title,
        "heading": entry.text,
        "backHref": PATH,
        "backText": "All events",
        "facts": facts(_FACTS, entry),
        "tables": [
            short_table(
                "changes", "What changed", "No field was changed.", _CHANGES, words.changes(entry.before, entry.after)
            ),
        ],
    }
    return area_page.page(request, route, props)


def event_number(text: str) -> int:
    """The number in an address. Raises NotFound."""
    if not is_number(text):
        raise NotFound("There is no such event.")
    return int(text)


_FACTS: tuple[Column[AuditEntry], ...] = (
    cells.count("event", "Event", lambda row: row.number),
    cells.text("action", "Action", lambda row: row.action),
    cells.time("at", "Time", lambda row: row.occurred_at),
    ACTOR_LINK,
    cells.text("number", "Student number", lambda row: row.actor_number or None),
    cells.text("roles", "Roles at that time", lambda row: ", ".join(row.roles).capitalize() or None),
    SUBJECT,
    cells.text("organisation", "Organisation", lambda row: row.organisation),
    cells.text("reason", "Reason", lambda row: row.reason or None),
    cells.text("network", "Network", lambda row: row.ip_network or None),
    cells.text("request", "Request", lambda row: row.request_id or None),
    cells.text("hash", "Hash", lambda row: row.hash),
)
_CHANGES: tuple[Column[FieldChange], ...] = (
    cells.text("name", "Field", lambda row: row.label),
    cells.text("before", "Before", lambda row: row.before),
    cells.text("after", "After", lambda row: row.after),
)
