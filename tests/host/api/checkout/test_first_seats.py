"""The first seats of an organisation over HTTP: its form, the order, the gateway's page, and the contract once paid."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select

from domain.display_text import day_text
from domain.tables import Contract, Membership, Order, Payment, Seat
from domain.tables import Learner as LearnerRow
from host.checkout.paying import CannotPay, pay_again
from host.checkout.seats import page
from tests.host.api.checkout.shop import VAT
from tests.host.signing import Learner, learner
from tests.host.site import Site
from tests.host.test_area_matrix import sent_by
from tests.support import factories

ADDRESS = {
    "company_name": "Northwind",
    "street_address": "1 Main Street",
    "city": "Los Angeles",
    "country_area": "CA",
    "postal_code": "90001",
    "country": "US",
}


@pytest.fixture
def owner(selling_site) -> Learner:
    return new_owner(selling_site)


def new_owner(site: Site) -> Learner:
    """The owner of an organisation without a contract."""
    person = learner(site, "Olga Owner", area="organisation")
    with site.db.write_session() as session:
        session.get_one(LearnerRow, person.id).email = "olga@example.test"
        organisation = factories.organisation(session).id
        factories.member(session, person.id, organisation, role="owner")
    person.choose(organisation)
    return person


async def form_of(owner: Learner) -> dict[str, Any]:
    """What the form of the course would post, filled in."""
    answer = await owner.site.get(f"/data/organization/seats/buy?course={VAT}", **sent_by(owner))
    [action] = (await answer.json())["props"]["actions"]
    shown = {field["name"]: field["value"] for field in action["fields"]}
    return {**{name: value for name, value in shown.items() if value}, "billing": ADDRESS, "quantity": "2"}


def rows(owner: Learner, table: Any) -> list[Any]:
    with owner.site.db.read_session() as session:
        return list(session.scalars(select(table).order_by(table.id)))


@pytest.mark.each_database
async def test_the_first_seats_are_ordered_paid_and_given_with_a_contract_that_begins_then(owner, gateway):
    form = await form_of(owner)
    status, answer = await owner.call("organization/seats/buy-first", **form)
    assert status == 200, answer
    [order], [payment], [contract] = rows(owner, Order), rows(owner, Payment), rows(owner, Contract)
    assert answer == {"text": "The order is placed.", "href": payment.url}
    assert payment.url.startswith(f"{gateway.origin}/c/pay/")
    assert (order.total_minor, order.tax_minor, order.organisation_id) == (17280, 1280, contract.organisation_id)
    assert (contract.ends_at, contract.seats) == (contract.starts_at, 0)
    gateway.pay(payment.session_id)
    with owner.site.db.write_session() as session:
        session.get_one(Payment, payment.id).expires_at = payment.created_at
    with pytest.raises(CannotPay, match="paid already"):
        await pay_again(owner.site.app, owner.id, order.code)
    [contract] = rows(owner, Contract)
    assert ((contract.ends_at - contract.starts_at).days, contract.seats) == (365, 2)
    assert [seat.state for seat in rows(owner, Seat)] == ["free", "free"]


@pytest.mark.each_database
async def test_the_same_form_again_is_the_same_order(owner):
    form = await form_of(owner)
    answers = [await owner.call("organization/seats/buy-first", **form) for _press in range(2)]
    [order] = rows(owner, Order)
    assert [status for status, _ in answers] == [200, 200]
    assert (len(rows(owner, Contract)), order.state) == (1, "placed")


async def test_the_form_says_for_how_long_seats_open_their_course_after_the_contract(owner, monkeypatch):
    ends_at = datetime.now(UTC) + timedelta(days=40)
    about = {"seats": 1, "seat_kind": "course", "seat_price": Decimal(25), "is_self_service": True}
    with owner.site.db.write_session() as session:
        organisation = session.scalars(
            select(Membership.organisation_id).where(Membership.learner_id == owner.id)
        ).one()
        factories.contract(session, organisation, starts_at=ends_at - timedelta(days=90), ends_at=ends_at, **about)
    monkeypatch.setattr(page, "ACCESS_AFTER_END", timedelta(days=21))
    answer = await owner.site.get("/data/organization/seats/buy", **sent_by(owner))
    [action] = (await answer.json())["props"]["actions"]
    assert f"ends on {day_text(ends_at)}" in action["text"]
    assert "access by its seats ends 21 days later." in action["text"]
