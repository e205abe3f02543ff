"""Numbers without gaps: 100 documents at once, some of which fail, on both databases; without the lock, gaps."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import select

from domain.database.database import Database
from domain.documents.numbers import next_number
from domain.tables import DocumentCounter

pytestmark = pytest.mark.each_database

DOCUMENTS, THREADS, YEAR = 100, 8, 2026


class Failure(Exception):
    """The transaction fails after it took its number."""


def issue(database: Database, document: int) -> str | None:
    """Every fifth fails."""

    def run(session) -> str:
        number = next_number(session, "invoice", YEAR, "ML-").text
        if document % 5 == 0:
            raise Failure
        return number

    try:
        return database.write_sync(run)
    except Failure:
        return None


def last(database: Database) -> int:
    with database.read_session() as session:
        return session.scalars(select(DocumentCounter.last)).one()


def test_a_hundred_at_once_with_failures_leave_no_gap(database):
    with ThreadPoolExecutor(THREADS) as threads:
        texts = [text for text in threads.map(lambda number: issue(database, number), range(DOCUMENTS)) if text]
    issued = DOCUMENTS * 4 // 5
    assert sorted(texts) == [f"ML-{YEAR}-{seq:06}" for seq in range(1, issued + 1)]
    assert last(database) == issued


def test_a_number_outside_the_transaction_is_lost_with_it(database):
    """The negative control: the counter is committed before the document."""

    def issue_apart(document: int) -> str | None:
        number = database.write_sync(next_number, "invoice", YEAR, "ML-")
        return None if document % 5 == 0 else number.text

    with ThreadPoolExecutor(THREADS) as threads:
        texts = [text for text in threads.map(issue_apart, range(20)) if text]
    assert (len(texts), last(database)) == (16, 20)


def test_without_the_lock_two_documents_get_one_number(database):
    """The negative control: a read and then a write."""
    database.write_sync(next_number, "invoice", YEAR, "")
    gate = Barrier(2)

    def take(_number: int) -> int:
        with database.read_session() as session:
            seq = session.scalars(select(DocumentCounter.last)).one() + 1
        gate.wait()
        with database.write_session() as session:
            session.scalars(select(DocumentCounter)).one().last = seq
        return seq

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(take, range(2))) == [2, 2]


NUMBERS = [
    ("invoice", 2026, "", "2026-000001"),
    ("invoice", 2027, "ML-", "ML-2027-000001"),
    ("credit_note", 2026, "ML-", "ML-C2026-000001"),
]


@pytest.mark.parametrize(("kind", "year", "prefix", "text"), NUMBERS)
def test_each_kind_and_year_counts_for_itself(session, kind, year, prefix, text):
    for _ in range(2):
        next_number(session, "invoice", 2025, "")
    assert next_number(session, kind, year, prefix).text == text
