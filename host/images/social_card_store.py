"""Social cards on disk, in VAR_DIR/og: rendered on the first request, one at a time; the oldest files are dropped."""

import asyncio
import logging
import os
import sys
import time
from pathlib import Path

import orjson
from aiohttp import web

from config.settings import ROOT
from host.images.social_card import SocialCard
from host.resilience.bounded_folder import BoundedFolder
from host.resilience.single_flight import SingleFlight

log = logging.getLogger("coursefront.og")

# Rendering takes one core a second or two; with this many waiting, others get the fallback picture.
MAX_PENDING = 16
DEADLINE_S = 30.0
# A card that could not be rendered is not tried again before.
RETRY_AFTER_S = 300.0
MAX_FAILURES = 1_000


class SocialCardStore:
    """`max_bytes` bounds the folder; several host processes may share it."""

    def __init__(self, folder: Path, max_bytes: int):
        self._folder = BoundedFolder(folder, ".png", max_bytes)
        self._one_at_a_time = asyncio.Semaphore(1)
        self._flight = SingleFlight[Path | None]()
        self._failed: dict[str, float] = {}

    def file_of(self, card: SocialCard) -> Path:
        # Spread over folders: a hundred thousand files in one are slow to list.
        return self._folder.folder / card.kind / card.key[-2:] / f"{card.key}-{card.version}.png"

    async def get(self, card: SocialCard) -> Path | None:
        """The card's file, rendered now if necessary; None when it cannot be rendered at this time."""
        path = self.file_of(card)
        if await asyncio.to_thread(path.is_file):
            return path
        is_refused = len(self._flight) >= MAX_PENDING or self._failed.get(card.path, 0) > time.monotonic()
        if is_refused and card.path not in self._flight:
            return None
        return await self._flight.run(card.path, lambda: self._render(card, path))

    async def _render(self, card: SocialCard, path: Path) -> Path | None:
        try:
            async with self._one_at_a_time:
                png = await render_png(card)
            await asyncio.to_thread(self._store, path, png, card.key)
        except (RenderingFailed, OSError) as error:
            log.warning("the social card %s cannot be rendered: %s", card.path, error)
            if len(self._failed) >= MAX_FAILURES:
                self._failed.clear()
            self._failed[card.path] = time.monotonic() + RETRY_AFTER_S
            return None
        return path

    def _store(self, path: Path, png: bytes, key: str) -> None:
        """Write the card and delete older versions of it."""
        self._folder.write(path, png)
        for other in path.parent.glob(f"{key}-*.png"):
            if other != path:
                other.unlink(missing_ok=True)


SOCIAL_CARDS = web.AppKey("pictures", SocialCardStore)


class RenderingFailed(Exception):
    """The rendering process ended without a picture."""


async def render_png(card: SocialCard) -> bytes:
    """A PNG from a child process, which is ended after DEADLINE_S. Raises RenderingFailed."""
    job = {name: getattr(card, name) for name in ("title", "label", "brand", "tagline", "logo", "art")}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "host.images.social_card_svg",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=ROOT,
        env={name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ},
    )
    try:
        async with asyncio.timeout(DEADLINE_S):
            png, errors = await process.communicate(orjson.dumps(job))
    except TimeoutError:
        raise RenderingFailed(f"took longer than {DEADLINE_S:g} s") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0 or not png.startswith(b"\x89PNG"):
        raise RenderingFailed(errors.decode(errors="replace").strip()[-300:] or f"status {process.returncode}")
    return png
