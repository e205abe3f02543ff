"""Form of log lines: as text and as JSON, each with the ids of its request."""

import logging
import sys

import orjson
import pytest

from config.logs import NO_REQUEST, RequestIds, TextFormatter, add_request_ids, json_formatter, logged_as

IDS = RequestIds("a1b2c3d4e5f60718", "4bf92f3577b34da6a3ce929d0e0e4736")


def record(message="ready", *values, ids=NO_REQUEST, exc_info=None, **extra):
    made = logging.makeLogRecord(
        {
            "name": "coursefront.rpc",
            "levelno": 30,
            "levelname": "WARNING",
            "msg": message,
            "args": values,
            "created": 0.25,
        }
        | {"msecs": 250, "exc_info": exc_info, "process": 7}
        | extra
    )
    with logged_as(ids):
        assert add_request_ids(made)
    return made


@pytest.mark.parametrize(
    ("made", "line"),
    [
        (record(), "1970-01-01T00:00:00.250Z WARNING coursefront.rpc ready"),
        (record("%d of %d", 1, 2), "1970-01-01T00:00:00.250Z WARNING coursefront.rpc 1 of 2"),
        (record(ids=IDS), "1970-01-01T00:00:00.250Z WARNING coursefront.rpc [a1b2c3d4e5f60718] ready"),
        (record("a\nb"), "1970-01-01T00:00:00.250Z WARNING coursefront.rpc a\n    b"),
    ],
)
def test_a_line_of_text_names_time_level_logger_and_request(made, line):
    assert TextFormatter().format(made) == line


def test_a_line_of_json_holds_the_ids_and_what_the_call_added():
    line = json_formatter().format(record("%s\n", "x", ids=IDS, status=200))
    assert "\n" not in line
    assert orjson.loads(line) == {
        "time": "1970-01-01T00:00:00.250000+00:00",
        "level": "WARNING",
        "logger": "coursefront.rpc",
        "message": "x\n",
        "process": 7,
        "request_id": IDS.request_id,
        "trace_id": IDS.trace_id,
        "status": 200,
    }


def test_a_line_outside_a_request_has_no_ids():
    assert {"request_id", "trace_id"}.isdisjoint(orjson.loads(json_formatter().format(record())))


def test_an_exception_is_in_the_same_json_line():
    try:
        raise ValueError("no such course")
    except ValueError:
        line = json_formatter().format(record(exc_info=sys.exc_info()))
    assert "\n" not in line
    assert "no such course" in orjson.loads(line)["exc_info"]
