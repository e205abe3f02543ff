"""Drawn pictures on disk, in VAR_DIR/og: drawn when first asked for, one at a time, the oldest dropped past a limit."""

import asyncio
import logging
import os
import sys
import time
from pathlib import Path

import orjson

from host.bounded_folder import BoundedFolder
from host.og.facts import Facts
from host.settings import ROOT

log = logging.getLogger("coursefront.og")

# One core draws for a second or two; past this many waiting the fallback is shown instead.
MOST_WAITING = 16
DEADLINE_S = 30.0
# What could not be drawn is not tried again before.
PAUSE_S = 300.0
MOST_FAILURES = 1_000


class PictureStore:
    """`most_bytes` bounds the folder; several host processes may share it."""

    def __init__(self, folder: Path, most_bytes: int):
        self._folder = BoundedFolder(folder, ".png", most_bytes)
        self._one_at_a_time = asyncio.Semaphore(1)
        self._drawing: dict[str, asyncio.Future[Path | None]] = {}
        self._failed: dict[str, float] = {}

    def place(self, facts: Facts) -> Path:
        # Spread over folders: a hundred thousand files in one are slow to list.
        return self._folder.folder / facts.kind / facts.key[-2:] / f"{facts.key}-{facts.version}.png"

    async def find(self, facts: Facts) -> Path | None:
        """The picture's file, drawn now if need be; None when it cannot be had at this time."""
        path = self.place(facts)
        if await asyncio.to_thread(path.is_file):
            return path
        task = self._drawing.get(facts.path)
        if task is None:
            if len(self._drawing) >= MOST_WAITING or self._failed.get(facts.path, 0) > time.monotonic():
                return None
            task = self._drawing[facts.path] = asyncio.ensure_future(self._draw(facts, path))
            task.add_done_callback(lambda _done: self._drawing.pop(facts.path, None))
        return await asyncio.shield(task)

    async def _draw(self, facts: Facts, path: Path) -> Path | None:
        try:
            async with self._one_at_a_time:
                png = await drawn(facts)
            await asyncio.to_thread(self._keep, path, png, facts.key)
        except (DrawingFailed, OSError) as error:
            log.warning("the picture %s cannot be drawn: %s", facts.path, error)
            if len(self._failed) >= MOST_FAILURES:
                self._failed.clear()
            self._failed[facts.path] = time.monotonic() + PAUSE_S
            return None
        return path

    def _keep(self, path: Path, png: bytes, key: str) -> None:
        """Older pictures of the same thing go."""
        self._folder.write(path, png)
        for other in path.parent.glob(f"{key}-*.png"):
            if other != path:
                other.unlink(missing_ok=True)


class DrawingFailed(Exception):
    """The drawing process ended without a picture."""


async def drawn(facts: Facts) -> bytes:
    """A PNG from a process of its own, ended after DEADLINE_S. Raises DrawingFailed."""
    asked = {name: getattr(facts, name) for name in ("title", "label", "brand", "tagline", "logo", "art")}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "host.og.drawing",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=ROOT,
        env={name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ},
    )
    try:
        async with asyncio.timeout(DEADLINE_S):
            png, said = await process.communicate(orjson.dumps(asked))
    except TimeoutError:
        raise DrawingFailed(f"not within {DEADLINE_S:g} s") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0 or not png.startswith(b"\x89PNG"):
        raise DrawingFailed(said.decode(errors="replace").strip()[-300:] or f"status {process.returncode}")
    return png
