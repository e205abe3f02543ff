"""Every page visit reaches the records once, with what the browser knows about it."""

import json
import re
from typing import Any
from urllib.parse import quote
from uuid import UUID

import pytest
from playwright.async_api import Request, Route, expect

from tests.journeys.conftest import TRACE, Visitor, path_of
from tests.site import Site
from tests.waiting import until

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
    await page.locator("header").get_by_role("link", name="Catalogue").click()
    await page.locator(".filters .facet__option").first.click()
    await expect(page.locator(".filters [aria-current=true]").first).to_be_visible()
    filtered = path_of(page.url)
    await page.evaluate("location.hash = '#main'")
    await page.go_back()
    await page.go_back()
    await expect(page).to_have_url(re.compile("/shop$"))
    await visitor.quiet()
    urls = ["/", "/shop", filtered, "/shop"]
    assert [one["Url"] for one in visitor.visits] == urls
    kept = await stored(site, await session_of(visitor), 4)
    assert [one["Url"] for one in kept] == urls
    assert [one["EventID"] for one in kept] == [one["EventID"] for one in visitor.visits]
    assert [one["Page"] for one in kept] == ["home", "shop", "shop", "shop"]


async def test_the_session_is_a_uuid_made_anew_when_it_is_malformed(visitor: Visitor) -> None:
    await visitor.open("/about")
    first = await session_of(visitor)
    assert UUID(first).version == 4
    await visitor.page.evaluate("sessionStorage.setItem('session_id', 'not-a-uuid')")
    await visitor.open("/contact")
    second = await session_of(visitor)
    assert UUID(second).version == 4
    assert first != second
    assert [one["SessionID"] for one in visitor.visits] == [first, second]


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
    await visitor.context.add_cookies([{"name": "specialcouponid", "value": "9", "url": address}])
    await visitor.open("/contact")
    first, second = await stored(site, await session_of(visitor), 2)
    told = {
        name: first[name] for name in ("Url", "CouponID", "Stunum", "SpecialCouponID", "AAUserID", "ClaimedAAUserID")
    }
    assert told == {
        "Url": "/about?utm_source=mail",
        "CouponID": "SPRING",
        "Stunum": "S-7",
        "SpecialCouponID": "EXTRA",
        # Only a token can prove who it is; this one proves nothing.
        "AAUserID": 0,
        "ClaimedAAUserID": 42,
    }
    assert second["SpecialCouponID"] == "9"
    assert first["Campaign"] == {"utm_source": "mail"}
    assert "ada@example.test" not in json.dumps([first, second])


async def test_leaving_at_once_loses_no_visit(visitor: Visitor, site: Site) -> None:
    await visitor.open("/about")
    session = await session_of(visitor)
    await visitor.page.goto("/contact?leaving=1", wait_until="commit")
    async with visitor.page.expect_event("request", lambda one: path_of(one.url) == TRACE):
        pass
    await visitor.page.goto("about:blank")
    assert [one["Url"] for one in await stored(site, session, 2)] == ["/about", "/contact?leaving=1"]


@pytest.mark.parametrize("status", [429, 503])
async def test_a_refused_visit_is_kept_and_sent_again_under_its_event_id(
    visitor: Visitor, site: Site, status: int
) -> None:
    visitor.expect(rf"(Failed to load resource: .*{status}|status {status}).*{TRACE}")

    async def refuse(route: Route) -> None:
        await route.fulfill(status=status, headers={"Retry-After": "1"}, json={"title": "later"})

    page = visitor.page
    await page.route(f"**{TRACE}", refuse)
    await visitor.open("/about")
    assert await page.evaluate(UNSENT) == 1
    # By itself, once the time that was asked for has passed.
    async with page.expect_response(f"**{TRACE}"):
        await page.unroute(f"**{TRACE}", refuse)
    first, second = visitor.visits
    assert first == second
    kept = await stored(site, await session_of(visitor), 1)
    assert [one["EventID"] for one in kept] == [first["EventID"]]
    assert await page.evaluate(UNSENT) == 0


async def test_a_visit_made_offline_goes_out_when_the_connection_is_back(visitor: Visitor, site: Site) -> None:
    visitor.expect("ERR_INTERNET_DISCONNECTED")
    page = visitor.page
    await visitor.open("/")
    link = page.locator("header").get_by_role("link", name="About")
    async with page.expect_response(lambda one: "/data/about" in one.url) as prefetched:
        await link.hover()
    await (await prefetched.value).finished()
    await visitor.quiet()
    await visitor.context.set_offline(True)
    async with page.expect_event("requestfailed", lambda one: path_of(one.url) == TRACE) as failed:
        await link.click()
    lost: Request = await failed.value
    assert await page.evaluate(UNSENT) == 1
    async with page.expect_response(f"**{TRACE}"):
        await visitor.context.set_offline(False)
    kept = await stored(site, await session_of(visitor), 2)
    assert [one["Url"] for one in kept] == ["/", "/about"]
    assert kept[1]["EventID"] == (lost.post_data_json or {})["EventID"]
    assert await page.evaluate(UNSENT) == 0
