"""`python -m host tax-rates`: enter the tax rates of a shop from a file, and list them."""

import argparse
import csv
import sys
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.errors import DomainError, Refused
from domain.permissions import SystemActor
from domain.rates import tax_list, tax_rates


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="show all rates with their days")
    imported = actions.add_parser("import", help="add the rates of a CSV file, all or none")
    columns = "country,region,tax_class,label,percent,starts_on,ends_on,replaces,postal_from,postal_to"
    imported.add_argument("file", metavar="FILE.csv", type=Path, help=f"with the columns {columns}")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0, or 1 with one sentence on stderr when the file is refused."""
    database = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    try:
        return _show(database) if args.action == "list" else _import(database, args.file)
    except (DomainError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        database.engine.dispose()


def _import(database: Database, path: Path) -> int:
    now = datetime.now(UTC)
    rows = [*read_rows(path)]
    count = database.write_as_sync(SystemActor("command", now), tax_rates.import_rates, rows, now.date())
    print(f"{count} rates were added.")
    return 0


def read_rows(path: Path, fields: Collection[str] = tax_rates.FIELDS) -> Iterator[Mapping[str, str]]:
    """The rows of a file by the names of fields, whose columns are written with or without capitals and signs between
    their words. Raises Refused."""
    known = {name.casefold(): name for name in fields}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            names = {name: known.get(name.replace("_", "").strip().casefold()) for name in reader.fieldnames or ()}
            if unknown := [name for name, ours in names.items() if ours is None]:
                raise Refused(f"There is no column {unknown[0]!r}: see import --help.")
            for number, row in enumerate(reader, start=1):
                if None in row or None in row.values():
                    raise Refused(f"Row {number} has not as many cells as the heading. Nothing was imported.")
                yield {ours: row[name] for name, ours in names.items() if ours is not None}
    except UnicodeDecodeError:
        raise Refused(f"{path.name} is not UTF-8: save it as that.") from None


def _show(database: Database) -> int:
    with database.read_session() as session:
        rows = tax_list.all_rates(session, datetime.now(UTC).date())
    table = Table("Number", "Place", "Class", "Name", "Percent", "First day", "Last day", "Replaces")
    for row in rows:
        ends, replaces = "" if row.ends_on is None else f"{row.ends_on}", "yes" if row.replaces else ""
        place, percent = tax_rates.place_text(row), f"{row.percent.normalize():f}"
        table.add_row(str(row.id), place, row.tax_class, row.label, percent, f"{row.starts_on}", ends, replaces)
    Console().print(table)
    return 0
