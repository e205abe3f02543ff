"""Mails of the outbox are sent once. One that the server does not take delays no other."""

import asyncio
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy

import pytest
import redis
from sqlalchemy import select, update

from adapters import mail, mail_server
from contracts.redis_keys import TOPIC_LOCK, TOPIC_PAUSE
from contracts.tasks import Topic
from domain import contact
from domain.database.database import Database
from domain.mail import MailSite, OutgoingMail
from domain.tables import ContactMessage, Outbox
from tests.support.smtp import mail_sink
from workers import mail as tasks
from workers import outbox

OTHERS = ["first@example.test", "last@example.test"]


@pytest.fixture
async def sink(monkeypatch, redis_server, database):
    """A mail server for the task, which uses this test's database and Redis."""
    async with mail_sink() as running:
        monkeypatch.setenv("SMTP_URL", running.url)
        monkeypatch.setenv("REDIS_URL", redis_server.url)
        for module in (tasks, outbox):
            monkeypatch.setattr(module, "database", lambda: database)
        yield running


def store_message(database: Database, email: str = "ada@example.test", subject: str = "A question") -> None:
    values = {"name": "Ada", "email": email, "subject": subject, "message": "Is there a course on owls?"}
    with database.write_session() as session:
        contact.store_message(session, values, datetime.now(UTC))


def store_between_others(database: Database, email: str) -> None:
    for address in (OTHERS[0], email, OTHERS[1]):
        store_message(database, address)


async def send() -> int:
    return await asyncio.to_thread(tasks.send_pending)


def rows(database: Database) -> list[Outbox]:
    with database.read_session() as session:
        return list(session.scalars(select(Outbox).order_by(Outbox.id)))


def states(database: Database) -> list[str]:
    return ["done" if row.done_at else "dead" if row.dead_at else "waiting" for row in rows(database)]


@pytest.mark.each_database
async def test_a_contact_message_is_confirmed_once(sink, database):
    store_message(database)
    assert (await send(), await send()) == (1, 0)
    assert [(mail.to, mail.subject) for mail in sink.received] == [
        ("ada@example.test", "We received your message: A question")
    ]
    assert "Is there a course on owls?" in sink.received[0].text
    assert states(database) == ["done"]


async def test_what_a_visitor_typed_does_not_become_a_header(sink, database):
    store_message(database, subject="Hello\r\nBcc: all@example.test")
    await send()
    assert [(mail.to, mail.subject) for mail in sink.received] == [
        ("ada@example.test", "We received your message: Hello Bcc: all@example.test")
    ]


@pytest.mark.parametrize("address", ["a@[b.c", "ü@x.com", "nobody", "a@b.co\r\nRCPT TO:<all@example.test>"])
async def test_an_address_that_no_server_takes_stops_no_other_mail(sink, database, address):
    store_between_others(database, address)
    assert await send() == 2
    assert (sink.recipients, states(database)) == (OTHERS, ["done", "dead", "done"])


@pytest.mark.parametrize(
    ("refusal", "state", "attempts"), [("550 nobody here", "dead", 1), ("450 try later", "waiting", 0)]
)
async def test_a_refused_mail_stops_no_other(sink, database, refusal, state, attempts):
    sink.refusals["ada@example.test"] = refusal
    store_between_others(database, "ada@example.test")
    assert await send() == 2
    assert (sink.recipients, states(database), sink.connections) == (OTHERS, ["done", state, "done"], 1)
    row = rows(database)[1]
    assert (row.attempts, row.error) == (attempts, f"the mail server answered {refusal}")


async def test_after_a_broken_connection_the_others_leave_over_a_new_one(sink, database):
    sink.refusals["ada@example.test"] = None
    store_between_others(database, "ada@example.test")
    assert await send() == 2
    assert (sink.recipients, states(database), sink.connections) == (OTHERS, ["done", "waiting", "done"], 2)
    assert rows(database)[1].attempts == 0


async def test_a_mail_that_was_not_confirmed_counts_as_an_attempt(sink, database):
    def break_off(_mail: object) -> None:
        raise ConnectionResetError

    sink.on_text["ada@example.test"] = break_off
    store_between_others(database, "ada@example.test")
    assert await send() == 2
    assert (sink.recipients, states(database), rows(database)[1].attempts) == (OTHERS, ["done", "waiting", "done"], 1)


async def test_a_domain_with_umlauts_is_sent_to_in_ascii(sink, database):
    store_message(database, "ada@bücher.example")
    await send()
    assert sink.recipients == ["ada@xn--bcher-kva.example"]


@pytest.mark.parametrize(
    ("age", "wait"),
    [
        (timedelta(0), timedelta(minutes=1)),
        (timedelta(minutes=10), timedelta(minutes=10)),
        (timedelta(hours=5), timedelta(hours=1)),
        (timedelta(hours=73), None),
    ],
)
async def test_a_mail_refused_for_now_waits_longer_each_time_and_is_given_up_after_72_hours(sink, database, age, wait):
    sink.refusals["ada@example.test"] = "450 try later"
    store_message(database)
    began = datetime.now(UTC)
    with database.write_session() as session:
        session.execute(update(Outbox).values(created_at=began - age))
    await send()
    row = rows(database)[0]
    if wait is None:
        assert row.error == "given up after 72 hours: the mail server answered 450 try later"
    assert (row.next_at is None) == (wait is None) == (row.dead_at is not None)
    if row.next_at is not None and wait is not None:
        assert began + wait <= row.next_at <= datetime.now(UTC) + wait + (datetime.now(UTC) - began)


