"""Settlement: what each thing that the gateway is found to have does, once and in any order."""

import contextlib
import itertools
import random
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from domain.checkout.priced import RequestedItem
from domain.errors import Refused
from domain.learning import grants
from domain.orders import events
from domain.payments import settlement
from domain.payments.gateway import DisputeSnapshot, Reference, RefundSnapshot
from domain.tables import Document, Refund, Reservation, VoucherCode
from tests.domain.orders import selling
from tests.domain.orders.selling import LATER, SETTINGS
from tests.domain.payments.settled import all_of, expire, kinds, owned, refunds
from tests.support import factories
from tests.support.factories import NOON


def refund_snapshot(order, number, state, amount, **about):
    reference = Reference("shop-1", order.code, 1, number)
    return RefundSnapshot(f"re_{number}", state, amount, "USD", LATER, **{"reference": reference, **about})


@pytest.mark.each_database
def test_the_same_snapshot_again_changes_nothing(session, order):
    assert selling.pay(session, order) == "settled"
    before = (order.event_count, len(kinds(session)), len(all_of(session, Document)))
    assert selling.pay(session, order) == "unchanged"
    assert (order.event_count, len(kinds(session)), len(all_of(session, Document))) == before


def test_an_older_snapshot_undoes_nothing(session, order):
    paid = selling.snapshot(order)
    selling.apply(session, order, paid)
    for state, payment in (
        ("open", "unpaid"),
        ("complete", "processing"),
        ("expired", "unpaid"),
        ("complete", "failed"),
    ):
        assert selling.apply(session, order, replace(paid, state=state, payment=payment)) == "unchanged"
    assert (order.state, selling.payment_of(session, order).state) == ("paid", "paid")


@pytest.mark.parametrize(
    "about",
    [
        {"reference": Reference("other-shop", "X", 1)},
        {"reference": None},
        {"livemode": True},
    ],
    ids=["another shop", "not ours", "the other mode"],
)
def test_what_is_of_another_shop_or_mode_is_ignored(session, order, about):
    selling.payment_of(session, order).livemode = False
    assert selling.apply(session, order, selling.snapshot(order, **about)) == "ignored"
    assert (order.state, selling.payment_of(session, order).state, refunds(session)) == ("placed", "new", [])


@pytest.mark.parametrize(
    ("about", "charged"),
    [
        ({"amount_minor": 5499}, 5499),
        ({"amount_minor": 9900}, 9900),
        ({"currency": "EUR"}, 5500),
        ({"reference": Reference("shop-1", "OTHER", 1)}, 5500),
        ({"reference": Reference("shop-1", "CODE", 2)}, 5500),
    ],
    ids=["less", "more", "currency", "order", "payment"],
)
def test_a_wrong_payment_never_pays_and_goes_back_whole(session, order, about, charged):
    if about.get("reference") and about["reference"].order == "CODE":
        about = {"reference": Reference("shop-1", order.code, 2)}
    assert selling.apply(session, order, selling.snapshot(order, **about)) == "mismatch"
    assert (order.state, refunds(session)) == ("placed", [(1, "mismatch", "approved", charged)])
    assert kinds(session) == ["payments.refund", "mail.mismatch"]
    assert selling.payment_of(session, order).refunded_minor == charged
    assert all_of(session, Document) == []


def test_a_second_payment_goes_back(session, order):
    selling.pay(session, order)
    selling.add_payment(session, order, 2)
    assert selling.apply(session, order, selling.snapshot(order, 2), number=2) == "duplicate"
    assert (order.state, order.refunded_minor) == ("paid", 0)
    assert refunds(session) == [(1, "duplicate", "approved", 5500)]
    assert len(all_of(session, Document)) == 1


def test_a_debit_under_way_then_failed_then_paid_by_card(session, order):
    debit = selling.snapshot(order, payment="processing", method="SEPA")
    assert selling.apply(session, order, debit) == "processing"
    assert (order.state, order.open_learner_id) == ("processing", None)
    assert selling.apply(session, order, replace(debit, payment="failed")) == "failed"
    assert (order.state, order.reserved_until) == ("placed", LATER + timedelta(microseconds=1) + timedelta(hours=24))
    selling.add_payment(session, order, 2)
    assert selling.apply(session, order, selling.snapshot(order, 2), number=2) == "settled"
    assert kinds(session) == ["mail.order_received", "mail.payment_failed", "mail.order_paid"]


