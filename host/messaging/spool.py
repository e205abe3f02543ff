"""What Redis could not take, on disk and synced: one file per batch, sent again until it is taken."""

import contextlib
import logging
import os
from pathlib import Path
from typing import Any
from uuid import uuid4

import orjson

log = logging.getLogger("coursefront.spool")


class SpoolFull(Exception):
    """The spool may not grow further, or the disk is full: what came is refused, never half kept."""


class Spool:
    """Files of rows in `folder`. Several host processes may share it: sending a file twice changes nothing."""

    def __init__(self, folder: Path, most_bytes: int):
        self._folder, self._most = folder, most_bytes
        folder.mkdir(parents=True, exist_ok=True)
        self._bytes = sum(path.stat().st_size for path in folder.glob("*.json"))

    def put(self, rows: list[dict[str, Any]]) -> None:
        """Durable when it returns. Raises SpoolFull when it cannot be."""
        data = orjson.dumps(rows)
        if self._bytes + len(data) > self._most:
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
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def waiting(self) -> list[Path]:
        """Batches to send again, oldest first."""
        found = []
        for path in self._folder.glob("*.json"):
            with contextlib.suppress(FileNotFoundError):
                found.append((path.stat().st_mtime_ns, path))
        self._bytes = 0 if not found else self._bytes
        return [path for _, path in sorted(found)]

    def read(self, path: Path) -> list[dict[str, Any]]:
        """The rows of a batch; a file that cannot be read is set aside for a person, and counted as []."""
        try:
            rows = orjson.loads(path.read_bytes())
            if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
                raise ValueError("no list of rows")
        except FileNotFoundError:
            return []
        except ValueError:
            log.error("spooled batch %s cannot be read; kept as .broken", path.name)
            path.rename(path.with_suffix(".broken"))
            return []
        return rows

    def done(self, path: Path) -> None:
        with contextlib.suppress(FileNotFoundError):
            size = path.stat().st_size
            path.unlink()
            self._bytes = max(0, self._bytes - size)
