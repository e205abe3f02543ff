"""An import: the files are checked, then their lines are stored, then the days of the site are computed."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from sqlalchemy.exc import IntegrityError

from domain.database.database import Database
from domain.log_import import classes, storing
from domain.log_import.addresses import LogAddresses
from domain.log_import.classes import VisitorClass
from domain.log_import.counts import ImportCounts
from domain.log_import.formats import format_of
from domain.log_import.forms.line_fields import EMPTY, BrokenLine, LogFormat, LogRefused, ReadLine
from domain.log_import.lines import LogFile
from domain.log_import.log_reader import LogReader, Rules
from domain.log_import.page_rules import PageRules
from domain.log_import.storing import Batch
from domain.log_import.visitors import Agents, Visitors
from domain.visits.days import due
from domain.visits.days.build import DayBuilder
from domain.visits.days.day_files import DayFileWriter
from domain.visits.raw.local_days import DayRules

# Clocks of servers differ; a time zone that is missing is part of a day.
_FUTURE = timedelta(days=1)
# Bytes that were read, bytes in all, lines.
ShowProgress = Callable[[int, int, int], None]
_OWN_HOST = (
    "{path}: its lines do not say of which site they are, so links within the site would count as referrals."
    " Name its host with --own-host, such as --own-host www.example.com. Nothing was changed."
)


@dataclass(frozen=True)
class ImportOptions:
    """`form`: None to find out. `path_pairs`: beginnings of paths, as in Addresses; `patterns`: paths that are pages
    besides."""

    site: str
    form: LogFormat | None = None
    own_hosts: Sequence[str] = ()
    path_pairs: Sequence[tuple[str, str]] = ()
    patterns: Sequence[str] = ()

    def rules(self, visitors: Visitors) -> Rules:
        return Rules(self.site, PageRules(self.patterns), LogAddresses(self.own_hosts, self.path_pairs), visitors)


@dataclass(frozen=True)
class CheckedFiles:
    files: Sequence[tuple[LogFile, LogFormat]]

    @property
    def size(self) -> int:
        return sum(file.size for file, _ in self.files)

    @property
    def position(self) -> int:
        return sum(file.position for file, _ in self.files)


def check(files: Sequence[LogFile], options: ImportOptions) -> CheckedFiles:
    """Raises LogRefused when a file cannot be imported; an empty one is left out."""
    forms = [(file, format_of(file, options.form)) for file in files]
    found = [(file, form) for file, form in forms if form is not None]
    for file, form in found:
        if not options.own_hosts and _needs_own_host(file, form):
            raise LogRefused(_OWN_HOST.format(path=file.path))
    return CheckedFiles(found)


def _needs_own_host(file: LogFile, form: LogFormat) -> bool:
    """Whether there are referrers beside no host, in whichever line: with --own-host no file is read for that."""
    if not form.may_lack_host:
        return form.needs_own_host
    read = form.open()
    # One that cannot be read to its end is refused when the import comes to that place.
    with suppress(LogRefused):
        return any(_lacks_host(read, line) for line in LogFile(file.path, file.size).lines() if line)
    return False


def _lacks_host(read: ReadLine, line: str) -> bool:
    try:
        fields = read(line)
    except BrokenLine:
        return False
    return fields is not None and fields[6] not in EMPTY and fields[8] in EMPTY


def visitors_of(site: str, secret: str, agents: Agents) -> Visitors:
    return Visitors(site, f"visitors of imported logs\0{secret}".encode(), agents)


@dataclass
class LogImport:
    """`counts` are those so far, also after an error. Stopped at any time, it may begin anew: what is stored is
    skipped."""

    database: Database
    day_rules: DayRules
    now: Callable[[], datetime]
    counts: ImportCounts = field(default_factory=ImportCounts)
    files: DayFileWriter | None = None

    def store(self, checked: CheckedFiles, rules: Rules, show: ShowProgress) -> None:
        """Raises LogRefused when a file ends too early."""
        site = storing.Site(self._add_site(rules.site), rules.site)

        def store(batch: Batch) -> None:
            stored = self.database.write_sync(storing.store, site, batch, self.day_rules, self.now())
            self.counts.new += stored.new
            self.counts.final += stored.final

        self._read(checked, rules, store, show)

    def only_count(self, checked: CheckedFiles, rules: Rules, show: ShowProgress) -> None:
        self._read(checked, rules, lambda batch: None, show)

    def _read(
        self, checked: CheckedFiles, rules: Rules, take_batch: Callable[[Batch], None], show: ShowProgress
    ) -> None:
        latest_ms = int((self.now() + _FUTURE).timestamp() * 1000)
        reader = LogReader(
            rules, latest_ms, take_batch, lambda: show(checked.position, checked.size, reader.counts.lines)
        )
        self.counts = reader.counts
        try:
            for file, form in checked.files:
                reader.read(file, form)
        except LogRefused:
            # The counts are of all lines before.
            reader.finish()
            raise
        reader.finish()

    def classes(self, site: str, visitors: Visitors) -> dict[str, VisitorClass]:
        """The classes of the visitors of this import; `visitors.names` was a dictionary when it began."""
        return classes.classes_of(self.database, self._add_site(site), self.day_rules, self.counts, visitors)

    def _add_site(self, name: str) -> int:
        try:
            return self.database.write_sync(storing.add_site, name)
        except IntegrityError:
            # Another import has added a site at the same moment.
            return self.database.write_sync(storing.add_site, name)

    def compute_days(self, site: str, show: Callable[[int, int], None]) -> tuple[int, list[date]]:
        """The number of days computed, and those that another process computes now."""
        number = self._add_site(site)
        builder = DayBuilder(self.database, self.day_rules, self.now, number, self.files)
        with self.database.read_session() as session:
            days = due.imported_days(session, self.day_rules, number)
        missed = []
        for done, day in enumerate(days, 1):
            if not builder.build(day):
                missed.append(day)
            show(done, len(days))
        return len(days) - len(missed), missed
