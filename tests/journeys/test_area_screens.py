"""Screens of both areas that no journey of their own looks at: for everyone, at both widths and in both themes."""

import pytest
from playwright.async_api import expect

from tests.journeys.axe import check_page
from tests.journeys.conftest import NewVisitor
from tests.journeys.focus import tab_through
from tests.journeys.identity import sign_in

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

# Who opens them, the area, and their paths in it. Those of a group share a browser profile. With every change one of
# each kind: lists are drawn by one component, and so are the parts of screens about one row.
DAILY = {
    "of staff": (
        *("admin", "admin"),
        ["orders", "imports", "coupons/lab", "coupons/1", "contracts/1", "reviews/1", "health", "search?q=tax"],
    ),
    "of an organisation": ("owner", "organisation", ["", "reports"]),
}
NIGHTLY = {
    "catalogue": ("admin", "admin", ["items", "categories", "instructors", "retired", "bulk", "searches"]),
    "selling": (
        *("finance", "admin"),
        [
            "refunds",
            "coupons",
            "coupons/batches",
            "coupons/alarms",
            "coupons/forecasts",
            "coupons/forecasts/new",
            "coupons/trials",
            "coupons/trials/new",
            "contracts",
            "quotes",
            "organisations/1",
            "visits/link?to=/shop",
        ],
    ),
    "people and system": (
        *("admin", "admin"),
        ["messages", "reviews", "mail", "dead-letters", "audit", "learners/1"],
    ),
    "an organisation": ("owner", "organisation", ["seats", "contracts", "orders", "quotes", "profile"]),
}
GROUPS = {**DAILY, **NIGHTLY}
HOMES = {"admin": "/admin", "organisation": "/organization"}


@pytest.mark.parametrize("group", [*DAILY, *(pytest.param(group, marks=pytest.mark.soak) for group in NIGHTLY)])
async def test_a_screen_fits_and_axe_finds_nothing(new_visitor: NewVisitor, group: str) -> None:
    who, area, paths = GROUPS[group]
    visitor = await new_visitor()
    first, *others = [f"{HOMES[area]}/{path}".rstrip("/") for path in paths]
    await sign_in(visitor, who, return_to=first, area=area)
    for path in (first, *others):
        if path != first:
            await visitor.open(path)
        # With the check of the sign-in the loading view is gone.
        await expect(visitor.page.get_by_role("link", name="Sign out")).to_be_visible()
        await expect(visitor.page.locator(".loading-view")).to_have_count(0)
        await check_page(visitor.page, is_dark=path == first)
        await tab_through(visitor.page)


REFUSED = {
    "not found": ("admin", "/admin/orders/NOSUCHCODE", "404", "Not found"),
    "forbidden": ("marketing", "/admin/learners", "403", "You may not open this page"),
}


@pytest.mark.parametrize("case", REFUSED)
async def test_a_screen_that_is_refused_says_so_in_the_layout_of_its_area(new_visitor: NewVisitor, case: str) -> None:
    who, path, status, heading = REFUSED[case]
    visitor = await new_visitor()
    visitor.expect(status)
    await sign_in(visitor, who, return_to=path, area="admin")
    await expect(visitor.page.get_by_role("heading", name=heading, level=1)).to_be_visible()
    await expect(visitor.page.get_by_role("navigation", name="Administration")).to_be_visible()
    await check_page(visitor.page)
