"""Ids of lines: the same line always has the same id, so that it is stored once."""

from hashlib import sha256

# Servers write lines when their answer ends; later ones than that do not go back further. Counted are seconds that have
# lines, so that a log may have its newest lines first.
_MAX_SECONDS = 300
# Some 100 MB. Of a log with more lines in five minutes, equal ones are told apart within less.
_MAX_LINES = 500_000
_VARIANT = "89ab"


class EventIds:
    """The event ids of one file: a line that stands in two files is one event, one that stands in a file twice is
    two."""

    def __init__(self, site: str):
        self._site = f"{site}\0".encode()
        # Second -> first bytes of each digest -> how many lines had it.
        self._seen: dict[int, dict[bytes, int]] = {}
        self._count = 0

    def id_of(self, line: str, ms: int) -> str:
        """A UUID of version 8: the time of the line in milliseconds, and a digest of the site, the line and its number
        among equal ones."""
        # surrogatepass: JSON may hold halves of characters.
        digest = sha256(self._site + line.encode("utf-8", "surrogatepass"))
        if number := self._number(ms // 1000, digest.digest()[:16]):
            digest.update(b"\0%d" % number)
        time, rest = f"{ms:012x}", digest.hexdigest()
        variant = _VARIANT[int(rest[3], 16) & 3]
        return f"{time[:8]}-{time[8:]}-8{rest[:3]}-{variant}{rest[4:7]}-{rest[7:19]}"

    def _number(self, second: int, digest: bytes) -> int:
        """How many equal lines came before."""
        of_second = self._seen.get(second)
        if of_second is None:
            self._forget()
            of_second = self._seen[second] = {}
        number = of_second.get(digest, 0)
        of_second[digest] = number + 1
        self._count += not number
        return number

    def _forget(self) -> None:
        """The seconds that came first."""
        while len(self._seen) >= _MAX_SECONDS or self._count > _MAX_LINES:
            self._count -= len(self._seen.pop(next(iter(self._seen))))
