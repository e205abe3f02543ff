"""The whole application on a port of its own, as tests open it."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pytest
from aiohttp import ClientResponse, web
from aiohttp.test_utils import TestClient, TestServer
from multidict import CIMultiDict
from sqlalchemy import select

from config.settings import Settings
from domain.database.database import Database
from domain.tables import Product, Visit
from domain.visits.served_documents import COUNTS
from host.app_keys import DATABASE, SETTINGS
from host.http.server import GuardedRunner
from tests.host.documents import Document, read
from tests.support.waiting import DEADLINE_S

# What the tests reach the site by, whatever port the system gave it.
ORIGIN = "https://shop.example"
# For modules whose tests all read one site: `pytestmark = SHARED`.
SHARED = pytest.mark.asyncio(loop_scope="session")
# aiohttp's own name counts as a crawler's.
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
ENVIRONMENT = {
    "REDIS_URL": "none",
    "ROBOTS": "open",
    "SITE_ORIGIN": ORIGIN,
    "PAGE_CACHE": "off",
    # Without it each site would make one and write it to a file.
    "SECRET_KEY": "a-key-of-sites-under-test-0123456789",
    # A busy machine may take longer than visitors would wait for a render, the database, the provider or a call.
    "SSR_WAIT_MS": "20000",
    "SSR_FIRST_MS": "20000",
    "CALL_DEADLINE_MS": "60000",
    "DATABASE_DEADLINE_MS": "60000",
    "PAYMENTS_WAIT_MS": "20000",
    "PROVIDER_DEADLINE_MS": "40000",
    # SQLite has the deferred parts before the render begins, and then nothing is deferred.
    "DEV_DELAY": "reviews:1,related:1",
}


class GuardedTestServer(TestServer):
    """aiohttp's test server with the product's own manners towards broken and stalled requests."""

    async def _make_runner(self, **options: Any) -> web.BaseRunner:
        settings = self.app[SETTINGS]
        return GuardedRunner(
            self.app,
            header_deadline_s=settings.header_deadline_ms / 1000,
            keepalive_timeout=settings.keepalive_ms / 1000,
            access_log=None,
            **options,
        )


@dataclass(frozen=True)
class Site:
    """One open site. `document` and `call` are what most tests need; `client` is aiohttp's own."""

    client: TestClient[web.Request, web.Application]
    settings: Settings

    @property
    def app(self) -> web.Application:
        app = self.client.app
        assert app is not None
        return app

    @property
    def port(self) -> int:
        return int(self.client.port)

    @property
    def db(self) -> Database:
        return self.app[DATABASE]

    async def get(self, path: str, method: str = "GET", **headers: str) -> ClientResponse:
        """The answer itself, redirects not followed, as a browser gets it. Headers by name with _ for -."""
        sent = {"User-Agent": CHROME} | {name.replace("_", "-"): value for name, value in headers.items()}
        answer = await self.client.request(method, path, headers=sent, allow_redirects=False)
        await answer.read()
        return answer

    async def document(self, path: str, **headers: str) -> Document:
        answer = await self.get(path, **headers)
        assert answer.content_type == "text/html", await answer.text()
        return read(answer.status, answer.headers, await answer.text())

    async def data(self, path: str) -> Any:
        return await (await self.get("/data" + path)).json()

    async def call(
        self, name: str, body: Any, headers: Mapping[str, str] | None = None, method: str = "POST"
    ) -> tuple[int, Any]:
        """Status and JSON of a call; `body` is sent as JSON unless it is bytes already, None is no body."""
        answer = await self.answer(name, body, headers, method)
        return answer.status, await answer.json(content_type=None)

    async def answer(
        self, name: str, body: Any, headers: Mapping[str, str] | None = None, method: str = "POST"
    ) -> ClientResponse:
        """The response of a call as it came, with its headers; `body` as in `call`."""
        sent_bytes = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        # aiohttp warns of more than 1 MiB that are not a stream.
        data = sent_bytes if sent_bytes is None or len(sent_bytes) <= 2**20 else BytesIO(sent_bytes)
        sent = {"User-Agent": CHROME, **({} if body is None else {"Content-Type": "application/json"})}
        # Cookies are those of `headers` alone: nobody is remembered between calls.
        self.client.session.cookie_jar.clear()
        return await self.client.request(method, f"/api/{name}", data=data, headers={**sent, **(headers or {})})

    def id_of(self, slug: str) -> int:
        with self.db.read_session() as session:
            return session.scalars(select(Product.id).where(Product.slug == slug)).one()

    def visits(self) -> list[Visit]:
        """Without the counts of served pages, which come when a minute is over."""
        return [row for row in self.rows() if row.visitor_class != COUNTS]

    def rows(self) -> list[Visit]:
        with self.db.read_session() as session:
            return list(session.scalars(select(Visit).order_by(Visit.id)))

    async def raw(self, data: bytes, deadline_s: float = DEADLINE_S) -> bytes:
        """Everything the site says to these bytes until it closes the connection."""
        async with asyncio.timeout(deadline_s):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            try:
                writer.write(data)
                return await reader.read()
            finally:
                writer.close()

    async def ask(self, target: str, method: str = "GET", *lines: str) -> "Answered":
        """One request with this very target, byte for byte, and these header lines."""
        head = "\r\n".join([f"{method} {target} HTTP/1.1", "Host: shop.example", "Connection: close", *lines, "", ""])
        return answered(await self.raw(head.encode("latin-1")))


@dataclass(frozen=True)
class Answered:
    """An answer as it came over the line."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def answered(data: bytes) -> Answered:
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = CIMultiDict(tuple(line.split(": ", 1)) for line in lines)
    return Answered(int(first.split(" ")[1]), headers, body)
