"""The adapter of the payment gateway, against its stand-in: what it sends, what it understands, what it refuses."""

import gc
import warnings
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from adapters.payments import objects
from adapters.payments.stripe_gateway import StripeGateway
from domain.payments.gateway import (
    GatewayRefused,
    GatewayUnavailable,
    PageLine,
    Reference,
    RefundRequest,
    SessionRef,
    SessionRequest,
)
from tests.adapters.payments.world import account
from tests.standins.payments.shop import OK

OURS = Reference("shop-uid", "ABCDEFGHJK2345678NPQ", 1)
CREATE = "POST /v1/checkout/sessions"


def request(amount: int = 4_900, currency: str = "USD", **changes: object) -> SessionRequest:
    now = datetime.now(UTC)
    wanted = SessionRequest(
        key=f"{OURS.order}-1",
        reference=OURS,
        currency=currency,
        amount_minor=amount,
        lines=(PageLine("2 \u00d7 A course", amount),),
        email="ada@example.test",
        return_url=f"http://localhost:8080/completed/{OURS.order}",
        cancel_url=f"http://localhost:8080/completed/{OURS.order}?back=1",
        opened_at=now,
        expires_at=now + timedelta(minutes=31),
    )
    return replace(wanted, **changes)


def refund_of(snapshot, amount: int = 1_000, number: int = 1, **changes: object) -> RefundRequest:
    reference = replace(OURS, refund=number)
    wanted = RefundRequest(f"{OURS.order}-r{number}", reference, snapshot.intent_id, snapshot.currency, amount)
    return replace(wanted, **changes)


async def pay(shop, gateway, card: str = OK, **wanted: object):
    page = await gateway.create_session(request(**wanted))
    await shop.pay(page.id, card)
    return await gateway.get_session(SessionRef(page.id))


async def test_an_open_page_is_on_the_gateways_origin_and_asks_for_our_amount(shop, gateway):
    wanted = request()
    page = await gateway.create_session(wanted)
    assert page.url.startswith(f"{shop.origin}/c/pay/")
    assert (page.expires_at, page.livemode) == (wanted.expires_at.replace(microsecond=0), False)
    session = await shop.get(page.id)
    assert (session.client_reference_id, session.customer_email) == (OURS.order, "ada@example.test")
    assert session.metadata.to_dict() == {"shop": "shop-uid", "order": OURS.order, "payment": "1"}
    assert (session.adaptive_pricing.enabled, session.allow_promotion_codes) == (False, False)
    snapshot = await gateway.get_session(SessionRef(page.id))
    assert (snapshot.state, snapshot.payment, snapshot.amount_minor, snapshot.currency) == (
        "open",
        "unpaid",
        4900,
        "USD",
    )
    assert (snapshot.reference, snapshot.url, snapshot.is_paid) == (OURS, page.url, False)


@pytest.mark.parametrize(
    ("amount", "currency", "at_gateway"), [(500, "ISK", 50_000), (500, "JPY", 500), (1_230, "KWD", 1_230)]
)
async def test_amounts_are_converted_and_come_back(shop, gateway, amount, currency, at_gateway):
    page = await gateway.create_session(request(amount, currency))
    assert (await shop.get(page.id)).amount_total == at_gateway
    await shop.pay(page.id, OK)
    snapshot = await gateway.get_session(SessionRef(page.id))
    assert (snapshot.amount_minor, snapshot.currency, snapshot.payment) == (amount, currency, "paid")


async def test_an_amount_that_the_gateway_cannot_take_is_not_sent(shop, gateway):
    with pytest.raises(GatewayRefused, match="third decimal"):
        await gateway.create_session(request(1_235, "KWD"))
    assert await shop.events() == []


async def test_a_paid_session_has_all_that_settlement_needs(shop, gateway):
    snapshot = await pay(shop, gateway)
    assert (snapshot.state, snapshot.payment, snapshot.amount_minor) == ("complete", "paid", 4_900)
    assert (snapshot.method, snapshot.failure, snapshot.refunds, snapshot.disputes) == ("Visa 4242", "", (), ())
    assert snapshot.intent_id.startswith("pi_")
    assert snapshot.charge_id.startswith("ch_")
    assert abs(datetime.now(UTC) - snapshot.paid_at) < timedelta(minutes=5)


