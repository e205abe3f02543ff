"""The seeded restricted member after a real sign-in: whatever the cookie IsRestrictedAccess says, nothing hidden shows.

The demo's `member` belongs to Harbour Trust, whose contract names five courses.
"""

import json
import re

import pytest
from sqlalchemy import select

from domain.tables import Product
from host import keys
from tests.host import documents
from tests.host.identity.browser import Browser
from tests.waiting import until

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
    """The demo shop with its pages kept; everyone's copies are warm."""
    site = await open_shop((await start_renderer()).address, OIDC_ISSUER=standin.origin, PAGE_CACHE="on", DEV_DELAY="")
    await until(lambda: site.app[keys.PROVIDER].state == "up")
    for path in PAGES:
        assert (await site.get(path)).status == 200
    return site


@pytest.fixture
async def member(shop, standin):
    """Signed in through the provider."""
    made = Browser(shop, standin.origin)
    assert await made.sign_in("member") == "/"
    yield made
    await made.close()


def claims(member):
    """One after the other, what the visitor's own cookie may claim."""
    for name, value in CLAIMS.items():
        member.jar.pop("IsRestrictedAccess", None)
        if value is not None:
            member.jar["IsRestrictedAccess"] = (value, "/")
        yield name


PAGES = ["/", "/shop", "/shop?page=2", "/shop?kind=course&sort=newest", "/search?q=tax", "/search?q=course", "/cart"]


def hidden(shop):
    """(id, slug, name) of what the contract does not name."""
    with shop.db.reading() as session:
        rows = session.execute(select(Product.id, Product.slug, Product.name)).all()
    assert {row.slug for row in rows} >= SEEN
    return [row for row in rows if row.slug not in SEEN]


def shown(rows, text):
    """Which of them a text names, by address or by name."""
    addresses = set(re.findall(r"(?:course=|shop-details/)([\w-]+)", text))
    return [row.slug for row in rows if {row.slug, str(row.id)} & addresses or f">{row.name}<" in text]


async def test_no_page_and_no_data_of_a_page_names_what_is_hidden(shop, member):
    rows = hidden(shop)
    for claim in claims(member):
        for path in [f"{prefix}{path}" for path in PAGES for prefix in ("", "/data")]:
            answer = await member.ask("GET", path)
            assert (claim, path, shown(rows, await answer.text())) == (claim, path, [])
            assert "no-store" in answer.headers["Cache-Control"]
        assert SEEN & set(re.findall(r"course=([\w-]+)", await (await member.ask("GET", "/shop")).text()))


async def test_what_is_hidden_has_no_page_and_the_rest_has_structured_data(shop, member):
    one = hidden(shop)[0]
    for claim in claims(member):
        for path in (f"/course-details?course={one.slug}", f"/shop-details/{one.id}", f"/course-details?id={one.id}"):
            assert (claim, path, (await member.ask("GET", path)).status) == (claim, path, 404)
        answer = await member.ask("GET", f"/course-details?course={sorted(SEEN)[0]}")
        page = documents.read(answer.status, answer.headers, await answer.text())
        assert page.json_ld != []
        assert shown(hidden(shop), json.dumps(page.json_ld)) == []


async def test_searching_suggests_and_counts_what_is_seen(shop, member):
    everyones = (await (await shop.answer("search/suggest?q=ta", None, None, "GET")).json())["suggestions"]
    assert everyones != []
    for claim in claims(member):
        for typed in ("ta", "co", "ac"):
            answer = await member.ask("GET", f"/api/search/suggest?q={typed}")
            assert (claim, shown(hidden(shop), await answer.text())) == (claim, [])
            assert answer.headers["Cache-Control"] == "no-store"
        found = await (await member.ask("GET", "/data/shop")).json()
        assert (claim, found["props"]["total"]) == (claim, len(SEEN))


async def test_no_call_puts_what_is_hidden_anywhere(shop, member):
    mine, one = member.user_info["user"]["AAUserID"], hidden(shop)[0]
    for claim in claims(member):
        _, answer = await member.call("SetAAUserCourse", AAUserID=mine, CourseID=one.id)
        assert (claim, answer["Status"]) != (claim, "success")
        assert (await member.call(f"wishlist/{one.id}", "PUT", wished=True))[1]["status"] == "failed"
        _, merged = await member.call("cart/merge", lines=[{"id": one.id, "quantity": 1}])
        assert [line["outcome"] for line in merged["lines"]] == ["refused"]
        assert (await member.call("cart", "GET"))[1]["lines"] == []
    seen = shop.id_of(sorted(SEEN)[0])
    assert (await member.call("SetAAUserCourse", AAUserID=mine, CourseID=seen))[1]["Status"] == "success"
    assert (await member.call(f"wishlist/{seen}", "PUT", wished=True))[1]["status"] == "success"


async def test_the_sitemap_of_everything_is_not_theirs(shop, member):
    index = await (await shop.get("/sitemap.xml")).text()
    names = re.findall(r"<loc>[^<]*?(/sitemaps/[^<]+)</loc>", index)
    assert names != []
    everyones = [shown(hidden(shop), await (await shop.get(name)).text()) for name in names]
    assert any(everyones)
    for claim in claims(member):
        for name in ["/sitemap.xml", *names]:
            answer = await member.ask("GET", name)
            assert (claim, shown(hidden(shop), await answer.text())) == (claim, [])


async def test_kept_copies_stay_everyones_and_never_become_theirs(shop, member):
    before = await (await shop.get("/shop")).read()
    etag = (await shop.get("/shop")).headers["ETag"]
    for claim in claims(member):
        theirs = await member.ask("GET", "/shop", If_None_Match=etag)
        found = (claim, theirs.status, theirs.headers.get("X-Cache"), shown(hidden(shop), await theirs.text()))
        assert found == (claim, 200, None, [])
        after = await shop.get("/shop")
        assert (await after.read(), after.headers["X-Cache"]) == (before, "kept")


async def test_signed_out_the_claim_alone_narrows_and_widens_nothing(shop, member):
    await member.call("auth/logout")
    for claim in claims(member):
        answer = await member.ask("GET", "/shop")
        assert (claim, shown(hidden(shop), await answer.text()) != []) == (claim, True)
