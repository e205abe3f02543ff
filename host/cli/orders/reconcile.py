"""`orders reconcile`."""

import argparse
import sys
from datetime import UTC, datetime
from typing import Any

from adapters.payments.reconciling import DAILY, Report
from adapters.payments.runner import NotPrepared
from config.settings import Settings
from domain.database.database import Database
from domain.orders.explanation import order_rows
from domain.payments.gateway import GatewayError
from domain.payments.transfers import staff_list
from host.cli.orders.gateway import payment_runner
from host.cli.orders.texts import amount, print_table, time
from host.cli.visits import parse_period

WORDS = {
    "missing_here": "the gateway has it, we do not",
    "missing_there": "we have it, the gateway does not",
    "amount": "another amount or currency",
    "orphan": "it belongs to no order of ours",
}


def add_actions(actions: "argparse._SubParsersAction[Any]") -> None:
    parser = actions.add_parser("reconcile", help="compare with what the gateway has; ends with 1 on a difference")
    parser.add_argument(
        "--since", type=parse_period, default=DAILY, help="period to compare, such as 12h or 30d; default 3d"
    )
    parser.add_argument("--dry-run", action="store_true", help="store neither findings nor what agrees")
    parser.set_defaults(run_action=run)


def run(args: argparse.Namespace, database: Database, settings: Settings) -> int:
    """0 when everything agrees, 1 on a difference, 2 when nothing could be compared."""
    try:
        report = payment_runner(database, settings).reconcile(datetime.now(UTC) - args.since, is_dry=args.dry_run)
    except GatewayError as error:
        address = settings.payments_api_base
        print(f"The payment gateway cannot be asked at {address}: {error}.", file=sys.stderr)
        return 2
    except NotPrepared:
        print("The database is not prepared: run `python -m host prepare` first.", file=sys.stderr)
        return 2
    _print(database, report)
    has_difference = _print_transfers(database)
    return 1 if report.findings or has_difference else 0


def _print_transfers(database: Database) -> bool:
    """Whether the books of bank transfers differ: they are compared with the entries of statements, and no gateway is
    asked about them."""
    with database.read_session() as session:
        books = staff_list.transfer_books(session)
    for row in books.differences:
        paid, used = amount(row.paid_minor, row.currency), amount(row.used_minor, row.currency)
        print(f"Order {row.order_code} is paid by bank transfer with {paid}, and {used} came on the account for it.")
    if books.paid or books.open:
        print(f"{books.paid:,} orders paid by bank transfer; {books.open:,} entries of the account to decide about.")
    return bool(books.differences)


def _print(database: Database, report: Report) -> None:
    with database.read_session() as session:
        codes = order_rows.codes_of(session, {row.order_id for row in report.findings if row.order_id is not None})
    rows = [(row.kind, WORDS[row.kind], row.gateway_id, codes.get(row.order_id or 0, "")) for row in report.findings]
    print_table(("Finding", "Meaning", "Id at the gateway", "Order"), rows)
    foreign = f", {report.foreign:,} of them of other shops" if report.foreign else ""
    differ = "nothing differs" if not rows else f"{len(rows):,} differ"
    print(f"{report.transactions:,} transactions compared{foreign}: {differ}.")
    print(f"Compared until {time(report.until)} UTC: what is younger counts where both sides have it.")
    if report.waiting:
        print(f"{report.waiting:,} younger ones are not stored here yet: a later run compares them.")
