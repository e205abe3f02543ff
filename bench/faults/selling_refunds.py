"""Refunds while every process that sends one kills itself at a point of it: all money goes back, once."""

import asyncio
from datetime import UTC, datetime
from functools import partial

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.orders import locks
from domain.orders.refunds import by_staff
from domain.orders.refunds.by_staff import StaffRefund
from domain.orders.settings import Context
from tests.support.faults import books, orders
from tests.support.faults.buyers import Standin
from tests.support.faults.orders import Shopping
from tests.support.site import Site, running
from tests.support.waiting import until_none

Outcome = tuple[bool, str]
POINTS = ("refund.committed", "refund.sent", "refund.answered")
ORDERS = 200
# Each process kills itself when it passes the point so often.
EVERY = 13
# A refund whose sender was killed stays leased for a minute, and all others wait until the next sender has started.
RETURNED_S = 600.0
RETURNED = [("refunded", "succeeded", 1)]
STATES = (
    "SELECT o.state, r.state, count(d.id) FROM orders o JOIN refunds r ON r.order_id = o.id"
    " LEFT JOIN documents d ON d.refund_id = r.id WHERE o.code = ? GROUP BY o.id, r.id, o.state, r.state"
)


async def kill_point(point: str, count: int = ORDERS) -> Outcome:
    """People buy; then every order is refunded, while the senders are killed."""
    with running(LIMITS="off", KILL_AT=f"{point}:{EVERY}") as site:
        seen = await Shopping(site, count).run()
        _took, wrong = await orders.agree_within(site, RETURNED_S)
        if wrong:
            return False, "; ".join(["purchases do not agree before any refund", *wrong[:2]])
        await asyncio.to_thread(_refund, site, seen.codes)
        took, wrong = await until_none(partial(_differences, site, seen.codes), RETURNED_S)
        wrong += await asyncio.to_thread(books.book_differences, site)
        kills = sum("exited with status -9" in line for line in site.lines)
    text = f"{len(seen.codes)} refunds, {kills} kills, agree {took:.0f} s after they were asked for"
    return not wrong and kills > 0 and len(seen.codes) == count, "; ".join([text, *wrong[:2]])


def _refund(site: Site, codes: set[str]) -> None:
    """As `orders refund CODE` does."""
    settings = Settings.from_environment(site.environment)
    db = Database(database_url(settings.database, settings.var_dir), busy_ms=30_000)
    for code in sorted(codes):
        with db.read_session() as session:
            ref = locks.ref_of(session, code)
        refund = StaffRefund("command", "an experiment")
        db.write_sync(by_staff.refund_order, ref, refund, Context(datetime.now(UTC), settings.orders))
    db.engine.dispose()


def _differences(site: Site, codes: set[str]) -> list[str]:
    """What is not as it must be: each order has one refund with one credit note, and its money is back once."""
    moved: dict[str, list[int]] = {code: [] for code in codes}
    for line in Standin(site).money():
        moved[line["metadata"]["order"]].append(line["amount"])
    wrong = [
        f"{code}: {amounts} at the gateway" for code, amounts in moved.items() if len(amounts) != 2 or sum(amounts) != 0
    ]
    stored = {code: site.query(STATES, code) for code in codes}
    return wrong + [f"{code} is {rows}" for code, rows in stored.items() if rows != RETURNED]


EXPERIMENTS = {f"sell-{point}": partial(kill_point, point) for point in POINTS}
