"""Coupons by staff: created, paused, resumed and ended within the limits of roles, each recorded."""

from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select

from domain import money
from domain.audit import recording
from domain.coupons import changes, staff_list
from domain.coupons.changes import CouponAuthor
from domain.coupons.create import CouponDraft
from domain.errors import InvalidInput, NotFound, Refused
from domain.tables import AuditEvent, Coupon, Reservation
from tests.domain.orders import selling
from tests.domain.orders.refunds.buying import paid
from tests.domain.orders.selling import Pricing, RequestedItem
from tests.support import factories
from tests.support.factories import NOON

MARKETER = CouponAuthor(("marketer",), 60, NOON)
ADMINISTRATOR = CouponAuthor(("administrator",), 60, NOON)


def draft(percent="20", **about):
    return CouponDraft("percent", Decimal(percent), money.currency("USD"), **about)


@pytest.fixture
def act(session):
    learner_id = factories.learner(session).id
    return lambda fn, *args: recording.run(session, factories.actor(learner_id), fn, *args)


def events(session):
    query = select(AuditEvent).order_by(AuditEvent.number)
    return [(event.action, event.before, event.reason) for event in session.scalars(query)]


def test_a_coupon_is_created_and_each_step_of_it_recorded(session, act):
    coupon_id = act(changes.create_as_staff, "Spring-20", draft(campaign="spring"), MARKETER, "Newsletter")
    for action in ("pause", "resume", "end"):
        assert act(changes.change_state, coupon_id, action, MARKETER, f"to {action}")
    assert not act(changes.change_state, coupon_id, "end", MARKETER, "again")
    assert session.get_one(Coupon, coupon_id).state == "ended"
    assert events(session) == [
        ("coupon.create", None, "Newsletter"),
        ("coupon.pause", {"state": "active"}, "to pause"),
        ("coupon.resume", {"state": "paused"}, "to resume"),
        ("coupon.end", {"state": "active"}, "to end"),
    ]


def test_the_event_of_a_new_coupon_says_for_whom_and_for_what_it_is(session, act):
    """Each term: a coupon for one organisation's members is not one for everybody."""
    acme, tax = factories.organisation(session, "acme"), factories.category(session)
    about = {"organisation": acme.slug, "applies_to": tax.slug, "is_special": True}
    act(changes.create_as_staff, "ACME", draft(**about), ADMINISTRATOR, "Contract")
    recorded = session.scalars(select(AuditEvent.after)).one()
    terms = {"organisation_id": acme.id, "applies_to": "category", "category_id": tax.id, "is_special": True}
    assert terms.items() <= recorded.items()


def test_what_has_ended_stays_so_and_an_unknown_one_is_not_found(session, act):
    coupon = factories.coupon(session, state="ended")
    for action in ("pause", "resume"):
        with pytest.raises(Refused, match="A coupon that is ended"):
            act(changes.change_state, coupon.id, action, ADMINISTRATOR, "x")
    with pytest.raises(NotFound):
        act(changes.change_state, coupon.id + 1, "pause", MARKETER, "x")
    assert events(session) == []


@pytest.mark.parametrize(("percent", "author", "is_allowed"), [
    ("60", MARKETER, True),
    ("60.01", MARKETER, False),
    ("60.01", ADMINISTRATOR, True),
    ("100", CouponAuthor(("marketer", "administrator"), 60, NOON), True),
])  # fmt: skip
def test_more_than_the_most_needs_an_administrator(act, percent, author, is_allowed):
    if is_allowed:
        assert act(changes.create_as_staff, "SPRING", draft(percent), author)
        return
    with pytest.raises(InvalidInput) as error:
        act(changes.create_as_staff, "SPRING", draft(percent), author)
    assert error.value.errors == {"value": "Take off at most 60%, or ask an administrator."}


def test_nobody_resumes_what_they_could_not_create(session, act):
    coupon = factories.coupon(session, value=Decimal(80), state="paused")
    with pytest.raises(Refused, match="at most 60%"):
        act(changes.change_state, coupon.id, "resume", MARKETER, "x")
    assert act(changes.change_state, coupon.id, "resume", ADMINISTRATOR, "x")


@pytest.mark.parametrize(("about", "text"), [
    ({"applies_to": "nowhere"}, "There is no category nowhere"),
    ({"products": ("nothing",)}, "No one course or shop item is called nothing"),
    ({"organisation": "nobody"}, "There is no organisation nobody"),
])  # fmt: skip
def test_an_unknown_category_product_or_organisation_is_named(session, act, about, text):
    with pytest.raises(InvalidInput) as error:
        act(changes.create_as_staff, "SPRING", draft(**about), MARKETER)
    assert error.value.errors["form"].startswith(text)
    assert events(session) == []


