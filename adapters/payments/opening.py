"""Opens the hosted page of an order, for whoever presses "pay": the page that is open already, or a new one."""

import asyncio
import logging
from datetime import UTC, datetime

from adapters.payments import settling
from adapters.payments.transactions import Transactions
from domain import fault_points
from domain.errors import ServiceUnavailable
from domain.payments import attempts
from domain.payments.attempts import Busy, Closed, Opening, OpenPage, PayingShop, Stale
from domain.payments.gateway import GatewayRefused, GatewayUnavailable, PaymentGateway

log = logging.getLogger("coursefront.payments")

# How often it is looked whether another process has opened the page, and for how long.
LOOK_EVERY_S = 0.2
WAIT_S = 8.0
# Steps until a page is open: the last page of an order is closed first when it is over or refused.
MAX_STEPS = 3


async def open_page(
    db: Transactions, gateway: PaymentGateway, learner_id: int, order_id: int, shop: PayingShop
) -> OpenPage | Closed | Busy:
    """Where the learner pays. Closed: nothing can be paid now. Busy: another process is still opening the page.

    Raises GatewayUnavailable when no page is known to be open: the order's own page says how to go on. Raises
    GatewayRefused when the gateway refuses to open one, and NoResultFound for another's order.
    """
    until = asyncio.get_running_loop().time() + WAIT_S
    steps = 0
    while True:
        begun = await db.write(attempts.begin, learner_id, order_id, shop, datetime.now(UTC))
        if isinstance(begun, Opening):
            return await _open(db, gateway, begun)
        if isinstance(begun, Stale):
            steps += 1
            if steps > MAX_STEPS:
                raise GatewayUnavailable("create_session: the last page cannot be closed")
            await settling.close_page(db, gateway, begun.payment, shop)
        elif isinstance(begun, Busy) and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(LOOK_EVERY_S)
        else:
            return begun


async def _open(db: Transactions, gateway: PaymentGateway, opening: Opening) -> OpenPage:
    fault_points.hit("open.sent")
    try:
        page = await gateway.create_session(opening.request)
    except GatewayUnavailable:
        await db.write(attempts.release, opening)
        raise
    except GatewayRefused as refusal:
        await db.write(attempts.refuse, opening, str(refusal))
        raise
    fault_points.hit("open.answered")
    try:
        await db.write(attempts.store_page, opening, page, datetime.now(UTC))
    except ServiceUnavailable as error:
        # The buyer can pay on it all the same. A poll finds it by its order: nothing is opened before, for the lease.
        log.warning("the page of payment %d is stored later: %s", opening.payment.id, error)
    fault_points.hit("open.stored")
    return OpenPage(page.url)
