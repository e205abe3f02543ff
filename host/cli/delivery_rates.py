"""`python -m host delivery-rates`: enter what delivery costs from a file, and list it."""

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.errors import DomainError
from domain.money import Currency
from domain.permissions import SystemActor
from domain.rates import delivery_list, delivery_rates
from host.cli.tax_rates import read_rows


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="show all rates with their zones and days")
    imported = actions.add_parser("import", help="add the rates of a CSV file, and their zones, all or none")
    columns = "zone,countries,service,from_grams,to_grams,price,free_from,days_min,days_max,starts_on,ends_on"
    imported.add_argument("file", metavar="FILE.csv", type=Path, help=f"with the columns {columns}")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0, or 1 with one sentence on stderr when the file is refused."""
    database = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    currency = settings.shop.currency
    try:
        return _show(database, currency) if args.action == "list" else _import(database, args.file, currency)
    except (DomainError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        database.engine.dispose()


def _import(database: Database, path: Path, currency: Currency) -> int:
    actor, rows = SystemActor("command", datetime.now(UTC)), [*read_rows(path, delivery_rates.FIELDS)]
    count = database.write_as_sync(actor, delivery_rates.import_rates, rows, currency, actor.at.date())
    print(f"{count} rates were added.")
    return 0


def _show(database: Database, currency: Currency) -> int:
    with database.read_session() as session:
        rows = delivery_list.all_rates(session, datetime.now(UTC).date())
    table = Table("Number", "Zone", "Countries", "Service", "Weights", "Price", "Days", "First day", "Last day")
    for row in rows:
        ends = "" if row.ends_on is None else f"{row.ends_on}"
        price, days = delivery_rates.amount_text(row, currency), f"{row.days_min} to {row.days_max}"
        about = (str(row.id), row.zone, row.countries, row.service, delivery_rates.weights_text(row))
        table.add_row(*about, price, days, f"{row.starts_on}", ends)
    Console().print(table)
    return 0
