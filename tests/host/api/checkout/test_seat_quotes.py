"""Quotes of an organisation over HTTP: asking, the file, accepting at the frozen price, and those of the staff."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select

from domain.tables import Learner as LearnerRow
from domain.tables import Order, Organisation, Payment, Product, SeatQuote
from tests.host.api.checkout.shop import VAT
from tests.host.api.checkout.test_first_seats import ADDRESS, new_owner, owner, rows
from tests.host.signing import Learner, learner
from tests.host.test_area_matrix import sent_by
from tests.support import factories

__all__ = ["owner"]

REQUEST = {"course": VAT, "quantity": "2", "billing": {**ADDRESS, "purchase_order": "PO-7"}}


async def ask_quote(person: Learner, **about: Any) -> SeatQuote:
    status, answer = await person.call("organization/quotes", **{**REQUEST, **about})
    assert status == 201, answer
    quote = rows(person, SeatQuote)[-1]
    assert answer == {
        "text": "The quote is made, and a mail is on its way.",
        "href": f"/organization/quotes/{quote.id}",
    }
    return quote


async def props_of(person: Learner, path: str) -> dict[str, Any]:
    answer = await person.site.get(f"/data{path}", **sent_by(person))
    return (await answer.json())["props"]


async def acceptance(person: Learner, quote: SeatQuote) -> dict[str, Any]:
    """What the form of a quote would post."""
    props = await props_of(person, f"/organization/quotes/{quote.id}")
    form = next(action for action in props["actions"] if action["id"] == "accept")
    return {field["name"]: field["value"] for field in form["fields"] if field["value"]}


def change(person: Learner, table: Any, key: Any, **values: Any) -> None:
    with person.site.db.write_session() as session:
        row = session.get_one(table, key)
        for name, value in values.items():
            setattr(row, name, value)


def course_id(person: Learner) -> int:
    with person.site.db.read_session() as session:
        return session.scalars(select(Product.id).where(Product.slug == VAT)).one()


def colleague(person: Learner, name: str, role: str) -> Learner:
    with person.site.db.read_session() as session:
        organisation = session.scalars(select(Organisation.id)).first()
    other = learner(person.site, name, area="organisation")
    with person.site.db.write_session() as session:
        session.get_one(LearnerRow, other.id).email = f"{role}-{other.id}@example.test"
        factories.member(session, other.id, organisation, role=role)
    other.choose(organisation)
    return other


async def test_a_quote_becomes_an_order_at_its_price_whatever_the_shop_charges_by_now(owner, gateway):
    quote = await ask_quote(owner)
    assert (quote.total_minor, quote.tax_minor, quote.purchase_order) == (17_280, 1_280, "PO-7")
    change(owner, Product, course_id(owner), list_price=Decimal("499.00"), sale_price=None)
    form = await acceptance(owner, quote)
    assert form["totalMinor"] == "17280"
    status, answer = await owner.call(f"organization/quotes/{quote.id}/accept", **form)
    [order], [payment] = rows(owner, Order), rows(owner, Payment)
    assert (status, answer) == (200, {"text": "The order is placed.", "href": payment.url})
    assert (order.total_minor, order.quote_number, order.purchase_order) == (17_280, quote.number, "PO-7")
    assert payment.amount_minor == 17_280
    again = await owner.call(f"organization/quotes/{quote.id}/accept", **form)
    assert (again[0], again[1]["href"], len(rows(owner, Order))) == (200, payment.url, 1)
    other = colleague(owner, "Otto Owner", "owner")
    status, answer = await other.call(f"organization/quotes/{quote.id}/accept", **form)
    assert (status, answer["detail"]) == (403, f"This quote was accepted already: its order is {order.code}.")
    facts = (await props_of(owner, f"/organization/quotes/{quote.id}"))["facts"]
    assert {"kind": "link", "text": order.code, "href": f"/order/{order.code}"} in [fact["cell"] for fact in facts]


async def test_an_expired_quote_is_refused_and_asked_for_again_with_the_same_fields(owner, gateway):
    quote = await ask_quote(owner)
    form = await acceptance(owner, quote)
    change(owner, SeatQuote, quote.id, valid_until=datetime.now(UTC) - timedelta(minutes=1))
    status, answer = await owner.call(f"organization/quotes/{quote.id}/accept", **form)
    assert (status, rows(owner, Order)) == (403, [])
    assert answer["detail"].endswith("Ask again: the form is filled in.")
    props = await props_of(owner, f"/organization/quotes/{quote.id}")
    assert (props["actions"], props["beside"]["href"]) == ([], f"/organization/quotes/new?again={quote.id}")
    [form] = (await props_of(owner, props["beside"]["href"]))["actions"]
    shown = {field["name"]: field["value"] for field in form["fields"]}
    assert (shown["course"], shown["quantity"], shown["billing.purchase_order"]) == (VAT, "2", "PO-7")
    assert {name: shown[f"billing.{name}"] for name in ADDRESS} == ADDRESS


async def test_another_total_is_said_on_the_page_before_anything_is_ordered(owner, gateway):
    quote = await ask_quote(owner)
    change(owner, SeatQuote, quote.id, total_minor=17_000)
    props = await props_of(owner, f"/organization/quotes/{quote.id}")
    [text] = props["texts"]
    assert (text["title"], "$172.80 instead of $170.00" in text["text"]) == ("Another total", True)
    form = {**await acceptance(owner, quote), "totalMinor": "17000"}
    status, answer = await owner.call(f"organization/quotes/{quote.id}/accept", **form)
    assert (status, answer["detail"].startswith("The total is $172.80 now, not $170.00")) == (403, True)


async def test_managers_read_quotes_and_owners_alone_ask_accept_and_withdraw(owner, gateway):
    quote = await ask_quote(owner)
    manager = colleague(owner, "Max Manager", "manager")
    listed = await props_of(manager, "/organization/quotes")
    assert [row["cells"][0]["text"] for row in listed["table"]["rows"]] == [quote.number]
    assert "links" not in listed
    props = await props_of(manager, f"/organization/quotes/{quote.id}")
    assert (props["actions"], props["beside"]) == ([], None)
    for call, body in (
        ("", REQUEST),
        (f"/{quote.id}/accept", {"totalMinor": "1", "terms": ""}),
        (f"/{quote.id}/withdraw", {}),
    ):
        assert (await manager.call(f"organization/quotes{call}", **body))[0] == 403
    assert (await owner.call(f"organization/quotes/{quote.id}/withdraw"))[0] == 200
    assert rows(owner, SeatQuote)[0].state == "withdrawn"


async def test_the_file_is_for_the_organisation_and_staff_and_nobody_can_tell_whether_it_exists(owner, gateway):
    site, quote = owner.site, await ask_quote(owner)
    path, unknown = f"/quote-documents/{quote.number}.pdf", "/quote-documents/Q2020-000099.pdf"
    answer = await site.get(path, **owner.headers)
    assert (answer.status, answer.content_type) == (200, "application/pdf")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{quote.number}.pdf"'
    content = await answer.read()
    assert content.startswith(b"%PDF-")
    staff = learner(site, "Stan Staff", area="admin", roles=("support",))
    assert await (await site.get(path, **staff.headers)).read() == content
    rival = learner(site, "Rosa Rival", area="organisation")
    with site.db.write_session() as session:
        other = factories.organisation(session, "rival", "Rival").id
        factories.member(session, rival.id, other, role="owner")
    rival.choose(other)
    editor, buyer = learner(site, "Eve Editor", area="admin", roles=("editor",)), learner(site, "Bea Buyer")
    expected = await (await site.get(unknown, **owner.headers)).text()
    for person in (rival, editor, buyer):
        refused = await site.get(path, **person.headers)
        assert (refused.status, (await refused.text()).replace(path, unknown)) == (404, expected)


async def test_staff_make_a_quote_at_an_agreed_price_and_withdraw_it(owner, gateway):
    finance = learner(owner.site, "Fay Finance", area="admin", roles=("finance",))
    body = {"organisation": "northwind", "course": VAT, "quantity": "50", "unitPrice": "61.50", "termDays": "730"}
    status, answer = await finance.call("admin/quotes", **body, billing=ADDRESS)
    assert status == 201, answer
    [quote] = rows(owner, SeatQuote)
    assert (answer["href"], quote.unit_minor, quote.quantity) == (f"/admin/quotes/{quote.id}", 6_150, 50)
    assert (quote.learner_id, quote.staff_id, quote.term_days) == (owner.id, finance.id, 730)
    [row] = (await props_of(finance, "/admin/quotes?state=open&organisation=northw"))["table"]["rows"]
    assert row["cells"][0]["text"] == quote.number
    for field, value in (("quantity", "x"), ("unitPrice", "0"), ("termDays", ""), ("course", "nothing")):
        status, answer = await finance.call("admin/quotes", **{**body, field: value}, billing=ADDRESS)
        assert (status, list(answer["errors"])) == (422, [field])
    support = learner(owner.site, "Sue Support", area="admin", roles=("support",))
    assert (await support.call(f"admin/quotes/{quote.id}/withdraw", reason=""))[0] == 403
    assert (await finance.call(f"admin/quotes/{quote.id}/withdraw", reason="Agreed anew"))[0] == 200
    props = await props_of(finance, f"/admin/quotes/{quote.id}")
    assert (props["actions"], props["facts"][0]["cell"]["text"]) == ([], "Withdrawn")
    page = await props_of(owner, f"/organization/quotes/{quote.id}")
    assert page["texts"][0]["text"] == "This quote was withdrawn. Ask for another one."


@pytest.mark.parametrize(
    ("about", "field"),
    [
        ({"quantity": "0"}, "quantity"),
        ({"course": "nothing"}, "course"),
        ({"billing": {**ADDRESS, "city": ""}}, "billing.city"),
    ],
)
async def test_a_wrong_field_is_named(owner, gateway, about, field):
    status, answer = await owner.call("organization/quotes", **{**REQUEST, **about})
    assert (status, list(answer["errors"])) == (422, [field])
    assert rows(owner, SeatQuote) == []


async def test_what_is_too_much_for_a_card_is_transferred_and_nothing_else_is_offered(open_checkout, gateway):
    bank = {"SHOP_BANK_ACCOUNT_HOLDER": "Meridian", "SHOP_BANK_DETAILS": "Routing number: 026073150"}
    owner = new_owner(await open_checkout(**bank))
    change(owner, Product, course_id(owner), list_price=Decimal("600000.00"), sale_price=None)
    quote = await ask_quote(owner)
    props = await props_of(owner, f"/organization/quotes/{quote.id}")
    form = next(action for action in props["actions"] if action["id"] == "accept")
    [payment] = [field for field in form["fields"] if field["name"] == "payment"]
    assert payment["value"] == "transfer"
    assert payment["options"] == [{"value": "transfer", "label": "By bank transfer"}]
    assert "It is more than a card can pay at once." in form["text"]
    status, _ = await owner.call(f"organization/quotes/{quote.id}/accept", **await acceptance(owner, quote))
    assert (status, rows(owner, Order)[0].state) == (200, "processing")
