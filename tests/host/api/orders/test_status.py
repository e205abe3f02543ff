"""GET /api/orders/{code}/status: the gateway is asked too, and the browser that placed the order needs no sign-in."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from domain.payments import checks
from domain.payments.gateway import GatewayUnavailable
from host.api.orders.order_json import WAITS_MS
from host.app_keys import DATABASE
from host.checkout.status_checks import STATUS_CHECKS
from host.messaging.payment_gateway import HostGateway
from tests.host.api.orders.conftest import Placed, buyer, place
from tests.host.signing import learner

CALL = HostGateway.call


@pytest.mark.each_database
async def test_an_order_whose_event_was_lost_is_settled_by_whoever_asks_for_its_state(each_placed, gateway):
    assert (await each_placed.status())[1]["stateText"] == "Waiting for payment"
    gateway.pay(each_placed.payments()[0].session_id)
    each_placed.forget_checks()
    status, shown = await each_placed.status()
    assert status == 200
    assert shown == {
        "code": each_placed.code,
        "state": "paid",
        "stateText": "Paid",
        "tone": "good",
        "nextStep": "Thank you for your order. We have sent a receipt to your email address.",
        "retryMs": None,
        "canPay": False,
        "hasPage": True,
        "reservedUntil": None,
    }
    assert each_placed.state() == "paid"


async def test_the_browser_that_placed_the_order_sees_its_state_after_the_sign_in_has_ended(placed, gateway):
    gateway.pay(placed.payments()[0].session_id)
    status, shown = await placed.status(placed.cookie)
    assert (status, shown["state"]) == (200, "paid")
    texts = {"code", "state", "stateText", "tone", "nextStep"}
    assert set(shown) == {*texts, "retryMs", "canPay", "hasPage", "reservedUntil"}
    # The bearer token of the browser has expired: it counts as none.
    assert (await placed.status({**placed.cookie, "Authorization": "Bearer expired"}))[0] == 200


async def test_the_return_cookie_opens_no_other_order_and_nothing_for_somebody_else(placed):
    grace = await place(buyer(placed.site, "Grace Hopper"))
    assert (await grace.status(placed.cookie))[0] == 401
    both = f"{placed.learner.cookie['Cookie']}; {grace.cookie['Cookie']}"
    signed_in_as_ada = {**placed.learner.bearer, "Cookie": both}
    assert (await grace.status(signed_in_as_ada))[0] == 404
    for name in ("pay", "cancel"):
        status, _ = await placed.site.call(f"orders/{placed.code}/{name}", {"key": await placed.key()}, placed.cookie)
        assert status == 401
    assert (await placed.site.call(f"orders/{placed.code}", None, placed.cookie, method="GET"))[0] == 401


async def test_it_says_when_to_ask_again_for_two_minutes(placed):
    waits = [(await placed.status(query=f"?poll={poll}"))[1]["retryMs"] for poll in (0, 1, 2, 3, 4, 10, 11)]
    assert waits == [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, None]
    assert sum(WAITS_MS) == 120_000
    assert (await placed.status(query="?poll=-1"))[0] == 422


def counted_calls(monkeypatch) -> list[object]:
    """The calls of the gateway from now on."""
    calls: list[object] = []

    async def count(self, work, about):
        calls.append(work)
        return await CALL(self, work, about)

    monkeypatch.setattr(HostGateway, "call", count)
    return calls


@pytest.mark.each_database
async def test_many_questions_at_once_ask_the_gateway_once_in_three_seconds(each_placed, monkeypatch):
    calls = counted_calls(monkeypatch)
    answers = await asyncio.gather(*(each_placed.status() for _question in range(10)))
    assert [status for status, _ in answers] == [200] * 10
    assert len(calls) == 1
    await each_placed.status()
    assert len(calls) == 1
    each_placed.forget_checks()
    await each_placed.status()
    assert len(calls) == 2


async def test_without_the_lease_every_question_asks_the_gateway(placed, monkeypatch):
    """The negative control: everybody finds the payment due before anybody has leased it."""
    calls, everybody = counted_calls(monkeypatch), asyncio.Barrier(4)

    async def always_due(_fn: Callable[..., object], *_arguments: object) -> bool:
        await everybody.wait()
        return True

    db = placed.site.app[DATABASE]
    write = db.write

    async def unguarded(fn, *arguments):
        return await (always_due(fn) if fn is checks.lease else write(fn, *arguments))

    monkeypatch.setattr(db, "write", unguarded)
    await asyncio.gather(*(placed.status() for _question in range(4)))
    assert len(calls) == 4


@pytest.mark.each_database
async def test_of_many_processes_one_gets_the_lease(each_placed):
    """Each asks through a connection of its own; the condition of the UPDATE decides."""
    now = datetime.now(UTC)
    db, code = each_placed.site.db, each_placed.code
    ref = await db.read(checks.due, each_placed.learner.id, code, now)
    assert ref is not None
    assert sorted(await asyncio.gather(*(db.write(checks.lease, ref, now) for _process in range(8)))) == [False] * 7 + [
        True
    ]
    assert await db.read(checks.due, each_placed.learner.id, code, now) is None
    assert await db.read(checks.due, each_placed.learner.id, code, now + checks.CHECK_EVERY) == ref


async def test_a_gateway_that_does_not_answer_does_not_delay_the_state_and_settles_it_later(
    placed, gateway, monkeypatch
):
    monkeypatch.setattr(placed.site.app[STATUS_CHECKS], "_wait_s", 0.05)
    gateway.pay(placed.payments()[0].session_id)
    answers, may_answer = asyncio.Event(), asyncio.Event()

    async def late(self, work, about):
        await may_answer.wait()
        result = await CALL(self, work, about)
        answers.set()
        return result

    monkeypatch.setattr(HostGateway, "call", late)
    assert (await placed.status())[1]["state"] == "placed"
    may_answer.set()
    async with asyncio.timeout(30):
        await answers.wait()
    assert placed.state() == "paid"


async def test_without_the_gateway_the_state_is_what_is_stored(placed, monkeypatch):
    async def unavailable(_self, _work, _about):
        raise GatewayUnavailable("down")

    monkeypatch.setattr(HostGateway, "call", unavailable)
    status, shown = await placed.status()
    assert (status, shown["state"], shown["canPay"]) == (200, "placed", True)


async def test_questions_for_one_order_are_limited_and_those_for_another_are_not(open_checkout):
    site = await open_checkout(LIMITS="on", STATUS_PER_ORDER_MINUTE="2")
    order = await place(buyer(site))
    assert [(await order.status())[0] for _question in range(3)] == [200, 200, 429]
    # Also in other letters; a stranger cannot use up the learner's questions.
    eve = learner(site, "Eve")
    status, _ = await site.call(f"orders/{order.code.lower()}/status", None, order.learner.headers, method="GET")
    assert status == 429
    assert [(await order.status(eve.headers))[0] for _question in range(3)] == [404, 404, 429]


@pytest.mark.parametrize("half", ["bearer", "cookie"])
async def test_half_a_sign_in_is_none(placed: Placed, half):
    status, answer = await placed.status(getattr(placed.learner, half))
    assert (status, answer["detail"]) == (401, "Sign in to continue.")
