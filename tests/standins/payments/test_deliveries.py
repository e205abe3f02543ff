"""Deliveries of events: signatures, repetitions, faults, restarts."""

import json
import time

import pytest
import stripe
from sqlalchemy.orm import Session

from standins.payments.deliveries import queue
from standins.payments.gateway import open_gateway
from standins.payments.tables import Delivery
from standins.payments.work import GatewayConfig, Work
from tests.standins.payments.shop import SECRET
from tests.support.waiting import until

COMPLETED, EXPIRED = "checkout.session.completed", "checkout.session.expired"


async def deliveries(shop):
    return (await shop.dev("/dev/deliveries"))["deliveries"]


async def states(shop):
    return [one["state"] for one in await deliveries(shop)]


async def all_arrived(shop):
    return set(await states(shop)) == {"delivered"}


async def test_an_event_is_delivered_with_a_signature_that_the_sdk_verifies(shop):
    session = await shop.paid()
    assert await shop.delivered(1) == [COMPLETED]
    event = shop.webhook.event()
    assert (event.data.object.id, event.data.object.payment_status) == (session.id, "paid")
    assert event.api_version == "2026-10-28.endive"
    await until(lambda: all_arrived(shop))
    assert (await shop.api.events.retrieve_async(event.id)).pending_webhooks == 0
    body, header = shop.webhook.received[0]
    with pytest.raises(stripe.SignatureVerificationError):
        stripe.Webhook.construct_event(body.replace(b"paid", b"free"), header, SECRET)
    with pytest.raises(stripe.SignatureVerificationError):
        stripe.Webhook.construct_event(body, header, "whsec_another")


async def test_each_secret_signs_while_one_replaces_another(shop):
    await shop.server.close()
    await shop.start_gateway(secrets=("whsec_old", "whsec_new"))
    await shop.paid()
    await shop.delivered(1)
    body, header = shop.webhook.received[0]
    for secret in ("whsec_old", "whsec_new"):
        assert stripe.Webhook.construct_event(body, header, secret).type == COMPLETED


async def test_only_the_events_of_the_shop_are_delivered(shop):
    await shop.server.close()
    await shop.start_gateway(events=("charge.succeeded",))
    await shop.paid()
    assert await shop.delivered(1) == ["charge.succeeded"]
    assert await states(shop) == ["delivered"]


async def test_a_refused_delivery_is_repeated_and_signed_anew(shop):
    shop.webhook.statuses = [500, 302]
    await shop.paid()
    await until(lambda: len(shop.webhook.received) == 1)
    for count in (2, 3):
        await shop.advance(4)
        await shop.delivered(count)
    await until(lambda: all_arrived(shop))
    (delivery,) = await deliveries(shop)
    assert [one["status"] for one in delivery["attempts"]] == [500, 302, 200]
    assert len({body for body, _ in shop.webhook.received}) == 1
    assert all(abs(_time(header) - time.time()) < 60 for _, header in shop.webhook.received)


def _time(header):
    return int(header.removeprefix("t=").partition(",")[0])


async def test_a_shop_that_is_down_gets_the_event_after_a_restart_of_the_gateway(shop):
    await shop.webhook.server.close()
    await shop.paid()
    await until(lambda: has_failed(shop))
    await shop.server.close()
    shop.address = await shop.webhook.start()
    await shop.start_gateway()
    await shop.advance(2)
    assert await shop.delivered(1) == [COMPLETED]


async def has_failed(shop):
    return [one["attempts"][0]["error"] for one in await deliveries(shop) if one["attempts"]] == [
        "ClientConnectorError"
    ]


def test_pauses_double_up_to_an_hour_and_end_after_three_days(shop_work):
    work, delivery = shop_work
    pauses = []
    while delivery.state == "waiting":
        work.now = delivery.next_at
        queue.record_attempt(work, delivery.number, 500)
        pauses.append((delivery.next_at or work.now) - work.now)
    assert pauses[:13] == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 3_600]
    assert (set(pauses[12:-1]), delivery.state, delivery.next_at) == ({3_600}, "given_up", None)
    assert 3 * 86_400 - 3_600 < work.now - delivery.first_at <= 3 * 86_400


