"""A file of lines, compressed as it grows: the whole of it is never there uncompressed."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

# RFC 1952: gzip, deflate, no flags, no time, an unknown system.
_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"


@dataclass(frozen=True)
class PackedLines:
    """`parts`: compressed, each on its own; together, between `_HEADER` and `trailer`, they are a gzip file. `size`: of
    the text; `etag`: its digest."""

    parts: tuple[bytes, ...]
    trailer: bytes
    size: int
    etag: str

    @property
    def gzip_size(self) -> int:
        return len(_HEADER) + sum(map(len, self.parts)) + len(self.trailer)

    def gzip(self) -> Iterator[bytes]:
        yield _HEADER
        yield from self.parts
        yield self.trailer

    def plain(self, part: int) -> bytes:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(self.parts[part])


class LinePacker:
    """Packs part after part. Every part ends with a full flush, so that it can be read without those before it."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._crc, self._size, self._digest = 0, 0, sha256()
        self._compressor = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)

    def add(self, text: bytes) -> None:
        self._crc = zlib.crc32(text, self._crc)
        self._size += len(text)
        self._digest.update(text)
        self._parts.append(self._compressor.compress(text) + self._compressor.flush(zlib.Z_FULL_FLUSH))

    def finish(self) -> PackedLines:
        trailer = self._compressor.flush(zlib.Z_FINISH)
        trailer += self._crc.to_bytes(4, "little") + (self._size % 2**32).to_bytes(4, "little")
        return PackedLines(tuple(self._parts), trailer, self._size, self._digest.hexdigest()[:20])
