"""Documents on their way: head first, then markup, state and tail; streamed, whole, or finished to be kept."""

import asyncio
import logging
import secrets
import time
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from domain.errors import Unavailable
from host import keys
from host.encoding import Encoder, encoder_for
from host.loaders import Loaded, Part
from host.render import Job, RenderFailed
from host.shell import escaped, script_json
from host.site import SiteState

log = logging.getLogger("coursefront.drawing")

# How soon a visitor who left is noticed while nothing else happens.
WATCH_S = 0.1
# A page that Node stopped in time still says its last words; it gets this long for them.
LAST_WORDS_S = 0.3
# The records of a deferred part; past it the part is left out and says so.
PART_DEADLINE_S = 6.0


async def gather(request: web.Request, deferred: Mapping[str, Part]) -> dict[str, Any]:
    values = await asyncio.gather(*(_part(request, key, part) for key, part in deferred.items()))
    return dict(zip(deferred, values, strict=True))


async def _part(request: web.Request, key: str, part: Part) -> Any:
    """A deferred part, or None when it cannot be had within its deadline: the page says so in its place."""
    for name, delay_ms in request.app[keys.SETTINGS].dev_delay:
        if name == key:
            await asyncio.sleep(delay_ms / 1000)
    try:
        async with asyncio.timeout(PART_DEADLINE_S):
            return await part()
    except (Unavailable, TimeoutError):
        log.warning("the part %s of %s could not be had", key, request.path)
    except Exception:
        # The head has left already: whatever went wrong here, the rest of the page goes on.
        log.exception("the part %s of %s failed", key, request.path)
    return None


def headers_of(request: web.Request, loaded: Loaded, nonce: str | None) -> dict[str, str]:
    headers = {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": csp(nonce, request.app[keys.PROVIDER].origin),
        "Cache-Control": "no-store" if loaded.status >= 400 else "private, no-cache",
        "Vary": "Accept-Encoding",
        "X-Accel-Buffering": "no",
        **loaded.headers,
    }
    if "noindex" in loaded.head.robots or request.app[keys.SETTINGS].robots == "closed":
        headers["X-Robots-Tag"] = "noindex"
    if loaded.status == 503:
        headers["Retry-After"] = "5"
    return headers


def csp(nonce: str | None, provider: str) -> str:
    """Streamed pages name their nonce; whole pages run nothing but the entry and what it imports. `provider`: its
    origin, "" for none; pages may frame it (its fingerprint) and be led there by a form."""
    script = f"'nonce-{nonce}' 'strict-dynamic'" if nonce else "'self'"
    frames, forms = (provider, f"'self' {provider}") if provider else ("'none'", "'self'")
    return (
        f"default-src 'self'; script-src {script}; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        f"connect-src 'self'; frame-src {frames}; form-action {forms}; frame-ancestors 'none'; base-uri 'none'; "
        "object-src 'none'; require-trusted-types-for 'script'"
    )


class DocumentResponse(web.StreamResponse):
    """Its headers leave together with what is written first: one packet less."""

    _send_headers_immediately = False


class VisitorLeft(Exception):
    """Nobody reads any more."""


