"""Every page visit reaches the records once, with what the browser knows about it."""

import json
import re
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import pairwise
from typing import Any
from urllib.parse import quote
from uuid import UUID

import pytest
from playwright.async_api import Request, Route, expect

from tests.journeys.conftest import TRACE, NewVisitor, Visitor, path_of
from tests.journeys.identity import sign_in
from tests.support.site import Site
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

SESSION = "sessionStorage.getItem('session_id')"
UNSENT = "Object.keys(localStorage).filter((key) => key.startsWith('unsent_visit:')).length"


async def session_of(visitor: Visitor) -> str:
    return str(await visitor.page.evaluate(SESSION))


async def stored(site: Site, session: str, count: int) -> list[dict[str, Any]]:
    """What the records hold of a session, once there are `count` visits of it."""

    async def enough() -> bool:
        return len(site.query("SELECT 1 FROM visits WHERE session_id = ?", session)) >= count

    await until(enough)
    return site.traces(session)


async def test_each_route_is_one_visit_and_a_hash_is_none(visitor: Visitor, site: Site) -> None:
    page = visitor.page
    await visitor.open("/")
    filters = page.get_by_role("navigation", name="Filters")
    await page.locator("header").get_by_role("link", name="Catalogue").click()
    await filters.get_by_role("listitem").get_by_role("link").first.click()
    await expect(filters.locator("[aria-current=true]").first).to_be_visible()
    filtered = path_of(page.url)
    await page.evaluate("location.hash = '#main'")
    await page.go_back()
    await page.go_back()
    await expect(page).to_have_url(re.compile("/shop$"))
    urls = ["/", "/shop", filtered, "/shop"]
    await until(lambda: len(visitor.visits) == len(urls))
    await visitor.settled()
    assert [visit["Url"] for visit in visitor.visits] == urls
    visits = await stored(site, await session_of(visitor), 4)
    assert [visit["Url"] for visit in visits] == urls
    assert [visit["EventID"] for visit in visits] == [visit["EventID"] for visit in visitor.visits]
    assert [visit["Page"] for visit in visits] == ["home", "shop", "shop", "shop"]


# One address of each kind of document, by what its policy allows, and of a private page.
KINDS = {"public": "/about", "private": "/cart", "identity": "/forgot", "payment": "/checkout"}
FOLLOW = """(href) => {
    const link = document.body.appendChild(Object.assign(document.createElement('a'), { href }));
    link.click();
    link.remove();
}"""
WALK = "public payment identity private"
EVERY_PAIR = (
    "public private public identity public payment public "
    "private identity private payment private identity payment identity public"
)


async def walk_on(visitor: Visitor, step: Callable[[], Awaitable[object]], kinds: set[str]) -> None:
    """Goes from a page of one kind to one of the other, and waits until it can be used."""
    if kinds == {"public", "private"}:
        await step()
        await visitor.settled()
        return
    async with visitor.page.expect_event("domcontentloaded"):
        await step()
    await visitor.hydrated()


@pytest.mark.parametrize("walk", [WALK, pytest.param(EVERY_PAIR, marks=pytest.mark.soak)], ids=["short", "every pair"])
async def test_a_page_that_needs_a_new_document_is_one_visit(visitor: Visitor, site: Site, walk: str) -> None:
    kinds = walk.split()
    await sign_in(visitor, "ada", return_to=KINDS[kinds[0]])
    page = visitor.page
    for here, there in pairwise(kinds):
        await walk_on(visitor, partial(page.evaluate, FOLLOW, KINDS[there]), {here, there})
    await walk_on(visitor, page.go_back, {*kinds[-2:]})
    addresses = [KINDS[kind] for kind in [*kinds, kinds[-2]]]
    await stored(site, await session_of(visitor), len(addresses))
    await visitor.settled()
    visits = site.traces(await session_of(visitor))
    assert [visit["Url"] for visit in visits] == addresses
    assert {visit["EventID"] for visit in visitor.visits} == {visit["EventID"] for visit in visits}


