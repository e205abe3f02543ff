"""/metrics of a Celery worker: what all processes of its pool did, read over HTTP."""

import re
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.error import URLError
from uuid import uuid4

import orjson
import pytest
import redis
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample
from ruamel.yaml import YAML

from config.settings import ROOT
from contracts.payloads import DescribeCode, VisitBatch, encode
from contracts.redis_keys import BATCHES, BATCHES_SINCE
from contracts.tasks import Queue, Task
from domain import contact
from domain.visits.batches import COLUMNS, row_of
from domain.visits.visits import NewVisit
from host.messaging.reply_channel import encode_message
from tests.support.factories import NOON
from tests.support.servers import CeleryWorker, RedisServer, free_port
from tests.support.smtp import mail_sink
from tests.support.waiting import LIMIT_S, until

RULES = YAML(typ="safe").load((ROOT / "docs" / "alert-rules.yml").read_text("utf-8"))["groups"][0]["rules"]
EXPECTED = {
    ("tasks_total", "success", "visits.store_batches"): 1,
    ("tasks_total", "success", "coupons.describe"): 2,
    ("tasks_total", "expired", "coupons.describe"): 1,
    ("tasks_total", "success", "mail.send_pending"): 1,
    ("calls_late_total", "coupons.describe"): 2,
    ("visits_stored_total",): 3,
    ("outbox_rows_total", "done", "mail"): 2,
    ("task_seconds_count", "visits.store_batches"): 1,
    ("queue_seconds_count", "visits.batches"): 1,
}
Samples = dict[tuple[object, ...], float]


def read(port: int) -> Samples:
    """(name without prefix, *values of labels by their names) -> value; nothing while the worker starts."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=LIMIT_S) as answer:
            families = list(text_string_to_metric_families(answer.read().decode()))
    except (URLError, ConnectionError):
        return {}
    rows = [row for family in families for row in family.samples]
    return {(_name(row), *(value for _, value in sorted(row.labels.items()))): row.value for row in rows}


def _name(row: Sample) -> str:
    return row.name.removeprefix("coursefront_worker_")


def send(broker: redis.Redis, task: Task, payload: dict, lasts_s: float = 60) -> None:
    message = encode_message(task, payload, str(uuid4()), "", datetime.now(UTC) + timedelta(seconds=lasts_s))
    broker.lpush(task.queue, message)


@pytest.fixture
def broker(redis_server: RedisServer) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(redis_server.url) as client:
        yield client


def send_visits(broker: redis.Redis) -> None:
    rows = [row_of(NewVisit(str(uuid4()), NOON.isoformat(), url="/shop")) for _ in range(3)]
    broker.hset(BATCHES, "a-batch", orjson.dumps(encode(VisitBatch(columns=list(COLUMNS), rows=rows))))
    broker.zadd(BATCHES_SINCE, {"a-batch": 1})
    send(broker, Task.STORE_VISIT_BATCHES, {})


def call(deadline: datetime) -> dict:
    return encode(DescribeCode(code="SPRING", at=NOON.isoformat(), deadline=deadline.isoformat()))


async def test_a_worker_shows_what_the_processes_of_its_pool_did(broker, redis_server, sqlite_database, tmp_path: Path):
    with sqlite_database.write_session() as session:
        values = {"name": "Ada", "email": "ada@example.test", "subject": "A question", "message": "Where are the owls?"}
        for _ in range(2):
            contact.store_message(session, values, datetime.now(UTC))
    worker, port = CeleryWorker(), free_port()
    later, earlier = datetime.now(UTC) + timedelta(minutes=1), datetime.now(UTC) - timedelta(seconds=1)
    async with mail_sink() as sink:
        settings = {
            "DATABASE_URL": sqlite_database.url.render_as_string(),
            "WORKER_METRICS_PORT": str(port),
            "SMTP_URL": sink.url,
        }
        worker.start(redis_server.url, Queue, "prefork", VAR_DIR=str(tmp_path), **settings)
        try:
            send_visits(broker)
            send(broker, Task.DESCRIBE_CODE, call(later))
            send(broker, Task.DESCRIBE_CODE, call(earlier))
            send(broker, Task.DESCRIBE_CODE, call(later), lasts_s=-1)
            send(broker, Task.SEND_MAIL, {})
            await until(lambda: EXPECTED.items() <= read(port).items())
            found = read(port)
        finally:
            worker.close()
    assert ("process_resident_memory_bytes",) in found
    read_by_rules = {name for rule in RULES for name in re.findall(r"coursefront_worker_(\w+)", rule["expr"])}
    assert read_by_rules - {name for name, *_ in found} == set()
    assert read_by_rules
