"""The check before an import: what the import would do with each row, and nothing is changed by it."""

from dataclasses import astuple

import pytest
from sqlalchemy import func, select

from adapters.job_kinds import kinds
from adapters.jobs import JobRunner
from domain.catalogue_import import check_job, job, sample, write
from domain.catalogue_import import columns as import_columns
from domain.catalogue_import.check_job import CheckInput
from domain.catalogue_import.columns import ColumnRules
from domain.catalogue_import.job import ImportInput
from domain.catalogue_import.read_lines import ImportRefused
from domain.catalogue_import.report import read_rows
from domain.errors import NotFound
from domain.jobs import job_rows
from domain.jobs.job_rows import NewJob
from domain.tables import CatalogueVersion, Category, Learner, Product
from domain.uploads import upload_rows
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD

UPLOAD = 7
HEADER = "id,title,subject,price,content_duration\n"
BEFORE = f"{HEADER}1,Ledgers,Tax,10,2\n2,Audits,Tax,20,2\n"
AFTER = (
    f"{HEADER}1,Ledgers,Tax,10,2\n2,Audits,Tax,25,2\n3,Budgets,Finance,30,\n4,Forecasts,Finance,5,1\n"
    "5,,Tax,9,1\n4,Forecasts,Finance,5,1\n6,Costs,Tax,dear,1\n"
)


@pytest.fixture
def path(tmp_path):
    path = upload_rows.path_of(tmp_path, UPLOAD)
    path.parent.mkdir()
    return path


@pytest.fixture
def check(database, path, tmp_path):
    """Checks this text as courses; the view of the job."""

    def run(text):
        path.write_text(text, "utf-8")
        with database.write_session() as session:
            learner_id = session.scalar(select(func.min(Learner.id))) or factories.learner(session).id
            factories.staff(session, learner_id, "administrator")
            about = CheckInput(UPLOAD, "a.csv", "courses").as_json()
            job_id = job_rows.start(session, NewJob(check_job.KIND, about, f"key {hash(text)}", learner_id), NOON)
        runner = JobRunner(database, kinds(tmp_path, USD))
        while runner.run_slice():
            pass
        with database.read_session() as session:
            return job_rows.job_view(session, job_id, [check_job.KIND])

    return run


def run_import(database, path, tmp_path, checked):
    about = ImportInput.of_check(checked).as_json()
    with database.write_session() as session:
        learner_id = session.scalar(select(func.min(Learner.id)))
        job_id = job_rows.start(session, NewJob(job.KIND, about, f"import of {checked.id}", learner_id), NOON)
    JobRunner(database, kinds(tmp_path, USD)).run_slice()
    with database.read_session() as session:
        return job_rows.job_view(session, job_id, [job.KIND])


@pytest.mark.each_database
def test_the_check_says_of_every_row_what_the_import_then_does(database, path, check, tmp_path, monkeypatch):
    monkeypatch.setattr(write, "ROWS_IN_CHUNK", 2)
    run_import(database, path, tmp_path, check(BEFORE))
    with database.read_session() as session:
        version = session.scalar(select(CatalogueVersion.number))
    checked = check(AFTER)
    expected = {"added": 2, "changed": 1, "unchanged": 1, "kept_as_draft": 0}
    assert {name: checked.report[name] for name in expected} == expected
    assert {name: checked.report[name] for name in ("rows", "good", "bad", "repeats")} == {
        "rows": 7,
        "good": 4,
        "bad": 2,
        "repeats": 1,
    }
    rows = list(read_rows(upload_rows.report_path(tmp_path, UPLOAD, checked.id)))
    assert [(row.line, row.result, row.changed) for row in rows] == [
        (2, "unchanged", ()),
        (3, "changed", ("list_price",)),
        (4, "added", ()),
        (5, "added", ()),
        (6, "bad", ()),
        (7, "repeats", ()),
        (8, "bad", ()),
    ]
    assert rows[4].reason == "title is empty"
    with database.read_session() as session:
        assert session.scalar(select(CatalogueVersion.number)) == version, "a check changes nothing"
        assert session.scalar(select(func.count()).select_from(Category)) == 1
        assert session.scalar(select(func.count()).select_from(Product)) == 2
    done = run_import(database, path, tmp_path, checked)
    assert {name: done.report[name] for name in expected} == expected


