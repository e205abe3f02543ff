"""POST /api/orders/{code}/pay and …/cancel: with a key of the learner's own page, for what still can be done."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.tables import Payment
from host.auth.form_keys import FORM_KEYS
from tests.host.api.orders.conftest import buyer, place
from tests.host.signing import learner

STALE = "This page was open for more than a day"
PAID_CARD, SEPA_LATER = "4242424242424242", "DE08370400440532013003"


async def act(order, name: str, headers=None, key: str | None = None):
    body = {"key": await order.key() if key is None else key}
    return await order.site.call(f"orders/{order.code}/{name}", body, headers or order.learner.headers)


async def test_paying_again_leads_to_the_page_that_is_open(placed):
    (payment,) = placed.payments()
    assert await act(placed, "pay") == (200, {"redirect": payment.url})
    assert len(placed.payments()) == 1


@pytest.mark.each_database
async def test_a_page_that_is_over_is_followed_by_another_one(each_placed):
    with each_placed.site.db.write_session() as session:
        session.get_one(Payment, each_placed.payments()[0].id).expires_at = datetime.now(UTC)
    status, answer = await act(each_placed, "pay")
    first, second = each_placed.payments()
    assert (status, answer["redirect"]) == (200, second.url)
    assert (first.state, second.state) == ("expired", "open")


async def test_an_order_that_is_paid_or_past_its_time_cannot_be_paid(placed, gateway):
    now = datetime.now(UTC)
    with placed.site.db.write_session() as session:
        session.get_one(Payment, placed.payments()[0].id).expires_at = now
    placed.change(placed_at=now - timedelta(hours=3), reserved_until=now + timedelta(minutes=1))
    status, answer = await act(placed, "pay")
    assert (status, "time to pay this order is over" in answer["detail"]) == (409, True)
    assert (await placed.status())[1]["canPay"] is False


async def test_an_order_that_is_paid_says_so(placed, gateway):
    gateway.pay(placed.payments()[0].session_id)
    await placed.status()
    status, answer = await act(placed, "pay")
    assert (status, answer["detail"]) == (409, "This order is paid already.")
    status, answer = await act(placed, "cancel")
    assert (status, answer["status"]) == (200, "failed")
    assert "ask for a refund" in answer["message"]
    assert placed.state() == "paid"


@pytest.mark.each_database
async def test_an_order_is_cancelled_once_and_for_all(each_placed):
    assert await act(each_placed, "cancel") == (200, {"status": "success", "message": ""})
    assert await act(each_placed, "cancel") == (200, {"status": "success", "message": ""})
    assert each_placed.state() == "cancelled"
    assert (await act(each_placed, "pay"))[0] == 409
    status, order = await each_placed.learner.get(f"orders/{each_placed.code}")
    assert (status, order["canPay"], order["canCancel"]) == (200, False, False)


async def test_an_order_is_not_cancelled_while_a_debit_is_under_way(placed, gateway):
    gateway.pay(placed.payments()[0].session_id, SEPA_LATER)
    assert (await placed.status())[1]["state"] == "processing"
    status, answer = await act(placed, "cancel")
    assert (status, answer["status"]) == (200, "failed")
    assert "Your bank is making the payment" in answer["message"]
    assert placed.state() == "processing"


BAD_KEYS = {
    "of another form": lambda keys, own, _other: keys.create("checkout", own, datetime.now(UTC)),
    "of another learner": lambda keys, _own, other: keys.create("payment", other, datetime.now(UTC)),
    "of the day before": lambda keys, own, _other: keys.create("payment", own, datetime.now(UTC) - timedelta(hours=25)),
    "empty": lambda _keys, _own, _other: "",
}


@pytest.mark.parametrize("name", ["pay", "cancel"])
@pytest.mark.parametrize("case", BAD_KEYS)
async def test_a_key_that_is_not_of_this_learners_page_changes_nothing(placed, name, case):
    other = learner(placed.site, "Grace Hopper")
    key = BAD_KEYS[case](placed.site.app[FORM_KEYS], placed.learner.id, other.id)
    status, answer = await act(placed, name, key=key)
    assert (status, STALE in answer["detail"]) == (409, True)
    assert placed.state() == "placed"


@pytest.mark.parametrize("name", ["pay", "cancel"])
async def test_somebody_else_gets_the_answer_of_an_unknown_order(placed, name):
    eve = learner(placed.site, "Eve")
    key = placed.site.app[FORM_KEYS].create("payment", eve.id, datetime.now(UTC))
    answers = set()
    for code in (placed.code, "A" * 20, "x"):
        answer = await placed.site.answer(f"orders/{code}/{name}", {"key": key}, eve.headers)
        answers.add((answer.status, await answer.read()))
    assert {status for status, _ in answers} == {404}
    assert len(answers) == 1
    assert placed.state() == "placed"


async def test_another_site_can_press_nothing(placed):
    headers = {**placed.learner.headers, "Origin": "https://evil.example"}
    assert [(await act(placed, name, headers))[0] for name in ("pay", "cancel")] == [403, 403]
    assert placed.state() == "placed"


async def test_a_cancelled_order_of_one_learner_leaves_that_of_another(placed):
    grace = await place(buyer(placed.site, "Grace Hopper"))
    await act(placed, "cancel")
    assert (placed.state(), grace.state()) == ("cancelled", "placed")
