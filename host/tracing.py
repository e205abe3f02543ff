"""Traces of requests and renders (OTEL_EXPORTER_OTLP_ENDPOINT). Without the setting nothing here is used."""

from collections.abc import Callable

from aiohttp import web
from aiohttp.typedefs import Handler

from adapters.telemetry import TRACEPARENT, span, span_of_caller, trace_id
from config.logs import REQUEST_IDS, RequestIds
from domain.redaction import redact
from host.http import request_keys
from host.http.middlewares import never_failing
from host.http.request_counts import kind_of
from host.rendering.render_job import Job
from host.rendering.ssr_client import SsrClient


@web.middleware
async def trace_request(request: web.Request, handler: Handler) -> web.StreamResponse:
    """A span for a request, inside the caller's if it names one. Lines of the log get its trace id."""
    attributes = {
        "http_request_method": request.method,
        "url_path": redact(request.path)[:300],
        "coursefront_request-id": request[request_keys.REQUEST_ID],
    }
    name = f"{request.method} {kind_of(request.path)}"
    with span_of_caller(name, "server", request.headers.get(TRACEPARENT, ""), **attributes) as current:
        if current is None:
            return await handler(request)
        with never_failing("tracing a request"):
            REQUEST_IDS.set(RequestIds(request[request_keys.REQUEST_ID], trace_id(current)))
        try:
            answer: web.StreamResponse | web.HTTPException = await handler(request)
        except web.HTTPException as error:
            # A redirect, not a failure of the span.
            answer = error
        with never_failing("tracing a request"):
            current.set_attribute("http.response.status_code", answer.status)
    if isinstance(answer, web.HTTPException):
        raise answer
    return answer


class TracedSsrClient(SsrClient):
    """A span from the wait for a free worker to the first markup of a page."""

    async def render(
        self, payload: bytes, path: str, check_client: Callable[[], None] | None = None
    ) -> tuple[Job, bytes] | tuple[None, None]:
        with span("render", "client", url_path=redact(path.partition("?")[0])) as current:
            job, markup = await super().render(payload, path, check_client)
            if current is not None:
                current.set_attribute("coursefront.rendered", job is not None)
            if job is None or markup is None:
                return None, None
            return job, markup