async def test_the_session_is_a_uuid_made_anew_when_it_is_malformed(visitor: Visitor) -> None:
    await visitor.open("/about")
    first = await session_of(visitor)
    assert UUID(first).version == 4
    await visitor.page.evaluate("sessionStorage.setItem('session_id', 'not-a-uuid')")
    await visitor.open("/contact")
    second = await session_of(visitor)
    assert UUID(second).version == 4
    assert first != second
    # A slow host may not have accepted the first visit yet: then the next page sends it again.
    sessions = {visit["EventID"]: visit["SessionID"] for visit in visitor.visits}
    assert list(sessions.values()) == [first, second]


async def test_the_cookies_of_the_specification_travel_with_the_visit(visitor: Visitor, site: Site) -> None:
    # The token opens nothing, and the cart of nobody is what the page learns first.
    visitor.expect("401")
    user = {"accessToken": "t", "user": {"AAUserID": 42, "Email": "ada@example.test"}}
    cookies = {"CouponID": "SPRING", "Stunum": "S-7", "specialcouponcode": "EXTRA", "userInfo": quote(json.dumps(user))}
    address = f"http://localhost:{site.port}"
    await visitor.context.add_cookies(
        [{"name": name, "value": value, "url": address} for name, value in cookies.items()]
    )
    await visitor.open("/about?utm_source=mail")

    async def offer_is_stored() -> bool:
        return any(cookie["name"] == "specialcouponid" for cookie in await visitor.context.cookies())

    # The page stores the special offer of its own check, which may come late.
    await until(offer_is_stored)
    await visitor.context.add_cookies([{"name": "specialcouponid", "value": "9", "url": address}])
    await visitor.open("/contact")
    first, second = await stored(site, await session_of(visitor), 2)
    sent = {
        name: first[name] for name in ("Url", "CouponID", "Stunum", "SpecialCouponID", "AAUserID", "ClaimedAAUserID")
    }
    assert sent == {
        "Url": "/about?utm_source=mail",
        "CouponID": "SPRING",
        "Stunum": "S-7",
        "SpecialCouponID": "EXTRA",
        # Only a valid token identifies a learner.
        "AAUserID": 0,
        "ClaimedAAUserID": 42,
    }
    assert second["SpecialCouponID"] == "9"
    assert first["Campaign"] == {"utm_source": "mail"}
    assert "ada@example.test" not in json.dumps([first, second])


async def test_leaving_at_once_loses_no_visit(visitor: Visitor, site: Site) -> None:
    await visitor.open("/about")
    session = await session_of(visitor)
    await until(lambda: len(visitor.visits) == 1)
    async with visitor.page.expect_event("request", lambda request: path_of(request.url) == TRACE):
        await visitor.page.goto("/contact?leaving=1", wait_until="commit")
    await visitor.page.goto("about:blank")
    assert [visit["Url"] for visit in await stored(site, session, 2)] == ["/about", "/contact?leaving=1"]


async def test_a_refused_visit_is_stored_and_sent_again_under_its_event_id(visitor: Visitor, site: Site) -> None:
    """As often as it is refused, whatever the status: each time after the wait that the answer names."""
    visitor.expect(rf"(Failed to load resource: .*(429|503)|status (429|503)).*{TRACE}")
    refusals = [503, 429]

    async def refuse(route: Route) -> None:
        if not refusals:
            await route.continue_()
            return
        await route.fulfill(status=refusals.pop(0), headers={"Retry-After": "1"}, json={"title": "later"})

    page = visitor.page
    await page.route(f"**{TRACE}", refuse)
    await visitor.open("/about")
    await until(lambda: len(visitor.visits) == 1)
    assert await page.evaluate(UNSENT) == 1
    visits = await stored(site, await session_of(visitor), 1)
    first, second, third = visitor.visits
    assert first == second == third
    assert [visit["EventID"] for visit in visits] == [first["EventID"]]

    async def is_removed() -> bool:
        return bool(await page.evaluate(UNSENT) == 0)

    await until(is_removed)


