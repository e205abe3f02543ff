"""`orders export KIND`: CSV on standard output; whether documents and money agree, on standard error."""

import argparse
import csv
import sys
from datetime import date
from decimal import Decimal
from typing import Any

from config.settings import Settings
from domain.database.database import Database
from domain.orders import export
from domain.orders.export import KINDS, Agreement, Period
from domain.orders.export.rows import Cell, Cells
from host.cli.orders.texts import decimal

BYTE_ORDER_MARK = "\ufeff"
# A spreadsheet would read text that begins so as a formula.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


def add_actions(actions: "argparse._SubParsersAction[Any]") -> None:
    parser = actions.add_parser("export", help="write document lines, payments or tax as CSV")
    parser.add_argument("kind", metavar="KIND", choices=KINDS, help=", ".join(KINDS))
    parser.add_argument("--from", dest="first", type=_day, metavar="YYYY-MM-DD", help="first day, UTC")
    parser.add_argument("--to", dest="last", type=_day, metavar="YYYY-MM-DD", help="last day, UTC")
    parser.set_defaults(run_action=run)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a day such as 2026-03-31") from None


def run(args: argparse.Namespace, database: Database, _settings: Settings) -> int:
    """0 when documents and money agree, else 1; the rows are written either way."""
    sys.stdout.write(BYTE_ORDER_MARK)
    writer = csv.writer(sys.stdout)

    def write(cells: Cells) -> None:
        writer.writerow([cell_text(cell) for cell in cells])

    with database.read_session() as session:
        agreement = export.export(session, args.kind, Period(args.first, args.last), write)
    _report(agreement)
    return 0 if agreement.is_right else 1


def cell_text(cell: Cell) -> str:
    """Numbers as decimal text; text so that no spreadsheet takes it for a formula."""
    if isinstance(cell, Decimal):
        return f"{cell:f}"
    if isinstance(cell, int):
        return str(cell)
    return f"'{cell}" if cell.startswith(FORMULA_SIGNS) else cell


def _report(agreement: Agreement) -> None:
    for row in agreement.sums:
        documents, charges, refunds, under_way, difference = (
            decimal(minor, row.currency)
            for minor in (row.documents, row.charges, row.refunds, row.under_way, row.difference)
        )
        sums = f"charges {charges} - refunds {refunds} + under way {under_way}"
        verdict = "=" if row.difference == 0 else f"differ by {difference} from"
        print(f"{row.currency}: documents {documents} {verdict} {sums}", file=sys.stderr)
    for problem in agreement.problems:
        print(problem, file=sys.stderr)
