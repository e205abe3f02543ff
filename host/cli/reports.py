"""`python -m host reports sales`: what was sold, by day and currency; or whether the stored days are right."""

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from sqlalchemy.exc import DBAPIError

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.reports import sale_storage
from domain.reports.sale_builder import SaleDayBuilder
from domain.reports.sale_days import DIMENSIONS, SaleFigures, SaleKey
from host.cli.arguments import day
from host.cli.orders.texts import decimal, print_table

DayRow = tuple[date, SaleKey, SaleFigures]
COUNTS = ("orders", "lines", "units")
AMOUNTS = ("gross", "discount", "tax", "refunded", "net", "returned")
# One run brings all days up to date: nobody waits for the next one.
RUN_S = 3600.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    sales = actions.add_parser("sales", help="what was sold, by day and currency")
    sales.description = (
        "What was paid on each local day and what is left of it, in each currency: the days are brought up to date"
        " first. An amount counts on the day of its payment, and what went back of it changes that day; `returned` is"
        " what went back on the day itself."
    )
    sales.add_argument("--from", dest="first", type=day, required=True, metavar="DAY", help="such as 2026-11-01")
    sales.add_argument("--to", dest="last", type=day, metavar="DAY", help="the last day; default today")
    sales.add_argument("--by", choices=DIMENSIONS, default="all", help=f"one of {', '.join(DIMENSIONS)}; default all")
    sales.add_argument("--json", action="store_true", help="write JSON instead of a table")
    sales.add_argument("--check", action="store_true", help="write nothing, and name the days whose figures differ")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0; 1 when a day differs from its orders; 2 for days that end before they begin, or when the database cannot be
    used."""
    last = args.last or settings.day_rules.day_of(datetime.now(UTC))
    if last < args.first:
        print(f"{last} is before {args.first}.", file=sys.stderr)
        return 2
    database = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    builder = SaleDayBuilder(database, settings.day_rules, lambda: datetime.now(UTC))
    try:
        if args.check:
            return _check(builder, args.first, last)
        builder.build_due(RUN_S)
        with database.read_session() as session:
            rows = sale_storage.sale_rows(session, args.by, args.first, last)
    except DBAPIError as error:
        print(f"The database cannot be used: {error.orig}", file=sys.stderr)
        return 2
    finally:
        database.engine.dispose()
    if args.json:
        print(json.dumps(_as_json(args, last, settings.day_rules.zone, rows)))
    elif rows:
        print_table(("Day", "Currency", "Key", *map(str.capitalize, (*COUNTS, *AMOUNTS))), _as_cells(rows))
    else:
        print(f"Nothing was sold from {args.first} to {last}.")
    return 0


def _check(builder: SaleDayBuilder, first: date, last: date) -> int:
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    wrong = builder.wrong_days(days)
    for wrong_day in wrong:
        print(f"{wrong_day}: other figures stored than the orders give")
    print(f"{len(days) - len(wrong)} of {len(days)} days are right.")
    return 1 if wrong else 0


def _as_json(args: argparse.Namespace, last: date, zone: str, rows: Sequence[DayRow]) -> dict[str, object]:
    """Amounts are decimal text in major units, as everywhere on the wire of commands."""
    about = {"report": "sales", "from": str(args.first), "to": str(last), "zone": zone, "by": args.by}
    return {**about, "rows": [_as_record(*row) for row in rows]}


def _as_record(sold_on: date, key: SaleKey, figures: SaleFigures) -> dict[str, object]:
    counts = {name: getattr(figures, name) for name in COUNTS}
    return {"day": str(sold_on), "currency": key.currency, "key": key.key, **counts, **_amounts(key, figures)}


def _amounts(key: SaleKey, figures: SaleFigures) -> dict[str, str]:
    return {name: decimal(getattr(figures, f"{name}_minor"), key.currency) for name in AMOUNTS}


def _as_cells(rows: Sequence[DayRow]) -> list[tuple[str, ...]]:
    records = [_as_record(*row) for row in rows]
    return [tuple(map(str, record.values())) for record in records]
