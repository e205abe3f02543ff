"""The job of a statement: checked first, then booked, once."""

import pytest

from adapters.job_kinds import kinds
from adapters.jobs import JobRunner
from domain.bank_transfers.references import reference_of
from domain.jobs import job_rows
from domain.jobs.job_rows import NewJob
from domain.payments.transfers.job import KIND, StatementInput
from domain.tables import Order
from domain.uploads import upload_rows
from tests.domain.bank_transfers.camt_files import Booked, camt, detail
from tests.domain.payments.transfers.world import SETTINGS, awaited, entries
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD

UPLOAD = 7


@pytest.fixture
def order(database):
    with database.write_session() as session:
        found = awaited(session).order
        return found.id, found.code


@pytest.fixture
def run(database, tmp_path):
    """Runs a job over a statement; its view. `role`: of whoever starts it."""
    path = upload_rows.path_of(tmp_path, UPLOAD)
    path.parent.mkdir()

    def run(content: bytes, key: str, *, is_check: bool, role: str = "finance"):
        path.write_bytes(content)
        with database.write_session() as session:
            person = factories.learner(session, f"Fay {key}").id
            factories.staff(session, person, role)
            about = StatementInput(UPLOAD, "s.xml", is_check).as_json()
            job_id = job_rows.start(session, NewJob(KIND, about, key, person), NOON)
        runner = JobRunner(database, kinds(tmp_path, USD, SETTINGS))
        while runner.run_slice():
            pass
        with database.read_session() as session:
            return job_rows.job_view(session, job_id, [KIND])

    return run


def statement(code: str) -> bytes:
    paid = Booked("75.00", "USD", details=detail(f"Order {reference_of(code)}"), number="1")
    return camt(paid, Booked("9.00", "USD", number="2"), Booked("4.00", "USD", direction="DBIT", number="3"))


@pytest.mark.each_database
def test_a_check_says_what_booking_does_and_changes_nothing(database, order, run):
    order_id, code = order
    outcomes = {"settled": 1, "unknown": 1, "noted": 1}
    checked = run(statement(code), "check", is_check=True)
    assert (checked.state, checked.report["outcomes"], checked.report["sums"]) == ("done", outcomes, {"USD": 7_500})
    with database.read_session() as session:
        assert (entries(session), session.get_one(Order, order_id).state) == ([], "processing")
    booked = run(statement(code), "book", is_check=False)
    assert (booked.state, booked.report["outcomes"]) == ("done", outcomes)
    again = run(statement(code), "again", is_check=False)
    assert again.report["outcomes"] == {"known": 3}
    with database.read_session() as session:
        assert session.get_one(Order, order_id).state == "paid"
        assert [state for state, *_ in entries(session)] == ["used", "open", "noted"]


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"<html/>", "no camt.053"),
        (camt(Booked("5"), before="<!DOCTYPE Document>"), "document type"),
        (camt(Booked("5"), iban="GB82WEST12345698765432"), "and the shop's is DE89370400440532013000"),
    ],
)
def test_a_file_that_is_not_of_the_account_fails_with_a_sentence(run, content, error):
    view = run(content, "bad", is_check=True)
    assert view.state == "failed"
    assert error in view.report["error"]


def test_whoever_lost_the_permission_books_nothing(database, order, run):
    view = run(statement(order[1]), "support", is_check=False, role="support")
    assert view.state == "failed"
    assert "payments.write" in view.report["error"]
    with database.read_session() as session:
        assert entries(session) == []
