"""`python -m host backup FOLDER`: copy the database and the files of a shop on SQLite while it runs."""

import argparse
import signal
import sys
import threading
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from config.settings import Settings
from domain.backups import copies
from domain.backups.database_copies import ShowProgress
from domain.database.database import Database, database_url
from domain.errors import Refused
from domain.health import upkeep
from host.cli.arguments import integer, positive
from host.cli.import_catalogue import progress_bar

KEEP_DAYS = 14


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where copies are; created if it is not there")
    parser.add_argument("--every", type=positive, metavar="SECONDS", help="one copy every so often, until TERM")
    parser.add_argument(
        "--keep-days",
        type=integer,
        default=KEEP_DAYS,
        metavar="N",
        help=f"delete copies that are older; default {KEEP_DAYS}, 0 keeps all",
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0, or 1 when there is no new copy."""
    url = database_url(settings.database, settings.var_dir)
    if url.get_backend_name() != "sqlite":
        print("This shop's database is MariaDB: scripts/backup copies it (docs/operations.md).", file=sys.stderr)
        return 1
    if args.keep_days < 0:
        print("--keep-days is a number of days, or 0 for all copies.", file=sys.stderr)
        return 1
    path = Path(str(url.database))
    if args.every is None:
        return _copy(args, settings, path, progress_bar)
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    while not ended.is_set():
        # A failed copy is reported and tried again after the pause.
        _copy(args, settings, path, _without_progress)
        ended.wait(args.every)
    return 0


def _copy(args: argparse.Namespace, settings: Settings, database: Path, progress: copies.Progress) -> int:
    at = datetime.now(UTC)
    try:
        copy = copies.write_copy(database, settings.files_folder, args.folder, at, progress)
        old = copies.delete_old(args.folder, args.keep_days, at)
    except (Refused, OSError) as error:
        print(f"backup failed: {error}", file=sys.stderr, flush=True)
        return 1
    about = f"{copy.size:,} bytes, new files: {copy.new_files}, deleted because of age: {old}"
    print(f"backup written: {copy.path} ({about})", flush=True)
    _note(settings, copy.size, at)
    return 0


def _note(settings: Settings, size: int, at: datetime) -> None:
    """For /admin/health. A database of an older release has no such table: its copies are written all the same."""
    db = Database(database_url(settings.database, settings.var_dir), deadline_s=10, busy_ms=10_000)
    try:
        db.write_sync(upkeep.note_backup, size, at)
    except SQLAlchemyError:
        print("the shop's page of its state was not told: the table upkeep could not be written", file=sys.stderr)
    finally:
        db.engine.dispose()


def _without_progress(_title: str) -> AbstractContextManager[ShowProgress]:
    return nullcontext(lambda _done, _total: None)
