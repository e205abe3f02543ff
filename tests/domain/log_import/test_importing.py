"""Imported logs: every line is counted once as what it is, and every page is stored once, on both databases."""

import gzip
import json
import re
import tracemalloc
import zlib
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from itertools import groupby, pairwise

import pytest
from sqlalchemy import func, select

from domain.log_import import importing, log_reader
from domain.log_import.formats import FORMATS as FORMS
from domain.log_import.forms.line_fields import LogRefused
from domain.log_import.forms.templates import template_format
from domain.log_import.importing import LogImport
from domain.log_import.lines import open_files
from domain.tables import ImportedVisit, VisitDay, VisitRollup, VisitSite
from domain.visits.days import due
from domain.visits.days.build import DayBuilder
from tests.domain.log_import import log_files
from tests.domain.log_import.log_files import AGENTS, FORMATS, HOST, TEMPLATES
from tests.domain.log_import.worlds import NOW, RULES, digests, import_files, options, stopped_after, stored, visitors

MADE = log_files.requests(1_000, gap_s=15)
IDLE = timedelta(minutes=30)


@pytest.fixture
def small_batches(monkeypatch):
    """Many transactions."""
    monkeypatch.setattr(log_reader, "BATCH", 40)


@pytest.fixture
def log(tmp_path):
    return log_files.write(tmp_path / "access.log", MADE, "combined")


@pytest.mark.parametrize("form", [*FORMATS, *TEMPLATES])
def test_each_form_has_the_lines_that_were_written(sqlite_database, tmp_path, form):
    path = log_files.write(tmp_path / "access.log", MADE, form)
    counts = import_files(sqlite_database, path, form=template_format(TEMPLATES[form]) if form in TEMPLATES else None)
    expected = Counter(request.kind for request in MADE)
    assert ({str(kind): count for kind, count in counts.kinds.items()}, counts.lines) == (dict(expected), len(MADE))
    assert counts.new == expected["pages"]


@pytest.mark.parametrize("form", [form for form in FORMATS if form not in ("common", "combined")])
def test_each_form_gives_the_visits_of_the_others(sqlite_database, tmp_path, log, form):
    import_files(sqlite_database, log)
    import_files(sqlite_database, log_files.write(tmp_path / "other.log", MADE, form), site="other")
    with sqlite_database.read_session() as session:
        about = (ImportedVisit.visited_at, ImportedVisit.url, ImportedVisit.referrer, ImportedVisit.agent)
        first, second = ([*session.execute(select(*about).where(ImportedVisit.site == site))] for site in (1, 2))
        days = select(
            VisitDay.site, VisitDay.dimension, VisitDay.audience, VisitDay.key, VisitDay.visits, VisitDay.sessions
        )
        figures = [{tuple(row[1:]) for row in session.execute(days) if row.site == site} for site in (1, 2)]
    assert sorted(first) == sorted(second)
    assert figures[0] == figures[1]


def test_pages_and_sessions_of_days_are_those_of_the_requests(database, log):
    import_files(database, log)
    pages = [request for request in MADE if request.kind == "pages"]
    by_day = Counter(request.at.date() for request in pages)
    with database.read_session() as session:
        figures = select(VisitDay.day, func.sum(VisitDay.visits), func.sum(VisitDay.sessions))
        is_all = VisitDay.dimension == "all"
        found = {
            row[0]: (int(row[1]), int(row[2])) for row in session.execute(figures.where(is_all).group_by(VisitDay.day))
        }
    assert found == {day: (count, sessions_of(pages, day)) for day, count in by_day.items()}
    assert len(found) == 2


def sessions_of(pages, day) -> int:
    """The number of sessions of all visitors but crawlers, cut after 30 minutes."""
    count = 0
    own = [request for request in pages if request.at.date() == day and AGENTS[request.agent] != "crawler"]
    for _, group in groupby(sorted(own, key=lambda r: (r.address, r.at)), lambda r: r.address):
        times = [request.at for request in group]
        count += 1 + sum(later - earlier > IDLE for earlier, later in pairwise(times))
    return count


