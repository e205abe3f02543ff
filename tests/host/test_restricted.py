"""A restricted visitor sees what the contract names, on every surface, and nobody else is served their pages."""

import pytest

from tests import factories
from tests.factories import NOON
from tests.host.signing import learner
from tests.host.test_doorways import cookies

SEEN, HIDDEN = "vat-basics", "course-01"
APART = ("private, no-store", "Accept-Encoding, Cookie")


@pytest.fixture
def kept_site(open_site, start_renderer):
    """`await kept_site()`: a site that keeps pages, with a partner whose members see one course."""

    async def opened():
        site = await open_site((await start_renderer()).address, PAGE_CACHE="on", DEV_DELAY="")
        with site.db.session() as session:
            organisation = factories.organisation(session)
            factories.contract(session, organisation.id, site.id_of(SEEN), is_restricted=True, starts_at=NOON)
        return site

    return opened


def restricted(site, **about):
    made = learner(site)
    with site.db.session() as session:
        organisation = session.scalars(factories.Organisation.__table__.select()).first()
        factories.member(session, made.id, organisation, **{"is_restricted": True, **about})
    return made


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
async def test_nothing_outside_the_contract_stands_on_any_page(kept_site, path, prefix):
    site = await kept_site()
    ada = restricted(site)
    everyones = await (await site.get(prefix + path)).text()
    answer = await site.get(prefix + path, Cookie=ada.cookie["Cookie"])
    text = await answer.text()
    hidden = [name for name in ("Course 0", "course-0", "Privacy", "Tax tables", "script-course") if name in text]
    assert hidden == []
    assert "VAT basics" in text or path == "/search?q=course"
    assert prefix or (answer.headers["Cache-Control"], answer.headers["Vary"]) == APART or answer.status == 404
    assert await (await site.get(prefix + path)).text() == everyones


async def test_what_is_hidden_is_not_there(kept_site):
    site = await kept_site()
    cookie = restricted(site).cookie["Cookie"]
    for path in (f"/course-details?course={HIDDEN}", f"/shop-details/{site.id_of('tax-tables')}"):
        assert (await site.get(path)).status == 200
        assert (await site.get(path, Cookie=cookie)).status == 404
    assert (await site.get(f"/course-details?id={site.id_of(HIDDEN)}", Cookie=cookie)).status == 404


async def test_suggestions_name_nothing_hidden(kept_site):
    site = await kept_site()
    cookie = restricted(site).cookie
    everyones = await site.answer("search/suggest?q=co", None, None, "GET")
    theirs = await site.answer("search/suggest?q=co", None, cookie, "GET")
    assert (await everyones.json())["suggestions"] != []
    assert ((await theirs.json())["suggestions"], theirs.headers["Cache-Control"]) == ([], "no-store")
    found = await (await site.answer("search/suggest?q=vat", None, cookie, "GET")).json()
    assert [one["text"] for one in found["suggestions"]] == ["VAT basics"]


async def test_a_list_counts_what_is_seen(kept_site):
    site = await kept_site()
    found = await (await site.get("/data/shop", Cookie=restricted(site).cookie["Cookie"])).json()
    assert (found["props"]["total"], [card["name"] for card in found["props"]["cards"]]) == (1, ["VAT basics"])
    levels = next(facet for facet in found["props"]["facets"] if facet["name"] == "level")
    assert [option["count"] for option in levels["options"]] == [1]


@pytest.mark.parametrize(
    "claim", ["", "; IsRestrictedAccess=false", "; IsRestrictedAccess=true", "; IsRestrictedAccess="]
)
async def test_a_cookie_never_widens_what_the_records_narrow(kept_site, claim):
    site = await kept_site()
    text = await (await site.get("/shop", Cookie=restricted(site).cookie["Cookie"] + claim)).text()
    assert "Course 01" not in text


async def test_a_member_who_is_not_restricted_gets_everyones_page(kept_site):
    site = await kept_site()
    member = restricted(site, is_restricted=False)
    everyones = await site.get("/shop")
    theirs = await site.get("/shop", Cookie=member.cookie["Cookie"])
    assert (await theirs.read(), theirs.headers["X-Cache"]) == (await everyones.read(), "kept")


async def test_through_a_doorway_one_sees_what_its_contract_names(kept_site):
    site = await kept_site()
    jar = "; ".join(f"{name}={value}" for name, value in cookies(await site.get("/d?k=northwind")).items())
    answer = await site.get("/shop", Cookie=jar)
    assert ("Course 01" in await answer.text(), answer.headers["Cache-Control"]) == (False, APART[0])
    forged = jar.replace("northwind", "nobody")
    assert "Course 01" in await (await site.get("/shop", Cookie=forged)).text()


async def test_visitors_in_turns_never_see_each_others_pages(kept_site):
    site = await kept_site()
    cookie = restricted(site).cookie["Cookie"]
    for _ in range(5):
        for path in ("/", "/shop"):
            assert "Course 01" not in await (await site.get(path, Cookie=cookie)).text()
    for _ in range(5):
        everyones = await site.get("/shop", Cookie="specialcouponcheck=1; CouponID=SPRING")
        assert ("Course 01" in await everyones.text(), everyones.headers["X-Cache"]) == (True, "kept")


async def test_a_cart_makes_no_page_anybodys_own(kept_site):
    site = await kept_site()
    ada = learner(site)
    before = await (await site.get("/shop")).read()
    await ada.add(SEEN)
    theirs = await site.get("/shop", Cookie=ada.cookie["Cookie"], Authorization=ada.bearer["Authorization"])
    assert (await theirs.read(), theirs.headers["X-Cache"]) == (before, "kept")
