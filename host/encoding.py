"""Compression of a streamed answer, chunk by chunk, without holding the stream back."""

import re
import zlib
from typing import Protocol

import brotli

_TOKEN = re.compile(r"\s*([a-z*]+)\s*(?:;\s*q\s*=\s*([01](?:\.[0-9]{0,3})?))?\s*", re.IGNORECASE)


class Encoder(Protocol):
    name: str

    def chunk(self, data: bytes) -> bytes: ...

    def last(self, data: bytes) -> bytes: ...


class Brotli:
    """Quality 1: a page that is made for one visitor is thrown away; 0.06 ms for /shop against 0.32 ms at quality 5."""

    name = "br"

    def __init__(self) -> None:
        self._work = brotli.Compressor(mode=brotli.MODE_TEXT, quality=1)

    def chunk(self, data: bytes) -> bytes:
        return bytes(self._work.process(data) + self._work.flush())

    def last(self, data: bytes) -> bytes:
        return bytes(self._work.process(data) + self._work.finish())


class Gzip:
    name = "gzip"

    def __init__(self) -> None:
        self._work = zlib.compressobj(1, zlib.DEFLATED, 31)

    def chunk(self, data: bytes) -> bytes:
        return self._work.compress(data) + self._work.flush(zlib.Z_SYNC_FLUSH)

    def last(self, data: bytes) -> bytes:
        return self._work.compress(data) + self._work.flush(zlib.Z_FINISH)


class Identity:
    name = ""

    def chunk(self, data: bytes) -> bytes:
        return data

    def last(self, data: bytes) -> bytes:
        return data


def accepted(header: str) -> set[str]:
    """The codings of an Accept-Encoding header whose weight is not 0."""
    found = set()
    for part in header.split(",")[:20]:
        matched = _TOKEN.fullmatch(part)
        if matched and float(matched[2] or 1) > 0:
            found.add(matched[1].lower())
    return found


def encoder_for(header: str) -> Encoder:
    """The best coding the visitor takes: br, then gzip, else as it is."""
    if not header:
        return Identity()
    codings = accepted(header)
    if "br" in codings:
        return Brotli()
    return Gzip() if "gzip" in codings else Identity()
