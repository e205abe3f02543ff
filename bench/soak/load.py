"""Everybody who uses a shop during a soak, at once: begun, ended, and afterwards compared with what is stored."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

import aiohttp

from bench.soak.people import cookie_of, sign_in_admin, sign_in_learner
from bench.soak.promises import Pictures, Studying
from bench.soak.shop import SoakShop
from bench.soak.traffic import COUPON, COUPON_USES, VISITS_SHARE, CouponShopping, Reading, Visitors
from tests.support.faults import books, orders
from tests.support.faults.answers import TIMEOUT, Answers
from tests.support.faults.visits import wait_until_exact
from tests.support.site import Site

STUDIED = "sql-for-spreadsheet-people"
# Until everything agrees when the last fault is over; a mail whose sender was killed stays leased for a minute.
AGREE_S, MAILED_S = 60.0, 90.0
_NO_LIMIT = 10**6


@dataclass
class Load:
    """`rate`: of reading, a second; `capacity`: what the shop can do of it."""

    shop: SoakShop
    answers: Answers
    reading: Reading
    shopping: CouponShopping
    visitors: Visitors
    studying: Studying
    pictures: Pictures
    capacity: float
    rate: float

    async def run(self, seconds: float) -> None:
        """Everybody for so long, and until what they have begun is ended."""
        reading = asyncio.create_task(self.reading.run(self.rate))
        stops = (self.shopping.stop, self.studying.stop, self.pictures.stop)
        async with asyncio.TaskGroup() as group:
            for use in (self.shopping.run, self.visitors.run, self.studying.run, self.pictures.run):
                group.create_task(use())
            await asyncio.sleep(seconds)
            for stop in stops:
                stop()
            reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)

    async def differences(self) -> list[str]:
        """What was accepted and is not stored so, once, in words; waits until the shop has come to rest."""
        site = self.shop.site
        _, wrong = await orders.agree_within(site, AGREE_S)
        _, unconfirmed = await orders.receipts_within(site, MAILED_S)
        wrong += [f"{code} has no receipt" for code in unconfirmed]
        wrong += await asyncio.to_thread(books.book_differences, site)
        wrong += [f"an order was answered {number} x {text}" for text, number in self.shopping.seen.others.items()]
        stored = await wait_until_exact(self.visitors, AGREE_S)
        for name in ("lost", "twice", "unknown"):
            if found := getattr(stored, name):
                wrong.append(f"visits {name}: {len(found)}")
        wrong += await asyncio.to_thread(self.studying.differences)
        wrong += await self.pictures.differences()
        return wrong + await asyncio.to_thread(_rows_that_should_not_be, site)


def _rows_that_should_not_be(site: Site) -> list[str]:
    wrong = [f"{name}: {rows}" for name, query in EMPTY.items() if (rows := site.query(query)[:3])]
    [(used,)] = site.query(USES_OF_COUPON, COUPON)
    [(sold,)] = site.query(LINES_WITH_COUPON, COUPON)
    return wrong if used == sold else [*wrong, f"the coupon is used {used} times, and {sold} orders have it"]


EMPTY = {
    "dead letters": "SELECT id, error FROM dead_letters",
    "dead rows of the outbox": "SELECT topic, error FROM outbox WHERE dead_at IS NOT NULL",
}
USES_OF_COUPON = (
    "SELECT count(*) FROM reservations r JOIN coupons c ON c.id = r.resource_id"
    " WHERE r.kind = 'coupon' AND r.state = 'committed' AND c.display_code = ?"
)
LINES_WITH_COUPON = (
    "SELECT count(*) FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE o.state = 'paid' AND l.line_code = ?"
)


@contextlib.asynccontextmanager
async def prepared(shop: SoakShop, answers: Answers, seconds: float) -> AsyncIterator[Load]:
    """Signed in, and with the rate that is half of the shop's capacity, which is measured first."""
    site = shop.site
    await asyncio.to_thread(site.dev, "coupon-new", COUPON, str(COUPON_USES))
    await asyncio.to_thread(site.dev, "enrol", "student", STUDIED)
    staff = await asyncio.to_thread(sign_in_admin, site)
    warm = Answers()
    async with contextlib.AsyncExitStack() as stack:

        async def client(kind: str, heard: Answers = answers) -> aiohttp.ClientSession:
            connector = aiohttp.TCPConnector(limit=0)
            session = aiohttp.ClientSession(
                site.url, timeout=TIMEOUT, connector=connector, trace_configs=[heard.timer(kind)]
            )
            return await stack.enter_async_context(session)

        student = await sign_in_learner(site, await client("call"), "student")

        async def reading(heard: Answers) -> Reading:
            browser = await sign_in_learner(site, await client("call", heard), "browser")
            found = Reading(site, await client("page", heard), heard, (cookie_of(student), staff.cookie))
            await found.prepare(browser)
            return found

        first = await reading(warm)
        await first.measure_capacity()
        capacity = await first.measure_capacity()
        rate = capacity / 2
        visits = rate * VISITS_SHARE
        yield Load(
            shop,
            answers,
            await reading(answers),
            CouponShopping(site, _NO_LIMIT, answers),
            Visitors(site, int(visits * seconds), visits, answers),
            Studying(site, student, STUDIED),
            Pictures(await client("call"), staff),
            capacity,
            rate,
        )
