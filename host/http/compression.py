"""Compression of streamed responses, chunk by chunk without delaying the stream, and of complete bodies."""

import re
import zlib
from functools import lru_cache
from typing import Protocol

import brotli

# For a complete body, which is sent more than once.
BROTLI_QUALITY = 5
GZIP_LEVEL = 6
_TOKEN = re.compile(r"\s*([a-z*]+)\s*(?:;\s*q\s*=\s*([01](?:\.[0-9]{0,3})?))?\s*", re.IGNORECASE)


class Encoder(Protocol):
    name: str

    def encode(self, data: bytes) -> bytes: ...

    def finish(self, data: bytes) -> bytes: ...


class Brotli:
    """Quality 1, for a response that one visitor gets: 0.06 ms for /shop against 0.32 ms at quality 5."""

    name = "br"

    def __init__(self) -> None:
        self._compressor = brotli.Compressor(mode=brotli.MODE_TEXT, quality=1)

    def encode(self, data: bytes) -> bytes:
        return bytes(self._compressor.process(data) + self._compressor.flush())

    def finish(self, data: bytes) -> bytes:
        return bytes(self._compressor.process(data) + self._compressor.finish())


class Gzip:
    name = "gzip"

    def __init__(self) -> None:
        self._compressor = zlib.compressobj(1, zlib.DEFLATED, 31)

    def encode(self, data: bytes) -> bytes:
        return self._compressor.compress(data) + self._compressor.flush(zlib.Z_SYNC_FLUSH)

    def finish(self, data: bytes) -> bytes:
        return self._compressor.compress(data) + self._compressor.flush(zlib.Z_FINISH)


class Identity:
    name = ""

    def encode(self, data: bytes) -> bytes:
        return data

    def finish(self, data: bytes) -> bytes:
        return data


_ENCODERS: dict[str, type[Brotli | Gzip | Identity]] = {"br": Brotli, "gzip": Gzip, "": Identity}


def accepted_encodings(header: str) -> set[str]:
    """The encodings of an Accept-Encoding header whose weight is not 0; at most 20 entries are read."""
    encodings = set()
    for part in header.split(",")[:20]:
        match = _TOKEN.fullmatch(part)
        if match and float(match[2] or 1) > 0:
            encodings.add(match[1].lower())
    return encodings


def encoder_for(header: str) -> Encoder:
    """A stream's encoder for an Accept-Encoding header: br, else gzip, else none."""
    return _ENCODERS[best_encoding(header)]()


def compress(body: bytes, encoding: str) -> bytes:
    """A complete body in an encoding that `best_encoding` returned; "" leaves it unchanged."""
    if not encoding:
        return body
    if encoding == "br":
        return bytes(brotli.compress(body, mode=brotli.MODE_TEXT, quality=BROTLI_QUALITY))
    compressor = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, 31)
    return compressor.compress(body) + compressor.flush()


# Browsers send a handful of different headers; 500 entries bound the memory that a hostile client can take.
@lru_cache(500)
def best_encoding(accept: str) -> str:
    """br, gzip or "" for an Accept-Encoding header."""
    encodings = accepted_encodings(accept) if accept else set()
    return "br" if "br" in encodings else "gzip" if "gzip" in encodings else ""
