"""Visit batches that Redis did not take, on disk: one synced file each, sent again until Redis takes it."""

import contextlib
import logging
import os
from pathlib import Path
from typing import Any
from uuid import uuid4

import orjson

from contracts.payloads import NewerPayload, VisitBatch, decode_visits, encode

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
        self._restore_readable()
        self._bytes = sum(path.stat().st_size for path in folder.glob("*.json"))

    def _restore_readable(self) -> None:
        """Rename .broken files back that this build can read: a host of another build may have renamed them."""
        for path in self._folder.glob("*.broken"):
            with contextlib.suppress(OSError, ValueError):
                _rows_of(path)
                path.rename(path.with_suffix(".json"))

    def write(self, rows: list[dict[str, Any]]) -> None:
        """Store a batch durably. Raises SpoolFull."""
        data = orjson.dumps(encode(VisitBatch(rows=rows)))
        if self._bytes + len(data) > self._max_bytes:
            raise SpoolFull("the spool has reached its limit")
        name = uuid4().hex
        unfinished = self._folder / f"{name}.part"
        try:
            with unfinished.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            unfinished.rename(self._folder / f"{name}.json")
            self._sync_folder()
        except OSError as error:
            unfinished.unlink(missing_ok=True)
            raise SpoolFull(f"the spool cannot be written: {error}") from error
        self._bytes += len(data)

    def _sync_folder(self) -> None:
        descriptor = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def pending(self) -> list[Path]:
        """Batches to send again, oldest first."""
        files = []
        for path in self._folder.glob("*.json"):
            with contextlib.suppress(FileNotFoundError):
                files.append((path.stat().st_mtime_ns, path))
        self._bytes = self._bytes if files else 0
        return [path for _, path in sorted(files)]

    def read(self, path: Path) -> list[dict[str, Any]] | None:
        """The rows of a batch; None when only a newer build can read the file, which then stays.

        A malformed file is renamed to .broken, to be examined by an operator, and read as [].
        """
        if path.name in self._newer:
            return None
        try:
            return _rows_of(path)
        except FileNotFoundError:
            return []
        except NewerPayload as error:
            log.warning("spooled batch %s waits for a newer host: %s", path.name, error)
            self._newer.add(path.name)
            return None
        except ValueError:
            log.error("spooled batch %s is malformed; renamed to .broken", path.name)
            path.rename(path.with_suffix(".broken"))
            return []

    def remove(self, path: Path) -> None:
        with contextlib.suppress(FileNotFoundError):
            size = path.stat().st_size
            path.unlink()
            self._bytes = max(0, self._bytes - size)


def _rows_of(path: Path) -> list[dict[str, Any]]:
    """Raises NewerPayload, ValueError and OSError."""
    rows = decode_visits(orjson.loads(path.read_bytes())).rows
    if not all(isinstance(row, dict) for row in rows):
        raise ValueError("no list of rows")
    return rows
