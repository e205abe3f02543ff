"""Documents with deferred parts: the shell at once, each part and its markup as they arrive, in one response."""

import asyncio
import logging
import secrets
import time
from typing import Any

from aiohttp import web

from host.app_keys import SETTINGS
from host.rendering.deferred import load_part
from host.rendering.document import Document, DocumentResponse
from host.rendering.page_request import PageRequest
from host.rendering.page_result import DeferredPart, PageResult
from host.rendering.render_job import Job, RenderFailed
from host.rendering.shell import script_json
from host.rendering.ssr_client import POLL_S, SSR_CLIENT

log = logging.getLogger("coursefront.rendering")

# How long a worker that was told to finish may still send markup.
DRAIN_S = 0.3


class StreamedDocument(Document):
    """Its inline scripts hand over the parts' data, hence the nonce."""

    def __init__(self, app: web.Application, result: PageResult, url: str):
        self._script_nonce = secrets.token_urlsafe(16)
        super().__init__(app, result, url, self._script_nonce)
        self._open: dict[str, asyncio.Task[None]] = {}
        self._ready: list[tuple[str, Any]] = []

    async def _write(self, request: web.Request, response: DocumentResponse, page: PageRequest) -> None:
        for key, part in self.result.deferred.items():
            self._open[key] = asyncio.create_task(self._load(page, key, part))
        await response.prepare(request)
        await response.write_html(self.head())
        # Parts that an index answers at once have arrived after this, and are rendered like the rest of the page.
        await asyncio.sleep(0)
        parts = dict(self._take_ready())
        props = {**self.result.props, **parts} if parts else self.result.props
        state = self.state(list(self._open), props)
        # With nothing left to wait for, React's way for complete pages takes less than half the time.
        is_complete = not self._open and self.app[SETTINGS].render != "stream"
        payload = self.payload("whole" if is_complete else "stream", state)
        self.job, markup = await self.app[SSR_CLIENT].render(payload, self.path, response.check_client)
        shell = (*self.root(markup, props), self.entry(state))
        if not self._open and self.job is not None and self.job.is_done:
            await response.end(*shell, self.shell.tail)
            return
        await response.write_html(*shell)
        try:
            await self._follow(response)
        except RenderFailed as error:
            log.warning("render of %s broke off: %s", self.path, error)
            # The browser renders the remaining parts itself, from their data.
            self.job = None
        await response.end(await self._remaining_parts(), self.shell.tail)

    async def _load(self, page: PageRequest, key: str, part: DeferredPart) -> None:
        value = await load_part(page, key, part)
        # Not in one line: `_take_ready` may have replaced the list that was looked up before the await.
        self._ready.append((key, value))
        if self.job is not None:
            self.job.poke()

    def _take_ready(self) -> list[tuple[str, Any]]:
        """Parts that have arrived since the last call; they are no longer open."""
        ready, self._ready = self._ready, []
        for key, _ in ready:
            del self._open[key]
        return ready

    async def _follow(self, response: DocumentResponse) -> None:
        """Pass on parts and markup as they arrive, until the worker has sent everything or its deadline is over."""
        while self.job is not None:
            await self._pass_on_parts(response, self.job)
            response.check_client()
            if time.monotonic() > self.job.deadline:
                self.job.finish()
                await self._drain(response, self.job)
                return
            chunk = await self.job.next(POLL_S)
            if chunk is None:
                return
            if chunk:
                await response.write_html(chunk)

    async def _pass_on_parts(self, response: DocumentResponse, job: Job) -> None:
        """Each part goes to the browser before the markup that is made of it."""
        for key, value in self._take_ready():
            text = script_json(value)
            await response.write_html(self.shell.part(key, text, self._script_nonce))
            job.deliver(key, text)

    async def _drain(self, response: DocumentResponse, job: Job) -> None:
        until = time.monotonic() + DRAIN_S
        while (left := until - time.monotonic()) > 0:
            chunk = await job.next(left)
            if chunk is None:
                return
            await response.write_html(chunk)

    async def _remaining_parts(self) -> bytes:
        """Data of parts that no worker rendered, which the browser renders. Without a worker all are waited for: each
        ends at its own deadline."""
        if self._open:
            await asyncio.wait(self._open.values(), timeout=None if self.job is None else DRAIN_S)
        ready = self._take_ready()
        return b"".join(self.shell.part(key, script_json(value), self._script_nonce) for key, value in ready)

    def stop(self) -> None:
        super().stop()
        for task in self._open.values():
            task.cancel()
