"""/csv/admin/imports/{id}: what a check found of every row of its file."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import islice

from domain import jobs, uploads
from domain.catalogue_import import check_job
from domain.catalogue_import.report import RowReport, read_rows
from domain.errors import NotFound
from host.loaders.ui import csv_rows
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_cells import Column
from host.rendering.page_registry import csv_file
from host.rendering.page_request import PageRequest

ROWS_IN_PART = 1_000
MAX_ID_DIGITS = 15
RESULTS = {
    "added": "New",
    "changed": "Changed",
    "unchanged": "Unchanged",
    "bad": "Left out",
    "repeats": "Left out: repeated",
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
    rows = await _rows(request)
    currency = request.settings.shop.currency
    part = csv_rows.header(_COLUMNS, currency)
    while True:
        slice_of_rows = await asyncio.to_thread(_next, rows)
        yield part + csv_rows.lines(_COLUMNS, slice_of_rows, currency)
        part = b""
        if len(slice_of_rows) < ROWS_IN_PART:
            return


async def _rows(request: PageRequest) -> Iterator[RowReport]:
    text = request.values["id"]
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_ID_DIGITS):
        raise NotFound("There is no such check.")
    view = await request.db.read(jobs.job_view, int(text), [check_job.KIND])
    if not view.report.get("has_rows"):
        raise NotFound("There is no report of this check yet.")
    return read_rows(uploads.report_path(request.settings.files_folder, int(view.input["upload_id"]), view.id))


def _next(rows: Iterator[RowReport]) -> list[RowReport]:
    return list(islice(rows, ROWS_IN_PART))
