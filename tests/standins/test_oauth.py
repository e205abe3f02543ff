"""OpenID Connect on both issuers: discovery, authorize, token, userinfo, revoke, introspect, logout, keys."""

import hashlib
from base64 import b64encode, urlsafe_b64encode

import pytest
from joserfc import jwt
from joserfc.jwk import KeySet

from tests.standins.driver import CALLBACK, ISSUERS, ORIGIN, SCOPE, SITE, VERIFIER, claims

both = pytest.mark.parametrize("issuer", ISSUERS, ids=["org", "default"])


@both
async def test_discovery_names_the_issuer_and_its_endpoints(browser, issuer):
    for name in ("openid-configuration", "oauth-authorization-server"):
        response = await browser.get(f"{issuer}/.well-known/{name}")
        base = ORIGIN + (issuer or "/oauth2")
        assert response["issuer"] == ORIGIN + issuer
        assert response["jwks_uri"] == f"{base}/v1/keys"
        assert response["end_session_endpoint"] == f"{base}/v1/logout"
        assert response["code_challenge_methods_supported"] == ["S256"]
        assert response["id_token_signing_alg_values_supported"] == ["RS256"]


@both
async def test_a_sign_in_ends_with_tokens_that_name_the_user_and_the_issuer(browser, issuer):
    tokens = await browser.signed_in("ada", issuer)
    assert {name: tokens[name] for name in ("token_type", "expires_in", "scope")} == {
        "token_type": "Bearer",
        "expires_in": 3600,
        "scope": SCOPE,
    }
    keys = KeySet.import_key_set(await browser.get(f"{issuer or '/oauth2'}/v1/keys"))
    about = jwt.decode(tokens["id_token"], keys, algorithms=["RS256"]).claims
    access = jwt.decode(tokens["access_token"], keys, algorithms=["RS256"]).claims
    half = hashlib.sha256(tokens["access_token"].encode()).digest()[:16]
    assert (about["iss"], about["aud"], about["nonce"], about["amr"]) == (ORIGIN + issuer, "storefront", "n1", ["pwd"])
    assert about["at_hash"] == urlsafe_b64encode(half).decode().rstrip("=")
    assert (about["email"], about["email_verified"], about["preferred_username"]) == ("ada@example.test", True, "ada")
    assert (access["sub"], access["uid"], access["cid"]) == ("ada", about["sub"], "storefront")
    assert access["aud"] == ("api://default" if issuer else ORIGIN)
    assert "refresh_token" not in tokens


async def test_a_code_of_one_issuer_is_refused_by_the_other(browser):
    answer = await browser.authn("ada")
    back = await browser.authorize("", sessionToken=answer["sessionToken"])
    refused = await browser.token("/oauth2/default", code=back["code"], code_verifier=VERIFIER)
    assert (browser.status, refused["error"]) == (400, "invalid_grant")


async def test_a_session_token_works_once_and_for_five_minutes(browser, provider, clock):
    answer = await browser.authn("ada")
    assert "code" in await browser.authorize(sessionToken=answer["sessionToken"])
    browser.client.session.cookie_jar.clear()
    assert "code" not in await browser.authorize(sessionToken=answer["sessionToken"])
    late = await browser.authn("ada")
    clock.pass_by(301)
    assert "code" not in await browser.authorize(sessionToken=late["sessionToken"])


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_mode": "smoke"}, "unsupported_response_mode"),
        ({"scope": "openid admin"}, "invalid_scope"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"max_age": "soon"}, "invalid_request"),
        ({"prompt": "none login"}, "invalid_request"),
        ({"prompt": "none"}, "login_required"),
    ],
)
async def test_an_invalid_request_returns_error_description_and_state(browser, more, error):
    back = await browser.authorize(**more)
    assert (browser.status, back["error"], back["state"]) == (302, error, "s1")
    assert back["error_description"]


@pytest.mark.parametrize("more", [{"client_id": "nobody"}, {"redirect_uri": f"{SITE}/logincallback/"}])
async def test_an_address_that_is_not_registered_is_never_redirected_to(browser, more):
    await browser.authorize(**more)
    assert browser.status == 400
    assert "Location" not in browser.headers


async def test_a_session_signs_in_silently_until_it_is_too_old(browser, clock):
    await browser.signed_in("ada")
    assert "code" in await browser.authorize(prompt="none")
    clock.pass_by(100)
    assert "code" in await browser.authorize(max_age="100")
    assert (await browser.authorize(max_age="99", prompt="none"))["error"] == "login_required"
    assert "to" in await browser.authorize(prompt="login")
    clock.pass_by(7200)
    assert (await browser.authorize(prompt="none"))["error"] == "login_required"


