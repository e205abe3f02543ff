"""Reads any file as numbered lines of text in bounded memory."""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from domain.errors import DomainError

MIB = 1024 * 1024
# Limits of the importer. One line may be a row with a long description.
MAX_FILE_SIZE = 256 * MIB
MAX_LINE_LENGTH = MIB
# An array has to be loaded completely.
MAX_ARRAY_SIZE = 64 * MIB

UTF8_MARK = b"\xef\xbb\xbf"
_FILE_SIGNATURES = {
    b"PK\x03\x04": "is a ZIP archive or a spreadsheet, not text: export it as CSV first",
    b"\x1f\x8b": "is compressed: unpack it first",
    b"%PDF": "is a PDF, not text",
    b"\xff\xfe": "is UTF-16: save it as UTF-8",
    b"\xfe\xff": "is UTF-16: save it as UTF-8",
}


class ImportRefused(DomainError):
    """The file as a whole cannot be imported; nothing was changed. The text is one sentence for the user."""


def open_file(path: Path) -> BinaryIO:
    """Open the file. Raises ImportRefused for a file that is too large or, by its first bytes, not text."""
    try:
        if not path.is_file():
            raise ImportRefused(f"{path} is not a file.")
        size = path.stat().st_size
        if size > MAX_FILE_SIZE:
            # Rounded up: one byte too many must not read "256 MiB; up to 256 MiB".
            raise ImportRefused(
                f"{path.name} is {-(-size // MIB)} MiB; files up to {MAX_FILE_SIZE // MIB} MiB can be read."
            )
        stream = path.open("rb")
    except OSError as error:
        raise ImportRefused(f"{path} cannot be read: {error.strerror or error}.") from error
    start = stream.read(4)
    stream.seek(0)
    for mark, reason in _FILE_SIGNATURES.items():
        if start.startswith(mark):
            stream.close()
            raise ImportRefused(f"{path.name} {reason}.")
    return stream


class Lines:
    """The decoded lines of a file with their line ends. `number`: of the last line; `bytes_read`: so far.

    A row may span several lines: callers mark its start with `begin_row`. A row may be as long as a line, so that an
    unclosed quotation mark does not read the rest of the file. Raises ImportRefused with the line.
    """

    def __init__(self, stream: BinaryIO):
        self.number = 0
        self.bytes_read = 0
        self.row_line = 1
        self._row_start = 0
        self._stream = stream

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        raw = self._stream.readline(MAX_LINE_LENGTH + 3)
        if not raw:
            raise StopIteration
        self.number += 1
        self.bytes_read += len(raw)
        if len(raw.rstrip(b"\r\n")) > MAX_LINE_LENGTH:
            raise ImportRefused(f"Line {self.number} is longer than {MAX_LINE_LENGTH // MIB} MiB.")
        if self.bytes_read - self._row_start > MAX_LINE_LENGTH + 3:
            raise ImportRefused(
                f"The row that begins on line {self.row_line} does not end within {MAX_LINE_LENGTH // MIB} MiB: "
                "a quotation mark is probably not closed."
            )
        return decode(raw.removeprefix(UTF8_MARK) if self.number == 1 else raw, self.number)

    def begin_row(self) -> None:
        """The next line starts a new row."""
        self.row_line = self.number + 1
        self._row_start = self.bytes_read


def decode(raw: bytes, line: int) -> str:
    """Decode bytes that begin on `line`. Raises ImportRefused with the line of binary data or another encoding."""
    if (zero := raw.find(b"\0")) >= 0:
        line += raw.count(b"\n", 0, zero)
        raise ImportRefused(f"Line {line} holds binary zeros: this is not a text file.")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line += raw.count(b"\n", 0, error.start)
        raise ImportRefused(
            f"Line {line} is not UTF-8 (byte 0x{raw[error.start]:02X}): save the file as UTF-8 and try again."
        ) from error
