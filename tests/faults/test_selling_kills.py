"""People buy while a worker and the host are killed: afterwards charges, orders, documents, reservations and the
gateway's books agree. Redis and the gateway are killed in the long forms: `scripts/bench faults sell-kills…`."""

import asyncio

import pytest

from tests.support.faults import books, orders
from tests.support.site import running
from tests.support.waiting import until

pytestmark = [pytest.mark.faults, pytest.mark.usefixtures("filled_sites")]
ORDERS, AGREE_S = 4, 60.0


async def test_whatever_is_killed_nobody_pays_twice_or_for_nothing() -> None:
    with running(LIMITS="off", SSR_WORKERS="1") as site:
        shopping = orders.Shopping(site, ORDERS)
        # A worker that is killed later may hold a lease for a minute: see tests/faults/test_kill_points.py.
        await orders.kill(site, "worker")
        buying = asyncio.create_task(shopping.run())
        await until(lambda: shopping.seen.presses)
        await orders.kill(site, "host")
        seen = await buying
        _, wrong = await orders.agree_within(site, AGREE_S)
        wrong += await asyncio.to_thread(books.book_differences, site)
    assert (wrong, seen.others, len(seen.codes)) == ([], {}, ORDERS)