async def test_every_response_mode_carries_code_and_state(browser):
    await browser.signed_in("ada")
    await browser.authorize(response_mode="fragment")
    assert browser.headers["Location"].startswith(f"{CALLBACK}#code=")
    assert browser.headers["Referrer-Policy"] == "no-referrer"
    await browser.authorize(response_mode="form_post")
    assert f'action="{CALLBACK}"' in browser.page
    assert 'name="state" value="s1"' in browser.page
    await browser.authorize(response_mode="okta_post_message", prompt="none")
    assert f'data-origin="{SITE}"' in browser.page
    assert f"frame-ancestors {SITE}" in browser.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"code_verifier": "w" * 43}, "invalid_grant"),
        ({"code_verifier": ""}, "invalid_grant"),
        ({"redirect_uri": f"{SITE}/other"}, "invalid_grant"),
        ({"code": "invented"}, "invalid_grant"),
        ({"code": ""}, "invalid_request"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"client_id": "nobody"}, "invalid_client"),
    ],
)
async def test_an_invalid_code_exchange_is_refused_with_a_description(browser, fields, error):
    answer = await browser.authn("ada")
    back = await browser.authorize(sessionToken=answer["sessionToken"])
    refused = await browser.token(**{"code": back["code"], "code_verifier": VERIFIER, **fields})
    assert (browser.status, refused["error"]) == (401 if error == "invalid_client" else 400, error)
    assert refused["error_description"]


async def test_a_code_works_once_and_for_a_minute(browser, clock):
    await browser.signed_in("ada")
    code = (await browser.authorize())["code"]
    assert "id_token" in await browser.token(code=code, code_verifier=VERIFIER)
    assert (await browser.token(code=code, code_verifier=VERIFIER))["error"] == "invalid_grant"
    late = (await browser.authorize())["code"]
    clock.pass_by(61)
    assert (await browser.token(code=late, code_verifier=VERIFIER))["error"] == "invalid_grant"


async def test_a_refresh_token_is_replaced_at_every_use(browser):
    first = await browser.signed_in("ada", scope="openid offline_access")
    second = await browser.token(grant_type="refresh_token", refresh_token=first["refresh_token"])
    assert claims(second["id_token"])["sub"] == claims(first["id_token"])["sub"]
    dead = await browser.token(grant_type="refresh_token", refresh_token=first["refresh_token"])
    assert dead == {"error": "invalid_grant", "error_description": "The refresh token is invalid or expired."}
    wider = await browser.token(
        grant_type="refresh_token", refresh_token=second["refresh_token"], scope="openid profile"
    )
    assert wider["error"] == "invalid_scope"


async def test_userinfo_returns_the_claims_of_the_scopes(browser):
    tokens = await browser.signed_in("ada", scope="openid email")
    response = await browser.get("/oauth2/v1/userinfo", headers={"Authorization": f"Bearer {tokens['access_token']}"})
    assert response == {"sub": claims(tokens["id_token"])["sub"], "email": "ada@example.test", "email_verified": True}


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer x.y.z"}, {"Authorization": "Basic YQ=="}])
async def test_userinfo_refuses_other_bearers(browser, header):
    await browser.get("/oauth2/v1/userinfo", headers=header)
    assert browser.status == 401
    assert 'error="invalid_token"' in browser.headers["WWW-Authenticate"]


async def test_userinfo_requires_the_scope_openid(browser):
    tokens = await browser.signed_in("ada", scope="email")
    await browser.get("/oauth2/v1/userinfo", headers={"Authorization": f"Bearer {tokens['access_token']}"})
    assert browser.status == 403
    assert 'error="insufficient_scope"' in browser.headers["WWW-Authenticate"]


async def test_a_revoked_token_is_invalid_also_when_the_basic_header_has_no_colon(browser):
    tokens = await browser.signed_in("ada")
    header = {"Authorization": "Basic " + b64encode(b"storefront").decode()}
    word = tokens["access_token"]
    alive = await browser.call("POST", "/oauth2/v1/introspect", data={"token": word}, headers=header)
    assert (alive["active"], alive["sub"], alive["client_id"]) == (True, "ada", "storefront")
    assert await browser.call("POST", "/oauth2/v1/revoke", data={"token": word}, headers=header) == ""
    assert browser.status == 200
    assert await browser.call("POST", "/oauth2/v1/introspect", data={"token": word}, headers=header) == {
        "active": False
    }
    await browser.call("POST", "/oauth2/v1/revoke", data={"token": "unknown"}, headers=header)
    assert browser.status == 200


