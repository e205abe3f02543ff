"""Without a broker the host sends the mails of the outbox itself."""

import logging
from dataclasses import replace

import pytest
from sqlalchemy import select

from adapters.mail import MailAccount
from adapters.mail_server import MailServer
from domain.tables import Outbox
from host.messaging import inline_outbox
from host.resilience.loop_keys import LOOPS
from tests.host.site import Site
from tests.support.smtp import mail_sink
from tests.support.waiting import until

MESSAGE = {
    "name": "Ada",
    "email": "ada@example.test",
    "subject": "A question",
    "message": "Is there a course on owls?",
    "website": "",
}


async def send_message(site: Site) -> None:
    async with site.client.post("/api/contact", json=MESSAGE) as answer:
        assert answer.status == 202


def is_done(site: Site) -> bool:
    with site.db.read_session() as session:
        return session.scalars(select(Outbox)).one().done_at is not None


@pytest.fixture
def only_wake(monkeypatch):
    """Only `wake` begins a run: the next regular one would be too late for the test."""
    monkeypatch.setattr(inline_outbox, "EVERY_S", 3600)


async def test_a_mail_leaves_at_once_without_a_broker(open_site, only_wake):
    async with mail_sink() as sink:
        site = await open_site(SMTP_URL=sink.url)
        await send_message(site)
        await until(lambda: is_done(site))
        assert [(mail.to, mail.subject) for mail in sink.received] == [
            ("ada@example.test", "We received your message: A question")
        ]


async def test_a_mail_leaves_at_once_without_a_broker_on_mariadb(open_site, mariadb_shop_url, only_wake):
    async with mail_sink() as sink:
        site = await open_site(SMTP_URL=sink.url, DATABASE_URL=mariadb_shop_url)
        await send_message(site)
        await until(lambda: is_done(site))
        assert sink.recipients == ["ada@example.test"]


async def test_a_mail_leaves_when_its_server_is_back(open_site, monkeypatch):
    monkeypatch.setattr(inline_outbox, "EVERY_S", 0.02)
    monkeypatch.setattr(inline_outbox, "PAUSE_S", 0.02)
    tries = []
    open_server = MailAccount.open_server

    def refuse_twice(account: MailAccount) -> MailServer:
        tries.append(account)
        return open_server(replace(account, url="smtp://127.0.0.1:1") if len(tries) < 3 else account)

    monkeypatch.setattr(MailAccount, "open_server", refuse_twice)
    async with mail_sink() as sink:
        site = await open_site(SMTP_URL=sink.url)
        await send_message(site)
        await until(lambda: len(tries) >= 3)
        await until(lambda: is_done(site))
        assert [loop.restarts for loop in site.app[LOOPS] if loop.name == "sending mail"] == [0]


async def test_without_a_broker_and_a_mail_server_the_host_says_that_no_mail_is_sent(open_site, caplog):
    with caplog.at_level(logging.WARNING):
        site = await open_site(SMTP_URL="")
    assert "SMTP_URL is not set: no mail is sent, mails wait in the outbox" in caplog.messages
    await send_message(site)
    assert not is_done(site)
