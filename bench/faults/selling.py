"""Experiments with purchases: kills at every fault point, and of every process at any moment."""

import asyncio
import contextlib
import random
from collections.abc import Sequence
from functools import partial

from bench.faults.selling_services import mariadb
from tests.support.faults import books, orders
from tests.support.faults.orders import Purchases, Shopping
from tests.support.servers import new_schema
from tests.support.site import running
from tests.support.waiting import until

Outcome = tuple[bool, str]
ORDERS = 200
# Until everything agrees after the last fault.
AGREE_S = 60.0
# Each process kills itself when it passes the point so often.
EVERY = 13
KILLS = 100
# For processes that take seconds to start.
FEW_KILLS = 30
# Before every other kill, until somebody has ordered.
NEXT_ORDER_S = 30.0
# A mail whose sender was killed stays leased for a minute.
RECEIPTS_S = 90.0
# Points that a purchase passes. Those of refunds: selling_refunds; of late payments: tests/faults/test_kill_points.py.
POINTS = (
    *("place.read", "place.written", "place.committed", "open.sent", "open.answered", "open.stored"),
    *("event.verified", "event.stored", "settle.retrieved", "settle.written", "settle.committed", "email.accepted"),
)


async def kill_point(point: str, count: int = ORDERS) -> Outcome:
    with running(LIMITS="off", KILL_AT=f"{point}:{EVERY}") as site:
        seen = await Shopping(site, count).run()
        took, wrong = await orders.agree_within(site, AGREE_S)
    text = f"{len(seen.codes)} orders, {seen.presses} presses, {seen.lost} without a response, agree after {took:.1f} s"
    is_good = not wrong and not seen.others and len(seen.codes) == count
    return is_good, "; ".join([text, *wrong[:2], *(f"{number} x {status}" for status, number in seen.others.items())])


async def kills_on_mariadb(kinds: Sequence[str], kills: int) -> Outcome:
    with mariadb() as server:
        return await kills_while_buying(kinds, kills, DATABASE_URL=new_schema(server.url))


async def kills_while_buying(kinds: Sequence[str], kills: int, **settings: str) -> Outcome:
    """kill -9 of processes of these kinds at any moment, as soon as they are back, while people buy; then until
    everything agrees, and every buyer has a receipt."""
    chance = random.Random(1)
    with running(LIMITS="off", **settings) as site:
        shopping = Shopping(site, 10**6)
        buying = asyncio.create_task(shopping.run())
        for number in range(kills):
            if number % 2:
                await _next_order(shopping.seen)
            await asyncio.sleep(chance.uniform(0.5, 1.5))
            await orders.kill(site, chance.choice(kinds))
        shopping.stop()
        await buying
        took, wrong = await orders.agree_within(site, AGREE_S)
        mailed, unconfirmed = await orders.receipts_within(site, RECEIPTS_S)
        wrong += await asyncio.to_thread(books.book_differences, site)
    seen = shopping.seen
    text = (
        f"{kills} kills, {len(seen.codes)} orders, slowest response {seen.slowest_s:.1f} s, agree after {took:.1f} s, "
        f"{len(unconfirmed)} without a receipt {mailed:.1f} s later"
    )
    others = [f"{number} x {status}" for status, number in seen.others.items()]
    is_good = not (wrong or seen.others or unconfirmed) and len(seen.codes) > 0
    return is_good, "; ".join([text, *wrong[:2], *others])


async def _next_order(seen: Purchases) -> None:
    """Waits for one more order. A process that is killed whenever it runs again may never get to work: without such
    waits nobody would buy anything, and there would be nothing that could be wrong."""
    count = len(seen.codes)
    with contextlib.suppress(AssertionError):
        await until(lambda: len(seen.codes) > count, NEXT_ORDER_S)


EXPERIMENTS = {
    **{f"sell-{point}": partial(kill_point, point) for point in POINTS},
    "sell-kills": partial(kills_while_buying, ["host"], KILLS),
    "sell-kills-worker": partial(kills_while_buying, ["worker"], FEW_KILLS),
    "sell-kills-gateway": partial(kills_while_buying, ["standins"], FEW_KILLS),
    "sell-kills-redis": partial(kills_while_buying, ["redis"], FEW_KILLS),
    "sell-kills-mariadb": partial(kills_on_mariadb, ["host", "worker"], FEW_KILLS),
    "sell-kills-any": partial(kills_while_buying, ["host", "worker", "standins", "redis", "ssr"], KILLS),
}
