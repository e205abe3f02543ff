"""/metrics: every figure that alert rules and dashboards read, on a port of its own."""

import re

import pytest
import redis
from aiohttp.test_utils import TestClient, TestServer
from prometheus_client.parser import text_string_to_metric_families
from ruamel.yaml import YAML

from config.settings import ROOT
from contracts.tasks import Queue
from host.http.request_counts import RequestCounts
from host.metrics import COUNTERS, GAUGES, create_metrics_app
from host.rendering.ssr_client import SSR_CLIENT
from tests.support.waiting import until

RULES = YAML(typ="safe").load((ROOT / "docs" / "alert-rules.yml").read_text("utf-8"))["groups"][0]["rules"]


async def samples(site):
    """(name, labels) -> value, as Prometheus would read them."""
    async with TestClient(TestServer(create_metrics_app(site.app))) as client:
        answer = await client.get("/metrics")
        assert (answer.status, answer.headers["Cache-Control"]) == (200, "no-store")
        families = text_string_to_metric_families(await answer.text())
        return {(row.name, *sorted(row.labels.items())): row.value for family in families for row in family.samples}


async def test_requests_are_counted_by_kind_and_status(own_site):
    for path in ("/shop", "/shop", "/nothing", "/data/shop", "/api/nothing", "/healthz"):
        await own_site.get(path)
    found = await samples(own_site)
    requests = {key[1:]: value for key, value in found.items() if key[0] == "coursefront_requests_total"}
    assert requests == {
        (("kind", "page"), ("status", "200")): 2,
        (("kind", "page"), ("status", "404")): 1,
        (("kind", "data"), ("status", "200")): 1,
        (("kind", "call"), ("status", "404")): 1,
        (("kind", "health"), ("status", "200")): 1,
    }
    assert found["coursefront_request_duration_seconds_count", ("kind", "page")] == 3


async def test_every_count_of_readyz_is_a_metric(own_site):
    counts = (await (await own_site.get("/readyz")).json())["counts"]
    assert set(counts) == {*COUNTERS, *GAUGES}
    found = await samples(own_site)
    names = {key[0] for key in found}
    assert {f"coursefront_{name}_total" for name in COUNTERS} | {f"coursefront_{name}" for name in GAUGES} <= names
    assert found["coursefront_part_up", ("part", "database")] == 1
    assert found["coursefront_outbox_waiting", ("topic", "mail")] == 0
    assert found["coursefront_loop_running", ("loop", "catalogue poll")] == 1
    assert [value for key, value in found.items() if key[0] == "coursefront_ssr_worker_resident_memory_bytes"] == [1]


async def test_an_ssr_worker_shows_its_renders_and_how_busy_it_was(open_site, node_worker):
    site = await open_site(node_worker.address)
    client = site.app[SSR_CLIENT]
    rendered = client.workers[0].status["rendered"]
    await site.get("/about")
    await until(lambda: client.workers[0].status["rendered"] == rendered + 1)
    found = {key[0].removeprefix("coursefront_ssr_worker_"): value for key, value in (await samples(site)).items()}
    assert found["rendered_total"] == rendered + 1
    assert found["render_failures_total"] >= 0
    assert 0 < found["render_seconds_total"] <= found["busy_seconds_total"] + 1
    assert found["event_loop_lag_seconds"] >= 0
    assert found["resident_memory_bytes"] > 10_000_000


async def test_the_length_of_each_queue_is_a_metric(open_site, redis_server):
    site = await open_site(REDIS_URL=redis_server.url)
    with redis.Redis.from_url(redis_server.url) as broker:
        broker.rpush(str(Queue.MAIL), "one", "two")

    async def queue_lengths():
        """Empty when Redis has not answered in time."""
        found = await samples(site)
        return {key[1][1]: value for key, value in found.items() if key[0] == "coursefront_queue_length"}

    assert await until(queue_lengths) == {str(queue): 2 if queue is Queue.MAIL else 0 for queue in Queue}


async def test_the_example_alerts_read_metrics_that_exist(open_site, redis_server, start_renderer):
    site = await open_site((await start_renderer()).address, REDIS_URL=redis_server.url, PAGE_CACHE="on")
    await site.get("/shop")
    names = {key[0] for key in await samples(site)}
    # Those of Celery workers are in tests/workers/test_metrics.py.
    read = {name for rule in RULES for name in re.findall(r"coursefront_(?!worker_)\w+", rule["expr"])}
    assert read - names == set()
    assert len(read) >= 10


@pytest.mark.parametrize(("elapsed_s", "bucket"), [(0.0, 0), (0.001, 0), (0.0011, 1), (0.3, 8), (10.0, 12), (10.1, 13)])
def test_a_duration_is_counted_in_the_bucket_of_its_upper_bound(elapsed_s, bucket):
    counts = RequestCounts()
    counts.add("/shop", 200, elapsed_s)
    expected = [0] * 14
    expected[bucket] = 1
    assert counts.durations["page"].buckets == expected


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "page"),
        ("/apiary", "page"),
        ("/api/x", "call"),
        ("/data/shop", "data"),
        ("/static/a.js", "static"),
        ("/pictures/course/x.svg", "image"),
        ("/readyz", "health"),
    ],
)
def test_the_kind_of_a_request_is_the_first_segment_of_its_path(path, kind):
    counts = RequestCounts()
    counts.add(path, 200, 0.1)
    assert counts.by_status == {(kind, 200): 1}
