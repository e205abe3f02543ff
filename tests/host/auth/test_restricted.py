"""A restricted visitor sees only the contract's products on every page, and no other visitor gets these pages."""

import json
import re

import pytest

from domain.publishing.categories import put_instructor
from tests.host.partners import APART, HIDDEN, SEEN, restricted, through_a_doorway
from tests.host.signing import learner

SURFACES = [
    "/",
    "/shop",
    "/shop?kind=course&sort=newest",
    "/search?q=course",
    f"/course-details?course={SEEN}",
    "/nowhere",
]


@pytest.mark.parametrize("path", SURFACES)
@pytest.mark.parametrize("prefix", ["", "/data"])
async def test_no_page_shows_anything_outside_the_contract(partner_site, path, prefix):
    site = await partner_site()
    ada = restricted(site)
    everyones_answer = await (await site.get(prefix + path)).text()
    answer = await site.get(prefix + path, Cookie=ada.cookie["Cookie"])
    text = await answer.text()
    hidden = [name for name in ("Course 0", "course-0", "Privacy", "Tax tables", "script-course") if name in text]
    assert hidden == []
    assert "VAT basics" in text or path == "/search?q=course"
    assert prefix or (answer.headers["Cache-Control"], answer.headers["Vary"]) == APART or answer.status == 404
    assert await (await site.get(prefix + path)).text() == everyones_answer


def state_of(text):
    """The JSON that the document's script reads."""
    return json.loads(re.search(r'<script type="application/json"[^>]*>(\{"page".*?)</script>', text)[1])


@pytest.mark.parametrize("path", ["/", "/shop", "/nowhere", f"/course-details?course={HIDDEN}"])
async def test_a_page_says_whose_courses_one_sees_and_leads_to_no_empty_category(partner_site, path):
    site = await partner_site()
    everyones = state_of(await (await site.get(path)).text())["site"]
    assert ("scope" in everyones, len(everyones["categories"])) == (False, 3)
    jar = await through_a_doorway(site)
    for cookie in (restricted(site).cookie["Cookie"], jar):
        own = state_of(await (await site.get(path, Cookie=cookie)).text())["site"]
        assert own["scope"] == {"text": "You see the one course of Northwind.", "logo": "/files/northwind.png"}
        assert [category["name"] for category in own["categories"]] == ["Tax"]


async def test_the_home_page_counts_what_one_sees(partner_site):
    site = await partner_site()
    with site.db.write_session() as session:
        put_instructor(session, "grace", "Grace Hopper")
    shown = []
    for cookie in ("", restricted(site).cookie["Cookie"]):
        props = (await (await site.get("/data/", Cookie=cookie)).json())["props"]
        shown.append((props["stats"]["courses"], props["stats"]["instructors"], len(props["categories"])))
    assert shown == [(30, 2, 3), (1, 1, 1)]


async def test_hidden_products_are_not_found(partner_site):
    site = await partner_site()
    cookie = restricted(site).cookie["Cookie"]
    for path in (f"/course-details?course={HIDDEN}", f"/shop-details/{site.id_of('tax-tables')}"):
        assert (await site.get(path)).status == 200
        assert (await site.get(path, Cookie=cookie)).status == 404
    assert (await site.get(f"/course-details?id={site.id_of(HIDDEN)}", Cookie=cookie)).status == 404


async def test_suggestions_name_nothing_hidden(partner_site):
    site = await partner_site()
    cookie = restricted(site).cookie
    everyones_answer = await site.answer("search/suggest?q=co", None, None, "GET")
    members_answer = await site.answer("search/suggest?q=co", None, cookie, "GET")
    assert (await everyones_answer.json())["suggestions"] != []
    assert ((await members_answer.json())["suggestions"], members_answer.headers["Cache-Control"]) == ([], "no-store")
    response = await (await site.answer("search/suggest?q=vat", None, cookie, "GET")).json()
    assert [suggestion["text"] for suggestion in response["suggestions"]] == ["VAT basics"]


async def test_a_list_counts_only_visible_products(partner_site):
    site = await partner_site()
    response = await (await site.get("/data/shop", Cookie=restricted(site).cookie["Cookie"])).json()
    assert (response["props"]["total"], [card["name"] for card in response["props"]["cards"]]) == (1, ["VAT basics"])
    levels = next(facet for facet in response["props"]["facets"] if facet["name"] == "level")
    assert [option["count"] for option in levels["options"]] == [1]


