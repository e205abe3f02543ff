"""`python -m host recount [SLUG]`: apply the completion rules anew, also while the site runs."""

import argparse
import sys
from datetime import UTC, datetime

from sqlalchemy.exc import DBAPIError

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.errors import NotFound
from domain.learning import recount


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Count who has completed courses, by their rules as they are now. Safe at any time and twice: completed stays "
        "completed."
    )
    parser.add_argument("slug", nargs="?", default="", help="one course; without it all that somebody has")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0 when all are counted; 1 with one sentence on stderr for an unknown course or without the database."""
    database = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    try:
        with database.read_session() as session:
            courses = recount.courses_with_learners(session, args.slug)
        slices = [done for course_id in courses for done in _slices(database, course_id)]
        counted, completed = (sum(getattr(done, name) for done in slices) for name in ("counted", "completed"))
        print(f"{counted} enrolments of {len(courses)} courses were counted; {completed} are completed now.")
        return 0
    except NotFound as error:
        print(error, file=sys.stderr)
    except DBAPIError as error:
        print(f"The database cannot be written: {error.orig}", file=sys.stderr)
    except KeyboardInterrupt:
        print("Stopped. What was counted stays; run the command again for the rest.", file=sys.stderr)
    finally:
        database.engine.dispose()
    return 1


def _slices(database: Database, course_id: int) -> list[recount.Slice]:
    """Each in a transaction of its own, so that nobody waits for long."""
    slices: list[recount.Slice] = []
    after_id: int | None = 0
    limit = recount.FIRST_SLICE
    while after_id is not None:
        done = database.write_sync(recount.recount, course_id, after_id, datetime.now(UTC), limit)
        slices.append(done)
        after_id, limit = done.last_id, done.next_limit
    return slices
