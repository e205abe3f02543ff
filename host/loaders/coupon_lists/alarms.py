"""/admin/coupons/alarms and …/{id}: codes that more people used than usual, and what is done about each."""

from sqlalchemy.orm import Session

from domain.audit.recording import Subject
from domain.coupons.leaks import listing
from domain.coupons.leaks.listing import ALARMS, AlarmRow
from domain.permissions import Permission
from domain.routes import Page
from domain.staff.recorded_events import AuditEntry, subject_entries
from host.api.admin.actions import Action
from host.api.admin.people.coupon_alarms import dismiss_alarm, pause_code, replace_code
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.areas.audit_table import events_table
from host.loaders.support.page_ids import may, number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.detail_props import facts
from host.loaders.ui.table_cells import BadgeTone, Column
from host.loaders.ui.table_spec import TableSpec, choice
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH = "/admin/coupons/alarms"
STATES: dict[str, tuple[str, BadgeTone]] = {
    "open": ("To decide", "warning"),
    "paused": ("Code paused", "good"),
    "replaced": ("Code replaced", "good"),
    "dismissed": ("Dismissed", "neutral"),
}
_STATE: Column[AlarmRow] = cells.badge("state", "State", lambda row: STATES[row.state])
_HOUR: Column[AlarmRow] = cells.time("hour", "Hour from", lambda row: row.hour)
_NETWORKS: Column[AlarmRow] = cells.count("networks", "Networks in that hour", lambda row: row.networks)
_USUAL: Column[AlarmRow] = cells.count("expected", "Usual at that time", lambda row: round(row.expected, 1))
_HOSTS: Column[AlarmRow] = cells.text("hosts", "New sites that led there", lambda row: ", ".join(row.hosts) or None)

LIST = AreaList(
    TableSpec(
        caption="Alarms",
        source=ALARMS,
        columns=(
            cells.link("code", "Code", lambda row: (row.code, f"{PATH}/{row.id}")),
            *(_STATE, _HOUR, _NETWORKS, _USUAL, _HOSTS),
        ),
        filters=(choice("state", "State", {state: text for state, (text, _) in STATES.items()}),),
        empty={
            "title": "No alarms",
            "text": "A code that is meant for few and that suddenly comes from many networks is listed here.",
            "action": None,
        },
    )
)
list_page("admin-coupon-alarms", LIST)


@page("admin-coupon-alarm")
async def load_one(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises NotFound, ServiceUnavailable."""
    alarm, events = await request.db.read(_read, number(request))
    props: ActionPageProps = {
        "title": route.title,
        "heading": f"Alarm about {alarm.code}",
        "backHref": PATH,
        "backText": "All alarms",
        "facts": facts(_FACTS, alarm),
        "texts": [],
        "tables": [events_table(events)],
        "actions": _actions(alarm) if alarm.state == "open" and may(request, Permission.COUPONS_WRITE) else [],
    }
    return area_page.page(request, route, props)


def _actions(alarm: AlarmRow) -> list[Action]:
    return [declared.form(alarm.id) for declared in (pause_code, replace_code, dismiss_alarm)]


def _read(session: Session, alarm_id: int) -> tuple[AlarmRow, list[AuditEntry]]:
    return listing.alarm(session, alarm_id), [*subject_entries(session, Subject("coupon_alarm", alarm_id))]


def _uses(row: AlarmRow) -> str:
    return f"{row.uses}" if row.total_limit is None else f"{row.uses} of {row.total_limit}"


_FACTS: tuple[Column[AlarmRow], ...] = (
    _STATE,
    cells.link("code", "Code", lambda row: (row.code, f"/admin/coupons/{row.coupon_id}")),
    *(_HOUR, _NETWORKS, _USUAL, _HOSTS),
    cells.text("uses", "Uses now", _uses),
    cells.time("decided", "Decided", lambda row: row.decided_at),
    cells.text("by", "By", lambda row: row.decided_by),
    cells.text("reason", "Reason", lambda row: row.reason or None),
)
