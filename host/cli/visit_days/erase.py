"""`python -m host visits erase ID`: take a learner out of all visits; the account stays."""

import argparse
import sys
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy.exc import DBAPIError

from config.settings import Settings
from domain.account.erase_visits import erase_visits
from domain.database.database import Database, database_url
from domain.errors import NotFound
from domain.permissions import SystemActor
from domain.visits import late_visits, link_numbers
from host.cli.arguments import integer
from host.cli.import_catalogue import progress_bar


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Take learner, claim, session and network out of all visits of a learner, also of those that wait or could not"
        " be stored, and the student number out of visits that followed the learner's links. Figures of days stay. The"
        " account stays too: later visits are recorded as ever."
    )
    parser.add_argument(
        "learner", type=integer, metavar="ID", help="the number that `visits` shows in its column Learner"
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0; 1 when there is no such learner, the database cannot be used, or the command was stopped."""
    database = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    now = datetime.now(UTC)
    try:
        database.write_as_sync(SystemActor("command", now), erase_visits, args.learner, now)
        _repeat(database, late_visits.anonymise, now)
        with progress_bar("Looking through visits") as show:
            _erase_numbers(database, now, show)
    except NotFound as error:
        print(error, file=sys.stderr)
    except DBAPIError as error:
        print(f"The database cannot be used: {error.orig}. Run the command again.", file=sys.stderr)
    except KeyboardInterrupt:
        print("Stopped. The background task takes the student number out of the remaining visits.", file=sys.stderr)
    else:
        print(f"Learner {args.learner} is in no visit any more.")
        return 0
    finally:
        database.engine.dispose()
    return 1


def _repeat(database: Database, function: Callable[..., int], at: datetime) -> None:
    while database.write_sync(function, at):
        pass


def _erase_numbers(database: Database, at: datetime, show: Callable[[int, int], None]) -> None:
    with database.read_session() as session:
        total = max(1, link_numbers.left(session))
    left = total
    while left > 0:
        database.write_sync(link_numbers.erase_some, at)
        with database.read_session() as session:
            left = link_numbers.left(session)
        show(total - left, total)
