"""POST /api/orders/{code}/refunds and the plain form: only the learner's own form asks, and once."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import select

from domain.checkout.priced import RequestedItem
from domain.tables import Learner as Row
from domain.tables import Order, Refund
from host import content
from host.auth.form_keys import FORM_KEYS
from tests.domain.orders import selling
from tests.domain.orders.selling import Pricing
from tests.host.signing import Learner, learner

VAT, BOOK = "vat-basics", "tax-tables"


def buy(who: Learner) -> str:
    """The code of a paid order of a course and two books, with delivery of 5.00, paid now."""
    site, at = who.site, datetime.now(UTC)
    lines = (RequestedItem(site.id_of(VAT)), RequestedItem(site.id_of(BOOK), 2))
    with site.db.write_session() as session:
        session.get_one(Row, who.id).email = "ada@example.test"
        order = selling.buy(session, who.id, *lines, key=f"key-{at}", at=at, pricing=Pricing(delivery_minor=500))
        order.refund_terms = content.refund_terms()
        selling.pay(session, order, at=at)
        return order.code


def refunds(who: Learner) -> list[tuple[str, str]]:
    with who.site.db.read_session() as session:
        rows = session.scalars(select(Refund).order_by(Refund.id))
        return [(row.state, row.note) for row in rows]


async def form_of(who: Learner, code: str) -> dict[str, Any]:
    form: dict[str, Any] = (await who.get(f"orders/{code}"))[1]["refundForm"]
    return form


async def ask(who: Learner, code: str, key: str, *units: tuple[int, int], **about: Any) -> tuple[int, Any]:
    lines = [{"number": number, "quantity": quantity} for number, quantity in units]
    return await who.call(f"orders/{code}/refunds", key=key, lines=lines, **about)


@pytest.mark.each_database
async def test_the_form_offers_what_may_be_refunded_and_its_key_asks_once(each_site):
    ada = learner(each_site)
    code = buy(ada)
    form = await form_of(ada, code)
    course, book = form["lines"]
    assert (course["quantity"], book["quantity"], book["isGoods"]) == (1, 2, True)
    assert (form["delivery"], form["otherGoods"], form["automatic"]) == (500, 0, 50_000)
    for _ in range(2):
        status, outcome = await ask(ada, code, form["key"], (2, 2), note="torn")
        assert (status, outcome["status"]) == (200, "approved")
        assert outcome["message"].startswith("We refund $")
    assert refunds(ada) == [("approved", "torn")]
    assert outcome["order"]["refundForm"]["lines"][1]["refusal"] == "This was refunded."
    assert outcome["order"]["refunds"][0]["amount"] == book["amounts"][1] + 500


async def test_the_page_and_the_decision_have_the_settings_of_the_shop(open_site):
    ada = learner(await open_site(REFUND_AUTO_MAX="20.00", LOCALE="de-DE"))
    code = buy(ada)
    form = await form_of(ada, code)
    assert form["automatic"] == 2_000
    _, outcome = await ask(ada, code, form["key"], (1, 1))
    assert (outcome["status"], "for 100,00\N{NO-BREAK SPACE}$. We answer" in outcome["message"]) == ("requested", True)
    assert outcome["order"]["events"][-1]["text"] == "You asked for 100,00\N{NO-BREAK SPACE}$ back"


async def test_wrong_fields_are_named_and_nothing_is_refunded(own_site):
    ada = learner(own_site)
    code = buy(ada)
    key = (await form_of(ada, code))["key"]
    status, problem = await ask(ada, code, key, (1, 2), (7, 1))
    assert (status, set(problem["errors"])) == (422, {"line.1", "line.7"})
    for units in ((), ((1, 1), (1, 1))):
        status, problem = await ask(ada, code, key, *units)
        assert (status, list(problem["errors"])) == (422, ["lines"])
    assert (await ask(ada, code, key, (1, 1), confirm=["stolen"]))[0] == 422
    assert refunds(ada) == []


@pytest.mark.parametrize("purpose", ["payment", "cart", ""])
async def test_a_key_of_another_form_is_refused(own_site, purpose):
    ada = learner(own_site)
    code = buy(ada)
    key = own_site.app[FORM_KEYS].create(purpose, ada.id, datetime.now(UTC))
    assert (await ask(ada, code, key, (1, 1)))[0] == 409
    assert refunds(ada) == []


async def test_another_learner_is_told_what_an_unknown_code_is_told(own_site):
    ada, grace = learner(own_site), learner(own_site, "Grace Hopper")
    code, key = buy(ada), own_site.app[FORM_KEYS].create("refund", grace.id, datetime.now(UTC))
    answers = [await ask(grace, tried, key, (1, 1)) for tried in (code, "A" * 20)]
    assert answers[0] == answers[1]
    assert (answers[0][0], refunds(ada)) == (404, [])
    own_key = own_site.app[FORM_KEYS].create("refund", grace.id, datetime.now(UTC))
    assert (await ask(ada, code, own_key, (1, 1)))[0] == 409


async def test_an_order_that_is_not_paid_has_no_form(own_site):
    ada = learner(own_site)
    code = buy(ada)
    with own_site.db.write_session() as session:
        session.scalars(select(Order)).one().state = "refunded"
    assert await form_of(ada, code) is None
    key = own_site.app[FORM_KEYS].create("refund", ada.id, datetime.now(UTC))
    status, problem = await ask(ada, code, key, (1, 1))
    assert (status, problem["detail"]) == (403, "This order was refunded.")


async def test_requests_are_limited(open_site):
    ada = learner(await open_site(REFUNDS_PER_LEARNER_DAY="1"))
    code = buy(ada)
    key = (await form_of(ada, code))["key"]
    statuses = [(await ask(ada, code, key, (1, 1)))[0] for _ in range(2)]
    assert statuses == [200, 429]
