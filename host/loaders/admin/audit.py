"""/admin/audit: what staff changed, read and were refused, the newest first."""

from dataclasses import replace
from datetime import datetime

from typing_extensions import TypedDict

from domain import audit
from domain.audit.views import events
from domain.routes import Page
from host.loaders.areas.area_list import AreaList, ListPageProps
from host.loaders.areas.audit_table import ACTION, ACTOR, CHANGE, NUMBER, REASON, TIME
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_spec import TableSpec, day, search
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

LIST = AreaList(
    TableSpec(
        caption="Audit",
        source=events.EVENTS,
        columns=(
            NUMBER,
            TIME,
            ACTOR,
            ACTION,
            cells.text("subject", "Subject", lambda row: f"{row.subject.kind} {row.subject.id}"),
            CHANGE,
            REASON,
            cells.text("roles", "Roles", lambda row: ", ".join(row.roles) or None, hidden=True),
            cells.text("organisation", "Organisation", lambda row: row.organisation, hidden=True),
            cells.text("network", "Network", lambda row: row.ip_network or None, hidden=True),
            cells.text("request", "Request", lambda row: row.request_id or None, hidden=True),
        ),
        filters=(
            search("actor", "By (student number)"),
            search("action", "Action"),
            search("subject", "Subject"),
            day("since", "Since"),
            day("until", "Until"),
        ),
        empty={
            "title": "Nothing recorded yet",
            "text": "Every change by staff is listed here, with who made it and why.",
            "action": None,
        },
    )
)


class ChainState(TypedDict):
    """`last`: the number of the newest event. `checked` null: nobody has checked the chain yet. `wrong`: the first
    event that was not as it was recorded, when it was last checked."""

    last: int
    checked: int | None
    checkedAt: str | None
    wrong: int | None


class AuditPageProps(ListPageProps):
    """The list, and what is known of the chain."""

    chain: ChainState


async def load(request: PageRequest, route: Page) -> PageResult:
    """Raises ServiceUnavailable while the database does not answer in time."""
    page = await LIST.load(request, route)
    last, check = await request.db.read(audit.chain_state)
    chain: ChainState = {
        "last": last,
        "checked": None if check is None else check.checked,
        "checkedAt": None if check is None else _iso(check.at),
        "wrong": None if check is None else check.wrong,
    }
    return replace(page, props={**page.props, "chain": chain})


def _iso(at: datetime) -> str:
    return at.isoformat()
