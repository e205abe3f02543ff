"""A folder of copies: writing one beside the earlier ones, deleting what is too old, and restoring one."""

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from domain.backups.database_copies import ShowProgress, check_copy, copy_database, count_tables, file_digests
from domain.backups.file_copies import DELETED, FILES, RestoredFiles, copy_new_files, restore_files
from domain.backups.packing import pack, unpack
from domain.errors import Refused

NAME, ENDING = "coursefront", ".db.gz"
_UNFINISHED = ".unfinished.db"
# What a copy needs beside the sizes that are known.
_SPARE_BYTES = 16 << 20

Progress = Callable[[str], AbstractContextManager[ShowProgress]]


@dataclass(frozen=True)
class Copy:
    """A copy that was written: its path, its size in bytes, and how many files were new."""

    path: Path
    size: int
    new_files: int


@dataclass(frozen=True)
class Restored:
    tables: int
    files: RestoredFiles


def write_copy(database: Path, files_dir: Path, folder: Path, at: datetime, progress: Progress) -> Copy:
    """Write a compressed copy of the database, and the files that the folder lacks. It gets its name when it is whole.

    Files are copied before and after the database. After it, as rows are written after their files: every file that the
    copy names is there. Before it, as the shop may delete one after the copy was begun, with its row, which the copy
    has. Raises Refused, and OSError, with what is wrong; then the folder has no new copy.
    """
    if not database.is_file():
        raise Refused(f"There is no database {database}: see VAR_DIR and DATABASE_URL.")
    if (folder / FILES).resolve() == files_dir.resolve():
        raise Refused(f"{files_dir} has the shop's own files, which would not be copied: name another folder.")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _alone_in(folder):
        _require_space(folder, 2 * database.stat().st_size)
        unfinished = folder / _UNFINISHED
        try:
            new_files = _copy_files(files_dir, folder, progress)
            unfinished.unlink(missing_ok=True)
            with progress("Copying the database") as show:
                copy_database(database, unfinished, show)
            check_copy(unfinished)
            new_files += _copy_files(files_dir, folder, progress)
            if file_digests(unfinished) and not files_dir.is_dir():
                raise Refused(f"There is no folder {files_dir}, and the database names files: see FILES_DIR.")
            packed = folder / f"{_UNFINISHED}.gz"
            with progress("Compressing it") as show:
                pack(unfinished, packed, show)
            path = folder / f"{NAME}-{at:%Y%m%dT%H%M%SZ}{ENDING}"
            packed.replace(path)
            _sync(folder)
        finally:
            for left in folder.glob(f"{_UNFINISHED}*"):
                left.unlink()
    return Copy(path, path.stat().st_size, new_files)


def delete_old(folder: Path, keep_days: int, now: datetime) -> int:
    """Delete copies, and deleted files, that are older than so many days; 0 keeps all. Returns their number. Called
    after a new copy alone: a shop that cannot be copied must not lose its last copies."""
    if not keep_days:
        return 0
    since = (now - timedelta(days=keep_days)).timestamp()
    deleted = folder / DELETED
    found = [*folder.glob(f"{NAME}-*{ENDING}"), *(deleted.iterdir() if deleted.is_dir() else ())]
    old = [path for path in found if path.stat().st_mtime < since]
    for path in old:
        path.unlink()
    return len(old)


def restore_copy(copy: Path, database: Path, files_dir: Path, progress: Progress) -> Restored:
    """Write the database of a copy where there is none, and the files that it names from the folders beside the copy.

    The database gets its name last: until then a restore that was ended may be begun again. Raises Refused, and
    OSError, with what is wrong; then there is no database still.
    """
    _require_restorable(copy, database)
    database.parent.mkdir(parents=True, exist_ok=True)
    unfinished = database.with_name(database.name + _UNFINISHED)
    try:
        with progress("Unpacking the database") as show:
            unpack(copy, unfinished, show)
        check_copy(unfinished)
        with progress("Bringing back files") as show:
            restored = restore_files(file_digests(unfinished), copy.parent, files_dir, show)
        tables = count_tables(unfinished)
        unfinished.replace(database)
        _sync(database.parent)
    finally:
        unfinished.unlink(missing_ok=True)
    return Restored(tables, restored)


def _require_restorable(copy: Path, database: Path) -> None:
    if copy.name.endswith(".sql.gz"):
        raise Refused(f"{copy} is a copy of MariaDB: scripts/restore restores it.")
    if not copy.is_file():
        raise Refused(f"There is no copy {copy}.")
    # A write-ahead log of another database would be taken for that of the new one.
    for path in (database, *(database.with_name(database.name + ending) for ending in ("-wal", "-shm", "-journal"))):
        if path.exists():
            raise Refused(f"{path} is there already, and nothing is overwritten: name a new folder in VAR_DIR.")


def _copy_files(files_dir: Path, folder: Path, progress: Progress) -> int:
    """A shop that has never had a file has no folder for them."""
    if not files_dir.is_dir():
        return 0
    with progress("Copying files") as show:
        return copy_new_files(files_dir, folder, show)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """The system ends the lock of a process that was killed."""
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Refused(f"Another process is writing a copy into {folder}.") from error
        yield


def _require_space(folder: Path, size: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < size + _SPARE_BYTES:
        raise Refused(f"{folder} has {free >> 20} MB free, and a copy needs up to {(size + _SPARE_BYTES) >> 20:,} MB.")


def _sync(folder: Path) -> None:
    """A name in a folder is on the disk when the folder is."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
