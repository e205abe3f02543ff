"""Where Authlib's core would answer otherwise than clients of the provider expect."""

from base64 import b64encode

import pytest
from aiohttp.test_utils import TestServer

from standins.identity.app import create_app
from standins.identity.provider import ProviderConfig, ProviderData, demo_data, open_provider
from tests.standins.driver import CALLBACK, ORIGIN, PASSWORD, SITE, VERIFIER, Browser, claims
from tests.standins.idx_driver import Engine

SECRET = "correct"
TOKEN = "/oauth2/v1/token"


def basic(text: bytes) -> dict[str, str]:
    return {"Authorization": "Basic " + b64encode(text).decode()}


@pytest.fixture
async def confidential(tmp_path, clock, aiohttp_client):
    """A provider whose one application has a secret and may not refresh."""
    data = demo_data()
    row = {**data.clients[0], "secret": SECRET, "grants": ["authorization_code"]}
    place = ProviderConfig(ORIGIN, SITE, tmp_path)
    opened = open_provider(place, ProviderData(data.policies, data.accounts, [row]), clock)
    return Browser(await aiohttp_client(TestServer(create_app(opened))), clock)


async def given_code(browser, **more):
    answer = await browser.authn("ada")
    return (await browser.authorize(sessionToken=answer["sessionToken"], **more))["code"]


@pytest.mark.parametrize("kind", ['"code"', "código", "code\\", ""])
async def test_an_unknown_response_type_is_returned_as_an_error(browser, kind):
    back = await browser.authorize(response_type=kind)
    assert (browser.status, back["error"], back["state"]) == (302, "unsupported_response_type", "s1")


@pytest.mark.parametrize("more", [{"redirect_uri": 'http://x.test/"é'}, {"redirect_uri": ""}, {"client_id": '"é'}])
async def test_an_unregistered_redirect_uri_gets_an_error_page(browser, more):
    await browser.authorize(**more)
    assert (browser.status, browser.type) == (400, "text/html")


@pytest.mark.parametrize("missing", ["code_challenge", "code_challenge_method"])
async def test_a_request_without_pkce_is_refused(browser, missing):
    assert (await browser.authorize(**{missing: ""}))["error"] == "invalid_request"


async def test_prompt_is_obeyed_without_the_scope_openid_too(browser):
    assert (await browser.authorize(scope="email", prompt="none"))["error"] == "login_required"
    await browser.signed_in("ada")
    assert "to" in await browser.authorize(scope="email", prompt="login")


async def test_a_session_token_signs_in_at_once_even_with_prompt_login(browser):
    assert await given_code(browser, prompt="login")


@pytest.mark.parametrize("text", [b"\xff\xfe", b"nobody", b"nobody:x", b""])
async def test_a_malformed_basic_header_is_an_unknown_client(browser, text):
    refused = await browser.call("POST", TOKEN, data={"grant_type": "refresh_token"}, headers=basic(text))
    assert (browser.status, refused["error"]) == (401, "invalid_client")
    assert refused["error_description"]


@pytest.mark.parametrize(
    ("headers", "fields", "status"),
    [
        (basic(b"storefront:correct"), {}, 200),
        ({}, {"client_id": "storefront", "client_secret": SECRET}, 200),
        ({}, {"client_id": "storefront"}, 401),
        ({}, {"client_id": "storefront", "client_secret": "wróng"}, 401),
        (basic(b"storefront"), {}, 401),
        (basic(b"storefront:wrong"), {"client_id": "storefront", "client_secret": SECRET}, 401),
    ],
)
async def test_a_client_with_a_secret_must_send_it(confidential, headers, fields, status):
    code = await given_code(confidential)
    params = {"grant_type": "authorization_code", "redirect_uri": CALLBACK, "code": code, "code_verifier": VERIFIER}
    await confidential.call("POST", TOKEN, data={**params, **fields}, headers=headers)
    assert confidential.status == status


async def test_a_grant_that_the_client_may_not_use_is_refused(confidential):
    refused = await confidential.token(grant_type="refresh_token", refresh_token="x", client_secret=SECRET)
    assert (confidential.status, refused["error"]) == (400, "unauthorized_client")
    assert refused["error_description"]


