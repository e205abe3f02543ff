"""`python -m host restore FILE`: restore a copy of a shop on SQLite where there is no database."""

import argparse
import sys
from pathlib import Path

from config.settings import Settings
from domain.backups import copies
from domain.database.database import database_url
from domain.errors import Refused
from host.cli.import_catalogue import progress_bar

# So many digests of missing files are printed.
_NAMED = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="a copy that `backup` wrote, with the folders of files beside it"
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0, or 1 when nothing was restored, or a file that the database names is missing."""
    url = database_url(settings.database, settings.var_dir)
    if url.get_backend_name() != "sqlite":
        print("DATABASE_URL names MariaDB: scripts/restore restores its copies (docs/operations.md).", file=sys.stderr)
        return 1
    database = Path(str(url.database))
    try:
        restored = copies.restore_copy(args.file, database, settings.files_folder, progress_bar)
    except (Refused, OSError) as error:
        print(f"restore refused: {error}", file=sys.stderr)
        return 1
    files = restored.files
    print(f"restored into {database}: {restored.tables} tables")
    print(f"files of the database in {settings.files_folder}: {files.present}; missing: {len(files.missing)}")
    for path in files.damaged:
        print(f"damaged: {path}", file=sys.stderr)
    for sha256 in files.missing[:_NAMED]:
        print(f"missing: {sha256}", file=sys.stderr)
    print("Next: python -m host prepare, then start the site.")
    return 1 if files.missing else 0
