"""The seeded restricted member after a real sign-in: whatever the cookie IsRestrictedAccess says, nothing hidden shows.

The demo's `member` belongs to Harbour Trust, whose contract names five courses.
"""

import json
import re

import pytest
from sqlalchemy import select

from domain.tables import Product
from host.identity.provider import PROVIDER
from tests.host import documents
from tests.host.identity.browser import Browser
from tests.support.waiting import until

CLAIMS = {"true": "true", "false": "false", "empty": "", "absent": None}
SEEN = {
    "gdpr-everyday-decisions",
    "anti-bribery-gifts-third-parties",
    "speak-up-channels",
    "bookkeeping-from-first-principles",
    "controllers-guide-faster-close",
}


@pytest.fixture
async def shop(open_shop, standin, start_renderer):
    """The demo shop with its public pages already cached."""
    site = await open_shop((await start_renderer()).address, OIDC_ISSUER=standin.origin, PAGE_CACHE="on", DEV_DELAY="")
    await until(lambda: site.app[PROVIDER].state == "up")
    for path in PAGES:
        assert (await site.get(path)).status == 200
    return site


@pytest.fixture
async def member(shop, standin):
    """Signed in through the provider."""
    browser = Browser(shop, standin.origin)
    assert await browser.sign_in("member") == "/user-dashboard"
    yield browser
    await browser.close()


def claims(member):
    """The values that the visitor's own cookie may have, in turn."""
    for name, value in CLAIMS.items():
        member.jar.pop("IsRestrictedAccess", None)
        if value is not None:
            member.jar["IsRestrictedAccess"] = (value, "/")
        yield name


PAGES = ["/", "/shop", "/shop?page=2", "/shop?kind=course&sort=newest", "/search?q=tax", "/search?q=course", "/cart"]


def hidden(shop):
    """(id, slug, name) of products outside the contract scope."""
    with shop.db.read_session() as session:
        rows = session.execute(select(Product.id, Product.slug, Product.name)).all()
    assert {row.slug for row in rows} >= SEEN
    return [row for row in rows if row.slug not in SEEN]


def shown(rows, text):
    """The products that a text contains, by slug or by name."""
    addresses = set(re.findall(r"(?:course=|shop-details/)([\w-]+)", text))
    return [row.slug for row in rows if {row.slug, str(row.id)} & addresses or f">{row.name}<" in text]


async def test_no_page_and_no_page_data_names_hidden_products(shop, member):
    rows = hidden(shop)
    for claim in claims(member):
        for path in [f"{prefix}{path}" for path in PAGES for prefix in ("", "/data")]:
            answer = await member.ask("GET", path)
            assert (claim, path, shown(rows, await answer.text())) == (claim, path, [])
            assert "no-store" in answer.headers["Cache-Control"]
        assert SEEN & set(re.findall(r"course=([\w-]+)", await (await member.ask("GET", "/shop")).text()))


async def test_hidden_products_have_no_page_and_others_have_structured_data(shop, member):
    product = hidden(shop)[0]
    for claim in claims(member):
        for path in (
            f"/course-details?course={product.slug}",
            f"/shop-details/{product.id}",
            f"/course-details?id={product.id}",
        ):
            assert (claim, path, (await member.ask("GET", path)).status) == (claim, path, 404)
        answer = await member.ask("GET", f"/course-details?course={sorted(SEEN)[0]}")
        page = documents.read(answer.status, answer.headers, await answer.text())
        assert page.json_ld != []
        assert shown(hidden(shop), json.dumps(page.json_ld)) == []


async def test_search_suggests_and_counts_only_visible_products(shop, member):
    everyones = (await (await shop.answer("search/suggest?q=ta", None, None, "GET")).json())["suggestions"]
    assert everyones != []
    for claim in claims(member):
        for typed in ("ta", "co", "ac"):
            answer = await member.ask("GET", f"/api/search/suggest?q={typed}")
            assert (claim, shown(hidden(shop), await answer.text())) == (claim, [])
            assert answer.headers["Cache-Control"] == "no-store"
        page = await (await member.ask("GET", "/data/shop")).json()
        assert (claim, page["props"]["total"]) == (claim, len(SEEN))


async def test_no_call_accepts_hidden_products(shop, member):
    learner_id, product = member.user_info["user"]["AAUserID"], hidden(shop)[0]
    for claim in claims(member):
        _, answer = await member.call("SetAAUserCourse", AAUserID=learner_id, CourseID=product.id)
        assert (claim, answer["Status"]) != (claim, "success")
        assert (await member.call(f"wishlist/{product.id}", "PUT", wished=True))[1]["status"] == "failed"
        _, merged = await member.call("cart/merge", lines=[{"id": product.id, "quantity": 1}])
        assert [line["outcome"] for line in merged["lines"]] == ["refused"]
        assert (await member.call("cart", "GET"))[1]["lines"] == []
    seen = shop.id_of(sorted(SEEN)[0])
    assert (await member.call("SetAAUserCourse", AAUserID=learner_id, CourseID=seen))[1]["Status"] == "success"
    assert (await member.call(f"wishlist/{seen}", "PUT", wished=True))[1]["status"] == "success"


async def test_the_full_sitemap_is_not_served_to_a_restricted_learner(shop, member):
    index = await (await shop.get("/sitemap.xml")).text()
    names = re.findall(r"<loc>[^<]*?(/sitemaps/[^<]+)</loc>", index)
    assert names != []
    everyones = [shown(hidden(shop), await (await shop.get(name)).text()) for name in names]
    assert any(everyones)
    for claim in claims(member):
        for name in ["/sitemap.xml", *names]:
            answer = await member.ask("GET", name)
            assert (claim, shown(hidden(shop), await answer.text())) == (claim, [])


async def test_cached_pages_stay_public_and_are_not_served_to_a_restricted_learner(shop, member):
    before = await (await shop.get("/shop")).read()
    etag = (await shop.get("/shop")).headers["ETag"]
    for claim in claims(member):
        theirs = await member.ask("GET", "/shop", If_None_Match=etag)
        result = (claim, theirs.status, theirs.headers.get("X-Cache"), shown(hidden(shop), await theirs.text()))
        assert result == (claim, 200, None, [])
        after = await shop.get("/shop")
        assert (await after.read(), after.headers["X-Cache"]) == (before, "hit")


async def test_without_a_session_the_cookie_alone_changes_nothing(shop, member):
    await member.call("auth/logout")
    for claim in claims(member):
        answer = await member.ask("GET", "/shop")
        assert (claim, shown(hidden(shop), await answer.text()) != []) == (claim, True)
