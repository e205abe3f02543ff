"""The refund form of an order's page without script: what is wrong is said at its field, and nothing typed is lost."""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import select, update

from domain.tables import Order, OrderLine, Refund
from host import content
from tests.host.checkout import orders
from tests.host.checkout.orders import browser
from tests.host.forms.test_order import post
from tests.host.signing import Learner, learner
from tests.support.factories import NOON

KEY = re.compile(r'name="do" value="refund"><input type="hidden" name="key" value="([^"]+)"')


@dataclass(frozen=True)
class Buyer:
    """Somebody with a paid order of a course and a book that was sent, in a browser without script."""

    learner: Learner
    code: str

    @property
    def headers(self) -> dict[str, str]:
        return browser(self.learner.site, self.learner)

    async def page(self) -> str:
        document = await self.learner.site.document(f"/order/{self.code}", **self.headers)
        return document.html.partition('id="no-script">')[2]

    async def send(self, **fields: Any) -> tuple[int, str, str]:
        """Status, address of the redirect, and body."""
        key = KEY.search(await self.page())
        sent = {"do": "refund", "key": key[1] if key else "", **fields}
        return await post(self.learner.site, f"/order/{self.code}", sent, self.headers)

    def refunds(self) -> list[tuple[str, str, int]]:
        with self.learner.site.db.read_session() as session:
            return [(row.state, row.note, row.amount_minor) for row in session.scalars(select(Refund))]


def buy(site: Any, name: str = "Ada Lovelace") -> Buyer:
    ada = learner(site, name)
    code = orders.place(ada, "vat-basics", "tax-tables")
    orders.pay(site, code)
    orders.change(site, code, refund_terms=content.refund_terms())
    with site.db.write_session() as session:
        session.execute(
            update(OrderLine)
            .where(OrderLine.fulfilment == "shipped")
            .values(shipped_at=NOON, shipped_quantity=OrderLine.quantity)
        )
    return Buyer(ada, code)


@pytest.fixture
def ada(own_site) -> Buyer:
    return buy(own_site)


async def test_a_line_is_refunded_by_the_form(ada):
    assert "How many of" not in await ada.page()
    status, address, _ = await ada.send(**{"line.1": "on", "note": "Not for me"})
    assert (status, address) == (303, f"/order/{ada.code}#refunds")
    assert ada.refunds() == [("approved", "Not for me", 10_000)]
    assert "This was refunded." in await ada.page()


async def test_what_is_wrong_is_said_at_its_field_and_what_was_typed_stays(ada):
    status, _, body = await ada.send(**{"line.2": "on", "note": "To <b>"})
    page = body.partition('id="no-script">')[2]
    assert (status, ada.refunds()) == (422, [])
    assert "Confirm that you return the goods." in page
    assert re.search(r'name="line.2" checked', page)
    assert "To &lt;b&gt;</textarea>" in page
    assert (await ada.send(**{"line.2": "on", "confirm.returned": "on"}))[0] == 303
    assert ada.refunds()[0][0] == "requested"


REFUSALS = {
    "nothing chosen": ({}, "Choose what you want to return."),
    "no number": ({"line.1": "on", "quantity.1": "many"}, "enter a quantity from 1 to 1."),
    "too many": ({"line.1": "on", "quantity.1": "2"}, "enter a quantity from 1 to 1."),
    "another form's key": ({"line.1": "on", "key": "x"}, "This page was open for more than a day"),
}


async def test_what_is_refused_changes_nothing(ada):
    for name, (fields, text) in REFUSALS.items():
        status, _, body = await ada.send(**fields)
        assert (status, text in body.partition('id="no-script">')[2]) == (422, True), name
    assert ada.refunds() == []


async def test_another_learners_order_is_not_there(ada, own_site):
    grace = buy(own_site, "Grace Hopper")
    key = KEY.search(await grace.page())[1]
    fields = {"do": "refund", "key": key, "line.1": "on"}
    assert (await post(own_site, f"/order/{ada.code}", fields, grace.headers))[0] == 404
    assert ada.refunds() == []


async def test_another_site_asks_for_nothing(ada, own_site):
    key = KEY.search(await ada.page())[1]
    fields = {"do": "refund", "key": key, "line.1": "on"}
    for origin in ("https://evil.example", "null", ""):
        assert (await post(own_site, f"/order/{ada.code}", fields, {**ada.headers, "Origin": origin}))[0] == 403
    assert ada.refunds() == []


async def test_too_many_requests_keep_what_was_typed(open_site):
    ada = buy(await open_site(REFUNDS_PER_LEARNER_DAY="1"))
    answers = [await ada.send(**{"line.1": "on", "line.2": "on", "note": "typed"}) for _ in range(2)]
    assert [status for status, _, _ in answers] == [422, 429]
    assert "typed</textarea>" in answers[1][2]


async def test_an_order_that_is_not_paid_has_no_form(ada, own_site):
    with own_site.db.write_session() as session:
        session.execute(update(Order).values(state="refunded"))
    assert KEY.search(await ada.page()) is None
