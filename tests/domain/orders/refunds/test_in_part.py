"""Requests that are approved in part: what goes back, what does not and why, and what its buyer can ask for again."""

from dataclasses import replace

import pytest
from sqlalchemy import func, select

from adapters import mail_templates
from contracts.payloads import RefundItem, encode
from contracts.tasks import OutboxKind
from domain import mail
from domain.audit import recording
from domain.checkout.priced import RequestedItem
from domain.errors import Conflict, InvalidInput, Refused
from domain.mail import MailSite
from domain.orders.explanation.order_rows import rows_of
from domain.orders.explanation.refunds import refund_differences
from domain.orders.refunds import decisions
from domain.orders.refunds.decisions import StaffDecision
from domain.orders.refunds.in_part import ChosenPart
from domain.orders.refunds.refundable import refund_offer
from domain.orders.refunds.staff_limits import Authority, RecentSignInRequired
from domain.orders.settings import Context
from domain.orders.views import order as order_views
from domain.outbox.leases import Lease
from domain.tables import AuditEvent, DeclinedPart, Enrolment, EnrolmentGrant, Learner, OrderEvent
from tests.domain.orders import selling
from tests.domain.orders.refunds.buying import (
    SETTINGS,
    SOON,
    answer,
    ask,
    credited,
    mails,
    paid,
    ref,
    refunds,
)
from tests.support import factories

CONTEXT = Context(SOON, SETTINGS)
FINANCE = Authority("staff:700000000", ("finance",), signed_in_recently=True)
WHY = "One book was read."


@pytest.fixture
def order(session):
    """A course of 40.00, three books of 15.00 and delivery of 5.00, with a request for all of it."""
    world = selling.fill(session)
    bought = paid(session, world, RequestedItem(world.course), RequestedItem(world.book, 3))
    bought.disputed_at = SOON
    ask(session, bought, {1: 1, 2: 3}, note="torn")
    return bought


def decide(session, order, part, amount_minor, *, authority=FINANCE, context=CONTEXT, words=WHY, **about):
    actor = factories.actor(order.learner_id, *authority.roles)
    decision = StaffDecision(1, words, amount_minor, part=part, **about)
    return recording.run(session, actor, decisions.approve_as_staff, ref(order), decision, authority, context)


def declined(session):
    query = select(DeclinedPart).order_by(DeclinedPart.line_id)
    return [(row.quantity, row.amount_minor) for row in session.scalars(query)]


def access(session):
    return session.scalar(select(func.count(EnrolmentGrant.id)).where(EnrolmentGrant.ended_at.is_(None)))


CASES = {
    # What is chosen -> what goes back, what does not, delivery last, and whether the course stays open.
    "some units": (ChosenPart({2: 2}), 3000, [(1, 4000), (1, 1500), (1, 500)], 1),
    "all units of a line": (ChosenPart({1: 1}), 4000, [(3, 4500), (1, 500)], 0),
    "the last of the goods, with delivery": (ChosenPart({2: 3}), 5000, [(1, 4000)], 1),
    "an amount, which ends nothing": (ChosenPart({}, {1: 1000}), 1000, [(1, 3000), (3, 4500), (1, 500)], 1),
    "all of a price, which ends nothing": (ChosenPart({2: 3}, {1: 4000}), 9000, [(1, 0)], 1),
    "units and an amount": (ChosenPart({1: 1}, {2: 750}), 4750, [(3, 3750), (1, 500)], 0),
}


@pytest.mark.each_database
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_is_chosen_goes_back_and_the_rest_is_declined(session, order, case):
    part, amount, left, open_courses = case
    row = decide(session, order, part, amount)
    answer(session, order, "succeeded")
    assert (row.amount_minor, row.answer, declined(session)) == (amount, WHY, left)
    assert (order.refunded_minor, credited(session)) == (amount, [amount])
    assert amount + sum(minor for _, minor in left) == 9000
    assert (access(session), list(refund_differences(session, rows_of(session, order.code)))) == (open_courses, [])
    assert mails(session)[-2:] == ["refund_in_part", "refund_accepted"]


def test_it_is_recorded_once_with_what_was_not_given_back(session, order):
    for _ in range(2):
        decide(session, order, ChosenPart({2: 1}), 1500)
    (event,) = session.scalars(select(AuditEvent))
    assert (event.action, event.reason) == ("order.approve_refund_in_part", WHY)
    after = {"refunded_minor": 1500, "refund": 1, "declined_minor": 7500, "keeps_access": False, "restocks": False}
    assert event.after == after
    kinds = session.scalars(select(OrderEvent.kind).order_by(OrderEvent.number)).all()
    assert kinds[-3:] == ["refund_requested", "refund_in_part", "refund_approved"]


WRONG = {
    "nothing": (ChosenPart(), "form"),
    "everything": (ChosenPart({1: 1, 2: 3}), "form"),
    "more units than were asked for": (ChosenPart({2: 4}), "units.2"),
    "a line that was not asked for": (ChosenPart({3: 1}), "units.3"),
    "an amount of a line that was not asked for": (ChosenPart({}, {9: 1}), "amounts.9"),
    "a larger amount than was asked for": (ChosenPart({}, {1: 4001}), "amounts.1"),
    "units and an amount of one line": (ChosenPart({1: 1}, {1: 1}), "amounts.1"),
}


