"""Ids of lines: the same line always has the same id, so that it is stored once."""

from functools import lru_cache
from hashlib import sha256

# Five minutes: servers write lines when their answer ends, and later ones do not go back further. Counted are spans of
# time that have lines, so that a log may have its newest lines first.
_SPAN_MS, _MAX_SPANS = 15_000, 21
# Some 100 MB. Of a log with more lines in five minutes, equal ones are told apart within less.
_MAX_LINES = 500_000
# By the digit of the digest that stands there.
_VARIANTS = {digit: "89ab"[number & 3] for number, digit in enumerate("0123456789abcdef")}


class EventIds:
    """The event ids of one file: a line that stands in two files is one event, one that stands in a file twice is
    two."""

    def __init__(self, site: str):
        self._site = f"{site}\0".encode()
        # Span of time -> first bytes of each digest -> how many lines had it.
        self._seen: dict[int, dict[bytes, int]] = {}
        self._count = 0

    def id_of(self, line: str, ms: int) -> str:
        """A UUID of version 8: the time of the line in milliseconds, and a digest of the site, the line and its number
        among equal ones."""
        # surrogatepass: JSON may hold halves of characters.
        digest = sha256(self._site + line.encode("utf-8", "surrogatepass"))
        span, whole = ms // _SPAN_MS, digest.digest()
        first_bytes = whole[:16]
        of_span = self._seen.get(span)
        if of_span is None:
            self._forget()
            of_span = self._seen[span] = {}
        # How many equal lines came before.
        if number := of_span.get(first_bytes, 0):
            digest.update(b"\0%d" % number)
            whole = digest.digest()
        else:
            self._count += 1
        of_span[first_bytes] = number + 1
        rest = whole.hex()
        return f"{_time_part(ms)}{rest[:3]}-{_VARIANTS[rest[3]]}{rest[4:7]}-{rest[7:19]}"

    def _forget(self) -> None:
        """The spans that came first."""
        while len(self._seen) >= _MAX_SPANS or self._count > _MAX_LINES:
            self._count -= len(self._seen.pop(next(iter(self._seen))))


@lru_cache(128)
def _time_part(ms: int) -> str:
    """The beginning of an id, up to the digit of its version."""
    time = f"{ms:012x}"
    return f"{time[:8]}-{time[8:]}-8"