@pytest.mark.each_database
def test_the_detail_counts_reserved_used_orders_and_the_discount(session):
    world = selling.fill(session)
    pricing = Pricing(free={world.course: world.coupon}, delivery_minor=500)
    paid(session, world, RequestedItem(world.course), pricing=pricing)
    other = factories.learner(session, name="Grace").id
    times = {"reserved_at": NOON, "expires_at": NOON + timedelta(minutes=30)}
    session.add(
        Reservation(kind="coupon", resource_id=world.coupon, learner_id=other, slot=1, owner_key="cart:9:9", **times)
    )
    session.flush()
    before, after = (staff_list.coupon_detail(session, world.coupon, NOON + later) for later in (
        timedelta(minutes=29), timedelta(minutes=30),
    ))  # fmt: skip
    assert (before.use.reserved, before.use.used, before.use.orders) == (1, 1, 1)
    assert after.use.reserved == 0
    assert not before.use.is_cut


@pytest.mark.parametrize(("kind", "value", "text"), [
    ("percent", "12.500", "12.5%"), ("percent", "100", "100%"), ("amount", "5", "$5.00"), ("amount", "7.250", "$7.25"),
    ("amount", "1.125", "$1.13"),
])  # fmt: skip
def test_what_a_coupon_takes_off_is_a_percentage_or_money(session, kind, value, text):
    coupon = factories.coupon(session, kind=kind, value=Decimal(value))
    assert staff_list.coupon_detail(session, coupon.id, NOON).coupon.value_text == text


AMOUNTS = {
    "at the limit of the cheapest": ("18.00", {}, True),
    "above it": ("18.01", {}, False),
    "of a dearer product alone": ("60.00", {"products": ("dear",)}, True),
    "above that of the product": ("60.01", {"products": ("dear",)}, False),
    "of a category": ("60.00", {"applies_to": "law"}, True),
    "of goods alone, whose sale counts": ("6.00", {"applies_to": "item"}, True),
    "above the sale of goods": ("6.01", {"applies_to": "item"}, False),
    "whatever the minimum of the cart": ("18.01", {"minimum": Decimal(500)}, False),
}


@pytest.mark.parametrize("case", AMOUNTS)
def test_an_amount_is_limited_by_its_share_of_the_cheapest_product(session, act, case):
    tax, law = factories.category(session), factories.category(session, "law")
    factories.course(session, tax.id, "cheap", list_price=Decimal(30), sale_price=None)
    factories.course(session, law.id, "dear", list_price=Decimal(100), sale_price=None)
    factories.course(session, tax.id, "free", list_price=Decimal(0), sale_price=None)
    factories.course(session, tax.id, "gone", list_price=Decimal(1), sale_price=None, status="retired")
    over = {"sale_price": Decimal(2), "sale_until": NOON}
    factories.course(session, tax.id, "over", list_price=Decimal(40), **over)
    factories.item(session, tax.id, "book", list_price=Decimal(50), sale_price=Decimal(10))
    amount, about, is_allowed = AMOUNTS[case]
    if "applies_to" not in about and "products" not in about:
        about = {**about, "applies_to": "course"}
    wanted = CouponDraft("amount", Decimal(amount), money.currency("USD"), **about)
    if is_allowed:
        assert act(changes.create_as_staff, "SPRING", wanted, MARKETER)
        return
    with pytest.raises(InvalidInput) as error:
        act(changes.create_as_staff, "SPRING", wanted, MARKETER)
    assert error.value.errors["value"].startswith("Take off at most 60% of the cheapest product")
    assert act(changes.create_as_staff, "SPRING", wanted, ADMINISTRATOR), "a negative control: without the limit"


def test_an_amount_above_the_limit_is_not_resumed_either(session, act):
    factories.course(session, factories.category(session).id, "vat", list_price=Decimal(80), sale_price=None)
    coupon = factories.coupon(session, kind="amount", value=Decimal("9999.99"), state="paused")
    with pytest.raises(Refused, match=r"the cheapest product that it applies to \(80.00\)"):
        act(changes.change_state, coupon.id, "resume", MARKETER, "x")
    assert session.get_one(Coupon, coupon.id).state == "paused"


def test_an_amount_that_applies_to_nothing_with_a_price_is_refused(act):
    wanted = CouponDraft("amount", Decimal(5), money.currency("USD"))
    with pytest.raises(InvalidInput, match="nothing that has a price"):
        act(changes.create_as_staff, "SPRING", wanted, MARKETER)


def test_a_campaign_is_changed_but_for_what_has_ended_each_recorded(session, act):
    ids = [factories.coupon(session, code, campaign="c", state=state).id for code, state in (
        ("A", "paused"), ("B", "ended"), ("C", "active"), ("D", "draft"),
    )]  # fmt: skip
    done = act(changes.change_states, "c", "resume", CouponAuthor.of_command(NOON), "again")
    assert (done.number, done.left) == (3, 1)
    assert [session.get_one(Coupon, key).state for key in ids] == ["active", "ended", "active", "active"]
    assert events(session) == [
        ("coupon.resume", {"state": "paused"}, "again"),
        ("coupon.resume", {"state": "draft"}, "again"),
    ]


def test_a_code_that_has_ended_is_not_put_into_use_by_a_command(session, act):
    coupon = factories.coupon(session, state="ended")
    with pytest.raises(Refused, match="A coupon that is ended cannot do this"):
        act(changes.change_states, coupon.display_code, "resume", CouponAuthor.of_command(NOON), "")
    assert (session.get_one(Coupon, coupon.id).state, events(session)) == ("ended", [])