async def test_a_declined_card_leaves_the_page_open_with_the_gateways_words(shop, gateway):
    snapshot = await pay(shop, gateway, "4000000000000002")
    assert (snapshot.state, snapshot.payment, snapshot.failure) == ("open", "unpaid", "Your card was declined.")


@pytest.mark.parametrize(
    ("debit", "after_s", "payment"),
    [
        ("DE08370400440532013003", 0, "processing"),
        ("DE08370400440532013003", 600, "paid"),
        ("DE78370400440532013004", 600, "failed"),
    ],
)
async def test_a_debit_is_under_way_then_paid_or_failed(shop, gateway, debit, after_s, payment):
    page = await gateway.create_session(request(4_900, "EUR"))
    await shop.pay(page.id, debit)
    if after_s:
        await shop.advance(after_s)
    snapshot = await gateway.get_session(SessionRef(page.id))
    assert (snapshot.state, snapshot.payment) == ("complete", payment)


async def test_the_same_key_opens_one_page(shop, gateway):
    wanted = request()
    assert (await gateway.create_session(wanted)).id == (await gateway.create_session(wanted)).id
    with pytest.raises(GatewayRefused, match="400"):
        await gateway.create_session(replace(wanted, email="eve@example.test"))


@pytest.mark.parametrize("fault", ["error-500", "error-after-charging"])
async def test_after_an_error_that_the_gateway_stored_there_is_one_page(shop, gateway, fault):
    """error-after-charging: the page exists, and is found by our reference; error-500: another key opens it."""
    await shop.fault(CREATE, fault)
    page = await gateway.create_session(request())
    assert [row.id for row in (await shop.api.checkout.sessions.list_async({})).data] == [page.id]
    assert (await gateway.get_session(SessionRef(page.id))).reference == OURS


async def test_an_address_that_the_gateway_refuses_does_not_make_an_order_unpayable(shop, gateway):
    asked = request(email="ada@example")
    page = await gateway.create_session(asked)
    assert (await shop.get(page.id)).customer_email is None
    assert (await gateway.create_session(asked)).id == page.id


async def test_a_page_elsewhere_or_for_another_amount_is_refused(shop, gateway, monkeypatch):
    elsewhere = StripeGateway(account(shop, page_origin="https://checkout.stripe.com"))
    with pytest.raises(GatewayRefused, match="PAYMENTS_PAGE_ORIGIN"):
        await elsewhere.create_session(request())
    await elsewhere.close()
    with pytest.raises(GatewayRefused, match="another amount"):
        await gateway.create_session(request(key="other", lines=(PageLine("A course", 4_899),)))


async def test_only_the_ways_to_pay_of_the_setting_are_offered(shop):
    gateway = StripeGateway(account(shop, methods=("card",)))
    page = await gateway.create_session(request())
    assert (await shop.get(page.id)).payment_method_types == ["card"]
    await gateway.close()


async def test_a_session_is_found_by_its_intent_its_charge_and_our_reference(shop, gateway):
    opened_at = datetime.now(UTC)
    paid = await pay(shop, gateway)
    await gateway.create_session(request(key="other", reference=replace(OURS, payment=2)))
    for ref in (
        SessionRef(intent_id=paid.intent_id),
        SessionRef(charge_id=paid.charge_id),
        SessionRef(reference=OURS, opened_at=opened_at),
    ):
        assert (await gateway.get_session(ref)).session_id == paid.session_id
    for missing in (
        SessionRef("cs_test_missing"),
        SessionRef(intent_id="pi_missing"),
        SessionRef(reference=replace(OURS, payment=3), opened_at=opened_at),
        SessionRef(reference=OURS, opened_at=opened_at - timedelta(days=1)),
        SessionRef(),
    ):
        assert await gateway.get_session(missing) is None
        assert await gateway.expire_session(missing) is None


