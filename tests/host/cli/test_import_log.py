"""`python -m host visits import-log`: logs of other sites."""

import csv
import gzip
import json
import re
import stat
from random import Random

import pytest

from config.settings import Settings
from domain.log_import import log_reader
from host.cli import visits
from tests.domain.log_import import log_files
from tests.domain.log_import.log_files import CHROME, HOST
from tests.domain.log_import.worlds import stopped_after
from tests.host.cli import running

MADE = log_files.requests(400)
PAGES = len([request for request in MADE if request.kind == "pages"])


@pytest.fixture
def settings(sqlite_database, tmp_path) -> Settings:
    return Settings(var_dir=tmp_path)


@pytest.fixture
def log(tmp_path):
    return log_files.write(tmp_path / "access.log", MADE, "vhost")


def run(settings, *words) -> int:
    return running.run(visits, settings, *words)


def import_log(settings, *words) -> int:
    return run(settings, "import-log", *words)


def test_an_import_says_what_became_of_each_line_and_can_be_checked(settings, log, capsys):
    assert import_log(settings, log, "--site", "school") == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"400 lines: {PAGES} pages, ")
    assert f"{PAGES} new visits of school; 0 pages were stored before.\n" in shown
    assert shown.endswith("1 days of school were computed.\n")
    first = str(log_files.START.date())
    assert run(settings, "rollup", "--site", "school", "--from", first, "--to", first, "--check") == 0
    assert capsys.readouterr().out == "1 of 1 days are right.\n"


def test_an_import_again_has_nothing_new(settings, log, capsys):
    assert [import_log(settings, log) for _ in range(2)] == [0, 0]
    assert f"0 new visits of imported; {PAGES} pages were stored before.\n" in capsys.readouterr().out


def test_the_site_is_named_after_its_own_host_with_or_without_www(settings, tmp_path, capsys):
    path = log_files.write(tmp_path / "a.log", MADE, "combined")
    bare = HOST.removeprefix("www.")
    for host, new in ((HOST, PAGES), (bare, 0)):
        assert import_log(settings, path, "--own-host", host) == 0
        assert f"{new} new visits of {bare};" in capsys.readouterr().out


def test_a_site_is_removed(settings, log, capsys):
    assert import_log(settings, log, "--site", "school") == 0
    assert import_log(settings, log, "--site", "other") == 0
    capsys.readouterr()
    assert run(settings, "remove-site", "school") == 0
    assert capsys.readouterr().out == f"school is removed, with {PAGES} visits.\n"
    assert run(settings, "remove-site", "school") == 1
    assert capsys.readouterr().err == "No log of school was imported. There is: other.\n"


def test_a_dry_run_changes_nothing(settings, log, capsys):
    assert import_log(settings, log, "--dry-run") == 0
    shown = capsys.readouterr()
    assert shown.out.startswith(f"400 lines: {PAGES} pages, ")
    assert shown.err.endswith("Dry run: nothing was changed.\n")
    assert run(settings, "rollup", "--site", "imported", "--from", "2026-03-02") == 2
    assert "No log of imported was imported. There is: no other site." in capsys.readouterr().err


