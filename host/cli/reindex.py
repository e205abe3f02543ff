"""`python -m host reindex`: the search index made anew from the catalogue, beside a running site."""

import argparse
import sys

from sqlalchemy.exc import DBAPIError

from domain import search
from domain.db import Database
from host.commands.import_catalogue import progress_bar
from host.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Make the search index anew. Searches go on meanwhile; what is right already is left alone."


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0 when the index is right, 1 with one sentence on stderr when it could not be made."""
    database = Database(settings.database_url, deadline_s=60, busy_ms=60_000)
    try:
        with progress_bar("Indexing") as heard:
            changed = search.rebuild(database.session, heard)
        print(f"The search index is complete; {changed} products were not in it as they are.")
        return 0
    except DBAPIError as error:
        print(f"The records cannot be written: {error.orig}", file=sys.stderr)
    except KeyboardInterrupt:
        print("Stopped. What is indexed so far stays; run the command again to do the rest.", file=sys.stderr)
    finally:
        database.engine.dispose()
    return 1
