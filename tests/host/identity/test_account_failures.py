"""The account calls while the provider is stopped, broken or slow, or sends malformed replies."""

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from domain.tables import LearnerSession
from host.identity.provider import PROVIDER
from host.resilience.circuit_breaker import CircuitBreaker
from tests.host.identity.account import Account, signed_in
from tests.host.identity.browser import Browser, pairs
from tests.host.identity.forger import Forger
from tests.host.identity.test_provider_failures import broken, elsewhere, endless, html, list_, slow
from tests.support.waiting import until

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
    provider = Forger()
    await provider.start()
    yield provider
    await provider.stop()


@pytest.fixture
def closed_circuit(monkeypatch):
    """The provider is asked again after every failure: tests/host/resilience has the circuit."""
    monkeypatch.setattr(CircuitBreaker, "trip", lambda *_about: None)


@asynccontextmanager
async def signed_in_account(open_site, forger, **environment) -> AsyncIterator[Account]:
    """The account of a learner signed in at a provider whose replies a test can replace."""
    site = await open_site(OIDC_ISSUER=forger.origin, LIMITS="off", **environment)
    await until(lambda: site.app[PROVIDER].state == "up")
    browser = Browser(site, forger.origin)
    _, answer = await browser.login("ada")
    query = pairs(answer["redirect"])
    forger.nonce = query["nonce"]
    await browser.ask("GET", f"/logincallback?code=once&state={query['state']}")
    assert browser.user_info is not None
    yield Account(browser)
    await browser.close()


@pytest.fixture
async def account(open_site, forger):
    async with signed_in_account(open_site, forger) as opened:
        yield opened


@pytest.fixture
async def impatient_account(open_site, forger):
    """At a site that waits for half a second."""
    async with signed_in_account(open_site, forger, PROVIDER_DEADLINE_MS="500") as opened:
        yield opened


async def wrong_form() -> web.Response:
    return web.json_response({"id": 7, "profile": "none"})


async def teapot() -> web.Response:
    return web.json_response({"errorSummary": "Short and stout"}, status=418)


TROUBLE = [html, broken, endless, elsewhere, teapot]


async def test_a_failure_is_an_unknown_error_with_retry_after(account, forger, closed_circuit):
    """Every call with every failure, each of which the provider was really asked for."""
    replies = {}
    for trouble, call in itertools.product(TROUBLE, CALLS):
        method, path, body, theirs = call
        forger.answers = {AT + theirs: trouble}
        forger.requested.clear()
        reply = await account.ask(method, path, body)
        about = (account.status, reply["detail"], account.headers["Retry-After"], AT + theirs in forger.requested)
        replies[trouble.__name__, method, path] = about
    expected = {
        (trouble.__name__, method, path): (503, "Unknown error", "10", True)
        for trouble, (method, path, *_) in itertools.product(TROUBLE, CALLS)
    }
    assert replies == expected
    assert (await account.browser.call("auth/session", "GET"))[0] == 200


PATHS = ("/profile", "/emails", "/phones", "/password")


async def expect_unknown_errors(account, forger, trouble) -> None:
    for path in PATHS:
        forger.answers = {AT + path: trouble}
        forger.requested.clear()
        reply = await account.get(path)
        assert (account.status, reply["detail"]) == (503, "Unknown error"), path
        assert AT + path in forger.requested


@pytest.mark.parametrize("trouble", [wrong_form, list_])
async def test_a_malformed_reply_is_an_unknown_error_too(account, forger, closed_circuit, trouble):
    await expect_unknown_errors(account, forger, trouble)


async def test_a_late_reply_is_an_unknown_error_too(impatient_account, forger, closed_circuit):
    await expect_unknown_errors(impatient_account, forger, slow)


async def test_an_unknown_password_status_allows_no_change(account, forger):
    forger.answers[f"{AT}/password"] = lambda: web.json_response({"status": "SUSPENDED"})
    for method, body in (
        ("GET", {}),
        ("POST", {"password": "Better-Horse-22"}),
        ("PUT", {"password": "Better-Horse-22", "currentPassword": "x"}),
        ("DELETE", {}),
    ):
        reply = await account.ask(method, "/password", body)
        assert (account.status, reply["detail"]) == (
            409,
            "The password cannot be changed here while its status is SUSPENDED.",
        )
    assert forger.requested.count(f"{AT}/password") == 4


