"""Compressed copies of a database, a part at a time: written to the disk before they count, readable by their owner
alone."""

import gzip
import os
import zlib
from pathlib import Path

from domain.backups.database_copies import ShowProgress
from domain.errors import Refused

# Most of a database is text, which becomes a fifth of its size at half of the time of the highest level.
_LEVEL = 5
_PART = 1 << 20


def pack(source: Path, target: Path, show: ShowProgress) -> None:
    """`show` gets the bytes of the source that are done, and all."""
    total, done = source.stat().st_size, 0
    with source.open("rb") as file, target.open("wb") as raw:
        target.chmod(0o600)
        with gzip.GzipFile(filename="", mode="wb", compresslevel=_LEVEL, fileobj=raw) as packed:
            while part := file.read(_PART):
                packed.write(part)
                done += len(part)
                show(done, total)
        raw.flush()
        os.fsync(raw.fileno())


def unpack(copy: Path, target: Path, show: ShowProgress) -> None:
    """`show` gets the bytes of the copy that are done, and all. Raises Refused for one that is damaged."""
    size = copy.stat().st_size
    try:
        with copy.open("rb") as raw, gzip.GzipFile(fileobj=raw) as packed, target.open("wb") as file:
            target.chmod(0o600)
            while part := packed.read(_PART):
                file.write(part)
                show(raw.tell(), size)
            file.flush()
            os.fsync(file.fileno())
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise Refused(f"{copy} is damaged: {error}.") from error