class Drawing:
    """One document on its way: head first, then markup, state and tail, each flushed as it stands."""

    def __init__(self, request: web.Request, loaded: Loaded, nonce: str | None):
        self.request, self.loaded, self.nonce = request, loaded, nonce
        self.shell = request.app[keys.SHELL]
        self.pool = request.app[keys.RENDER]
        self.encoder: Encoder = encoder_for(request.headers.get("Accept-Encoding", ""))
        self.response = DocumentResponse(status=loaded.status, headers=headers_of(request, loaded, nonce))
        self.job: Job | None = None
        self.address = request.rel_url.raw_path_qs

    async def begin(self) -> None:
        """Status and head leave before the render begins."""
        if self.encoder.name:
            self.response.headers["Content-Encoding"] = self.encoder.name
        await self.response.prepare(self.request)
        await self.write(self.shell.head(self.loaded.page, self.loaded.head, self.nonce))

    async def write(self, *data: bytes) -> None:
        await self.response.write(self.encoder.chunk(b"".join(data)))

    async def end(self, *data: bytes) -> None:
        await self.response.write_eof(self.encoder.last(b"".join((*data, self.shell.tail))))

    def state(self, deferred: list[str], props: Mapping[str, Any], site: SiteState) -> bytes:
        return (
            b'{"page":' + script_json(self.loaded.page) + b',"status":' + str(self.loaded.status).encode()
            + b',"deferred":' + script_json(deferred) + b',"site":' + escaped(site.json)
            + b',"props":' + script_json(props) + b"}"
        )  # fmt: skip

    def payload(self, mode: str, state: bytes) -> bytes:
        """The job (docs/wire.md): the document's state is the bulk of it, serialised once for both readers."""
        url = script_json(self.address)
        nonce = script_json(self.nonce)
        return b'{"mode":"' + mode.encode() + b'","nonce":' + nonce + b',"url":' + url + b"," + state[1:]

    async def first_markup(self, payload: bytes) -> bytes | None:
        """The shell's markup, from another worker if the first goes away; None when none can be had in time."""
        pool = self.pool
        deadline = time.monotonic() + pool.first_s
        for _ in range(2):
            try:
                self.job = pool.start(payload, besides=self.job.worker if self.job else None)
                while (left := deadline - time.monotonic()) > 0:
                    self.check_visitor()
                    chunk = await self.job.next(min(left, WATCH_S))
                    if chunk is None:
                        raise RenderFailed("the worker sent no markup")
                    if chunk:
                        return chunk
                self.job.cancel()
                raise RenderFailed(f"no markup within {pool.first_s:g} s")
            except RenderFailed as error:
                log.warning("render of %s failed: %s", self.request.path, error)
        pool.failures += 1
        return None

    def check_visitor(self) -> None:
        transport = self.request.transport
        if transport is None or transport.is_closing():
            raise VisitorLeft

    def root(self, markup: bytes | None, props: Mapping[str, Any]) -> tuple[bytes, bytes, bytes]:
        """#root in pieces, with the plain content when there is no markup."""
        if markup is not None:
            return b'<div id="root">', markup, b"</div>"
        body = self.shell.plain(self.loaded.page, self.loaded.head, dict(props))
        return b'<div id="root" data-drawn="no">', body, b"</div>"

    async def answer(self) -> web.StreamResponse:
        try:
            await self.draw()
        except (VisitorLeft, ConnectionResetError):
            log.debug("the visitor left %s", self.request.path)
        return self.response

    async def draw(self) -> None:
        raise NotImplementedError

    def stop(self) -> None:
        if self.job is not None:
            self.job.cancel()


class Whole(Drawing):
    """Everything at once: pages with nothing pending, and every page for declared crawlers."""

    def __init__(self, request: web.Request, loaded: Loaded):
        super().__init__(request, loaded, nonce=None)

    async def draw(self) -> None:
        await self.begin()
        site = self.request.app[keys.SITE].state
        parts = await gather(self.request, self.loaded.deferred) if self.loaded.deferred else {}
        props = {**self.loaded.props, **parts}
        state = self.state([], props, site)
        markup = await self.first_markup(self.payload("whole", state))
        await self.end(*self.root(markup, props), self.shell.state(state, self.nonce))


