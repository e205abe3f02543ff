"""A file as numbered lines of text in bounded memory, whatever is in it."""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from domain.errors import DomainError

MIB = 1024 * 1024
# Limits of the importer; a line may be one row with a long description.
LARGEST_FILE = 256 * MIB
LONGEST_LINE = MIB
# An array has to be loaded whole.
LARGEST_ARRAY = 64 * MIB

UTF8_MARK = b"\xef\xbb\xbf"
_STRANGERS = {
    b"PK\x03\x04": "is a ZIP archive or a spreadsheet, not text: export it as CSV first",
    b"\x1f\x8b": "is compressed: unpack it first",
    b"%PDF": "is a PDF, not text",
    b"\xff\xfe": "is UTF-16: save it as UTF-8",
    b"\xfe\xff": "is UTF-16: save it as UTF-8",
}


class ImportRefused(DomainError):
    """The file as a whole cannot be imported; nothing was changed. One sentence for a person."""


def opened(path: Path) -> BinaryIO:
    """The file, when it is one we would read. Raises ImportRefused before reading more than its first bytes."""
    try:
        if not path.is_file():
            raise ImportRefused(f"{path} is not a file.")
        size = path.stat().st_size
        if size > LARGEST_FILE:
            # Rounded up: a byte too many must not read "256 MiB; up to 256 MiB".
            raise ImportRefused(
                f"{path.name} is {-(-size // MIB)} MiB; files up to {LARGEST_FILE // MIB} MiB can be read."
            )
        stream = path.open("rb")
    except OSError as error:
        raise ImportRefused(f"{path} cannot be read: {error.strerror or error}.") from error
    start = stream.read(4)
    stream.seek(0)
    for mark, reason in _STRANGERS.items():
        if start.startswith(mark):
            stream.close()
            raise ImportRefused(f"{path.name} {reason}.")
    return stream


class Lines:
    """The lines of a file with their line ends, decoded. `number` is the line given last, `read` the bytes so far.

    A row may go over several lines: `begin_row` says where one starts, and a row is held to the length of a line, so
    that an unclosed quotation mark is not followed to the end of the file. Raises ImportRefused naming the line.
    """

    def __init__(self, stream: BinaryIO):
        self.number = 0
        self.read = 0
        self.row_line = 1
        self._row_start = 0
        self._stream = stream

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        raw = self._stream.readline(LONGEST_LINE + 3)
        if not raw:
            raise StopIteration
        self.number += 1
        self.read += len(raw)
        if len(raw.rstrip(b"\r\n")) > LONGEST_LINE:
            raise ImportRefused(f"Line {self.number} is longer than {LONGEST_LINE // MIB} MiB.")
        if self.read - self._row_start > LONGEST_LINE + 3:
            raise ImportRefused(
                f"The row that begins on line {self.row_line} does not end within {LONGEST_LINE // MIB} MiB: "
                "a quotation mark is probably not closed."
            )
        return decoded(raw.removeprefix(UTF8_MARK) if self.number == 1 else raw, self.number)

    def begin_row(self) -> None:
        """What was given so far is done with."""
        self.row_line = self.number + 1
        self._row_start = self.read


def decoded(raw: bytes, line: int) -> str:
    """The text of bytes that begin on this line; binary data and other encodings are refused with their line."""
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
