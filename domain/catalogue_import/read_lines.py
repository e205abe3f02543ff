"""Reads any file as numbered lines of text in bounded memory, whatever its encoding and line ends."""

import codecs
import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Literal, cast

from domain.errors import DomainError
from domain.text_direction import isolated

MIB = 1024 * 1024
# Limits of the importer. One line may be a row with a long description.
MAX_FILE_SIZE = 256 * MIB
MAX_LINE_LENGTH = MIB
# A JSON document has to be loaded completely.
MAX_ARRAY_SIZE = 64 * MIB
# Enough to see which line ends a file has.
_START = 64 * 1024

# Those that spreadsheets write; files in others are saved as UTF-8 first.
Encoding = Literal[
    "utf-8", "windows-1252", "windows-1251", "windows-1250", "shift_jis", "gb18030", "euc_kr", "mac_roman"
]
UTF8: Encoding = "utf-8"
UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_FILE_SIGNATURES = {
    b"PK\x03\x04": "is a ZIP archive or a spreadsheet, not text: export it as CSV first",
    b"\x1f\x8b": "is compressed: unpack it first",
    b"%PDF": "is a PDF, not text",
}


class ImportRefused(DomainError):
    """The file as a whole cannot be imported; nothing was changed. The text is one sentence for the user."""


def open_file(path: Path, encoding: Encoding = UTF8) -> BinaryIO:
    """Open the file as UTF-8 with line ends that hold a line feed. UTF-16 is known by its mark. Raises ImportRefused
    for a file that is too large or, by its first bytes, not text."""
    try:
        if not path.is_file():
            raise ImportRefused(f"{path} is not a file.")
        size = path.stat().st_size
        if size > MAX_FILE_SIZE:
            # Rounded up: one byte too many must not read "256 MiB; up to 256 MiB".
            raise ImportRefused(
                f"{isolated(path.name)} is {-(-size // MIB)} MiB; files up to {MAX_FILE_SIZE // MIB} MiB can be read."
            )
        stream = path.open("rb")
    except OSError as error:
        raise ImportRefused(f"{path} cannot be read: {error.strerror or error}.") from error
    start = stream.read(_START)
    stream.seek(0)
    for mark, reason in _FILE_SIGNATURES.items():
        if start.startswith(mark):
            stream.close()
            raise ImportRefused(f"{isolated(path.name)} {reason}.")
    name = "utf-16" if start.startswith(_UTF16_MARKS) else encoding
    text = start.decode(name, "replace") if name != UTF8 else start.decode("latin-1")
    has_old_ends = "\r" in text and "\n" not in text
    if name == UTF8 and not has_old_ends:
        return stream
    return cast(BinaryIO, io.BufferedReader(_Converted(stream, name, has_old_ends), _START))


class _Converted(io.RawIOBase):
    """The bytes of a file as UTF-8, with line feeds for carriage returns alone, which old Macs wrote."""

    def __init__(self, source: BinaryIO, encoding: str, has_old_ends: bool):
        self._source, self._encoding, self._has_old_ends = source, encoding, has_old_ends
        self._restart()

    def _restart(self) -> None:
        self._decoder = codecs.getincrementaldecoder(self._encoding)(errors="replace")
        self._left = b""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """To the start alone."""
        if offset or whence:
            raise io.UnsupportedOperation("seek")
        self._restart()
        return self._source.seek(0)

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override] # a buffer that can be written
        while not self._left:
            raw = self._source.read(_START)
            text = self._decoder.decode(raw, final=not raw)
            if not raw and not text:
                return 0
            self._left = (text.replace("\r", "\n") if self._has_old_ends else text).encode("utf-8", "surrogatepass")
        part, self._left = self._left[: len(buffer)], self._left[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)

    def close(self) -> None:
        self._source.close()
        super().close()


class Lines:
    """The decoded lines of a file with their line ends. `number`: of the last line; `bytes_read`: so far.

    A row may span several lines: callers mark its start with `begin_row`; `of_row` are the lines since then. A row may
    be as long as a line, so that an unclosed quotation mark does not read the rest of the file. Raises ImportRefused
    with the line.
    """

    def __init__(self, stream: BinaryIO):
        self.number = 0
        self.bytes_read = 0
        self.row_line = 1
        self.of_row: list[str] = []
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
        if len(raw) > MAX_LINE_LENGTH and len(raw.rstrip(b"\r\n")) > MAX_LINE_LENGTH:
            raise ImportRefused(f"Line {self.number} is longer than {MAX_LINE_LENGTH // MIB} MiB.")
        if self.bytes_read - self._row_start > MAX_LINE_LENGTH + 3:
            raise ImportRefused(
                f"The row that begins on line {self.row_line} does not end within {MAX_LINE_LENGTH // MIB} MiB: "
                "a quotation mark is probably not closed."
            )
        if raw.endswith(b"\r\r\n"):
            # Written twice as text: each line end got a carriage return more.
            raw = raw[:-3] + b"\r\n"
        text = decode(raw.removeprefix(UTF8_MARK) if self.number == 1 else raw, self.number)
        self.of_row.append(text)
        return text

    def begin_row(self) -> None:
        """The next line starts a new row."""
        self.row_line = self.number + 1
        self._row_start = self.bytes_read
        self.of_row.clear()


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
            f"Line {line} is not UTF-8 (byte 0x{raw[error.start]:02X}): save the file as UTF-8 and try again, or say "
            f"what it is (--encoding). As windows-1252 the line holds “{_around(raw, error.start)}”."
        ) from error


def _around(raw: bytes, place: int) -> str:
    """Some letters around a byte, as most spreadsheets of Europe and America mean them."""
    text = raw[max(0, place - 12) : place + 12].decode("windows-1252", "replace")
    return " ".join(text.split())
