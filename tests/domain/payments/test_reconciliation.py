"""The gateway's transactions against our payments and refunds."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event, select, update

from contracts.tasks import OutboxKind
from domain.orders import events
from domain.payments import gateway_events, reconciliation
from domain.payments.gateway import Reference, Transaction
from domain.payments.reconciliation import MoneyFinding, Unreconciled
from domain.tables import GatewayEvent, Order, Outbox, Payment, PaymentFinding, Refund
from tests.domain.payments import rows
from tests.domain.payments.rows import CODE
from tests.support.factories import NOON

DAY = timedelta(days=1)
OURS = Reference("shop-uid", CODE, 1)
CHARGE = Transaction("ch_1", "charge", 5_000, "USD", NOON, "pi_1", "ch_1", OURS)
REFUND = Transaction("re_1", "refund", 1_000, "USD", NOON, "pi_1", "ch_1", replace(OURS, refund=1))


@pytest.fixture
def paid(session) -> Payment:
    _order, payment = rows.placed_order(session)
    payment.state, payment.paid_at = "paid", NOON
    payment.session_id, payment.intent_id, payment.charge_id = "cs_1", "pi_1", "ch_1"
    session.flush()
    return payment


def add_refund(session, payment: Payment, **about: Any) -> None:
    facts = {"state": "succeeded", "gateway_id": "re_1", "amount_minor": 1_000, **about}
    words = {"reason": "request", "note": "", "actor": "learner", "requested_at": NOON, "changed_at": NOON}
    key = {"order_id": payment.order_id, "payment_id": payment.id, "number": 1, "key": f"{CODE}-r1", "tax_minor": 0}
    session.add(Refund(**key, **words, **facts))
    session.flush()


def compare(session, *transactions: Transaction, at=NOON + DAY) -> list[tuple[str, str]]:
    report = reconciliation.compare_page(session, "shop-uid", transactions, NOON + DAY)
    reconciliation.store_page(session, report, at)
    session.flush()
    session.expire_all()
    return [(finding.kind, finding.gateway_id) for finding in report.findings]


def unreconciled(session, gateway="stripe", until=NOON + DAY, seen=(), limit=9) -> list[Unreconciled]:
    return reconciliation.unreconciled_payments(session, gateway, until, seen, limit)


@pytest.mark.each_database
def test_what_agrees_is_reconciled_once(session, paid):
    add_refund(session, paid)
    assert compare(session, CHARGE, REFUND) == []
    assert paid.reconciled_at == NOON + DAY
    compare(session, CHARGE, at=NOON + 2 * DAY)
    assert paid.reconciled_at == NOON + DAY
    assert unreconciled(session) == []


@pytest.mark.parametrize(
    ("transaction", "kind"),
    [
        (replace(CHARGE, amount_minor=4_999), "amount"),
        (replace(CHARGE, currency="EUR"), "amount"),
        (replace(CHARGE, id="ch_2", charge_id="ch_2", intent_id="pi_2"), "missing_here"),
        (replace(CHARGE, id="ch_2", charge_id="ch_2", intent_id=None, reference=None), "orphan"),
        (replace(CHARGE, id="ch_2", charge_id="ch_2", intent_id=None, reference=replace(OURS, order="X")), "orphan"),
        (REFUND, "missing_here"),
    ],
)
def test_a_difference_is_a_finding(session, paid, transaction, kind):
    assert compare(session, transaction) == [(kind, transaction.id)]
    assert paid.reconciled_at is None
    order_id = None if kind == "orphan" else paid.order_id
    assert reconciliation.open_findings(session) == [MoneyFinding(kind, transaction.id, order_id)]


def test_a_charge_of_a_payment_that_is_not_paid_here_is_missing(session, paid):
    paid.state = "open"
    assert compare(session, CHARGE) == [("missing_here", "ch_1")]


@pytest.mark.parametrize(
    ("transaction", "waiting", "kinds"),
    [
        (CHARGE, 0, []),
        (replace(CHARGE, id="ch_2", charge_id="ch_2", intent_id="pi_2"), 1, []),
        (REFUND, 1, []),
        (replace(CHARGE, amount_minor=4_999), 0, ["amount"]),
        (replace(CHARGE, id="ch_2", charge_id="ch_2", intent_id=None, reference=None), 0, ["orphan"]),
    ],
)
def test_of_new_transactions_only_what_may_be_under_way_waits(session, paid, transaction, waiting, kinds):
    report = reconciliation.compare_page(session, "shop-uid", [transaction], settled_until=NOON)
    assert (report.waiting, [finding.kind for finding in report.findings]) == (waiting, kinds)
    assert bool(report.names) is not bool(waiting)


def test_a_refund_of_another_amount_is_a_finding(session, paid):
    add_refund(session, paid, amount_minor=999)
    assert compare(session, REFUND) == [("amount", "re_1")]


def test_other_shops_at_the_same_gateway_do_not_matter(session, paid):
    foreign = replace(CHARGE, id="ch_9", charge_id="ch_9", intent_id="pi_9", reference=replace(OURS, shop="other"))
    report = reconciliation.compare_page(session, "shop-uid", [foreign], NOON + DAY)
    assert (report.foreign, report.findings, report.names) == (1, (), frozenset())


def test_payments_and_refunds_that_the_gateway_lacks_are_findings(session, paid):
    add_refund(session, paid)
    finding = Unreconciled("ch_1", MoneyFinding("missing_there", "ch_1", paid.order_id))
    assert unreconciled(session) == unreconciled(session, until=NOON + 400 * DAY) == [finding]
    assert unreconciled(session, gateway="demo") == unreconciled(session, until=NOON) == []
    assert unreconciled(session, seen={"ch_1"}) == unreconciled(session, limit=0) == []
    lost = reconciliation.missing_refunds(session, "stripe", NOON, NOON + DAY, seen=())
    assert lost == [MoneyFinding("missing_there", "re_1", paid.order_id)]
    assert reconciliation.missing_refunds(session, "stripe", NOON, NOON + DAY, seen={"re_1"}) == []


@pytest.mark.each_database
def test_a_finding_is_resolved_when_all_is_right_and_open_again_when_it_returns(session, paid):
    wrong = replace(CHARGE, amount_minor=1)
    lost = [payment.missing for payment in unreconciled(session)]
    reconciliation.store_findings(session, lost, NOON + DAY)
    assert compare(session, wrong) == [("amount", "ch_1")]
    assert compare(session, CHARGE) == []
    assert reconciliation.open_findings(session) == []
    compare(session, wrong)
    compare(session, wrong)
    assert [finding.kind for finding in reconciliation.open_findings(session)] == ["amount"]


def test_a_page_costs_the_same_queries_however_many_transactions_it_has(session, paid):
    statements: list[str] = []
    listen = lambda *arguments: statements.append(arguments[2])  # noqa: E731 a listener
    event.listen(session.get_bind(), "before_cursor_execute", listen)
    reconciliation.compare_page(session, "shop-uid", [CHARGE], NOON + DAY)
    one = len(statements)
    reconciliation.compare_page(session, "shop-uid", [CHARGE, REFUND] * 50, NOON + DAY)
    event.remove(session.get_bind(), "before_cursor_execute", listen)
    assert len(statements) - one == one == 3


def test_staff_are_told_of_new_findings_once(session):
    """One mail for all that a page has that is new, and none for what is open already."""
    stray = [replace(CHARGE, id=f"ch_{number}", intent_id=None, charge_id=None) for number in range(3)]
    for page, count in (((), 0), (stray[:2], 1), (stray[:2], 1), (stray, 2)):
        compare(session, *page)
        kinds = [row.kind for row in session.scalars(select(Outbox).order_by(Outbox.id))]
        assert kinds == ["mail.finding"] * count
    session.execute(update(PaymentFinding).values(resolved_at=NOON))
    compare(session, stray[0])
    bodies = [row.body["finding_id"] for row in session.scalars(select(Outbox).order_by(Outbox.id))]
    ids = list(session.scalars(select(PaymentFinding.id).order_by(PaymentFinding.id)))
    assert bodies == [ids[0], ids[2], ids[0]]


@pytest.mark.parametrize(
    ("charge_state", "state", "kind"),
    [
        ("pending", "processing", None),
        ("pending", "paid", None),
        ("pending", "open", "missing_here"),
        ("failed", "failed", None),
        ("failed", "expired", None),
        ("failed", "processing", "missing_here"),
        ("failed", "paid", "missing_here"),
        ("succeeded", "processing", "missing_here"),
    ],
)
def test_a_debit_is_compared_by_the_state_of_its_charge(session, paid, charge_state, state, kind):
    paid.state = state
    session.flush()
    assert compare(session, replace(CHARGE, charge_state=charge_state)) == ([] if kind is None else [(kind, "ch_1")])
    assert paid.reconciled_at is None


DISPUTE = Transaction("dp_1", "dispute", 2_000, "USD", NOON, "pi_1", "ch_1")


def book_dispute(session, payment: Payment, *amounts: int) -> None:
    order = session.get_one(Order, payment.order_id)
    events.append(session, order, "disputed", events.GATEWAY, NOON, {"dispute": "dp_1"})
    words = {"note": "", "actor": "gateway", "requested_at": NOON, "changed_at": NOON, "state": "succeeded"}
    for number, amount in enumerate(amounts, 1):
        reason = "dispute" if amount > 0 else "dispute_won"
        key = {"order_id": order.id, "payment_id": payment.id, "number": number, "key": f"{CODE}-r{number}"}
        session.add(Refund(**key, **words, reason=reason, amount_minor=amount, tax_minor=0, dispute_id="dp_1"))
    session.flush()


@pytest.mark.parametrize(
    ("taken", "booked", "kind"),
    [
        (2_000, (2_000,), None),
        (500, (2_000, -1_500), None),
        (0, (), None),
        (2_000, (), "amount"),
        (0, (2_000,), "amount"),
    ],
)
def test_what_is_booked_for_a_dispute_is_compared_with_what_it_has_cost(session, paid, taken, booked, kind):
    book_dispute(session, paid, *booked)
    rows = (replace(DISPUTE, amount_minor=taken), replace(DISPUTE, amount_minor=taken, created_at=NOON - DAY))
    assert compare(session, *rows) == ([] if kind is None else [(kind, "dp_1")])


def test_a_dispute_that_nobody_here_knows_is_missing_and_one_of_an_unknown_charge_is_foreign(session, paid):
    assert compare(session, replace(DISPUTE, amount_minor=0)) == [("missing_here", "dp_1")]
    foreign = replace(DISPUTE, charge_id="ch_9", intent_id="pi_9")
    report = reconciliation.compare_page(session, "shop-uid", [foreign], NOON + DAY)
    assert (report.foreign, report.findings) == (1, ())


@pytest.mark.each_database
def test_a_dispute_whose_books_differ_is_retrieved_again_once_a_day(session, paid):
    """As by its event, whose row of the outbox may be dead, or deleted."""
    for at, count in ((NOON + DAY, 1), (NOON + DAY, 1), (NOON + 2 * DAY, 2)):
        compare(session, DISPUTE, replace(DISPUTE, created_at=NOON - DAY), at=at)
        asked = session.scalars(select(Outbox).where(Outbox.kind == OutboxKind.HANDLE_GATEWAY_EVENT)).all()
        assert len(asked) == count
    named = [gateway_events.named_by(session, row.body["event_id"]).payment.id for row in asked]
    assert named == [paid.id, paid.id]
    book_dispute(session, paid, 2_000)
    assert compare(session, DISPUTE, at=NOON + 3 * DAY) == []
    assert len(session.scalars(select(GatewayEvent)).all()) == 2


def test_a_dispute_that_changed_a_moment_ago_waits(session, paid):
    book_dispute(session, paid, 2_000)
    report = reconciliation.compare_page(session, "shop-uid", [replace(DISPUTE, amount_minor=0)], NOON)
    assert (report.waiting, report.findings) == (1, ())
