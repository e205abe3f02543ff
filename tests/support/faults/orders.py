"""Purchases at a running site under faults: afterwards charges, orders, documents and reservations agree."""

import asyncio
import contextlib
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace

import aiohttp
from sqlalchemy.exc import OperationalError

from tests.support.faults.books import unconfirmed
from tests.support.faults.buyers import Buyer, Standin, sign_in
from tests.support.site import Site
from tests.support.waiting import until, until_none

# Fewer than the orders between two kills: each kill ends all presses that are under way.
BUYERS = 4
RETRY_S = 0.3
# For one step; a host that was killed is back within seconds.
PATIENCE_S = 90.0
# What the slowest honest response may take: a turn, the database, and the gateway.
TIMEOUT = aiohttp.ClientTimeout(total=30)
# Honest: placed, changed, or not possible just now.
HONEST = frozenset({200, 429, 503})


@dataclass
class Purchases:
    """`slowest_s`, `slowest`: of the responses to any call of a buyer, and which it was; `others`: responses that
    nobody should get; `lost`: connections without one, because the host was killed. `codes`: of the orders that were
    placed."""

    presses: int = 0
    lost: int = 0
    slowest_s: float = 0.0
    slowest: str = ""
    others: Counter[str] = field(default_factory=Counter)
    codes: set[str] = field(default_factory=set)


class Shopping:
    """`count` orders of a voucher by some learners at once; each presses until it has its page, and pays."""

    def __init__(self, site: Site, count: int):
        self.site, self.count, self.seen = site, count, Purchases()
        self.standin = Standin(site)
        [(self.product,)] = site.query("SELECT id FROM shop_items WHERE fulfilment = 'code' LIMIT 1")
        self._left = count
        # Order's code -> the session of the page to which the buyer was sent.
        self._sessions: dict[str, str] = {}

    async def run(self) -> Purchases:
        async with aiohttp.ClientSession(self.site.url, timeout=TIMEOUT, trace_configs=[self._timer()]) as http:
            signed_in = (asyncio.to_thread(sign_in, self.site, http, f"buyer{number}") for number in range(BUYERS))
            buyers = await asyncio.gather(*signed_in)
            await asyncio.gather(*(self._buy(buyer) for buyer in buyers))
        return self.seen

    def _timer(self) -> aiohttp.TraceConfig:
        async def begin(_http: aiohttp.ClientSession, context: SimpleNamespace, _about: object) -> None:
            context.began = time.monotonic()

        async def end(
            _http: aiohttp.ClientSession, context: SimpleNamespace, about: aiohttp.TraceRequestEndParams
        ) -> None:
            took = time.monotonic() - context.began
            if took > self.seen.slowest_s:
                self.seen.slowest_s = took
                self.seen.slowest = f"{about.method} {about.url.path}: {about.response.status}"

        timer = aiohttp.TraceConfig()
        timer.on_request_start.append(begin)
        timer.on_request_end.append(end)
        return timer

    def stop(self) -> None:
        """No further orders are begun."""
        self._left = 0

    async def _buy(self, buyer: Buyer) -> None:
        while self._left > 0:
            self._left -= 1
            await self._until(lambda: self._fill(buyer))
            code = await self._until(lambda: self._press(buyer))
            self.seen.codes.add(code)
            await self._until(partial(self._pay, buyer, code))
            # What is paid leaves the cart, also what is in it again by then.
            await self._until(partial(self._has_ended, code))

    async def _until(self, step: Callable[[], Awaitable[str]]) -> str:
        """Repeats a step, as people do, until it succeeds. The test's own look at the database may fail too."""
        end, result = time.monotonic() + PATIENCE_S, ""
        while not result:
            with contextlib.suppress(OperationalError):
                result = await step()
            assert time.monotonic() < end, f"a step of a purchase fails for {PATIENCE_S:g} s; {self.seen}"
            await asyncio.sleep(RETRY_S)
        return result

    async def _fill(self, buyer: Buyer) -> str:
        try:
            await buyer.fill(self.product)
            await buyer.show()
        except AssertionError:
            return ""
        return "filled"

    async def _press(self, buyer: Buyer) -> str:
        status, answer = await buyer.order()
        self.seen.presses += 1
        if not status:
            self.seen.lost += 1
            return ""
        if status not in HONEST or (status == 200 and answer["status"] != "success"):
            self.seen.others[f"{status} {answer}"[:200]] += 1
        if status != 200 or answer["status"] != "success":
            return ""
        page, _, session_id = answer["redirect"].rpartition("/")
        if page.endswith("/c/pay"):
            self._sessions[answer["code"]] = session_id
        return str(answer["code"])

    async def _pay(self, buyer: Buyer, code: str) -> str:
        """On the page of the order's payment. A buyer who was not sent to one presses again, which opens it."""
        query = (
            "SELECT p.session_id, o.state FROM payments p JOIN orders o ON o.id = p.order_id"
            " WHERE o.code = ? ORDER BY p.number DESC LIMIT 1"
        )
        [(session_id, state)] = await asyncio.to_thread(self.site.query, query, code)
        if state != "placed":
            return str(state)
        session_id = session_id or self._sessions.get(code)
        if session_id is None:
            await self._press(buyer)
            return ""
        with contextlib.suppress(OSError):
            await asyncio.to_thread(self.standin.pay, session_id)
            return "paid"
        return ""

    async def _has_ended(self, code: str) -> str:
        [(state,)] = await asyncio.to_thread(self.site.query, "SELECT state FROM orders WHERE code = ?", code)
        return "" if state == "placed" else str(state)


