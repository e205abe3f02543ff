"""Traces for an OpenTelemetry collector; without OTEL_EXPORTER_OTLP_ENDPOINT nothing is imported and nothing is traced.

with telemetry.span("call coupons.describe"): …
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, Tracer

Attributes = Mapping[str, str | int]

log = logging.getLogger("coursefront.observing")

# Spans that are not sent when the process stops are lost after this time.
STOP_MS = 1_000
TRACEPARENT = "traceparent"
_OFF: AbstractContextManager[None] = nullcontext()


class _Tracing:
    """What `enable` sets up for this process."""

    def __init__(self, provider: "TracerProvider", tracer: "Tracer"):
        self.provider, self.tracer = provider, tracer


_tracing: _Tracing | None = None


def enable(service: str, endpoint: str) -> None:
    """Trace from now on, to the collector at `endpoint` (OTLP over HTTP, without the path).

    The SDK reads further variables, such as OTEL_TRACES_SAMPLER, OTEL_EXPORTER_OTLP_HEADERS and OTEL_SERVICE_NAME,
    which replaces `service`. Spans are sent from a thread, also after a fork.
    """
    global _tracing  # noqa: PLW0603 one per process
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import SERVICE_NAME, OTELResourceDetector, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    resource = Resource({SERVICE_NAME: service}).merge(OTELResourceDetector().detect())
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(f"{endpoint.rstrip('/')}/v1/traces")))
    _tracing = _Tracing(provider, provider.get_tracer("coursefront"))


def is_enabled() -> bool:
    return _tracing is not None


def disable() -> None:
    """Send what is left for STOP_MS at most, and trace no more. Blocks."""
    global _tracing
    tracing, _tracing = _tracing, None
    if tracing is not None:
        tracing.provider.force_flush(STOP_MS)
        tracing.provider.shutdown()


def span(name: str, kind: str = "internal", **attributes: str | int) -> "AbstractContextManager[Span | None]":
    """A span inside the current one. `kind`: internal, client or producer; `attributes` have _ in place of dots."""
    if _tracing is None:
        return _OFF
    return _unfailing(lambda tracer: _span(tracer, name, kind, "", attributes), _tracing.tracer)


def span_of_caller(name: str, kind: str, caller: str, **attributes: str | int) -> "AbstractContextManager[Span | None]":
    """A span inside that of `caller`, a header traceparent; "" begins a new trace. `kind`: server or consumer."""
    if _tracing is None:
        return _OFF
    return _unfailing(lambda tracer: _span(tracer, name, kind, caller or "-", attributes), _tracing.tracer)


@contextmanager
def _unfailing(
    begin: Callable[["Tracer"], AbstractContextManager["Span"]], tracer: "Tracer"
) -> "Iterator[Span | None]":
    """The span, or None when it cannot be begun: what is traced goes on without it, and ends as it would."""
    span: AbstractContextManager[Span] | None = None
    started: Span | None = None
    try:
        span = begin(tracer)
        started = span.__enter__()
    except Exception as error:
        _log_failure(error)
        span = None
    try:
        yield started
    except BaseException as error:
        _end(span, error)
        raise
    _end(span, None)


def _end(span: "AbstractContextManager[Span] | None", error: BaseException | None) -> None:
    if span is None:
        return
    try:
        span.__exit__(type(error) if error else None, error, error.__traceback__ if error else None)
    except BaseException as failure:
        # The span raises again what it was told of.
        if failure is not error:
            _log_failure(failure)


def _log_failure(error: BaseException) -> None:
    with suppress(Exception):
        log.warning("a span failed: %s", type(error).__name__)


@contextmanager
def _span(tracer: "Tracer", name: str, kind: str, caller: str, attributes: Attributes) -> "Iterator[Span]":
    from opentelemetry.context import Context
    from opentelemetry.trace import SpanKind, Status, StatusCode
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    # None: the current span.
    parent = TraceContextTextMapPropagator().extract({TRACEPARENT: caller}, Context()) if caller else None
    named = {key.replace("_", "."): value for key, value in attributes.items()}
    with tracer.start_as_current_span(
        name, parent, SpanKind[kind.upper()], named, record_exception=False, set_status_on_exception=False
    ) as started:
        try:
            yield started
        except BaseException as error:
            # The text of an error may quote personal data.
            started.set_attribute("error.type", type(error).__name__)
            started.set_status(Status(StatusCode.ERROR))
            raise


def traceparent() -> str:
    """The header that names the current span; "" without one."""
    if _tracing is None:
        return ""
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    headers: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(headers)
    return headers.get(TRACEPARENT, "")


def trace_id(of: "Span") -> str:
    return format(of.get_span_context().trace_id, "032x")
