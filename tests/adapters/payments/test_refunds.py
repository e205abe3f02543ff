"""Refunds at the gateway: each of its test cards, and calls whose answer is lost. Its ledger counts what was sent."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from sqlalchemy import delete, select, update

from adapters.payments import outbox_handlers, polls
from adapters.payments.stripe_gateway import StripeGateway
from adapters.payments.sync_calls import GatewayService
from contracts.payloads import RefundItem, encode
from domain.money import currency
from domain.orders import locks
from domain.orders.refunds import by_staff
from domain.orders.refunds.by_staff import StaffRefund
from domain.orders.refunds.shares import share_of
from domain.orders.settings import Context
from domain.outbox.errors import Later, ServiceDown
from domain.outbox.leases import Lease
from domain.payments.gateway import GatewayRefused, Reference, RefundRequest
from domain.tables import Document, Outbox, Refund
from tests.adapters.payments.world import SHOP, World, account, handle, rows_of
from tests.domain.orders import selling
from tests.standins.payments.shop import OK

LATER_REFUND, FAILING_REFUND = "4000000000007726", "4000000000005126"
REFUND = "POST /v1/refunds"


async def pay_and_refund(world: World, card: str = OK, line: int = 1) -> None:
    """A course of 40.00 and a book of 15.00 are paid, and the refund of a line approved: the course's."""
    await world.open()
    await world.pay(card)
    assert await world.retrieve() == "settled"
    refund = StaffRefund("command", "a reason", units={line: None})
    with world.database.write_session() as session:
        by_staff.refund_order(session, locks.ref_of(session, world.code), refund, context())


def context() -> Context:
    return Context(datetime.now(UTC), selling.SETTINGS)


async def send(world: World, **changes: object) -> None:
    """Handle the refund's row of the outbox."""
    with world.database.read_session() as session:
        body = encode(RefundItem(refund_id=session.scalars(select(Refund.id)).one()))
    lease = Lease(1, "payments.refund", body, datetime.now(UTC), 1, "token")
    service = GatewayService(account(world.standin, **changes))
    handle = outbox_handlers.handlers(world.database, SHOP)[lease.kind]
    await asyncio.to_thread(handle, lease, service)


def state(world: World) -> tuple[str, list[str], int]:
    """The state of the refund; the kinds of documents; what the gateway has charged less what it has sent back."""
    with world.database.read_session() as session:
        kinds = list(session.scalars(select(Document.kind).order_by(Document.id)))
        return session.scalars(select(Refund.state)).one(), kinds, world.charges()


def mails(world: World) -> list[str]:
    with world.database.read_session() as session:
        return list(session.scalars(select(Outbox.kind).where(Outbox.topic == "mail").order_by(Outbox.id)))


CREDITED = ["invoice", "credit_note"]


@pytest.mark.each_database
async def test_a_refund_is_sent_once_however_often_its_row_is_handled(world):
    await pay_and_refund(world)
    for _time in range(3):
        await send(world)
    assert state(world) == ("succeeded", CREDITED, 1_500)


async def test_a_refund_that_is_pending_first_is_accepted_then_and_succeeds_later(world):
    await pay_and_refund(world, LATER_REFUND)
    await send(world)
    assert (state(world)[:2], mails(world)) == (("pending", CREDITED), ["mail.order_paid", "mail.refund_accepted"])
    await world.standin.advance(7 * 86_400)
    await world.retrieve()
    assert state(world) == ("succeeded", CREDITED, 1_500)
    assert mails(world) == ["mail.order_paid", "mail.refund_accepted"]


async def test_a_refund_that_fails_after_it_succeeded_leaves_its_credit_note_and_is_paid_by_people(world):
    await pay_and_refund(world, FAILING_REFUND)
    await send(world)
    assert state(world)[:2] == ("succeeded", CREDITED)
    await world.standin.advance(7 * 86_400)
    await world.retrieve()
    assert state(world) == ("failed", CREDITED, 5_500)
    assert mails(world)[-2:] == ["mail.refund_failed", "mail.staff_refund_failed"]
    with world.database.write_session() as session:
        ref = locks.ref_of(session, world.code)
        by_staff.pay_failed_manually(session, ref, StaffRefund("command", "by cheque"), context())
    await send(world)
    assert state(world) == ("manual", CREDITED, 5_500)


@pytest.mark.parametrize(("fault", "error"), [("hang", ServiceDown), ("error-500", Later)])
async def test_without_an_answer_the_refund_is_sent_once_later(world, fault, error):
    await pay_and_refund(world)
    await world.standin.fault(REFUND, fault)
    with pytest.raises(error):
        await send(world, deadline_s=1.0 if fault == "hang" else 20.0)
    assert state(world)[0] == "sent"
    for _time in range(2):
        await send(world)
    assert state(world) == ("succeeded", CREDITED, 1_500)


