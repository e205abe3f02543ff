"""A form of log lines from a LogFormat of Apache or a log_format of nginx."""

import re
from collections.abc import Iterator

from domain.log_import.forms.expressions import QUOTED, REQUEST, expression_format
from domain.log_import.forms.line_fields import NAMES, LogFormat, LogRefused

_APACHE = re.compile(r"%[<>]?(?:\{([^}]*)\}([A-Za-z])|([A-Za-z%]))")
_APACHE_FIELDS = {
    **{"h": "address", "a": "address", "t": "time", "r": "request", "s": "status", "m": "method", "U": "path"},
    **{"q": "arguments", "v": "host", "V": "host"},
}
_NGINX = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_NGINX_FIELDS = {
    **{"remote_addr": "address", "time_local": "time", "time_iso8601": "time", "msec": "time", "request": "request"},
    **{"status": "status", "request_method": "method", "request_uri": "target", "uri": "path", "args": "arguments"},
    **{"query_string": "arguments", "http_referer": "referrer", "http_user_agent": "agent", "host": "host"},
    **{"http_host": "host", "server_name": "host"},
}
_HEADERS = {"referer": "referrer", "user-agent": "agent", "host": "host"}
_TIME = r"\d\d/\w{3}/\d{4}:[\d:]{8} [+-]\d{4}"
_READ = {*NAMES, "path", "arguments"}
# Path and arguments of nginx, which writes - for arguments that are not there.
_JOINED = "path and arguments"
# What a request has as well.
_PARTS = {"method", "target", "path", "arguments"}
# The text before a field, and its name, "" for one that is not read.
Piece = tuple[str, str]


def template_format(template: str) -> LogFormat:
    """Raises LogRefused."""
    # As configurations quote it.
    text = template.replace('\\"', '"').strip()
    pieces = [*(_nginx_pieces(text) if "$" in text else _apache_pieces(text))]
    if any(field == "request" for _, field in pieces):
        pieces = [(before, "" if field in _PARTS else field) for before, field in pieces]
    pieces = _joined(pieces, template)
    expression, fields = "", set[str]()
    for place, (before, field) in enumerate(pieces[:-1]):
        # A field that comes twice is read once.
        known_as = "target" if field == _JOINED else field
        name = "" if known_as in fields else field
        expression += re.escape(before) + _pattern(name, before, pieces[place + 1][0])
        fields |= {"request", "method", "target"} if name == "request" else {known_as}
    _require(fields, template)
    return expression_format("template", expression + re.escape(pieces[-1][0]))


def _joined(pieces: list[Piece], template: str) -> list[Piece]:
    """Fields without text between them become one: nothing says where each ends, and an expression that tries all ends
    takes minutes for one long line."""
    groups: list[tuple[str, list[str]]] = []
    for before, field in pieces[:-1]:
        if groups and not before:
            groups[-1][1].append(field)
        else:
            groups.append((before, [field]))
    return [*((before, _one_of(fields, template)) for before, fields in groups), pieces[-1]]


def _one_of(fields: list[str], template: str) -> str:
    if len(fields) == 1 or not any(fields):
        return fields[0]
    if fields[0] == "path" and {*fields} <= {"path", "arguments", ""}:
        return _JOINED if "$" in template else "target"
    names = " and ".join(field or "another field" for field in fields)
    raise LogRefused(
        f"The template {template!r} has {names} without text between them: nothing says where each ends. Let the server"
        " write a space between them. Nothing was changed."
    )


def _apache_pieces(text: str) -> Iterator[Piece]:
    before, end = "", 0
    for found in _APACHE.finditer(text):
        before, end = before + text[end : found.start()], found.end()
        argument, kind, plain = found[1], found[2], found[3]
        if plain == "%":
            before += "%"
        elif plain == "t":
            yield before + "[", "time"
            before = "]"
        else:
            yield before, _APACHE_FIELDS.get(plain, "") if plain else _of_argument(argument, kind)
            before = ""
    yield before + text[end:], ""


def _of_argument(argument: str, kind: str) -> str:
    if kind == "i":
        return _HEADERS.get(argument.lower(), "")
    return {"C": "visitor", "a": "address"}.get(kind, "")


def _nginx_pieces(text: str) -> Iterator[Piece]:
    end = 0
    for found in _NGINX.finditer(text):
        name = found[1] or found[2]
        yield text[end : found.start()], "visitor" if name.startswith("cookie_") else _NGINX_FIELDS.get(name, "")
        end = found.end()
    yield text[end:], ""


def _pattern(field: str, before: str, after: str) -> str:
    if field == "request":
        return REQUEST
    if field == "status":
        inside = r"\d{3}"
    elif field == "time" and not before.endswith("["):
        inside = rf"{_TIME}|[^\s{re.escape(after[:1])}]+"
    elif field == _JOINED:
        end = '"' if before.endswith('"') else after[:1].strip()
        return rf"(?P<target>[^\s?{re.escape(end)}]*?(?:\?[^\s{re.escape(end)}]*)?)-?"
    elif before.endswith('"') and after.startswith('"'):
        inside = QUOTED
    else:
        inside = rf"[^{re.escape(after[0])}]*" if after and not after[0].isspace() else r"\S*"
    return f"(?P<{field}>{inside})" if field in _READ else f"(?:{inside})"


def _require(fields: set[str], template: str) -> None:
    needed = {
        "a time (%t, $time_local, $time_iso8601 or $msec)": "time" in fields,
        'a request ("%r" or "$request", or method and path)': "method" in fields
        and not {"target", "path"}.isdisjoint(fields),
        "a status (%>s or $status)": "status" in fields,
        "an address or a cookie (%h, $remote_addr, %{sid}C or $cookie_sid)": not {"address", "visitor"}.isdisjoint(
            fields
        ),
    }
    if missing := [what for what, is_there in needed.items() if not is_there]:
        raise LogRefused(f"The template {template!r} lacks {', and '.join(missing)}. Nothing was changed.")
