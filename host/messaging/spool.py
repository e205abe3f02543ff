"""Visit batches that Redis did not take, on disk: one synced file each, sent again until Redis takes it."""

import contextlib
import logging
import os
import threading
from collections.abc import Iterable
from pathlib import Path
from uuid import uuid4

import orjson

from contracts.payloads import NewerPayload, decode_visits

log = logging.getLogger("coursefront.spool")


class SpoolFull(Exception):
    """The spool has reached its limit, or the disk is full: the batch is refused as a whole."""


class Spool:
    """Batch files in `folder`, which several host processes may share: sending a file twice has no effect."""

    def __init__(self, folder: Path, max_bytes: int):
        self._folder, self._max_bytes = folder, max_bytes
        folder.mkdir(parents=True, exist_ok=True)
        # Names of files of a newer build, which this one cannot read; they stay for hosts of that build.
        self._newer: set[str] = set()
        # Names of files that could not be read or removed when they were last looked at.
        self._unreadable: set[str] = set()
        self._restore_readable()
        # Files are written and removed by two threads.
        self._counting = threading.Lock()
        self._bytes = sum(_size_and_time(path)[0] for path in folder.glob("*.json"))

    def _restore_readable(self) -> None:
        """Rename .broken files back that this build can read: a host of another build may have renamed them."""
        for path in self._folder.glob("*.broken"):
            with contextlib.suppress(OSError, ValueError):
                _payload_of(path)
                path.rename(path.with_suffix(".json"))

    def write(self, data: bytes) -> None:
        """Store an encoded batch durably. Raises SpoolFull."""
        if self._bytes + len(data) > self._max_bytes:
            raise SpoolFull("the spool has reached its limit")
        name = uuid4().hex
        unfinished, finished = self._folder / f"{name}.part", self._folder / f"{name}.json"
        try:
            with unfinished.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            unfinished.rename(finished)
            self._sync_folder()
        except OSError as error:
            # Also when the folder alone could not be synced: its visits are refused, so they should not be stored. A
            # drain may have sent the file already, or a power failure bring it back; a browser that then sends them
            # again changes nothing, as they have their event ids.
            for path in (unfinished, finished):
                with contextlib.suppress(OSError):
                    path.unlink()
            raise SpoolFull(f"the spool cannot be written: {error}") from error
        self._add_bytes(len(data))

    def _add_bytes(self, count: int) -> None:
        with self._counting:
            self._bytes = max(0, self._bytes + count)

    def _sync_folder(self) -> None:
        descriptor = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def pending(self) -> list[Path]:
        """Batches to send again, oldest first."""
        before = self._bytes
        files = [(*_size_and_time(path), path) for path in self._folder.glob("*.json")]
        # Other processes send and remove files as well; one that was written meanwhile may count twice until the next
        # time.
        with self._counting:
            self._bytes = sum(size for size, _, _ in files) + self._bytes - before
        self._unreadable &= {path.name for _, _, path in files}
        return [path for _, _, path in sorted(files, key=lambda file: file[1:])]

    def broken(self) -> int:
        """How many files somebody has to look at: malformed ones, and those that cannot be read or removed."""
        return len(list(self._folder.glob("*.broken"))) + len(self._unreadable)

    def read(self, path: Path) -> bytes | None:
        """The payload of a batch; None for a file that was removed, and for one that stays: that only a newer build can
        read, or that nobody can.

        A malformed file is renamed to .broken, to be examined by an operator, and read as None.
        """
        if path.name in self._newer:
            return None
        try:
            payload = self._read(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._note_unreadable(path, error)
            return None
        self._unreadable.discard(path.name)
        return payload

    def read_all(self, paths: Iterable[Path]) -> dict[Path, bytes | None]:
        return {path: self.read(path) for path in paths}

    def remove_all(self, paths: Iterable[Path]) -> None:
        for path in paths:
            self.remove(path)

    def _read(self, path: Path) -> bytes | None:
        """Raises OSError."""
        try:
            return _payload_of(path)
        except NewerPayload as error:
            log.warning("spooled batch %s waits for a newer host: %s", path.name, error)
            self._newer.add(path.name)
        except ValueError:
            log.error("spooled batch %s is malformed; renamed to .broken", path.name)
            path.rename(path.with_suffix(".broken"))
        return None

    def remove(self, path: Path) -> None:
        """One that cannot be removed is sent again, which changes nothing."""
        try:
            size = path.stat().st_size
            path.unlink()
            self._add_bytes(-size)
        except FileNotFoundError:
            return
        except OSError as error:
            self._note_unreadable(path, error)

    def _note_unreadable(self, path: Path, error: OSError) -> None:
        """The file stays for people to look at, and is tried again: the others go on meanwhile."""
        if path.name not in self._unreadable:
            log.error("spooled batch %s cannot be read or removed, and stays: %s", path.name, error)
        self._unreadable.add(path.name)


def _size_and_time(path: Path) -> tuple[int, int]:
    """Bytes and the time of the last change; 0 and 0 for a file that is gone or cannot be looked at."""
    try:
        about = path.stat()
    except OSError:
        return 0, 0
    return about.st_size, about.st_mtime_ns


def _payload_of(path: Path) -> bytes:
    """Raises NewerPayload, ValueError and OSError."""
    payload = path.read_bytes()
    batch = decode_visits(orjson.loads(payload))
    if not all(isinstance(row, list if batch.columns else dict) for row in batch.rows):
        raise ValueError("no list of rows")
    return payload
