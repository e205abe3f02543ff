"""GET /api/orders and GET /api/orders/{code}: a learner's own orders, and nothing of anybody else's."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from domain.documents import invoices
from domain.documents.issuer import Issuer
from domain.learning import grants
from domain.learning.grants import GrantSource
from domain.tables import OrderLine
from host.auth.form_keys import FORM_KEYS
from tests.host.signing import learner
from tests.support import order_rows
from tests.support.factories import NOON

CODE = "BADECUFIGOHAKELIMONU"
UNKNOWN = "There is no such order in your account."


def place(site, learner_id: int, code: str = CODE, **about) -> None:
    """A paid order of the course "VAT basics"."""
    with site.db.write_session() as session:
        order = order_rows.order(
            session, learner_id, code, **{"total_minor": 10_000, "subtotal_minor": 10_000, **about}
        )
        order_rows.order_line(session, order.id, product_id=site.id_of("vat-basics"), name="VAT basics")
        if order.state == "paid":
            invoices.issue(session, order, NOON, Issuer("Meridian Learning", prefix="ML-"))


async def test_an_order_is_shown_with_addresses_of_its_pages_and_a_key_to_pay(each_site):
    ada = learner(each_site)
    place(each_site, ada.id)
    status, order = await ada.get(f"orders/{CODE.lower()}")
    assert (status, order["code"], order["state"], order["stateText"]) == (200, CODE, "paid", "Paid")
    (line,) = order["lines"]
    assert (line["name"], line["href"], line["total"]) == ("VAT basics", "/course-details?course=vat-basics", 10_000)
    assert order["billing"] == ["Ada Lovelace", "12 St James's Square", "LONDON", "UNITED KINGDOM"]
    (document,) = order["documents"]
    assert document["href"] == f"/documents/{CODE}/{document['number']}.pdf"
    assert (order["placedAt"], order["currency"], order["totals"]["total"]) == ("2026-03-01T12:00:00Z", "USD", 10_000)
    keys = each_site.app[FORM_KEYS]
    assert keys.learner_of("payment", order["paymentKey"], datetime.now(UTC)) == ada.id


async def test_no_number_of_a_row_is_in_an_order(own_site):
    ada = learner(own_site)
    place(own_site, ada.id)
    _, order = await ada.get(f"orders/{CODE}")
    # A product's id is public: the browser's cart has it.
    public = ("vatId", "productId")
    assert not [name for name in names_in(order) if name.casefold().endswith("id") and name not in public]


def names_in(value: object) -> set[str]:
    if isinstance(value, list):
        return {name for item in value for name in names_in(item)}
    return (
        set(value) | {name for item in value.values() for name in names_in(item)} if isinstance(value, dict) else set()
    )


@pytest.mark.each_database
async def test_orders_are_listed_a_page_at_a_time(each_site):
    ada = learner(each_site)
    place(each_site, ada.id)
    place(each_site, learner(each_site, "Grace Hopper").id, "A" * 20)
    status, first = await ada.get("orders")
    assert status == 200
    assert first == {
        "orders": [
            {
                "code": CODE,
                "placedAt": "2026-03-01T12:00:00Z",
                "state": "paid",
                "stateText": "Paid",
                "total": 10_000,
                "currency": "USD",
                "names": ["VAT basics"],
            }
        ],
        "page": 1,
        "pages": 1,
    }
    assert (await ada.get("orders?page=2"))[1] == {"orders": [], "page": 2, "pages": 1}
    assert [(await ada.get(f"orders?page={page}"))[0] for page in ("0", "x", "1.5")] == [422] * 3


@pytest.mark.parametrize("name", ["orders/{}", "orders/{}/status"])
@pytest.mark.each_database
async def test_codes_that_are_unknown_foreign_or_malformed_get_the_same_bytes(each_site, name):
    place(each_site, learner(each_site).id)
    eve = learner(each_site, "Eve")
    answers = []
    for code in ("A" * 20, CODE, CODE.lower(), "x", "-_" * 64):
        answer = await each_site.answer(name.format(code), None, eve.headers, "GET")
        answers.append((answer.status, await answer.read(), {key for key in answer.headers if key != "Date"}))
    assert {status for status, _, _ in answers} == {404}
    assert len({body for _, body, _ in answers}) == len({frozenset(head) for _, _, head in answers}) == 1
    assert UNKNOWN in answers[0][1].decode()


@pytest.mark.parametrize("name", ["orders", "orders/{}", "orders/{}/status"])
async def test_half_a_sign_in_reads_nothing_whether_the_order_exists_or_not(own_site, name):
    ada, eve = learner(own_site), learner(own_site, "Eve")
    place(own_site, ada.id)
    for headers in ({}, ada.bearer, ada.cookie, {**eve.bearer, **ada.cookie}):
        bodies = set()
        for code in (CODE, "A" * 20):
            answer = await own_site.answer(name.format(code), None, headers, "GET")
            assert answer.status == 401
            bodies.add(await answer.read())
        assert len(bodies) == 1


async def test_a_course_that_the_line_opened_is_linked_where_it_is_studied(each_site):
    ada = learner(each_site)
    place(each_site, ada.id)
    with each_site.db.write_session() as session:
        line = session.scalars(select(OrderLine.id)).one()
        grants.grant(session, ada.id, [each_site.id_of("vat-basics")], GrantSource("order", line), NOON)
    _, order = await ada.get(f"orders/{CODE}")
    assert order["lines"][0]["learn"] == [
        {"name": "VAT basics", "href": "/user-dashboard?course=vat-basics&lesson=next"}
    ]
