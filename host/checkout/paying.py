"""Opens the hosted page of an order, for whoever pays: after placing, and again later.

A buyer waits for it for PAYMENTS_WAIT_MS: one who is not told where to pay by then is on the page
/completed/{code}?open=1, which waits on and leads to the page by itself. The opening itself goes on, for as long as a
call of the gateway may take, so that its result is stored.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable
from datetime import timedelta

from aiohttp import web

from adapters.payments import opening
from domain.errors import DomainError, NotFound, ServiceUnavailable
from domain.orders.expiry import UNKNOWN_ORDER
from domain.payments import attempts, shop_uid
from domain.payments.attempts import Busy, Closed, OpenPage, PayingShop
from domain.payments.gateway import GatewayError, PaymentGateway
from host.app_keys import DATABASE, SETTINGS
from host.messaging.payment_gateway import HOST_GATEWAY

log = logging.getLogger("coursefront.payments")

STOP_S = 2.0
Page = OpenPage | Closed | Busy
# Why nothing can be paid, by what `attempts.begin` says of the order.
CLOSED_TEXTS = {
    "paid": "This order is paid already.",
    "processing": "The payment of this order is under way. We will email you when it has arrived.",
    "refunded": "This order was refunded. Place a new one to buy again.",
    "too_late": "The time to pay this order is over. Place a new one; your cart still has its contents.",
}
CLOSED_TEXT = "This order has ended. Place a new one to buy."


class PaymentsUnavailable(ServiceUnavailable):
    """The circuit of the gateway is open, or there is no gateway."""

    def __init__(self) -> None:
        super().__init__("Payments cannot be taken just now. Nothing is charged; please try again in a few minutes.")


class CannotPay(DomainError):
    """Nothing can be paid for this order; the text says why. `state`: of the order, or too_late."""

    def __init__(self, state: str):
        super().__init__(CLOSED_TEXTS.get(state, CLOSED_TEXT))
        self.state = state


class PageOpenings:
    """Openings under way in this process. `wait_s`: how long a buyer waits for theirs."""

    def __init__(self, wait_s: float) -> None:
        self._wait_s = wait_s
        self._tasks: set[asyncio.Future[Page]] = set()

    async def wait(self, work: Awaitable[Page]) -> Page:
        """The result of `work`, which goes on in the background when it takes too long. Raises TimeoutError then, and
        what `work` raises."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._end)
        async with asyncio.timeout(self._wait_s):
            return await asyncio.shield(task)

    def _end(self, task: asyncio.Future[Page]) -> None:
        self._tasks.discard(task)
        # Nobody may be waiting any more; the order's page shows the state.
        if not task.cancelled() and task.exception() is not None:
            log.info("a page to pay on was not opened: %s", task.exception())

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        yield
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=STOP_S)
        for task in self._tasks:
            task.cancel()


PAGE_OPENINGS = web.AppKey("page_openings", PageOpenings)


def require_gateway(app: web.Application) -> None:
    """Raises PaymentsUnavailable."""
    if not app[HOST_GATEWAY].is_available:
        raise PaymentsUnavailable


async def open_payment(app: web.Application, learner_id: int, order_id: int, code: str) -> str:
    """Where the buyer pays their order; the order's own page when the gateway refused, or is slow: then it waits."""
    return _address(await _page(app, learner_id, order_id), code)


async def pay_again(app: web.Application, learner_id: int, code: str) -> str:
    """Where the buyer pays an order, with another page if the last one is over; else as `open_payment`.

    Raises NotFound for everybody else's order, CannotPay, PaymentsUnavailable.
    """
    order_id = await app[DATABASE].read(attempts.order_of, learner_id, code)
    if order_id is None:
        raise NotFound(UNKNOWN_ORDER)
    require_gateway(app)
    page = await _page(app, learner_id, order_id)
    if isinstance(page, Closed):
        raise CannotPay(page.state)
    return _address(page, code)


def order_page(code: str) -> str:
    """The page on which an order goes on."""
    return f"/completed/{code}"


def waiting_page(code: str, number: int) -> str:
    """The page of an order while the page to pay on is being opened: it leads there by itself. `number`: of the look,
    from 1."""
    return f"{order_page(code)}?open={number}"


def _address(page: Page | None, code: str) -> str:
    if isinstance(page, OpenPage):
        return page.url
    return waiting_page(code, 1) if isinstance(page, Busy) else order_page(code)


async def _page(app: web.Application, learner_id: int, order_id: int) -> Page | None:
    """Busy: it is still being opened. None: the gateway refused to, or cannot be reached."""
    with contextlib.suppress(GatewayError, ServiceUnavailable):
        shop = await paying_shop(app)

        async def work(gateway: PaymentGateway) -> Page:
            return await opening.open_page(app[DATABASE], gateway, learner_id, order_id, shop)

        try:
            return await app[PAGE_OPENINGS].wait(app[HOST_GATEWAY].call(work, f"order {order_id}"))
        except TimeoutError:
            return Busy()
    return None


async def paying_shop(app: web.Application) -> PayingShop:
    """Raises PaymentsUnavailable before `python -m host prepare` has named the shop."""
    settings = app[SETTINGS]
    uid = await app[DATABASE].read_inline(shop_uid.read)
    if uid is None:
        raise PaymentsUnavailable
    lease = timedelta(milliseconds=settings.payments_deadline_ms) + attempts.LEASE_MARGIN
    return PayingShop(uid, settings.site_origin, settings.orders, lease)
