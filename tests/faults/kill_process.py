"""Steps of selling and learning, each in a child process that a fault point may kill (tests/support/children.py).

A job has: `form` (host or worker), `step`, `point` ("": none), the database's `url`, the gateway's `origin`, the mail
server's `smtp`, and `about`: what the step needs.
"""

import asyncio
import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from unittest.mock import patch

from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from sqlalchemy import make_url, select
from sqlalchemy.orm import Session

from adapters import mail
from adapters.mail import MailAccount
from adapters.outbox import handle_rows
from adapters.payments import opening, sdk, settling
from adapters.payments.runner import PaymentRunner
from adapters.payments.stripe_gateway import StripeGateway
from config.settings import Settings
from contracts.tasks import Topic
from domain import fault_points
from domain.database.database import Database
from domain.learning import progress
from domain.learning.progress_merge import ProgressChange
from domain.payments import gateway_events
from domain.payments.attempts import PaymentRef
from domain.payments.gateway import GatewayAccount
from domain.tables import Enrolment
from host.api import registry
from host.api.learning.progress import put_progress
from host.api.webhooks import payments as webhook
from host.app_keys import DATABASE, SETTINGS
from host.messaging.gateway_event_queue import GATEWAY_EVENT_QUEUE, GatewayEventQueue
from host.messaging.inline_outbox import InlineOutbox
from host.messaging.inline_payments import InlinePayments
from host.messaging.outbox_wake import OUTBOX_WAKER, InlineWaker
from host.messaging.payment_gateway import HOST_GATEWAY, HostGateway
from host.rate_limits.limiter import LIMITER, Limiter
from tests.adapters.payments.world import SHOP
from tests.domain.orders import selling
from tests.standins.payments.shop import KEY, SECRET


@dataclass(frozen=True)
class World:
    """What a step works with."""

    db: Database
    account: GatewayAccount
    mail: MailAccount
    about: dict[str, Any]

    @property
    def ref(self) -> PaymentRef:
        return PaymentRef(*self.about["ref"])

    @property
    def runner(self) -> PaymentRunner:
        return PaymentRunner(self.db, self.account, selling.SETTINGS)


async def open_page(world: World) -> None:
    gateway = StripeGateway(world.account)
    await opening.open_page(world.db, gateway, world.about["learner"], world.about["order"], SHOP)
    await gateway.close()


async def receive_event(world: World) -> None:
    """The webhook of the host gets what the gateway has sent, one after the other."""
    async with webhook_client(world) as client:
        for event in world.about["events"]:
            await deliver(client, *event)


async def receive_group(world: World) -> None:
    """The webhook of the host gets what the gateway has sent, all at once: one transaction stores it."""
    async with webhook_client(world) as client:
        await asyncio.gather(*(deliver(client, *event) for event in world.about["events"]))


async def receive_torn_group(world: World) -> None:
    """The process is killed when the events of a transaction are written, and their rows of the outbox are not."""
    with patch.object(gateway_events.outbox_queue, "enqueue_all", kill_self):
        await receive_group(world)


async def receive_split_group(world: World) -> None:
    """The negative control: a host that commits the events before it writes their rows of the outbox."""

    def commit_and_die(session: Session, *_: object) -> None:
        session.commit()
        kill_self()

    with patch.object(gateway_events.outbox_queue, "enqueue_all", commit_and_die):
        await receive_group(world)


def kill_self(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def deliver(client: TestClient[Any, Any], body: str, header: str) -> None:
    answer = await client.post(webhook.PATH, data=body.encode(), headers={webhook.SIGNATURE: header})
    assert answer.status == 200, await answer.text()


def webhook_client(world: World) -> TestClient[Any, Any]:
    app = web.Application()
    gateway = app[HOST_GATEWAY] = HostGateway(world.account)
    app[DATABASE], app[GATEWAY_EVENT_QUEUE] = world.db, GatewayEventQueue(world.db, gateway.name)
    app[OUTBOX_WAKER], app[SETTINGS] = InlineWaker(None, None, None), Settings.from_environment({})
    app.router.add_post(webhook.PATH, webhook.receive)
    return TestClient(TestServer(app))


async def add_missed_events(world: World) -> None:
    await asyncio.to_thread(world.runner.add_missed_events)


async def retrieve(world: World) -> None:
    gateway = StripeGateway(world.account)
    await settling.retrieve(world.db, gateway, world.ref, SHOP)
    await gateway.close()


async def poll(world: World) -> None:
    await asyncio.to_thread(world.runner.poll)


async def handle_inline(world: World) -> None:
    payments = InlinePayments(world.runner)
    payments.wake()
    await payments._iterate()


async def handle_in_worker(world: World) -> None:
    await asyncio.to_thread(world.runner.handle_rows)


async def mail_inline(world: World) -> None:
    outbox = InlineOutbox(world.db, world.mail)
    outbox.wake(Topic.MAIL)
    await outbox._send()


async def mail_in_worker(world: World) -> None:
    with world.mail.open_server() as server:
        handle_rows(world.db, Topic.MAIL, server, mail.handlers(world.db, world.mail))


async def send_progress(world: World) -> None:
    """The host gets what a learner's browser has recorded."""
    app = web.Application()
    app[DATABASE], app[SETTINGS] = world.db, Settings.from_environment({"LIMITS": "off"})
    app[LIMITER], app[OUTBOX_WAKER] = Limiter(None, enabled=False), InlineWaker(None, None, None)
    app.router.add_put("/api/{name:.+}", registry.answer)
    assert put_progress in [call.handler for call in registry.CALLS.values()]
    async with TestClient(TestServer(app)) as client:
        call = {"json": world.about["message"], "headers": world.about["headers"]}
        answer = await client.put("/api/learning/progress", **call)
        assert answer.status == 200, await answer.text()


async def send_added_progress(world: World) -> None:
    """The negative control: a host that adds what a message finishes to what is done, and counts nothing anew."""
    record = progress.record

    def record_and_add(session: Session, learner_id: int, changes: Sequence[ProgressChange], now: datetime) -> object:
        before = session.scalars(select(Enrolment.done_lessons)).one()
        courses = record(session, learner_id, changes, now)
        session.scalars(select(Enrolment)).one().done_lessons = before + len(changes)
        return courses

    with patch.object(progress, "record", record_and_add):
        await send_progress(world)


STEPS = {
    ("host", "open"): open_page,
    ("host", "event"): receive_event,
    ("host", "group"): receive_group,
    ("host", "torn group"): receive_torn_group,
    ("host", "split group"): receive_split_group,
    ("worker", "event"): add_missed_events,
    ("host", "settle"): retrieve,
    ("worker", "settle"): poll,
    ("host", "refund"): handle_inline,
    ("worker", "refund"): handle_in_worker,
    ("host", "email"): mail_inline,
    ("worker", "email"): mail_in_worker,
    ("host", "progress"): send_progress,
    ("host", "added progress"): send_added_progress,
}


async def run(job: dict[str, Any]) -> None:
    account = GatewayAccount(job["origin"], KEY, (SECRET,), job["origin"], (), 20.0)
    site = {"ca_file": "", "site_name": "Meridian Learning", "site_email": "hello@shop.example"}
    db = Database(make_url(job["url"]), deadline_s=30, busy_ms=30_000)
    world = World(db, account, MailAccount(job["smtp"], **site), job["about"])
    fault_points.arm(job["point"])
    await STEPS[job["form"], job["step"]](world)
    await db.close()


def take_step(**job: Any) -> None:
    asyncio.run(run(job))


def prepare() -> None:
    """The library of the gateway is imported once for all children."""
    sdk.import_sdk()
