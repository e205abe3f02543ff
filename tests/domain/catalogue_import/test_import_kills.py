"""kill -9 in the middle of a check and of an import with bad rows: the same end as undisturbed."""

import signal
from datetime import timedelta

import pytest
from sqlalchemy import delete, select

from adapters.job_kinds import kinds
from adapters.jobs import JobRunner
from domain.catalogue_import import check_job, job, write
from domain.catalogue_import.check_job import CheckInput
from domain.catalogue_import.job import ImportInput
from domain.catalogue_import.report import read_rows
from domain.jobs import claims, job_rows
from domain.jobs.job_rows import NewJob
from domain.tables import Product
from domain.uploads import upload_rows
from tests.domain.catalogue_import import killed_import
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD

pytestmark = pytest.mark.faults
UPLOAD = 7
ROWS, BAD = 60, 5
KINDS = [check_job.KIND, job.KIND]
# The last row of every dozen has no price.
TEXT = "id,title,subject,price,content_duration\n" + "".join(
    f"{n},Course {n},Tax,{'' if n % (ROWS // BAD) == 0 else n},1\n" for n in range(1, ROWS + 1)
)


@pytest.fixture
def imported(children, database, tmp_path, monkeypatch):
    """`imported(point)`: the products, the counts of both jobs and the rows of the check, after each of the two was
    killed at the point and then done by this process; "" kills nothing. Called again it begins with an empty shop."""
    monkeypatch.setattr(write, "ROWS_IN_CHUNK", killed_import.ROWS_IN_CHUNK)
    monkeypatch.setattr(claims, "LEASE", timedelta(0))
    path = upload_rows.path_of(tmp_path, UPLOAD)
    path.parent.mkdir()
    path.write_text(TEXT, "utf-8")
    with database.write_session() as session:
        learner_id = factories.learner(session).id
        factories.staff(session, learner_id, "administrator")

    def kill(point):
        about = {"url": database.url.render_as_string(hide_password=False), "folder": str(tmp_path), "point": point}
        assert children.run(killed_import.run, **about) == -signal.SIGKILL

    def do(kind, about, point):
        with database.write_session() as session:
            job_id = job_rows.start(session, NewJob(kind, about.as_json(), f"{kind} {point}", learner_id), NOON)
        if point:
            kill(point)
        runner = JobRunner(database, kinds(tmp_path, USD))
        while runner.run_slice():
            pass
        with database.read_session() as session:
            return job_rows.job_view(session, job_id, KINDS)

    def run(point):
        with database.write_session() as session:
            session.execute(delete(Product))
        checked = do(check_job.KIND, CheckInput(UPLOAD, "a.csv", "courses"), point)
        done = do(job.KIND, ImportInput.of_check(checked), point)
        with database.read_session() as session:
            query = select(Product.source_id, Product.slug, Product.name, Product.list_price, Product.status)
            products = session.execute(query.order_by(Product.source_id)).all()
        rows = list(read_rows(upload_rows.report_path(tmp_path, UPLOAD, checked.id)))
        reports = [{**view.report, "stamp": None} for view in (checked, done)]
        return products, reports, [done.state, done.processed], rows

    return run


def test_a_killed_import_ends_as_an_undisturbed_one(imported):
    undisturbed = imported("")
    for point in ("job.worked:3", "job.committed:2"):
        assert imported(point) == undisturbed, point
    products, reports, (state, processed), rows = undisturbed
    assert (len(products), state, processed, len(rows)) == (ROWS - BAD, "done", ROWS - BAD, ROWS)
    assert (reports[0]["bad"], reports[1]["added"], reports[1]["changed"]) == (BAD, ROWS - BAD, 0)
