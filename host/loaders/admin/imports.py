"""/admin/imports: send a file and check it, and what was imported before; /admin/imports/{id}: one check or import."""

from typing import Literal, cast, get_args

from typing_extensions import TypedDict

from domain.catalogue_import import job
from domain.catalogue_import.columns import FIELDS, REQUIRED
from domain.catalogue_import.presets import PRESETS, Kind
from domain.catalogue_import.read_lines import Encoding
from domain.catalogue_import.words import LEVELS, STATUSES, VISIBILITIES
from domain.errors import NotFound
from domain.jobs import job_rows
from domain.jobs.listing import JobRow, jobs_of_kind
from domain.routes import Page
from domain.typed_values import is_number
from host.jobs.import_status import IMPORT_KINDS, ImportStatus, import_status
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_file
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_cells import BadgeTone
from host.loaders.ui.table_props import TableProps
from host.loaders.ui.table_spec import TableSpec, choice
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH = "/admin/imports"
STATES: dict[str, tuple[str, BadgeTone]] = {
    "queued": ("Waiting", "neutral"),
    "running": ("Running", "info"),
    "done": ("Done", "good"),
    "failed": ("Failed", "bad"),
    "stopped": ("Stopped", "warning"),
}


class ImportField(TypedDict):
    """A field of a kind of rows."""

    name: str
    isRequired: bool


class ImportPreset(TypedDict):
    """A program whose exports are known. `kind`: of their rows."""

    name: str
    label: str
    kind: Literal["courses", "items"]


class ImportsProps(TypedDict):
    """`courseFields`, `itemFields`: what a column or a value for all rows can become. `encodings`: in which a file may
    be. `meanings`: field -> what a word in it can mean; other fields take any text. `table`: former imports."""

    title: str
    courseFields: list[ImportField]
    itemFields: list[ImportField]
    presets: list[ImportPreset]
    encodings: list[Encoding]
    meanings: dict[str, list[str]]
    table: TableProps


class ImportProps(TypedDict):
    title: str
    backHref: str
    status: ImportStatus


def _share(row: JobRow) -> float | None:
    return None if not row.total else row.processed / row.total


LIST = AreaList(
    TableSpec(
        caption="Imports so far",
        # The report of an import holds up to some hundreds of findings.
        source=jobs_of_kind(job.KIND, has_long_reports=True),
        columns=(
            cells.link("name", "File", lambda row: (str(row.input.get("name", "")), f"{PATH}/{row.id}")),
            cells.badge("state", "State", lambda row: STATES[row.state]),
            cells.progress("done", "Done", _share),
            cells.count("added", "New", lambda row: row.report.get("added")),
            cells.count("changed", "Changed", lambda row: row.report.get("changed")),
            cells.time("started", "Started", lambda row: row.created_at),
            cells.text("by", "By", lambda row: row.started_by or None),
        ),
        filters=(choice("state", "State", {state: text for state, (text, _) in STATES.items()}),),
        empty={"title": "Nothing imported yet", "text": "Imports appear here with what came of them.", "action": None},
    )
)
list_file("admin-imports", LIST)


@page("admin-imports")
async def load(request: PageRequest, route: Page) -> PageResult[ImportsProps]:
    """Raises ServiceUnavailable."""
    props: ImportsProps = {
        "title": route.title,
        "courseFields": _fields("courses"),
        "itemFields": _fields("items"),
        "presets": [{"name": name, "label": preset.label, "kind": preset.kind} for name, preset in PRESETS.items()],
        "encodings": list(get_args(Encoding)),
        "meanings": {
            "level": list(dict.fromkeys(LEVELS.values())),
            "is_paid": ["yes", "no"],
            "archived": ["yes", "no"],
            "published": ["yes", "no"],
            "status": list(dict.fromkeys(STATUSES.values())),
            "visibility": list(dict.fromkeys(VISIBILITIES.values())),
        },
        "table": await LIST.table(request),
    }
    return area_page.page(request, route, props)


@page("admin-import")
async def load_one(request: PageRequest, route: Page) -> PageResult[ImportProps]:
    """Raises NotFound, ServiceUnavailable."""
    text = request.values["id"]
    if not is_number(text):
        raise NotFound("There is no such import.")
    view = await request.db.read(job_rows.job_view, int(text), IMPORT_KINDS)
    status = import_status(view, request.at).model_dump(mode="json")
    props: ImportProps = {"title": route.title, "backHref": PATH, "status": cast("ImportStatus", status)}
    return area_page.page(request, route, props)


def _fields(kind: Kind) -> list[ImportField]:
    required = REQUIRED
    return [{"name": name, "isRequired": name in required} for name in FIELDS[kind]]