async def test_an_access_token_expires_after_an_hour(browser, clock):
    tokens = await browser.signed_in("ada")
    clock.pass_by(3600)
    await browser.get("/oauth2/v1/userinfo", headers={"Authorization": f"Bearer {tokens['access_token']}"})
    assert browser.status == 401


async def test_keys_rotate_and_the_previous_key_stays_published(browser):
    first = await browser.signed_in("ada")
    before = {key["kid"] for key in (await browser.get("/oauth2/v1/keys"))["keys"]}
    new_kid = (await browser.post("/dev/rotate", {}))["kid"]
    after = {entry["kid"] for entry in (await browser.get("/oauth2/v1/keys"))["keys"]}
    assert after == before | {new_kid}
    assert not any("d" in row for row in (await browser.get("/oauth2/v1/keys"))["keys"])
    await browser.get("/oauth2/v1/userinfo", headers={"Authorization": f"Bearer {first['access_token']}"})
    assert browser.status == 200


async def test_signing_out_ends_the_session_and_redirects_back(browser, clock):
    tokens = await browser.signed_in("ada")
    clock.pass_by(4000)
    hint = tokens["id_token"]
    await browser.get(f"/oauth2/v1/logout?id_token_hint={hint}&post_logout_redirect_uri={SITE}&state=x")
    assert (browser.status, browser.headers["Location"]) == (302, f"{SITE}?state=x")
    assert (await browser.authorize(prompt="none"))["error"] == "login_required"


@pytest.mark.parametrize(
    "change",
    [lambda hint: hint[:-4] + "AAAA", lambda hint: "", lambda hint: hint + "&post_logout_redirect_uri=http://x.test"],
)
async def test_a_forged_sign_out_ends_nothing(browser, change):
    tokens = await browser.signed_in("ada")
    await browser.get(f"/oauth2/v1/logout?id_token_hint={change(tokens['id_token'])}")
    assert (browser.status, browser.type) == (400, "text/html")
    assert "code" in await browser.authorize(prompt="none")


async def test_the_session_call_reads_and_ends_the_session(browser):
    assert (await browser.get("/api/v1/sessions/me"))["errorCode"] == "E0000007"
    await browser.signed_in("ada")
    response = await browser.get("/api/v1/sessions/me")
    assert (response["login"], response["status"]) == ("ada", "ACTIVE")
    await browser.call("DELETE", "/api/v1/sessions/me")
    assert browser.status == 204
    await browser.get("/api/v1/sessions/me")
    assert browser.status == 404


async def test_only_registered_origins_may_call_from_a_page(browser):
    await browser.call("OPTIONS", "/api/v1/authn", headers={"Origin": SITE})
    assert browser.headers["Access-Control-Allow-Origin"] == SITE
    assert browser.headers["Access-Control-Allow-Credentials"] == "true"
    await browser.call("OPTIONS", "/api/v1/authn", headers={"Origin": "http://evil.test"})
    assert (browser.status, browser.headers.get("Access-Control-Allow-Origin")) == (403, None)


async def test_the_fingerprint_frame_is_for_registered_sites(browser):
    page = await browser.get("/auth/services/devicefingerprint")
    assert f'data-origins="{SITE}"' in page
    assert f"frame-ancestors {SITE}" in browser.headers["Content-Security-Policy"]
    assert browser.headers["Cache-Control"] == "no-store"
    assert "FingerprintServiceReady" in await browser.get("/files/fingerprint.js")


async def test_unknown_paths_and_methods_get_the_usual_error_format(browser):
    assert (await browser.get("/api/v1/nothing"))["errorCode"] == "E0000008"
    response = await browser.get("/api/v1/authn")
    assert (browser.status, response["errorCode"], response["errorCauses"]) == (405, "E0000022", [])


async def test_sessions_and_tokens_survive_a_restart(provider, browser):
    tokens = await browser.signed_in("ada", scope="openid offline_access")
    await browser.close()
    again = await provider()
    renewed = await again.token(grant_type="refresh_token", refresh_token=tokens["refresh_token"])
    assert claims(renewed["id_token"])["sub"] == claims(tokens["id_token"])["sub"]
    await again.get("/oauth2/v1/userinfo", headers={"Authorization": f"Bearer {tokens['access_token']}"})
    assert again.status == 200
