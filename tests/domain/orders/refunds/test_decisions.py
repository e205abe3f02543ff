"""Decisions of staff about requests for refunds: what they were shown is what goes back, within their limits, once."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.audit import recording
from domain.checkout.priced import RequestedItem
from domain.errors import Conflict, InvalidInput, NotFound, Refused
from domain.orders import shipping
from domain.orders.refunds import decisions
from domain.orders.refunds.decisions import StaffDecision
from domain.orders.refunds.staff_limits import Authority, RecentSignInRequired
from domain.orders.settings import Context
from domain.tables import AuditEvent, Enrolment, VoucherCode
from tests.domain.orders import selling
from tests.domain.orders.refunds.buying import SETTINGS, SOON, answer, ask, by_command, mails, paid, ref, refunds
from tests.domain.orders.selling import Pricing
from tests.support import factories

CONTEXT = Context(SOON, SETTINGS)
FINANCE = Authority("staff:700000000", ("finance",), signed_in_recently=True)
SUPPORT = replace(FINANCE, roles=("support",))


@pytest.fixture
def order(session):
    """A course of 40.00 and three books of 15.00, with a request for one book."""
    world = selling.fill(session)
    bought = paid(session, world, RequestedItem(world.course), RequestedItem(world.book, 3))
    # A person decides about every request for a disputed order.
    bought.disputed_at = SOON
    ask(session, bought, {2: 1}, note="torn")
    return bought


def decide(session, order, function, decision, *, authority=FINANCE, context=CONTEXT):
    actor = factories.actor(order.learner_id, *authority.roles)
    return recording.run(session, actor, function, ref(order), decision, authority, context)


def approve(session, order, amount_minor=1500, **about):
    kept, overrules = about.pop("keeps_access", False), about.pop("overrules", False)
    decision = StaffDecision(1, "As agreed", amount_minor, kept, overrules=overrules)
    return decide(session, order, decisions.approve_as_staff, decision, **about)


def decline(session, order, words="The book was read."):
    return decide(session, order, decisions.decline_as_staff, StaffDecision(1, words))


def recorded(session):
    return [(row.action, row.after, row.reason) for row in session.scalars(select(AuditEvent))]


@pytest.mark.each_database
def test_a_request_is_shown_with_the_amount_of_now_and_approved_once(session, order):
    (request,) = decisions.open_requests(session, order.id, CONTEXT)
    assert (request.number, request.note, request.amount_minor, request.ends) == (1, "torn", 1500, ())
    assert [(units, minor) for _, units, minor in request.lines] == [(1, 1500)]
    assert [approve(session, order).state for _ in range(2)] == ["approved"] * 2
    answer(session, order, "succeeded")
    assert (order.refunded_minor, decisions.open_requests(session, order.id, CONTEXT)) == (1500, [])
    about = {"refunded_minor": 1500, "refund": 1, "keeps_access": False, "restocks": False}
    assert recorded(session) == [("order.approve_refund", about, "As agreed")]


@pytest.fixture
def course(session):
    """A course of 40.00 and a book of 15.00, with a request for the course."""
    world = selling.fill(session)
    bought = paid(session, world, RequestedItem(world.course), RequestedItem(world.book))
    bought.disputed_at = SOON
    ask(session, bought, {1: 1})
    return bought


def preview(session, order, amount_minor, **about):
    return decisions.preview_approval(session, ref(order), StaffDecision(1, "", amount_minor, **about), CONTEXT)


def test_what_an_approval_ends_is_shown_before_it(session, course):
    shown = preview(session, course, 4000)
    assert (shown.amount_minor, shown.lines) == (4000, (("Vat Basics", 1, 4000),))
    assert shown.ends == ("Access to Vat Basics ends.",)
    assert preview(session, course, 4000, keeps_access=True).ends == ()
    assert refunds(session)[0].state == "requested"


def test_a_preview_refuses_what_the_approval_would(session, course):
    with pytest.raises(Refused, match="has changed meanwhile"):
        preview(session, course, 3999)
    with pytest.raises(NotFound):
        decisions.preview_approval(session, ref(course), StaffDecision(9, "", 4000), CONTEXT)
    course.refund_terms = {}
    with pytest.raises(Refused, match="It can be approved all the same, or declined"):
        preview(session, course, 4000)
    assert preview(session, course, 4000, overrules=True).amount_minor == 4000
    decline(session, course)
    with pytest.raises(Conflict, match="has decided about this request"):
        preview(session, course, 4000)


def test_only_a_request_about_goods_can_bring_them_back_for_sale(session, order):
    ask(session, order, {1: 1})
    assert [request.can_restock for request in decisions.open_requests(session, order.id, CONTEXT)] == [True, False]


def test_another_amount_than_the_one_shown_refunds_nothing(session, order):
    with pytest.raises(Refused, match="has changed meanwhile"):
        approve(session, order, 1499)
    assert recorded(session) == []


LONG_AGO = replace(FINANCE, signed_in_recently=False)


@pytest.mark.parametrize(("authority", "error"), [(SUPPORT, Refused), (LONG_AGO, RecentSignInRequired)])
def test_above_the_limit_support_is_refused_and_finance_signs_in_again(session, order, authority, error):
    low = Context(SOON, replace(SETTINGS, support_refund_max_minor=1499))
    with pytest.raises(error):
        approve(session, order, authority=authority, context=low)
    assert recorded(session) == []


def test_within_its_limit_support_approves(session, order):
    enough = Context(SOON, replace(SETTINGS, support_refund_max_minor=1500))
    assert approve(session, order, authority=SUPPORT, context=enough).state == "approved"


def test_who_is_declined_gets_the_words_by_mail_and_nothing_is_sent_twice(session, order):
    rows = [decline(session, order) for _ in range(2)]
    assert [row.state for row in rows] == ["declined"] * 2
    assert (mails(session)[-1], mails(session).count("refund_declined")) == ("refund_declined", 1)
    assert rows[0].answer == "The book was read."
    assert [action for action, _, _ in recorded(session)] == ["order.decline_refund"]
    with pytest.raises(Conflict, match="has decided about this request"):
        approve(session, order)


@pytest.mark.parametrize("words", ["", " \n", "x" * 501])
def test_nothing_is_declined_without_words(session, order, words):
    with pytest.raises(InvalidInput):
        decline(session, order, words)
    assert refunds(session)[0].state == "requested"


def test_only_what_a_buyer_asked_for_is_decided(session, order):
    order.disputed_at = None
    by_command(session, order, units={1: None})
    with pytest.raises(NotFound):
        decide(session, order, decisions.decline_as_staff, StaffDecision(2, "No"))
    with pytest.raises(NotFound):
        decide(session, order, decisions.decline_as_staff, StaffDecision(9, "No"))


@pytest.fixture
def vouchers(session):
    """Two vouchers of 90.00, with a request for both."""
    world = selling.fill(session)
    bought = paid(session, world, RequestedItem(world.voucher, 2), pricing=Pricing())
    bought.disputed_at = SOON
    ask(session, bought, {1: 2})
    return bought


def use(session, order, number=0):
    code = session.scalars(select(VoucherCode).order_by(VoucherCode.number)).all()[number].code
    shipping.use_voucher(session, ref(order), code, "command", SOON)


def test_a_code_cannot_be_used_while_its_refund_is_asked_for_or_on_its_way(session, vouchers):
    with pytest.raises(Refused, match="A refund of this voucher was asked for"):
        use(session, vouchers)
    approve(session, vouchers, 18_000)
    with pytest.raises(Refused, match="A refund of this voucher was asked for"):
        use(session, vouchers)


def test_a_code_that_nobody_asks_a_refund_of_can_be_used_and_so_can_one_after_it_was_declined(session):
    world = selling.fill(session)
    bought = paid(session, world, RequestedItem(world.voucher, 2), pricing=Pricing())
    bought.disputed_at = SOON
    ask(session, bought, {1: 1})
    use(session, bought)
    with pytest.raises(Refused):
        use(session, bought, 1)
    decline(session, bought)
    use(session, bought, 1)


def certify(session):
    factories.certificate(session, session.scalars(select(Enrolment)).one())


@pytest.fixture
def certified(session):
    """A course of 40.00 with a request, after which a certificate was issued."""
    world = selling.fill(session)
    bought = paid(session, world, RequestedItem(world.course), pricing=Pricing())
    bought.disputed_at = SOON
    ask(session, bought, {1: 1})
    certify(session)
    return bought


OBJECTION = "A certificate has been issued for this course."


def test_the_rules_are_asked_again_and_who_may_can_overrule_them(session, certified):
    [request] = decisions.open_requests(session, certified.id, CONTEXT)
    assert [text.partition(": ")[2] for text in request.objections] == [OBJECTION]
    with pytest.raises(Refused, match=f"{OBJECTION} It can be approved all the same, or declined."):
        approve(session, certified, 4_000)
    with pytest.raises(Refused, match="Finance can approve it against the rules"):
        approve(session, certified, 4_000, overrules=True, authority=SUPPORT)
    assert recorded(session) == []
    assert approve(session, certified, 4_000, overrules=True).state == "approved"
    assert recorded(session)[0][1]["overrules"] is True


def test_the_days_of_a_request_end_with_it_not_with_the_decision(session, order):
    late = Context(SOON + timedelta(days=60), SETTINGS)
    assert decisions.open_requests(session, order.id, late)[0].objections == ()
    assert approve(session, order, context=late).state == "approved"
