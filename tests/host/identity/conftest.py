"""Fixtures: the shop with the provider's stand-in over HTTP."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from host.identity.provider import PROVIDER
from standins.identity.app import create_app
from standins.identity.provider import ProviderConfig, ProviderData, demo_data, open_provider
from tests.host.conftest import OpenSite
from tests.host.identity.browser import Browser
from tests.host.site import ORIGIN, Site
from tests.standins.conftest import with_more
from tests.standins.driver import Clock
from tests.standins.provider_files import copy_to, filled_provider
from tests.support.run_cache import RunCache
from tests.support.servers import free_port
from tests.support.waiting import until


async def nothing() -> None:
    """Returns None: the path's usual response is used."""


@dataclass
class StandIn:
    """The provider on its port. It can be stopped and started again with its data.

    `before` is awaited first for its path; a response that it returns replaces the path's usual one.
    """

    port: int
    filled: Path
    folder: Path
    clock: Clock
    server: TestServer | None = None
    before: dict[str, Callable[[], Awaitable[web.Response | None]]] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self, **policies: Any) -> None:
        copy_to(self.filled, self.folder)
        data = with_more(demo_data())
        rules = deepcopy(data.policies)
        for name, change in policies.items():
            rules[name] = {**rules[name], **change} if isinstance(change, dict) else change
        initial_data = ProviderData(rules, data.accounts, data.clients)
        app = create_app(open_provider(ProviderConfig(self.origin, ORIGIN, self.folder), initial_data, self.clock))
        app.middlewares.append(self._before)
        self.server = TestServer(app, port=self.port)
        await self.server.start_server()

    @property
    def _before(self) -> Any:
        @web.middleware
        async def first(request: web.Request, handler: Any) -> web.StreamResponse:
            replacement = self.before.get(request.path)
            return await (replacement() if replacement else nothing()) or await handler(request)

        return first

    async def stop(self) -> None:
        if self.server is not None:
            await self.server.close()
            self.server = None


@dataclass(frozen=True)
class World:
    """A shop, its provider, and functions that open more browsers and host processes."""

    standin: StandIn
    site: Site
    browser: Callable[..., Browser]
    open: Callable[..., Awaitable[Site]]


@pytest.fixture(scope="session")
def todays_provider(shared: RunCache) -> Path:
    """The provider's folder as of today, to be copied."""
    return filled_provider(shared, "today", with_more(demo_data()), time.time())


@pytest.fixture
async def standin(tmp_path: Path, todays_provider: Path) -> AsyncIterator[StandIn]:
    clock = Clock()
    clock.now = time.time()
    provider = StandIn(free_port(), todays_provider, tmp_path / "standin", clock)
    await provider.start()
    yield provider
    await provider.stop()


@pytest.fixture
async def world(open_site: OpenSite, standin: StandIn) -> AsyncIterator[World]:
    async with AsyncExitStack() as stack:

        async def open_host(issuer: str = "", **environment: str) -> Site:
            site = await open_site(OIDC_ISSUER=standin.origin + issuer, **environment)
            await until(lambda: site.app[PROVIDER].state == "up")
            return site

        def browser(at: Site) -> Browser:
            opened = Browser(at, standin.origin)
            stack.push_async_callback(opened.close)
            return opened

        first = await open_host()
        yield World(standin, first, lambda at=None: browser(at or first), open_host)


@pytest.fixture
async def ada(world: World) -> Browser:
    return world.browser()
