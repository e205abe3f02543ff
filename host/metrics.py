"""/metrics of one host process, for Prometheus, on a port of its own: what /readyz says, requests, their duration."""

from collections.abc import Iterable, Iterator
from itertools import accumulate

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, GC_COLLECTOR, PROCESS_COLLECTOR, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from host import health
from host.health import Health
from host.http.request_counts import BUCKETS_S, REQUEST_COUNTS, RequestCounts
from host.rendering.ssr_client import SSR_CLIENT, SsrClient

# Counts of /readyz that only grow while the process runs, and what they count. The others are gauges.
COUNTERS = {
    "render_failures": "pages that no SSR worker rendered in time",
    "render_shed": "pages that were not rendered because SSR workers had too many jobs",
    "visits_accepted": "visits that were accepted",
    "visits_spooled": "accepted visits that were written to disk because Redis did not take them",
    "visits_refused": "visits that were refused because too many waited",
    "crawls_unrecorded": "fetches by crawlers beyond CRAWLS_PER_NETWORK_MINUTE",
    "crawlers_unnoted": "addresses of crawlers that were not passed on to be looked at",
    "referral_links_unrecorded": "visits of /d and /s beyond REFERRAL_LINKS_PER_ADDRESS_MINUTE",
    "searches_unnoted": "searches that were not recorded",
    "lessons_unshown": "lessons that were opened and could not be shown because their text or a file is missing",
    "coupons_by_workers": "coupon calls that a worker answered",
    "coupons_in_place": "coupon calls that the host ran itself",
    "payment_events_accepted": "events of the payment gateway that were accepted, repeated ones included",
    "payment_events_refused": "events that were not signed by the payment gateway, or too far from this clock",
}
GAUGES = {
    "render_workers": "SSR workers that respond",
    "batches_on_disk": "batches of visits in the spool",
    "batches_broken": "files of the spool that somebody has to look at",
    "batches_waiting": "batches of visits in Redis that no worker has claimed",
    "batches_claimed": "batches of visits that a worker stores, or could not store and will try again",
    "batches_failing": "batches of visits that could not be stored although others could",
    "batches_oldest_s": "age of the oldest batch of visits that no worker has stored",
    "batches_for_newer_workers": "batches of visits that only a newer worker can read",
    "dead_letters": "visits that no worker could store",
    "payment_findings": "differences between the payment gateway's transactions and ours that are not resolved",
    "jobs_waiting": "jobs of staff that wait",
    "jobs_running": "jobs of staff that run",
    "jobs_stalled": "jobs of staff that nobody has worked at for five minutes",
}
PAGE_CACHE_COUNTERS = {
    "hits": "pages answered from the page cache",
    "misses": "pages that were not in the page cache",
    "stale": "pages answered from the page cache although they were too old",
    "unstored": "pages that were not written to disk because too many waited",
}
OUTBOX_GAUGES = {
    "waiting": ("outbox_waiting", "rows of a topic that wait"),
    "oldest_s": ("outbox_oldest_seconds", "age of the oldest row of a topic that waits"),
    "dead": ("outbox_dead", "rows of a topic that are not tried any more"),
}
PAGE_CACHE_GAUGES = {"pages": "pages in the page cache", "bytes": "size of the page cache"}


def create_metrics_app(app: web.Application) -> web.Application:
    """An application that serves /metrics about `app`, which runs in this process."""

    async def show(_request: web.Request) -> web.Response:
        body = generate_latest(registry_of(app, await health.gather(app)))
        return web.Response(body=body, headers={"Content-Type": CONTENT_TYPE_LATEST, "Cache-Control": "no-store"})

    metrics = web.Application()
    metrics.router.add_get("/metrics", show)
    return metrics


def registry_of(app: web.Application, state: Health) -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(PROCESS_COLLECTOR)
    registry.register(GC_COLLECTOR)
    registry.register(_Metrics([*_health(state), *_requests(app[REQUEST_COUNTS]), *_ssr_workers(app[SSR_CLIENT])]))
    return registry


