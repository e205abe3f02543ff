"""Logs of one JSON object a line: as nginx and others are set to write them, and as Caddy does."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from domain.log_import.forms.line_fields import EMPTY, BrokenLine, LineFields, LogFormat, without_port

# The usual names of each field.
_KEYS: dict[str, tuple[str, ...]] = {
    "address": ("remote_addr", "client_ip", "remote_ip", "clientip", "ip", "remote_host", "host_ip", "client"),
    "time": ("time_iso8601", "time_local", "@timestamp", "timestamp", "time", "ts", "msec", "datetime"),
    "request": ("request", "request_line"),
    "method": ("request_method", "method", "http_method", "verb"),
    "target": ("request_uri", "uri", "url", "path", "request_path"),
    "status": ("status", "status_code", "response", "http_status", "code"),
    "referrer": ("http_referer", "http_referrer", "referer", "referrer"),
    "agent": ("http_user_agent", "user_agent", "agent", "useragent"),
    "host": ("http_host", "host", "vhost", "server_name"),
}
_AGENT = [*_KEYS].index("agent")


@lru_cache(256)
def _keys_among(names: tuple[str, ...]) -> list[list[str]]:
    """Return, for each field, those of its keys that a line has. Nearly all lines of a log have the same names."""
    return [[key for key in keys if key in names] for keys in _KEYS.values()]


def _read_json(line: str) -> LineFields | None:
    record = _object(line)
    if record is None or isinstance(record.get("request"), dict):
        return None
    keys = _keys_among(tuple(record))
    address, time, request, method, target, status, referrer, agent, host = [_first(record, own) for own in keys]
    if request and not (method and target):
        method, _, rest = request.partition(" ")
        target = rest.rpartition(" HTTP/")[0] or rest
    if not (time and status):
        return None
    # An object is no agent: some programs that collect logs describe themselves so.
    has_agent = agent or any(isinstance(record[key], str | int | float | None) for key in keys[_AGENT])
    about = (method, target, status, referrer, agent if has_agent else None, without_port(host))
    return address, "", time, *about


def _read_caddy(line: str) -> LineFields | None:
    record = _object(line)
    request = record.get("request") if record else None
    if record is None or not isinstance(request, dict):
        return None
    if "status" not in record or "ts" not in record:
        raise BrokenLine("no answered request")
    headers = request.get("headers")
    named: Mapping[str, Any] = headers if isinstance(headers, dict) else {}
    address = _text(request.get("client_ip") or request.get("remote_ip"))
    about = (_text(request.get("method")), _text(request.get("uri")), _text(record["status"]))
    rest = (_header(named, "Referer"), _header(named, "User-Agent"), without_port(_text(request.get("host"))))
    return address, "", _text(record["ts"]), *about, *rest


def _object(line: str) -> Mapping[str, Any] | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _first(record: Mapping[str, Any], keys: list[str]) -> str:
    """The first text or number that is not empty."""
    for key in keys:
        text = _text(record[key])
        if text not in EMPTY:
            return text
    return ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int | float) else ""


def _header(headers: Mapping[str, Any], name: str) -> str:
    values = headers.get(name)
    return _text(values[0]) if isinstance(values, list) and values else ""


JSON = LogFormat("json", lambda: _read_json, may_lack_host=True)
CADDY = LogFormat("caddy", lambda: _read_caddy, may_lack_host=True)
