"""A gateway in the test's process with the SDK of PyPI as its client, and a webhook that stores what it gets."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import stripe
from aiohttp import web
from aiohttp.test_utils import TestServer

from standins.payments.app import create_app
from standins.payments.gateway import Gateway, open_gateway
from standins.payments.work import GatewayConfig
from tests.support.servers import free_port
from tests.support.waiting import until

OK = "4242424242424242"
KEY, SECRET = "sk_test_standin", "whsec_standin"
RETURN = "http://localhost:8080/completed/ABC"


@dataclass
class Webhook:
    """`statuses`: of the next answers, then 200. `received`: body and header of each event."""

    statuses: list[int] = field(default_factory=list)
    received: list[tuple[bytes, str]] = field(default_factory=list)
    server: TestServer | None = None

    async def take(self, request: web.Request) -> web.Response:
        self.received.append((await request.read(), request.headers.get("Stripe-Signature", "")))
        return web.Response(status=self.statuses.pop(0) if self.statuses else 200)

    async def start(self) -> str:
        app = web.Application()
        app.router.add_post("/webhooks/payments", self.take)
        self.server = TestServer(app)
        await self.server.start_server()
        return str(self.server.make_url("/webhooks/payments"))

    @property
    def types(self) -> list[str]:
        return [json.loads(body)["type"] for body, _ in self.received]

    def event(self, at: int = -1) -> stripe.Event:
        """A received event, verified by the SDK."""
        body, header = self.received[at]
        return stripe.Webhook.construct_event(body, header, SECRET)


class Shop:
    """Uses the gateway as a shop does: `api` is the SDK, `dev` calls /dev, `page` is a browser without script."""

    def __init__(self, folder: Path, webhook: Webhook) -> None:
        self.folder, self.webhook = folder, webhook
        self.port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        # Seconds that the gateway's clock is ahead of the machine's.
        self.ahead_s = 0.0

    async def start(self) -> None:
        address = await self.webhook.start() if self.webhook.server is None else None
        self.address = address or self.address
        self._clients: list[stripe.AIOHTTPClient] = []
        self.api = self.client(KEY)
        self._http = aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar())
        await self.start_gateway()

    async def start_gateway(self, **config: Any) -> None:
        config = {"webhook": self.address, **config}
        self.gateway: Gateway = open_gateway(
            GatewayConfig(self.origin, self.folder, **config), lambda: time.time() + self.ahead_s
        )
        self.server = TestServer(create_app(self.gateway), port=self.port)
        await self.server.start_server()

    def client(self, key: str, retries: int = 0) -> Any:
        http = stripe.AIOHTTPClient(timeout=20, connector=aiohttp.TCPConnector())
        self._clients.append(http)
        return stripe.StripeClient(
            key, base_addresses={"api": self.origin}, http_client=http, max_network_retries=retries
        ).v1

    async def stop(self) -> None:
        await self.server.close()
        await self._http.close()
        for client in self._clients:
            await client.close_async()
        if self.webhook.server is not None:
            await self.webhook.server.close()

    async def open(self, *amounts: int, currency: str = "usd", key: str | None = None, **more: Any) -> Any:
        """A new session with a line for each amount."""
        price = [
            {"currency": currency, "unit_amount": amount, "product_data": {"name": f"Course {number}"}}
            for number, amount in enumerate(amounts or (4_900,), 1)
        ]
        request = {
            "mode": "payment",
            "line_items": [{"price_data": data, "quantity": 1} for data in price],
            "success_url": RETURN,
            "cancel_url": RETURN,
            "customer_email": "ada@example.test",
            "client_reference_id": "ABC",
            "metadata": {"order": "ABC"},
            "payment_intent_data": {"metadata": {"order": "ABC"}},
            **more,
        }
        return await self.api.checkout.sessions.create_async(request, {"idempotency_key": key} if key else {})

    async def paid(self, *amounts: int, card: str = OK, **more: Any) -> Any:
        """A session that was paid, with its intent and charge."""
        session = await self.open(*amounts, **more)
        assert (await self.pay(session.id, card))["state"] in {"paid", "processing"}
        return await self.get(session.id)

    async def get(self, session_id: str) -> Any:
        return await self.api.checkout.sessions.retrieve_async(session_id, {"expand": ["payment_intent.latest_charge"]})

    async def pay(self, session_id: str, card: str = OK, **more: Any) -> dict[str, Any]:
        return await self.dev("/dev/pay", {"session": session_id, "card": card, **more})

    async def dev(self, path: str, body: Any = None, method: str = "") -> dict[str, Any]:
        verb = method or ("GET" if body is None else "POST")
        async with self._http.request(verb, self.origin + path, json=body) as answer:
            result: dict[str, Any] = await answer.json()
        return result

    async def advance(self, seconds: float) -> int:
        return int((await self.dev("/dev/advance", {"seconds": seconds}))["changes"])

    async def fault(self, match: str, do: str, **more: Any) -> None:
        assert "faults" in await self.dev("/dev/faults", {"match": match, "do": do, **more})

    async def page(self, path: str, form: Mapping[str, str] | None = None, **headers: str) -> aiohttp.ClientResponse:
        """Status, headers and text of a page; redirects are not followed."""
        verb = "GET" if form is None else "POST"
        async with self._http.request(
            verb, self.origin + path, data=form, headers=headers, allow_redirects=False
        ) as answer:
            await answer.read()
        return answer

    async def raw(self, method: str, path: str, **more: Any) -> aiohttp.ClientResponse:
        """A call of the API without the SDK."""
        headers = {"Authorization": f"Bearer {KEY}", **more.pop("headers", {})}
        async with self._http.request(method, self.origin + path, headers=headers, **more) as answer:
            await answer.read()
        return answer

    async def events(self, **given: Any) -> list[str]:
        """Types of all events, the oldest first."""
        page = await self.api.events.list_async({"limit": 100, **given})
        return [event.type for event in reversed(page.data)]

    async def delivered(self, count: int) -> list[str]:
        """The types that the webhook has received, as soon as there are so many."""
        await until(lambda: len(self.webhook.received) >= count)
        return self.webhook.types

    def money(self) -> list[dict[str, Any]]:
        """The lines of ledger.jsonl."""
        path = self.folder / "ledger.jsonl"
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
