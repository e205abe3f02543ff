"""/admin/confirmations and /admin/confirmations/{id}: grave changes that wait for another administrator."""

from domain.routes import Page
from domain.staff import pending_list
from domain.staff.pending_list import PendingRow
from host.api.admin.actions import ACTIONS, Action
from host.api.admin.people.confirmations import PATH, refuse, withdraw
from host.loaders.admin.staff import PATH as STAFF_PATH
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.support.learners import PATH as LEARNERS_PATH
from host.loaders.support.page_ids import number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.detail_props import facts
from host.loaders.ui.table_cells import BadgeTone, Column
from host.loaders.ui.table_spec import TableSpec, choice
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

STATES: dict[str, tuple[str, BadgeTone]] = {
    "waiting": ("Waits", "warning"),
    "confirmed": ("Confirmed", "good"),
    "refused": ("Refused", "bad"),
    "withdrawn": ("Withdrawn", "neutral"),
    "expired": ("Not confirmed in time", "neutral"),
}
_STATE: Column[PendingRow] = cells.badge("state", "State", lambda row: STATES[row.state])
_ASKER: Column[PendingRow] = cells.text("requester", "Asked for by", lambda row: row.requester or None)
_ASKED: Column[PendingRow] = cells.time("asked", "Asked for", lambda row: row.requested_at)
_UNTIL: Column[PendingRow] = cells.time("until", "Waits until", lambda row: row.expires_at)
_DECIDER: Column[PendingRow] = cells.text("decider", "Decided by", lambda row: row.decider or None)
_DECIDED: Column[PendingRow] = cells.time("decided", "Decided", lambda row: row.decided_at)
_REASON: Column[PendingRow] = cells.text("reason", "Why", lambda row: row.reason)

LIST = AreaList(
    TableSpec(
        caption="Changes to confirm",
        source=pending_list.PENDING,
        columns=(
            cells.link("what", "Change", lambda row: (row.text, f"{PATH}/{row.id}")),
            *(_STATE, _ASKER, _ASKED, _UNTIL, _REASON, _DECIDER),
        ),
        filters=(choice("state", "State", {state: text for state, (text, _) in STATES.items()}),),
        empty={
            "title": "Nothing waits for a confirmation",
            "text": "The deletion of an account by staff, and the role of an administrator, wait here until another "
            "administrator has confirmed them.",
            "action": None,
        },
        names_people=True,
    )
)
list_page("admin-confirmations", LIST)


@page("admin-confirmation")
async def load(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises NotFound, ServiceUnavailable."""
    row = await request.db.read(pending_list.pending, number(request))
    props: ActionPageProps = {
        "title": route.title,
        "heading": row.text,
        "backHref": PATH,
        "backText": "All changes to confirm",
        "facts": facts(_FACTS, row),
        "texts": [],
        "tables": [],
        "actions": _actions(request, row),
    }
    return area_page.page(request, route, props)


def _actions(request: PageRequest, row: PendingRow) -> list[Action]:
    """Whoever has asked for it can withdraw it; others decide. Their calls say what stands against it."""
    if row.state != "waiting" or row.expires_at <= request.at or request.session is None:
        return []
    if request.session.auth.learner_id == row.requested_by:
        return [withdraw.form(row.id)]
    # Declared in host/identity, which is above this layer.
    return [ACTIONS["admin/confirmations/{id}/confirm"].form(row.id), refuse.form(row.id)]


def _about(row: PendingRow) -> tuple[str, str]:
    if row.kind == "learner.erase":
        return row.student_number.upper(), f"{LEARNERS_PATH}/{row.learner_id}"
    return row.name or row.student_number.upper(), f"{STAFF_PATH}/{row.learner_id}"


def _certificates(row: PendingRow) -> str | None:
    keeps = row.values.get("keeps_certificates")
    return None if keeps is None else "Stay valid, with the name" if keeps else "Are revoked and lose the name"


_FACTS: tuple[Column[PendingRow], ...] = (
    _STATE,
    cells.link("about", "About", _about),
    cells.text("certificates", "Certificates", _certificates),
    *(_REASON, _ASKER, _ASKED, _UNTIL, _DECIDER, _DECIDED),
    cells.text("answer", "Why not", lambda row: row.answer or None),
)
