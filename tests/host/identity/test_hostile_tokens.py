"""Invalid id tokens, and other callbacks that must not sign anybody in."""

import time
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import pytest
from aiohttp import web

from host.identity.errors import TEXTS
from host.identity.provider import PROVIDER
from tests.host.identity.browser import Browser, pairs
from tests.host.identity.forger import OTHER, Forger
from tests.host.site import Site
from tests.support.waiting import until

HOSTILE: dict[str, dict[str, Any]] = {
    "expired beyond the skew": {"shift": {"iat": -4000, "exp": -310}},
    "issued in the future": {"shift": {"iat": 310}},
    "without an end": {"claims": {"exp": None}},
    "of a foreign issuer": {"claims": {"iss": "https://id.example"}},
    "of no issuer": {"claims": {"iss": None}},
    "for a foreign audience": {"claims": {"aud": "elsewhere"}},
    "for several, made for another": {"claims": {"aud": ["storefront", "elsewhere"], "azp": "elsewhere"}},
    "for several, made for nobody": {"claims": {"aud": ["storefront", "elsewhere"]}},
    "made for another": {"claims": {"azp": "elsewhere"}},
    "with the wrong nonce": {"claims": {"nonce": "n" * 64}},
    "without a nonce": {"claims": {"nonce": None}},
    "of nobody": {"claims": {"sub": None}},
    "of a number": {"claims": {"sub": 7}},
    "with another access token's hash": {"claims": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"}},
    "unsigned": {"header": {"alg": "none", "kid": "k1"}},
    "signed with the public key": {"header": {"alg": "HS256", "kid": "k1"}},
    "signed with an unknown key": {"header": {"alg": "RS256", "kid": "k2"}, "key": OTHER},
    "signed with another key of that name": {"key": OTHER},
    "somebody else's userinfo": {"subject": "00u2"},
}


@pytest.fixture
async def forger() -> AsyncIterator[Forger]:
    provider = Forger()
    await provider.start()
    yield provider
    await provider.stop()


@pytest.fixture
async def shop(open_site, forger) -> Site:
    site = await open_site(OIDC_ISSUER=forger.origin, LIMITS="off")
    await until(lambda: site.app[PROVIDER].state == "up")
    return site


@pytest.fixture
async def visitor(shop, forger) -> AsyncIterator[Browser]:
    browser = Browser(shop, forger.origin)
    yield browser
    await browser.close()


async def begin_sign_in(visitor: Browser, forger: Forger, **more: Any) -> str:
    """Start a sign-in and return the callback's path; the provider receives the nonce, as usual."""
    status, answer = await visitor.login("ada", **more)
    assert status == 200, answer
    query = pairs(answer["redirect"])
    forger.nonce = query["nonce"]
    return f"/logincallback?code=once&state={query['state']}"


async def ends(visitor: Browser, path: str) -> str:
    answer = await visitor.ask("GET", path)
    assert (answer.status, answer.headers["Cache-Control"]) == (303, "no-store")
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    return answer.headers["Location"]


async def test_a_valid_token_signs_in(visitor, forger):
    assert await ends(visitor, await begin_sign_in(visitor, forger)) == "/"
    assert visitor.user_info["user"]["Email"] == "ada@example.test"


@pytest.mark.parametrize("what", HOSTILE)
async def test_an_invalid_token_signs_nobody_in(visitor, forger, what):
    for name, value in HOSTILE[what].items():
        setattr(forger, name, value)
    assert await ends(visitor, await begin_sign_in(visitor, forger)) == "/login?error=tokenRefused"
    assert visitor.user_info is None


@pytest.mark.parametrize("shift", [{"iat": -4000, "exp": -270}, {"iat": 290}])
async def test_clocks_may_differ_and_at_hash_may_be_missing(visitor, forger, shift):
    forger.shift, forger.claims = shift, {"at_hash": None}
    assert await ends(visitor, await begin_sign_in(visitor, forger)) == "/"


async def test_new_keys_are_fetched_and_forged_key_ids_do_not_cause_many_fetches(visitor, forger):
    assert await ends(visitor, await begin_sign_in(visitor, forger)) == "/"
    forger.key, forger.header, forger.published = OTHER, {"alg": "RS256", "kid": "k2"}, [OTHER]
    assert await ends(visitor, await begin_sign_in(visitor, forger)) == "/"
    forger.header = {"alg": "RS256", "kid": "k3"}
    for _ in range(5):
        assert await ends(visitor, await begin_sign_in(visitor, forger)) == "/login?error=tokenRefused"
    assert forger.requested.count("/keys") == 2


CALLBACKS = {
    "no state": ("/logincallback?code=once", "state"),
    "a foreign state": (f"/logincallback?code=once&state={'x' * 64}", "noTransaction"),
    "nothing": ("/logincallback", "state"),
}


@pytest.mark.parametrize("what", CALLBACKS)
async def test_a_callback_without_an_attempt_redirects_to_the_sign_in_page(visitor, forger, what):
    await begin_sign_in(visitor, forger)
    path, key = CALLBACKS[what]
    assert await ends(visitor, path) == f"/login?error={key}"
    assert visitor.user_info is None


ERRORS = {
    "error=access_denied&error_description=secret": "denied",
    "error=login_required": "loginRequired",
    "error=interaction_required": "loginRequired",
    "error=server_error": "unknown",
    "error=invalid_scope": "loginFailed",
    "iss=https%3A%2F%2Fid.example&code=once": "otherIssuer",
    "": "loginFailed",
}


@pytest.mark.parametrize("query", ERRORS)
async def test_each_error_of_the_provider_has_one_text(visitor, forger, query):
    state = pairs(await begin_sign_in(visitor, forger, area="admin", returnTo="/admin/visits"))["state"]
    where = await ends(visitor, f"/logincallback?{query}&state={state}")
    assert where == f"/adminlogin?error={ERRORS[query]}&returnTo=%2Fadmin%2Fvisits"
    assert ERRORS[query] in TEXTS


ISSUERS = {
    "announced, and missing": (True, "", "/login?error=otherIssuer"),
    "announced, and sent": (True, "&iss={origin}", "/"),
    "announced, and another's": (True, "&iss=https%3A%2F%2Fid.example", "/login?error=otherIssuer"),
    "not announced, and missing": (False, "", "/"),
}


@pytest.mark.parametrize("case", ISSUERS)
async def test_a_callback_names_its_issuer_where_the_provider_announces_it(open_site, forger, case):
    is_announced, query, where = ISSUERS[case]
    forger.answers["/.well-known/openid-configuration"] = lambda: web.json_response(
        {**forger._discovery(), "authorization_response_iss_parameter_supported": is_announced}
    )
    site = await open_site(OIDC_ISSUER=forger.origin, LIMITS="off")
    await until(lambda: site.app[PROVIDER].state == "up")
    browser = Browser(site, forger.origin)
    path = await begin_sign_in(browser, forger)
    assert await ends(browser, path + query.format(origin=quote(forger.origin, safe=""))) == where
    await browser.close()


async def test_a_callback_can_be_used_once(visitor, forger):
    path = await begin_sign_in(visitor, forger)
    jar = dict(visitor.jar)
    assert await ends(visitor, path) == "/"
    signed_in = dict(visitor.jar)
    # Opened again it signs nobody in, and leads who is signed in to the site.
    assert (await ends(visitor, path), visitor.jar, forger.requested.count("/token")) == ("/", signed_in, 1)
    visitor.jar = {}
    assert await ends(visitor, path) == "/login?error=noTransaction"
    forger.answers["/token"] = lambda: refused("invalid_grant")
    visitor.jar = jar
    assert await ends(visitor, path) == "/login?error=codeRefused"


def refused(error: str) -> Any:
    from aiohttp import web

    return web.json_response({"error": error, "error_description": "no"}, status=400)


async def test_another_browser_cannot_complete_the_sign_in(shop, visitor, forger):
    path = await begin_sign_in(visitor, forger)
    other = Browser(shop, forger.origin)
    assert await ends(other, path) == "/login?error=noTransaction"
    assert await ends(visitor, path) == "/"
    await other.close()


async def test_a_callback_after_31_minutes_is_refused(visitor, forger, monkeypatch):
    path = await begin_sign_in(visitor, forger)
    later = time.time() + 31 * 60
    monkeypatch.setattr("host.identity.callback.time.time", lambda: later)
    assert await ends(visitor, path) == "/login?error=noTransaction"


async def test_a_browser_keeps_five_attempts_and_drops_the_oldest(visitor, forger):
    paths = [await begin_sign_in(visitor, forger) for _ in range(6)]
    assert sum(name.startswith("lt_") for name in visitor.cookies) == 5
    assert await ends(visitor, paths[0]) == "/login?error=noTransaction"
    assert await ends(visitor, paths[5]) == "/"