@pytest.mark.parametrize(
    "claim", ["", "; IsRestrictedAccess=false", "; IsRestrictedAccess=true", "; IsRestrictedAccess="]
)
async def test_a_cookie_never_extends_the_scope_in_the_database(partner_site, claim):
    site = await partner_site()
    text = await (await site.get("/shop", Cookie=restricted(site).cookie["Cookie"] + claim)).text()
    assert "Course 01" not in text


async def test_a_member_who_is_not_restricted_gets_everyones_page(partner_site):
    site = await partner_site()
    member = restricted(site, is_restricted=False)
    everyones_answer = await site.get("/shop")
    members_answer = await site.get("/shop", Cookie=member.cookie["Cookie"])
    assert (await members_answer.read(), members_answer.headers["X-Cache"]) == (await everyones_answer.read(), "hit")


async def test_a_visitor_of_a_partner_link_sees_what_its_contract_names(partner_site):
    site = await partner_site()
    jar = await through_a_doorway(site)
    answer = await site.get("/shop", Cookie=jar)
    assert ("Course 01" in await answer.text(), answer.headers["Cache-Control"]) == (False, APART[0])
    forged = jar.replace("northwind", "nobody")
    assert "Course 01" in await (await site.get("/shop", Cookie=forged)).text()


@pytest.mark.parametrize("is_through_a_doorway", [True, False])
async def test_a_guests_cart_has_what_the_partner_link_shows(partner_site, is_through_a_doorway):
    site = await partner_site()
    seen, hidden = site.id_of(SEEN), site.id_of(HIDDEN)
    jar = {"Cookie": await through_a_doorway(site)} if is_through_a_doorway else {}
    total, unavailable = (8000, [hidden]) if is_through_a_doorway else (8100, [])
    lines = [{"id": seen, "quantity": 1}, {"id": hidden, "quantity": 1}]
    for name, method, body in (("cart/quote", "POST", {}), ("cart/coupon", "PUT", {"code": ""})):
        _, answer = await site.call(name, {**body, "lines": lines}, jar, method)
        form = answer.get("cart", answer)
        assert (form["total"], form["unavailable"]) == (total, unavailable)
    _, wishlist = await site.call("wishlist/preview", {"items": [{"id": seen}, {"id": hidden}]}, jar)
    assert [item["id"] for item in wishlist["items"]] == [entry for entry in (seen, hidden) if entry not in unavailable]


async def test_a_partner_cookie_does_not_extend_a_restricted_members_scope(partner_site):
    site = await partner_site()
    ada, lines = restricted(site), [{"id": site.id_of(HIDDEN), "quantity": 1}]
    for cookie in ("", "; __Host-partner=nobody; IsRestrictedAccess=true", "; IsRestrictedAccess=false"):
        _, form = await site.call(
            "cart/quote", {"lines": lines}, {**ada.bearer, "Cookie": ada.cookie["Cookie"] + cookie}
        )
        assert (form["lines"], form["unavailable"]) == ([], [site.id_of(HIDDEN)])


async def test_alternating_visitors_never_see_each_others_pages(partner_site):
    site = await partner_site()
    cookie = restricted(site).cookie["Cookie"]
    for _ in range(5):
        for path in ("/", "/shop"):
            assert "Course 01" not in await (await site.get(path, Cookie=cookie)).text()
    for _ in range(5):
        everyones_answer = await site.get("/shop", Cookie="specialcouponcheck=1; CouponID=SPRING")
        assert ("Course 01" in await everyones_answer.text(), everyones_answer.headers["X-Cache"]) == (True, "hit")


async def test_a_cart_makes_no_page_private(partner_site):
    site = await partner_site()
    ada = learner(site)
    before = await (await site.get("/shop")).read()
    await ada.add(SEEN)
    members_answer = await site.get("/shop", Cookie=ada.cookie["Cookie"], Authorization=ada.bearer["Authorization"])
    assert (await members_answer.read(), members_answer.headers["X-Cache"]) == (before, "hit")