async def test_without_a_mail_server_a_mail_waits_and_the_topic_pauses(sink, database, monkeypatch, redis_server):
    store_message(database)
    monkeypatch.setenv("SMTP_URL", "smtp://127.0.0.1:1")
    assert await send() == 0
    assert (states(database), rows(database)[0].attempts) == (["waiting"], 0)
    monkeypatch.setenv("SMTP_URL", sink.url)
    assert await send() == 0
    with redis.Redis.from_url(redis_server.url) as client:
        assert 20_000 < client.pttl(TOPIC_PAUSE + Topic.MAIL) <= 30_000
        client.delete(TOPIC_PAUSE + Topic.MAIL)
    assert await send() == 1


async def test_without_the_setting_a_mail_waits(sink, database, monkeypatch):
    store_message(database)
    monkeypatch.setenv("SMTP_URL", "")
    assert (await send(), states(database), rows(database)[0].attempts) == (0, ["waiting"], 0)


async def test_only_the_owner_removes_the_lock_of_a_topic(sink, database, redis_server):
    store_message(database)
    with redis.Redis.from_url(redis_server.url, decode_responses=True) as client:
        client.set(TOPIC_LOCK + Topic.MAIL, "another")
        assert (await send(), client.get(TOPIC_LOCK + Topic.MAIL)) == (0, "another")
        client.delete(TOPIC_LOCK + Topic.MAIL)
        sink.on_text["ada@example.test"] = lambda _mail: client.set(TOPIC_LOCK + Topic.MAIL, "the next")
        assert (await send(), client.get(TOPIC_LOCK + Topic.MAIL)) == (1, "the next")
        client.delete(TOPIC_LOCK + Topic.MAIL)
        store_message(database, "eve@example.test")
        assert (await send(), client.get(TOPIC_LOCK + Topic.MAIL)) == (1, None)


@pytest.mark.parametrize("newer", [{"kind": "mail.order"}, {"body": {"v": 2, "message_id": 1}}])
async def test_a_mail_that_only_a_newer_worker_can_send_waits_uncounted(sink, database, newer):
    store_between_others(database, "ada@example.test")
    with database.write_session() as session:
        session.execute(update(Outbox).where(Outbox.id == rows(database)[1].id).values(**newer))
    assert await send() == 2
    assert (sink.recipients, states(database)) == (OTHERS, ["done", "waiting", "done"])
    assert rows(database)[1].attempts == 0


async def test_a_mail_whose_message_was_deleted_is_done(sink, database):
    store_message(database)
    with database.write_session() as session:
        session.delete(session.scalars(select(ContactMessage)).one())
    await send()
    assert (sink.received, states(database)) == ([], ["done"])


async def test_a_server_that_never_answers_is_left_after_the_deadline(sink, database, monkeypatch):
    """It sends a byte now and then, so that no single read times out."""
    monkeypatch.setattr(mail_server, "SEND_S", 0.3)
    store_between_others(database, "ada@example.test")
    drips: list[asyncio.Task[None]] = []

    async def drip(writer: asyncio.StreamWriter) -> None:
        while not writer.is_closing():
            writer.write(b"250-wait\r\n")
            await asyncio.sleep(0.01)

    sink.refusals["ada@example.test"] = "250-wait"
    sink.on_refusal = lambda writer: drips.append(asyncio.ensure_future(drip(writer)))
    assert await send() == 2
    assert (sink.recipients, states(database)) == (OTHERS, ["done", "waiting", "done"])
    for task in drips:
        task.cancel()


def test_a_mail_has_the_number_of_its_outbox_row_in_its_message_id():
    site = MailSite("Shop", "https://shop.example", "")
    values = {"site": site, "name": "Ada", "subject": "Grüße", "message": "Text"}
    outgoing = OutgoingMail(7, "ada@example.test", "contact_confirmation", values, is_reply=True)
    message = mail.message_of(outgoing, "hello@shop.example", "ada@example.test")
    again = message_from_bytes(message.as_bytes(), policy=policy.default)
    assert again["Auto-Submitted"] == "auto-replied"
    assert (again["Message-ID"], again["Subject"]) == ("<outbox-7@shop.example>", "We received your message: Grüße")


def test_a_mail_that_answers_nobody_says_that_it_was_made_by_itself():
    finding = {"text": "A charge.", "order_code": None, "count": 1}
    outgoing = OutgoingMail(8, "staff@shop.example", "finding", {"site": MailSite("Shop", "", ""), "finding": finding})
    assert mail.message_of(outgoing, "hello@shop.example", "staff@shop.example")["Auto-Submitted"] == "auto-generated"
