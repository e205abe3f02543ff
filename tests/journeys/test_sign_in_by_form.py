"""Every kind of person signs in by the form of their area, as people do, and is where their work begins. Most other
journeys sign in without the form, for the sake of time (`tests/journeys/identity.py`)."""

import re
from dataclasses import dataclass

import pytest
from playwright.async_api import expect

from tests.journeys.conftest import Visitor
from tests.journeys.identity import PASSWORD, fill_in

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


@dataclass(frozen=True)
class Person:
    """`name` has the role of the case; `form`: the page of their sign-in; `home`: the path at which they arrive;
    `link`: the name of a page that they open from there."""

    name: str
    form: str
    home: str
    link: str


ADMIN, ORGANISATION = "/adminlogin", "/organization-login"
PEOPLE = {
    "administrator": Person("admin", ADMIN, "/admin", "Staff"),
    "owner": Person("owner", ORGANISATION, "/organization", "Members"),
    "manager": Person("org", ORGANISATION, "/organization", "Members"),
    "learner": Person("ada", "/login", "/user-dashboard", "My learning"),
    "finance": Person("finance", ADMIN, "/admin/orders", "Refunds"),
    "support": Person("support", ADMIN, "/admin/orders", "Messages"),
    "editor": Person("editor", ADMIN, "/admin/courses", "Imports"),
    "marketer": Person("marketing", ADMIN, "/admin/visits", "Courses"),
    "member": Person("member", "/login", "/user-dashboard", "Catalogue"),
}
# Learner, buyer and member sign in by the form in daily journeys of their own.
DAILY = ("administrator", "owner")


@pytest.mark.parametrize(
    "role", [pytest.param(role, marks=() if role in DAILY else pytest.mark.soak) for role in PEOPLE]
)
async def test_whoever_signs_in_by_the_form_arrives_at_their_work(visitor: Visitor, role: str) -> None:
    person, page = PEOPLE[role], visitor.page
    await visitor.open(person.form)
    await fill_in(page, person.name, PASSWORD)
    await page.wait_for_url(f"**{person.home}")
    await expect(page.get_by_role("heading", level=1)).to_have_count(1)
    await page.get_by_role("link", name=person.link, exact=True).first.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("."))
    await expect(page.get_by_text("You may not open this page")).to_have_count(0)
    # The session holds for another document, too.
    await visitor.reload()
    await expect(page.get_by_role("link", name=re.compile("^(Sign out|Hi, .+)$")).first).to_be_visible()
