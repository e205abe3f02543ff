"""/admin/bulk: changes of many courses or items, and /admin/bulk/{id}: what was chosen for one, and what came of it."""

from collections.abc import AsyncIterator, Callable
from typing import TypeVar

from sqlalchemy.orm import Session

from domain.display_text import count_text
from domain.jobs.job_rows import JobView
from domain.jobs.listing import jobs_of_kind
from domain.permissions import Permission
from domain.publishing.bulk import views as bulk_views
from domain.publishing.bulk.job import KIND
from domain.publishing.bulk.views import ROW_STATES, BulkRow, BulkView
from domain.publishing.editing import course_list
from domain.publishing.editing.course_list import Choice
from domain.routes import Page
from host.api.admin.actions import Action
from host.api.admin.catalogue import bulk as calls
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.publishing.course_frame import PATHS, may, path_id
from host.loaders.publishing.courses import badge
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.detail_props import facts
from host.loaders.ui.table_cells import BadgeTone, Column
from host.loaders.ui.table_props import TableProps
from host.loaders.ui.table_spec import TableSpec, choice
from host.rendering.page_registry import csv_file, page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

T = TypeVar("T")
PATH = "/admin/bulk"
STATES: dict[str, tuple[str, BadgeTone]] = {
    "queued": ("Waiting to begin", "neutral"),
    "running": ("Running", "info"),
    "done": ("Done", "good"),
    "failed": ("Failed", "bad"),
    "stopped": ("Stopped", "warning"),
}
_TONES: dict[str, BadgeTone] = {"chosen": "neutral", "changed": "good", "unchanged": "neutral", "refused": "warning"}


class BulkChangeProps(ActionPageProps):
    """`isRunning`: more rows are being changed. `table`: the rows, each with its result."""

    isRunning: bool
    table: TableProps


LIST = AreaList(
    TableSpec(
        caption="Bulk changes",
        source=jobs_of_kind(KIND),
        columns=(
            cells.link("name", "Change", lambda row: (str(row.input["name"]), f"{PATH}/{row.input['bulk_change_id']}")),
            cells.badge("state", "State", lambda row: STATES[row.state]),
            cells.count("changed", "Changed", lambda row: row.report.get("changed")),
            cells.count("refused", "Refused", lambda row: row.report.get("refused")),
            cells.time("started", "Begun", lambda row: row.created_at),
            cells.text("by", "By", lambda row: row.started_by or None),
        ),
        filters=(choice("state", "State", {state: text for state, (text, _) in STATES.items()}),),
        empty={
            "title": "No bulk changes yet",
            "text": "Choose rows in the list of courses or items, then “Change…”: each change appears here.",
            "action": {"text": "All courses", "href": PATHS["course"]},
        },
    )
)
list_page("admin-bulk", LIST)


def _rows(change_id: int) -> AreaList[BulkRow]:
    return AreaList(
        TableSpec(
            caption="Chosen rows",
            source=bulk_views.rows_of(change_id),
            columns=(
                cells.link("name", "Name", lambda row: (row.name or "No name", f"{PATHS[row.kind]}/{row.product_id}")),
                cells.badge("result", "Result", lambda row: (ROW_STATES[row.state], _TONES[row.state])),
                cells.text("note", "Why", lambda row: row.note or None),
                cells.badge("status", "State now", lambda row: badge(row.status)),
                cells.text("category", "Category now", lambda row: row.category),
            ),
            filters=(choice("result", "Result", ROW_STATES),),
            empty={"title": "No rows", "text": "Nothing is chosen any more.", "action": None},
        )
    )


@page("admin-bulk-change")
async def load(request: PageRequest, route: Page) -> PageResult[BulkChangeProps]:
    """Raises NotFound, ServiceUnavailable."""

    def read(session: Session) -> tuple[BulkView, list[Choice]]:
        return bulk_views.bulk_view(session, _id(request), request.at), course_list.categories(session)

    view, categories = await request.db.read(read)
    props: BulkChangeProps = {
        "title": route.title,
        "heading": _heading(view),
        "backHref": PATHS[view.kind] if view.job is None else PATH,
        "backText": f"All {view.kind}s" if view.job is None else "All bulk changes",
        "facts": facts(_FACTS, view),
        "texts": [],
        "tables": [],
        "actions": _actions(view, categories, may(request, Permission.CATALOGUE_PUBLISH)),
        "isRunning": view.job is not None and view.job.state in ("queued", "running"),
        "table": await _rows(view.id).table(request),
    }
    return area_page.page(request, route, props)