async def test_a_visit_made_offline_goes_out_when_the_connection_is_back(visitor: Visitor, site: Site) -> None:
    visitor.expect("ERR_INTERNET_DISCONNECTED")
    page = visitor.page
    await visitor.open("/")
    link = page.locator("header").get_by_role("link", name="About")
    async with page.expect_response(lambda answer: "/data/about" in answer.url) as prefetched:
        await link.hover()
    await (await prefetched.value).finished()
    await until(lambda: len(visitor.visits) == 1)
    await visitor.settled()
    await visitor.context.set_offline(True)
    async with page.expect_event("requestfailed", lambda request: path_of(request.url) == TRACE) as failed:
        await link.click()
    lost: Request = await failed.value
    assert await page.evaluate(UNSENT) == 1
    async with page.expect_response(f"**{TRACE}"):
        await visitor.context.set_offline(False)
    visits = await stored(site, await session_of(visitor), 2)
    assert [visit["Url"] for visit in visits] == ["/", "/about"]
    assert visits[1]["EventID"] == (lost.post_data_json or {})["EventID"]

    async def is_removed() -> bool:
        return bool(await page.evaluate(UNSENT) == 0)

    await until(is_removed)


NEWS = "http://news.example/2026/vat"


async def land_through(visitor: Visitor, link: str) -> None:
    """Follows a link on a page of another site that sends its whole address as the referrer."""
    head = '<meta name="referrer" content="unsafe-url"><link rel="icon" href="data:,">'
    page = f'<!doctype html>{head}<a href="http://localhost:{visitor.site.port}{link}">To the shop</a>'
    await visitor.page.route("http://news.example/**", lambda route: route.fulfill(content_type="text/html", body=page))
    await visitor.page.goto(f"{NEWS}?token=s3cret#top")
    await visitor.page.get_by_role("link", name="To the shop").click()
    await visitor.page.wait_for_url("**/about?*")
    await visitor.hydrated()


async def only_link_of(site: Site, number: str) -> tuple[Any, ...]:
    """The stored visit of a student's link, of which there is one. It may be stored after those of the pages: while
    Redis is slow, the host sends it later from its disk."""
    columns = "event_id, session_id, referrer, campaign, address"
    query = f"SELECT {columns} FROM visits WHERE page = 'share-link' AND student_number = ?"
    await until(lambda: len(site.query(query, number)) > 0)
    (link,) = site.query(query, number)
    return link


async def test_a_link_on_another_site_and_the_page_it_leads_to_are_one_session(visitor: Visitor, site: Site) -> None:
    await land_through(visitor, "/s?n=S-LINK1&utm_source=mail&to=/about?part=1")
    assert path_of(visitor.page.url) == "/about?part=1&utm_source=mail"
    # The answer to the first visit takes the link's cookie back.
    await until(lambda: len(visitor.visits) == 1)
    await visitor.settled()
    await visitor.page.locator("header").get_by_role("link", name="Catalogue").click()
    first, second = await stored(site, await session_of(visitor), 2)
    event_id, session, referrer, campaign, _ = await only_link_of(site, "S-LINK1")
    assert (session, referrer, json.loads(campaign)) == ("", NEWS, {"utm_source": "mail"})
    # The redirect's own referrer policy leaves the page its host.
    assert (first["ReferralID"], first["Referrer"], first["Stunum"]) == (event_id, "http://news.example/", "S-LINK1")
    assert (second["Url"], second["ReferralID"], second["Referrer"]) == ("/shop", "", "")
    assert [UUID(visit["EventID"]).version for visit in (first, second)] == [7, 7]
    assert [visit.get("Referrer") for visit in visitor.visits] == ["http://news.example/", None]


async def test_a_page_of_another_site_is_named_without_its_query(visitor: Visitor) -> None:
    await land_through(visitor, "/about?part=3")
    await until(lambda: len(visitor.visits) == 1)
    assert visitor.visits[0]["Referrer"] == NEWS


async def test_with_global_privacy_control_a_link_and_its_page_are_not_connected(
    new_visitor: NewVisitor, site: Site
) -> None:
    visitor = await new_visitor(extra_http_headers={"Sec-GPC": "1"})
    await land_through(visitor, "/s?n=S-LINK2&utm_source=mail&to=/about?part=2")
    columns = "session_id, referral_id, partner, address, referrer, student_number"
    query = f"SELECT {columns} FROM visits WHERE url = '/about?part=2&utm_source=mail'"
    await until(lambda: len(site.query(query)) == 1)
    assert site.query(query) == [("", None, "", "", "news.example", "S-LINK2")]
    _, session, referrer, campaign, address = await only_link_of(site, "S-LINK2")
    assert (session, referrer, address, json.loads(campaign)) == ("", "news.example", "", {"utm_source": "mail"})
    assert "referral" not in {cookie.get("name") for cookie in await visitor.context.cookies()}
