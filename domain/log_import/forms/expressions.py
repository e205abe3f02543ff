"""Forms of logs that one regular expression describes, and the three that Apache and nginx write by default."""

import re
from typing import Any, cast

from domain.log_import.forms.line_fields import NAMES, LineFields, LogFormat, ReadLine, unescaped

QUOTED = r'[^"\\]*(?:\\.[^"\\]*)*'
# Requests may be anything that somebody sent: what has not the form of one is none.
REQUEST = rf'(?:(?P<method>[A-Za-z]+) (?P<target>[^\s"\\]+(?:\\.[^\s"\\]*)*)(?: HTTP/[0-9.]+)?|{QUOTED})'
_AGENT = NAMES.index("agent")
# An empty group stands for a field that the form has not, here at its place among the names of fields.
_COMMON = rf'(?P<address>\S+)(?P<visitor>) \S+ \S+ \[(?P<time>[^\]]+)\] "{REQUEST}" (?P<status>\d{{3}}) \S+'
COMBINED_EXPRESSION = rf'{_COMMON} "(?P<referrer>{QUOTED})" "(?P<agent>{QUOTED})"(?: .*)?'


def expression_format(name: str, expression: str) -> LogFormat:
    """Its groups are named as the fields, or path and arguments instead of target."""
    known = re.compile(expression, re.ASCII).groupindex
    # One call gives all fields.
    fields = [*NAMES, "path", "arguments"] if "path" in known else NAMES
    absent = "".join(f"(?P<{field}>)" for field in fields if field not in known)
    compiled = re.compile(expression + absent, re.ASCII)
    read = _reader(compiled, [compiled.groupindex[field] for field in fields])
    if "path" in known:
        read = _with_target(read)
    if "agent" not in known:
        read = _without_agent(read)
    return LogFormat(name, lambda: read, needs_own_host="referrer" in known and "host" not in known)


def _reader(compiled: re.Pattern[str], groups: list[int]) -> ReadLine:
    match_whole = compiled.fullmatch

    def read(line: str) -> LineFields | None:
        match = match_whole(line)
        if match is None:
            return None
        fields: Any = match.group(*groups)
        result: LineFields = _unescaped_fields(fields) if "\\" in line else fields
        return result

    def read_in_order(line: str) -> LineFields | None:
        match = match_whole(line)
        if match is None:
            return None
        fields: Any = match.groups()
        result: LineFields = _unescaped_fields(fields) if "\\" in line else fields
        return result

    # All groups in their order take half the time of chosen ones.
    return read_in_order if groups == [*range(1, compiled.groups + 1)] else read


def _unescaped_fields(fields: Any) -> Any:
    return tuple([field and unescaped(field) for field in fields])


def _with_target(read_all: ReadLine) -> ReadLine:
    def read(line: str) -> LineFields | None:
        fields = read_all(line)
        if fields is None:
            return None
        *first, path, arguments = cast("tuple[str, ...]", fields)
        query = arguments.removeprefix("?")
        first[NAMES.index("target")] = f"{path}?{query}" if query not in ("", "-") else path
        return cast("LineFields", tuple(first))

    return read


def _without_agent(read_all: ReadLine) -> ReadLine:
    def read(line: str) -> LineFields | None:
        fields = read_all(line)
        return None if fields is None else cast("LineFields", (*fields[:_AGENT], None, *fields[_AGENT + 1 :]))

    return read


COMMON = expression_format("common", _COMMON)
COMBINED = expression_format("combined", COMBINED_EXPRESSION)
VHOST = expression_format("vhost", rf"(?P<host>[^\s:]+)(?::\d+)? {COMBINED_EXPRESSION}")