@csv_file("admin-bulk-change")
async def csv(request: PageRequest) -> AsyncIterator[bytes]:
    """The rows of one change as a file. Raises NotFound, InvalidInput, ServiceUnavailable."""
    view = await request.db.read(bulk_views.bulk_view, _id(request), request.at)
    async for part in _rows(view.id).csv(request):
        yield part


def _id(request: PageRequest) -> int:
    return path_id(request, "id", "There is no such bulk change.")


def _heading(view: BulkView) -> str:
    return (
        f"Change {count_text(view.number)} {_noun(view, view.number)}"
        if view.job is None
        else str(view.job.input["name"])
    )


def _noun(view: BulkView, number: int) -> str:
    return view.kind if number == 1 else f"{view.kind}s"


def _actions(view: BulkView, categories: list[Choice], may_publish: bool) -> list[Action]:
    if view.job is None:
        return _beginnings(view, categories, may_publish)
    if view.job.state in ("queued", "running"):
        return [calls.stop_bulk_change.form(view.id)]
    return _endings(view, may_publish)


def _endings(view: BulkView, may_publish: bool) -> list[Action]:
    text = f"{count_text(view.left)} {_noun(view, view.left)} {'was' if view.left == 1 else 'were'} not changed."
    rest = calls.choose_rest.form(view.id, text=f"{text} Choose what is done about it.")
    undo = [calls.undo_bulk_change.form(view.id)] if view.may_be_undone and may_publish else []
    return [rest, *undo] if view.left else undo


def _beginnings(view: BulkView, categories: list[Choice], may_publish: bool) -> list[Action]:
    options = {"": "Choose…"} | {entry.slug: entry.name for entry in categories}
    category = calls.change_categories.form(view.id, options={"category": options})
    if not may_publish:
        return [category]
    number = f"{count_text(view.number)} {_noun(view, view.number)}"
    ways = (calls.publish_products, calls.retire_products)
    return [category, *(way.form(view.id, question=f"{number}. {way.options['question']}") for way in ways)]


def _of_job(read: Callable[[JobView], T]) -> Callable[[BulkView], T | None]:
    return lambda view: None if view.job is None else read(view.job)


def _count(state: str) -> Column[BulkView]:
    return cells.count(state, ROW_STATES[state], _of_job(lambda job: job.report.get(state)))


def _other(change_id: int | None) -> tuple[str, str] | None:
    return None if change_id is None else ("Show that change", f"{PATH}/{change_id}")


_FACTS: tuple[Column[BulkView], ...] = (
    cells.badge("state", "State", _of_job(lambda job: STATES[job.state])),
    cells.progress("progress", "Done", _of_job(lambda job: job.processed / int(job.input["number"]))),
    _count("changed"),
    _count("unchanged"),
    _count("refused"),
    cells.count("number", "Chosen", lambda view: view.number),
    cells.count("owners", "People with access", lambda view: view.owners if view.kind == "course" else None),
    cells.text("category", "New category", lambda view: None if view.undoes_id else view.category),
    cells.text("reason", "Reason", lambda view: view.reason or None),
    cells.time("begun", "Begun", _of_job(lambda job: job.created_at)),
    cells.time("ended", "Ended", _of_job(lambda job: job.ended_at)),
    cells.text("by", "Chosen by", lambda view: view.chosen_by or None),
    cells.link("undoes", "Undoes", lambda view: _other(view.undoes_id)),
    cells.link("undone", "Undone by", lambda view: _other(view.undone_by)),
    cells.text("error", "Error", _of_job(lambda job: job.report.get("error"))),
)