@pytest.mark.each_database
def test_a_log_imported_again_changes_nothing(database, log, small_batches):
    assert import_files(database, log).new == len([request for request in MADE if request.kind == "pages"])
    first, days = stored(database), digests(database)
    assert import_files(database, log).new == 0
    assert (stored(database), digests(database)) == (first, days)


def test_overlapping_halves_in_any_order_give_the_rows_of_the_whole(database, tmp_path, log, small_batches):
    import_files(database, log)
    rows, signs, days = stored(database)
    middle = MADE[500].at
    parts = {
        "second": [request for request in MADE if request.at >= middle - timedelta(minutes=20)],
        "first": [request for request in MADE if request.at < middle],
    }
    for name, made in parts.items():
        path = log_files.write(tmp_path / f"{name}.log", made, "combined")
        path.write_bytes(gzip.compress(path.read_bytes()))
        clear(database, name == "second")
        import_files(database, path)
    assert stored(database) == (rows, signs, days)


def clear(database, is_wanted: bool) -> None:
    """Forget what was imported, but the site."""
    if is_wanted:
        with database.write_session() as session:
            for table in ("imported_visits", "visitor_signs", "visit_days", "visit_hours", "visit_rollups"):
                session.connection().exec_driver_sql(f"DELETE FROM {table}")


@pytest.mark.each_database
def test_both_halves_in_one_command_count_each_page_once(database, tmp_path):
    first = log_files.write(tmp_path / "a.log", MADE[:700], "vhost")
    second = log_files.write(tmp_path / "b.log", MADE[300:], "vhost")
    counts = import_files(database, second, first)
    assert (counts.lines, counts.new) == (1_400, len([r for r in MADE if r.kind == "pages"]))


def test_an_import_that_was_stopped_goes_on(database, log, small_batches):
    with stopped_after(4), pytest.raises(KeyboardInterrupt):
        import_files(database, log)
    with database.read_session() as session:
        before = session.scalar(select(func.count()).select_from(ImportedVisit))
        assert session.scalar(select(func.count()).select_from(VisitRollup).where(VisitRollup.dirty_at.is_not(None)))
    pages = len([request for request in MADE if request.kind == "pages"])
    assert 0 < before < pages
    assert import_files(database, log).new == pages - before
    clean = stored(database)
    clear(database, True)
    import_files(database, log)
    assert stored(database) == clean


@pytest.mark.each_database
def test_equal_lines_of_one_second_are_as_many_visits(database, tmp_path):
    line = log_files.line_of(next(request for request in MADE if request.kind == "pages"), "vhost")
    (tmp_path / "a.log").write_text(f"{line}\n" * 3)
    assert [import_files(database, tmp_path / "a.log").new for _ in range(2)] == [3, 0]


def test_two_sites_do_not_mix_and_the_shop_has_none_of_their_visits(database, log):
    import_files(database, log)
    import_files(database, log, site="other")
    found = digests(database)
    assert {(row[0], row[2]) for row in found} == {(site, row[2]) for site in (1, 2) for row in found}
    with database.read_session() as session:
        assert [*session.execute(select(VisitSite.id, VisitSite.name).order_by(VisitSite.id))] == [
            (1, "school"),
            (2, "other"),
        ]
        assert due.due_days(session, RULES, NOW) == []


def test_figures_do_not_depend_on_which_file_has_the_beginning_of_a_session_over_midnight(database, tmp_path):
    """The session begins two hours before midnight; that alone says where it came from."""
    page = next(request for request in MADE if request.kind == "pages" and AGENTS[request.agent] == "human")
    start, step = log_files.START.replace(hour=22), timedelta(minutes=25)
    made = [replace(page, at=start + number * step, referrer="") for number in range(6)]
    made[0] = replace(made[0], referrer="https://www.google.com/")
    first = log_files.write(tmp_path / "a.log", made[:1], "vhost")
    second = log_files.write(tmp_path / "b.log", made[1:], "vhost")
    import_files(database, second)
    import_files(database, first)
    builder = DayBuilder(database, RULES, lambda: NOW, 1)
    assert [builder.is_stored(row[1]) for row in digests(database)] == [True, True]


def test_a_day_that_was_imported_is_right_when_it_is_checked(database, log):
    import_files(database, log)
    builder = DayBuilder(database, RULES, lambda: NOW, 1)
    assert [builder.is_stored(row[1]) for row in digests(database)] == [True, True]


