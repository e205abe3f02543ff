"""The provider stopped, broken, slow, or with new keys: a clear error, no lost data, and recovery by itself."""

import asyncio

import pytest
from aiohttp import web

from host import health
from host.identity.provider import PROVIDER
from tests.host.identity.browser import Browser, pairs
from tests.host.identity.forger import Forger
from tests.support.waiting import until


async def html() -> web.Response:
    return web.Response(text="<html>down for maintenance</html>", content_type="text/html")


async def broken() -> web.Response:
    return web.json_response({"errorCode": "E0000009", "errorSummary": "Internal"}, status=500)


async def endless() -> web.Response:
    return web.Response(body=b'"' + b"x" * 2**21 + b'"', content_type="application/json")


async def list_() -> web.Response:
    return web.json_response(["SUCCESS"])


async def elsewhere() -> web.Response:
    return web.Response(status=302, headers={"Location": "http://127.0.0.1:9/evil"})


async def slow() -> web.Response:
    await asyncio.sleep(3600)
    raise AssertionError


@pytest.fixture
async def forger():
    provider = Forger()
    await provider.start()
    yield provider
    await provider.stop()


@pytest.fixture
async def visitor(open_site, forger):
    site = await open_site(OIDC_ISSUER=forger.origin, PROVIDER_DEADLINE_MS="500", LIMITS="off")
    await until(lambda: site.app[PROVIDER].state == "up")
    browser = Browser(site, forger.origin)
    yield browser
    await browser.close()


@pytest.mark.parametrize("trouble", [html, broken, endless, slow])
async def test_a_failure_at_sign_in_is_an_unknown_error_with_retry_after(visitor, forger, trouble):
    forger.answers["/api/v1/authn"] = trouble
    answer = await visitor.ask("POST", "/api/auth/login", {"username": "ada", "password": "secret-word"})
    assert (answer.status, answer.headers["Retry-After"]) == (503, "10")
    assert (await answer.json(content_type=None))["detail"] == "Unknown error"
    forger.answers.clear()
    assert (await visitor.login("ada"))[0] == 200


@pytest.mark.parametrize("trouble", [list_, elsewhere])
async def test_an_empty_reply_is_a_failed_login(visitor, forger, trouble):
    forger.answers["/api/v1/authn"] = trouble
    status, _answer = await visitor.login("ada")
    assert status in (401, 409)
    assert "authn" in forger.requested[-1]


async def test_a_refusal_without_a_message_has_our_text(visitor, forger):
    forger.answers["/api/v1/authn"] = lambda: web.json_response({}, status=401)
    status, answer = await visitor.login("ada")
    assert (status, answer["detail"]) == (401, "Login failed")


async def test_a_rate_limited_provider_sets_retry_after(visitor, forger):
    forger.answers["/api/v1/authn"] = lambda: web.json_response({}, status=429, headers={"Retry-After": "7"})
    answer = await visitor.ask("POST", "/api/auth/login", {"username": "ada", "password": "x"})
    assert (answer.status, answer.headers["Retry-After"]) == (429, "7")


@pytest.mark.parametrize("trouble", [html, broken, slow])
@pytest.mark.parametrize("where", ["/token", "/keys", "/userinfo"])
async def test_a_failure_at_the_callback_redirects_with_an_error(visitor, forger, trouble, where):
    _, answer = await visitor.login("ada", returnTo="/cart")
    query = pairs(answer["redirect"])
    forger.nonce = query["nonce"]
    forger.answers[where] = trouble
    response = await visitor.ask("GET", f"/logincallback?code=once&state={query['state']}")
    assert response.headers["Location"] == "/login?error=unknown&returnTo=%2Fcart"
    assert visitor.user_info is None


async def test_a_provider_that_has_not_answered_yet_is_starting_for_a_minute_at_most(open_site, standin, monkeypatch):
    await standin.stop()
    site = await open_site(OIDC_ISSUER=standin.origin)
    assert (await (await site.get("/readyz")).json())["parts"]["provider"] == "starting"
    monkeypatch.setattr(health, "START_S", 0)
    assert (await (await site.get("/readyz")).json())["parts"]["provider"] == "down"


async def test_a_stopped_provider_is_not_called_until_it_is_back(world, ada):
    await world.standin.stop()
    for _ in range(6):
        status, answer = await ada.login("ada")
        assert (status, answer["detail"]) == (503, "Unknown error")
    provider = world.site.app[PROVIDER]
    assert provider.state == "down"
    response = await (await world.site.get("/readyz")).json()
    assert (response["parts"]["provider"], response["status"]) == ("down", "ready")
    assert (await world.site.get("/shop")).status == 200
    await world.standin.start()
    await until(lambda: provider.state == "up")
    assert await ada.sign_in() == "/"


async def test_sessions_and_signing_out_work_while_the_provider_is_stopped(world, ada):
    await ada.sign_in()
    await world.standin.stop()
    assert (await ada.call("auth/session", "GET"))[0] == 200
    status, _answer = await ada.call("auth/logout")
    assert (status, ada.user_info) == (200, None)
    assert (await ada.call("auth/session", "GET"))[0] == 401


async def test_keys_can_rotate_between_two_sign_ins(world, ada):
    await ada.sign_in()
    async with ada._elsewhere.post(f"{world.standin.origin}/dev/rotate") as answer:
        assert answer.status == 200
    assert await ada.sign_in() == "/"


async def test_another_issuers_document_is_refused(open_site, forger):
    forger.answers["/.well-known/openid-configuration"] = lambda: web.json_response(
        {**forger._discovery(), "issuer": "https://id.example"}
    )
    site = await open_site(OIDC_ISSUER=forger.origin)
    await until(lambda: "/.well-known/openid-configuration" in forger.requested)
    browser = Browser(site, forger.origin)
    assert (await browser.login("ada"))[0] == 503
    assert "/api/v1/authn" not in forger.requested
    await browser.close()


async def test_a_site_without_a_provider_works(bare_site):
    browser = Browser(bare_site, "")
    status, answer = await browser.login("ada")
    assert (status, answer["detail"]) == (503, "Unknown error")
    answer = await browser.ask("GET", "/api/auth/start")
    assert answer.headers["Location"] == "/login?error=unknown"
    await browser.close()
