"""A buyer without script whose sign-in ends while they pay: what they see when they come back, by a moved clock."""

import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

import pytest

from domain.identity import sessions
from domain.tables import Order, Payment
from tests.host.api.checkout.shop import BERLIN, BOOK
from tests.host.checkout import orders
from tests.host.forms.test_checkout import browser, no_script
from tests.host.forms.test_order import post
from tests.host.signing import Learner
from tests.host.site import CHROME

Clock = Callable[[int], datetime]


@pytest.fixture
def clock(monkeypatch) -> Clock:
    """`clock(44)`: for host and rules it is now so many minutes after the test began."""
    ahead = timedelta()

    class Moved(type):
        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, datetime)

    class MovedTime(datetime, metaclass=Moved):
        def __new__(cls, *arguments: Any, **named: Any) -> Any:
            """An ordinary time: what is made of parts must not differ from those that the product makes."""
            return datetime(*arguments, **named)  # noqa: DTZ001 the caller gives the zone

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Any:
            return datetime.now(tz) + ahead

    def move(minutes: int) -> datetime:
        nonlocal ahead
        ahead = timedelta(minutes=minutes)
        return MovedTime.now(UTC)

    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("host", "domain", "adapters") and getattr(module, "datetime", None) is datetime:
            monkeypatch.setattr(module, "datetime", MovedTime)
    return move


async def test_who_orders_at_minute_44_sees_the_state_at_70_and_the_order_after_signing_in(
    open_checkout, gateway, clock
):
    site = await open_checkout()
    ada = browser(site)
    await ada.learner.add(BOOK)
    clock(44)
    placed = await ada.order(BERLIN)
    with site.db.read_session() as session:
        [(code, session_id)] = session.query(Order.code, Payment.session_id).join(Payment).all()
    assert placed.where == (303, f"{gateway.origin}/c/pay/{session_id}")
    # A browser drops the cookies of the sign-in when their time is over; one that does not is not signed in either.
    returned = {"User-Agent": CHROME, "Cookie": placed.cookies.partition(";")[0]}
    stale = {**returned, "Cookie": f"{returned['Cookie']}; {ada.headers['Cookie']}"}

    clock(69)
    for headers in (returned, stale):
        unpaid = no_script((await site.document(f"/completed/{code}?n=1", **headers)).html)
        assert "Your order is not paid yet" in unpaid
        assert f'href="/login?returnTo=/completed/{code}">Sign in to go on to payment<' in unpaid
    refused = await post(site, f"/completed/{code}", {"do": "pay", "key": "x"}, stale)
    assert refused[:2] == (303, f"/login?returnTo=/completed/{code}")

    gateway.pay(session_id)
    at = clock(70)
    for headers in (returned, stale):
        document = await site.document(f"/completed/{code}", **headers)
        shown = no_script(document.html)
        assert (document.status, "Thank you: your order is paid" in shown, code in shown) == (200, True, True)
        assert f'href="/login?returnTo=/order/{code}">Sign in to see your order<' in shown
        assert [secret for secret in ("Tax tables", "Ada", "Berlin", "$") if secret in shown] == []
        assert "Sign in to see this order" in (await site.document(f"/order/{code}", **headers)).html

    with site.db.write_session() as session:
        opened = sessions.open_session(session, ada.learner.id, at, "learner")
    again = orders.browser(site, Learner(site, ada.learner.id, opened.token, opened.cookie_secret))
    order = no_script((await site.document(f"/order/{code}", **again)).html)
    assert [part for part in ("Paid", "Tax tables", "Invoice", "Linienstraße") if part not in order] == []
    assert "Your cart is empty" in no_script((await site.document("/cart", **again)).html)
