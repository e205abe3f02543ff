"""`python -m host visits remove-site NAME`: remove a site whose logs were imported, with its visits and days."""

import argparse
import sys

from sqlalchemy.exc import DBAPIError

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.log_import import removal, storing
from host.cli.import_catalogue import progress_bar


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Remove a site whose logs were imported, with its visits and the figures of its days."
    parser.add_argument("name", metavar="NAME", help="of the site, as import-log was given it")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0; 1 when there is no such site, the database cannot be used, or the command was stopped."""
    database = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    try:
        with progress_bar(f"Removing {args.name}") as show:
            visits = removal.remove(database, args.name, show)
        if visits is None:
            with database.read_session() as session:
                names = ", ".join(storing.names_of_sites(session)) or "no other site"
            print(f"No log of {args.name} was imported. There is: {names}.", file=sys.stderr)
            return 1
        print(f"{args.name} is removed, with {visits:,} visits.")
        return 0
    except DBAPIError as error:
        print(f"The database cannot be used: {error.orig}. The same command goes on.", file=sys.stderr)
    except KeyboardInterrupt:
        print("Stopped. The same command goes on.", file=sys.stderr)
    finally:
        database.engine.dispose()
    return 1
