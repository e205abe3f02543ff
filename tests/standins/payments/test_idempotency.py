"""Idempotency keys, and faults of requests and answers, with the unmodified SDK of PyPI."""

import asyncio

import pytest
import stripe

from tests.standins.payments.test_errors import facts, refusal
from tests.support.waiting import until

CREATE, REFUND = "POST /v1/checkout/sessions", "POST /v1/refunds"


async def sessions(shop):
    return len((await shop.api.checkout.sessions.list_async({})).data)


async def test_the_same_key_gets_the_first_answer(shop):
    first, again = await shop.open(key="ABC-1"), await shop.open(key="ABC-1")
    assert first.id == again.id
    assert again.last_response.headers["Idempotent-Replayed"] == "true"
    assert again.last_response.headers["Original-Request"] == first.last_response.headers["Request-Id"]
    assert "Idempotent-Replayed" not in first.last_response.headers
    assert await sessions(shop) == 1


async def test_a_key_is_forgotten_after_a_day(shop):
    first = await shop.open(key="ABC-1")
    await shop.advance(23 * 3_600)
    assert (await shop.open(key="ABC-1")).id == first.id
    await shop.advance(3_601)
    assert (await shop.open(key="ABC-1")).id != first.id


async def test_a_key_survives_a_restart(shop):
    first = await shop.open(key="ABC-1")
    await shop.server.close()
    await shop.start_gateway()
    assert (await shop.open(key="ABC-1")).id == first.id


async def test_a_key_is_for_one_endpoint_and_one_set_of_parameters(shop):
    session = await shop.open(4_900, key="ABC-1")
    other = await refusal(shop.open(4_901, key="ABC-1"))
    assert facts(other) == ("IdempotencyError", 400, "idempotency_error", None)
    assert "only be used with the same parameters" in other.user_message
    paths = await refusal(shop.api.checkout.sessions.expire_async(session.id, {}, {"idempotency_key": "ABC-1"}))
    assert "only be used for the same endpoint" in paths.user_message
    assert await sessions(shop) == 1


async def test_a_stored_refusal_is_repeated_and_a_malformed_request_is_not_stored(shop):
    assert (await refusal(shop.open(49, key="ABC-1"))).code == "amount_too_small"
    again = await refusal(shop.open(49, key="ABC-1"))
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (await refusal(shop.open(key="ABC-2", prices="x"))).code == "parameter_unknown"
    assert (await shop.open(key="ABC-2")).status == "open"


async def test_a_key_in_use_is_a_conflict(shop):
    await shop.fault(CREATE, "delay", seconds=0.5)
    first = asyncio.create_task(shop.open(key="ABC-1"))
    await until(lambda: not shop.gateway.has_faults)
    error = await refusal(shop.open(key="ABC-1"))
    assert facts(error) == ("APIError", 409, "idempotency_error", "idempotency_key_in_use")
    assert (await first).status == "open"
    assert (await shop.open(key="ABC-1")).id == (await first).id


async def test_an_error_500_is_stored_and_repeated(shop):
    await shop.fault(CREATE, "error-500")
    error = await refusal(shop.open(key="ABC-1"))
    assert facts(error) == ("APIError", 500, "api_error", None)
    assert error.headers["Stripe-Should-Retry"] == "false"
    again = await refusal(shop.open(key="ABC-1"))
    assert (again.http_status, again.headers["Idempotent-Replayed"]) == (500, "true")
    assert await sessions(shop) == 0
    assert (await shop.open(key="ABC-1-b")).status == "open"


async def test_an_error_after_charging_moves_the_money_once_and_is_repeated(shop):
    intent = (await shop.paid()).payment_intent
    await shop.fault(REFUND, "error-after-charging")
    for replayed in (None, "true"):
        call = shop.api.refunds.create_async({"payment_intent": intent.id}, {"idempotency_key": "ABC-r1"})
        error = await refusal(call)
        assert (error.http_status, error.headers.get("Idempotent-Replayed")) == (500, replayed)
    assert [one["amount"] for one in shop.money()] == [4_900, -4_900]


async def test_a_payment_is_made_although_its_page_fails(shop):
    session = await shop.open()
    await shop.fault("POST /c/pay/*", "error-after-charging")
    card = {"method": "card", "number": "4242424242424242", "expiry": "1234", "cvc": "123", "name": "Ada"}
    answer = await shop.page(f"/c/pay/{session.id}", card)
    assert (answer.status, "Something went wrong" in await answer.text()) == (500, True)
    assert ((await shop.get(session.id)).payment_status, len(shop.money())) == ("paid", 1)


async def test_a_dropped_request_is_not_carried_out(shop):
    await shop.fault(CREATE, "drop")
    error = await refusal(shop.open(key="ABC-1"))
    assert isinstance(error, stripe.APIConnectionError)
    assert await sessions(shop) == 0


async def test_a_hanging_answer_is_carried_out_and_repeated(shop):
    await shop.fault(CREATE, "hang")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await shop.open(key="ABC-1")
    # The key is in use until the gateway notices that the client is gone.
    await until(lambda: is_replayed(shop))
    assert await sessions(shop) == 1


async def is_replayed(shop):
    try:
        session = await shop.open(key="ABC-1")
    except stripe.APIError:
        return False
    return session.last_response.headers.get("Idempotent-Replayed") == "true"


async def test_a_dribbled_answer_is_whole_in_the_end(shop):
    await shop.fault(CREATE, "dribble", seconds=0.3)
    started = asyncio.get_running_loop().time()
    assert (await shop.open()).status == "open"
    assert asyncio.get_running_loop().time() - started > 0.3


async def test_an_answer_of_bad_json_is_an_error_of_the_gateway(shop):
    await shop.fault(CREATE, "bad-json")
    error = await refusal(shop.open(key="ABC-1"))
    assert (type(error).__name__, error.http_status) == ("APIError", 200)
    assert (await shop.open(key="ABC-1")).status == "open"
    assert await sessions(shop) == 1


async def test_faults_are_listed_count_down_and_are_cleared(shop):
    await shop.fault("GET /v1/*", "error-500", times=2)
    for _ in range(2):
        assert (await refusal(shop.api.events.list_async({}))).http_status == 500
    assert (await shop.api.events.list_async({})).data == []
    await shop.fault("checkout.session.*", "drop", times=3)
    row = {"match": "checkout.session.*", "do": "drop", "times": 3, "seconds": 2.0}
    assert (await shop.dev("/dev/faults"))["faults"] == [row]
    assert (await shop.dev("/dev/faults", method="DELETE"))["faults"] == []


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"match": "POST /v1/refunds", "do": "duplicate"}, "do"),
        ({"match": "refund.created", "do": "hang"}, "do"),
        ({"match": "refund.created"}, "do"),
        ({"match": "refund.created", "do": "drop", "times": "x"}, "times"),
        ({"match": "refund.created", "do": "drop", "more": 1}, "more"),
    ],
)
async def test_a_fault_that_does_not_exist_is_refused(shop, body, param):
    assert (await shop.dev("/dev/faults", body))["error"]["param"] == param
