"""Reads the lines of log files: counts what each is about, and collects pages and signs in batches."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from domain.log_import.addresses import LogAddresses, path_of
from domain.log_import.counts import ImportCounts
from domain.log_import.event_ids import EventIds
from domain.log_import.forms.line_fields import BrokenLine, LineFields, LogFormat
from domain.log_import.lines import TOO_LONG, LogFile
from domain.log_import.page_rules import ROBOTS, LineKind, PageRules, is_embedded, kind_of_status
from domain.log_import.storing import Batch, hour_of, quarter_of, time_text
from domain.log_import.times import milliseconds_of
from domain.log_import.visitors import Visitor, Visitors
from domain.visits.days.traffic_class import is_probe
from domain.visits.raw.log_signs import Sign

# As many a transaction: others who write wait some 50 ms on SQLite.
BATCH = 5_000
_MAX_SIGNS = 50_000
# How often progress is shown.
_LINES_SHOWN = 10_000
_BY_STATUS = {f"{number:03}": kind_of_status(number) for number in range(1_000)}
_MAX_TARGETS = 20_000
# Adding up members of a flag is a call.
_FILES, _ROBOTS, _PROBE = Sign.FILES.value, Sign.ROBOTS.value, Sign.PROBE.value


class _Target(NamedTuple):
    """`kind`: of a GET that was answered. `sign`: of a file that was; `sign_elsewhere`: of any other request. `url`: as
    that of a page is stored."""

    kind: str
    url: str
    sign: int
    sign_elsewhere: int


@dataclass(frozen=True)
class Rules:
    """How the lines of a site are understood."""

    site: str
    pages: PageRules
    addresses: LogAddresses
    visitors: Visitors


class LogReader:
    """`latest_ms`: lines with a later time are broken. `take_batch` gets what one transaction stores; `show_lines` is
    called after some thousand lines."""

    def __init__(
        self, rules: Rules, latest_ms: int, take_batch: Callable[[Batch], None], show_lines: Callable[[], None]
    ):
        self.counts = ImportCounts()
        self._site = rules.site
        # Each line needs these.
        self._target_of = lru_cache(_MAX_TARGETS)(self._read_target)
        self._rules = rules
        self._latest_ms = latest_ms
        self._is_own = rules.addresses.is_own
        self._visitor_of = rules.visitors.of
        self._referrer_of = rules.addresses.referrer_of
        self._take_batch = take_batch
        self._show_lines = show_lines
        self._batch = Batch()
        self._known_signs: dict[tuple[str, int], int] = {}

    def read(self, file: LogFile, form: LogFormat) -> None:
        """Raises LogRefused when the file ends too early."""
        read, ids, kinds = form.open(), EventIds(self._site), self.counts.kinds
        for number, line in enumerate(file.lines(), 1):
            try:
                if not line:
                    raise BrokenLine("empty" if line is not None else TOO_LONG)
                fields = read(line)
                if fields is not None:
                    kinds[self._take(fields, line, ids)] += 1
                elif form.is_header(line):
                    self.counts.headers += 1
                else:
                    raise BrokenLine(f"not of the form {form.name}")
            except BrokenLine as error:
                self.counts.add_broken(file.path.name, number, str(error))
            if not number % _LINES_SHOWN:
                self._show_lines()
        self._show_lines()

    def finish(self) -> None:
        """Hand over what is left."""
        if len(self._batch):
            self._hand_over()

    def _take(self, fields: LineFields, line: str, ids: EventIds) -> str:
        """The kind of the line."""
        address, cookie, time, method, target, status, referrer, agent, host = fields
        try:
            ms = milliseconds_of(time)
        except (ValueError, OverflowError):
            raise BrokenLine("no readable time") from None
        if ms > self._latest_ms:
            raise BrokenLine("a time in the future")
        kind = _BY_STATUS.get(status)
        if kind is None:
            raise BrokenLine("no status of three digits")
        about = self._target_of(target)
        if host and not self._is_own(host):
            return LineKind.HOST
        if kind == LineKind.PAGE:
            kind = about.kind if method == "GET" else LineKind.METHOD
        if kind == LineKind.PAGE:
            if not about.url:
                raise BrokenLine("no path in the request")
            visitor = self._visitor_of(address, cookie, agent)
            self._add_page(visitor, ids.id_of(line, ms), ms, (about.url, self._referrer_of(referrer, host)))
        elif sign := about.sign if kind == LineKind.FILE else about.sign_elsewhere:
            self._add_sign(self._visitor_of(address, cookie, agent).session_id, ms, sign)
        return kind

    def _read_target(self, target: str | None) -> _Target:
        target, path = path_of(target or "")
        kind = self._rules.pages.kind_of_path(path)
        robots = _ROBOTS if path == ROBOTS else 0
        sign = _FILES if is_embedded(path) else robots
        url = self._rules.addresses.url_of(target) if target and kind == LineKind.PAGE else ""
        return _Target(kind, url, sign, robots or (_PROBE if is_probe(path) else 0))

    def _add_page(self, visitor: Visitor, event_id: str, ms: int, place: tuple[str, str]) -> None:
        batch, (session_id, visitor_class, agent) = self._batch, visitor
        batch.visits.append((time_text(ms), event_id, session_id, *place, visitor_class, agent))
        batch.quarters.add(quarter_of(ms))
        self.counts.by_class[visitor_class] += 1
        self.counts.add_time(ms)
        if len(batch.visits) >= BATCH:
            self._hand_over()

    def _add_sign(self, session_id: str, ms: int, sign: int) -> None:
        """A visitor has the same few signs all the time."""
        place, known = (session_id, hour_of(ms)), self._known_signs
        bits = known.get(place, 0)
        if bits & sign or not session_id:
            return
        if len(known) >= _MAX_SIGNS:
            known.clear()
        known[place] = bits | sign
        signs = self._batch.signs
        signs[place] = signs.get(place, 0) | sign
        if len(signs) >= BATCH:
            self._hand_over()

    def _hand_over(self) -> None:
        batch, self._batch = self._batch, Batch()
        self._take_batch(batch)
