"""The account calls while the provider is stopped, broken, slow, or says what nobody asked for."""

import pytest
from aiohttp import web

from domain.tables import LearnerSession
from host import keys
from tests.host.identity.account import Account, signed_in
from tests.host.identity.browser import Browser, pairs
from tests.host.identity.forger import Forger
from tests.host.identity.test_provider_trouble import broken, elsewhere, endless, html, list_, slow
from tests.waiting import until

CALLS = [
    ("GET", "/profile", {}, "/profile"),
    ("PUT", "/profile", {"profile": {"title": "Dr"}}, "/profile"),
    ("GET", "/emails", {}, "/emails"),
    ("POST", "/emails", {"email": "more@example.test"}, "/emails"),
    ("PUT", "/emails/e1/primary", {}, "/emails/e1"),
    ("POST", "/emails/e1/challenge", {}, "/emails/e1/challenge"),
    ("POST", "/emails/e1/challenge/c1/verify", {"code": "1"}, "/emails/e1/challenge/c1/verify"),
    ("GET", "/phones", {}, "/phones"),
    ("POST", "/phones", {"number": "+15550100077"}, "/phones"),
    ("POST", "/phones/p1/challenge", {}, "/phones/p1/challenge"),
    ("GET", "/password", {}, "/password"),
    ("DELETE", "/password", {}, "/password"),
]
AT = "/idp/myaccount"


@pytest.fixture
async def forger():
    made = Forger()
    await made.start()
    yield made
    await made.stop()


@pytest.fixture
async def mine(open_site, forger):
    """Somebody signed in at a provider that then does what a test wants."""
    site = await open_site(OIDC_ISSUER=forger.origin, PROVIDER_DEADLINE_MS="500", LIMITS="off")
    await until(lambda: site.app[keys.PROVIDER].state == "up")
    browser = Browser(site, forger.origin)
    _, answer = await browser.login("ada")
    asked = pairs(answer["redirect"])
    forger.nonce = asked["nonce"]
    await browser.ask("GET", f"/logincallback?code=once&state={asked['state']}")
    assert browser.user_info is not None
    yield Account(browser)
    await browser.close()


async def wrong_form() -> web.Response:
    return web.json_response({"id": 7, "profile": "none"})


async def teapot() -> web.Response:
    return web.json_response({"errorSummary": "Short and stout"}, status=418)


TROUBLE = [html, broken, endless, elsewhere, teapot]


@pytest.mark.parametrize("trouble", TROUBLE)
@pytest.mark.parametrize("asked", CALLS, ids=lambda one: " ".join(one[:2]))
async def test_trouble_is_an_unknown_error_that_may_pass(mine, forger, trouble, asked):
    method, path, body, theirs = asked
    forger.answers[AT + theirs] = trouble
    told = await mine.ask(method, path, body)
    assert (mine.status, told["detail"], mine.headers["Retry-After"]) == (503, "Unknown error", "10")
    assert (await mine.browser.call("auth/session", "GET"))[0] == 200


@pytest.mark.parametrize("trouble", [wrong_form, list_, slow])
@pytest.mark.parametrize("path", ["/profile", "/emails", "/phones", "/password"])
async def test_an_answer_in_another_form_or_too_late_is_one_too(mine, forger, trouble, path):
    forger.answers[AT + path] = trouble
    told = await mine.get(path)
    assert (mine.status, told["detail"]) == (503, "Unknown error")


async def test_a_status_of_the_password_that_nobody_knows_offers_nothing(mine, forger):
    forger.answers[f"{AT}/password"] = lambda: web.json_response({"status": "SUSPENDED"})
    for method, body in (
        ("GET", {}),
        ("POST", {"password": "Better-Horse-22"}),
        ("PUT", {"password": "Better-Horse-22", "currentPassword": "x"}),
        ("DELETE", {}),
    ):
        told = await mine.ask(method, "/password", body)
        assert (mine.status, told["detail"]) == (
            409,
            "The password cannot be changed here while its status is SUSPENDED.",
        )
    assert forger.asked.count(f"{AT}/password") == 4


