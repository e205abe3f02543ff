"""Requests without a path, visitors who hang up in a body, and counting, logging and tracing that fail."""

import asyncio
import logging

import pytest

from adapters import telemetry
from host.http import middlewares
from host.http.request_counts import REQUEST_COUNTS, kind_of
from tests.host.site import answered
from tests.support.waiting import until

TARGETS = {
    "the asterisk": b"OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "the asterisk of another method": b"GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "an authority": b"CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\nConnection: close\r\n\r\n",
    "an authority of GET": b"GET example.com:443 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "an address without a path": b"GET http://example.com HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n",
    "an address with a query alone": b"GET http://x.test?a=b HTTP/1.1\r\nHost: x.test\r\nConnection: close\r\n\r\n",
}
UPLOAD = b"POST /api/contact HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"


@pytest.mark.parametrize("target", TARGETS)
async def test_a_target_without_a_path_is_answered_and_counted(own_site, caplog, target):
    answer = answered(await own_site.raw(TARGETS[target]))
    assert answer.status in (200, 400, 404)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.parametrize("path", ["*", "", "example.com:443", "http:"])
def test_what_is_no_path_is_counted_as_other(path):
    assert kind_of(path) == "other"


FAILING = {
    "counting": (REQUEST_COUNTS, None),
    "logging": (middlewares, "log_access"),
    "naming": (middlewares, "read_trace_id"),
}


@pytest.mark.parametrize("what", FAILING)
async def test_what_observes_a_request_cannot_fail_it(own_site, monkeypatch, caplog, what):
    def fail(*_args, **_kwargs):
        raise RuntimeError(what)

    owner, name = FAILING[what]
    if name is None:
        monkeypatch.setattr(type(own_site.app[owner]), "add", fail)
    else:
        monkeypatch.setattr(owner, name, fail)
    caplog.set_level(logging.INFO)
    answer = await own_site.get("/healthz")
    assert answer.status == 200
    assert "Traceback" in caplog.text
    caplog.clear()


class _Broken:
    """A tracer, or a span, of which one step fails."""

    def __init__(self, at: str):
        self._at = at

    def start_as_current_span(self, *_args, **_kwargs):
        if self._at == "begin":
            raise RuntimeError("begin")
        return self

    def __enter__(self):
        if self._at == "enter":
            raise RuntimeError("enter")
        return self

    def __exit__(self, *_about):
        if self._at == "exit":
            raise RuntimeError("exit")

    def set_attribute(self, *_args):
        raise RuntimeError("attribute")

    set_status = set_attribute


def _raise_own() -> None:
    raise KeyError("own")


@pytest.mark.parametrize("at", ["begin", "enter", "exit", "attribute"])
def test_a_span_that_fails_changes_neither_result_nor_error(monkeypatch, at):
    pytest.importorskip("opentelemetry")
    tracing = telemetry._Tracing(None, _Broken(at))  # type: ignore[arg-type] # a tracer that fails
    monkeypatch.setattr(telemetry, "_tracing", tracing)
    with telemetry.span("work"):
        result = 1
    assert result == 1
    with pytest.raises(KeyError, match="own"), telemetry.span("work"):
        _raise_own()


async def test_a_visitor_who_hangs_up_in_a_body_is_one_debug_line_and_counted(own_site, caplog):
    caplog.set_level(logging.DEBUG)
    counts = own_site.app[REQUEST_COUNTS].by_status
    _, writer = await asyncio.open_connection("127.0.0.1", own_site.port)
    writer.write(UPLOAD)
    await writer.drain()
    writer.close()
    await until(lambda: counts["call", middlewares.HUNG_UP] == 1)
    lines = [record for record in caplog.records if record.name.startswith(("coursefront", "aiohttp"))]
    assert [record for record in lines if record.levelno >= logging.WARNING] == []
    assert [record.getMessage() for record in lines if "hung up" in record.getMessage()] == [
        "POST /api/contact: the visitor hung up"
    ]
