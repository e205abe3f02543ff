"""Error objects, as the unmodified SDK of PyPI raises them."""

import time

import pytest
import stripe

from tests.standins.payments.shop import OK


async def refusal(call):
    with pytest.raises(stripe.StripeError) as caught:
        await call
    return caught.value


def facts(error):
    return type(error).__name__, error.http_status, error.error.type, error.error.code


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("sk_test_of_somebody", "Invalid API Key provided: sk_test_************body"),
        ("short", "Invalid API Key provided"),
    ],
)
async def test_a_wrong_key_is_refused(shop, key, text):
    error = await refusal(shop.client(key).events.list_async({}))
    assert facts(error) == ("AuthenticationError", 401, "invalid_request_error", None)
    assert text in error.user_message


async def test_a_missing_key_is_refused_and_basic_credentials_are_taken(shop):
    answer = await shop.raw("GET", "/v1/events", headers={"Authorization": ""})
    assert answer.status == 401
    assert "did not provide an API key" in await answer.text()
    # sk_test_standin and no password.
    basic = {"Authorization": "Basic c2tfdGVzdF9zdGFuZGluOg=="}
    assert (await shop.raw("GET", "/v1/events", headers=basic)).status == 200


@pytest.mark.parametrize(
    ("change", "code", "param", "text"),
    [
        ({"prices": "x"}, "parameter_unknown", "prices", "Received unknown parameter: prices"),
        ({"mode": "subscription"}, None, "mode", "Invalid mode: must be one of payment"),
        ({"success_url": "here"}, "url_invalid", "success_url", "Not a valid URL: here"),
        ({"customer_email": "ada"}, "email_invalid", "customer_email", "Invalid email address: ada"),
        ({"customer_email": ""}, "parameter_invalid_empty", "customer_email", "You passed an empty string"),
        ({"expires_at": "soon"}, "parameter_invalid_integer", "expires_at", "Invalid integer: soon"),
        ({"allow_promotion_codes": "no"}, None, "allow_promotion_codes", "Invalid boolean: no"),
        ({"client_reference_id": "x" * 201}, None, "client_reference_id", "must be at most 200 characters"),
        ({"metadata": {"x" * 41: "1"}}, None, "metadata", "Metadata keys can have up to 40 characters"),
        ({"metadata": {"x": "1" * 501}}, None, "metadata", "Metadata values can have up to 500 characters"),
        ({"line_items": []}, "parameter_missing", "line_items", "Missing required param: line_items."),
        ({"adaptive_pricing": {"on": True}}, "parameter_unknown", "adaptive_pricing[on]", "adaptive_pricing[on]"),
        ({"payment_method_types": ["card", "sepa_debit"]}, None, "payment_method_types", "sepa_debit"),
        ({"expand": ["shop"]}, None, "expand", "This property cannot be expanded (shop)."),
        ({"expand": ["a.b.c.d.e"]}, None, "expand", "You cannot expand more than 4 levels"),
    ],
)
async def test_malformed_parameters_are_refused(shop, change, code, param, text):
    error = await refusal(shop.open(**change))
    assert facts(error) == ("InvalidRequestError", 400, "invalid_request_error", code)
    assert error.param == param
    assert text in error.user_message
    assert (await shop.api.checkout.sessions.list_async({})).data == []


@pytest.mark.parametrize(
    ("amounts", "currency", "code", "text"),
    [
        ((49,), "usd", "amount_too_small", "must add up to at least $0.50 usd"),
        ((29,), "gbp", "amount_too_small", "£0.30"),
        ((49,), "jpy", "amount_too_small", "¥50"),
        ((99_999_999, 1), "usd", "amount_too_large", "no more than $999,999.99 usd"),
        ((4_901,), "kwd", None, "rounded to the nearest ten"),
        ((4_950,), "isk", None, "evenly divisible by 100"),
        ((4_900,), "xyz", None, "Invalid currency: xyz."),
    ],
)
async def test_amounts_outside_the_limits_of_their_currency_are_refused(shop, amounts, currency, code, text):
    error = await refusal(shop.open(*amounts, currency=currency))
    assert facts(error) == ("InvalidRequestError", 400, "invalid_request_error", code)
    assert text in error.user_message


