"""/admin/audit: what staff changed, read and were refused, the newest first."""

from datetime import datetime

from typing_extensions import TypedDict

from domain.audit.texts import TEXTS, action_text
from domain.routes import Page
from domain.staff import recorded_chain as chain
from domain.staff import recorded_events as events
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, ListPageProps, list_file
from host.loaders.areas.audit_table import ACTOR_LINK, CHANGE, CODE, EVENT, NUMBER, REASON, SUBJECT, TIME
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_spec import TableSpec, choice, day, search
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

LIST = AreaList(
    TableSpec(
        caption="Audit",
        source=events.EVENTS,
        names_people=True,
        columns=(
            EVENT,
            TIME,
            ACTOR_LINK,
            SUBJECT,
            CHANGE,
            REASON,
            NUMBER,
            CODE,
            cells.text("roles", "Roles", lambda row: ", ".join(row.roles).capitalize() or None, hidden=True),
            cells.text("organisation", "Organisation", lambda row: row.organisation, hidden=True),
            cells.text("network", "Network", lambda row: row.ip_network or None, hidden=True),
            cells.text("request", "Request", lambda row: row.request_id or None, hidden=True),
        ),
        filters=(
            search("actor", "Student number"),
            choice("action", "Event", {action: action_text(action) for action in sorted(TEXTS, key=action_text)}),
            search("subject", "About"),
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
list_file("admin-audit", LIST)


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


@page("admin-audit")
async def load(request: PageRequest, route: Page) -> PageResult[AuditPageProps]:
    """Raises ServiceUnavailable while the database does not answer in time."""
    table = await LIST.table(request)
    last, check = await request.db.read_inline(chain.chain_state)
    state: ChainState = {
        "last": last,
        "checked": None if check is None else check.checked,
        "checkedAt": None if check is None else _iso(check.at),
        "wrong": None if check is None else check.wrong,
    }
    return area_page.page(request, route, {"title": route.title, "table": table, "chain": state})


def _iso(at: datetime) -> str:
    return at.isoformat()
