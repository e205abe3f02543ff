"""An import as a job: the same end as the command's, in however many slices, and when another process goes on."""

import pytest
from sqlalchemy import select

from adapters.job_kinds import kinds
from adapters.jobs import JobRunner
from domain.catalogue_import import validate as import_validate
from domain.catalogue_import import write
from domain.catalogue_import.columns import ColumnRules
from domain.catalogue_import.job import KIND, ImportInput
from domain.jobs import job_rows
from domain.jobs.job_rows import NewJob
from domain.tables import Course, Product
from domain.uploads import upload_rows
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD

ROWS = 25
GOOD = "".join(f"{number},Course {number},{number}.00\n" for number in range(ROWS))
# One row without a price, one that no database takes: its sku is another's.
TEXT = f"id,title,price\n{GOOD}x,No price,\n"
CONSTANTS = {"category": "Accounting"}
UPLOAD = 7


@pytest.fixture
def chunks_of_ten(monkeypatch):
    monkeypatch.setattr(write, "ROWS_IN_CHUNK", 10)


@pytest.fixture
def path(tmp_path):
    path = upload_rows.path_of(tmp_path, UPLOAD)
    path.parent.mkdir()
    path.write_text(TEXT, "utf-8")
    return path


@pytest.fixture
def start(database, path):
    """Starts the import of the checked file."""

    def begin():
        plan = import_validate.check(path, "courses", USD, ColumnRules(constants=CONSTANTS))
        source = ImportInput(UPLOAD, "courses.csv", "courses", constants=CONSTANTS, good=plan.good, stamp=plan.stamp)
        with database.write_session() as session:
            learner_id = factories.learner(session).id
            factories.staff(session, learner_id, "administrator")
            return job_rows.start(session, NewJob(KIND, source.as_json(), "key", learner_id), NOON)

    return begin


def view(database, job_id):
    with database.read_session() as session:
        return job_rows.job_view(session, job_id, [KIND])


def courses(database):
    with database.read_session() as session:
        query = select(Product.source_id, Product.name, Product.list_price).join(Course, Course.id == Product.id)
        return session.execute(query.order_by(Product.id)).all()


@pytest.mark.each_database
def test_an_import_in_slices_of_several_processes_stores_every_good_row_once(
    database, path, start, tmp_path, chunks_of_ten
):
    job_id = start()
    places = []
    while view(database, job_id).state != "done":
        JobRunner(database, kinds(tmp_path, USD)).run_slice(0)
        places.append(view(database, job_id).processed)
    assert places == [10, 20, 25, 25]
    report = view(database, job_id).report
    assert (report["added"], report["changed"], report["unchanged"], report["refused"]) == (ROWS, 0, 0, 0)
    assert report["kept_as_draft"] == ROWS
    assert report["findings"][0]["line"] == 2
    assert [row.source_id for row in courses(database)] == [str(number) for number in range(ROWS)]


@pytest.mark.each_database
def test_a_row_that_the_database_refuses_is_left_out_alone(database, path, tmp_path, chunks_of_ten):
    path.write_text("id,name,category,price,sku\n1,A,Tax,1,S1\n2,B,Tax,1,S1\n3,C,Tax,1,S3\n", "utf-8")
    plan = import_validate.check(path, "items", USD)
    source = ImportInput(UPLOAD, "items.csv", "items", good=plan.good, stamp=plan.stamp)
    with database.write_session() as session:
        learner_id = factories.learner(session).id
        factories.staff(session, learner_id, "administrator")
        job_id = job_rows.start(session, NewJob(KIND, source.as_json(), "key", learner_id), NOON)
    JobRunner(database, kinds(tmp_path, USD)).run_slice()
    report = view(database, job_id).report
    assert (view(database, job_id).state, report["added"], report["refused"]) == ("done", 2, 1)
    assert [finding["line"] for finding in report["findings"] if finding["about"] == "refused"] == [3]


def test_a_file_that_was_changed_since_the_check_imports_nothing(database, path, start, tmp_path):
    job_id = start()
    path.write_text(TEXT + "y,Another,1\n", "utf-8")
    JobRunner(database, kinds(tmp_path, USD)).run_slice()
    ended = view(database, job_id)
    text = "courses.csv is no longer the file that was checked. Send it again."
    assert (ended.state, ended.processed, ended.report) == ("failed", 0, {"error": text})
    assert courses(database) == []
