"""Every endpoint with the unmodified SDK of PyPI."""

import time

from tests.standins.payments.shop import RETURN


async def test_a_session_is_created_open_with_its_page(shop):
    expires_at = int(time.time()) + 31 * 60
    session = await shop.open(4_900, 1_250, expires_at=expires_at, adaptive_pricing={"enabled": False})
    assert session.id.startswith("cs_test_")
    assert session.url == f"{shop.origin}/c/pay/{session.id}"
    assert (session.status, session.payment_status, session.payment_intent) == ("open", "unpaid", None)
    assert (session.amount_total, session.currency, session.expires_at) == (6_150, "usd", expires_at)
    assert (session.metadata["order"], session.client_reference_id) == ("ABC", "ABC")
    assert (session.customer_email, session.success_url, session.livemode) == ("ada@example.test", RETURN, False)


async def test_a_paid_session_has_an_intent_a_charge_and_a_movement_of_money(shop):
    session = await shop.paid(4_900)
    intent = session.payment_intent
    charge = intent.latest_charge
    assert (session.status, session.payment_status, session.url) == ("complete", "paid", None)
    assert (intent.status, intent.amount_received, intent.metadata["order"]) == ("succeeded", 4_900, "ABC")
    assert (charge.status, charge.paid, charge.amount, charge.payment_intent) == ("succeeded", True, 4_900, intent.id)
    card = charge.payment_method_details.card
    assert (card.brand, card.last4) == ("visa", "4242")
    movement = await shop.api.balance_transactions.retrieve_async(charge.balance_transaction)
    assert (movement.type, movement.amount, movement.fee, movement.net) == ("charge", 4_900, 172, 4_728)
    assert movement.source == charge.id


async def test_a_session_is_retrieved_with_what_is_expanded(shop):
    session = await shop.paid()
    paths = ["line_items", "payment_intent.latest_charge.balance_transaction", "payment_intent.payment_method"]
    found = await shop.api.checkout.sessions.retrieve_async(session.id, {"expand": paths})
    assert [item.description for item in found.line_items] == ["Course 1"]
    assert found.payment_intent.latest_charge.balance_transaction.amount == 4_900
    assert found.payment_intent.payment_method.card.last4 == "4242"


async def test_sessions_are_listed_by_state_intent_address_and_time(shop):
    first, second = await shop.paid(), await shop.open(customer_email="bob@example.test")
    listed = shop.api.checkout.sessions.list_async
    assert [one.id for one in (await listed({})).data] == [second.id, first.id]
    assert [one.id for one in (await listed({"status": "open"})).data] == [second.id]
    assert [one.id for one in (await listed({"payment_intent": first.payment_intent.id})).data] == [first.id]
    by_address = {"customer_details": {"email": "bob@example.test"}}
    assert [one.id for one in (await listed(by_address)).data] == [second.id]
    assert (await listed({"created": {"gte": first.created + 3_600}})).data == []


async def test_lists_go_on_at_a_cursor_in_both_directions(shop):
    sessions = [await shop.open() for _ in range(5)]
    newest_first = [one.id for one in reversed(sessions)]
    listed = shop.api.checkout.sessions.list_async
    page = await listed({"limit": 2})
    assert ([one.id for one in page.data], page.has_more) == (newest_first[:2], True)
    assert [one.id async for one in page.auto_paging_iter()] == newest_first
    back = await listed({"limit": 2, "ending_before": newest_first[3]})
    assert ([one.id for one in back.data], back.has_more) == (newest_first[1:3], True)


async def test_line_items_are_listed_in_their_order(shop):
    session = await shop.open(100, 200, 300)
    listed = shop.api.checkout.sessions.line_items.list_async
    page = await listed(session.id, {"limit": 2})
    assert ([item.amount_total for item in page.data], page.has_more) == ([100, 200], True)
    assert [item.amount_total async for item in page.auto_paging_iter()] == [100, 200, 300]
    back = await listed(session.id, {"limit": 1, "ending_before": page.data[1].id})
    assert [item.amount_total for item in back.data] == [100]


async def test_an_open_session_is_expired(shop):
    session = await shop.open()
    assert (await shop.pay(session.id, "4000000000000002"))["state"] == "declined"
    expired = await shop.api.checkout.sessions.expire_async(session.id)
    assert (expired.status, expired.url) == ("expired", None)
    intent = await shop.api.payment_intents.retrieve_async(expired.payment_intent)
    assert (intent.status, intent.cancellation_reason) == ("canceled", "expired")


async def test_a_session_expires_by_itself_at_its_time(shop):
    session = await shop.open(expires_at=int(time.time()) + 31 * 60)
    assert await shop.advance(30 * 60) == 0
    assert await shop.advance(2 * 60) == 1
    assert (await shop.get(session.id)).status == "expired"