def test_rows_that_would_stay_drafts_are_named_with_the_reason(check, tmp_path):
    checked = check("id,title,subject,price\n1,Ledgers,Tax,10\n")
    assert checked.report["kept_as_draft"] == 1
    reason = "it has neither a duration nor timed lessons"
    assert checked.report["findings"] == [{"about": "kept_as_draft", "line": 2, "text": f"ledgers: {reason}"}]
    (row,) = read_rows(upload_rows.report_path(tmp_path, UPLOAD, checked.id))
    assert (row.result, row.draft_reasons) == ("added", reason)


def test_a_report_that_was_deleted_with_its_file_says_so(check, tmp_path):
    checked = check(BEFORE)
    upload_rows.delete_contents(tmp_path, UPLOAD)
    assert list((tmp_path / "uploads").iterdir()) == []
    with pytest.raises(NotFound):
        list(read_rows(upload_rows.report_path(tmp_path, UPLOAD, checked.id)))


def test_a_check_that_fails_leaves_no_report(check, tmp_path):
    assert check("id,title\n1,A\n").state == "failed"
    assert [file.name for file in (tmp_path / "uploads").iterdir()] == [str(UPLOAD)]


CSV = "Course Title,what,cost\nLedgers,Tax,10\nAudits,Tax,much\n,Tax,30\n"
LINES = '{"title": "Ledgers", "what": "Tax", "cost": 10}\n{"title": "Audits", "cost": "much"}\n'


@pytest.mark.parametrize("text", [CSV, LINES, f"[{LINES.strip().replace(chr(10), ',')}"])
def test_a_sample_shows_values_and_which_do_not_fit_their_column(tmp_path, text):
    path = tmp_path / "file"
    path.write_text(text, "utf-8")
    rules = ColumnRules({"what": "category", "cost": "list_price"})
    columns = sample.sample(path, "courses", rules, USD)
    name, category, price = columns
    assert (name.field, name.samples) == ("name", ("Ledgers", "Audits"))
    assert (category.field, category.samples) == ("category", ("Tax",))
    assert (price.field, price.samples[:2]) == ("list_price", ("10", "much"))
    assert price.warning.startswith("1 of the first ")
    assert "cost 'much'" in price.warning
    unmapped = sample.sample(path, "courses", import_columns.ColumnRules(), USD)
    assert [(column.field, column.warning) for column in unmapped[1:]] == [(None, ""), (None, "")]


def test_words_for_a_state_that_are_not_known_are_asked_for_until_their_meaning_is_said(tmp_path):
    path = tmp_path / "file"
    heading = "name,category,price,status,published,visibility"
    path.write_text(f"{heading}\nLedgers,Tax,10,live,1,shown\nAudits,Tax,20,Sold out,perhaps,none\n", "utf-8")
    unread = {name: unread for name, *_, unread in map(astuple, sample.sample(path, "courses", ColumnRules(), USD))}
    assert {name: words for name, words in unread.items() if words} == {
        "status": ("Sold out",),
        "published": ("perhaps",),
        "visibility": ("shown",),
    }
    words = {"status": {"sold out": "draft"}, "published": {"perhaps": "no"}, "visibility": {"shown": "visible"}}
    assert not any(column.unread for column in sample.sample(path, "courses", ColumnRules(words=words), USD))


def test_a_field_may_come_from_one_column_only(tmp_path):
    path = tmp_path / "file"
    path.write_text(CSV, "utf-8")
    with pytest.raises(ImportRefused, match="Two columns are read as one field"):
        sample.sample(path, "courses", ColumnRules({"what": "name", "cost": "name"}), USD)
