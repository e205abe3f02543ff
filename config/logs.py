"""Logs of host and workers: one line each, as text or as JSON, with level, time and the ids of the request."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import NamedTuple

ACCESS = "coursefront.access"


class RequestIds(NamedTuple):
    """`request_id`: ours, as in the header X-Request-Id. `trace_id`: the caller's (W3C Trace Context), or ""."""

    request_id: str = ""
    trace_id: str = ""


# Coroutines that a request starts inherit it; a Celery task gets it from the headers of its message.
NO_REQUEST = RequestIds()
REQUEST_IDS: ContextVar[RequestIds] = ContextVar("request_ids", default=NO_REQUEST)


@contextmanager
def logged_as(ids: RequestIds) -> Iterator[None]:
    """Lines that are logged inside belong to this request."""
    token = REQUEST_IDS.set(ids)
    try:
        yield
    finally:
        REQUEST_IDS.reset(token)


def configure(level: str, form: str, access: str) -> None:
    """Send all logs to stderr: settings LOG_LEVEL, LOG_FORMAT (text or json) and ACCESS_LOG (on or off)."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(add_request_ids)
    handler.setFormatter(json_formatter() if form == "json" else TextFormatter())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    logging.getLogger(ACCESS).setLevel(logging.INFO if access == "on" else logging.NOTSET)


def add_request_ids(record: logging.LogRecord) -> bool:
    """A filter that lets every record pass, with the ids of the request that it was logged in."""
    ids = REQUEST_IDS.get()
    if ids.request_id:
        record.request_id = ids.request_id
    if ids.trace_id:
        record.trace_id = ids.trace_id
    return True


class TextFormatter(logging.Formatter):
    """2026-01-31T09:30:00.123Z WARNING coursefront.rpc [a1b2c3d4e5f60718] message"""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s%(reference)s %(message)s")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def format(self, record: logging.LogRecord) -> str:
        request_id = getattr(record, "request_id", "")
        record.reference = f" [{request_id}]" if request_id else ""
        # Lines after the first are indented: a line break in a value from outside cannot forge a line of the log.
        return super().format(record).replace("\n", "\n    ")


def json_formatter() -> logging.Formatter:
    """One JSON object a line: time, level, logger, message, request_id, trace_id, process and what a call adds."""
    # Imported here: it is not needed where logs are text, and would delay every start.
    from pythonjsonlogger.core import RESERVED_ATTRS
    from pythonjsonlogger.orjson import OrjsonFormatter

    return OrjsonFormatter(
        "%(levelname)s %(name)s %(message)s %(process)d",
        timestamp="time",
        rename_fields={"levelname": "level", "name": "logger"},
        reserved_attrs=[*RESERVED_ATTRS, "reference"],
    )
