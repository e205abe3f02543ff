"""A link to a guest's cart, with its coupon, and one that a program makes for a person."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from domain.cart.owners import RequestedLine
from domain.checkout import cart_links
from domain.checkout.cart_links import LinkedCart
from domain.tables import Product, ProgramLink
from host.app_keys import SETTINGS
from tests.host.signing import learner
from tests.support import factories

CHATGPT = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)"
BROWSER = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36"
}


async def test_a_link_carries_lines_and_coupon_for_a_day(own_site):
    vat, now = own_site.id_of("vat-basics"), datetime.now(UTC)
    lines = [{"id": vat, "quantity": 1}]
    with own_site.db.write_session() as session:
        coupon_id = factories.coupon(session, "SPRING").id
    priced = await own_site.answer("cart/coupon", {"code": "SPRING", "lines": lines}, method="PUT")
    guest = {"Cookie": f"__Host-guest={priced.cookies['__Host-guest'].value}"}
    status, answer = await own_site.call("cart/links", {"lines": [*lines, *lines]}, guest)
    address, _, secret = answer["url"].partition("?cartToken=")
    assert (status, address) == (200, f"{own_site.app[SETTINGS].site_origin}/cart")
    left = datetime.fromisoformat(answer["expiresAt"]) - now
    assert round(left.total_seconds() / 3600) == 24
    with own_site.db.read_session() as session:
        assert cart_links.read(session, secret, now) == LinkedCart((RequestedLine(vat, 1),), coupon_id)


def link_of(*lines):
    return {"lines": [{"id": id_, "quantity": quantity} for id_, quantity in lines]}


async def test_a_program_gets_a_link_with_the_prices_that_it_keeps(own_site):
    vat, book = own_site.id_of("vat-basics"), own_site.id_of("tax-tables")
    agent = {"User-Agent": "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0)"}
    status, answer = await own_site.call("cart/links", link_of((vat, 1), (book, 3)), agent)
    origin, secret = own_site.app[SETTINGS].site_origin, answer["url"].rpartition("=")[2]
    assert (status, answer) == (
        200,
        {
            "url": f"{origin}/cart?cartToken={secret}",
            "expiresAt": answer["expiresAt"],
            "promisedUntil": answer["expiresAt"],
            "currency": "USD",
            "lines": [
                {
                    "id": vat,
                    "name": "VAT basics",
                    "url": f"{origin}/course-details?course=vat-basics",
                    "quantity": 1,
                    "listPrice": 10000,
                    "salePrice": 8000,
                    "saleUntil": "2100-01-01T00:00:00Z",
                    "reason": "sale",
                    "price": 8000,
                    "total": 8000,
                },
                {
                    "id": book,
                    "name": "Tax tables",
                    "url": f"{origin}/shop-details/{book}",
                    "quantity": 3,
                    "listPrice": 1990,
                    "salePrice": None,
                    "saleUntil": None,
                    "reason": "list",
                    "price": 1990,
                    "total": 5970,
                },
            ],
            "total": 13970,
            "note": "Tax and delivery of goods are added at the checkout.",
        },
    )
    with own_site.db.read_session() as session:
        link = cart_links.read(session, secret, datetime.now(UTC))
    assert (link.coupon_id, link.agent, set(link.promised)) == (None, "ChatGPT-User", {vat, book})


async def test_what_cannot_be_bought_is_named_line_by_line_and_there_is_no_link(own_site):
    ids = [own_site.id_of(slug) for slug in ("vat-basics", "sold-out", "draft-course", "ended-course")]
    status, answer = await own_site.call("cart/links", link_of(*((id_, 1) for id_ in ids), (ids[0], 2)))
    assert (status, answer["errors"]) == (
        422,
        {
            "lines.1": "Sold Out is sold out.",
            "lines.2": "This is not in the shop. It may have been withdrawn.",
            "lines.3": "Ended Course is no longer sold.",
            "lines.4": cart_links.TWICE,
        },
    )
    assert "url" not in answer
    status, answer = await own_site.call("cart/links", link_of(*((10**9 + number, 1) for number in range(21))))
    assert (status, answer["errors"]) == (422, {"lines": cart_links.TOO_MANY})


async def test_a_program_makes_ten_links_a_minute_and_no_page_of_another_site_makes_one(own_site):
    wanted = link_of((own_site.id_of("vat-basics"), 1))
    statuses = [(await own_site.call("cart/links", wanted))[0] for _ in range(11)]
    assert statuses == [200] * 10 + [429]
    # Pages of the shop are limited as every call of a cart.
    ours = {"Origin": own_site.app[SETTINGS].site_origin}
    status, answer = await own_site.call("cart/links", wanted, ours)
    assert (status, answer["promisedUntil"], answer["lines"], answer["total"]) == (200, None, [], None)
    assert (await own_site.call("cart/links", wanted, {"Origin": "https://evil.example"}))[0] == 403


@pytest.mark.each_database
async def test_who_opens_the_link_sees_what_changed_and_pays_what_was_promised(each_site):
    vat, book = each_site.id_of("vat-basics"), each_site.id_of("tax-tables")
    _, link = await each_site.call("cart/links", link_of((vat, 1), (book, 2)))
    address = link["url"].removeprefix(each_site.app[SETTINGS].site_origin)
    with each_site.db.write_session() as session:
        session.get_one(Product, vat).sale_price = None
        session.get_one(Product, book).status = "retired"
    offered = (await each_site.data(address))["props"]["offered"]
    assert [(line["id"], line["listPrice"], line["total"]) for line in offered["lines"]] == [(vat, 10000, 8000)]
    [rose, gone] = offered["changes"]
    assert rose == "VAT basics costs $100.00 by now. This link keeps $80.00."
    assert gone == "Tax tables is no longer sold."
    assert offered["promise"].startswith("Whoever signs in and buys until ")
    ada = learner(each_site)
    sent = {"lines": [{"id": vat, "quantity": 1}], "cartToken": offered["token"]}
    _, merged = await ada.call("cart/merge", **sent)
    for cart in (merged["cart"], (await ada.get("cart"))[1]):
        [line] = cart["lines"]
        assert (line["total"], line["seenPrice"], cart["total"]) == (8000, 8000, 8000)
        assert line["promise"].startswith("Kept at this price until ")
    checkout = await each_site.document("/checkout", **ada.headers)
    assert "$80.00" in checkout.html


def opened(site):
    with site.db.read_session() as session:
        return [(row.agent, row.opened_at is not None) for row in session.scalars(select(ProgramLink))]


@pytest.mark.each_database
async def test_a_link_of_a_program_counts_as_opened_by_the_first_person_and_never_again(each_site):
    vat = each_site.id_of("vat-basics")
    _, link = await each_site.call("cart/links", link_of((vat, 1)), {"User-Agent": CHATGPT})
    address = link["url"].removeprefix(each_site.app[SETTINGS].site_origin)
    for headers in ({"User-Agent": CHATGPT}, {"User-Agent": "curl/8.5.0"}, {**BROWSER, "Sec-Purpose": "prefetch"}):
        await each_site.document(address, **headers)
        assert opened(each_site) == [("ChatGPT-User", False)]
    await each_site.document(address, **BROWSER)
    assert opened(each_site) == [("ChatGPT-User", True)]
    with each_site.db.read_session() as session:
        first = session.scalars(select(ProgramLink.opened_at)).all()
    await each_site.document(address, **BROWSER)
    with each_site.db.read_session() as session:
        assert session.scalars(select(ProgramLink.opened_at)).all() == first
    # A link from a page of the shop is no program's.
    ours = {"Origin": each_site.app[SETTINGS].site_origin}
    _, own = await each_site.call("cart/links", link_of((vat, 1)), ours)
    await each_site.document(own["url"].removeprefix(each_site.app[SETTINGS].site_origin), **BROWSER)
    assert len(opened(each_site)) == 1
