"""`python -m host reindex`: rebuild the search index from the catalogue, also while the site runs."""

import argparse
import sys

from sqlalchemy.exc import DBAPIError

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.search import rebuild
from host.cli.import_catalogue import progress_bar


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Rebuild the search index. Searches work meanwhile; correct entries are not rewritten."


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0 when the index is complete, 1 with one sentence on stderr when it could not be written."""
    database = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    try:
        with progress_bar("Indexing") as report_progress:
            changed = rebuild.rebuild(database.write_session, report_progress)
        print(f"The search index is complete; {changed} products were updated.")
        return 0
    except DBAPIError as error:
        print(f"The database cannot be written: {error.orig}", file=sys.stderr)
    except KeyboardInterrupt:
        print("Stopped. Indexed products stay; run the command again for the rest.", file=sys.stderr)
    finally:
        database.engine.dispose()
    return 1
