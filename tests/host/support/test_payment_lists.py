"""/admin/payments and /admin/payment-findings: attempts to pay, and what differs from the gateway's books."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import select, update

from domain.tables import Order, Payment, PaymentFinding
from tests.host.admin.test_staff import page
from tests.host.api.orders.test_refunds import buy
from tests.host.signing import learner

NOW = datetime.now(UTC)


@pytest.fixture
async def code(own_site):
    return buy(learner(own_site))


@pytest.fixture
def support(own_site):
    return learner(own_site, "Sofia Support", area="admin", roles=["support"])


def shown(props):
    return [[cell and cell.get("text", cell.get("minor")) for cell in row["cells"]] for row in props["table"]["rows"]]


async def test_payments_are_listed_by_state_with_their_order_and_failure(own_site, code, support):
    _, props = await page(
        support, "/admin/payments?state=paid&columns=order&columns=state&columns=buyer&columns=gateway"
    )
    assert shown(props) == [[code, "Paid", "Ada Lovelace", f"pi_{code}_1"]]
    assert shown((await page(support, "/admin/payments?state=failed"))[1]) == []
    with own_site.db.write_session() as session:
        session.execute(update(Payment).values(state="failed", failure="The account has too little money."))
    _, props = await page(support, "/admin/payments?state=failed&columns=order&columns=failure")
    assert shown(props) == [[code, "The account has too little money."]]


async def test_a_difference_to_the_gateway_waits_until_a_comparison_finds_that_it_agrees(own_site, code, support):
    with own_site.db.write_session() as session:
        order_id = session.scalars(select(Order.id).where(Order.code == code)).one()
        session.add(PaymentFinding(kind="amount", gateway_id="ch_1", order_id=order_id, detected_at=NOW))
        session.add(PaymentFinding(kind="orphan", gateway_id="ch_2", detected_at=NOW, resolved_at=NOW))
    _, home = await page(support, "/admin")
    (waiting,) = [entry for entry in home["waiting"] if "gateway" in entry["text"]]
    assert (waiting["count"], waiting["href"]) == (1, "/admin/payment-findings?state=open")
    _, props = await page(support, waiting["href"])
    (row,) = shown(props)
    assert row[:3] == ["ch_1 has another amount or currency at the gateway.", "Open", code]
    assert len((await page(support, "/admin/payment-findings"))[1]["table"]["rows"]) == 2


async def test_only_who_may_read_orders_sees_them(own_site):
    editor = learner(own_site, "Ed", area="admin", roles=["editor"])
    for path in ("/admin/payments", "/admin/payment-findings", "/admin/parcels"):
        assert (await page(editor, path))[0] == 403
