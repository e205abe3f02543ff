"""C4: many buyers press the button at once, and only some of them can have what they order: the last pieces of an
item, the last uses of a coupon. Those who get it pay; meanwhile somebody else reads the shop.

The clients of all buyers run on the same cores: they slow the site as other programs would. How much that alone does is
seen at a bare server of the same page, which the same reader reads in turn with the shop.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal

import aiohttp
from sqlalchemy import update

from bench.comparison import ResultLine, compare
from bench.measured_database import CHOSEN, database_settings, own_database
from bench.references import aiohttp_bytes
from bench.selling.reader import read_meanwhile
from domain.coupons import create as coupon_create
from domain.coupons.create import CouponDraft
from domain.money import currency
from domain.tables import ShopItem
from tests.support.faults.buyers import Buyer, Standin, sign_in
from tests.support.faults.orders import agree_within
from tests.support.site import Site, running

BUYERS, PIECES = 500, 50
# Carts that are filled at once. The rush itself knows no limit.
PREPARING = 8
MAX_ANSWER_S, AGREE_S = 60.0, 60.0
PATIENCE_S = 60.0
# As the page's script repeats a 503.
RETRY_S = 1.0
CODE = "LASTUSES"
REASON_LENGTH = 30
SHOP = "/shop"
AT_REST_S = 3.0


@dataclass
class Rush:
    """`statuses`: of all responses; `reasons`: of those that say "try again", what they said. `slowest_s`: from a
    buyer's first press to an answer other than "try again". `orders`: by code. `shop_p95`, `bare_p95`: first byte of
    /shop and of the bare server meanwhile, ms."""

    statuses: Counter[int] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    slowest_s: float = 0.0
    orders: dict[str, Buyer] = field(default_factory=dict)
    shop_p95: float = 0.0
    bare_p95: float = 0.0

    def line(self, what: str, wrong: Sequence[str]) -> ResultLine:
        """Orders = pieces, all of them paid and nobody else charged."""
        others = {status: count for status, count in self.statuses.items() if status not in (200, 503)}
        is_reached = len(self.orders) == PIECES and not others and not wrong and self.slowest_s <= MAX_ANSWER_S
        facts = [f"{len(self.orders)} paid", f"slowest {self.slowest_s:.1f} s", f"{self.statuses[503]} x 503"]
        facts += [f'{count} x "{reason}"' for reason, count in self.reasons.items()]
        facts += [f"{count} x {status}" for status, count in others.items()] + list(wrong[:2])
        goal = f"{PIECES} paid, <= {MAX_ANSWER_S:g} s"
        return ResultLine(
            "C4", f"{BUYERS} buyers, {PIECES} {what}{CHOSEN.suffix}", goal, ", ".join(facts), "", None, is_reached
        )


def c4() -> list[ResultLine]:
    return asyncio.run(_measure())


async def _measure() -> list[ResultLine]:
    connector, timeout = aiohttp.TCPConnector(limit=0), aiohttp.ClientTimeout(total=MAX_ANSWER_S)
    with (
        database_settings() as database,
        running(LIMITS="off", **database) as site,
        aiohttp_bytes(site.port, SHOP) as bare,
    ):
        ports = [site.port, bare.port]
        async with aiohttp.ClientSession(site.url, connector=connector, timeout=timeout) as http:
            buyers = [await asyncio.to_thread(sign_in, site, http, f"buyer{number}") for number in range(BUYERS)]
            [(item,)] = site.query("SELECT id FROM shop_items WHERE fulfilment = 'code' LIMIT 1")
            _set_stock(site, item, 10 * BUYERS)
            await _fill_carts(buyers, item)
            at_rest = await read_meanwhile(SHOP, ports, asyncio.sleep(AT_REST_S))
            _set_stock(site, item, PIECES)
            stock = await _rush(ports, buyers)
            lines = [stock.line("pieces", await _pay(site, stock))]
            _set_stock(site, item, 10 * BUYERS)
            _create_coupon(site)
            await _fill_carts(buyers, item, CODE)
            uses = await _rush(ports, buyers)
            lines.append(uses.line("uses of a coupon", await _pay(site, uses)))
    return [*lines, *_shop_lines(max(stock, uses, key=lambda rush: rush.shop_p95), at_rest)]


def _shop_lines(rush: Rush, at_rest: list[float]) -> list[ResultLine]:
    """/shop against itself at rest, and the bare server of the same rush beside it: that has no goal."""
    (shop, bare), what = at_rest, f"/shop meanwhile, p95{CHOSEN.suffix}"
    busy, reference = f"{rush.shop_p95:.1f} ms", f"{rush.bare_p95:.1f} ms bare server ({bare:.2f} at rest)"
    return [
        compare("C4", what, 2.0, (rush.shop_p95, busy), (shop, f"{shop:.2f} ms at rest")),
        ResultLine("C4", f"{what}, same rush", "", busy, reference, rush.shop_p95 / rush.bare_p95, None),
    ]


async def _fill_carts(buyers: Sequence[Buyer], item: int, code: str = "") -> None:
    """Each buyer sees the checkout with the last piece or use still there."""
    free = asyncio.Semaphore(PREPARING)

    async def fill(buyer: Buyer) -> None:
        async with free:
            until = time.monotonic() + PATIENCE_S
            while not await _fill_cart(buyer, item, code):
                if time.monotonic() > until:
                    raise RuntimeError("a cart cannot be filled")
                await asyncio.sleep(RETRY_S)

    await asyncio.gather(*(fill(buyer) for buyer in buyers))


async def _fill_cart(buyer: Buyer, item: int, code: str) -> bool:
    """False when the site is too busy for a part of it."""
    try:
        await buyer.fill(item)
        if code:
            status, answer = await buyer.call("PUT", "cart/coupon", {"code": code})
            if status != 200 or answer["status"] != "success":
                return False
        await buyer.show()
    except AssertionError:
        return False
    return True


async def _rush(ports: list[int], buyers: Sequence[Buyer]) -> Rush:
    """The shop is read from the first press to the last answer."""
    rush = Rush()

    async def press() -> None:
        await asyncio.gather(*(_press(buyer, rush) for buyer in buyers))

    rush.shop_p95, rush.bare_p95 = await read_meanwhile(SHOP, ports, press())
    return rush


async def _press(buyer: Buyer, rush: Rush) -> None:
    began = time.monotonic()
    while True:
        status, answer = await buyer.order()
        rush.statuses[status] += 1
        if status == 503:
            rush.reasons[str(answer["detail"])[:REASON_LENGTH]] += 1
        if status != 503 or time.monotonic() - began > MAX_ANSWER_S:
            break
        await asyncio.sleep(RETRY_S)
    rush.slowest_s = max(rush.slowest_s, time.monotonic() - began)
    if status == 200 and answer["status"] == "success":
        rush.orders[answer["code"]] = buyer


async def _pay(site: Site, rush: Rush) -> list[str]:
    """What does not agree after all orders were paid."""
    standin = Standin(site)
    for code, buyer in rush.orders.items():
        # While many pay, some pages are not opened in time: the same press again opens them.
        until = time.monotonic() + PATIENCE_S
        while (session_id := _session_of(site, code)) is None and time.monotonic() < until:
            await buyer.order()
        await asyncio.to_thread(standin.pay, str(session_id))
    _took, wrong = await agree_within(site, AGREE_S)
    marks = ", ".join("?" * len(rush.orders))
    [(paid,)] = site.query(f"SELECT count(*) FROM orders WHERE state = 'paid' AND code IN ({marks})", *rush.orders)
    return wrong if paid == len(rush.orders) else [*wrong, f"only {paid} are paid"]


def _session_of(site: Site, code: str) -> str | None:
    query = "SELECT session_id FROM payments p JOIN orders o ON o.id = p.order_id WHERE o.code = ?"
    [(session_id,)] = site.query(query, code)
    return None if session_id is None else str(session_id)


def _set_stock(site: Site, item: int, stock: int) -> None:
    db = own_database(site)
    with db.write_session() as session:
        session.execute(update(ShopItem).where(ShopItem.id == item).values(stock=stock))
    db.engine.dispose()


def _create_coupon(site: Site) -> None:
    draft = CouponDraft("percent", Decimal(10), currency("USD"), total_limit=PIECES)
    db = own_database(site)
    with db.write_session() as session:
        coupon_create.create(session, CODE, draft, datetime.now(UTC))
    db.engine.dispose()
