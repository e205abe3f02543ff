"""`orders export KIND`: CSV on standard output; whether documents and money agree, on standard error."""

import argparse
import sys
from typing import Any

from config.settings import Settings
from domain.database.database import Database
from domain.orders.export import export as order_export
from domain.orders.export.agreement import BooksAgreement
from domain.orders.export.export import KINDS
from domain.orders.export.period import Period
from host.cli.arguments import day
from host.cli.csv_output import open_csv
from host.cli.orders.texts import decimal


def add_actions(actions: "argparse._SubParsersAction[Any]") -> None:
    parser = actions.add_parser("export", help="write document lines, payments or tax as CSV")
    parser.add_argument("kind", metavar="KIND", choices=KINDS, help=", ".join(KINDS))
    parser.add_argument("--from", dest="first", type=day, metavar="YYYY-MM-DD", help="first day, UTC")
    parser.add_argument("--to", dest="last", type=day, metavar="YYYY-MM-DD", help="last day, UTC")
    parser.set_defaults(run_action=run)


def run(args: argparse.Namespace, database: Database, _settings: Settings) -> int:
    """0 when documents and money agree, else 1; the rows are written either way."""
    with database.read_session() as session:
        agreement = order_export.export(session, args.kind, Period(args.first, args.last), open_csv())
    _report(agreement)
    return 0 if agreement.is_right else 1


def _report(agreement: BooksAgreement) -> None:
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