def test_counts_can_be_read_by_programs(settings, log, capsys):
    log.write_text(f"{log.read_text()}broken\n")
    assert import_log(settings, log, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    kinds = ("page", "file", "method", "redirect", "error", "host", "broken")
    assert (found["lines"], found["page"], found["new"], found["broken"]) == (401, PAGES, PAGES, 1)
    assert sum(found[kind] for kind in kinds) == 401
    assert found["shown"] == [{"file": "access.log", "line": 401, "reason": "not of the form vhost"}]


def test_broken_lines_are_named_with_the_reason(settings, log, capsys):
    log.write_text(f"{log.read_text()}broken\n\n")
    assert import_log(settings, log) == 0
    shown = capsys.readouterr().out
    assert "2 broken lines are left out:\n  1 not of the form vhost\n  1 empty\nThe first of them:\n" in shown
    assert "  access.log line 401: not of the form vhost\n  access.log line 402: empty\n" in shown


def test_a_stopped_import_says_that_the_same_command_goes_on(settings, log, capsys, monkeypatch):
    monkeypatch.setattr(log_reader, "BATCH", 20)
    with stopped_after(2) as batches:
        assert import_log(settings, log) == 1
    stopped = r"Stopped after \d+ lines\. What was stored stays; the same command goes on\."
    assert re.search(stopped, capsys.readouterr().err)
    assert import_log(settings, log) == 0
    assert f"{PAGES - new_of(batches)} new visits of imported" in capsys.readouterr().out


def test_days_are_computed_although_a_file_is_damaged_and_the_files_after_it_can_be_imported(settings, log, capsys):
    whole, cut, other = log, log.with_name("cut.log.gz"), log.with_name("other.log")
    other.write_text(log.read_text().replace("192.0.2.", "198.51.100."))
    text = log.read_bytes()
    cut.write_bytes(gzip.compress(text) + gzip.compress(Random(1).randbytes(3_000_000))[:-9])
    assert import_log(settings, whole, cut, other) == 1
    shown = capsys.readouterr()
    assert "cut.log.gz cannot be read to its end" in shown.err
    assert "files after this one were not read: leave this file out to import them.\n" in shown.err
    assert f"{PAGES} new visits of imported;" in shown.out
    assert shown.out.endswith("1 days of imported were computed.\n")
    assert import_log(settings, whole, other) == 0
    assert f"{PAGES} new visits of imported; {PAGES} pages were stored before." in capsys.readouterr().out


def new_of(batches) -> int:
    return sum(len(batch.visits) for batch in batches)


def test_classes_of_visitors_are_written_and_compared_with_what_is_known(settings, log, tmp_path, capsys):
    pages = {(r.address, r.agent) for r in MADE if r.kind == "pages"}
    labels = {f"{address} {agent}": "human" if agent == CHROME else "bot" for address, agent in pages}
    truth, out = tmp_path / "truth.csv", tmp_path / "classes.csv"
    known = [["visitor", "label"], *labels.items(), ["nobody", "bot"]]
    with truth.open("w", newline="") as file:
        csv.writer(file).writerows(known)
    assert import_log(settings, log, "--classes", out, "--truth", truth) == 0
    with out.open(newline="") as file:
        rows = {row["visitor"]: row for row in csv.DictReader(file)}
    assert rows.keys() == labels.keys()
    programs = {row["class"] for name, row in rows.items() if "curl" in name}
    assert programs == {"bot"}
    assert {row["class"] for name, row in rows.items() if "Googlebot" in name} == {"crawler"}
    people = [row for name, row in rows.items() if labels[name] == "human"]
    taken = sum(row["class"] in ("doubtful", "bot") for row in people)
    bots = len(rows) - len(people)
    shown = capsys.readouterr().out
    assert f"Bots: precision {bots / (bots + taken):.3f}, recall 1.000.\n" in shown
    assert "  1 known visitors have no page in the log.\n" in shown


def test_classes_are_found_again_when_the_log_was_imported_before(settings, log, tmp_path):
    out = tmp_path / "classes.csv"
    assert import_log(settings, log, "--classes", out) == 0
    first = out.read_text()
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert import_log(settings, log, "--classes", out) == 0
    assert out.read_text() == first


@pytest.mark.parametrize("text", ["", "visitor,label\n", "a,robot\n", "a\n", "a,bot,x\n"])
def test_known_visitors_of_another_form_are_refused(settings, log, tmp_path, text, capsys):
    (tmp_path / "truth.csv").write_text(text)
    assert import_log(settings, log, "--truth", tmp_path / "truth.csv") == 1
    assert "its lines must be a visitor and human or bot" in capsys.readouterr().err


REFUSED = {
    ("missing.log",): "missing.log cannot be read: No such file or directory. Nothing was changed.",
    ("no.log",): "most of the first lines are not of a known form",
    ("access.log", "--log-format", "%h %t"): "lacks a request",
    ("access.log", "--log-format", "%h", "--format", "json"): "exclude each other",
    ("access.log", "--own-host", "no host"): "'no host' cannot name a site: give another with --site",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_cannot_be_imported_is_refused_and_nothing_changes(settings, log, tmp_path, words, capsys):
    (tmp_path / "no.log").write_text("no log\n")
    file, *rest = words
    assert import_log(settings, tmp_path / file, *rest) == 1
    assert REFUSED[words] in capsys.readouterr().err
    assert run(settings, "rollup", "--site", "imported", "--from", "2026-03-02") == 2
    assert "There is: no other site." in capsys.readouterr().err


@pytest.mark.parametrize("words", [("--site", "No Site"), ("--map", "a=b"), ("--map", "/a"), ("--format", "xml"), ()])
def test_malformed_arguments_end_with_2(settings, log, words):
    with pytest.raises(SystemExit) as ended:
        import_log(settings, *((log, *words) if words else ()))
    assert ended.value.code == 2


def test_a_database_that_cannot_be_written_is_named(settings, log, capsys):
    (settings.var_dir / "coursefront.db").write_bytes(b"no database" * 1000)
    assert import_log(settings, log) == 1
    assert "The database cannot be written: " in capsys.readouterr().err


def test_an_empty_file_has_no_lines(settings, tmp_path, capsys):
    (tmp_path / "empty.log").write_bytes(b"")
    assert import_log(settings, tmp_path / "empty.log") == 0
    assert capsys.readouterr().out.startswith("0 lines: 0 pages, ")