STALE = {
    "both": ('max_age="900", acr_values="urn:okta:loa:2fa:any"', 900, "urn:okta:loa:2fa:any"),
    "bare words": ("max_age=300", 300, None),
    "neither": ('error_description="more"', None, None),
    "no number": ('max_age="soon"', None, None),
}


@pytest.mark.parametrize("what", STALE)
async def test_an_insufficient_sign_in_returns_the_requirements(account, forger, what):
    header, age, acr = STALE[what]
    challenge = {"WWW-Authenticate": f'Bearer error="insufficient_authentication_context", {header}'}
    forger.answers[f"{AT}/emails"] = lambda: web.json_response({"errorSummary": "No"}, status=403, headers=challenge)
    reply = await account.get("/emails")
    assert (account.status, reply["detail"]) == (403, "insufficient_authentication_context")
    assert (reply["maxAge"], reply["acrValues"]) == (age, acr)


async def test_a_rate_limited_provider_sets_retry_after(account, forger):
    forger.answers[f"{AT}/emails"] = lambda: web.json_response({}, status=429, headers={"Retry-After": "7"})
    await account.get("/emails")
    assert (account.status, account.headers["Retry-After"]) == (429, "7")


async def test_a_link_in_a_reply_is_never_followed(account, forger):
    evil = {"href": "http://127.0.0.1:9/evil", "hints": {"allow": ["POST"]}}
    email = {"id": "e1", "status": "UNVERIFIED", "profile": {"email": "a@b.co"}, "_links": {"challenge": evil}}
    forger.answers[f"{AT}/emails"] = lambda: web.json_response(email, status=201)
    forger.answers[f"{AT}/emails/e1/challenge"] = lambda: web.json_response(
        {"id": "c1", "expiresAt": "2026-11-20T10:00:00Z", "_links": {"verify": evil}}, status=201
    )
    added = await account.post("/emails", email="a@b.co")
    assert (account.status, added["challengeId"]) == (200, "c1")
    assert forger.requested[-2:] == [f"{AT}/emails", f"{AT}/emails/e1/challenge"]


async def test_an_id_in_a_reply_cannot_change_the_path(account, forger):
    email = {"id": "../password", "status": "UNVERIFIED", "profile": {"email": "a@b.co"}}
    forger.answers[f"{AT}/emails"] = lambda: web.json_response(email, status=201)
    await account.post("/emails", email="a@b.co")
    assert account.status == 503
    assert forger.requested[-1] == f"{AT}/emails"


async def test_the_provider_receives_the_token_and_the_visitors_address(account, forger):
    heard = {}
    forger.on_request = lambda request: heard.update(request.headers)
    await account.get("/emails")
    assert (heard["Authorization"], heard["Accept"]) == ("Bearer access", "application/json; okta-version=1.0.0")
    assert heard["X-Forwarded-For"] == "127.0.0.1"
    assert "Cookie" not in heard


async def test_a_change_works_again_after_the_provider_stopped_within_it(world, ada):
    account = await signed_in(ada)
    added = await account.post("/emails", email="more@example.test")
    code = await account.code("more@example.test")
    await world.standin.stop()
    verify = f"/emails/{added['email']['id']}/challenge/{added['challengeId']}/verify"
    await account.post(verify, code=code)
    assert (account.status, account.reply["detail"]) == (503, "Unknown error")
    assert (await account.get("/sessions"))["sessions"][0]["isThis"]
    assert (await account.get("/export"))["profile"]["email"] == "ada@example.test"
    assert (await world.site.get("/shop")).status == 200
    await world.standin.start()
    await until(lambda: world.site.app[PROVIDER].state == "up")
    assert [one["isVerified"] for one in (await account.post(verify, code=code))["emails"]] == [True, True]


async def test_an_account_can_be_deleted_while_the_provider_is_unavailable(world, ada):
    account = await signed_in(ada)
    await world.standin.stop()
    assert (await account.delete("", confirm="ada@example.test"))["redirect"] != ""
    assert account.status == 200
    with world.site.db.read_session() as session:
        assert session.query(LearnerSession).count() == 0