STALE = {
    "both": ('max_age="900", acr_values="urn:okta:loa:2fa:any"', 900, "urn:okta:loa:2fa:any"),
    "bare words": ("max_age=300", 300, None),
    "neither": ('error_description="more"', None, None),
    "no number": ('max_age="soon"', None, None),
}


@pytest.mark.parametrize("what", STALE)
async def test_a_sign_in_that_is_not_enough_says_what_would_be(mine, forger, what):
    header, age, acr = STALE[what]
    said = {"WWW-Authenticate": f'Bearer error="insufficient_authentication_context", {header}'}
    forger.answers[f"{AT}/emails"] = lambda: web.json_response({"errorSummary": "No"}, status=403, headers=said)
    told = await mine.get("/emails")
    assert (mine.status, told["detail"]) == (403, "insufficient_authentication_context")
    assert (told["maxAge"], told["acrValues"]) == (age, acr)


async def test_a_busy_provider_says_when(mine, forger):
    forger.answers[f"{AT}/emails"] = lambda: web.json_response({}, status=429, headers={"Retry-After": "7"})
    await mine.get("/emails")
    assert (mine.status, mine.headers["Retry-After"]) == (429, "7")


async def test_a_link_of_an_answer_is_never_followed(mine, forger):
    evil = {"href": "http://127.0.0.1:9/evil", "hints": {"allow": ["POST"]}}
    one = {"id": "e1", "status": "UNVERIFIED", "profile": {"email": "a@b.co"}, "_links": {"challenge": evil}}
    forger.answers[f"{AT}/emails"] = lambda: web.json_response(one, status=201)
    forger.answers[f"{AT}/emails/e1/challenge"] = lambda: web.json_response(
        {"id": "c1", "expiresAt": "2026-11-20T10:00:00Z", "_links": {"verify": evil}}, status=201
    )
    made = await mine.post("/emails", email="a@b.co")
    assert (mine.status, made["challengeId"]) == (200, "c1")
    assert forger.asked[-2:] == [f"{AT}/emails", f"{AT}/emails/e1/challenge"]


async def test_an_id_of_an_answer_cannot_lead_elsewhere(mine, forger):
    one = {"id": "../password", "status": "UNVERIFIED", "profile": {"email": "a@b.co"}}
    forger.answers[f"{AT}/emails"] = lambda: web.json_response(one, status=201)
    await mine.post("/emails", email="a@b.co")
    assert mine.status == 503
    assert forger.asked[-1] == f"{AT}/emails"


async def test_the_provider_hears_the_token_and_who_is_asking(mine, forger):
    heard = {}
    forger.hears = lambda request: heard.update(request.headers)
    await mine.get("/emails")
    assert (heard["Authorization"], heard["Accept"]) == ("Bearer access", "application/json; okta-version=1.0.0")
    assert heard["X-Forwarded-For"] == "127.0.0.1"
    assert "Cookie" not in heard


async def test_a_provider_stopped_in_mid_change_harms_nobody_and_is_found_again(world, ada):
    mine = await signed_in(ada)
    made = await mine.post("/emails", email="more@example.test")
    code = await mine.code("more@example.test")
    await world.standin.stop()
    verify = f"/emails/{made['email']['id']}/challenge/{made['challengeId']}/verify"
    await mine.post(verify, code=code)
    assert (mine.status, mine.said["detail"]) == (503, "Unknown error")
    assert (await mine.get("/sessions"))["sessions"][0]["isThis"]
    assert (await mine.get("/export"))["profile"]["email"] == "ada@example.test"
    assert (await world.site.get("/shop")).status == 200
    await world.standin.start()
    await until(lambda: world.site.app[keys.PROVIDER].state == "up")
    assert [one["isVerified"] for one in (await mine.post(verify, code=code))["emails"]] == [True, True]


async def test_a_provider_that_is_away_keeps_nobody_from_deleting_their_account(world, ada):
    mine = await signed_in(ada)
    await world.standin.stop()
    assert (await mine.delete("", confirm="ada@example.test"))["redirect"] != ""
    assert mine.status == 200
    with world.site.db.reading() as session:
        assert session.query(LearnerSession).count() == 0