@pytest.fixture
def shop_work(tmp_path):
    """A piece of work with one delivery, without any server."""
    gateway = open_gateway(GatewayConfig("http://127.0.0.1:1", tmp_path))
    with Session(gateway.engine) as session, session.begin():
        work = Work(gateway.config, session, 1_000.0)
        delivery = Delivery(event_id="evt_1", type=COMPLETED, state="waiting", first_at=1_000.0, next_at=1_000.0)
        delivery.attempts = []
        session.add(delivery)
        session.flush()
        yield work, delivery
    gateway.engine.dispose()


async def test_a_delayed_event_arrives_later(shop):
    await shop.fault(COMPLETED, "delay", seconds=600)
    await shop.paid()
    await shop.api.checkout.sessions.expire_async((await shop.open()).id)
    assert await shop.delivered(1) == [EXPIRED]
    await shop.advance(600)
    assert await shop.delivered(2) == [EXPIRED, COMPLETED]


async def test_a_duplicated_event_arrives_twice_as_the_same_event(shop):
    await shop.fault(COMPLETED, "duplicate")
    await shop.paid()
    assert await shop.delivered(2) == [COMPLETED, COMPLETED]
    assert shop.webhook.event(0).id == shop.webhook.event(1).id
    await until(lambda: all_arrived(shop))


async def test_a_reordered_event_arrives_after_the_next_one(shop):
    await shop.fault(COMPLETED, "reorder")
    await shop.paid()
    assert await states(shop) == ["held"]
    await shop.api.checkout.sessions.expire_async((await shop.open()).id)
    assert await shop.delivered(2) == [EXPIRED, COMPLETED]


async def test_a_reordered_event_without_a_next_one_arrives_after_a_minute(shop):
    await shop.fault(COMPLETED, "reorder")
    await shop.paid()
    await shop.advance(60)
    assert await shop.delivered(1) == [COMPLETED]


async def test_a_dropped_event_is_listed_and_never_delivered_by_itself(shop):
    await shop.fault(COMPLETED, "drop")
    await shop.paid()
    await shop.api.checkout.sessions.expire_async((await shop.open()).id)
    assert await shop.delivered(1) == [EXPIRED]
    await until(lambda: has_states(shop, ["dropped", "delivered"]))
    lost = (await shop.api.events.list_async({"delivery_success": False})).data
    assert [event.type for event in lost] == [COMPLETED]
    assert await shop.dev("/dev/deliver", {"event": lost[0].id}) == {"status": 200}
    assert shop.webhook.event().id == lost[0].id


async def has_states(shop, expected):
    return await states(shop) == expected


async def test_a_forged_event_does_not_verify(shop):
    session = await shop.paid()
    await shop.delivered(1)
    shop.webhook.statuses = [400]
    change = {"type": EXPIRED, "object": {"amount_total": 1}}
    real = shop.webhook.event().id
    assert await shop.dev("/dev/forge", {"event": real, **change}) == {"status": 400}
    with pytest.raises(stripe.SignatureVerificationError):
        shop.webhook.event()
    await shop.dev("/dev/forge", {"event": real, "sign": "right", **change})
    forged = shop.webhook.event()
    assert (forged.type, forged.data.object.id, forged.data.object.amount_total) == (EXPIRED, session.id, 1)


@pytest.mark.parametrize(("age", "is_refused"), [(299, False), (301, True), (-301, False)])
async def test_a_forged_event_may_be_old_or_ahead(shop, age, is_refused):
    await shop.dev("/dev/forge", {"body": '{"object": "event"}', "sign": "right", "age": age})
    body, header = shop.webhook.received[-1]
    assert json.loads(body) == {"object": "event"}
    # The SDK lets the future pass.
    if is_refused:
        with pytest.raises(stripe.SignatureVerificationError, match="outside the tolerance"):
            stripe.WebhookSignature.verify_header(body, header, SECRET, 300)
    else:
        assert stripe.WebhookSignature.verify_header(body, header, SECRET, 300)


async def test_a_forged_event_may_have_no_signature(shop):
    await shop.dev("/dev/forge", {"body": "{", "sign": "none"})
    assert shop.webhook.received == [(b"{", "")]
