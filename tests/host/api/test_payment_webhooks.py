"""POST /webhooks/payments: what is accepted, what is refused, and what is stored."""

import hmac
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import select

from domain.errors import ServiceUnavailable
from domain.tables import GatewayEvent, Outbox

SECRET = "whsec_example"
GATEWAY = {
    # Nothing answers there: an event is stored without a call.
    "PAYMENTS_API_BASE": "http://127.0.0.1:9",
    "PAYMENTS_KEY": "sk_test_example",
    "PAYMENTS_WEBHOOK_SECRETS": SECRET,
}
PATH = "/webhooks/payments"


@pytest.fixture
async def shop(open_site):
    return await open_site(**GATEWAY)


def body(kind: str = "checkout.session.completed", event_id: str = "evt_1", **content: Any) -> bytes:
    event = {"id": event_id, "object": "event", "type": kind, "created": 1_770_000_000}
    return json.dumps({**event, "data": {"object": {"id": "cs_1", **content}}}).encode()


def header(text: bytes, secret: str = SECRET, age_s: int = 0) -> str:
    time = int(datetime.now(UTC).timestamp()) - age_s
    return f"t={time},v1=" + hmac.new(secret.encode(), f"{time}.".encode() + text, "sha256").hexdigest()


async def post(shop, text: bytes, signature: str | None) -> int:
    headers = {} if signature is None else {"Stripe-Signature": signature}
    return (await shop.client.post(PATH, data=text, headers=headers)).status


async def stored(shop) -> tuple[list[str], list[str]]:
    def read(session):
        return list(session.scalars(select(GatewayEvent.event_id))), list(session.scalars(select(Outbox.kind)))

    return await shop.db.read(read)


async def test_a_signed_event_is_stored_and_once_only(shop):
    assert [await post(shop, body(), header(body())) for _time in range(3)] == [200, 200, 200]
    assert await stored(shop) == (["evt_1"], ["payments.event"])
    counts = (await (await shop.get("/readyz")).json())["counts"]
    assert (counts["payment_events_accepted"], counts["payment_events_refused"]) == (3, 0)


async def test_an_event_that_concerns_no_payment_is_acknowledged_and_not_stored(shop):
    assert await post(shop, body("customer.created"), header(body("customer.created"))) == 200
    assert await stored(shop) == ([], [])


# Some seconds less and more than the tests of adapters/payments/signatures.py: this clock runs.
@pytest.mark.parametrize(("age_s", "status"), [(290, 200), (-290, 200), (310, 400), (-310, 400)])
async def test_an_event_far_from_our_clock_is_refused(shop, age_s, status):
    assert await post(shop, body(), header(body(), age_s=age_s)) == status
    assert (await stored(shop))[0] == (["evt_1"] if status == 200 else [])


@pytest.mark.parametrize(
    ("text", "signature"),
    [
        (body(), None),
        (body(), "t=1,v1=00"),
        (body(), header(body(), "whsec_other")),
        (body(event_id="evt_2"), header(body())),
        (b"", header(b"")),
        (b"\xff", header(b"\xff")),
    ],
    # Signatures differ in each process of a run.
    ids=["none", "malformed", "other-secret", "other-body", "empty", "not-utf8"],
)
async def test_a_forged_event_changes_nothing(shop, text, signature):
    assert await post(shop, text, signature) == 400
    assert await stored(shop) == ([], [])


@pytest.mark.parametrize(("extra", "status"), [(0, 400), (1, 413)])
async def test_a_body_over_256_kib_is_refused_unread(shop, extra, status):
    assert await post(shop, b"x" * (256 * 1024 + extra), "t=1,v1=00") == status
    assert await stored(shop) == ([], [])


async def test_a_large_signed_event_is_accepted(shop):
    text = body(padding="x" * 200_000)
    assert await post(shop, text, header(text)) == 200


async def test_refused_events_are_limited_by_address_and_signed_ones_are_not(open_site):
    shop = await open_site(**GATEWAY, WEBHOOKS_REFUSED_PER_ADDRESS_MINUTE="2")
    assert [await post(shop, body(), "t=1,v1=00") for _time in range(3)] == [400, 400, 429]
    assert await post(shop, body(), header(body())) == 200


async def test_without_the_database_the_gateway_is_asked_to_deliver_again(shop, monkeypatch):
    async def unavailable(*_arguments: object) -> None:
        raise ServiceUnavailable("The site is temporarily unavailable.")

    monkeypatch.setattr(shop.db, "write", unavailable)
    assert await post(shop, body(), header(body())) == 503


async def test_other_methods_and_a_site_without_a_gateway_accept_nothing(shop, open_site):
    assert (await shop.get(PATH)).status == 404
    assert await post(await open_site(), body(), header(body())) == 400
