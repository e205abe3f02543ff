"""Probes of the programs on this machine: whether Redis, a render worker and the site respond."""

import asyncio
import struct
from pathlib import Path

from config.settings import Settings

PROBE_WAIT_S = 1.5


async def redis_responds(path: Path) -> bool:
    return await _exchange(path, b"PING\r\n", b"+PONG", 0.5)


async def renderer_responds(path: Path) -> bool:
    return await _exchange(path, struct.pack(">IcI", 5, b"P", 0), b"O", PROBE_WAIT_S)


async def _exchange(path: Path, request: bytes, expected: bytes, wait_s: float) -> bool:
    try:
        async with asyncio.timeout(wait_s):
            reader, writer = await asyncio.open_unix_connection(str(path))
            try:
                writer.write(request)
                return expected in await reader.read(100)
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return False


async def fetch(settings: Settings, path: str) -> bytes:
    """The site's response, head and body; b"" when it does not respond within 3 s."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104 as configured
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
