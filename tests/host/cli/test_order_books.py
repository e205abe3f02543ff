"""`python -m host orders list | show | explain | cancel | reconcile | export`."""

import csv
import io
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select, update

from config.settings import Settings
from domain.checkout.priced import RequestedItem
from domain.database.database import Database
from domain.tables import Document, Order, OrderLine, Payment, PaymentFinding, StoredShop
from host.cli import orders
from host.cli.csv_output import cell_text
from tests.domain.orders import taxed
from tests.host.cli import running
from tests.host.cli.running import cells
from tests.support import factories
from tests.support.servers import PaymentsServer, free_port


@pytest.fixture
def settings(sqlite_database, tmp_path, monkeypatch) -> Settings:
    """A course that is paid, and a book that is placed by somebody else."""
    monkeypatch.setenv("COLUMNS", "250")
    with sqlite_database.write_session() as session:
        world = taxed.fill(session)
        taxed.buy(session, world.learner, RequestedItem(world.course))
        grace = factories.learner(session, "Grace Hopper")
        taxed.place(session, grace.id, RequestedItem(world.book, 2), at=datetime.now(UTC) - timedelta(minutes=5))
    return Settings(var_dir=tmp_path)


@pytest.fixture
def codes(settings, sqlite_database) -> list[str]:
    """The codes of the paid order and of the placed one."""
    with sqlite_database.read_session() as session:
        return list(session.scalars(select(Order.code).order_by(Order.id)))


def change(database: Database, table, **values) -> None:
    with database.write_session() as session:
        session.execute(update(table).values(**values))


def run(settings, *words) -> int:
    return running.run(orders, settings, *words)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), [1, 0]),
        (("--state", "paid"), [0]),
        (("--email", "Grace-Hopper@example.test"), [1]),
        (("--since", "1h"), [1]),
        (("--limit", "1"), [1]),
        (("--state", "refunded"), []),
    ],
)
def test_the_newest_orders_are_listed(settings, codes, capsys, words, expected):
    assert run(settings, "list", *words) == 0
    assert [row[0] for row in cells(capsys.readouterr().out)] == [codes[number] for number in expected]


def test_an_order_is_shown_with_everything_that_belongs_to_it(settings, codes, capsys):
    assert run(settings, "show", codes[0].lower()) == 0
    shown = capsys.readouterr().out
    for text in ("paid", "Total: USD 47.60", "Of it tax: USD 7.60, standard, DE", "Visa 4242", "2026-000001", "settle"):
        assert text in shown


def test_an_unknown_order_is_refused(settings, capsys):
    for action in ("show", "explain", "cancel"):
        assert run(settings, action, "NOBODY") == 1
        assert capsys.readouterr().err == "There is no order NOBODY.\n"


def test_orders_are_explained_step_by_step(settings, codes, capsys):
    assert run(settings, "explain", *codes) == 0
    shown = capsys.readouterr().out
    assert ["", "", "tax VAT", "7.60", "47.60", ""] in cells(shown)
    assert f"Order {codes[0]}, paid: exclusive prices in USD, taxed in DE.\n" in shown
    assert "Equal: engine 2, 1 lines, 2026-000001.\n" in shown
    assert "Equal: engine 2, 2 lines, no documents.\n" in shown


def test_a_difference_is_named_and_ends_with_1(settings, codes, sqlite_database, capsys):
    change(sqlite_database, OrderLine, list_minor=1)
    assert run(settings, "explain", codes[0]) == 1
    assert "Different: line 1, list_minor: stored 1, computed 4000\n" in capsys.readouterr().out


def test_a_placed_order_is_cancelled_and_its_pieces_are_free(settings, codes, sqlite_database, capsys):
    assert run(settings, "cancel", codes[1]) == 0
    assert capsys.readouterr().out == f"Order {codes[1]} is cancelled.\n"
    with sqlite_database.read_session() as session:
        assert list(session.scalars(select(Order.state).order_by(Order.id))) == ["paid", "cancelled"]
        assert list(session.scalars(select(factories.ShopItem.stock).where(factories.ShopItem.stock > 0))) == [5]


def test_a_paid_order_is_not_cancelled(settings, codes, capsys):
    assert run(settings, "cancel", codes[0]) == 1
    assert capsys.readouterr().err == f"Order {codes[0]} is paid: refund it instead.\n"


def exported(text: str) -> list[dict[str, str]]:
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text[1:], newline="")))


