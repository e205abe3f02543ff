"""Calls of staff about parcels, voucher codes and unpaid orders, from the forms on the page of the order."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from domain.checkout.priced import RequestedItem
from domain.tables import Learner as Row
from domain.tables import Order, OrderLine, OrderParcel, Outbox, VoucherCode
from tests.domain.orders import selling
from tests.host.admin.test_staff import page
from tests.host.api.orders.test_refunds import BOOK, VAT, buy
from tests.host.signing import learner
from tests.host.staff_forms import body_of
from tests.host.test_area_matrix import sent_by
from tests.support import factories


@pytest.fixture
async def code(own_site):
    """The code of an order with one line of goods: two books."""
    return buy(learner(own_site))


@pytest.fixture
def support(own_site):
    return learner(own_site, "Sofia Support", area="admin", roles=["support"])


def buyer_of(site, name="Ada"):
    """Whose address gets the receipts."""
    person = learner(site, name)
    with site.db.write_session() as session:
        session.get_one(Row, person.id).email = f"{name.lower()}@example.test"
    return person


def form(props, form_id):
    return next(action for action in (*props["decisions"], *props["others"]) if action["id"] == form_id)


async def send(person, action, **changes):
    return await person.call(action["call"].lstrip("/"), **body_of(action, **changes))


async def send_units(person, action, units, **about):
    return await person.call(action["call"].lstrip("/"), units=units, **about)


async def send_all(person, action, **about):
    """What the browser sends of the form of a parcel as it is shown."""
    fields = [field for field in action["fields"] if field["name"].startswith("units.")]
    return await send_units(person, action, {field["name"][6:]: int(field["value"]) for field in fields}, **about)


def goods(site):
    with site.db.read_session() as session:
        rows = session.scalars(select(OrderLine).where(OrderLine.fulfilment == "shipped"))
        return [(row.shipped_at is not None, row.delivered_at is not None) for row in rows]


def parcels(site):
    with site.db.read_session() as session:
        rows = session.scalars(select(OrderParcel).order_by(OrderParcel.id))
        return [(row.carrier, row.tracking, row.delivered_at is not None) for row in rows]


def mails(site):
    with site.db.read_session() as session:
        return list(session.scalars(select(Outbox.kind).where(Outbox.kind == "mail.goods_shipped")))


async def test_a_parcel_is_packed_sent_corrected_and_arrives(own_site, code, support):
    path = f"/admin/orders/{code}"
    _, waiting = await page(support, "/admin/parcels?state=to_send")
    (row,) = waiting["table"]["rows"]
    assert (row["cells"][0]["href"], row["cells"][1]["text"], row["cells"][2]["value"]) == (path, "To pack", 2)
    packing = form((await page(support, path))[1], "send")
    assert [field["name"] for field in packing["fields"]] == ["units.2", "carrier", "tracking"]
    assert packing["fields"][0]["value"] == "2"
    assert await send_all(support, packing, carrier="Post", tracking="RR 12") == (
        200,
        {"text": "It is marked as sent, and a mail to the buyer is on its way.", "href": None},
    )
    assert (goods(own_site), mails(own_site)) == ([(True, False)], ["mail.goods_shipped"])
    assert parcels(own_site) == [("Post", "RR 12", False)]
    assert (await send_all(support, packing))[0] == 403
    _, order = await page(support, path)
    assert [action["id"] for action in (*order["decisions"], *order["others"])] == ["arrived", "correct-parcel"]
    correcting = form(order, "correct-parcel")
    assert [field["value"] for field in correcting["fields"]] == ["1", "Post", "RR 12"]
    assert (await send(support, correcting, tracking="RR 21"))[0] == 200
    assert (parcels(own_site), len(mails(own_site))) == ([("Post", "RR 21", False)], 1)
    assert (await send(support, form(order, "arrived")))[0] == 200
    assert (goods(own_site), parcels(own_site)) == ([(True, True)], [("Post", "RR 21", True)])
    assert (await page(support, path))[1]["others"] == []
    assert "Sent with Post" in str((await page(support, path))[1]["tables"])


async def test_the_carrier_of_the_last_parcel_is_filled_in(own_site, code, support):
    await support.call(f"admin/orders/{code}/parcels", carrier="Post")
    second = buy(learner(own_site, "Grace"))
    packing = form((await page(support, f"/admin/orders/{second}"))[1], "send")
    assert packing["fields"][1]["value"] == "Post"


async def test_of_several_lines_those_in_the_parcel_are_chosen(own_site, support):
    lines = (RequestedItem(own_site.id_of(BOOK)), RequestedItem(make_item(own_site)))
    buyer, at = buyer_of(own_site), datetime.now(UTC)
    with own_site.db.write_session() as session:
        order = selling.buy(session, buyer.id, *lines, at=at)
        selling.pay(session, order, at=at)
        code = order.code
    packing = form((await page(support, f"/admin/orders/{code}"))[1], "send")
    assert [(field["name"], field["value"]) for field in packing["fields"][:2]] == [("units.1", "1"), ("units.2", "1")]
    assert (await send_units(support, packing, {"1": 0, "2": 0}))[0] == 422
    assert (await send_units(support, packing, {"9": 1}))[0] == 403
    assert (await send_units(support, packing, {"2": 2}))[0] == 403
    assert [sent for sent, _ in goods(own_site)] == [False, False]
    assert (await send_units(support, packing, {"1": 0, "2": 1}))[0] == 200
    assert [sent for sent, _ in goods(own_site)] == [False, True]


async def test_a_line_goes_in_two_parcels_which_arrive_one_by_one(own_site, code, support):
    path = f"/admin/orders/{code}"
    packing = form((await page(support, path))[1], "send")
    assert (await send_units(support, packing, {"2": 1}, carrier="Post", tracking="RR 12"))[0] == 200
    _, listed = await page(support, "/admin/parcels?state=to_send")
    (row,) = listed["table"]["rows"]
    assert [row["cells"][place]["value"] for place in (2, 3)] == [1, 1]
    packing = form((await page(support, path))[1], "send")
    assert "units.2" not in [field["name"] for field in packing["fields"]]
    assert (await send_units(support, packing, {}, carrier="DHL"))[0] == 200
    _, order = await page(support, path)
    ids = ["arrived-1", "correct-parcel-1", "arrived-2", "correct-parcel-2"]
    assert [action["id"] for action in order["others"]] == ids
    assert "1 \N{MULTIPLICATION SIGN} Sent with Post, RR 12; 1 \N{MULTIPLICATION SIGN} Sent with DHL" in str(
        order["tables"]
    )
    assert (await send(support, form(order, "correct-parcel-2"), tracking="JD 1"))[0] == 200
    assert (await send(support, form(order, "arrived-1")))[0] == 200
    assert (await send(support, form(order, "arrived-1")))[0] == 403
    assert (goods(own_site), len(mails(own_site))) == ([(True, False)], 2)
    assert parcels(own_site) == [("Post", "RR 12", True), ("DHL", "JD 1", False)]
    buyer = learner(own_site)
    line = (await buyer.get(f"orders/{code}"))[1]["lines"][1]
    assert [(row["number"], row["quantity"], row["deliveredAt"] is None) for row in line["parcels"]] == [
        (1, 1, False),
        (2, 1, True),
    ]
    # Without script too.
    html = await (await own_site.get(f"/order/{code}", **sent_by(buyer))).text()
    assert "1 of 2: Delivered on" in html
    assert "with DHL, number JD 1." in html


def make_item(site):
    with site.db.write_session() as session:
        category = factories.category(session, "maps").id
        return factories.item(session, category, "map", detail={"fulfilment": "shipped"}).id


async def test_who_may_not_write_orders_has_no_forms_and_is_refused(own_site, code):
    marketer = learner(own_site, "Mo", area="admin", roles=["marketer"])
    editor = learner(own_site, "Ed", area="admin", roles=["editor"])
    for person in (marketer, editor):
        for call in ("parcels", "parcels/correct", "arrived", "cancel", "use-voucher"):
            assert (await person.call(f"admin/orders/{code}/{call}", reason="x", voucher="x"))[0] == 403
    assert goods(own_site) == [(False, False)]


async def test_an_unpaid_order_is_cancelled_with_a_reason(own_site, support):
    buyer = buyer_of(own_site)
    with own_site.db.write_session() as session:
        code = selling.buy(session, buyer.id, RequestedItem(own_site.id_of(VAT)), at=datetime.now(UTC)).code
    cancelling = form((await page(support, f"/admin/orders/{code}"))[1], "cancel")
    assert (await send(support, cancelling, reason=" "))[0] == 422
    assert (await send(support, cancelling, reason="Ordered twice"))[0] == 200
    assert (await send(support, cancelling, reason="Ordered twice"))[0] == 403
    with own_site.db.read_session() as session:
        assert session.scalars(select(Order.state)).one() == "cancelled"


async def test_a_voucher_code_is_found_and_marked_as_used_on_its_order_alone(own_site, code, support):
    buyer, at = buyer_of(own_site, "Grace"), datetime.now(UTC)
    with own_site.db.write_session() as session:
        category = factories.category(session, "exams").id
        exam = factories.item(session, category, "exam", item_kind="voucher", detail={"fulfilment": "code"}).id
        order = selling.buy(session, buyer.id, RequestedItem(exam), at=at)
        selling.pay(session, order, at=at)
        voucher, order_code = session.scalars(select(VoucherCode.code)).one(), order.code
    _, found = await page(support, f"/admin/search?q={voucher.lower()}")
    assert order_code in str(found)
    using = form((await page(support, f"/admin/orders/{order_code}"))[1], "use-voucher")
    assert (await send(support, using, voucher="NOTHING"))[0] == 404
    assert (await support.call(f"admin/orders/{code}/use-voucher", voucher=voucher))[0] == 403
    assert (await send(support, using, voucher=f" {voucher.lower()} "))[0] == 200
    assert (await send(support, using, voucher=voucher))[0] == 403
    with own_site.db.read_session() as session:
        assert session.scalars(select(VoucherCode.used_at)).one() is not None


async def test_the_page_names_other_orders_mails_and_what_the_gateway_calls_a_payment(own_site, code, support):
    _, props = await page(support, f"/admin/orders/{code}")
    tables = {table["id"]: table for table in props["tables"]}
    gateway = next(group for group in props["groups"] if group["id"] == "gateway")["facts"]
    assert [(fact["label"], fact["cell"]["text"]) for fact in gateway] == [("Payment 1", f"pi_{code}_1")]
    assert tables["others"]["rows"] == []
    assert [row[0]["text"] for row in tables["mails"]["rows"]] == ["Order paid"]
    assert tables["mails"]["rows"][0][0]["href"].startswith("/admin/mail/")
    buyer_id = next(fact for fact in props["groups"][0]["facts"] if fact["label"] == "Buyer")["cell"]["href"]
    with own_site.db.write_session() as session:
        learner_id = int(buyer_id.rpartition("/")[2])
        other = selling.buy(session, learner_id, RequestedItem(own_site.id_of(BOOK)), key="two", at=datetime.now(UTC))
        other_code = other.code
    _, props = await page(support, f"/admin/orders/{code}")
    others = next(table for table in props["tables"] if table["id"] == "others")
    assert [row[0]["href"] for row in others["rows"]] == [f"/admin/orders/{other_code}"]


async def test_payments_lead_to_the_dashboard_of_a_gateway_that_is_known(open_site):
    site = await open_site(PAYMENTS_API_BASE="https://api.stripe.com", PAYMENTS_KEY="sk_test_of_this_test")
    code = buy(learner(site))
    person = learner(site, "Sofia Support", area="admin", roles=["support"])
    _, props = await page(person, f"/admin/orders/{code}")
    (fact,) = next(group for group in props["groups"] if group["id"] == "gateway")["facts"]
    assert fact["cell"]["href"] == f"https://dashboard.stripe.com/test/payments/pi_{code}_1"
