"""Probes of the programs on this machine: whether Redis, a render worker and the site respond."""

import asyncio
import struct
from enum import Enum
from pathlib import Path

from config.settings import Settings

# The second question to a worker that did not answer the first.
CONFIRM_S = 0.5
_RENDER_PING = struct.pack(">IcI", 5, b"P", 0)


async def redis_responds(path: Path) -> bool:
    try:
        return await _exchange(path, b"PING\r\n", b"+PONG", 0.5)
    except (OSError, TimeoutError):
        return False


class RendererState(Enum):
    RESPONDS = "responds"
    # It accepts connections and sends nothing.
    SILENT = "silent"
    # It does not listen: it starts, or has ended.
    ABSENT = "absent"


async def renderer_state(path: Path, silence_s: float) -> RendererState:
    """Whether a render worker answers a ping within `silence_s`; a busy one does so between two renders."""
    state = await _ping_renderer(path, silence_s)
    # After a pause of this process the time was over before the answer could be read.
    return await _ping_renderer(path, CONFIRM_S) if state is RendererState.SILENT else state


async def _ping_renderer(path: Path, wait_s: float) -> RendererState:
    try:
        await _exchange(path, _RENDER_PING, b"O", wait_s)
    except TimeoutError:
        return RendererState.SILENT
    except OSError:
        return RendererState.ABSENT
    return RendererState.RESPONDS


async def _exchange(path: Path, request: bytes, expected: bytes, wait_s: float) -> bool:
    """Raises OSError when nobody listens, TimeoutError when there is no answer within `wait_s`."""
    async with asyncio.timeout(wait_s):
        reader, writer = await asyncio.open_unix_connection(str(path))
        try:
            writer.write(request)
            return expected in await reader.read(100)
        finally:
            writer.close()


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
