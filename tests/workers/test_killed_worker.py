"""A worker that is killed while it sends a mail delays that mail alone, and sends no mail twice that was accepted
and committed."""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest
import redis
from sqlalchemy import update

from contracts.redis_keys import TOPIC_LOCK
from contracts.tasks import Topic
from domain.database.database import Database
from domain.tables import Outbox
from standins.mail import Mail
from tests.support.children import Children
from tests.support.smtp import MailSink
from tests.support.waiting import until
from tests.workers import mail_process
from tests.workers.test_mail import rows, send, sink, states, store_message
from workers import outbox

__all__ = ["sink"]

SLOW, OTHERS = "slow@example.test", ["first@example.test", "second@example.test", "third@example.test"]


Start = Callable[..., int]


@pytest.fixture
def start(children: Children, database: Database, redis_server, sink: MailSink) -> Iterator[Start]:
    """Starts a worker and returns its process id. It is killed at the end unless the test has waited for it."""
    address = database.url.render_as_string(hide_password=False).replace("mysql+pymysql", "mysql").partition("?")[0]
    environment = {"DATABASE_URL": address, "REDIS_URL": redis_server.url, "SMTP_URL": sink.url}
    started = []

    def begin(way: str = "") -> int:
        started.append(children.start(mail_process.send_until_killed, environment, way=way))
        return started[-1]

    yield begin
    for pid in started:
        children.kill(pid)


async def kill_while_sending(start: Start, children: Children, sink: MailSink, database: Database, way: str) -> None:
    """The worker has sent the first mail and the text of the slow one, which the server has not accepted, and dies."""
    arrived, released = threading.Event(), threading.Event()

    def hold(_mail: Mail) -> None:
        arrived.set()
        released.wait()
        raise ConnectionResetError

    sink.on_text[SLOW] = hold
    for address in (OTHERS[0], SLOW, *OTHERS[1:]):
        store_message(database, address)
    pid = start(way)
    await until(arrived.is_set)
    children.kill(pid)
    released.set()
    del sink.on_text[SLOW]


async def test_the_others_leave_while_the_killed_workers_row_is_leased(start, children, sink, database, redis_server):
    await kill_while_sending(start, children, sink, database, way="")
    with redis.Redis.from_url(redis_server.url) as client:
        # The killed worker's lock of the topic expires by itself; here it need not be waited for.
        assert 0 < client.pttl(TOPIC_LOCK + Topic.MAIL) <= outbox.LOCK_S * 1000
        client.delete(TOPIC_LOCK + Topic.MAIL)

    async def others_left() -> bool:
        await send()
        return sink.recipients == OTHERS

    # A slow run begins no more rows after 4 s.
    await until(others_left, every_s=0.1)
    assert states(database) == ["done", "waiting", "done", "done"]
    leased_until = rows(database)[1].leased_until
    assert leased_until is not None
    assert leased_until > datetime.now(UTC)
    with database.write_session() as session:
        # A minute later.
        session.execute(update(Outbox).where(Outbox.leased_until == leased_until).values(next_at=datetime.now(UTC)))
    assert (await send(), sink.recipients, rows(database)[1].attempts) == (1, [*OTHERS, SLOW], 2)


async def test_a_worker_that_leases_all_rows_at_once_holds_the_others_up(start, children, sink, database, redis_server):
    """The negative control: none of the rows behind the slow one can be sent."""
    await kill_while_sending(start, children, sink, database, way="group")
    with redis.Redis.from_url(redis_server.url) as client:
        client.delete(TOPIC_LOCK + Topic.MAIL)
    assert (await send(), sink.recipients) == (0, OTHERS[:1])


async def test_a_worker_killed_between_acceptance_and_commit_sends_the_mail_twice(
    start, children, sink, database, redis_server
):
    """The one case that cannot be avoided: docs/decisions/0022. Both mails have the same Message-ID."""
    store_message(database, SLOW)
    assert await asyncio.to_thread(children.wait, start("commit")) == -signal.SIGKILL
    assert (sink.recipients, states(database)) == ([SLOW], ["waiting"])
    with redis.Redis.from_url(redis_server.url) as client:
        client.delete(TOPIC_LOCK + Topic.MAIL)
    with database.write_session() as session:
        session.execute(update(Outbox).values(next_at=datetime.now(UTC)))
    assert (await send(), await send()) == (1, 0)
    assert (sink.recipients, states(database)) == ([SLOW, SLOW], ["done"])
    assert len({mail.message_id for mail in sink.received}) == 1


@pytest.mark.each_database
async def test_workers_side_by_side_send_every_mail_once(start, sink, database, redis_server):
    """Their lock in Redis is removed all the time: only the leases keep them apart."""
    addresses = [f"learner{number}@example.test" for number in range(24)]
    for address in addresses:
        store_message(database, address)
    for _ in range(2):
        start()
    with redis.Redis.from_url(redis_server.url) as client:

        def all_are_sent() -> bool:
            client.delete(TOPIC_LOCK + Topic.MAIL)
            return "waiting" not in states(database)

        await until(all_are_sent)
    assert sorted(sink.recipients) == sorted(addresses)
