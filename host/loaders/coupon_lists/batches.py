"""/admin/coupons/batches and …/{id}: coupons that were made at once."""

from datetime import datetime

from sqlalchemy.orm import Session

from domain.audit.recording import Subject
from domain.coupons import batch_job
from domain.jobs.job_rows import JobView
from domain.jobs.listing import JobRow
from domain.permissions import Permission
from domain.routes import Page
from domain.staff.recorded_events import AuditEntry, subject_entries
from host.api.admin.people.coupon_batches import stop_batch
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, ListPageProps, list_file
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

PATH = "/admin/coupons/batches"
STATES: dict[str, tuple[str, BadgeTone]] = {
    "queued": ("Waiting", "info"),
    "running": ("Being made", "info"),
    "done": ("Made", "good"),
    "failed": ("Failed", "bad"),
    "stopped": ("Stopped", "neutral"),
}


class CouponBatchesProps(ListPageProps):
    """`mayWrite`: whether this person may make one."""

    mayWrite: bool


class CouponBatchProps(ActionPageProps):
    """`isRunning`: more codes are being made. `takeCall`: hands the codes out, once; null when they were taken,
    are not all made yet, or this person may not."""

    isRunning: bool
    takeCall: str | None


def _file_state(row: JobRow) -> tuple[str, BadgeTone] | None:
    if row.state != "done":
        return None
    return ("Taken", "neutral") if row.report.get("taken_at") else ("Not taken", "warning")


LIST = AreaList(
    TableSpec(
        caption="Batches of coupons",
        source=batch_job.BATCHES,
        columns=(
            cells.link("name", "Batch", lambda row: (str(row.input["name"]), f"{PATH}/{row.id}")),
            cells.badge("state", "State", lambda row: STATES[row.state]),
            cells.count("made", "Codes", lambda row: row.processed),
            cells.text("campaign", "Campaign", lambda row: str(row.input["draft"]["campaign"]) or None),
            cells.time("started", "Started", lambda row: row.created_at),
            cells.text("by", "By", lambda row: row.started_by or None),
            cells.badge("file", "File", _file_state),
        ),
        filters=(choice("state", "State", {state: text for state, (text, _) in STATES.items()}),),
        empty={
            "title": "No batches yet",
            "text": "Up to 10,000 codes of the same terms are made at once, each for one person, for example.",
            "action": {"text": "Make a batch", "href": f"{PATH}/new"},
        },
    )
)
list_file("admin-coupon-batches", LIST)


@page("admin-coupon-batches")
async def load(request: PageRequest, route: Page) -> PageResult[CouponBatchesProps]:
    """Raises ServiceUnavailable."""
    table = await LIST.table(request)
    props: CouponBatchesProps = {
        "title": route.title,
        "table": table,
        "mayWrite": may(request, Permission.COUPONS_WRITE),
    }
    return area_page.page(request, route, props)


@page("admin-coupon-batch")
async def load_one(request: PageRequest, route: Page) -> PageResult[CouponBatchProps]:
    """Raises NotFound, ServiceUnavailable."""
    batch, events = await request.db.read(_read, number(request))
    may_write, is_running = may(request, Permission.COUPONS_WRITE), batch.state in ("queued", "running")
    is_open = batch.state == "done" and not batch.report.get("taken_at")
    props: CouponBatchProps = {
        "title": route.title,
        "heading": str(batch.input["name"]),
        "backHref": PATH,
        "backText": "All batches",
        "facts": facts(_FACTS, batch),
        "texts": [],
        "tables": [events_table(events)],
        "actions": [stop_batch.form(batch.id)] if may_write and is_running else [],
        "isRunning": is_running,
        "takeCall": f"{PATH}/{batch.id}/take" if may_write and is_open else None,
    }
    return area_page.page(request, route, props)


def _read(session: Session, batch_id: int) -> tuple[JobView, list[AuditEntry]]:
    return batch_job.batch(session, batch_id), [*subject_entries(session, Subject("job", batch_id))]


def _taken_at(batch: JobView) -> datetime | None:
    text = batch.report.get("taken_at")
    return None if text is None else datetime.fromisoformat(text)


_FACTS: tuple[Column[JobView], ...] = (
    cells.badge("state", "State", lambda row: STATES[row.state]),
    cells.progress("progress", "Made", lambda row: row.processed / int(row.input["number"])),
    cells.count("number", "Codes", lambda row: row.processed),
    cells.text("campaign", "Campaign", lambda row: str(row.input["draft"]["campaign"]) or None),
    cells.text("reason", "Reason", lambda row: str(row.input["reason"]) or None),
    cells.time("started", "Started", lambda row: row.created_at),
    cells.time("ended", "Ended", lambda row: row.ended_at),
    cells.time("taken", "File taken", _taken_at),
    cells.text("error", "Error", lambda row: row.report.get("error")),
)
