"""An OpenTelemetry collector for tests: takes OTLP over HTTP and keeps the spans."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span


@dataclass(frozen=True)
class ReceivedSpan:
    """Ids in hexadecimal; `parent` is "" for the first span of a trace."""

    service: str
    name: str
    trace: str
    id: str
    parent: str
    is_error: bool
    attributes: dict[str, str]


@dataclass
class Collector:
    url: str = ""
    spans: list[ReceivedSpan] = field(default_factory=list)

    def of(self, trace: str) -> dict[str, ReceivedSpan]:
        """The spans of a trace by their names."""
        return {span.name: span for span in self.spans if span.trace == trace}

    def take(self, body: bytes) -> None:
        request = ExportTraceServiceRequest.FromString(body)
        for resource in request.resource_spans:
            service = {pair.key: pair.value.string_value for pair in resource.resource.attributes}["service.name"]
            for scope in resource.scope_spans:
                self.spans.extend(_read(service, span) for span in scope.spans)


def _read(service: str, span: Span) -> ReceivedSpan:
    attributes = {pair.key: pair.value.string_value or str(pair.value.int_value) for pair in span.attributes}
    ids = (span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex())
    return ReceivedSpan(service, span.name, *ids, span.status.code == 2, attributes)


@contextmanager
def collector() -> Iterator[Collector]:
    kept = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/traces"
            kept.take(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    kept.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield kept
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
