"""`python -m host audit`: check that no recorded event was changed, removed or inserted."""

import argparse
import sys

from config.settings import Settings
from domain.audit import verification
from domain.audit.verification import Verification
from domain.database.database import Database, database_url
from host.cli.arguments import integer

# One transaction each: a long one would hold back the database's own cleaning.
SLICE = 20_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    checked = actions.add_parser("verify", help="check every event against the chain")
    checked.add_argument("--after", type=integer, default=0, metavar="NUMBER", help="only events after this number")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0 when all events are as they were appended, else 1."""
    db = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    try:
        return _verify(db, max(args.after, 0))
    finally:
        db.engine.dispose()


def _verify(db: Database, after: int) -> int:
    result = _slice(db, after)
    while result.wrong is None and not result.is_complete:
        result = _slice(db, result.checked)
    if result.wrong is not None:
        print(f"Event {result.wrong:,} is not as it was recorded; {result.checked:,} before it are.", file=sys.stderr)
        return 1
    print(f"All events up to number {result.last:,} are as they were recorded.")
    return 0


def _slice(db: Database, after: int) -> Verification:
    with db.read_session() as session:
        return verification.verify(session, after, SLICE)