def differences(site: Site) -> list[str]:
    """What does not agree, in words; [] when everything does."""
    charged = Counter(line["client_reference_id"] for line in Standin(site).money() if line["kind"] == "charge")
    # The demo shop has orders that nobody paid at the gateway.
    bought = "SELECT code FROM orders o JOIN payments p ON p.order_id = o.id WHERE p.gateway = 'stripe'"
    paid = {code for (code,) in site.query(f"{bought} AND p.state = 'paid' AND o.state = 'paid'")}
    wrong = [f"{code} was charged {times} times" for code, times in charged.items() if times > 1]
    wrong += [f"{code} was charged and is not paid" for code in charged.keys() - paid]
    wrong += [f"{code} is paid and was not charged" for code in paid - charged.keys()]
    wrong += [f"{name}: {rows}" for name, statement in MUST_BE_EMPTY.items() if (rows := site.query(statement)[:3])]
    return wrong


MUST_BE_EMPTY = {
    "paid orders without an invoice": "SELECT code FROM orders WHERE state = 'paid' AND total_minor > 0 AND NOT EXISTS"
    " (SELECT 1 FROM documents d WHERE d.order_id = orders.id AND d.kind = 'invoice')",
    "gaps between invoices": "SELECT kind, year, count(*), max(seq) FROM documents GROUP BY kind, year"
    " HAVING count(*) <> max(seq)",
    "paid orders with reservations that are not committed": "SELECT code FROM orders JOIN reservations r"
    " ON r.order_id = orders.id WHERE orders.state = 'paid' AND r.state <> 'committed'",
    "paid lines without their codes": "SELECT l.id FROM order_lines l JOIN orders o ON o.id = l.order_id"
    " WHERE o.state = 'paid' AND l.fulfilment = 'code' AND l.ended_at IS NULL"
    " AND (SELECT count(*) FROM voucher_codes v WHERE v.line_id = l.id) <> l.quantity",
    "keys with two orders": "SELECT learner_id, form_key FROM orders GROUP BY learner_id, form_key HAVING count(*) > 1",
    "dead rows of the outbox": "SELECT task, error FROM outbox WHERE dead_at IS NOT NULL AND topic = 'payments'",
}


async def agree_within(site: Site, seconds: float) -> tuple[float, list[str]]:
    """Seconds until everything agrees, and what does not when they are over."""
    return await until_none(partial(differences, site), seconds)


async def kill(site: Site, kind: str) -> None:
    """kill -9 of all processes of a kind, when they are running again after the last one."""
    await until(lambda: asyncio.to_thread(lambda: bool(site.pids()[kind])), PATIENCE_S)
    await asyncio.to_thread(site.signal, kind, signal.SIGKILL)


async def receipts_within(site: Site, seconds: float) -> tuple[float, list[str]]:
    """Seconds until every paid order has its mail, and the codes of those that have none when they are over."""
    return await until_none(partial(unconfirmed, site), seconds)


async def freeze(site: Site, seconds: float, kind: str) -> None:
    """Freezes all processes of a kind, such as redis or standins (gateway, mail server and sign-in provider)."""
    await asyncio.to_thread(site.signal, kind, signal.SIGSTOP)
    await asyncio.sleep(seconds)
    await asyncio.to_thread(site.signal, kind, signal.SIGCONT)


async def lock_database(site: Site, seconds: float) -> None:
    """Another process writes to SQLite all the time."""
    connection = sqlite3.connect(site.var_dir / "coursefront.db", timeout=30, check_same_thread=False)
    with contextlib.closing(connection):
        await asyncio.to_thread(connection.execute, "BEGIN IMMEDIATE")
        await asyncio.sleep(seconds)
        connection.rollback()