async def test_a_page_is_expired_unless_the_buyer_was_faster(shop, gateway):
    page = await gateway.create_session(request())
    assert (await gateway.expire_session(SessionRef(page.id))).state == "expired"
    assert (await gateway.expire_session(SessionRef(page.id))).state == "expired"
    paid = await pay(shop, gateway, key="other", reference=replace(OURS, payment=2))
    assert (await gateway.expire_session(SessionRef(paid.session_id))).payment == "paid"


async def test_a_refund_is_sent_once_and_shows_in_the_snapshot(shop, gateway):
    paid = await pay(shop, gateway)
    refund = await gateway.create_refund(refund_of(paid))
    assert (refund.state, refund.amount_minor, refund.currency) == ("succeeded", 1_000, "USD")
    assert refund.reference == replace(OURS, refund=1)
    assert (await gateway.create_refund(refund_of(paid))).id == refund.id
    await gateway.create_refund(refund_of(paid, 500, 2))
    snapshot = await gateway.get_session(SessionRef(paid.session_id))
    assert sorted(row.amount_minor for row in snapshot.refunds) == [500, 1_000]
    with pytest.raises(GatewayRefused):
        await gateway.create_refund(refund_of(paid, 3_401, 3))


@pytest.mark.parametrize("fault", ["error-500", "error-after-charging"])
async def test_after_an_error_that_the_gateway_stored_money_is_sent_once(shop, gateway, fault):
    """Without a refund to be found, another key is used by a later call only."""
    paid = await pay(shop, gateway)
    await shop.fault("POST /v1/refunds", fault)
    if fault == "error-500":
        with pytest.raises(GatewayUnavailable):
            await gateway.create_refund(refund_of(paid))
    first = await gateway.create_refund(refund_of(paid, was_sent=True))
    assert (await gateway.create_refund(refund_of(paid, was_sent=True))).id == first.id
    assert len((await gateway.get_session(SessionRef(paid.session_id))).refunds) == 1


async def test_a_refund_that_fails_later_and_a_dispute_show_in_the_snapshot(shop, gateway):
    paid = await pay(shop, gateway, "4000000000005126")
    assert (await gateway.create_refund(refund_of(paid))).state == "succeeded"
    await shop.advance(120)
    refund = (await gateway.get_session(SessionRef(paid.session_id))).refunds[0]
    assert refund.state == "failed"
    assert refund.failure
    disputed = await pay(shop, gateway, "4000000000000259", key="o", reference=replace(OURS, payment=2))
    await shop.advance(120)
    dispute = (await gateway.get_session(SessionRef(disputed.session_id))).disputes[0]
    assert (dispute.state, dispute.amount_minor, dispute.currency) == ("open", 4_900, "USD")


async def test_events_and_transactions_are_listed_with_what_they_name(shop, gateway):
    since = datetime.now(UTC) - timedelta(minutes=1)
    paid = await pay(shop, gateway)
    refund = await gateway.create_refund(refund_of(paid))
    events = await gateway.list_events(since, None)
    named = {(event.type, event.object_id) for event in events.events}
    assert {("checkout.session.completed", paid.session_id), ("refund.created", paid.intent_id)} <= named
    assert events.cursor is None
    until = datetime.now(UTC) + timedelta(minutes=1)
    listed = (await gateway.list_transactions(since, until, None)).transactions
    assert {(row.kind, row.id, row.amount_minor, row.currency) for row in listed} == {
        ("charge", paid.charge_id, 4_900, "USD"),
        ("refund", refund.id, 1_000, "USD"),
    }
    assert {row.reference for row in listed} == {OURS, replace(OURS, refund=1)}


async def test_a_delivery_of_the_gateway_is_accepted(shop, gateway):
    paid = await pay(shop, gateway)
    await shop.delivered(1)
    body, header = shop.webhook.received[0]
    event = await gateway.verify_event(body, header, datetime.now(UTC))
    assert (event.type, event.session) == ("checkout.session.completed", SessionRef(paid.session_id))


