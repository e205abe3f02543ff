"""/metrics of one Celery worker, for Prometheus: the counts of all its processes together (WORKER_METRICS_PORT).

Each process of the pool counts in files of its own in a shared folder; the main process adds them up and serves them.
"""

import logging
import os
import shutil
import struct
import tempfile
import time
from typing import Any

from celery.signals import (
    task_postrun,
    task_prerun,
    task_revoked,
    worker_ready,
    worker_shutdown,
)

from config.worker_settings import WorkerSettings
from contracts.payloads import RPC_CALLS
from contracts.tasks import SENT_AT, TASKS

log = logging.getLogger("coursefront.workers.metrics")

COUNTERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "tasks": ("tasks by their outcome; expired: discarded before they began", ("task", "outcome")),
    "calls_late": ("calls whose work was discarded because their deadline had passed", ("task",)),
    "outbox_rows": ("rows of the outbox that were handled, such as mails", ("topic", "outcome")),
    "visits_stored": ("visits of stored batches, repeated ones included", ()),
    "visit_batches_failed": ("failures of batches of visits that could not be stored although others could", ()),
    "day_files_failed": ("failures to write or to tidy the files of days of visits", ()),
    "retired_pages_unrecorded": ("transactions whose visits to retired courses could not be recorded as such", ()),
}
TASK_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20)
QUEUE_SECONDS = (0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800)
_RPC_TASKS = frozenset(str(call.task) for call in RPC_CALLS)

# Empty while WORKER_METRICS_PORT is 0.
_metrics: dict[str, Any] = {}
# When the tasks that this process runs began.
_began: dict[str, float] = {}


def count(name: str, amount: int = 1, **labels: str) -> None:
    """Add to a counter of COUNTERS; without WORKER_METRICS_PORT this does nothing."""
    metric = _metrics.get(name)
    if metric is not None:
        (metric.labels(**labels) if labels else metric).inc(amount)


def enable(settings: WorkerSettings) -> None:
    """Count from now on, in every process that is forked later. Call it before the pool starts."""
    folder = tempfile.mkdtemp(prefix="coursefront-metrics-")
    # prometheus_client reads it when it is imported, so it is imported here first.
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
    from prometheus_client import Counter, Histogram

    for name, (about, labels) in COUNTERS.items():
        _metrics[name] = Counter(f"coursefront_worker_{name}", about, labels)
    _metrics["task_seconds"] = Histogram(
        "coursefront_worker_task_seconds", "how long tasks took", ["task"], buckets=TASK_SECONDS
    )
    _metrics["queue_seconds"] = Histogram(
        "coursefront_worker_queue_seconds", "how long messages waited for a worker", ["queue"], buckets=QUEUE_SECONDS
    )
    task_prerun.connect(_begin, weak=False)
    task_postrun.connect(_end, weak=False)
    task_revoked.connect(_count_expired, weak=False)
    worker_ready.connect(lambda **_details: _serve(settings, folder), weak=False)
    worker_shutdown.connect(lambda **_details: shutil.rmtree(folder, ignore_errors=True), weak=False)


def _begin(task_id: str, task: Any, **_details: Any) -> None:
    _began[task_id] = time.monotonic()
    sent_at = task.request.get(SENT_AT)
    known = TASKS.get(task.name)
    if isinstance(sent_at, int | float) and known is not None:
        # The sender's clock may be ahead.
        _metrics["queue_seconds"].labels(str(known.queue)).observe(max(0.0, time.time() - sent_at))


def _end(task_id: str, task: Any, state: str | None = None, **_details: Any) -> None:
    """`state`: SUCCESS, FAILURE, REJECTED (back to its queue), RETRY or IGNORED."""
    count("tasks", task=task.name, outcome=(state or "unknown").lower())
    began = _began.pop(task_id, None)
    if began is not None:
        _metrics["task_seconds"].labels(task.name).observe(time.monotonic() - began)


def _count_expired(request: Any, expired: bool | None = None, **_details: Any) -> None:
    name = str(getattr(request, "name", "") or getattr(request, "task", ""))
    if expired:
        count("tasks", task=name, outcome="expired")
        if name in _RPC_TASKS:
            count("calls_late", task=name)


def _serve(settings: WorkerSettings, folder: str) -> None:
    from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server

    registry = CollectorRegistry()
    registry.register(_AllProcesses(folder))
    ProcessCollector(registry=registry)
    try:
        start_http_server(settings.metrics_port, addr=settings.host, registry=registry)
    except OSError as error:
        # Tasks are more important than their numbers.
        log.error("/metrics cannot be served on port %d: %s", settings.metrics_port, error.strerror)


class _AllProcesses:
    """The sums over the files of all processes."""

    def __init__(self, folder: str):
        from prometheus_client.multiprocess import MultiProcessCollector

        self._files = MultiProcessCollector(None, path=folder)  # type: ignore[no-untyped-call] # prometheus-client has no types here

    def collect(self) -> list[Any]:
        for pause_s in (0.01, 0.1, 1.0):
            try:
                return list(self._files.collect())  # type: ignore[no-untyped-call] # prometheus-client has no types here
            except struct.error:
                # A process has created its file this moment, and it is still empty.
                time.sleep(pause_s)
        return list(self._files.collect())  # type: ignore[no-untyped-call] # prometheus-client has no types here
