"""kill -9 of the worker in the middle of a bulk change: another one goes on, and every row is changed once."""

import signal
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import func, select

from adapters.job_kinds import kinds
from adapters.jobs import JobRunner
from domain.audit import verification
from domain.jobs import claims
from domain.publishing.bulk import actions as bulk_actions
from domain.publishing.bulk import choice as bulk_choice
from domain.publishing.bulk import views as bulk_views
from domain.publishing.bulk.actions import BulkAction
from domain.publishing.bulk.choice import ChosenProducts
from domain.publishing.bulk.job import ROWS_A_STEP
from domain.publishing.bulk.price_rules import PriceRule
from domain.tables import AuditEvent, BulkChangeRow, Category, Product, StaffRole
from tests.domain.catalogue_import import killed_import
from tests.domain.publishing.test_bulk_prices import preview
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD

pytestmark = pytest.mark.faults
# Three steps, the last of which is not full.
NUMBER = 2 * ROWS_A_STEP + 5


@pytest.fixture
def change_id(database) -> int:
    """A change of the category of NUMBER courses that has begun."""
    with database.write_session() as session:
        staff = factories.learner(session).id
        session.add(StaffRole(learner_id=staff, role="editor", granted_at=NOON))
        tax, _ = factories.category(session), factories.category(session, "payroll")
        ids = [factories.course(session, tax.id, f"course-{number}").id for number in range(NUMBER)]
    actor = factories.actor(staff, "editor", at=NOON)
    change = int(database.write_as_sync(actor, bulk_choice.choose, actor, ChosenProducts("course", ids, {})))
    database.write_as_sync(actor, bulk_actions.start, actor, change, BulkAction("category", "payroll"))
    return change


@pytest.fixture
def price_change_id(database) -> int:
    """A change of the prices of NUMBER courses that has begun."""
    with database.write_session() as session:
        staff = factories.learner(session).id
        session.add(StaffRole(learner_id=staff, role="finance", granted_at=NOON))
        tax = factories.category(session).id
        ids = [factories.course(session, tax, f"course-{number}").id for number in range(NUMBER)]
    actor = factories.actor(staff, "finance", at=NOON)
    chosen = ChosenProducts("course", ids, {}, "prices")
    change = int(database.write_as_sync(actor, bulk_choice.choose, actor, chosen))
    rule = PriceRule("raise", USD, percent=Decimal(10))
    database.write_as_sync(actor, preview, actor, change, rule)
    database.write_as_sync(actor, bulk_actions.start, actor, change, BulkAction("price", preview=1))
    return change


@pytest.fixture
def kill(children, database, monkeypatch) -> Callable[[str], int]:
    """`kill(point)`: a worker does the job until it is killed there; the signal that ended it."""
    monkeypatch.setattr(claims, "LEASE", timedelta(0))

    def run(point: str) -> int:
        about = {"url": database.url.render_as_string(hide_password=False), "folder": "/nowhere", "point": point}
        return int(children.run(killed_import.run, **about))

    return run


@pytest.mark.parametrize(("point", "changed"), [("job.worked:2", ROWS_A_STEP), ("job.committed:2", 2 * ROWS_A_STEP)])
def test_a_killed_bulk_change_goes_on_and_changes_every_row_once(database, change_id, kill, point, changed):
    assert kill(point) == -signal.SIGKILL
    assert states(database) == {"changed": changed, "chosen": NUMBER - changed}
    runner = JobRunner(database, kinds(Path("/nowhere"), USD))
    while runner.run_slice():
        pass
    with database.read_session() as session:
        job = bulk_views.bulk_view(session, change_id, NOON).job
        edits = session.scalars(select(AuditEvent.subject_id).where(AuditEvent.action == "course.edit")).all()
        products = {*session.execute(select(Category.slug, Product.version).join_from(Product, Category))}
        assert verification.verify(session).is_complete
    assert (job.state, job.processed, states(database)) == ("done", NUMBER, {"changed": NUMBER})
    assert (len(edits), len({*edits}), products) == (NUMBER, NUMBER, {("payroll", 2)})


@pytest.mark.parametrize("point", ["job.worked:2", "job.committed:2"])
def test_a_killed_change_of_prices_raises_every_price_once(database, price_change_id, kill, point):
    assert kill(point) == -signal.SIGKILL
    runner = JobRunner(database, kinds(Path("/nowhere"), USD))
    while runner.run_slice():
        pass
    with database.read_session() as session:
        job = bulk_views.bulk_view(session, price_change_id, NOON).job
        priced = session.scalars(select(AuditEvent.subject_id).where(AuditEvent.action == "price.change")).all()
        assert {*session.scalars(select(Product.list_price))} == {Decimal("110.00")}
        assert verification.verify(session).is_complete
    assert (job.state, len(priced), len({*priced})) == ("done", NUMBER, NUMBER)


def states(database) -> dict[str, int]:
    with database.read_session() as session:
        return dict(session.execute(select(BulkChangeRow.state, func.count()).group_by(BulkChangeRow.state)).all())
