"""Reads the lines of log files: counts what each is about, and collects pages and signs in batches."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from domain.database.cycle_collector import paused_collector
from domain.log_import.addresses import LogAddresses, path_of
from domain.log_import.counts import ImportCounts
from domain.log_import.event_ids import EventIds
from domain.log_import.forms.line_fields import BrokenLine, LineFields, LogFormat
from domain.log_import.lines import TOO_LONG, LogFile
from domain.log_import.page_rules import ROBOTS, LineKind, PageRules, is_embedded, kind_of_status
from domain.log_import.storing import HOUR_MS, QUARTER_MS, Batch, VisitRow, time_text
from domain.log_import.times import milliseconds_of
from domain.log_import.visitors import Visitor, Visitors
from domain.visits.days.traffic_class import is_probe
from domain.visits.raw.log_signs import Sign

# As many a transaction: others who write wait some 50 ms on SQLite.
BATCH = 5_000
_BY_STATUS = {f"{number:03}": kind_of_status(number) for number in range(1_000)}
_MAX_TARGETS = 20_000
# Some 30 MB at most, however many visitors a log has.
_MAX_VISITORS = 50_000
# In letters: nearly all lines are shorter.
_LONG_LINE = 2_000
# Each line compares its kind with these.
_PAGE, _FILE, _METHOD, _HOST = LineKind.PAGE, LineKind.FILE, LineKind.METHOD, LineKind.HOST
# The visitor's class in a VisitRow.
_CLASS_OF = itemgetter(5)
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
        self._rules = rules
        addresses, visitors = rules.addresses, rules.visitors
        # Each line needs these. Of long lines nothing is remembered: visitors choose how long they are.
        target_of, visitor_of = lru_cache(_MAX_TARGETS)(self._read_target), lru_cache(_MAX_VISITORS)(visitors.read)
        self._cached = target_of, visitor_of, addresses.referrer_of
        self._uncached = self._read_target, visitors.read, addresses.read_referrer
        self._latest_ms = latest_ms
        self._is_own = rules.addresses.is_own
        self._take_batch = take_batch
        self._show_lines = show_lines
        self._batch = Batch()
        # The times of the pages of the batch, in milliseconds.
        self._times: list[int] = []

    def read(self, file: LogFile, form: LogFormat) -> None:
        """Raises LogRefused when the file ends too early."""
        read, take, ids, kinds = form.open(), self._take, EventIds(self._site), self.counts.kinds
        first = 1
        for lines in file.blocks():
            # Neither lines nor what is read of them is in a cycle.
            with paused_collector():
                for number, line in enumerate(lines, first):
                    try:
                        if not line:
                            raise BrokenLine("empty" if line is not None else TOO_LONG)
                        fields = read(line)
                        if fields is not None:
                            kinds[take(fields, line, ids)] += 1
                        elif form.is_header(line):
                            self.counts.headers += 1
                        else:
                            raise BrokenLine(f"not of the form {form.name}")
                    except BrokenLine as error:
                        self.counts.add_broken(file.path.name, number, str(error))
            first += len(lines)
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
        target_of, visitor_of, referrer_of = self._cached if len(line) <= _LONG_LINE else self._uncached
        kind_of_answered, url, sign_of_file, sign_elsewhere = target_of(target)
        if host and not self._is_own(host):
            return _HOST
        if kind == _PAGE:
            kind = kind_of_answered if method == "GET" else _METHOD
        if kind == _PAGE:
            if not url:
                raise BrokenLine("no path in the request")
            who = visitor_of(address, cookie, agent)
            about = who.session_id, url, referrer_of(referrer, host), who.visitor_class, who.agent
            self._add_page((time_text(ms), ids.id_of(line, ms), *about), ms)
        elif sign := sign_of_file if kind == _FILE else sign_elsewhere:
            who, hour = visitor_of(address, cookie, agent), ms // HOUR_MS
            # A visitor has the same few signs all the time.
            if who.session_id and (who.hour != hour or not who.signs & sign):
                self._add_sign(who, hour, sign)
        return kind

    def _read_target(self, target: str | None) -> _Target:
        target, path = path_of(target or "")
        kind = self._rules.pages.kind_of_path(path)
        robots = _ROBOTS if path == ROBOTS else 0
        sign = _FILES if is_embedded(path) else robots
        url = self._rules.addresses.url_of(target) if target and kind == _PAGE else ""
        return _Target(kind, url, sign, robots or (_PROBE if is_probe(path) else 0))

    def _add_page(self, row: VisitRow, ms: int) -> None:
        self._batch.visits.append(row)
        self._times.append(ms)
        if len(self._times) >= BATCH:
            self._hand_over()

    def _add_sign(self, visitor: Visitor, hour: int, sign: int) -> None:
        visitor.signs = visitor.signs | sign if visitor.hour == hour else sign
        visitor.hour = hour
        place, signs = (visitor.session_id, hour), self._batch.signs
        signs[place] = signs.get(place, 0) | sign
        if len(signs) >= BATCH:
            self._hand_over()

    def _hand_over(self) -> None:
        batch, self._batch = self._batch, Batch()
        times, self._times = self._times, []
        batch.quarters = {ms // QUARTER_MS for ms in times}
        self.counts.add_pages(Counter(map(_CLASS_OF, batch.visits)), times)
        self._take_batch(batch)