class _Metrics(Collector):
    def __init__(self, metrics: Iterable[Metric]):
        self._metrics = list(metrics)

    def collect(self) -> Iterator[Metric]:
        return iter(self._metrics)


def _health(state: Health) -> Iterator[Metric]:
    """A value that is not known now, such as a count in a database that does not answer, is left out."""
    yield _labelled("part_up", "1 while a part of /readyz is not degraded", "part", state.parts_up())
    yield _labelled("loop_running", "1 while a background loop runs", "loop", _running(state))
    yield _labelled("queue_length", "messages in a queue of the broker", "queue", state.queues)
    yield from _plain("", COUNTERS, state.counts, CounterMetricFamily)
    yield from _plain("", GAUGES, state.counts, GaugeMetricFamily)
    yield from _plain("page_cache_", PAGE_CACHE_COUNTERS, state.page_cache or {}, CounterMetricFamily)
    yield from _plain("page_cache_", PAGE_CACHE_GAUGES, state.page_cache or {}, GaugeMetricFamily)
    for count, (name, about) in OUTBOX_GAUGES.items():
        values = {topic: counts[count] or 0 for topic, counts in (state.outbox or {}).items()}
        yield _labelled(name, about, "topic", values)


def _running(state: Health) -> dict[str, float]:
    return {name: float(loop["state"] == "running") for name, loop in state.loops.items()}


def _plain(
    prefix: str,
    about: dict[str, str],
    values: dict[str, int | float | None],
    family: type[CounterMetricFamily] | type[GaugeMetricFamily],
) -> Iterator[Metric]:
    for name, text in about.items():
        value = values.get(name)
        if value is not None:
            yield family(f"coursefront_{prefix}{name}", text, value=value)


def _labelled(name: str, about: str, label: str, values: dict[str, float]) -> Metric:
    metric = GaugeMetricFamily(f"coursefront_{name}", about, labels=[label])
    for key, value in values.items():
        metric.add_metric([key], value)
    return metric


def _requests(counts: RequestCounts) -> Iterator[Metric]:
    requests = CounterMetricFamily("coursefront_requests", "requests that were answered", labels=["kind", "status"])
    for (kind, status), number in counts.by_status.items():
        requests.add_metric([kind, str(status)], number)
    yield requests
    name = "coursefront_request_duration_seconds"
    durations = HistogramMetricFamily(name, "time until a request was answered", labels=["kind"])
    bounds = [*(str(bound) for bound in BUCKETS_S), "+Inf"]
    for kind, measured in counts.durations.items():
        buckets = list(zip(bounds, accumulate(measured.buckets), strict=True))
        durations.add_metric([kind], buckets, measured.sum_s)
    yield durations


# Figures of an SSR worker: name in its reply to a ping, name of the metric, factor from one to the other.
SSR_GAUGES = (
    ("jobs", "jobs", 1, "jobs that an SSR worker has"),
    ("rss", "resident_memory_bytes", 1, "memory of an SSR worker"),
    ("lagMs", "event_loop_lag_seconds", 0.001, "longest time of the last 10 s in which an SSR worker read no frame"),
)
SSR_COUNTERS = (
    ("rendered", "rendered", 1, "pages that an SSR worker rendered"),
    ("failed", "render_failures", 1, "pages that an SSR worker failed to render"),
    ("renderMs", "render_seconds", 0.001, "time from the begin to the end of these renders, deferred parts included"),
    ("busyMs", "busy_seconds", 0.001, "time in which the event loop of an SSR worker was not idle"),
)


def _ssr_workers(client: SsrClient) -> Iterator[Metric]:
    """What each worker said of itself when it was last asked."""
    statuses = {worker.address: worker.status for worker in client.workers if worker.is_ready}
    for family, rows in ((GaugeMetricFamily, SSR_GAUGES), (CounterMetricFamily, SSR_COUNTERS)):
        for key, name, unit, about in rows:
            metric = family(f"coursefront_ssr_worker_{name}", about, labels=["worker"])
            for address, status in statuses.items():
                value = status.get(key)
                if isinstance(value, int | float):
                    metric.add_metric([address], value * unit)
            yield metric
