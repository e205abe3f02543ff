"""Short questions to the programs of one machine: whether Redis, a render worker and the site itself answer."""

import asyncio
import struct
from pathlib import Path

from host.settings import Settings

PROBE_S = 1.5


async def redis_pings(path: Path) -> bool:
    return await _exchange(path, b"PING\r\n", b"+PONG", 0.5)


async def renderer_answers(path: Path) -> bool:
    return await _exchange(path, struct.pack(">IcI", 5, b"P", 0), b"O", PROBE_S)


async def _exchange(path: Path, question: bytes, expected: bytes, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_unix_connection(str(path))
            try:
                writer.write(question)
                return expected in await reader.read(100)
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return False


async def fetched(settings: Settings, path: str) -> bytes:
    """What the site answers, head and body; b"" when it does not."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104 what was asked for
    try:
        async with asyncio.timeout(3.0):
            reader, writer = await asyncio.open_connection(host, settings.port)
            try:
                writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
                return await reader.read()
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return b""
