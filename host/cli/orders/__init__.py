"""`python -m host orders …`: an action, or those of one thing, a module."""

import argparse
import sys

from sqlalchemy.exc import DBAPIError

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.errors import DomainError
from host.cli.orders import cancel, explain, export, fulfilment, listing, reconcile, refund, show

# Each has add_actions(actions); the parser of an action sets `run_action(args, database, settings)`.
MODULES = (listing, show, explain, cancel, refund, fulfilment, reconcile, export)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for module in MODULES:
        module.add_actions(actions)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """The exit status of the action; 1 with one sentence on stderr when it is refused."""
    database = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    try:
        status: int = args.run_action(args, database, settings)
    except DomainError as error:
        print(error, file=sys.stderr)
        return 1
    except DBAPIError as error:
        print(f"The database cannot be used: {error.orig}", file=sys.stderr)
        return 1
    finally:
        database.engine.dispose()
    return status
