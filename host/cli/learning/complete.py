"""`python -m host complete STUDENT SLUG`: complete a course for a learner by hand, for a reason that they can read."""

import argparse
import sys
from datetime import UTC, datetime

from sqlalchemy.exc import DBAPIError

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.errors import InvalidInput, NotFound
from domain.learning import by_hand
from domain.permissions import SystemActor


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Complete a course for a learner who has it, whatever its rule asks for, such as after an exam on paper. The "
        "certificate is issued and mailed; a completed course stays as it is."
    )
    parser.add_argument("student", metavar="STUDENT", help="the learner's student number, such as S-7KQ2-M9XD")
    parser.add_argument("slug", metavar="SLUG", help="the course")
    parser.add_argument("--reason", required=True, metavar="TEXT", help="why; the learner's export of data holds it")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0 when the course is completed, also when it was before; 1 with one sentence on stderr when it cannot be."""
    database = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    now = datetime.now(UTC)
    try:
        actor = SystemActor("command", now)
        about = (args.student, args.slug, args.reason, now)
        at = database.write_as_sync(actor, by_hand.complete_for_student, *about)
        when = "now" if at == now else f"since {at:%Y-%m-%d %H:%M} UTC: nothing changes"
        print(f"{args.slug} is completed for {args.student.upper()} {when}.")
        return 0
    except InvalidInput as error:
        print(error.errors["reason"], file=sys.stderr)
    except NotFound as error:
        print(error, file=sys.stderr)
    except DBAPIError as error:
        print(f"The database cannot be written: {error.orig}", file=sys.stderr)
    finally:
        database.engine.dispose()
    return 1