async def test_a_code_sent_with_a_wrong_verifier_becomes_invalid(browser):
    code = await given_code(browser)
    assert (await browser.token(code=code, code_verifier="w" * 43))["error"] == "invalid_grant"
    assert (await browser.token(code=code, code_verifier=VERIFIER))["error"] == "invalid_grant"


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, 200),
        ({"redirect_uri": CALLBACK}, 200),
        ({"redirect_uri": f"{SITE}/other"}, 400),
        ({"code_verifier": "w" * 43}, 400),
        ({"grant_type": "authorization_code"}, 400),
        ({"interaction_code": ""}, 400),
    ],
)
async def test_an_interaction_code_may_omit_the_redirect_uri_but_not_change_it(browser, fields, status):
    engine = Engine(browser)
    await engine.start()
    answer = await engine.submit("identify", identifier="ada", credentials={"passcode": PASSWORD})
    form = answer["successWithInteractionCode"]["value"]
    params = {field["name"]: field["value"] for field in form if "value" in field} | {"code_verifier": VERIFIER}
    if fields.get("grant_type"):
        params["code"] = params["interaction_code"]
    tokens = await browser.form(TOKEN, **{**params, **fields})
    assert (browser.status, "id_token" in tokens) == (status, status == 200)


async def test_a_refresh_keeps_auth_time_and_amr_but_not_the_nonce(browser, clock):
    first = await browser.signed_in("ada", scope="openid profile offline_access")
    clock.pass_by(100)
    renewed = await browser.token(grant_type="refresh_token", refresh_token=first["refresh_token"], scope="openid")
    before, after = claims(first["id_token"]), claims(renewed["id_token"])
    assert (after["auth_time"], after["amr"]) == (before["auth_time"], before["amr"])
    assert (after["iat"], renewed["scope"]) == (before["iat"] + 100, "openid")
    assert "nonce" not in after
    whole = await browser.token(grant_type="refresh_token", refresh_token=renewed["refresh_token"])
    assert whole["scope"] == "openid profile offline_access"


@pytest.mark.parametrize("word", ["", "unknown"])
async def test_an_invalid_refresh_token_is_refused_with_the_text_that_clients_expect(browser, word):
    refused = await browser.token(grant_type="refresh_token", refresh_token=word)
    text = "The refresh token is invalid or expired." if word else refused["error_description"]
    assert (refused["error"], refused["error_description"]) == ("invalid_grant" if word else "invalid_request", text)
    assert text


async def test_wrong_token_type_hints_and_other_clients_tokens_change_nothing(browser):
    tokens = await browser.signed_in("ada", scope="openid offline_access")
    fields = {"token": tokens["refresh_token"], "token_type_hint": "id_token", "client_id": "storefront"}
    assert (await browser.form("/oauth2/v1/introspect", **fields))["scope"] == "openid offline_access"
    assert await browser.form("/oauth2/v1/revoke", **fields) == ""
    assert (browser.status, browser.headers["Cache-Control"]) == (200, "no-store")
    assert await browser.form("/oauth2/v1/introspect", **fields) == {"active": False}
    assert await browser.form("/oauth2/v1/introspect", client_id="storefront") == {"active": False}


async def test_an_access_token_is_not_an_id_token_hint(browser):
    tokens = await browser.signed_in("ada")
    await browser.get(f"/oauth2/v1/logout?id_token_hint={tokens['access_token']}")
    assert (browser.status, browser.type) == (400, "text/html")
    await browser.get(f"/oauth2/v1/logout?id_token_hint={tokens['id_token']}")
    assert (browser.status, browser.type) == (200, "text/html")
    assert (await browser.authorize(prompt="none"))["error"] == "login_required"


@pytest.mark.parametrize("kind", ['"é"', ""])
async def test_an_unknown_grant_type_is_not_repeated_in_the_error(browser, kind):
    refused = await browser.token(grant_type=kind)
    assert refused == {
        "error": "unsupported_grant_type",
        "error_description": "The authorization grant type is not supported.",
    }
