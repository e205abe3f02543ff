"""The state of a SQLite database at one moment, copied while others write to it, and whether a copy is whole."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from domain.errors import Refused

# A step copies so many pages of 4 KB, and then shows the progress.
PAGES_AT_ONCE = 2_000
# What every copy of a shop has.
_SHOP_TABLES = frozenset({"alembic_version", "files", "products"})

ShowProgress = Callable[[int, int], object]


def copy_database(source: Path, target: Path, show: ShowProgress) -> None:
    """Write the state that the database has now into a new file. `show` gets the pages that are copied, and all.

    One read transaction lasts as long as the copying, so that commits of others neither get into the copy nor make it
    begin anew. They are written to the write-ahead log meanwhile, which cannot shrink before the end. Raises Refused
    for a file that is no database, OSError where there is none.
    """
    if not source.is_file():
        raise FileNotFoundError(source)
    # Only its owner may read what has personal data.
    target.touch(mode=0o600)
    try:
        with closing(_opened(source, "mode=rw")) as database, closing(sqlite3.connect(target)) as copy:
            database.execute("BEGIN")
            # SQLite takes its snapshot at the first reading.
            database.execute("SELECT count(*) FROM sqlite_master").fetchone()
            database.backup(copy, pages=PAGES_AT_ONCE, progress=lambda _, left, total: show(total - left, total))
    except sqlite3.Error as error:
        raise Refused(f"{source} cannot be copied: {error}.") from error


def check_copy(path: Path) -> None:
    """Raises Refused for a file that is no database of a shop, or is damaged. Reads all of it."""
    try:
        with closing(_opened(path, "mode=ro&immutable=1")) as copy:
            found = [text for (text,) in copy.execute("PRAGMA quick_check(3)")]
            tables = {name for (name,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error as error:
        raise Refused(f"The copy is damaged: {error}.") from error
    if found != ["ok"]:
        raise Refused(f"The copy is damaged: {'; '.join(found)}.")
    if missing := sorted(_SHOP_TABLES - tables):
        raise Refused(f"This is no database of a shop: it has no table {missing[0]}.")


def count_tables(path: Path) -> int:
    with closing(_opened(path, "mode=ro&immutable=1")) as copy:
        [(number,)] = copy.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'")
    return int(number)


def file_digests(path: Path) -> list[str]:
    """SHA-256 of the files that a copy of a shop's database names."""
    with closing(_opened(path, "mode=ro&immutable=1")) as copy:
        return [sha256 for (sha256,) in copy.execute("SELECT sha256 FROM files ORDER BY sha256")]


def _opened(path: Path, options: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?{options}", uri=True, isolation_level=None, timeout=60)
