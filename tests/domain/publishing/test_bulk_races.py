"""Texts that are saved while a change of the same product begins: they stay.

SQLite has one writer at a time: there nothing is saved meanwhile. The changes keep the state of their first read, as at
the level that MariaDB has by default: at the level of writes none misses anything.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import event, select
from sqlalchemy.orm import Session

from adapters.jobs import JobRunner
from domain.database.database import Database
from domain.publishing.bulk import actions as bulk_actions
from domain.publishing.bulk import choice as bulk_choice
from domain.publishing.bulk import job
from domain.publishing.bulk import job as bulk_job
from domain.publishing.bulk.actions import BulkAction
from domain.publishing.bulk.choice import ChosenProducts
from domain.publishing.bulk.job import KIND
from domain.publishing.editing import course_texts, publication, stored_product
from domain.publishing.editing.stored_course import Edit, stored_course
from domain.tables import Course, Product, StaffRole
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD
from tests.support.snapshots import keep_first_state

pytestmark = pytest.mark.mariadb
# Two orders of equal words: of new words the search index would say that another transaction has added them.
BEFORE, MEANWHILE = "Saved as the former text", "The former text as saved"
LOCKED_ROWS, LOCKED_PRODUCT = job._locked_rows, stored_product.locked_product


class World:
    """A published course, and an editor."""

    def __init__(self, database: Database):
        self.db = database
        with database.write_session() as session:
            staff = factories.learner(session)
            session.add(StaffRole(learner_id=staff.id, role="editor", granted_at=NOON))
            self.course_id = factories.course(session, factories.category(session).id).id
            factories.category(session, "payroll")
        self.actor = factories.actor(staff.id, "editor", at=NOON)
        self.save_text(BEFORE)

    def save_text(self, text: str = MEANWHILE) -> None:
        """An editor saves another description."""

        def save(session: Session) -> None:
            texts = course_texts.texts_of(stored_course(session, self.course_id).record)
            new = replace(texts, description=text)
            course_texts.change_texts(session, Edit(self.actor, self.course_id), new)

        self.db.write_as_sync(self.actor, save)

    def stored(self) -> str:
        with self.db.read_session() as session:
            return session.scalars(select(Course.description)).one()


@pytest.fixture
def world(mariadb_database) -> World:
    return World(mariadb_database)


@contextmanager
def before_first_lock(database: Database, act: Callable[[], None]) -> Iterator[None]:
    """`act` once, immediately before a transaction locks its first rows."""
    waiting = [act]

    def hook(_connection: Any, _cursor: Any, statement: str, *_about: Any) -> None:
        if "FOR UPDATE" in statement and waiting:
            waiting.pop()()

    event.listen(database.engine, "before_cursor_execute", hook)
    try:
        yield
    finally:
        event.remove(database.engine, "before_cursor_execute", hook)
    assert not waiting


def rows_read_first(session: Session, change_id: int) -> Any:
    """The negative control: a plain SELECT before the locks."""
    session.scalars(select(Product.id)).all()
    return LOCKED_ROWS(session, change_id)


def product_read_first(session: Session, product_id: int, *about: Any, **options: Any) -> Any:
    """The negative control: as it was."""
    session.scalars(select(Product.kind)).all()
    return LOCKED_PRODUCT(session, product_id, *about, **options)


@pytest.mark.parametrize(("locked_rows", "stays"), [(LOCKED_ROWS, True), (rows_read_first, False)])
def test_a_text_that_is_saved_while_a_bulk_change_begins_stays(world, monkeypatch, locked_rows, stays):
    keep_first_state(monkeypatch, world.db)
    monkeypatch.setattr(job, "_locked_rows", locked_rows)
    change = world.db.write_as_sync(
        world.actor, bulk_choice.choose, world.actor, ChosenProducts("course", [world.course_id], {})
    )
    world.db.write_as_sync(world.actor, bulk_actions.start, world.actor, change, BulkAction("category", "payroll"))
    with before_first_lock(world.db, world.save_text):
        JobRunner(world.db, {KIND: lambda claim: bulk_job.steps(claim, lambda: NOON, USD)}).run_slice()
    assert world.stored() == (MEANWHILE if stays else BEFORE)


@pytest.mark.parametrize(("locked_product", "stays"), [(LOCKED_PRODUCT, True), (product_read_first, False)])
def test_a_text_that_is_saved_while_its_course_is_retired_stays(world, monkeypatch, locked_product, stays):
    keep_first_state(monkeypatch, world.db)
    monkeypatch.setattr(publication, "locked_product", locked_product)
    edit = Edit(world.actor, world.course_id)
    with before_first_lock(world.db, world.save_text):
        world.db.write_as_sync(world.actor, publication.retire, edit, "", "Out of date")
    assert world.stored() == (MEANWHILE if stays else BEFORE)
