"""Redirects back into a transaction: from another provider, by a mail link, and with invalid addresses."""

import pytest

from host.identity.errors import TEXTS
from tests.host.identity.browser import PASSWORD, pairs
from tests.host.identity.flow import Flow
from tests.host.site import ORIGIN


@pytest.fixture
def flow(ada, world):
    return Flow(ada, world.standin)


async def elsewhere(flow, login="ada", action="accept"):
    """Use the other provider's page; returns the path that it redirects the browser to."""
    link = flow.step("redirect-idp")["href"]
    form = {"stateToken": pairs(link)["stateToken"], "login": login, "action": action}
    path = link.partition("?")[0]
    async with flow.browser._elsewhere.post(path, data=form, allow_redirects=False) as answer:
        return answer.headers["Location"].removeprefix(ORIGIN)


async def back(flow, path):
    answer = await flow.browser.ask("GET", path)
    assert (answer.status, answer.headers["Cache-Control"]) == (303, "no-store")
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    return answer.headers["Location"]


async def test_another_identity_provider_signs_in(flow):
    await flow.start("authenticate", returnTo="/cart")
    step = flow.step("redirect-idp")
    assert (step["label"], step["inputs"], flow.names[0]) == ("Demo", [], "identify")
    assert await back(flow, await elsewhere(flow)) == "/cart"
    assert flow.browser.user_info["user"]["Email"] == "ada@example.test"
    assert "__Host-tx" not in flow.browser.cookies


async def test_a_refusal_at_another_provider_returns_to_the_unchanged_transaction(flow):
    await flow.start("authenticate", returnTo="/cart")
    assert await back(flow, await elsewhere(flow, action="refuse")) == "/verify"
    await flow.resume()
    assert (flow.reply["status"], flow.names[0], flow.reply["returnTo"]) == ("PENDING", "identify", "/cart")
    await flow.go("identify", identifier="ada", passcode=PASSWORD)
    assert (flow.reply["status"], flow.reply["redirect"]) == ("SUCCESS", "/cart")


async def test_an_interaction_code_can_be_used_once(flow):
    await flow.start("authenticate")
    path, jar = await elsewhere(flow), dict(flow.browser.jar)
    assert await back(flow, path) == "/"
    flow.browser.jar = jar
    assert await back(flow, path) == "/login?error=noTransaction"
    assert flow.browser.user_info is None


async def test_another_browser_cannot_complete_the_transaction(flow, world):
    await flow.start("authenticate")
    path = await elsewhere(flow)
    other = Flow(world.browser(), world.standin)
    assert await back(other, path) == "/login?error=noTransaction"
    await other.start("authenticate")
    assert await back(other, path) == "/login?error=interactionState"
    assert other.browser.user_info is None
    assert await back(flow, path) == "/"


STRANGE = {
    "without a code": ("", "noInteractionCode"),
    "with an empty code": ("&interaction_code=", "noInteractionCode"),
    "with an invented code": ("&interaction_code=invented", "codeRefused"),
}


@pytest.mark.parametrize("what", STRANGE)
async def test_an_invalid_redirect_back_ends_at_the_sign_in_page_of_its_area(flow, what):
    query, key = STRANGE[what]
    await flow.start("authenticate", area="organisation", returnTo="/organization")
    state = pairs(await elsewhere(flow))["state"]
    where = await back(flow, f"/logincallback?state={state}{query}")
    assert where == f"/organization-login?error={key}&returnTo=%2Forganization"
    assert (key in TEXTS, flow.browser.user_info) == (True, None)


async def test_an_error_beside_a_code_counts(flow):
    await flow.start("authenticate")
    state = pairs(await elsewhere(flow))["state"]
    assert await back(flow, f"/logincallback?interaction_code=x&error=access_denied&state={state}") == (
        "/login?error=denied"
    )


async def test_a_mail_link_continues_a_recovery_at_verify(flow):
    await flow.start("recoverPassword")
    await flow.go("identify-recovery", identifier="ada")
    await flow.choose("select-authenticator-authenticate", "email")
    link = (await flow.message("ada@example.test"))["link"].removeprefix(ORIGIN)
    assert await back(flow, link) == "/verify"
    await flow.resume()
    assert flow.names == ["reset-authenticator"]
    assert await back(flow, link) == "/verify"
    assert (await flow.resume())["status"] == "PENDING"


async def test_a_mail_link_with_another_state_shows_the_code_and_keeps_the_transaction(flow):
    await flow.start("authenticate")
    assert await back(flow, "/logincallback?otp=123456&state=foreign") == "/login?error=otherClient"
    assert flow.browser.cookies["otp_hint"] == "123456"
    assert (await flow.resume())["status"] == "PENDING"


async def test_an_invalid_code_is_not_shown(flow):
    assert await back(flow, "/logincallback?otp=%3Cscript%3E&state=x") == "/login?error=noTransaction"
    assert "otp_hint" not in flow.browser.cookies
