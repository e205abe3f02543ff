"""Paying an order that is placed: the page that is open, another one, or why nothing can be paid."""

import asyncio
from urllib.parse import urlsplit

import pytest
from sqlalchemy import select

from config.settings import Settings
from domain.errors import NotFound
from domain.tables import Order, Payment
from host.checkout.paying import CannotPay, PageOpenings, PaymentsUnavailable, pay_again
from tests.host.api.checkout.conftest import buyer
from tests.host.api.checkout.shop import CALIFORNIA, VAT
from tests.support.order_rows import open_order
from tests.support.silent_line import silent_line
from tests.support.waiting import until

CREATE = "POST /v1/checkout/sessions"


@pytest.fixture
async def placed(selling_site, ada):
    """The site, the buyer, and the code of their order, whose page is open."""
    await ada.learner.add(VAT)
    _, result = await ada.order(CALIFORNIA)
    return selling_site, ada.learner.id, result["code"]


def payments(site) -> list[Payment]:
    with site.db.read_session() as session:
        return list(session.scalars(select(Payment).order_by(Payment.number)))


@pytest.mark.each_database
async def test_an_open_page_is_used_again(placed):
    site, learner_id, code = placed
    assert await pay_again(site.app, learner_id, code) == payments(site)[0].url
    assert len(payments(site)) == 1


@pytest.mark.each_database
async def test_a_page_that_is_over_is_followed_by_another(placed):
    site, learner_id, code = placed
    with site.db.write_session() as session:
        payment = session.scalars(select(Payment)).one()
        payment.expires_at = payment.created_at
    url = await pay_again(site.app, learner_id, code)
    assert [(payment.number, payment.state) for payment in payments(site)] == [(1, "expired"), (2, "open")]
    assert url == payments(site)[1].url


@pytest.mark.each_database
async def test_a_page_on_which_the_buyer_has_paid_settles_the_order(placed, gateway):
    site, learner_id, code = placed
    gateway.pay(payments(site)[0].session_id)
    with site.db.write_session() as session:
        payment = session.scalars(select(Payment)).one()
        payment.expires_at = payment.created_at
    with pytest.raises(CannotPay, match="paid already"):
        await pay_again(site.app, learner_id, code)
    with site.db.read_session() as session:
        assert session.scalars(select(Order.state)).one() == "paid"


async def test_an_order_of_somebody_else_is_as_unknown_as_any(placed):
    site, learner_id, code = placed
    bob = buyer(site, "Bob Noyce").learner.id
    for who, which in ((bob, code), (learner_id, "NOSUCHORDER")):
        with pytest.raises(NotFound, match="no such order"):
            await pay_again(site.app, who, which)


@pytest.mark.each_database
async def test_an_ended_order_takes_no_payment(placed):
    site, learner_id, code = placed
    with site.db.write_session() as session:
        order = session.scalars(select(Order)).one()
        order.state, order.open_learner_id = "expired", None
    with pytest.raises(CannotPay, match="This order has ended"):
        await pay_again(site.app, learner_id, code)


async def test_without_a_gateway_nobody_is_sent_to_pay(open_checkout):
    site = await open_checkout(PAYMENTS_API_BASE="")
    learner_id = buyer(site).learner.id
    with site.db.write_session() as session:
        code = open_order(session, learner_id).code
    with pytest.raises(PaymentsUnavailable):
        await pay_again(site.app, learner_id, code)


async def test_a_gateway_that_is_silent_leads_to_the_order(open_checkout, gateway):
    site = await open_checkout(PAYMENTS_DEADLINE_MS="500")
    ada = buyer(site)
    await ada.learner.add(VAT)
    gateway.call("/dev/faults", {"match": CREATE, "do": "hang", "times": 1})
    status, result = await ada.order(CALIFORNIA)
    assert (status, result["redirect"]) == (200, f"/completed/{result['code']}")


@pytest.fixture
def line(gateway):
    """To the gateway; it can be made silent: then it accepts connections and never answers."""
    with silent_line(urlsplit(gateway.origin).port or 0) as opened:
        yield opened


async def test_nobody_waits_for_a_silent_gateway_and_the_page_is_there_when_it_has_answered(open_checkout, line):
    base = f"http://127.0.0.1:{line.port}"
    site = await open_checkout(PAYMENTS_API_BASE=base, PAYMENTS_DEADLINE_MS="60000", PAYMENTS_WAIT_MS="100")
    ada = buyer(site)
    await ada.learner.add(VAT)
    line.be_silent()
    async with asyncio.timeout(30):
        status, result = await ada.order(CALIFORNIA)
        assert (status, result["redirect"]) == (200, f"/completed/{result['code']}?open=1")
        _, shown = await ada.learner.get(f"orders/{result['code']}/status")
        assert (shown["state"], shown["canPay"], shown["hasPage"]) == ("placed", True, False)
    line.go_on()
    await until(lambda: payments(site)[0].state == "open")
    assert await pay_again(site.app, ada.learner.id, result["code"]) == payments(site)[0].url
    _, shown = await ada.learner.get(f"orders/{result['code']}/status")
    assert (shown["canPay"], shown["hasPage"], len(payments(site))) == (True, True, 1)


async def test_whoever_waits_without_a_limit_waits_for_the_whole_call(open_checkout, line):
    """The negative control."""
    base = f"http://127.0.0.1:{line.port}"
    site = await open_checkout(PAYMENTS_API_BASE=base, PAYMENTS_DEADLINE_MS="60000", PAYMENTS_WAIT_MS="60000")
    ada = buyer(site)
    await ada.learner.add(VAT)
    line.be_silent()
    ordering = asyncio.create_task(ada.order(CALIFORNIA))
    await until(lambda: payments(site))
    done, _ = await asyncio.wait({ordering}, timeout=0.3)
    assert not done
    line.go_on()
    assert (await ordering)[1]["redirect"] == payments(site)[0].url


def test_an_honest_answer_takes_less_than_two_seconds():
    assert Settings.from_environment({}).payments_wait_ms <= 1500


async def test_what_is_waited_for_too_long_goes_on():
    openings, may_end = PageOpenings(0.01), asyncio.Event()
    ended = []

    async def open_page():
        await may_end.wait()
        ended.append(True)

    with pytest.raises(TimeoutError):
        await openings.wait(open_page())
    lifespan = openings.lifespan(None)
    await anext(lifespan)
    may_end.set()
    with pytest.raises(StopAsyncIteration):
        await anext(lifespan)
    assert ended == [True]