@pytest.mark.parametrize(
    ("amount", "currency"), [(50, "usd"), (50, "jpy"), (4_900, "kwd"), (500, "isk"), (99_999_999, "usd")]
)
async def test_amounts_at_the_limits_are_taken(shop, amount, currency):
    assert (await shop.open(amount, currency=currency)).amount_total == amount


@pytest.mark.parametrize(
    ("after_s", "text"),
    [(29 * 60, "must be at least 30 minutes"), (24 * 3_600 + 60, "must be less than 24 hours")],
)
async def test_a_session_ends_after_30_minutes_at_the_earliest_and_a_day_at_the_latest(shop, after_s, text):
    error = await refusal(shop.open(expires_at=int(time.time()) + after_s))
    assert (error.param, error.http_status) == ("expires_at", 400)
    assert text in error.user_message


async def test_what_does_not_exist_is_missing(shop):
    api = shop.api
    cases = [
        (api.checkout.sessions.retrieve_async("cs_test_x"), "session"),
        (api.payment_intents.retrieve_async("pi_x"), "intent"),
        (api.charges.retrieve_async("ch_x"), "id"),
        (api.refunds.create_async({"payment_intent": "pi_x"}), "payment_intent"),
        (api.refunds.create_async({"charge": "ch_x"}), "charge"),
        (api.events.list_async({"starting_after": "evt_x"}), "starting_after"),
    ]
    for call, param in cases:
        error = await refusal(call)
        assert facts(error) == ("InvalidRequestError", 404, "invalid_request_error", "resource_missing")
        assert error.param == param
    assert error.error.doc_url.endswith("/error-codes/resource-missing")


async def test_an_unknown_address_is_refused(shop):
    answer = await shop.raw("GET", "/v1/customers")
    assert (answer.status, (await answer.json())["error"]["message"]) == (
        404,
        "Unrecognized request URL (GET: /v1/customers).",
    )


async def test_only_an_open_session_is_expired(shop):
    session = await shop.paid()
    error = await refusal(shop.api.checkout.sessions.expire_async(session.id))
    assert (error.http_status, error.param) == (400, "session")
    assert "has a status of complete" in error.user_message
    opened = await shop.open()
    await shop.api.checkout.sessions.expire_async(opened.id)
    assert "has a status of expired" in (await refusal(shop.api.checkout.sessions.expire_async(opened.id))).user_message


async def test_refunds_that_a_charge_does_not_allow_are_refused(shop):
    refunds = shop.api.refunds
    intent = (await shop.paid(4_900)).payment_intent
    whole = {"payment_intent": intent.id}
    more = await refusal(refunds.create_async({**whole, "amount": 4_901}))
    assert "($49.01) is greater than unrefunded amount on charge ($49.00)" in more.user_message
    assert (await refusal(refunds.create_async({**whole, "reason": "late"}))).param == "reason"
    assert "payment_intent or charge" in (await refusal(refunds.create_async({"amount": 5}))).user_message
    await refunds.create_async(whole)
    again = await refusal(refunds.create_async(whole))
    assert facts(again) == ("InvalidRequestError", 400, "invalid_request_error", "charge_already_refunded")
    disputed = (await shop.paid(card="4000000000000259")).payment_intent
    await shop.advance(2)
    assert (await refusal(refunds.create_async({"payment_intent": disputed.id}))).code == "charge_disputed"
    declined = await shop.open()
    await shop.pay(declined.id, "4000000000000002")
    unpaid = (await shop.get(declined.id)).payment_intent.id
    assert "has not succeeded" in (await refusal(refunds.create_async({"payment_intent": unpaid}))).user_message
    assert [one["amount"] for one in shop.money()] == [4_900, -4_900, 4_900, -4_900]


async def test_a_closed_dispute_takes_no_evidence(shop):
    await shop.paid(card="4000000000000259")
    await shop.advance(2)
    dispute = (await shop.api.disputes.list_async({})).data[0]
    await shop.api.disputes.close_async(dispute.id)
    text = {"evidence": {"uncategorized_text": "winning_evidence"}}
    assert "already closed" in (await refusal(shop.api.disputes.update_async(dispute.id, text))).user_message


async def test_a_session_that_is_not_open_is_not_paid_again(shop):
    session = await shop.paid()
    answer = await shop.dev("/dev/pay", {"session": session.id, "card": OK})
    assert answer["error"]["message"] == "The session is complete."
    assert len(shop.money()) == 1
