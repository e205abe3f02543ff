"""One change of many prices: its preview, the job that sets exactly that, and undoing it."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from threading import Barrier, Thread
from typing import Any

import pytest
from sqlalchemy import delete, select

from adapters.jobs import JobRunner
from domain.errors import NotFound, Refused
from domain.permissions import MissingPermission, SystemActor
from domain.publishing import prices
from domain.publishing.bulk import actions as bulk_actions
from domain.publishing.bulk import choice as bulk_choice
from domain.publishing.bulk import job as bulk_job
from domain.publishing.bulk import price_rows
from domain.publishing.bulk import rest as bulk_rest
from domain.publishing.bulk.actions import BulkAction
from domain.publishing.bulk.choice import ChosenProducts
from domain.publishing.bulk.job import KIND
from domain.publishing.bulk.price_rows import NO_REDUCTION, PREVIEWED_BEFORE, PRICE_CHANGED_SINCE
from domain.publishing.bulk.price_rules import PriceRule
from domain.publishing.editing import price_history
from domain.publishing.editing.price_history import NewPrice
from domain.publishing.editing.stored_course import Edit
from domain.tables import AuditEvent, BulkChange, BulkChangeRow, Job, PriceChange, Product, StaffRole
from tests.domain.publishing.test_bulk import World
from tests.domain.publishing.test_price_rules import DAY, UP, amount, percent
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD


def preview(session: Any, actor: Any, change: int, rule: PriceRule) -> int:
    """The whole preview in one transaction; its number."""
    begun, after = price_rows.begin_preview(session, actor, change, rule), 0
    while after is not None:
        after = price_rows.preview_rows(session, actor, change, begun, after)
    return begun.number


class Shop(World):
    """What finance sees: three published courses of 100.00 and an item."""

    def preview(self, change: int, rule: PriceRule) -> dict[int, tuple[str, Any, str]]:
        """State, new prices and note of each row."""
        self.act(preview, change, rule)
        return self.prices_of(change)

    def prices_of(self, change: int) -> dict[int, tuple[str, Any, str]]:
        with self.db.read_session() as session:
            rows = session.scalars(select(BulkChangeRow).where(BulkChangeRow.bulk_change_id == change))
            return {row.product_id: (row.state, (row.prices or {}).get("after"), row.note) for row in rows}

    def choose_prices(self, *ids: int, kind: str = "course") -> int:
        return int(self.act(bulk_choice.choose, ChosenProducts(kind, ids, {}, "prices")))

    def begin(self, rule: PriceRule, *ids: int) -> int:
        change = self.choose_prices(*ids)
        self.act(preview, change, rule)
        self.act(bulk_actions.start, change, BulkAction("price", preview=1))
        return change

    def set_prices(self, rule: PriceRule, *ids: int) -> int:
        change = self.begin(rule, *ids)
        self.run()
        return change

    def undo(self, change: int, at: Any = NOON) -> int:
        with self.db.write_session() as session:
            session.get_one(Job, session.get_one(BulkChange, change).job_id).ended_at = NOON
        later = replace(self.actor, at=at)
        undo = int(self.db.write_as_sync(later, bulk_actions.undo, later, change))
        self.run(at)
        return undo

    def run(self, at: Any = NOON) -> None:
        JobRunner(self.db, {KIND: lambda claim: bulk_job.steps(claim, lambda: at, USD)}).run_slice()

    def costs(self, at: Any = None) -> list[tuple[str, str | None]]:
        with self.db.read_session() as session:
            found = session.execute(select(Product.list_price, Product.sale_price).order_by(Product.id))
            return [(f"{full:.2f}", None if sale is None else f"{sale:.2f}") for full, sale in found]

    def change_by_hand(self, product: int, new: NewPrice, at: Any = NOON) -> None:
        actor = replace(self.actor, at=at)
        with self.db.read_session() as session:
            version = session.get_one(Product, product).version
        self.db.write_as_sync(actor, price_history.change, Edit(actor, product, version), new, USD, only_draft=False)


@pytest.fixture
def shop(database) -> Shop:
    with database.write_session() as session:
        staff = factories.learner(session, name="Finn Finance")
        session.add(StaffRole(learner_id=staff.id, role="finance", granted_at=NOON))
        tax = factories.category(session)
        about = {"list_price": Decimal("100.00"), "sale_price": None, "published_at": NOON - 90 * DAY}
        ids = [factories.course(session, tax.id, f"course-{number}", **about).id for number in range(3)]
        ids.append(factories.item(session, tax.id, **about).id)
        return Shop(database, factories.actor(staff.id, "finance", at=NOON), ids)


def sale(number: str, **about: Any) -> NewPrice:
    return NewPrice(Decimal("100.00"), Decimal(number), about.get("starts_at"), about.get("ends_at"))


def test_a_preview_shows_each_price_before_and_after_and_changes_none(shop):
    change = shop.choose_prices(*shop.ids[:2])
    shop.change_by_hand(shop.ids[1], sale("95.00"))
    costs = shop.costs()
    assert shop.preview(change, percent("lower", "10")) == {
        shop.ids[0]: ("chosen", {"list": "90.00", "sale": None}, ""),
        shop.ids[1]: ("refused", None, "The sale price 95.00 must be below the price 90.00."),
    }
    assert (shop.costs(), shop.view(change).job, shop.actions()) == (costs, None, ["price.change"])


def test_a_product_whose_price_changes_by_itself_later_is_refused_and_one_that_has_the_price_is_unchanged(shop):
    shop.change_by_hand(shop.ids[0], NewPrice(Decimal("120.00"), None, NOON + DAY, None))
    shop.change_by_hand(shop.ids[1], sale("80.00", starts_at=NOON + DAY))
    found = shop.preview(shop.choose_prices(*shop.ids[:3]), amount("set", "100.00"))
    planned = "Another price is planned for it, from March 2, 2026 at 12:00\xa0PM UTC on. Withdraw that first."
    assert [(state, note) for state, _, note in found.values()] == [
        ("refused", planned),
        ("refused", planned),
        ("unchanged", ""),
    ]


def test_a_sale_that_is_not_below_the_lowest_price_of_30_days_is_said(shop):
    shop.change_by_hand(shop.ids[0], sale("70.00", ends_at=NOON - 9 * DAY), at=NOON - 10 * DAY)
    change = shop.choose_prices(*shop.ids[:2])
    found = shop.preview(change, amount("sale", "75.00"))
    assert [note for _, _, note in found.values()] == [NO_REDUCTION, ""]
    with shop.db.read_session() as session:
        rows = session.scalars(select(BulkChangeRow.prices).where(BulkChangeRow.bulk_change_id == change))
        assert [row["lowest"] for row in rows] == ["70.00", "100.00"]


@pytest.mark.each_database
def test_the_previewed_prices_are_set_each_with_its_event_and_one_of_the_job(shop):
    change = shop.set_prices(replace(UP, reason="New year"), *shop.ids[:2])
    assert shop.costs() == [("110.00", None), ("110.00", None), ("100.00", None), ("100.00", None)]
    assert (shop.counts(change), shop.view(change).job.input["name"]) == (
        {"changed": 2},
        "Raise the price of 2 courses by 10%",
    )
    assert shop.actions() == ["bulk_change.start", "price.change", "price.change"]
    with shop.db.read_session() as session:
        newest = session.scalars(select(PriceChange).order_by(PriceChange.id.desc()).limit(1)).one()
        assert (newest.list_price, newest.changed_by, newest.reason) == (110, shop.actor.learner_id, "New year")


def test_a_sale_gets_its_window_and_one_that_is_to_come_is_planned(shop):
    window = {"starts_at": NOON + DAY, "ends_at": NOON + 3 * DAY}
    shop.set_prices(replace(amount("sale", "75.00"), **window), shop.ids[0])
    with shop.db.read_session() as session:
        product = session.get_one(Product, shop.ids[0])
        assert (product.sale_price, product.sale_from, product.sale_until) == (75, *window.values())


def test_a_price_that_somebody_changes_after_the_preview_stays(shop):
    change = shop.begin(UP, *shop.ids[:2])
    shop.change_by_hand(shop.ids[0], NewPrice(Decimal("60.00"), None, None, None))
    shop.run()
    assert shop.rows(change) == {shop.ids[0]: ("refused", PREVIEWED_BEFORE), shop.ids[1]: ("changed", "")}
    assert shop.costs()[:2] == [("60.00", None), ("110.00", None)]


def test_a_sale_that_ends_between_preview_and_job_is_not_begun_anew(shop):
    shop.change_by_hand(shop.ids[0], sale("80.00", ends_at=NOON + timedelta(hours=1)))
    shop.begin(UP, shop.ids[0])
    shop.run(NOON + timedelta(hours=2))
    assert shop.costs()[0] == ("110.00", None)


def test_of_two_changes_of_the_same_courses_the_second_changes_nothing(shop):
    first, second = shop.begin(UP, *shop.ids[:3]), shop.begin(percent("raise", "20"), *shop.ids[:3])
    shop.run()
    shop.run()
    assert (shop.counts(first), shop.counts(second)) == ({"changed": 3}, {"refused": 3})
    assert shop.costs()[:3] == [("110.00", None)] * 3


@pytest.mark.mariadb
def test_two_changes_of_the_same_courses_at_once_set_each_price_once(mariadb_database):
    with mariadb_database.write_session() as session:
        staff = factories.learner(session)
        session.add(StaffRole(learner_id=staff.id, role="finance", granted_at=NOON))
        tax, about = factories.category(session), {"list_price": Decimal("100.00"), "sale_price": None}
        ids = [factories.course(session, tax.id, f"course-{number}", **about).id for number in range(30)]
    shop = Shop(mariadb_database, factories.actor(staff.id, "finance", at=NOON), ids)
    changes, ready = [shop.begin(UP, *ids), shop.begin(percent("raise", "20"), *reversed(ids))], Barrier(2)

    def work() -> None:
        ready.wait()
        shop.run()

    workers = [Thread(target=work) for _ in changes]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    shop.run()
    counts = [shop.counts(change) for change in changes]
    assert sum(count.get("changed", 0) for count in counts) == sum(count.get("refused", 0) for count in counts) == 30
    assert shop.actions().count("price.change") == 30
    assert {price for price, _ in shop.costs()} <= {"110.00", "120.00"}


def test_undoing_puts_back_only_prices_that_nobody_has_changed_or_planned_since(shop):
    shop.change_by_hand(shop.ids[2], sale("80.00", ends_at=NOON + 9 * DAY))
    change = shop.set_prices(amount("sale", "75.00"), *shop.ids[:3])
    shop.set_prices(UP, shop.ids[0])
    back = PriceRule("set", USD, amount=Decimal("100.00"))
    shop.set_prices(back, shop.ids[0])
    undo = shop.undo(change, NOON + timedelta(hours=23))
    assert shop.rows(undo) == {
        shop.ids[0]: ("refused", PRICE_CHANGED_SINCE),
        shop.ids[1]: ("changed", ""),
        shop.ids[2]: ("changed", ""),
    }
    assert shop.costs()[:3] == [("100.00", "75.00"), ("100.00", None), ("100.00", "80.00")]
    with shop.db.read_session() as session:
        assert session.get_one(Product, shop.ids[2]).sale_until == NOON + 9 * DAY


def test_a_planned_sale_is_withdrawn_by_undoing_it_and_ended_once_it_has_begun(shop):
    shop.change_by_hand(shop.ids[1], sale("90.00"))
    rule = replace(amount("sale", "75.00"), starts_at=NOON + timedelta(hours=2))
    change = shop.set_prices(rule, *shop.ids[:2])
    assert shop.costs()[:2] == [("100.00", "75.00"), ("100.00", "90.00")]
    later = NOON + timedelta(hours=3)
    with shop.db.write_session() as session:
        planned = session.scalars(select(PriceChange.id).where(PriceChange.applied_at.is_(None))).one()
        prices.apply_planned(session, planned, later)
    assert shop.costs()[1] == ("100.00", "75.00")
    undo = shop.undo(change, later)
    assert (shop.counts(undo), shop.costs()[:2]) == ({"changed": 2}, [("100.00", None), ("100.00", "90.00")])
    soon = shop.set_prices(replace(rule, starts_at=NOON + 5 * DAY), shop.ids[2])
    shop.undo(soon, later)
    assert shop.costs()[2] == ("100.00", None)
    with shop.db.read_session() as session:
        assert session.scalars(select(PriceChange.id).where(PriceChange.starts_at > NOON + 4 * DAY)).all() == []


def test_a_planned_price_whose_time_has_come_and_that_nobody_wrote_yet_is_undone_too(shop):
    shop.change_by_hand(shop.ids[0], sale("90.00"))
    change = shop.set_prices(replace(amount("sale", "75.00"), starts_at=NOON + timedelta(hours=1)), shop.ids[0])
    undo = shop.undo(change, NOON + timedelta(hours=1, seconds=5))
    assert (shop.counts(undo), shop.costs()[0]) == ({"changed": 1}, ("100.00", "90.00"))


@pytest.mark.parametrize(("since", "is_undone"), [(DAY, True), (DAY + timedelta(seconds=1), False)])
def test_a_change_is_undone_within_a_day_of_its_end(shop, since, is_undone):
    change = shop.set_prices(UP, shop.ids[0])
    if is_undone:
        shop.undo(change, NOON + since)
    else:
        with pytest.raises(Refused, match=r"could be undone until March 2, 2026 at 12:00.PM UTC\."):
            shop.undo(change, NOON + since)
    assert shop.costs()[0] == (("100.00", None) if is_undone else ("110.00", None))


def test_what_was_chosen_for_one_purpose_is_not_used_for_another(shop):
    change = shop.choose_prices(shop.ids[0])
    editor = replace(shop.actor, roles=("administrator",))
    with pytest.raises(Refused, match="chosen for another change"):
        shop.db.write_as_sync(editor, bulk_actions.start, editor, change, BulkAction("retire", reason="Old"))
    for_texts = shop.db.write_as_sync(
        editor, bulk_choice.choose, editor, ChosenProducts("course", shop.ids[:1], {}, "catalogue")
    )
    with pytest.raises(Refused, match="chosen for another change"):
        shop.db.write_as_sync(editor, preview, editor, for_texts, UP)
    assert (shop.costs()[0], shop.actions(), shop.view(change).job) == (("100.00", None), [], None)


def test_finance_does_not_choose_for_texts_and_an_editor_neither_chooses_sets_nor_undoes_prices(shop):
    change = shop.set_prices(UP, shop.ids[0])
    editor = replace(shop.actor, roles=("editor",))
    refused = [
        (shop.actor, bulk_choice.choose, (ChosenProducts("course", shop.ids[:1], {}),)),
        (editor, bulk_choice.choose, (ChosenProducts("course", shop.ids[:1], {}, "prices"),)),
        (editor, preview, (change, UP)),
        (editor, bulk_actions.start, (change, BulkAction("price", preview=1))),
        (editor, bulk_actions.undo, (change,)),
        (editor, bulk_actions.stop, (change,)),
        (editor, bulk_rest.choose_rest, (change,)),
    ]
    for actor, act, arguments in refused:
        with pytest.raises(MissingPermission):
            shop.db.write_as_sync(actor, act, actor, *arguments)
    assert (shop.costs()[0], shop.view(change).undone_by) == (("110.00", None), None)


def test_a_change_begins_with_the_newest_preview_and_not_without_one(shop):
    change = shop.choose_prices(shop.ids[0])
    with pytest.raises(Refused, match="another preview"):
        shop.act(bulk_actions.start, change, BulkAction("price", preview=1))
    shop.preview(change, UP)
    shop.preview(change, percent("raise", "20"))
    with pytest.raises(Refused, match="another preview"):
        shop.act(bulk_actions.start, change, BulkAction("price", preview=1))
    shop.act(bulk_actions.start, change, BulkAction("price", preview=2))
    shop.act(bulk_actions.start, change, BulkAction("price", preview=2))
    shop.run()
    assert (shop.costs()[0], shop.actions()) == (("120.00", None), ["bulk_change.start", "price.change"])
    with pytest.raises(Refused, match="has begun already"):
        shop.act(preview, change, UP)


def test_rows_are_previewed_some_at_a_time_and_nothing_begins_before_all_are(shop, monkeypatch):
    monkeypatch.setattr("domain.publishing.bulk.price_rows.ROWS_OF_PREVIEW", 2)
    change = shop.choose_prices(*shop.ids[:3])
    begun = shop.act(price_rows.begin_preview, change, UP)
    seen = [0]
    while seen[-1] is not None:
        with pytest.raises(Refused, match="another preview"):
            shop.act(bulk_actions.start, change, BulkAction("price", preview=begun.number))
        seen.append(shop.act(price_rows.preview_rows, change, begun, seen[-1]))
    assert seen == [0, shop.ids[1], shop.ids[2], None]
    assert [new["list"] for _, new, _ in shop.prices_of(change).values()] == ["110.00"] * 3
    newer = shop.act(price_rows.begin_preview, change, percent("raise", "20"))
    with pytest.raises(Refused, match="another preview"):
        shop.act(price_rows.preview_rows, change, begun, 0)
    assert (newer.number, [new["list"] for _, new, _ in shop.prices_of(change).values()]) == (2, ["110.00"] * 3)


def test_a_change_of_nothing_does_not_begin_and_an_unknown_one_has_no_preview(shop):
    change = shop.choose_prices(shop.ids[0])
    shop.preview(change, amount("set", "100.00"))
    with pytest.raises(Refused, match="nothing to change"):
        shop.act(bulk_actions.start, change, BulkAction("price", preview=1))
    with pytest.raises(NotFound):
        shop.act(preview, 999_999, UP)


def test_whoever_may_no_longer_set_prices_sets_no_more(shop):
    change = shop.begin(UP, shop.ids[0])
    with shop.db.write_session() as session:
        session.execute(delete(StaffRole))
    shop.run()
    lost = "Whoever began this does not have the permission prices.write any more."
    assert (shop.view(change).job.report["error"], shop.costs()[0]) == (lost, ("100.00", None))


def test_an_ended_sale_stays_ended_when_a_command_sets_the_list_price(shop):
    shop.change_by_hand(shop.ids[0], sale("80.00", ends_at=NOON - DAY), at=NOON - 2 * DAY)
    actor = SystemActor("command", NOON)
    shop.db.write_as_sync(actor, price_history.change_now, actor, "course-0", (Decimal("110.00"), "unchanged"), USD)
    assert shop.costs()[0] == ("110.00", None)


def test_every_event_of_a_change_names_its_course(shop):
    shop.set_prices(UP, *shop.ids[:3])
    with shop.db.read_session() as session:
        events = session.execute(
            select(AuditEvent.subject_type, AuditEvent.subject_id).where(AuditEvent.action == "price.change")
        )
        assert {*events} == {("course", str(key)) for key in shop.ids[:3]}