@pytest.fixture
def collected_answers() -> Iterator[None]:
    """The SDK leaves an answer that the deadline cut off to the garbage collector, which warns of its connection."""
    warnings.filterwarnings("ignore", "unclosed connection", ResourceWarning)
    yield
    gc.collect()


@pytest.mark.usefixtures("collected_answers")
@pytest.mark.parametrize("fault", ["hang", "drop", "bad-json", "dribble"])
async def test_a_gateway_without_a_usable_answer_is_unavailable_at_the_deadline(shop, fault):
    gateway = StripeGateway(account(shop, deadline_s=0.5))
    await shop.fault("GET /v1/checkout/sessions/*", fault, times=9, seconds=30)
    with pytest.raises(GatewayUnavailable, match=r"^get_session: "):
        await gateway.get_session(SessionRef("cs_test_1"))
    await gateway.close()


async def test_a_lost_answer_is_repeated_by_the_sdk(shop, gateway):
    await shop.fault("GET /v1/events*", "drop")
    assert (await gateway.list_events(datetime.now(UTC), None)).events == ()


async def test_a_page_whose_opening_was_not_answered_is_opened_once(shop, gateway):
    impatient = StripeGateway(account(shop, deadline_s=1.0))
    wanted = request()
    await shop.fault(CREATE, "hang")
    with pytest.raises(GatewayUnavailable):
        await impatient.create_session(wanted)
    await impatient.close()
    page = await gateway.create_session(wanted)
    assert [row.id for row in (await shop.api.checkout.sessions.list_async({})).data] == [page.id]


async def test_a_wrong_key_is_not_final_and_no_text_quotes_it(shop, caplog):
    gateway = StripeGateway(account(shop, key="sk_test_wrong_key"))
    with pytest.raises(GatewayUnavailable, match="401") as refusal:
        await gateway.create_session(request())
    await gateway.close()
    assert "PAYMENTS_KEY" in caplog.text
    assert "wrong_key" not in caplog.text + str(refusal.value)


async def test_nobody_listens(shop):
    gateway = StripeGateway(account(shop, base="http://127.0.0.1:9", deadline_s=0.5))
    with pytest.raises(GatewayUnavailable):
        await gateway.get_session(SessionRef("cs_test_1"))
    await gateway.close()


async def test_the_sdk_sends_no_telemetry(shop, gateway):
    import stripe

    await gateway.list_events(datetime.now(UTC), None)
    assert stripe.enable_telemetry is False


async def test_a_page_elsewhere_is_not_retrieved_as_one_to_pay_on(shop, gateway):
    page = await gateway.create_session(request())
    elsewhere = StripeGateway(account(shop, page_origin="https://checkout.stripe.com"))
    urls = [(await one.get_session(SessionRef(session_id=page.id))).url for one in (gateway, elsewhere)]
    await elsewhere.close()
    assert urls == [page.url, None]


@pytest.mark.parametrize(
    ("intent", "payment"),
    [("requires_action", "unpaid"), ("processing", "processing"), ("requires_payment_method", "failed")],
)
async def test_a_complete_session_is_as_its_intent_says(shop, gateway, intent, payment):
    session = await shop.paid(card="DE08370400440532013003", currency="eur")
    found = (await shop.get(session.id)).to_dict()
    found["payment_intent"]["status"] = intent
    assert objects.snapshot(found, [], []).payment == payment


@pytest.mark.parametrize("status", [None, "unheard_of"])
async def test_a_word_that_is_new_is_read_as_the_state_in_which_nothing_is_final(shop, status):
    """One unreadable response about one object would hold up all that look at it."""
    session = await shop.paid()
    refund = (await shop.api.refunds.create_async({"payment_intent": session.payment_intent.id})).to_dict()
    assert objects.refund_snapshot({**refund, "status": status}).state == "pending"
    opened = (await shop.get((await shop.open()).id)).to_dict()
    assert objects.snapshot({**opened, "status": status}, [], []).state == "open"
