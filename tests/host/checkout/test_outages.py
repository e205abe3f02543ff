"""A service is away while people buy: they are told what is so, the catalogue is there, nothing is half done, and what
was begun goes on by itself when the service is back. How long all this takes: `scripts/bench faults sell-…`."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import make_url, select, update

from adapters.mail import MailAccount
from adapters.mail_server import MailServer
from contracts.tasks import PERIODIC, Task
from domain.payments import polling
from domain.tables import Order, Outbox, Payment
from host.messaging import inline_outbox, inline_payments
from host.messaging.payment_gateway import HOST_GATEWAY
from tests.host.api.checkout.conftest import buyer, gateway, open_checkout
from tests.host.api.checkout.shop import CALIFORNIA, TERMS, VAT, Buyer
from tests.host.site import Site
from tests.support.full_disk import Disk
from tests.support.silent_line import SilentLine, silent_line
from tests.support.smtp import mail_sink
from tests.support.waiting import until

__all__ = ["gateway", "open_checkout"]
UNAVAILABLE = "The site is temporarily unavailable. Please try again in a moment."


@dataclass(frozen=True)
class Press:
    """A filled form: each press posts the same."""

    who: Buyer
    form: dict[str, Any]

    async def __call__(self) -> tuple[int, Any, str]:
        """Status, JSON, and when to try again."""
        async with asyncio.timeout(60):
            answer = await self.who.learner.site.answer("checkout", self.form, self.who.learner.headers)
            return answer.status, await answer.json(content_type=None), answer.headers.get("Retry-After", "")


async def fill_in(site: Site, name: str = "Ada Lovelace", courses: Sequence[str] = (VAT,)) -> Press:
    who = buyer(site, name)
    for course in courses:
        await who.learner.add(course)
    await who.type(CALIFORNIA)
    checkout = await who.show()
    form = {"key": checkout["key"], "seen": checkout["seen"], "values": CALIFORNIA, "service": "", "terms": TERMS}
    return Press(who, form)


async def shop_status(site: Site) -> int:
    """The status of a page of the catalogue that is in the page cache."""
    async with asyncio.timeout(60):
        return (await site.get("/shop")).status


def states(site: Site) -> list[tuple[str, str]]:
    """The states of every order and its payment."""
    with site.db.read_session() as session:
        query = select(Order.state, Payment.state).join(Payment, Payment.order_id == Order.id).order_by(Payment.id)
        return [(order, payment) for order, payment in session.execute(query)]


@pytest.fixture
async def open_shop_site(open_checkout, start_renderer):
    """`await open_shop_site(**environment)`: /shop is in its page cache."""

    async def opened(**environment: str) -> Site:
        renderer = await start_renderer()
        site: Site = await open_checkout(SSR_URL=renderer.address, PAGE_CACHE="on", DEV_DELAY="", **environment)

        async def is_cached() -> bool:
            return (await site.get("/shop")).headers.get("X-Cache") == "hit"

        await until(is_cached)
        return site

    return opened


@pytest.fixture
async def locked_sqlite(open_shop_site, tmp_path) -> AsyncIterator[tuple[Site, Any, Any]]:
    """A site, and how to lock and unlock its database: another process writes to it."""
    site = await open_shop_site()
    with closing(sqlite3.connect(tmp_path / "coursefront.db", timeout=60)) as other:
        yield site, lambda: other.execute("BEGIN IMMEDIATE"), other.rollback


@pytest.fixture
def mariadb_line(mariadb_shop_url) -> Iterator[tuple[str, SilentLine]]:
    """DATABASE_URL over a line that can be made silent."""
    url = make_url(mariadb_shop_url)
    with silent_line(url.port or 3306) as line:
        yield url.set(port=line.port).render_as_string(hide_password=False), line


@pytest.fixture
async def silent_mariadb(open_shop_site, mariadb_line) -> tuple[Site, Any, Any]:
    """A site whose database gets nothing and says nothing."""
    url, line = mariadb_line
    return await open_shop_site(DATABASE_URL=url), line.be_silent, line.go_on


@pytest.fixture(params=["locked_sqlite", pytest.param("silent_mariadb", marks=pytest.mark.mariadb)])
def without_database(request: pytest.FixtureRequest) -> tuple[Site, Any, Any]:
    found: tuple[Site, Any, Any] = request.getfixturevalue(request.param)
    return found


async def test_without_the_database_a_buyer_is_told_when_to_try_again_and_then_orders_once(
    without_database, monkeypatch
):
    site, take_away, bring_back = without_database
    press = await fill_in(site)
    with monkeypatch.context() as patch:
        patch.setattr(site.db, "_deadline_s", 0.3)
        take_away()
        status, problem, retry_after = await press()
        assert (status, problem["detail"], retry_after) == (503, UNAVAILABLE, "5")
        assert await shop_status(site) == 200
        bring_back()
    assert (await press())[1]["status"] == "success"
    assert states(site) == [("placed", "open")]


async def test_on_a_full_disk_a_buyer_is_told_and_the_same_form_orders_when_there_is_space(open_shop_site):
    site = await open_shop_site()
    # Their breakdown needs a page of its own.
    disk, press = Disk(site.db), await fill_in(site, courses=[f"course-{number:02}" for number in range(1, 11)])
    disk.leave(0)
    status, problem, retry_after = await press()
    assert (status, problem["detail"], retry_after) == (503, UNAVAILABLE, "5")
    assert (await shop_status(site), states(site)) == (200, [])
    disk.free()
    assert (await press())[1]["status"] == "success"
    assert states(site) == [("placed", "open")]


async def test_without_redis_people_order_as_always(open_shop_site, redis_server):
    site = await open_shop_site(REDIS_URL=redis_server.url, LIMITS="on")
    press = await fill_in(site)
    redis_server.freeze()
    assert (await press())[1]["status"] == "success"
    assert (await shop_status(site), states(site)) == (200, [("placed", "open")])
    redis_server.thaw()


def session_ids(site: Site) -> list[str]:
    with site.db.read_session() as session:
        return [str(one) for one in session.scalars(select(Payment.session_id).order_by(Payment.id))]


async def test_without_the_gateway_the_first_buyer_has_an_order_and_the_next_is_told_before(open_shop_site, gateway):
    site = await open_shop_site(PAYMENTS_DEADLINE_MS="500")
    ada, bob = await fill_in(site), await fill_in(site, "Bob Noyce")
    gateway.freeze()
    try:
        status, result, _ = await ada()
        assert (status, result["redirect"]) == (200, f"/completed/{result['code']}")
        status, problem, retry_after = await bob()
        told = "Payments cannot be taken just now. Nothing is charged; please try again in a few minutes."
        assert (status, problem["detail"], retry_after) == (503, told, "5")
        assert (await shop_status(site), states(site)) == (200, [("placed", "new")])
    finally:
        gateway.thaw()
    await until(lambda: site.app[HOST_GATEWAY].is_available)
    for press in (ada, bob):
        assert (await press())[1]["redirect"].startswith(f"{gateway.origin}/c/pay/")
    assert states(site) == [("placed", "open"), ("placed", "open")]


@pytest.fixture
async def paid_unheard(open_checkout, gateway, monkeypatch) -> Site:
    """An order was paid, and no event says so; the gateway is asked as soon as the payment is due."""
    monkeypatch.setattr(inline_payments, "EVERY_S", 0.02)
    monkeypatch.setitem(inline_payments.PERIODS, Task.POLL_PAYMENTS, 0.0)
    monkeypatch.setattr(inline_payments, "FIRST_S", 3600.0)
    site: Site = await open_checkout()
    assert (await (await fill_in(site))())[1]["status"] == "success"
    gateway.pay(*session_ids(site))
    return site


def poll_is_due(site: Site) -> None:
    with site.db.write_session() as session:
        session.execute(update(Payment).values(poll_at=datetime.now(UTC)))


async def test_what_was_paid_while_nothing_was_heard_is_settled_by_polling(paid_unheard):
    assert states(paid_unheard) == [("placed", "open")]
    poll_is_due(paid_unheard)
    await until(lambda: states(paid_unheard) == [("paid", "paid")])


async def test_without_polling_it_stays_unpaid(paid_unheard, monkeypatch):
    """The negative control."""
    rounds: list[str] = []
    monkeypatch.setattr(polling, "lease_due", lambda *_: rounds.append("none is due") or [])
    poll_is_due(paid_unheard)
    await until(lambda: len(rounds) >= 3)
    assert states(paid_unheard) == [("placed", "open")]


def test_polls_after_an_outage_come_within_a_minute():
    """A payment of which the gateway could say nothing is due after `RETRY`, and then waits for the next poll."""
    assert polling.RETRY + timedelta(seconds=PERIODIC[Task.POLL_PAYMENTS].every_s) < timedelta(minutes=1)


async def test_without_the_mail_server_an_order_is_paid_and_its_mail_follows(open_checkout, gateway, monkeypatch):
    monkeypatch.setattr(inline_outbox, "EVERY_S", 0.02)
    monkeypatch.setattr(inline_outbox, "PAUSE_S", 0.02)
    async with mail_sink() as sink:
        address, tries, open_server = ["smtp://127.0.0.1:1"], [], MailAccount.open_server

        def open_at_address(account: MailAccount) -> MailServer:
            tries.append(account)
            return open_server(replace(account, url=address[0]))

        monkeypatch.setattr(MailAccount, "open_server", open_at_address)
        site = await open_checkout(SMTP_URL=sink.url)
        press = await fill_in(site)
        code = (await press())[1]["code"]
        gateway.pay(*session_ids(site))
        assert (await press.who.learner.get(f"orders/{code}/status"))[1]["state"] == "paid"
        await until(lambda: len(tries) >= 3)
        assert (sink.recipients, mails(site)) == ([], [("mail.order_paid", 0, False)])
        address[0] = sink.url
        await until(lambda: mails(site) == [("mail.order_paid", 1, True)])
        assert sink.recipients == ["ada@example.test"]


def mails(site: Site) -> list[tuple[str, int, bool]]:
    """The kind of every mail, its attempts, and whether it was sent."""
    with site.db.read_session() as session:
        rows = session.scalars(select(Outbox).where(Outbox.topic == "mail").order_by(Outbox.id))
        return [(row.kind, row.attempts, row.done_at is not None) for row in rows]
