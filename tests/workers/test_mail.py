"""Mails of the outbox are sent once; mails that cannot be sent now wait."""

import asyncio
import smtplib
from email import message_from_bytes, policy

import pytest
import redis
from sqlalchemy import select, update

from contracts.redis_keys import FORMER_MAIL_LOCK, MAIL_LOCK
from domain import contact
from domain.database.database import Database
from domain.tables import Outbox
from standins import mail
from tests.support.factories import NOON
from workers import mail as tasks


@pytest.fixture
async def sink(monkeypatch, redis_server, database):
    """The mails that a mail server received from the task, which uses this test's database."""
    received: list[mail.Mail] = []
    server = await mail.serve("127.0.0.1", 0, received.append)
    monkeypatch.setenv("SMTP_URL", f"smtp://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    monkeypatch.setattr(tasks, "database", lambda: database)
    yield received
    server.close()
    await server.wait_closed()


def store_message(database: Database, subject: str = "A question") -> None:
    values = {"name": "Ada", "email": "ada@example.test", "subject": subject, "message": "Is there a course on owls?"}
    with database.write_session() as session:
        contact.store_message(session, values, NOON)


def open_rows(database: Database) -> int:
    with database.read_session() as session:
        return len(list(session.scalars(select(Outbox).where(Outbox.done_at.is_(None)))))


async def test_a_contact_message_is_confirmed_once(sink, database):
    store_message(database)
    assert await asyncio.to_thread(tasks.send_pending) == 1
    assert await asyncio.to_thread(tasks.send_pending) == 0
    assert [(received.to, received.subject) for received in sink] == [
        ("ada@example.test", "We received your message: A question")
    ]
    assert "Is there a course on owls?" in sink[0].text
    assert open_rows(database) == 0


async def test_what_a_visitor_typed_does_not_become_a_header(sink, database):
    store_message(database, "Hello\r\nBcc: all@example.test")
    await asyncio.to_thread(tasks.send_pending)
    assert [(received.to, received.subject) for received in sink] == [
        ("ada@example.test", "We received your message: Hello Bcc: all@example.test")
    ]


@pytest.mark.parametrize("url", ["", "smtp://127.0.0.1:1"])
async def test_without_a_mail_server_it_waits(sink, database, monkeypatch, url):
    monkeypatch.setenv("SMTP_URL", url)
    store_message(database)
    assert await asyncio.to_thread(tasks.send_pending) == 0
    assert open_rows(database) == 1


@pytest.mark.parametrize("lock", [MAIL_LOCK, FORMER_MAIL_LOCK])
async def test_nothing_is_sent_while_another_run_sends(sink, database, redis_server, lock):
    store_message(database)
    with redis.Redis.from_url(redis_server.url) as client:
        client.set(lock, "1")
        assert await asyncio.to_thread(tasks.send_pending) == 0
        client.delete(lock)
    assert await asyncio.to_thread(tasks.send_pending) == 1


@pytest.mark.parametrize("newer", [{"task": "mail.order"}, {"body": {"v": 2, "message_id": 1}}])
async def test_a_mail_that_only_a_newer_worker_can_send_waits(sink, database, newer):
    store_message(database)
    with database.write_session() as session:
        session.execute(update(Outbox).values(**newer))
    assert await asyncio.to_thread(tasks.send_pending) == 0
    assert (sink, open_rows(database)) == ([], 1)


async def test_a_refused_address_is_not_tried_again(sink, database, monkeypatch):
    def refuse(*_arguments):
        raise smtplib.SMTPRecipientsRefused({"ada@example.test": (550, b"nobody")})

    monkeypatch.setattr(smtplib.SMTP, "send_message", refuse)
    store_message(database)
    await asyncio.to_thread(tasks.send_pending)
    assert (sink, open_rows(database)) == ([], 0)


def test_a_mail_has_the_number_of_its_outbox_row_in_its_message_id():
    message = tasks.message_of(tasks.OutgoingMail(7, "ada@example.test", "Grüße", "Text"), "hello@shop.example")
    again = message_from_bytes(message.as_bytes(), policy=policy.default)
    assert (again["Message-ID"], again["Subject"]) == ("<outbox-7@shop.example>", "Grüße")
