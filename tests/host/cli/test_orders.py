"""`python -m host orders refund | ship | arrived | voucher-used`."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from config.settings import Settings
from domain.audit.recording import EVENTS
from domain.checkout.priced import RequestedItem
from domain.tables import Order, Refund, VoucherCode
from host.cli import orders
from tests.domain.orders import selling
from tests.domain.orders.refunds import buying
from tests.host.cli import running

NOW = datetime.now(UTC)


@pytest.fixture
def shop(sqlite_database):
    """A paid order of a course, three books, a voucher, and delivery."""
    with sqlite_database.write_session() as session:
        world = selling.fill(session)
        lines = (RequestedItem(world.course), RequestedItem(world.book, 3), RequestedItem(world.voucher))
        buying.paid(session, world, *lines, at=NOW - timedelta(hours=1))
    return sqlite_database


@pytest.fixture
def run(shop, tmp_path, capsys):
    """`run(words…)` -> exit status, standard output, standard error. CODE stands for the order's code."""
    with shop.read_session() as session:
        code = session.scalars(select(Order.code)).one()

    def call(*words: str) -> tuple[int, str, str]:
        called = [code if word == "CODE" else word for word in words]
        status = running.run(orders, Settings(var_dir=tmp_path), *called)
        output = capsys.readouterr()
        return status, output.out, output.err

    return call


def stored(shop) -> list[tuple[str, int, bool, bool, str]]:
    with shop.read_session() as session:
        rows = session.scalars(select(Refund).order_by(Refund.id))
        return [(row.state, row.amount_minor, row.keeps_access, row.restocks, row.note) for row in rows]


def test_a_refund_of_units_and_then_of_everything(run, shop):
    assert run("refund", "CODE", "--line", "2:1", "--restock", "--reason", "torn") == (
        0,
        "Refund 1 of USD 15.00 is approved; the gateway is told within seconds.\n",
        "",
    )
    assert run("refund", "CODE", "--line", "1", "--amount", "1.50", "--reason", "late")[0] == 0
    assert run("refund", "CODE", "--manual", "--reason", "all")[:2] == (
        0,
        "Refund 3 of USD 163.50 is recorded as paid back outside the gateway.\n",
    )
    assert stored(shop) == [
        ("approved", 1500, False, True, "torn"),
        ("approved", 150, True, False, "late"),
        ("manual", 16350, False, False, "all"),
    ]
    assert events(shop) == [("command", "order.refund", reason) for reason in ("torn", "late", "all")]


def events(shop) -> list[tuple[str, str, str]]:
    columns = (EVENTS.c.area, EVENTS.c.action, EVENTS.c.reason)
    with shop.read_session() as session:
        return [tuple(row) for row in session.execute(select(*columns).order_by(EVENTS.c.number))]


def test_a_request_is_declined_or_approved(run, shop):
    assert run("ship", "CODE") == (0, "Sent: 3 x The Book\n", "")
    with shop.write_session() as session:
        order = session.scalars(select(Order)).one()
        buying.ask(session, order, {2: 1}, NOW, key="one")
        buying.ask(session, order, {2: 2}, NOW, key="two")
    assert run("refund", "CODE", "--request", "1", "--decline", "--reason", "no")[1] == (
        "Refund 1 of USD 15.00 is declined.\n"
    )
    assert run("refund", "CODE", "--request", "2", "--reason", "yes", "--restock")[1].startswith(
        "Refund 2 of USD 30.00 is approved"
    )
    assert [row[0] for row in stored(shop)] == ["declined", "approved"]
    assert [action for _, action, _ in events(shop)] == ["order.ship", "order.decline_refund", "order.approve_refund"]


def test_a_failed_refund_is_recorded_as_paid_by_hand(run, shop):
    with shop.write_session() as session:
        order = session.scalars(select(Order)).one()
        buying.by_command(session, order, units={1: None})
        buying.answer(session, order, "succeeded", "failed")
    assert run("refund", "CODE", "--manual", "--reason", "by cheque")[1] == (
        "Refund 1 of USD 40.00 is recorded as paid back outside the gateway.\n"
    )
    assert stored(shop) == [("manual", 4000, False, False, "a reason\nby cheque")]


def test_goods_are_delivered_and_a_voucher_is_used(run, shop):
    assert run("arrived", "CODE") == (1, "", "Nothing of this order is on its way.\n")
    run("ship", "CODE")
    assert run("arrived", "CODE") == (0, "Delivered: 3 x The Book\n", "")
    with shop.read_session() as session:
        code = session.scalars(select(VoucherCode.code)).one()
    assert run("voucher-used", code) == (0, "The voucher is used.\n", "")
    assert run("voucher-used", code) == (1, "", "This voucher was used already.\n")
    assert [action for _, action, _ in events(shop)] == ["order.ship", "order.deliver", "order.use_voucher"]


REFUSALS = {
    "an unknown order": (("refund", "NONE", "--reason", "x"), 1, "There is no order NONE."),
    "too much": (("refund", "CODE", "--line", "2:9", "--reason", "x"), 1, "Line 2 has 3 of 3 left to refund."),
    "an unknown request": (("refund", "CODE", "--request", "4", "--reason", "x"), 1, "The order has no refund 4."),
    "a part of a request without its units": (
        ("refund", "CODE", "--request", "1", "--line", "1", "--reason", "x"),
        2,
        "A part of a request is --line N:QTY, without --amount.",
    ),
    "a part that is declined": (
        ("refund", "CODE", "--request", "1", "--decline", "--line", "1:1", "--reason", "x"),
        2,
        "--decline declines all that was asked for",
    ),
    "declining nothing": (("refund", "CODE", "--decline", "--reason", "x"), 2, "--decline needs --request"),
    "an unknown voucher": (("voucher-used", "NONE"), 1, "There is no voucher NONE."),
}


@pytest.mark.parametrize(("words", "status", "text"), REFUSALS.values(), ids=REFUSALS)
def test_what_is_refused_changes_nothing(run, shop, words, status, text):
    result = run(*words)
    assert (result[:2], text in result[2], stored(shop)) == ((status, ""), True, [])


def test_a_refund_needs_a_reason(run, capsys):
    with pytest.raises(SystemExit):
        run("refund", "CODE")
    assert "--reason" in capsys.readouterr().err