@pytest.mark.parametrize(("part", "field"), WRONG.values(), ids=WRONG)
def test_what_is_no_part_of_the_request_is_refused_at_its_field(session, order, part, field):
    with pytest.raises(InvalidInput) as caught:
        decide(session, order, part, 1)
    with pytest.raises(InvalidInput):
        decisions.preview_approval(session, ref(order), StaffDecision(1, WHY, part=part), CONTEXT)
    assert [*caught.value.errors] == [field]
    assert (refunds(session)[0].state, declined(session)) == ("requested", [])


@pytest.mark.parametrize("words", ["", " \n", "x" * 501])
def test_a_part_needs_words_for_the_buyer(session, order, words):
    with pytest.raises(InvalidInput):
        decide(session, order, ChosenPart({1: 1}), 4000, words=words)


def test_a_preview_says_what_goes_back_what_does_not_and_what_ends(session, order):
    decision = StaffDecision(1, WHY, part=ChosenPart({1: 1}, {2: 750}))
    shown = decisions.preview_approval(session, ref(order), decision, CONTEXT)
    assert (shown.amount_minor, shown.lines) == (4750, (("Vat Basics", 1, 4000), ("The Book", 0, 750)))
    assert [(units, minor) for _, units, minor in shown.not_back] == [(3, 3750), (1, 500)]
    assert shown.ends == ("Access to Vat Basics ends.",)
    assert (refunds(session)[0].state, declined(session)) == ("requested", [])


def test_another_amount_than_the_one_shown_refunds_nothing(session, order):
    with pytest.raises(Refused, match="has changed meanwhile"):
        decide(session, order, ChosenPart({1: 1}), 3999)


LIMITS = {
    "support above its limit": (replace(FINANCE, roles=("support",)), Refused),
    "a sign-in of long ago": (replace(FINANCE, signed_in_recently=False), RecentSignInRequired),
}


@pytest.mark.parametrize(("authority", "error"), LIMITS.values(), ids=LIMITS)
def test_the_limits_of_other_refunds_hold_for_a_part(session, order, authority, error):
    context = Context(SOON, replace(SETTINGS, support_refund_max_minor=1000))
    with pytest.raises(error):
        decide(session, order, ChosenPart({}, {1: 1001}), 1001, authority=authority, context=context)


def test_nobody_gives_back_a_part_of_their_own_order(session, order):
    own = replace(FINANCE, actor=f"staff:{order.learner_id}")
    with pytest.raises(Refused, match="This is your own order"):
        decide(session, order, ChosenPart({1: 1}), 4000, authority=own)
    assert (refunds(session)[0].state, declined(session)) == ("requested", [])


def test_the_rules_are_asked_about_what_goes_back_alone(session, order):
    """A certificate ends the right to a refund of its course."""
    factories.certificate(session, session.scalars(select(Enrolment)).one())
    with pytest.raises(Refused, match="It can be approved all the same, or declined"):
        decide(session, order, ChosenPart({1: 1}), 4000)
    assert decide(session, order, ChosenPart({2: 3}), 5000).state == "approved"


def test_who_comes_second_is_told_who_decided_what(session, order):
    colleague = factories.learner(session, name="Grace Hopper")
    decide(session, order, ChosenPart({2: 1}), 1500, authority=replace(FINANCE, actor=f"staff:{colleague.id}"))
    with pytest.raises(Conflict) as caught:
        decide(session, order, ChosenPart({1: 1}), 4000)
    assert "Grace Hopper" in str(caught.value)
    assert str(caught.value).endswith(": $15.00 goes back of $90.00. Load the page again.")
    assert (order.refunded_minor, len(session.scalars(select(AuditEvent)).all())) == (1500, 1)


def test_its_buyer_sees_both_parts_with_the_words_and_may_ask_again(session, order):
    decide(session, order, ChosenPart({2: 2}), 3000)
    answer(session, order, "succeeded")
    learner = session.get_one(Learner, order.learner_id)
    view = order_views.order_view(session, learner.id, order.code, SOON, SETTINGS)
    (refund,) = view.refunds
    assert (refund.state_text, refund.note, refund.answer) == ("Paid back in part", "torn", WHY)
    assert [(part.quantity, part.amount) for part in refund.lines] == [(2, 3000)]
    not_back = [(part.number, part.quantity, part.amount) for part in refund.not_back]
    assert not_back == [(1, 1, 4000), (2, 1, 1500), (3, 1, 500)]
    assert "We decided to give back $30.00 of the $90.00 that you asked for" in [event.text for event in view.events]
    offer = refund_offer(session, order, CONTEXT)
    assert [(line.quantity, line.refusal) for line in offer.lines] == [(1, None), (1, None)]
    ask(session, order, {2: 1}, key="again")
    assert [row.state for row in refunds(session)] == ["succeeded", "requested"]


def test_the_mail_says_what_goes_back_what_does_not_and_why(session, order):
    row = decide(session, order, ChosenPart({1: 1}, {2: 750}), 4750)
    lease = Lease(7, str(OutboxKind.REFUND_IN_PART), encode(RefundItem(refund_id=row.id)), SOON, 1, "token")
    outgoing = mail.compose(session, lease, MailSite("Meridian", "https://shop.example", "staff@shop.example"))
    text = mail_templates.render(outgoing.template, outgoing.values).text
    assert "of the $90.00 of order" in text
    assert "1 x Vat Basics: $40.00\nPart of the price of The Book: $7.50\n" in text
    assert "3 x The Book: $37.50\n1 x Delivery: Standard: $5.00\n" in text
    assert WHY in text