def test_an_expired_order_gives_back_what_it_had(session, order, world):
    assert expire(session, order, NOON + timedelta(minutes=30)) is False
    assert expire(session, order) is True
    assert (order.state, selling.stock_of(session, world.book), all_of(session, Reservation)) == ("expired", 5, [])
    assert kinds(session) == ["payments.expire"]
    assert expire(session, order) is False


def test_an_order_with_an_open_page_does_not_expire_before_it_is_closed(session, order):
    selling.payment_of(session, order).state = "open"
    assert expire(session, order) is False
    assert selling.apply(session, order, selling.snapshot(order, state="expired", payment="unpaid")) == "closed"
    assert expire(session, order) is True


def test_a_course_that_came_another_way_meanwhile_is_refunded_alone(session, order, world):
    grants.grant(session, world.learner, [world.course], grants.GrantSource("seat", 1), NOON)
    assert selling.pay(session, order) == "settled"
    assert (order.state, order.refunded_minor, refunds(session)) == ("paid", 4000, [(1, "owned", "approved", 4000)])
    found = selling.snapshot(order, refunds=(refund_snapshot(order, 1, "succeeded", 4000),))
    selling.apply(session, order, found)
    assert refunds(session) == [(1, "owned", "succeeded", 4000)]
    assert [row.kind for row in all_of(session, Document)] == ["invoice", "credit_note"]
    assert owned(session, world) == {world.course}


@pytest.mark.each_database
def test_an_order_that_lacks_its_reservations_claims_them_anew(session, order, world):
    for row in all_of(session, Reservation):
        session.delete(row)
    session.flush()
    assert selling.pay(session, order) == "settled"
    assert selling.stock_of(session, world.book) == 3


def test_a_refund_at_the_gateway_is_shared_over_the_lines(session, order):
    selling.pay(session, order)
    refund = refund_snapshot(order, None, "succeeded", 1100, reference=None)
    selling.apply(session, order, selling.snapshot(order, refunds=(refund,)))
    assert (order.state, order.refunded_minor, refunds(session)) == ("paid", 1100, [(1, "gateway", "succeeded", 1100)])
    rest = replace(refund, id="re_rest", amount_minor=4400)
    selling.apply(session, order, selling.snapshot(order, refunds=(refund, rest)))
    assert (order.state, order.refunded_minor) == ("refunded", 5500)
    documents = all_of(session, Document)
    assert sum(row.body["total_minor"] for row in documents if row.kind == "credit_note") == 5500


def test_a_lost_dispute_ends_what_was_bought_and_refunds_nothing_again(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.course), RequestedItem(world.voucher))
    selling.pay(session, order)
    dispute = DisputeSnapshot("dp_1", "open", 13000, "USD", LATER, "fraudulent", 13000, 1)
    selling.apply(session, order, selling.snapshot(order, disputes=(dispute,)))
    assert (order.state, order.disputed_at, owned(session, world)) == ("paid", LATER, {world.course})
    lost = selling.snapshot(order, disputes=(replace(dispute, state="closed"),))
    for _ in range(2):
        selling.apply(session, order, lost)
    assert (order.state, owned(session, world), refunds(session)) == (
        "refunded",
        set(),
        [(1, "dispute", "succeeded", 13000)],
    )
    assert [code.void_at is None for code in all_of(session, VoucherCode)] == [False]
    assert kinds(session) == ["mail.order_paid", "mail.dispute", "mail.dispute"]
    assert [row.kind for row in all_of(session, Document)] == ["invoice", "credit_note"]


def test_a_dispute_that_is_won_is_over_and_an_older_snapshot_does_not_open_it_again(session, order):
    selling.pay(session, order)
    dispute = DisputeSnapshot("dp_1", "open", 5500, "USD", LATER, "fraudulent", 5500, 1)
    other = replace(dispute, id="dp_2")
    won = replace(dispute, state="closed", taken_minor=0, movements=2)
    both = (won, replace(won, id="dp_2"))
    for disputes, is_open in (((dispute,), True), ((won, other), True), (both, False)):
        selling.apply(session, order, selling.snapshot(order, disputes=disputes))
        assert (order.disputed_at is not None) is is_open
    selling.apply(session, order, selling.snapshot(order, disputes=(dispute, other)))
    assert (order.state, order.disputed_at) == ("paid", None)