def test_an_export_is_csv_and_says_that_documents_and_money_agree(settings, codes, capsys):
    assert run(settings, "export", "documents", "--from", "2026-03-01", "--to", "2026-03-01") == 0
    output = capsys.readouterr()
    (row,) = exported(output.out)
    assert (row["order"], row["net"], row["tax"], row["total"]) == (codes[0], "40.00", "7.60", "47.60")
    assert output.err == "USD: documents 47.60 = charges 47.60 - refunds 0.00 + under way 0.00\n"


@pytest.mark.parametrize("kind", ["documents", "payments", "tax"])
def test_an_export_ends_with_1_when_documents_and_money_differ(settings, codes, sqlite_database, capsys, kind):
    change(sqlite_database, Payment, amount_minor=4000)
    assert run(settings, "export", kind) == 1
    assert capsys.readouterr().err.splitlines() == [
        "USD: documents 47.60 differ by 7.60 from charges 40.00 - refunds 0.00 + under way 0.00",
        "2026-000001: 4760 USD in minor units, but 4000 were moved",
    ]


def test_text_that_a_spreadsheet_would_run_is_quoted_and_numbers_are_not(settings, sqlite_database, capsys):
    change(sqlite_database, OrderLine, name='=HYPERLINK("https://evil.example")')
    with sqlite_database.write_session() as session:
        document = session.scalars(select(Document)).one()
        lines = [{**line, "name": '=HYPERLINK("https://evil.example")'} for line in document.body["lines"]]
        document.body = {**document.body, "lines": lines}
    assert run(settings, "export", "documents") == 0
    assert exported(capsys.readouterr().out)[0]["name"] == '\'=HYPERLINK("https://evil.example")'


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        *(("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@A1", "'@A1"), ("\t=1", "'\t=1"), ("\r=1", "'\r=1")),
        *((-1, "-1"), (Decimal("-0.50"), "-0.50"), ("a=1", "a=1"), ("", "")),
    ],
)
def test_cells(cell, text):
    assert cell_text(cell) == text


@pytest.fixture(scope="module")
def gateway():
    server = PaymentsServer()
    server.start()
    yield server
    server.close()


@pytest.fixture
def paying(settings, sqlite_database, gateway) -> Settings:
    with sqlite_database.write_session() as session:
        session.add(StoredShop(id=1, uid="shop-1", currency="USD"))
    return replace(settings, payments_api_base=gateway.origin, payments_key=gateway.key)


def findings(database) -> list[str]:
    with database.read_session() as session:
        return list(session.scalars(select(PaymentFinding.kind)))


@pytest.mark.parametrize("is_dry", [True, False])
def test_a_payment_that_the_gateway_does_not_have_is_found(paying, codes, sqlite_database, capsys, is_dry):
    change(sqlite_database, Payment, paid_at=datetime.now(UTC) - timedelta(hours=2))
    assert run(paying, "reconcile", "--since", "1d", *(["--dry-run"] if is_dry else [])) == 1
    output = capsys.readouterr().out
    assert cells(output)[0] == ["missing_there", "we have it, the gateway does not", f"ch_{codes[0]}_1", codes[0]]
    assert output.splitlines()[-2] == "0 transactions compared: 1 differ."
    assert findings(sqlite_database) == ([] if is_dry else ["missing_there"])


def test_nothing_differs_where_nothing_was_paid_lately_and_all_else_was_found(paying, sqlite_database, capsys):
    change(sqlite_database, Payment, reconciled_at=datetime.now(UTC))
    before = datetime.now(UTC).replace(microsecond=0) - timedelta(minutes=30)
    assert run(paying, "reconcile") == 0
    compared, until = capsys.readouterr().out.splitlines()
    assert compared == "0 transactions compared: nothing differs."
    words = re.fullmatch("Compared until (.{19}) UTC: what is younger counts where both sides have it.", until)
    assert words
    assert before <= datetime.fromisoformat(f"{words[1]}+00:00") <= before + timedelta(minutes=2)


def test_a_gateway_that_does_not_answer_is_said_and_no_difference(paying, capsys):
    nobody = replace(paying, payments_api_base=f"http://127.0.0.1:{free_port()}", payments_deadline_ms=2_000)
    assert run(nobody, "reconcile") == 2
    where = nobody.payments_api_base
    told = f"The payment gateway cannot be asked at {where}: list_transactions: no answer (APIConnectionError).\n"
    assert capsys.readouterr().err == told
