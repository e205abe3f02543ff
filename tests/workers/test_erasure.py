"""Old documents lose their persons: by a task of workers."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import select, update

from contracts.tasks import Task
from domain.checkout.priced import RequestedItem
from domain.documents.erasure import years_before
from domain.tables import Document, Order
from tests.domain.orders import taxed
from workers import periodic


@pytest.fixture
def old(database, monkeypatch):
    """An invoice of five years ago."""
    monkeypatch.setattr(periodic, "database", lambda: database)
    at = years_before(datetime.now(UTC), 5)
    with database.write_session() as session:
        world = taxed.fill(session)
        taxed.buy(session, world.learner, RequestedItem(world.course))
        session.execute(update(Document).values(issued_at=at, year=at.year))
    return database


def email(database) -> str:
    with database.read_session() as session:
        return session.scalars(select(Order.email)).one()


@pytest.mark.parametrize(("years", "is_erased"), [("5", True), ("6", False), ("", False)])
def test_a_task_erases_what_is_older_than_documents_keep_years(old, monkeypatch, years, is_erased):
    monkeypatch.setenv("DOCUMENTS_KEEP_YEARS", years)
    periodic.run(Task.ERASE_OLD_DOCUMENTS)
    assert (email(old) == "") == is_erased


@pytest.mark.parametrize(
    ("at", "before"), [((2026, 3, 1), (2016, 3, 1)), ((2024, 2, 29), (2014, 2, 28)), ((2026, 2, 28), (2016, 2, 28))]
)
def test_years_before(at, before):
    assert years_before(datetime(*at, 12, tzinfo=UTC), 10) == datetime(*before, 12, tzinfo=UTC)
