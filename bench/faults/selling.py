"""Experiments with purchases: kills at every fault point, and of the host at any moment."""

import asyncio
import random
import signal
from functools import partial

from tests.support.faults import orders
from tests.support.faults.orders import Shopping
from tests.support.site import running

Outcome = tuple[bool, str]
ORDERS = 200
# Until everything agrees after the last fault.
AGREE_S = 60.0
# Each process kills itself when it passes the point so often.
EVERY = 13
KILLS = 100
# Points that a purchase passes. Those of refunds and late payments: tests/faults/test_kill_points.py.
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


async def kills_while_placing(kills: int = KILLS) -> Outcome:
    """kill -9 of the host at any moment, as soon as it serves again, while people buy; then until everything agrees."""
    chance = random.Random(1)
    with running(LIMITS="off") as site:
        shopping = Shopping(site, 10**6)
        buying = asyncio.create_task(shopping.run())
        for _ in range(kills):
            await asyncio.sleep(chance.uniform(0.5, 1.5))
            await asyncio.to_thread(site.signal, "host", signal.SIGKILL)
        shopping.stop()
        await buying
        took, wrong = await orders.agree_within(site, AGREE_S)
    seen = shopping.seen
    text = f"{len(seen.codes)} orders, slowest response {seen.slowest_s:.1f} s, agree after {took:.1f} s"
    others = [f"{number} x {status}" for status, number in seen.others.items()]
    return not (wrong or seen.others), "; ".join([text, *wrong[:2], *others])


EXPERIMENTS = {
    **{f"sell-{point}": partial(kill_point, point) for point in POINTS},
    "sell-kills": kills_while_placing,
}
