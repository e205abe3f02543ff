"""`python -m host prepare`: migrate the database and record its currency; fill an empty development shop."""

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.errors import Refused
from domain.learning.files import write_content
from domain.migrations import revisions
from domain.seed import empty_shop
from domain.shop_settings.shop import ShopSettings
from domain.shop_settings.stored import record_currency
from host.documents.certificates import key_setting


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-demo", action="store_true", help="do not fill an empty shop with demo data")
    parser.add_argument(
        "--to",
        metavar="REVISION",
        help="migrate to this revision instead of the newest; going back deletes what later tables and columns hold",
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    key_setting.check(settings)
    settings.var_dir.mkdir(parents=True, exist_ok=True)
    db = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    try:
        if args.to:
            from domain.migrations import runner

            print(f"The database is at revision {runner.migrate(db.engine, args.to)}.")
        else:
            has_demo = settings.has_demo_shop and not args.no_demo
            _prepare(db, settings.shop, has_demo=has_demo)
            if has_demo:
                _store_files(settings.files_folder)
    except (revisions.UnknownRevision, revisions.NoSuchRevision, Refused) as error:
        print(error, file=sys.stderr)
        return 1
    except SQLAlchemyError as error:
        print(f"The database cannot be prepared: {error}".splitlines()[0], file=sys.stderr)
        return 1
    finally:
        db.engine.dispose()
    return 0


def _prepare(db: Database, shop: ShopSettings, *, has_demo: bool) -> None:
    # Each part imports what it alone needs: a second start, which the first page waits for, needs none of it.
    if not revisions.has_newest(db.engine):
        from domain.migrations import runner
        from domain.publishing import snippet_store, study_sheets

        runner.upgrade(db.engine)
        with db.write_session() as session:
            snippet_store.fill_missing_snippets(session)
            study_sheets.fill_missing(session)
            study_sheets.fill_missing_guides(session, datetime.now(UTC))
    with db.write_session() as session:
        record_currency(session, shop.currency)
    if has_demo:
        _load_demo_shop(db, shop)


def _load_demo_shop(db: Database, shop: ShopSettings) -> None:
    """Into a database without products; any other stays as it is."""
    with db.write_session() as session:
        if empty_shop.is_empty(session):
            from domain.seed import demo_shop

            demo_shop.load(session, datetime.now(UTC), shop.currency)


def _store_files(files_dir: Path) -> None:
    """The contents of the demo's digital books and lessons, also for a database that was copied here without them."""
    from domain.seed import item_files
    from domain.seed.lessons import lesson_files

    for files in item_files.contents().values():
        for _, _, content in files:
            write_content(files_dir, content)
    for path in lesson_files.paths():
        write_content(files_dir, path.read_bytes())
