"""A worker that is killed while it sends a mail delays that mail alone, and sends no mail twice that was accepted
and committed."""

import asyncio
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import redis
from sqlalchemy import update

from contracts.redis_keys import TOPIC_LOCK
from contracts.tasks import Topic
from domain.database.database import Database
from domain.tables import Outbox
from standins.mail import Mail
from tests.support.servers import Process
from tests.support.smtp import MailSink
from tests.support.waiting import until
from tests.workers.test_mail import rows, send, sink, states, store_message

__all__ = ["sink"]

SLOW, OTHERS = "slow@example.test", ["first@example.test", "second@example.test", "third@example.test"]


class MailProcess(Process):
    def start(self, database: Database, redis_url: str, smtp_url: str, way: str) -> None:
        address = database.url.render_as_string(hide_password=False).replace("mysql+pymysql", "mysql").partition("?")[0]
        command = (sys.executable, "-m", "tests.workers.mail_process", *([way] if way else []))
        self._run(*command, DATABASE_URL=address, REDIS_URL=redis_url, SMTP_URL=smtp_url)

    def has_ended(self) -> bool:
        return self._process is not None and self._process.poll() is not None


@pytest.fixture
def worker() -> Iterator[MailProcess]:
    process = MailProcess()
    yield process
    process.close()


async def kill_while_sending(worker: MailProcess, sink: MailSink, database: Database, redis_url: str, way: str) -> None:
    """The worker has sent the first mail and the text of the slow one, which the server has not accepted, and dies."""
    arrived, released = threading.Event(), threading.Event()

    def hold(_mail: Mail) -> None:
        arrived.set()
        released.wait()
        raise ConnectionResetError

    sink.on_text[SLOW] = hold
    for address in (OTHERS[0], SLOW, *OTHERS[1:]):
        store_message(database, address)
    worker.start(database, redis_url, sink.url, way)
    await until(arrived.is_set)
    worker.kill()
    released.set()
    del sink.on_text[SLOW]


async def test_the_others_leave_while_the_killed_workers_row_is_leased(worker, sink, database, redis_server):
    await kill_while_sending(worker, sink, database, redis_server.url, way="")

    async def others_left() -> bool:
        await send()
        return sink.recipients == OTHERS

    # Until the killed worker's lock of the topic has expired. A slow run begins no more rows after 4 s.
    await until(others_left, every_s=0.1)
    assert states(database) == ["done", "waiting", "done", "done"]
    leased_until = rows(database)[1].leased_until
    assert leased_until is not None
    assert leased_until > datetime.now(UTC)
    with database.write_session() as session:
        # A minute later.
        session.execute(update(Outbox).where(Outbox.leased_until == leased_until).values(next_at=datetime.now(UTC)))
    assert (await send(), sink.recipients, rows(database)[1].attempts) == (1, [*OTHERS, SLOW], 2)


async def test_a_worker_that_leases_all_rows_at_once_holds_the_others_up(worker, sink, database, redis_server):
    """The negative control: none of the rows behind the slow one can be sent."""
    await kill_while_sending(worker, sink, database, redis_server.url, way="group")
    with redis.Redis.from_url(redis_server.url) as client:
        client.delete(TOPIC_LOCK + Topic.MAIL)
    assert (await send(), sink.recipients) == (0, OTHERS[:1])


async def test_a_worker_killed_between_acceptance_and_commit_sends_the_mail_twice(worker, sink, database, redis_server):
    """The one case that cannot be avoided: docs/decisions/0022. Both mails have the same Message-ID."""
    store_message(database, SLOW)
    worker.start(database, redis_server.url, sink.url, "commit")
    await until(worker.has_ended)
    worker.kill()
    assert (sink.recipients, states(database)) == ([SLOW], ["waiting"])
    with redis.Redis.from_url(redis_server.url) as client:
        client.delete(TOPIC_LOCK + Topic.MAIL)
    with database.write_session() as session:
        session.execute(update(Outbox).values(next_at=datetime.now(UTC)))
    assert (await send(), await send()) == (1, 0)
    assert (sink.recipients, states(database)) == ([SLOW, SLOW], ["done"])
    assert len({mail.message_id for mail in sink.received}) == 1


async def test_workers_side_by_side_send_every_mail_once(sink, database, redis_server):
    """Their lock in Redis is removed all the time: only the leases keep them apart."""
    addresses = [f"learner{number}@example.test" for number in range(24)]
    for address in addresses:
        store_message(database, address)
    workers = [MailProcess() for _ in range(2)]
    try:
        for process in workers:
            process.start(database, redis_server.url, sink.url, "")
        with redis.Redis.from_url(redis_server.url) as client:
            while "waiting" in states(database):
                client.delete(TOPIC_LOCK + Topic.MAIL)
                await asyncio.sleep(0.05)
    finally:
        for process in workers:
            process.close()
    assert sorted(sink.recipients) == sorted(addresses)