def test_broken_lines_are_counted_by_reason_and_the_first_are_named(sqlite_database, tmp_path):
    good = [log_files.line_of(request, "vhost") for request in MADE[:60]]
    bad = ["rubbish", "", good[0].replace("/Mar/", "/Mrz/"), "x" * 100_000]
    (tmp_path / "a.log").write_text("\n".join([*good, *bad]) + "\n")
    counts = import_files(sqlite_database, tmp_path / "a.log")
    assert counts.reasons["not of the form vhost"] == 1
    assert (counts.reasons["empty"], counts.reasons["no readable time"]) == (1, 1)
    assert counts.reasons["longer than 64 KiB"] == 1
    assert [(broken.file, broken.line) for broken in counts.shown][:3] == [("a.log", 61), ("a.log", 62), ("a.log", 63)]
    assert (counts.lines, counts.kinds["broken"]) == (64, 4)


@pytest.mark.parametrize("text", ["31/Dec/9999:00:00:00 +0000", "10/Mar/2026:00:00:01 +0000"])
def test_a_time_in_the_future_is_a_broken_line(sqlite_database, tmp_path, text):
    good = log_files.line_of(next(request for request in MADE if request.kind == "pages"), "vhost")
    dated = [re.sub(r"\[.*?\]", f"[{time}]", good) for time in (text, "10/Mar/2026:00:00:00 +0000")]
    (tmp_path / "a.log").write_text("\n".join([good, *dated]))
    counts = import_files(sqlite_database, tmp_path / "a.log")
    assert (counts.new, dict(counts.reasons)) == (2, {"a time in the future": 1})


@pytest.mark.parametrize("first", ["\n" * 60, f"{'x' * 70_000}\n" * 60], ids=["empty", "too long"])
def test_a_file_that_begins_with_lines_that_cannot_be_read_is_imported(sqlite_database, tmp_path, log, first):
    (tmp_path / "a.log").write_text(first + log.read_text())
    counts = import_files(sqlite_database, tmp_path / "a.log")
    assert (counts.lines, counts.kinds["broken"]) == (len(MADE) + 60, 60)


@pytest.mark.parametrize("text", ["x" * 70_000, "\n" * 10_000], ids=["too long", "empty"])
def test_a_file_without_a_line_that_can_be_read_is_refused(sqlite_database, tmp_path, text):
    (tmp_path / "a.log").write_text(text)
    with pytest.raises(LogRefused, match="Leave the file out"):
        import_files(sqlite_database, tmp_path / "a.log")


def test_a_file_of_some_empty_lines_is_left_out(sqlite_database, tmp_path, log):
    (tmp_path / "a.log").write_text("\n\n")
    assert import_files(sqlite_database, tmp_path / "a.log", log).lines == len(MADE)


@pytest.mark.parametrize("text", ["<html>\n<p>no log</p>\n", "a,b,c\n1,2,3\n", "\x00\x01\x02\n"])
def test_a_file_of_no_known_form_changes_nothing(sqlite_database, tmp_path, log, text):
    (tmp_path / "b.log").write_text(text)
    with pytest.raises(
        LogRefused, match=r"b\.log: most of the first lines are not of a known form .* Nothing was changed"
    ):
        import_files(sqlite_database, log, tmp_path / "b.log")
    assert stored(sqlite_database) == ([], [], [])


def test_lines_of_another_form_than_the_named_one_are_refused(sqlite_database, log):
    with pytest.raises(LogRefused, match="not of the form caddy"):
        import_files(sqlite_database, log, form=FORMS["caddy"])


def test_without_the_own_host_a_form_that_lacks_it_is_refused(sqlite_database, log):
    with pytest.raises(LogRefused, match="Name its host with --own-host"):
        import_files(sqlite_database, log, own_hosts=[])
    assert stored(sqlite_database) == ([], [], [])


