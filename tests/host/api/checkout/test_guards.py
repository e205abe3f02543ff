"""Negative controls: what a lying form and a stolen key would do without the guard that test_placing.py is about."""

from dataclasses import replace
from typing import Any

from sqlalchemy import select

from domain.checkout import quote
from domain.tables import Order, Payment
from host.auth.form_keys import FormKeys
from tests.host.api.checkout.conftest import buyer
from tests.host.api.checkout.shop import CALIFORNIA, VAT


async def test_if_the_total_of_the_body_counted_a_form_would_name_its_own_price(open_checkout, monkeypatch):
    site = await open_checkout()
    ada, price = buyer(site), quote.price
    await ada.learner.add(VAT)
    await ada.type(CALIFORNIA)
    lie = {**(await ada.show())["seen"], "total": 50}
    assert (await ada.order(CALIFORNIA, seen=lie))[1]["status"] == "changed"

    def of_body(session: Any, wanted: Any, *about: Any) -> Any:
        return replace(price(session, wanted, *about), total_minor=wanted.seen.total)

    monkeypatch.setattr(quote, "price", of_body)
    assert (await ada.order(CALIFORNIA, seen=lie))[1]["status"] == "success"
    with site.db.read_session() as session:
        amounts = session.execute(select(Order.total_minor, Payment.amount_minor).join(Payment)).all()
    assert amounts == [(50, 50)]


async def test_if_keys_were_not_bound_to_a_learner_anybodys_would_place_and_cancel_an_order(open_checkout, monkeypatch):
    site = await open_checkout()
    ada, bob = buyer(site), buyer(site, "Bob Noyce")
    await ada.learner.add(VAT)
    stolen = (await bob.show())["key"]
    assert (await ada.order(CALIFORNIA, key=stolen))[0] == 409
    monkeypatch.setattr(FormKeys, "learner_of", lambda *_: ada.learner.id)
    _, placed = await ada.order(CALIFORNIA, key=stolen)
    assert placed["status"] == "success"
    assert (await ada.learner.call(f"orders/{placed['code']}/cancel", key=stolen))[1]["status"] == "success"