def history(order):
    """What the gateway had, one after another: a debit that failed, and its refunds after it was paid after all."""
    start = selling.snapshot(order, state="open", payment="unpaid", paid_at=None)
    paid = selling.snapshot(order)
    pending = refund_snapshot(order, None, "pending", 1000, reference=None)
    return [
        start,
        replace(start, state="complete", payment="processing"),
        paid,
        replace(paid, refunds=(pending,)),
        replace(paid, refunds=(replace(pending, state="succeeded"),)),
    ]


def outcome(session, order):
    rows = [(row.reason, row.state, row.amount_minor) for row in all_of(session, Refund)]
    documents = [(row.kind, row.body["total_minor"]) for row in all_of(session, Document)]
    return (order.state, order.refunded_minor, selling.payment_of(session, order).state, rows, documents)


EXPECTED = ("paid", 1000, "paid", [("gateway", "succeeded", 1000)], [("invoice", 5500), ("credit_note", 1000)])


def test_200_snapshots_in_any_order_any_number_of_times_are_one_ordered_run(session, order):
    chance = random.Random(7)
    shuffled = list(itertools.islice(itertools.cycle(history(order)), 200))
    chance.shuffle(shuffled)
    for found in shuffled:
        selling.apply(session, order, found, at=LATER + timedelta(days=chance.randrange(7)))
    assert outcome(session, order) == EXPECTED
    assert events.first_wrong(order, events.timeline(session, order.id)) is None


class Trusting(dict):
    """Every state is newer than the last one, as if the body of each event were the truth."""

    def __init__(self):
        super().__init__()
        self._numbers = itertools.count(0, -1)

    def __getitem__(self, _state):
        return next(self._numbers)


@pytest.mark.parametrize("seed", range(5))
def test_if_bodies_were_trusted_the_same_snapshots_would_end_otherwise(session, order, monkeypatch, seed):
    """The negative control: a repeated body pays once more, and an old one undoes a newer one. Each order fails."""
    monkeypatch.setattr(settlement, "RANK", Trusting())
    shuffled = history(order) * 3
    random.Random(seed).shuffle(shuffled)
    with contextlib.suppress(Refused, IntegrityError, ValueError):
        for found in shuffled:
            selling.apply(session, order, found)
    assert outcome(session, order) != EXPECTED


@pytest.mark.each_database
def test_documents_of_two_years_are_numbered_apart_and_without_gaps(session, world):
    """Payments around the end of the year, by a clock that is set back in between."""
    new_year = NOON.replace(year=2027, month=1, day=1, hour=0)
    numbers = []
    for number, seconds in enumerate((-2, -1, 0, 1, -3600)):
        buyer = factories.learner(session, f"Buyer {number}").id
        late = selling.buy(session, buyer, RequestedItem(world.course), key=f"key-{number}")
        assert selling.pay(session, late, new_year + timedelta(seconds=seconds)) == "settled"
        numbers.append(all_of(session, Document)[-1].number)
    assert numbers == ["2026-000001", "2026-000002", "2027-000001", "2027-000002", "2026-000003"]


def test_an_order_whose_clock_is_set_back_runs_forward(session, world):
    """By an hour, between placing and paying: no time of the order is before another, and nothing lasts less than it
    should."""
    order = selling.buy(session, world.learner, RequestedItem(world.course))
    begun = selling.snapshot(order, payment="processing", paid_at=None)
    selling.apply(session, order, begun, at=NOON - timedelta(hours=1))
    assert order.reserved_until == NOON + timedelta(minutes=36) + SETTINGS.debit_time
    selling.pay(session, order, NOON - timedelta(hours=1))
    timeline = events.timeline(session, order.id)
    times = [event.occurred_at for event in timeline]
    assert times == [NOON, NOON + events.TICK, NOON + 2 * events.TICK]
    assert (order.paid_at, all_of(session, Document)[0].issued_at) == (times[2], times[2])
    assert events.first_wrong(order, timeline) is None


def test_who_has_a_voucher_to_pay_at_a_till_may_pay_otherwise_and_their_money_counts_when_it_comes(session, order):
    """The page is complete, and nobody has paid: it is no debit, for which goods would stay reserved for weeks."""
    waiting = selling.snapshot(order, payment="unpaid", paid_at=None, charge_id=None)
    for _ in range(2):
        selling.apply(session, order, waiting)
    payment = selling.payment_of(session, order)
    assert (order.state, payment.state, payment.url) == ("placed", "expired", None)
    assert selling.apply(session, order, selling.snapshot(order)) == "settled"
    assert (order.state, payment.state) == ("paid", "paid")
