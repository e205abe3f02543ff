"""order-floor, the reference of C1: a bare aiohttp server that sells one voucher with the same calls of the gateway's
SDK, the same rows in the same tables and the same commits as the product, by the driver alone. It checks and computes
nothing.

`python -m bench.selling.order_floor PORT DATABASE GATEWAY_ORIGIN` runs it on a file of SQLite or a URL of MariaDB.
"""

import asyncio
import json
import sys
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import stripe
import uvloop
from aiohttp import web
from stripe.params.checkout import SessionRetrieveParams

from bench.selling.floor_database import FloorDatabase
from config.payment_variables import STANDIN_KEY, STANDIN_SECRET
from contracts.tasks import OutboxKind

PRICE_MINOR = 12_000
NAME = "Exam Voucher: Group Reporting"
# About as long as what the product stores of such an order.
QUOTE, DOCUMENT = json.dumps({"inputs": "x" * 2_000}), json.dumps({"lines": "x" * 1_000})
ADDRESS = json.dumps({"name": "Ada Lovelace", "country_code": "US", "country_area": "NY"})
ITEM, LEARNER = 74, 1
ORDER: dict[str, object] = {
    **{"learner_id": LEARNER, "state": "placed", "currency": "USD", "price_mode": "exclusive", "tax_place": "US-NY"},
    **{"subtotal_minor": PRICE_MINOR, "total_minor": PRICE_MINOR, "tax_kind": "none", "engine_version": 1},
    **dict.fromkeys(("discount_minor", "delivery_minor", "tax_minor", "refunded_minor"), 0),
    **{"email": "a@example.test", "email_key": "a@example.test", "terms_date": "2026-10-01", "quote": QUOTE},
    **{"billing": ADDRESS, "refund_terms": ADDRESS, "event_count": 1, "event_chain": "0" * 64},
}
LINE: dict[str, object] = {
    **{"number": 1, "kind": "product", "product_id": ITEM, "name": NAME, "sku": "ML-EV-101", "fulfilment": "code"},
    **dict.fromkeys(("list_minor", "unit_minor", "net_minor", "total_minor"), PRICE_MINOR),
    **dict.fromkeys(("tax_minor", "refunded_minor", "refunded_tax_minor", "refunded_quantity"), 0),
    **{"quantity": 1, "offer_step": "", "line_code": "", "cart_code": "", "steps": "[]", "taxes": "[]"},
}
RESERVATION: dict[str, object] = {
    **{"kind": "stock", "resource_id": ITEM, "product_id": ITEM, "learner_id": LEARNER, "quantity": 1},
    "state": "reserved",
}
PAYMENT: dict[str, object] = {
    **{"number": 1, "gateway": "stripe", "amount_minor": PRICE_MINOR, "refunded_minor": 0, "currency": "USD"},
    **{"state": "new", "method": "", "failure": "", "livemode": 0, "polls": 0},
}