async def test_after_a_stored_error_the_refund_that_was_made_is_taken(world):
    await pay_and_refund(world)
    await world.standin.fault(REFUND, "error-after-charging")
    await send(world)
    assert state(world) == ("succeeded", CREDITED, 1_500)


async def test_without_looking_for_it_a_stored_error_would_send_the_money_twice(world, monkeypatch):
    """The negative control: the second key is used without a look at what the gateway has."""

    async def none(*_: object) -> None:
        return None

    monkeypatch.setattr(StripeGateway, "_find_refund", none)
    await pay_and_refund(world, line=2)
    await world.standin.fault(REFUND, "error-after-charging")
    with pytest.raises(Later):
        await send(world)
    await send(world)
    assert world.charges() == 5_500 - 2 * 1_500


async def test_a_refund_at_the_gateway_is_shared_over_the_lines_with_a_credit_note(world):
    await world.open()
    await world.pay()
    await world.retrieve()
    intent = world.payments()[0].intent_id
    for amount in (1_100, 4_400):
        await world.standin.api.refunds.create_async({"payment_intent": intent, "amount": amount})
        await world.retrieve()
    with world.database.read_session() as session:
        notes = [row.body["total_minor"] for row in session.scalars(select(Document)) if row.kind == "credit_note"]
        assert (notes, [row.reason for row in session.scalars(select(Refund))]) == ([1_100, 4_400], ["gateway"] * 2)
    assert world.states() == ["refunded", "paid"]


HOUR = timedelta(hours=1)


def change_row(world: World, **values: object) -> None:
    """The row of the outbox that sends the refund, which was approved an hour ago. Without values it is deleted."""
    with world.database.write_session() as session:
        session.execute(update(Refund).values(changed_at=datetime.now(UTC) - HOUR))
        is_row = Outbox.kind == "payments.refund"
        session.execute(update(Outbox).where(is_row).values(**values) if values else delete(Outbox).where(is_row))


@pytest.mark.each_database
async def test_a_refund_whose_row_is_gone_is_sent_all_the_same(world):
    await pay_and_refund(world)
    assert await polls.resume_refunds(world.db) == 0
    change_row(world)
    assert (await polls.resume_refunds(world.db), await polls.resume_refunds(world.db)) == (1, 0)
    [row] = [row for row in rows_of(world) if row.kind == "payments.refund"]
    await handle(world, row)
    assert state(world) == ("succeeded", CREDITED, 1_500)


async def test_a_row_that_still_waits_for_the_gateway_is_left_alone(world):
    await pay_and_refund(world)
    change_row(world, attempts=3, next_at=datetime.now(UTC) + HOUR)
    assert (await polls.resume_refunds(world.db), state(world)[0]) == (0, "approved")


async def test_a_refund_whose_row_is_dead_has_failed_and_is_paid_by_people(world):
    await pay_and_refund(world)
    change_row(world, dead_at=datetime.now(UTC), next_at=None, error="five errors")
    assert await polls.resume_refunds(world.db) == 1
    assert (state(world), mails(world)[-1]) == (("failed", ["invoice"], 5_500), "mail.staff_refund_failed")
    with world.database.write_session() as session:
        ref = locks.ref_of(session, world.code)
        [paid] = by_staff.pay_failed_manually(session, ref, StaffRefund("command", "by cheque"), context())
        assert paid.failure == "Given up; look at the gateway before you pay it in another way. five errors"
    assert (await polls.resume_refunds(world.db), state(world)[:2]) == (0, ("manual", CREDITED))


async def test_one_that_was_given_up_and_that_the_gateway_had_made_is_accepted_after_all(world):
    await pay_and_refund(world)
    await world.standin.fault(REFUND, "hang")
    with pytest.raises(ServiceDown):
        await send(world, deadline_s=1.0)
    change_row(world, dead_at=datetime.now(UTC), next_at=None, error="no answer")
    await polls.resume_refunds(world.db)
    assert state(world) == ("failed", ["invoice"], 1_500)
    await world.retrieve()
    assert state(world) == ("succeeded", CREDITED, 1_500)


async def test_a_refund_in_a_currency_of_three_decimals_is_taken_by_the_gateway(world):
    """P2: a third of 10.000 Kuwaiti dinars."""
    session = await world.standin.paid(10_000, currency="kwd")
    share = share_of(SimpleNamespace(**THREE_BOOKS), 1, currency("KWD"))
    reference = Reference("shop-1", world.code, 1, 1)
    request = RefundRequest("key", reference, session.payment_intent.id, "KWD", share.amount_minor)
    refund = await world.gateway.create_refund(request)
    assert (refund.state, refund.amount_minor, refund.currency) == ("succeeded", 3_330, "KWD")
    with pytest.raises(GatewayRefused, match="third decimal"):
        await world.gateway.create_refund(replace(request, key="key-2", amount_minor=3_333))


THREE_BOOKS = {
    **{"quantity": 3, "total_minor": 10_000, "tax_minor": 0},
    **{"refunded_quantity": 0, "refunded_minor": 0, "refunded_tax_minor": 0},
}
