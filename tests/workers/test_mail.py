"""What the outbox holds goes out by mail, once; what cannot go now waits."""

import asyncio
import smtplib
from email import message_from_bytes, policy

import pytest
import redis
from sqlalchemy import select

from domain import contact
from domain.db import Database
from domain.tables import Outbox
from standins import mail
from tests.factories import NOON
from workers import mail as tasks


@pytest.fixture
async def sink(monkeypatch, redis_server, database):
    """What a mail server took from the task, which works on this test's records."""
    taken: list[mail.Mail] = []
    server = await mail.serve("127.0.0.1", 0, taken.append)
    monkeypatch.setenv("SMTP_URL", f"smtp://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    monkeypatch.setattr(tasks, "database", lambda: database)
    yield taken
    server.close()
    await server.wait_closed()


def wrote(database: Database, subject: str = "A question") -> None:
    values = {"name": "Ada", "email": "ada@example.test", "subject": subject, "message": "Is there a course on owls?"}
    with database.session() as session:
        contact.store(session, values, NOON)


def open_rows(database: Database) -> int:
    with database.reading() as session:
        return len(list(session.scalars(select(Outbox).where(Outbox.done_at.is_(None)))))


async def test_a_contact_message_is_confirmed_once(sink, database):
    wrote(database)
    assert await asyncio.to_thread(tasks.sweep) == 1
    assert await asyncio.to_thread(tasks.sweep) == 0
    assert [(one.to, one.subject) for one in sink] == [("ada@example.test", "We received your message: A question")]
    assert "Is there a course on owls?" in sink[0].text
    assert open_rows(database) == 0


async def test_what_a_visitor_typed_does_not_become_a_header(sink, database):
    wrote(database, "Hello\r\nBcc: all@example.test")
    await asyncio.to_thread(tasks.sweep)
    assert [(one.to, one.subject) for one in sink] == [
        ("ada@example.test", "We received your message: Hello Bcc: all@example.test")
    ]


@pytest.mark.parametrize("url", ["", "smtp://127.0.0.1:1"])
async def test_without_a_mail_server_it_waits(sink, database, monkeypatch, url):
    monkeypatch.setenv("SMTP_URL", url)
    wrote(database)
    assert await asyncio.to_thread(tasks.sweep) == 0
    assert open_rows(database) == 1


async def test_while_another_sweep_runs_nothing_is_sent_twice(sink, database, redis_server):
    wrote(database)
    with redis.Redis.from_url(redis_server.url) as client:
        client.set(tasks.TURN_KEY, "1")
        assert await asyncio.to_thread(tasks.sweep) == 0
        client.delete(tasks.TURN_KEY)
    assert await asyncio.to_thread(tasks.sweep) == 1


async def test_an_address_that_is_refused_is_not_tried_for_ever(sink, database, monkeypatch):
    def refuse(*_about):
        raise smtplib.SMTPRecipientsRefused({"ada@example.test": (550, b"nobody")})

    monkeypatch.setattr(smtplib.SMTP, "send_message", refuse)
    wrote(database)
    await asyncio.to_thread(tasks.sweep)
    assert (sink, open_rows(database)) == ([], 0)


def test_a_mail_sent_twice_can_be_told_by_its_number():
    found = tasks.written(tasks.Letter(7, "ada@example.test", "Grüße", "Text"))
    again = message_from_bytes(found.as_bytes(), policy=policy.default)
    assert (again["Message-ID"], again["Subject"]) == ("<outbox-7@meridian-learning.example>", "Grüße")
