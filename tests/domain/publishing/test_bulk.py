"""One change of many courses or items: each by the rules of the single change, on both databases."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError

from adapters.jobs import JobRunner
from domain.errors import InvalidInput, NotFound, Refused
from domain.jobs import job_rows
from domain.permissions import Actor
from domain.publishing.bulk import actions as bulk_actions
from domain.publishing.bulk import choice as bulk_choice
from domain.publishing.bulk import job as bulk_job
from domain.publishing.bulk import rest as bulk_rest
from domain.publishing.bulk import views as bulk_views
from domain.publishing.bulk.actions import BulkAction
from domain.publishing.bulk.choice import ChosenProducts
from domain.publishing.bulk.job import KIND, UNTIL
from domain.publishing.bulk.views import BulkView
from domain.publishing.editing import publication
from domain.publishing.editing.stored_course import Edit
from domain.tables import AuditEvent, BulkChange, BulkChangeRow, Category, Job, Product, StaffRole
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD

PAYROLL, RETIRE = BulkAction("category", category="payroll"), BulkAction("retire", reason="Out of date")


@dataclass(frozen=True)
class World:
    """`ids`: of three published courses, a draft without a subtitle and a published item."""

    db: Any
    actor: Actor
    ids: list[int]

    def act(self, function: Any, *arguments: Any) -> Any:
        return self.db.write_as_sync(self.actor, function, self.actor, *arguments)

    def choose(self, *ids: int, kind: str = "course") -> int:
        return int(self.act(bulk_choice.choose, ChosenProducts(kind, ids, {})))

    def carry_out(self, change_id: int, action: BulkAction) -> BulkView:
        self.act(bulk_actions.start, change_id, action)
        self.run()
        return self.view(change_id)

    def run(self) -> None:
        JobRunner(self.db, {KIND: lambda claim: bulk_job.steps(claim, lambda: NOON, USD)}).run_slice()

    def view(self, change_id: int) -> BulkView:
        with self.db.read_session() as session:
            return bulk_views.bulk_view(session, change_id, NOON)

    def counts(self, change_id: int) -> dict[str, Any]:
        """How many rows came to what, as its page shows it."""
        return {name: count for name, count in self.view(change_id).job.report.items() if name != UNTIL}

    def rows(self, change_id: int) -> dict[int, tuple[str, str]]:
        with self.db.read_session() as session:
            query = select(BulkChangeRow.product_id, BulkChangeRow.state, BulkChangeRow.note)
            found = session.execute(query.where(BulkChangeRow.bulk_change_id == change_id))
            return {key: (state, note) for key, state, note in found}

    def products(self) -> list[tuple[str, str]]:
        with self.db.read_session() as session:
            query = select(Category.slug, Product.status).join(Category, Product.category_id == Category.id)
            return [(category, status) for category, status in session.execute(query.order_by(Product.id))]

    def actions(self) -> list[str]:
        with self.db.read_session() as session:
            return [*session.scalars(select(AuditEvent.action).order_by(AuditEvent.number))]


@pytest.fixture
def world(database) -> World:
    with database.write_session() as session:
        staff = factories.learner(session, name="Edda Editor")
        session.add(StaffRole(learner_id=staff.id, role="editor", granted_at=NOON))
        tax = factories.category(session)
        factories.category(session, "payroll", "Payroll")
        ids = [factories.course(session, tax.id, f"course-{number}").id for number in range(3)]
        blank = {"subtitle": "", "detail": {"description": ""}}
        ids.append(factories.course(session, tax.id, "half-written", status="draft", published_at=None, **blank).id)
        ids.append(factories.item(session, tax.id).id)
        return World(database, factories.actor(staff.id, "editor", at=NOON), ids)


@pytest.mark.each_database
def test_the_category_of_the_chosen_courses_is_changed_each_with_its_event_and_no_other(world):
    change = world.choose(*world.ids[:2])
    view = world.carry_out(change, PAYROLL)
    assert (view.job.state, world.counts(change), view.category) == ("done", {"changed": 2}, "Payroll")
    assert [category for category, _ in world.products()] == ["payroll", "payroll", "tax", "tax", "tax"]
    assert world.actions() == ["bulk_change.start", "course.edit", "course.edit"]


def test_what_may_not_be_retired_is_refused_with_its_reason_and_the_others_are_retired(world):
    change = world.choose(world.ids[0], world.ids[3])
    world.carry_out(change, RETIRE)
    assert world.counts(change) == {"changed": 1, "refused": 1}
    assert world.rows(change)[world.ids[3]] == ("refused", "Only a published course can be retired.")
    assert [status for _, status in world.products()[:4]] == ["retired", "published", "published", "draft"]
    assert world.actions() == ["bulk_change.start", "course.retire"]


def test_a_draft_that_lacks_something_is_not_published_and_a_published_one_has_nothing_to_change(world):
    change = world.choose(world.ids[0], world.ids[3])
    world.carry_out(change, BulkAction("publish"))
    lacks = "This course cannot be published yet: it has no subtitle and no description."
    assert world.rows(change) == {world.ids[0]: ("unchanged", ""), world.ids[3]: ("refused", lacks)}
    assert world.products()[3][1] == "draft"


def test_items_are_changed_by_their_own_rules(world):
    change = world.choose(world.ids[4], kind="item")
    world.carry_out(change, PAYROLL)
    assert world.counts(change) == {"changed": 1}
    assert world.products()[4] == ("payroll", "published")


def test_everything_that_matches_the_filters_is_chosen_when_it_is_chosen(world):
    change = world.act(bulk_choice.choose, ChosenProducts("course", None, {"status": "published", "q": "course"}))
    with world.db.write_session() as session:
        factories.course(session, session.scalars(select(Category.id)).first(), "course-later")
    assert [*world.rows(change)] == world.ids[:3]


@pytest.mark.parametrize(
    ("choice", "error"),
    [
        (ChosenProducts("course", None, {"q": "nothing like this"}), Refused),
        (ChosenProducts("course", None, {"shelf": "x"}), InvalidInput),
        (ChosenProducts("course", (), {}), Refused),
        (ChosenProducts("course", (999_999,), {}), NotFound),
    ],
)
def test_what_cannot_be_chosen_is_refused(world, choice, error):
    with pytest.raises(error):
        world.act(bulk_choice.choose, choice)


def test_a_course_is_no_item(world):
    with pytest.raises(NotFound):
        world.choose(world.ids[0], kind="item")


def test_more_than_the_most_is_refused(world, monkeypatch):
    monkeypatch.setattr("domain.publishing.bulk.choice.MAX_ROWS", 3)
    with pytest.raises(Refused, match="More than 3 match"):
        world.act(bulk_choice.choose, ChosenProducts("course", None, {}))


@pytest.mark.parametrize(
    ("wanted", "field"), [(BulkAction("category", "cooking"), "category"), (BulkAction("retire"), "reason")]
)
def test_a_change_needs_what_the_single_one_needs(world, wanted, field):
    change = world.choose(world.ids[0])
    with pytest.raises(InvalidInput) as refusal:
        world.act(bulk_actions.start, change, wanted)
    assert [*refusal.value.errors] == [field]
    assert world.view(change).job is None


def test_a_change_begins_once_and_with_one_action(world):
    change = world.choose(world.ids[0])
    world.act(bulk_actions.start, change, RETIRE)
    world.act(bulk_actions.start, change, RETIRE)
    with pytest.raises(Refused, match="has begun already"):
        world.act(bulk_actions.start, change, PAYROLL)
    assert world.actions() == ["bulk_change.start"]


def test_a_changed_category_is_undone_but_where_somebody_else_has_changed_it_since(world):
    change = world.choose(*world.ids[:3])
    world.carry_out(change, PAYROLL)
    with world.db.write_session() as session:
        factories.category(session, "audit")
    world.carry_out(world.choose(world.ids[1]), BulkAction("category", "audit"))
    undo = world.act(bulk_actions.undo, change)
    world.run()
    assert world.counts(undo) == {"changed": 2, "refused": 1}
    assert world.rows(undo)[world.ids[1]] == ("refused", "Somebody has changed its category since.")
    assert [category for category, _ in world.products()[:3]] == ["tax", "audit", "tax"]


def test_what_was_retired_is_sold_again_by_undoing_it_once(world):
    change = world.choose(world.ids[0], world.ids[3])
    assert world.carry_out(change, RETIRE).may_be_undone
    undo = world.act(bulk_actions.undo, change)
    world.run()
    assert (world.products()[0][1], [*world.rows(undo)]) == ("published", world.ids[:1])
    with pytest.raises(Refused, match="undone before"):
        world.act(bulk_actions.undo, change)
    assert (world.view(change).undone_by, world.view(change).may_be_undone) == (undo, False)


def test_a_retirement_that_an_earlier_version_carried_out_is_undone_too(world):
    change = world.choose(world.ids[0])
    world.carry_out(change, RETIRE)
    with world.db.write_session() as session:
        session.get_one(Job, world_job(session, change)).report = {"changed": 1}
    undo = world.act(bulk_actions.undo, change)
    world.run()
    assert (world.rows(undo), world.products()[0][1]) == ({world.ids[0]: ("changed", "")}, "published")


def again(edit: Edit) -> Edit:
    """The edit a day later, by whoever made it."""
    return replace(edit, actor=replace(edit.actor, at=edit.actor.at + timedelta(days=1)))


@pytest.mark.parametrize(
    ("since", "status"),
    [
        ((publication.publish, None), "published"),
        ((publication.publish, None, publication.retire, "", "Wrong"), "retired"),
    ],
)
def test_what_somebody_has_sold_again_or_retired_anew_since_is_not_undone(world, since, status):
    change = world.choose(*world.ids[:2])
    world.carry_out(change, RETIRE)
    edit = again(Edit(world.actor, world.ids[0]))
    world.db.write_as_sync(edit.actor, since[0], edit, since[1])
    if len(since) > 2:
        world.db.write_as_sync(edit.actor, since[2], edit, *since[3:])
    undo = world.act(bulk_actions.undo, change)
    world.run()
    assert world.rows(undo) == {
        world.ids[0]: ("refused", "Somebody has changed it since."),
        world.ids[1]: ("changed", ""),
    }
    assert [state for _, state in world.products()[:2]] == [status, "published"]


def test_a_row_that_cannot_be_changed_for_a_reason_nobody_expected_stops_no_other(world, monkeypatch, caplog):
    retire = publication.retire

    def fail_once_done(session: Any, edit: Edit, *about: str) -> int:
        version = retire(session, edit, *about)
        if edit.product_id == world.ids[1]:
            raise IntegrityError("UPDATE products", {}, ValueError("no such key"))
        return version

    monkeypatch.setattr(publication, "retire", fail_once_done)
    change = world.choose(*world.ids[:3])
    assert world.carry_out(change, RETIRE).job.state == "done"
    assert world.rows(change)[world.ids[1]] == ("refused", "Something went wrong on our side.")
    assert [status for _, status in world.products()[:3]] == ["retired", "published", "retired"]
    assert world.actions() == ["bulk_change.start", "course.retire", "course.retire"]
    assert [record.getMessage() for record in caplog.records] == [f"bulk change {change}: product {world.ids[1]}"]


def test_the_rest_of_a_change_is_chosen_anew_without_what_it_has_changed(world):
    change = world.choose(*world.ids[:4])
    assert world.carry_out(change, RETIRE).left == 1
    rest = world.act(bulk_rest.choose_rest, change)
    assert (world.rows(rest), world.view(rest).job) == ({world.ids[3]: ("chosen", "")}, None)
    assert world.carry_out(rest, PAYROLL).left == 0


def test_there_is_no_rest_of_a_change_that_has_not_ended_or_has_changed_everything(world):
    change = world.choose(world.ids[0])
    with pytest.raises(Refused, match="has ended"):
        world.act(bulk_rest.choose_rest, change)
    world.act(bulk_actions.start, change, RETIRE)
    with pytest.raises(Refused, match="has ended"):
        world.act(bulk_rest.choose_rest, change)
    world.run()
    with pytest.raises(Refused, match="left nothing"):
        world.act(bulk_rest.choose_rest, change)
    with pytest.raises(NotFound):
        world.act(bulk_rest.choose_rest, 999_999)


def test_what_was_published_cannot_be_undone_as_people_have_seen_it(world):
    change = world.choose(world.ids[0])
    assert not world.carry_out(change, BulkAction("publish")).may_be_undone
    with pytest.raises(Refused, match="cannot be undone"):
        world.act(bulk_actions.undo, change)


def test_a_change_that_runs_cannot_be_undone_and_one_that_was_stopped_leaves_the_rest(world):
    change = world.choose(world.ids[0])
    world.act(bulk_actions.start, change, RETIRE)
    with pytest.raises(Refused, match="has ended"):
        world.act(bulk_actions.undo, change)
    with world.db.write_session() as session:
        job_rows.stop(session, world_job(session, change), (KIND,), NOON)
    world.run()
    assert (world.view(change).job.state, world.rows(change)) == ("stopped", {world.ids[0]: ("chosen", "")})
    assert world.products()[0][1] == "published"


def world_job(session: Any, change_id: int) -> int:
    return int(session.scalars(select(BulkChange.job_id).where(BulkChange.id == change_id)).one())


def test_whoever_may_no_longer_publish_changes_nothing_more(world):
    change = world.choose(world.ids[0])
    world.act(bulk_actions.start, change, RETIRE)
    with world.db.write_session() as session:
        session.execute(delete(StaffRole))
    world.run()
    job = world.view(change).job
    lost = "Whoever began this does not have the permission catalogue.publish any more."
    assert (job.state, job.report["error"]) == ("failed", lost)
    assert world.products()[0][1] == "published"


@pytest.mark.each_database
def test_a_change_goes_on_where_it_stopped(world, monkeypatch):
    monkeypatch.setattr("domain.publishing.bulk.job.ROWS_A_STEP", 2)
    change = world.choose(*world.ids[:4])
    world.act(bulk_actions.start, change, PAYROLL)
    kinds = {KIND: lambda claim: bulk_job.steps(claim, lambda: NOON, USD)}
    JobRunner(world.db, kinds).run_slice(slice_s=-1)
    assert (world.view(change).job.processed, [row[0] for row in world.rows(change).values()].count("changed")) == (
        2,
        2,
    )
    JobRunner(world.db, kinds).run_slice()
    assert (world.view(change).job.state, world.counts(change)) == ("done", {"changed": 4})
    assert world.actions() == ["bulk_change.start", *["course.edit"] * 4]


def test_a_choice_that_nobody_carried_out_is_forgotten_with_the_next_after_a_day(world):
    old = world.choose(world.ids[0])
    with world.db.write_session() as session:
        session.get_one(BulkChange, old).chosen_at = NOON.replace(year=NOON.year - 1)
    world.choose(world.ids[1])
    with pytest.raises(NotFound):
        world.view(old)


def test_the_list_of_rows_shows_each_with_its_result(world):
    change = world.choose(world.ids[0], world.ids[3])
    world.carry_out(change, RETIRE)
    with world.db.read_session() as session:
        source = bulk_views.rows_of(change)
        made = [source.make(row) for row in session.execute(source.rows.order_by(source.key), source.values)]
    assert [(row.name, row.status, row.category, row.state) for row in made] == [
        ("Course 0", "retired", "Tax", "changed"),
        ("Half Written", "draft", "Tax", "refused"),
    ]