async def test_intents_and_charges_are_retrieved_and_listed(shop):
    paid = await shop.paid()
    intent, charge = paid.payment_intent, paid.payment_intent.latest_charge
    await shop.paid()
    assert (await shop.api.payment_intents.retrieve_async(intent.id)).latest_charge == charge.id
    assert [one.id for one in (await shop.api.payment_intents.list_async({"limit": 2})).data][1] == intent.id
    expanded = await shop.api.charges.retrieve_async(charge.id, {"expand": ["payment_intent", "refunds"]})
    assert (expanded.payment_intent.id, expanded.refunds.data) == (intent.id, [])
    listed = await shop.api.charges.list_async({"payment_intent": intent.id, "expand": ["data.balance_transaction"]})
    assert [one.balance_transaction.amount for one in listed.data] == [4_900]


async def test_refunds_are_created_retrieved_listed_and_updated(shop):
    intent = (await shop.paid(4_900)).payment_intent
    refunds = shop.api.refunds
    part = await refunds.create_async({"payment_intent": intent.id, "amount": 900, "metadata": {"refund": "1"}})
    rest = await refunds.create_async({"charge": intent.latest_charge.id, "reason": "requested_by_customer"})
    assert (part.status, part.amount, rest.amount) == ("succeeded", 900, 4_000)
    assert (await refunds.retrieve_async(part.id)).metadata["refund"] == "1"
    assert [one.id for one in (await refunds.list_async({"payment_intent": intent.id})).data] == [rest.id, part.id]
    assert next(one.id for one in (await refunds.list_async({"charge": intent.latest_charge.id})).data) == rest.id
    updated = await refunds.update_async(part.id, {"metadata": {"refund": "", "note": "two"}})
    assert updated.metadata.to_dict() == {"note": "two"}
    charge = await shop.api.charges.retrieve_async(intent.latest_charge.id, {"expand": ["refunds"]})
    assert (charge.refunded, charge.amount_refunded) == (True, 4_900)
    assert [one.id for one in charge.refunds.data] == [rest.id, part.id]


async def test_events_are_listed_with_snapshots_and_filters(shop):
    session = await shop.paid()
    types = ["payment_intent.created", "charge.succeeded", "payment_intent.succeeded", "checkout.session.completed"]
    assert await shop.events() == types
    assert await shop.events(type="payment_intent.*") == ["payment_intent.created", "payment_intent.succeeded"]
    assert await shop.events(types=["charge.succeeded", "refund.created"]) == ["charge.succeeded"]
    assert await shop.events(created={"gte": session.created + 3_600}) == []
    newest = (await shop.api.events.list_async({"limit": 1})).data[0]
    found = await shop.api.events.retrieve_async(newest.id)
    assert (found.data.object.id, found.data.object.payment_status) == (session.id, "paid")


async def test_disputes_are_listed_and_decided_by_evidence_or_time(shop):
    decided = []
    for evidence in ("winning_evidence", "losing_evidence"):
        paid = await shop.paid(card="4000000000000259")
        await shop.advance(2)
        dispute = (await shop.api.disputes.list_async({"payment_intent": paid.payment_intent.id})).data[0]
        assert (dispute.status, dispute.amount, dispute.reason) == ("needs_response", 4_900, "fraudulent")
        text = {"evidence": {"uncategorized_text": evidence}}
        decided.append((await shop.api.disputes.update_async(dispute.id, text)).status)
    assert decided == ["won", "lost"]
    await shop.paid(card="4000000000000259")
    await shop.advance(2)
    await shop.advance(8 * 86_400)
    newest = (await shop.api.disputes.list_async({"limit": 1})).data[0]
    assert (await shop.api.disputes.retrieve_async(newest.id)).status == "lost"
    assert [one["kind"] for one in shop.money()].count("dispute") == 3
    assert [one["kind"] for one in shop.money()].count("dispute_reversal") == 1


async def test_a_dispute_is_accepted(shop):
    paid = await shop.paid(card="4000000000000259")
    await shop.advance(2)
    dispute = (await shop.api.disputes.list_async({"charge": paid.payment_intent.latest_charge.id})).data[0]
    assert (await shop.api.disputes.close_async(dispute.id)).status == "lost"
    assert (await shop.events())[-2:] == ["charge.dispute.funds_withdrawn", "charge.dispute.closed"]


async def test_movements_of_money_are_listed_by_type_and_source(shop):
    intent = (await shop.paid(4_900)).payment_intent
    refund = await shop.api.refunds.create_async({"payment_intent": intent.id, "amount": 900})
    listed = shop.api.balance_transactions.list_async
    assert [(one.type, one.amount) for one in (await listed({})).data] == [("refund", -900), ("charge", 4_900)]
    assert [one.amount for one in (await listed({"type": "charge"})).data] == [4_900]
    page = await listed({"source": refund.id, "expand": ["data.source"]})
    assert [(one.id, one.source.id) for one in page.data] == [(refund.balance_transaction, refund.id)]


async def test_every_answer_names_its_request_and_the_version_that_was_asked_for(shop):
    session = await shop.open()
    assert session.last_response.headers["Request-Id"].startswith("req_")
    answer = await shop.raw("GET", "/v1/events", headers={"Stripe-Version": "2024-06-20"})
    assert (answer.status, answer.headers["Stripe-Version"]) == (200, "2024-06-20")
    assert (await shop.raw("GET", "/v1/events")).headers["Stripe-Version"] == "2026-10-28.endive"