class OrderFloor:
    def __init__(self, database: str, gateway: str):
        self._db = FloorDatabase(database)
        self._connections = stripe.AIOHTTPClient(timeout=None)
        self._client = stripe.StripeClient(STANDIN_KEY, base_addresses={"api": gateway}, http_client=self._connections)
        self._settling: set[asyncio.Task[None]] = set()

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_post("/orders", self.order)
        app.router.add_post("/webhooks/payments", self.receive)
        app.on_cleanup.append(self._close)
        return app

    async def _close(self, _app: web.Application) -> None:
        await self._connections.close_async()  # type: ignore[no-untyped-call] # the SDK's

    async def order(self, request: web.Request) -> web.Response:
        await request.json()
        code, at = uuid4().hex[:20].upper(), text_of(datetime.now(UTC))
        with self._commit():
            order_id = self._place(code, at)
        with self._commit():
            self._update("payments", order_id, lease_token=uuid4().hex, leased_until=at)
        page = await self._client.v1.checkout.sessions.create_async(_params(code), {"idempotency_key": f"{code}-1"})
        with self._commit():
            about: dict[str, Any] = {"session_id": page.id, "url": page.url, "expires_at": at, "state": "open"}
            self._update("payments", order_id, **about, lease_token=None, leased_until=None)
            self._update("orders", order_id, key="id", reserved_until=at)
        return web.json_response({"code": code, "session": page.id})

    def _place(self, code: str, at: str) -> int:
        own = {"code": code, "form_key": code, "content_digest": code, "placed_at": at, "changed_at": at}
        order_id = self._insert("orders", **ORDER, **own)
        self._event(order_id, 1, at, "place", "learner")
        line_id = self._insert("order_lines", **LINE, order_id=order_id)
        self._db.execute("UPDATE shop_items SET stock = stock - 1 WHERE id = ?", [ITEM])
        owner = {"owner_key": f"order:{order_id}:{line_id}", "order_id": order_id, "line_id": line_id}
        self._insert("reservations", **RESERVATION, **owner, reserved_at=at)
        self._insert("payments", **PAYMENT, order_id=order_id, key=f"{code}-1", created_at=at, poll_at=at)
        return order_id

    async def receive(self, request: web.Request) -> web.Response:
        body = await request.read()
        stripe.WebhookSignature.verify_header(body, request.headers["Stripe-Signature"], STANDIN_SECRET)
        event, at = json.loads(body), text_of(datetime.now(UTC))
        session_id = event["data"]["object"]["id"]
        with self._commit():
            about = {"gateway": "stripe", "event_id": event["id"], "type": event["type"], "object_id": session_id}
            event_id = self._insert("gateway_events", **about, created_at=at, received_at=at)
            row = {
                "topic": "payments",
                "task": OutboxKind.HANDLE_GATEWAY_EVENT,
                "body": json.dumps({"event_id": event_id, "v": 1}),
            }
            row_id = self._insert("outbox", **row, created_at=at, next_at=at, attempts=0)
        task = asyncio.create_task(self._settle(session_id, row_id))
        self._settling.add(task)
        task.add_done_callback(self._settling.discard)
        return web.Response()

    async def _settle(self, session_id: str, row_id: int) -> None:
        with self._commit():
            self._update("outbox", row_id, key="id", lease_token=uuid4().hex, attempts=1)
        sessions = self._client.v1.checkout.sessions
        expand: SessionRetrieveParams = {"expand": ["payment_intent.latest_charge"]}
        session = (await sessions.retrieve_async(session_id, expand)).to_dict()
        intent, at = session["payment_intent"], text_of(datetime.now(UTC))
        await self._client.v1.refunds.list_async({"payment_intent": intent["id"], "limit": 100})
        with self._commit():
            code = session["client_reference_id"]
            [order_id] = self._db.execute("SELECT id FROM orders WHERE code = ?", [code]).fetchone()
            charge = {"intent_id": intent["id"], "charge_id": intent["latest_charge"]["id"], "method": "Visa 4242"}
            self._update("payments", order_id, **charge, state="paid", paid_at=at, poll_at=None, url=None)
            self._update("orders", order_id, key="id", state="paid", paid_at=at, changed_at=at)
            self._update("reservations", order_id, state="committed")
            self._event(order_id, 2, at, "settle", "gateway")
            self._invoice(order_id, at)
            [line_id] = self._db.execute("SELECT id FROM order_lines WHERE order_id = ?", [order_id]).fetchone()
            self._insert("voucher_codes", line_id=line_id, number=1, code=uuid4().hex[:12].upper(), issued_at=at)
            mail = {"topic": "mail", "task": OutboxKind.ORDER_PAID, "body": json.dumps({"order_id": order_id, "v": 1})}
            self._insert("outbox", **mail, created_at=at, next_at=at, attempts=0)
            self._db.execute("DELETE FROM cart_lines WHERE learner_id = 1 AND product_id = 74")
        with self._commit():
            self._update("outbox", row_id, key="id", lease_token=None, done_at=at)

    def _invoice(self, order_id: int, at: str) -> None:
        counter = "INSERT INTO document_counters (kind, year, last) VALUES ('invoice', 2026, 1)"
        is_there = "DUPLICATE KEY UPDATE" if self._db.is_mariadb else "CONFLICT (kind, year) DO UPDATE SET"
        self._db.execute(f"{counter} ON {is_there} last = last + 1")
        [last] = self._db.execute("SELECT last FROM document_counters").fetchone()
        about = {"kind": "invoice", "number": f"2026-{last:06}", "year": 2026, "seq": last, "order_id": order_id}
        self._insert("documents", **about, issued_at=at, body=DOCUMENT, digest="0" * 64)

    def _event(self, order_id: int, number: int, at: str, kind: str, actor: str) -> None:
        about = {"kind": kind, "actor": actor, "to_state": kind, "facts": "{}", "chain": "0" * 64}
        self._insert("order_events", order_id=order_id, number=number, occurred_at=at, **about)

    def _commit(self) -> "_Transaction":
        return _Transaction(self._db)

    def _insert(self, table: str, **row: object) -> int:
        names, places = ", ".join(f'"{name}"' for name in row), ", ".join("?" * len(row))
        done = self._db.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", list(row.values()))
        return done.lastrowid or 0

    def _update(self, table: str, row_id: int, key: str = "order_id", **row: object) -> None:
        values = ", ".join(f"{name} = ?" for name in row)
        self._db.execute(f"UPDATE {table} SET {values} WHERE {key} = ?", [*row.values(), row_id])


class _Transaction:
    def __init__(self, db: FloorDatabase):
        self._db = db

    def __enter__(self) -> None:
        self._db.begin()

    def __exit__(self, *_error: object) -> None:
        self._db.commit()


def text_of(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S.%f}"


def _params(code: str) -> Any:
    metadata = {"shop": "floor", "order": code, "payment": "1"}
    price = {"currency": "usd", "unit_amount": PRICE_MINOR, "product_data": {"name": NAME}}
    back = f"http://localhost/completed/{code}"
    return {
        **{"mode": "payment", "client_reference_id": code, "metadata": metadata, "success_url": back},
        **{"cancel_url": back, "payment_intent_data": {"metadata": metadata}},
        "expires_at": int((datetime.now(UTC) + timedelta(minutes=31)).timestamp()),
        **{"adaptive_pricing": {"enabled": False}, "allow_promotion_codes": False, "customer_email": "a@example.test"},
        "line_items": [{"quantity": 1, "price_data": price}],
    }


if __name__ == "__main__":
    uvloop.install()
    floor = OrderFloor(sys.argv[2], sys.argv[3])
    stripe.enable_telemetry = False
    web.run_app(floor.app(), host="127.0.0.1", port=int(sys.argv[1]), access_log=None, print=None)
