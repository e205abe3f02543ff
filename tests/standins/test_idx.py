"""The identity engine: beginning, refusing, ending and taking up a transaction; another provider."""

import pytest

from tests.standins.driver import ISSUERS, ORIGIN, SITE, claims, pairs
from tests.standins.idx_driver import NEW_PASSWORD, Engine


@pytest.mark.parametrize("issuer", ISSUERS, ids=["org", "default"])
async def test_a_name_and_a_password_end_with_tokens(browser, issuer):
    engine = Engine(browser, issuer)
    await engine.start()
    assert engine.names == ["identify", "select-enroll-profile", "unlock-account", "redirect-idp"]
    assert browser.headers["Content-Type"] == "application/ion+json; okta-version=1.0.0"
    await engine.identify("ada")
    tokens = await engine.tokens()
    about = claims(tokens["id_token"])
    assert (about["iss"], about["nonce"], about["amr"]) == (ORIGIN + issuer, "n1", ["pwd"])


async def test_introspecting_again_changes_nothing(engine):
    handle = (await engine.interact())["interaction_handle"]
    first = await engine.introspect(interactionHandle=handle)
    assert await engine.introspect(interactionHandle=handle) == first
    assert await engine.introspect(stateToken=first["stateHandle"]) == first


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"redirect_uri": f"{SITE}/x"}, "invalid_request"),
        ({"code_challenge": ""}, "invalid_request"),
        ({"state": ""}, "invalid_request"),
        ({"activation_token": "invented"}, "invalid_request"),
        ({"recovery_token": "invented"}, "invalid_request"),
        ({"scope": "admin"}, "invalid_scope"),
        ({"client_id": "nobody"}, "invalid_client"),
    ],
)
async def test_an_invalid_start_is_refused_with_a_description(engine, more, error):
    answer = await engine.interact(**more)
    assert answer["error"] == error
    assert answer["error_description"]


@pytest.mark.parametrize("body", [{"interactionHandle": "x"}, {"stateToken": "x"}, {}])
async def test_an_unknown_handle_is_an_expired_session_as_plain_json(engine, body):
    await engine.introspect(**body)
    assert (engine.browser.status, engine.browser.type) == (401, "application/json")
    assert engine.messages == ["idx.session.expired"]


async def test_a_transaction_expires_after_half_an_hour(engine, clock):
    first = await engine.start()
    clock.pass_by(1801)
    await engine.introspect(stateToken=first["stateHandle"])
    assert engine.messages == ["idx.session.expired"]


@pytest.mark.parametrize(
    ("name", "password", "key"),
    [
        ("ada", "wrong", "errors.E0000004"),
        ("nobody", "wrong", "errors.E0000004"),
        ("locked", "wrong", "errors.E0000119"),
        ("", "x", "errors.E0000001"),
    ],
)
async def test_after_a_failed_sign_in_the_form_is_offered_again(engine, name, password, key):
    await engine.start()
    await engine.identify(name, password)
    assert engine.messages == [key]
    assert engine.names[0] == "identify"


async def test_lock_out_counts_failures_of_both_sign_in_apis_together(engine):
    await engine.start()
    for _ in range(5):
        await engine.identify("ada", "wrong")
        await engine.browser.authn("ada", "wrong")
    await engine.identify("ada")
    assert engine.messages == ["errors.E0000119"]


async def test_cancel_starts_a_new_transaction_and_invalidates_the_old_handle(engine):
    first = await engine.start()
    second = await engine.submit("cancel")
    assert second["stateHandle"] != first["stateHandle"]
    assert engine.names[0] == "identify"
    await engine.introspect(stateToken=first["stateHandle"])
    assert engine.messages == ["idx.session.expired"]


@pytest.mark.parametrize(
    "path", ["skip", "challenge", "challenge/answer", "credential/enroll", "enroll/new", "nothing"]
)
async def test_a_step_that_is_not_offered_is_refused(engine, path):
    first = await engine.start()
    engine.answer = await engine.browser.post(f"/idp/idx/{path}", {"stateHandle": first["stateHandle"]})
    assert (engine.browser.status, engine.messages) == (400, ["errors.E0000079"])
    assert engine.names[0] == "identify"


async def test_an_expired_password_is_replaced(engine):
    await engine.start()
    await engine.identify("expired")
    assert engine.names == ["reenroll-authenticator"]
    await engine.answers("reenroll-authenticator", passcode="short")
    assert (engine.browser.status, engine.messages) == (403, ["password.passwordRequirementsNotMet"])
    await engine.answers("reenroll-authenticator", passcode=NEW_PASSWORD)
    assert "id_token" in await engine.tokens()


async def test_a_password_about_to_expire_may_stay(engine):
    await engine.start()
    await engine.identify("warn")
    assert engine.names == ["reenroll-authenticator-warning", "skip"]
    await engine.submit("skip")
    assert "id_token" in await engine.tokens()


async def test_another_provider_signs_in_or_refuses(engine):
    for login, expected in (("ada", "interaction_code"), ("nobody", "error")):
        await engine.start()
        link = engine.form("redirect-idp")
        assert "rel" not in link
        assert "Sign in with Demo" in await engine.browser.get(link["href"])
        fields = {"stateToken": pairs(link["href"])["stateToken"], "login": login, "action": "accept"}
        await engine.browser.form(link["href"].partition("?")[0].removeprefix(ORIGIN), **fields)
        back = pairs(engine.browser.headers["Location"])
        assert (expected in back, back["state"]) == (True, "s1")
    assert back["error"] == "interaction_required"
    await engine.introspect(stateToken=fields["stateToken"])
    assert engine.names[0] == "identify"


async def test_a_transaction_continues_after_a_restart(provider, browser):
    engine = Engine(browser)
    await engine.start()
    await engine.identify("email-mfa")
    await browser.close()
    engine.browser = await provider()
    await engine.introspect(stateToken=engine.answer["stateHandle"])
    code = (await engine.browser.message("email-mfa"))["code"]
    await engine.answers("challenge-authenticator", passcode=code)
    assert "id_token" in await engine.tokens()
