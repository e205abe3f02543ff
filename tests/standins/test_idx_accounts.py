"""The identity engine: accounts made, recovered and unlocked."""

import pytest

from tests.standins.driver import claims
from tests.standins.idx_driver import NEW_PASSWORD, Engine


async def registering(engine, **profile):
    await engine.start()
    await engine.submit("select-enroll-profile")
    fields = {"firstName": "Nora", "lastName": "Neu", "email": "nora@example.test", **profile}
    return await engine.submit("enroll-profile", userProfile=fields)


async def test_an_account_is_created_with_a_password_and_a_verified_address(engine):
    await registering(engine)
    assert engine.names == ["select-authenticator-enroll"]
    await engine.choose("select-authenticator-enroll", "okta_password")
    assert engine.current["settings"]["complexity"]["minLength"] == 8
    await engine.answers("enroll-authenticator", passcode="short")
    assert engine.messages == ["password.passwordRequirementsNotMet"]
    await engine.answers("enroll-authenticator", passcode=NEW_PASSWORD)
    assert (await engine.browser.authn("nora@example.test", NEW_PASSWORD))["errorCode"] == "E0000004"
    await engine.choose("select-authenticator-enroll", "okta_email")
    code = (await engine.browser.message("nora@example.test"))["code"]
    await engine.answers("enroll-authenticator", passcode=code)
    assert engine.names == ["select-authenticator-enroll", "skip"]
    await engine.submit("skip")
    about = claims((await engine.tokens())["id_token"])
    assert (about["name"], about["email"], about["email_verified"]) == ("Nora Neu", "nora@example.test", True)
    assert (await engine.browser.authn("nora@example.test", NEW_PASSWORD))["status"] == "SUCCESS"


@pytest.mark.parametrize(
    ("profile", "key"),
    [
        ({"email": "ada@example.test"}, "registration.error.notUniqueWithinOrg"),
        ({"email": "nobody"}, "registration.error.invalidLoginEmail"),
        ({"firstName": " "}, "registration.error.doesNotMatchPattern"),
        ({"lastName": "x" * 51}, "registration.error.tooLong"),
    ],
)
async def test_an_invalid_registration_is_refused_with_a_message_at_the_field(engine, profile, key):
    await registering(engine, **profile)
    assert (engine.browser.status, engine.messages) == (400, [key])
    field = next(iter(profile))
    fields = engine.form("enroll-profile")["value"][0]["form"]["value"]
    assert [entry["name"] for entry in fields if "messages" in entry] == [field]


async def test_registration_may_be_switched_off(provider):
    engine = Engine(await provider(features={"registration": False, "unlock": False, "recovery": False}))
    first = await engine.start()
    assert engine.names == ["identify", "redirect-idp"]
    assert "currentAuthenticator" not in first


async def test_an_address_may_have_to_be_verified_first(provider):
    engine = Engine(await provider(registration={"verifyFirst": True}))
    await registering(engine)
    assert engine.messages == ["idx.email.verification.required"]
    mail = await engine.browser.message("nora@example.test")
    other = Engine(engine.browser)
    await other.start(activation_token=mail["token"])
    await other.choose("select-authenticator-enroll", "okta_password")
    await other.answers("enroll-authenticator", passcode=NEW_PASSWORD)
    assert other.names == ["select-authenticator-enroll", "skip"]
    assert (await engine.interact(activation_token=mail["token"]))["error"] == "invalid_request"


async def recovering(engine, name):
    await engine.start()
    await engine.submit("currentAuthenticator-recover")
    assert engine.names == ["identify-recovery"]
    await engine.submit("identify-recovery", identifier=name)
    await engine.choose("select-authenticator-authenticate", "okta_email")


async def test_a_forgotten_password_is_replaced_by_a_mailed_code(engine):
    await recovering(engine, "ada")
    code = (await engine.browser.message("ada@example.test"))["code"]
    await engine.answers("challenge-authenticator", passcode=code)
    assert engine.names == ["reset-authenticator"]
    await engine.answers("reset-authenticator", passcode=NEW_PASSWORD)
    assert "id_token" in await engine.tokens()
    assert (await engine.browser.authn("ada", NEW_PASSWORD))["status"] == "SUCCESS"


async def test_recovery_asks_the_security_question_before_the_new_password(engine):
    await recovering(engine, "asked")
    await engine.answers("challenge-authenticator", passcode=(await engine.browser.message("asked"))["code"])
    assert engine.names[0] == "challenge-authenticator"
    await engine.answers("challenge-authenticator", questionKey="favorite_walk", answer="along the river")
    assert engine.names == ["reset-authenticator"]


async def test_recovery_does_not_replace_the_second_factor(provider):
    policy = {"second": ["phone_number"], "enroll": {}}
    engine = Engine(await provider(signOn={"any-mfa": policy}))
    await recovering(engine, "phone")
    await engine.answers(
        "challenge-authenticator", passcode=(await engine.browser.message("phone@example.test"))["code"]
    )
    await engine.answers("reset-authenticator", passcode=NEW_PASSWORD)
    assert engine.names[0] == "authenticator-verification-data"


async def test_recovering_and_unlocking_an_unknown_name_look_like_a_known_one(browser):
    seen = []
    for name in ("ada", "nobody"):
        engine = Engine(browser)
        await recovering(engine, name)
        await engine.answers("challenge-authenticator", passcode="000000x")
        seen.append((browser.status, engine.names, engine.messages, engine.current.get("profile"), set(engine.current)))
    assert seen[0] == seen[1]
    assert await browser.sent("nobody") == 0


async def test_a_locked_account_is_unlocked_by_a_mailed_code(engine):
    await engine.start()
    await engine.submit("unlock-account")
    await engine.choose("select-authenticator-unlock-account", "okta_email", identifier="locked2")
    code = (await engine.browser.message("locked2"))["code"]
    await engine.answers("challenge-authenticator", passcode=code)
    assert engine.messages == ["oie.selfservice.unlock_user.success.message"]
    assert (engine.names, "cancel" in engine.answer) == ([], True)
    assert (await engine.browser.authn("locked2"))["status"] == "SUCCESS"


async def test_a_recovery_token_of_a_mail_leads_to_the_new_password(engine):
    await engine.browser.post("/api/v1/authn/recovery/password", {"username": "ada", "factorType": "EMAIL"})
    mail = await engine.browser.message("ada")
    await engine.start(recovery_token=mail["token"])
    assert engine.names == ["reset-authenticator"]