class Finished(Drawing):
    """A whole page as bytes, to be kept: made for everybody, so nobody's leaving stops it."""

    def __init__(self, request: web.Request, loaded: Loaded, address: str):
        super().__init__(request, loaded, nonce=None)
        self.address = address

    def check_visitor(self) -> None:
        pass

    async def bytes(self, parts: Mapping[str, Any]) -> bytes | None:
        """None when no worker drew it: a plain page is for the moment, not for keeping."""
        props = {**self.loaded.props, **parts}
        state = self.state([], props, self.request.app[keys.SITE].state)
        markup = await self.first_markup(self.payload("whole", state))
        if markup is None:
            return None
        head = self.shell.head(self.loaded.page, self.loaded.head, None)
        return b"".join((head, *self.root(markup, props), self.shell.state(state, None), self.shell.tail))


class Streamed(Drawing):
    """The shell at once, deferred parts later in the same response."""

    def __init__(self, request: web.Request, loaded: Loaded):
        self.mark = secrets.token_urlsafe(16)
        super().__init__(request, loaded, nonce=self.mark)
        self._open: dict[str, asyncio.Task[None]] = {}
        self._ready: list[tuple[str, Any]] = []

    async def draw(self) -> None:
        for key, part in self.loaded.deferred.items():
            self._open[key] = asyncio.create_task(self._fetch(key, part))
        await self.begin()
        # What an index finds at once is there after this, and stands in the page like everything else.
        await asyncio.sleep(0)
        props = {**self.loaded.props, **dict(self.arrived())}
        state = self.state(list(self._open), props, self.request.app[keys.SITE].state)
        # With nothing left to wait for, React's way for whole pages draws the same in less than half the time.
        is_whole = not self._open and self.request.app[keys.SETTINGS].render != "stream"
        markup = await self.first_markup(self.payload("whole" if is_whole else "stream", state))
        if markup is None:
            self.job = None
        shell = (*self.root(markup, props), self.shell.state(state, self.nonce))
        if not self._open and self.job is not None and self.job.is_done:
            await self.end(*shell)
            return
        await self.write(*shell)
        try:
            await self.follow()
        except RenderFailed as error:
            log.warning("render of %s broke off: %s", self.request.path, error)
            # Nobody draws what is still to come: the browser does, and waits for its data.
            self.job = None
        await self.end(await self.rest())

    async def _fetch(self, key: str, part: Part) -> None:
        value = await _part(self.request, key, part)
        # Not in one line: `arrived` may have put another list in the place of the one looked up before the wait.
        self._ready.append((key, value))
        if self.job is not None:
            self.job.poke()

    def arrived(self) -> list[tuple[str, Any]]:
        """Parts that have come since this was last asked; they are no longer open."""
        found, self._ready = self._ready, []
        for key, _ in found:
            del self._open[key]
        return found

    async def follow(self) -> None:
        """Pass on parts and markup as they come, until the worker has said all or time is up."""
        while self.job is not None:
            await self.pass_on_parts()
            self.check_visitor()
            if time.monotonic() > self.job.deadline:
                self.job.finish()
                await self.last_words(self.job)
                return
            chunk = await self.job.next(WATCH_S)
            if chunk is None:
                return
            if chunk:
                await self.write(chunk)

    async def pass_on_parts(self) -> None:
        """Each part goes to the browser before the markup that is made of it."""
        for key, value in self.arrived():
            text = script_json(value)
            await self.write(self.shell.part(key, text, self.mark))
            if self.job is not None:
                self.job.deliver(key, text)

    async def last_words(self, job: Job) -> None:
        until = time.monotonic() + LAST_WORDS_S
        while (left := until - time.monotonic()) > 0:
            chunk = await job.next(left)
            if chunk is None:
                return
            await self.write(chunk)

    async def rest(self) -> bytes:
        """Parts that no worker drew: the browser draws them, from their data if it comes in time."""
        if self._open:
            left = max(0.0, PART_DEADLINE_S if self.job is None else LAST_WORDS_S)
            await asyncio.wait(self._open.values(), timeout=left)
        return b"".join(self.shell.part(key, script_json(value), self.mark) for key, value in self.arrived())

    def stop(self) -> None:
        super().stop()
        for task in self._open.values():
            task.cancel()
