"""Standard logs of CloudFront: columns that the line #Fields names, separated by tabs."""

from functools import lru_cache
from urllib.parse import unquote

from domain.log_import.forms.line_fields import EMPTY, BrokenLine, LineFields, LogFormat

_FIELDS = "#Fields:"
# Columns of a part of a file whose head is missing.
_USUAL = (
    "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent)"
    " cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol"
)
_NEEDED = ("date", "time", "c-ip", "cs-method", "cs-uri-stem", "sc-status")


class _Reader:
    def __init__(self) -> None:
        self._columns = self._columns_of(_USUAL)
        self._least = len(self._columns) - _LATER_COLUMNS

    @staticmethod
    def _columns_of(names: str) -> dict[str, int]:
        return {name: place for place, name in enumerate(names.split())}

    def __call__(self, line: str) -> LineFields | None:
        if line.startswith("#"):
            self._read_header(line)
            return None
        values = line.split("\t")
        if len(values) < len(_NEEDED):
            return None
        if len(values) < self._least:
            raise BrokenLine("fewer columns than the line #Fields names")
        return self._fields(values)

    def _read_header(self, line: str) -> None:
        if line.startswith(_FIELDS):
            columns = self._columns_of(line.removeprefix(_FIELDS))
            if missing := [name for name in _NEEDED if name not in columns]:
                raise BrokenLine(f"the line #Fields lacks {', '.join(missing)}")
            self._columns = columns
            # A line that was cut off would be another visitor's, with the agent that is left of it.
            self._least = len(columns)

    def _fields(self, values: list[str]) -> LineFields:
        def of(name: str) -> str:
            place = self._columns.get(name, len(values))
            return values[place] if place < len(values) else ""

        query = of("cs-uri-query")
        target = of("cs-uri-stem") if query in EMPTY else f"{of('cs-uri-stem')}?{query}"
        # Each is encoded, and what was encoded before once more.
        agent, referrer = _decoded_twice(of("cs(User-Agent)")), _decoded(of("cs(Referer)"))
        host = of("x-host-header")
        about = (of("cs-method"), target, of("sc-status"), referrer, agent, of("cs(Host)") if host in EMPTY else host)
        return of("c-ip"), "", f"{of('date')}T{of('time')}+00:00", *about


# In letters. Longer texts are not remembered.
_MAX_KNOWN_LENGTH = 500


def _decoded(text: str) -> str:
    return _known_decoded(text) if len(text) <= _MAX_KNOWN_LENGTH else unquote(text)


# Decoding takes longer than all the rest, and agents and referrers come again and again.
_known_decoded = lru_cache(20_000)(unquote)


def _decoded_twice(text: str) -> str:
    return _decoded(_decoded(text))


# How many of the usual columns a file without its head may lack: CloudFront has added columns in the course of years.
_LATER_COLUMNS = 8


def _is_header(line: str) -> bool:
    return line.startswith("#")


CLOUDFRONT = LogFormat("cloudfront", _Reader, may_lack_host=True, is_header=_is_header)
