"""/csv/admin/imports/{id}: what a check found of every row of its file; with ?rows=refused the rows that it left out,
as they are in the file, with the reason."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import islice
from pathlib import Path

from domain.catalogue_import import check_job
from domain.catalogue_import.report import RowReport, read_rows
from domain.errors import NotFound
from domain.jobs import job_rows
from domain.typed_values import is_number
from domain.uploads import upload_rows
from host.loaders.ui import csv_rows
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_cells import Column
from host.rendering.page_registry import csv_file
from host.rendering.page_request import PageRequest

ROWS_IN_PART = 1_000
BYTES_IN_PART = 256 * 1024
RESULTS = {
    "added": "New",
    "changed": "Changed",
    "unchanged": "Unchanged",
    "bad": "Left out",
    "repeats": "Left out: repeated",
    "variants": "Left out: variant or picture",
    "doubts": "Warning",
}
_COLUMNS: tuple[Column[RowReport], ...] = (
    cells.count("line", "Line", lambda row: row.line),
    cells.text("result", "Result", lambda row: RESULTS[row.result]),
    cells.text("name", "Name", lambda row: row.name or None),
    cells.text("slug", "Address", lambda row: row.slug or None),
    cells.text("changed", "Changed fields", lambda row: ", ".join(row.changed) or None),
    cells.text("draft", "Kept as draft because", lambda row: row.draft_reasons or None),
    cells.text("reason", "Reason", lambda row: row.reason or None),
)


@csv_file("admin-import")
async def csv(request: PageRequest) -> AsyncIterator[bytes]:
    """The heading comes with the first rows. Raises NotFound for what is no check, and once its file is deleted."""
    report = await _report(request)
    if request.query.get("rows") == "refused":
        async for part in _refused(check_job.refused_path(report)):
            yield part
        return
    rows = read_rows(report)
    currency = request.settings.shop.currency
    part = csv_rows.header(_COLUMNS, currency)
    while True:
        slice_of_rows = await asyncio.to_thread(_next, rows)
        yield part + csv_rows.lines(_COLUMNS, slice_of_rows, currency)
        part = b""
        if len(slice_of_rows) < ROWS_IN_PART:
            return


async def _refused(path: Path) -> AsyncIterator[bytes]:
    """Not a cell is changed: it is the file of whoever asks. Raises NotFound when no row was refused."""
    try:
        stream = await asyncio.to_thread(path.open, "rb")
    except FileNotFoundError:
        raise NotFound("No row of this check was left out, or its file is deleted.") from None
    with stream:
        while part := await asyncio.to_thread(stream.read, BYTES_IN_PART):
            yield part


async def _report(request: PageRequest) -> Path:
    text = request.values["id"]
    if not is_number(text):
        raise NotFound("There is no such check.")
    view = await request.db.read(job_rows.job_view, int(text), [check_job.KIND])
    if not view.report.get("has_rows"):
        raise NotFound("There is no report of this check yet.")
    return upload_rows.report_path(request.settings.files_folder, int(view.input["upload_id"]), view.id)


def _next(rows: Iterator[RowReport]) -> list[RowReport]:
    return list(islice(rows, ROWS_IN_PART))
