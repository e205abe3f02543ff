"""The shop with the real stand-in of the provider, over HTTP."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bench.processes import free_port
from host import keys
from standins.identity.app import create_app
from standins.identity.provider import Data, Place, demo_data, open_provider
from tests.host.conftest import OpenSite
from tests.host.identity.browser import Browser
from tests.host.world import ORIGIN, Site
from tests.standins.conftest import MORE
from tests.standins.driver import Clock
from tests.waiting import until


async def nothing() -> None:
    """The path's own answer is what is wanted."""


@dataclass
class StandIn:
    """The provider on its port: it may be stopped and started again with what it knows.

    `before` is awaited ahead of a path's own answer: what it returns is answered instead, None lets the path speak.
    """

    port: int
    folder: Path
    clock: Clock
    server: TestServer | None = None
    before: dict[str, Callable[[], Awaitable[web.Response | None]]] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self, **policies: Any) -> None:
        data = demo_data()
        rules = deepcopy(data.policies)
        for name, change in policies.items():
            rules[name] = {**rules[name], **change} if isinstance(change, dict) else change
        known = Data(rules, [*data.accounts, *MORE], data.clients)
        made = create_app(open_provider(Place(self.origin, ORIGIN, self.folder), known, self.clock))
        made.middlewares.append(self._before)
        self.server = TestServer(made, port=self.port)
        await self.server.start_server()

    @property
    def _before(self) -> Any:
        @web.middleware
        async def first(request: web.Request, handler: Any) -> web.StreamResponse:
            wanted = self.before.get(request.path)
            return await (wanted() if wanted else nothing()) or await handler(request)

        return first

    async def stop(self) -> None:
        if self.server is not None:
            await self.server.close()
            self.server = None


@dataclass(frozen=True)
class World:
    """A shop, its provider, and as many browsers and host processes as a test wants."""

    standin: StandIn
    site: Site
    browser: Callable[..., Browser]
    open: Callable[..., Awaitable[Site]]


@pytest.fixture
async def standin(tmp_path: Path) -> AsyncIterator[StandIn]:
    import time

    clock = Clock()
    clock.now = time.time()
    made = StandIn(free_port(), tmp_path / "standin", clock)
    await made.start()
    yield made
    await made.stop()


@pytest.fixture
async def world(open_site: OpenSite, standin: StandIn) -> AsyncIterator[World]:
    async with AsyncExitStack() as stack:

        async def open_one(issuer: str = "", **environment: str) -> Site:
            site = await open_site(OIDC_ISSUER=standin.origin + issuer, **environment)
            await until(lambda: site.app[keys.PROVIDER].state == "up")
            return site

        def browser(at: Site) -> Browser:
            made = Browser(at, standin.origin)
            stack.push_async_callback(made.close)
            return made

        first = await open_one()
        yield World(standin, first, lambda at=None: browser(at or first), open_one)


@pytest.fixture
async def ada(world: World) -> Browser:
    return world.browser()
