"""Staff sign in with two factors where the setting asks for them, in one attempt more at the provider at most."""

import re
from html import unescape
from urllib.parse import urlsplit

import pytest
from sqlalchemy import select

from domain.tables import LearnerSession
from standins.identity.oauth import authorize
from tests.host.identity.browser import PASSWORD, Browser, pairs
from tests.host.identity.flow import Flow
from tests.host.identity.test_sign_in import enters
from tests.host.site import ORIGIN

STRONG = "urn:okta:loa:2fa:any"


@pytest.fixture
async def strict(world):
    """The shop where staff need a second factor, with an administrator who has one role and one password."""
    site = await world.open(STAFF_SECOND_FACTOR="on")
    enters(world, "admin", roles=["administrator"])
    enters(world, "email-mfa", roles=["administrator"])
    return site


async def stepped_up(browser: Browser, callback: str) -> str:
    """The address at the provider that a callback without a second factor leads to."""
    answer = await browser.ask("GET", callback)
    assert (answer.status, browser.user_info) == (303, None)
    start = answer.headers["Location"]
    assert (urlsplit(start).path, pairs(start)) == (
        "/api/auth/start",
        {"returnTo": "/admin/staff", "area": "admin", "acrValues": STRONG},
    )
    return (await browser.ask("GET", start)).headers["Location"]


async def hosted(browser: Browser, page: str, **fields: str) -> tuple[str, str]:
    """The next page of the provider's own sign-in, and where it leads."""
    form = re.findall(r"<form.*?</form>", page, re.DOTALL)[0]
    hidden = {name: unescape(value) for name, value in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)}
    address = f"{browser.provider}/signin"
    async with browser._elsewhere.post(address, data={**hidden, **fields}, allow_redirects=False) as answer:
        return await answer.text(), answer.headers.get("Location", "")


def methods(world) -> list[str]:
    with world.site.db.read_session() as session:
        return list(session.scalars(select(LearnerSession.amr).order_by(LearnerSession.id)))


async def test_a_password_alone_leads_to_the_provider_which_asks_for_a_code(world, strict):
    browser = world.browser(strict)
    address = await stepped_up(browser, await browser.begin("admin", area="admin", returnTo="/admin/staff"))
    async with browser._elsewhere.get(await browser.go(address)) as answer:
        page = await answer.text()
    page, _ = await hosted(browser, page, username="admin", password=PASSWORD)
    page, _ = await hosted(browser, page, factor=re.search(r'<option value="(\w+)">Code by email', page)[1])
    code = await Flow(browser, world.standin).code("admin@example.test")
    _, back = await hosted(browser, page, answer=code)
    answer = await browser.ask("GET", back.removeprefix(ORIGIN))
    assert (answer.headers["Location"], methods(world)) == ("/admin/staff", ["pwd otp mfa"])


async def test_a_provider_that_does_not_ask_leaves_them_outside(world, strict, monkeypatch):
    monkeypatch.setattr(authorize, "asks_for_two_factors", lambda _params: False)
    browser = world.browser(strict)
    address = await stepped_up(browser, await browser.begin("admin", area="admin", returnTo="/admin/staff"))
    answer = await browser.ask("GET", (await browser.go(address)).removeprefix(ORIGIN))
    assert answer.headers["Location"] == "/adminlogin?error=secondFactor&returnTo=%2Fadmin%2Fstaff"
    assert (browser.user_info, methods(world)) == (None, [])


async def test_where_the_provider_knows_no_acr_values_it_is_asked_once(world):
    site = await world.open(STAFF_SECOND_FACTOR="on", STAFF_ACR_VALUES="none")
    enters(world, "admin", roles=["administrator"])
    browser = world.browser(site)
    assert await browser.sign_in("admin", area="admin") == "/adminlogin?error=secondFactor"


async def test_two_factors_of_a_transaction_are_enough(world, strict):
    browser = world.browser(strict)
    flow = Flow(browser, world.standin)
    await flow.start("authenticate", area="admin", returnTo="/")
    await flow.go("identify", identifier="email-mfa", passcode=PASSWORD)
    await flow.go("challenge-authenticator", passcode=await flow.code("email-mfa@example.test"))
    assert (flow.reply["status"], flow.reply["redirect"]) == ("SUCCESS", "/admin")
    assert methods(world) == ["pwd otp mfa"]


async def test_one_factor_of_a_transaction_leads_to_the_provider(world, strict):
    browser = world.browser(strict)
    flow = Flow(browser, world.standin)
    await flow.start("authenticate", area="admin", returnTo="/admin/staff")
    await flow.go("identify", identifier="admin", passcode=PASSWORD)
    assert (flow.reply["status"], pairs(flow.reply["redirect"])["acrValues"]) == ("SUCCESS", STRONG)
    assert (browser.user_info, methods(world)) == (None, [])


async def test_learners_need_no_second_factor(world, strict):
    assert await world.browser(strict).sign_in("ada") == "/"
