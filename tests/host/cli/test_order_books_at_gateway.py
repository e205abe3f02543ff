"""`orders explain`, `reconcile` and `export` of orders whose money went ways of its own, against the gateway's ledger:
a partial dispute, one that is won on appeal, a debit that failed, a third of an order in Kuwaiti dinars."""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from sqlalchemy import select

from adapters.payments import opening, reconciling, settling
from adapters.payments.sync_calls import GatewayService
from adapters.payments.transactions import BlockingTransactions
from config.settings import Settings
from domain.checkout import placement
from domain.checkout import quote as checkout_quote
from domain.checkout.placement import OrderRequest, Placed, Seen
from domain.checkout.priced import RequestedItem
from domain.database.database import Database
from domain.orders import locks
from domain.orders.refunds import by_staff
from domain.orders.refunds.by_staff import StaffRefund
from domain.orders.settings import Context
from domain.payments import attempts
from domain.payments.attempts import PayingShop
from domain.tables import Order, Payment, StoredShop
from host.cli import orders
from host.cli.orders.gateway import payment_runner
from tests.domain.orders import selling, taxed
from tests.domain.orders.selling import World
from tests.support.servers import PaymentsServer
from tests.support.shops import SHOPS

SHOP_OF = {shop.currency.code: shop for shop in SHOPS}
CARD, FAILING_DEBIT = "4242424242424242", "DE78370400440532013004"


@dataclass
class Books:
    """An order at the gateway, and the commands about it."""

    database: Database
    server: PaymentsServer
    settings: Settings
    # Each test is another shop at the same gateway.
    shop: PayingShop
    order_id: int = 0

    def place(self, currency: str, items: Callable[[World], tuple[RequestedItem, ...]]) -> None:
        def price(session, request, at):
            return checkout_quote.price(session, request, SHOP_OF[currency], at)

        with self.database.write_session() as session:
            session.add(StoredShop(id=1, uid=self.shop.uid, currency=currency))
            world, at = taxed.fill(session), datetime.now(UTC)
            request = OrderRequest(world.learner, "key-1", Seen(), items(world), taxed.ADDRESS, delivery=taxed.ADDRESS)
            request = replace(request, seen=price(session, request, at).seen)
            placed = placement.place(session, request, price, Context(at, selling.SETTINGS))
            assert isinstance(placed, Placed), placed
            self.order_id = placed.order_id

    def order(self) -> Order:
        with self.database.read_session() as session:
            return session.get_one(Order, self.order_id)

    def payment(self, number: int = 1) -> Payment:
        with self.database.read_session() as session:
            ref = attempts.ref_of(session, self.order().code, number)
            return session.get_one(Payment, ref.id)

    def pay(self, card: str = CARD, number: int = 1) -> None:
        db, order = BlockingTransactions(self.database), self.order()
        service = GatewayService(self.settings.gateway_account)
        service.run(lambda gateway: opening.open_page(db, gateway, order.learner_id, order.id, self.shop))
        self.server.pay(self.payment(number).session_id, card)
        self.retrieve(number)

    def retrieve(self, number: int = 1) -> None:
        db = BlockingTransactions(self.database)
        with self.database.read_session() as session:
            ref = attempts.ref_of(session, self.order().code, number)
        service = GatewayService(self.settings.gateway_account)
        service.run(lambda gateway: settling.retrieve(db, gateway, ref, self.shop))

    def dispute(self, **about: object) -> str:
        made = self.server.call("/dev/disputes", about)
        self.retrieve()
        return str(made["id"])

    def refund(self, **units: int) -> None:
        refund = StaffRefund("command", "a reason", units={int(line[1:]): number for line, number in units.items()})
        with self.database.write_session() as session:
            context = Context(datetime.now(UTC), selling.SETTINGS)
            by_staff.refund_order(session, locks.ref_of(session, self.order().code), refund, context)
        assert payment_runner(self.database, self.settings).handle_rows() > 0

    def run(self, *words: str) -> int:
        parser = argparse.ArgumentParser()
        orders.add_arguments(parser)
        return orders.run(parser.parse_args(words), self.settings)

    def ledger_minor(self) -> int:
        """What the shop has of the order at the gateway, by its ledger; without fees, in our minor units."""
        with self.database.read_session() as session:
            intents = set(session.scalars(select(Payment.intent_id)))
        return sum(entry["amount"] for entry in self.server.money() if entry["payment_intent"] in intents)


