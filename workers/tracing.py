"""A span for each task, inside that of whoever sent its message (OTEL_EXPORTER_OTLP_ENDPOINT)."""

from contextlib import AbstractContextManager
from typing import Any

from celery.signals import task_postrun, task_prerun, worker_shutdown

from adapters import telemetry
from adapters.telemetry import TRACEPARENT

# Spans of the tasks that this process runs.
_open: dict[str, tuple[AbstractContextManager[Any], Any]] = {}


def enable(endpoint: str) -> None:
    """Trace from now on, in every process that is forked later. Call it before the pool starts."""
    telemetry.enable("coursefront-worker", endpoint)
    task_prerun.connect(_begin, weak=False)
    task_postrun.connect(_end, weak=False)
    worker_shutdown.connect(lambda **_details: telemetry.disable(), weak=False)


def _begin(task_id: str, task: Any, **_details: Any) -> None:
    caller = task.request.get(TRACEPARENT) or ""
    request_id = {"coursefront_request-id": str(task.request.get("request_id") or "")}
    manager = telemetry.span_of_caller(f"run {task.name}", "consumer", str(caller), **request_id)
    _open[task_id] = (manager, manager.__enter__())


def _end(task_id: str, state: str | None = None, **_details: Any) -> None:
    manager, current = _open.pop(task_id, (None, None))
    if manager is not None:
        if current is not None:
            current.set_attribute("coursefront.outcome", (state or "unknown").lower())
        manager.__exit__(None, None, None)
