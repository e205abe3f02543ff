"""A report as Parquet: the rows of its CSV file, with types and with names for programs (docs/contracts.md)."""

import asyncio
import logging
from collections.abc import Iterable, Sequence

from domain.errors import ServiceUnavailable
from domain.reports.visit_reports.answers import ReportAnswer, ReportRow
from domain.reports.visit_reports.figures import Figure
from domain.reports.visit_reports.wording import currency_of
from domain.reports.warehouse import DownloadColumn, Warehouse, WarehouseUnavailable
from host.loaders.ui.table_cells import Cell, Column
from host.reports import view

log = logging.getLogger("coursefront.reports")

# Figures with decimals; the others are whole numbers, amounts in minor units.
_WITH_DECIMALS = ("percent", "number")
NOT_WRITTEN = "The file cannot be written now. Please try again in a minute, or download it as CSV."


async def parquet_of(answer: ReportAnswer, warehouse: Warehouse) -> bytes:
    """In a thread. Raises ServiceUnavailable, after five seconds at the latest."""
    try:
        return await asyncio.to_thread(warehouse.download_of, columns_of(answer))
    except (OSError, WarehouseUnavailable) as error:
        log.warning("a report cannot be written as Parquet: %s", error)
        raise ServiceUnavailable(NOT_WRITTEN) from error


def columns_of(answer: ReportAnswer) -> list[DownloadColumn]:
    """The columns of the CSV file, in its order. Reports of money have the currency of the amounts as the last one."""
    shown, rows, report = view.file_columns(answer), answer.rows, answer.query.report
    columns = [_column(column, rows, report.figures.get(_figure_key(column.key, report.compared))) for column in shown]
    if report.has_money:
        columns.append(DownloadColumn("currency", "VARCHAR", [currency_of(answer).code for _ in rows]))
    return columns


def _figure_key(key: str, compared: str) -> str:
    return compared if key == "before" else key


def _column(column: Column[ReportRow], rows: Sequence[ReportRow], figure: Figure | None) -> DownloadColumn:
    cells = column.cells(rows)
    if figure is None or column.key == "name":
        return DownloadColumn(column.key, "VARCHAR", [_text(cell) for cell in cells])
    numbers = _numbers(cells)
    if figure.unit in _WITH_DECIMALS:
        return DownloadColumn(column.key, "DOUBLE", [None if number is None else float(number) for number in numbers])
    return DownloadColumn(column.key, "BIGINT", [None if number is None else round(number) for number in numbers])


def _text(cell: Cell | None) -> str | None:
    """As it is: an apostrophe before what looks like a formula is for spreadsheets."""
    return cell["text"] if cell is not None and cell["kind"] in ("text", "link") else None


def _numbers(cells: Iterable[Cell | None]) -> list[int | float | None]:
    found: list[int | float | None] = []
    for cell in cells:
        if cell is None:
            found.append(None)
        elif cell["kind"] == "money":
            found.append(cell["minor"])
        else:
            found.append(cell["value"] if cell["kind"] == "count" else None)
    return found
