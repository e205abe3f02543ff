"""Lines of a log file, also of a compressed one, as text. Memory does not grow with the file or with a line."""

import gzip
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from domain.log_import.forms.line_fields import LogRefused

_GZIP = b"\x1f\x8b"
_CHUNK = 1 << 20
# Bytes, without the end of the line. Servers cut requests far below that.
MAX_LINE = 1 << 16
TOO_LONG = f"longer than {MAX_LINE // 1024} KiB"


@dataclass
class LogFile:
    """`position`: bytes of the file, as it lies on disk, that were read."""

    path: Path
    size: int
    position: int = 0

    def lines(self) -> Iterator[str | None]:
        """None for a line that is too long. Bytes that are no UTF-8 become U+FFFD. Raises LogRefused."""
        for lines in self.blocks():
            yield from lines

    def blocks(self) -> Iterator[list[str | None]]:
        """The lines as `lines` gives them, in lists of some thousand: one call for each line would take longer."""
        try:
            with self.path.open("rb") as raw:
                yield from self._blocks(raw)
        except (OSError, EOFError, zlib.error) as error:
            raise LogRefused(f"{self.path} cannot be read to its end: {_reason(error)}") from error

    def _blocks(self, raw: IO[bytes]) -> Iterator[list[str | None]]:
        is_packed = raw.read(2) == _GZIP
        raw.seek(0)
        source = cast("IO[bytes]", gzip.GzipFile(fileobj=raw)) if is_packed else raw
        rest, is_skipping = b"", False
        while chunk := source.read(_CHUNK):
            self.position = raw.tell()
            whole, end, last = chunk.rpartition(b"\n")
            if end:
                lines: list[str | None] = _decoded(rest + whole)
                if is_skipping or len(rest) > MAX_LINE:
                    lines[0] = None
                yield lines
                rest, is_skipping = last, False
            else:
                is_skipping = is_skipping or len(rest) > MAX_LINE
                rest = last if is_skipping else rest + last
        if rest:
            is_too_long = is_skipping or len(rest) > MAX_LINE
            yield [None if is_too_long else rest.decode("utf-8", "replace").removesuffix("\r")]


def _decoded(lines: bytes) -> list[str | None]:
    text = lines.decode("utf-8", "replace")
    if "\r" in text:
        text = text.replace("\r\n", "\n").removesuffix("\r")
    found = text.split("\n")
    # A character has four bytes at most: only lines that may be too long are measured.
    if max(map(len, found)) * 4 > MAX_LINE:
        sizes = map(len, lines.split(b"\n"))
        return [line if size <= MAX_LINE else None for line, size in zip(found, sizes, strict=True)]
    return [*found]


def _reason(error: Exception) -> str:
    return (os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)) or "it is cut off"


def open_files(paths: list[Path]) -> list[LogFile]:
    """Raises LogRefused for a file that is not there."""
    try:
        return [LogFile(path, path.stat().st_size) for path in paths]
    except OSError as error:
        raise LogRefused(f"{error.filename} cannot be read: {_reason(error)}. Nothing was changed.") from error
