"""`python -m host dev order | order-state | ledger`: orders in one call, paid at the stand-in of the gateway."""

import json
import secrets
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from config.settings import Settings
from domain.orders.export.export import export
from domain.orders.export.period import Period
from domain.tables import Document, Order, Outbox, Payment, StoredShop
from host import content
from host.cli import dev, orders
from tests.domain.orders import selling
from tests.host.cli import running
from tests.support.servers import PaymentsServer, free_port


@pytest.fixture(scope="module")
def gateway():
    server = PaymentsServer()
    server.start()
    yield server
    server.close()


@pytest.fixture
def settings(sqlite_database, gateway, tmp_path) -> Settings:
    with sqlite_database.write_session() as session:
        selling.fill(session)
        # The gateway has the orders of every test here: each is of a shop of its own.
        session.add(StoredShop(id=1, uid=secrets.token_hex(8), currency="USD"))
    return Settings(
        var_dir=tmp_path,
        site_origin="http://localhost:8080",
        payments_api_base=gateway.origin,
        payments_page_origin=gateway.origin,
        payments_key=gateway.key,
        payments_deadline_ms=20_000,
    )


@pytest.fixture
def run(settings, capsys):
    """`run(word, …)` -> exit status, standard output, standard error."""

    def call(*words: str, command=dev, settings=settings) -> tuple[int, str, str]:
        status = running.run(command, settings, *words)
        output = capsys.readouterr()
        return status, output.out, output.err

    return call


def stored(database, column) -> list:
    with database.read_session() as session:
        return list(session.scalars(select(column).order_by(column.class_.id)))


def test_an_order_is_placed_and_paid(run, sqlite_database, gateway):
    before = len(gateway.money())
    status, shown, error = run("order", "Ada", "vat-basics", "the-voucher", "the-voucher")
    assert error == ""
    order = json.loads(shown)
    assert (status, order["state"], order["total"]) == (0, "paid", 22_000)
    assert run("order-state", order["code"].lower()) == (0, "paid\n", "")
    assert stored(sqlite_database, Document.kind) == ["invoice"]
    assert stored(sqlite_database, Outbox.kind) == ["mail.order_paid"]
    assert stored(sqlite_database, Order.refund_terms) == [content.refund_terms()]
    charges = json.loads(run("ledger")[1])["entries"][before:]
    assert [(entry["amount"], entry["currency"]) for entry in charges] == [(22_000, "usd")]


def test_its_documents_agree_with_the_money_and_its_prices_with_the_engine(run, sqlite_database):
    run("order", "grace", "vat-basics")
    with sqlite_database.read_session() as session:
        assert export(session, "tax", Period(), lambda _row: None).is_right
    assert run("explain", stored(sqlite_database, Order.code)[0], command=orders)[0] == 0


def test_the_gateway_agrees_with_what_was_just_sold_until_an_amount_differs(run, sqlite_database):
    code = json.loads(run("order", "grace", "vat-basics")[1])["code"]
    status, shown, _ = run("reconcile", command=orders)
    assert (status, shown.splitlines()[0].endswith(": nothing differs."), shown[0] > "0") == (0, True, True)
    with sqlite_database.write_session() as session:
        session.execute(update(Payment).values(amount_minor=Payment.amount_minor + 1))
    status, shown, _ = run("reconcile", "--dry-run", command=orders)
    assert (status, "another amount or currency" in shown, code in shown) == (1, True, True)


@pytest.mark.parametrize(
    ("card", "state"), [("4000000000000002", "placed"), ("DE89370400440532013000", "processing"), ("none", "placed")]
)
def test_an_order_may_also_be_declined_pending_or_unpaid(run, card, state):
    order = json.loads(run("order", "ada", "vat-basics", "--card", card)[1])
    assert order["state"] == state
    assert run("order-state", order["code"]) == (0, f"{state}\n", "")


def test_what_cannot_be_ordered_is_said(run, settings):
    assert run("order", "ada", "nothing-here")[0] == 1
    assert run("order", "ada", "the-book", "the-book", "the-book", "the-book", "the-book", "the-book")[0] == 1
    run("order", "ada", "vat-basics")
    again = run("order", "ada", "vat-basics")[2]
    assert (again.startswith("Nothing was ordered: You own "), "Failed(" in again) == (True, False)
    assert run("order-state", "NOBODY") == (1, "", "There is no order NOBODY.\n")
    nobody = replace(settings, payments_api_base=f"http://127.0.0.1:{free_port()}", payments_deadline_ms=2_000)
    status, _, error = run("order", "grace", "vat-basics", settings=nobody)
    assert (status, "is placed, but the payment gateway cannot be used" in error) == (1, True)
    assert run("ledger", settings=nobody)[0] == 1