@pytest.fixture(scope="module")
def server() -> Iterator[PaymentsServer]:
    server = PaymentsServer()
    server.start()
    yield server
    server.close()


@pytest.fixture
def books(sqlite_database, tmp_path, monkeypatch, server) -> Books:
    monkeypatch.setattr(reconciling, "SETTLED_AFTER", timedelta(minutes=-1))
    settings = Settings(
        var_dir=tmp_path,
        payments_api_base=server.origin,
        payments_page_origin=server.origin,
        payments_key=server.key,
    )
    return Books(sqlite_database, server, settings, PayingShop(uuid4().hex, "https://shop.example", selling.SETTINGS))


def require_agreement(books: Books, capsys, refunded_minor: int, state: str = "paid") -> None:
    """All three commands end with 0, and the order keeps what the gateway has."""
    order = books.order()
    assert (order.state, order.refunded_minor) == (state, refunded_minor)
    assert books.ledger_minor() == order.total_minor - refunded_minor
    ended = [books.run(*words) for words in (("explain", order.code), ("reconcile",), ("export", "payments"))]
    assert ended == [0, 0, 0], capsys.readouterr()


def test_after_a_dispute_that_is_lost_in_part_and_one_that_is_won_on_appeal(books, capsys):
    books.place("USD", lambda world: (RequestedItem(world.course), RequestedItem(world.book, 2)))
    books.pay()
    opened = books.dispute(charge=books.payment().charge_id, amount=2_000)
    require_agreement_while_open(books)
    books.dispute(dispute=opened, do="lose")
    require_agreement(books, capsys, 2_000)
    books.dispute(dispute=opened, do="appeal")
    books.dispute(dispute=opened, do="win")
    require_agreement(books, capsys, 0)


def require_agreement_while_open(books: Books) -> None:
    """The bank has the money, and nothing is booked until it decides."""
    assert (books.order().refunded_minor, books.ledger_minor()) == (0, books.order().total_minor - 2_000)
    assert (books.run("explain", books.order().code), books.run("reconcile")) == (0, 0)


def test_after_a_debit_that_failed_and_a_card_in_its_place(books, capsys):
    books.place("USD", lambda world: (RequestedItem(world.course),))
    books.pay(FAILING_DEBIT)
    assert (books.order().state, books.run("reconcile")) == ("processing", 0)
    books.server.call("/dev/advance", {"seconds": 200})
    books.retrieve()
    assert (books.order().state, books.run("reconcile"), books.ledger_minor()) == ("placed", 0, 0)
    books.pay(number=2)
    require_agreement(books, capsys, 0)


def test_after_the_refund_of_one_of_three_books_in_kuwaiti_dinars(books, capsys):
    books.place("KWD", lambda world: (RequestedItem(world.book, 3),))
    books.pay()
    books.refund(l1=1)
    refunded = books.order().refunded_minor
    assert refunded % 10 == 0
    require_agreement(books, capsys, refunded)
    books.refund(l1=2)
    require_agreement(books, capsys, books.order().total_minor, "refunded")


def test_what_was_decided_and_not_retrieved_is_a_difference(books, capsys):
    """The negative control."""
    books.place("USD", lambda world: (RequestedItem(world.course),))
    books.pay()
    opened = books.dispute(charge=books.payment().charge_id, amount=1_000)
    books.server.call("/dev/disputes", {"dispute": opened, "do": "lose"})
    assert books.run("reconcile") == 1
    assert "another amount or currency" in capsys.readouterr().out
