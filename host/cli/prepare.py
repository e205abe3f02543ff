"""`python -m host prepare`: migrate the database, and fill an empty development shop with demo data."""

import argparse
import sys
from datetime import UTC, datetime

from sqlalchemy.exc import SQLAlchemyError

from config.settings import Settings
from domain import publishing
from domain.database.database import Database, database_url
from domain.migrations import runner
from domain.seed import demo_shop


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-demo", action="store_true", help="do not fill an empty shop with demo data")


def run(args: argparse.Namespace, settings: Settings) -> int:
    settings.var_dir.mkdir(parents=True, exist_ok=True)
    db = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    try:
        if not runner.is_current(db.engine):
            runner.upgrade(db.engine)
            with db.write_session() as session:
                publishing.fill_missing_snippets(session)
        if not (settings.is_production or args.no_demo):
            with db.write_session() as session:
                demo_shop.load_if_empty(session, datetime.now(UTC))
    except runner.UnknownRevision as error:
        print(error, file=sys.stderr)
        return 1
    except SQLAlchemyError as error:
        print(f"The database cannot be prepared: {error}".splitlines()[0], file=sys.stderr)
        return 1
    finally:
        db.engine.dispose()
    return 0