@pytest.mark.parametrize("form", ["json", "caddy"])
@pytest.mark.parametrize("line", [0, 299])
def test_one_line_without_its_host_is_enough_wherever_it_is(sqlite_database, tmp_path, form, line):
    lines = [json.loads(log_files.line_of(request, form)) for request in MADE[:300]]
    referrer = "https://elsewhere.example/"
    if form == "caddy":
        lines[line]["request"] |= {"host": "", "headers": {"Referer": [referrer]}}
    else:
        lines[line] |= dict.fromkeys(_HOSTS & lines[line].keys(), "") | {"http_referer": referrer}
    path = tmp_path / "a.log"
    path.write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(LogRefused, match="Name its host with --own-host"):
        import_files(sqlite_database, path, own_hosts=[])
    assert stored(sqlite_database) == ([], [], [])
    assert import_files(sqlite_database, path).lines == 300


_HOSTS = {"http_host", "host", "vhost", "server_name"}


def test_lines_of_other_hosts_are_counted_apart(sqlite_database, tmp_path):
    lines = [log_files.line_of(request, "vhost") for request in MADE[:100]]
    other = [line.replace(HOST, "other.example", 1) for line in lines]
    (tmp_path / "a.log").write_text("\n".join(lines + other))
    counts = import_files(sqlite_database, tmp_path / "a.log")
    assert (counts.kinds["other hosts"], counts.lines) == (100, 200)


def test_a_packed_file_that_is_cut_off_keeps_what_was_read(sqlite_database, tmp_path, log):
    packed = tmp_path / "a.log.gz"
    packed.write_bytes(gzip.compress(log.read_bytes() * 8)[:-200])
    chosen = options()
    found = LogImport(sqlite_database, RULES, lambda: NOW)
    checked = importing.check(open_files([packed]), chosen)
    with pytest.raises(LogRefused, match="cannot be read to its end"):
        found.store(checked, chosen.rules(visitors()), lambda done, size, lines: None)
    assert found.counts.lines > 0


def test_a_packed_file_that_is_damaged_is_refused_with_its_name(tmp_path, log):
    packed = bytearray(gzip.compress(log.read_bytes()))
    # A block of the kind that does not exist.
    packed[10] |= 0b110
    (tmp_path / "a.log.gz").write_bytes(packed)
    with pytest.raises(LogRefused, match=r"a\.log\.gz cannot be read to its end: .*invalid block type") as refused:
        importing.check(open_files([tmp_path / "a.log.gz"]), options())
    assert isinstance(refused.value.__cause__, zlib.error)


def test_no_address_and_no_agent_is_stored(sqlite_database, log):
    import_files(sqlite_database, log)
    rows, signs, _ = stored(sqlite_database)
    found = repr((rows, signs))
    assert [text for text in ("192.0.2.", *AGENTS) if text in found] == []
    assert {len(row[3]) for row in rows} == {0, 32}


def test_lines_that_visitors_make_long_are_not_remembered(sqlite_database, tmp_path):
    count, long = 400, "x" * 60_000
    with (tmp_path / "a.log").open("w", encoding="utf-8") as file:
        for number in range(count):
            target = f"/shop?q={number}{long}"
            file.write(f'192.0.2.1 - - [02/Mar/2026:10:00:00 +0000] "GET {target} HTTP/1.1" 200 1 "-" "A"\n')
    checked = importing.check(open_files([tmp_path / "a.log"]), options())
    found = LogImport(sqlite_database, RULES, lambda: NOW)
    tracemalloc.start()
    found.only_count(checked, options().rules(visitors()), lambda done, size, lines: None)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (found.counts.pages, peak < count * len(long) / 2) == (count, True)


def test_what_was_only_counted_before_is_stored_with_its_signs(sqlite_database, log):
    rules, found = options().rules(visitors()), LogImport(sqlite_database, RULES, lambda: NOW)
    found.only_count(importing.check(open_files([log]), options()), rules, lambda done, size, lines: None)
    found.store(importing.check(open_files([log]), options()), rules, lambda done, size, lines: None)
    _, signs, _ = stored(sqlite_database)
    assert len(signs) == len(log_signs(options().rules(visitors()), log)) > 0


def log_signs(rules, log) -> set:
    """Return the visitors and hours of which one reader of the log collects signs."""
    batches = []
    reader = log_reader.LogReader(rules, int(NOW.timestamp() * 1000), batches.append, lambda: None)
    for file, form in importing.check(open_files([log]), options()).files:
        reader.read(file, form)
    reader.finish()
    return {place for batch in batches for place in batch.signs}
