"""The identity engine: every flow with every authenticator, by the forms that the answers offer."""

import pytest

from standins.identity import totp
from tests.standins.driver import CALLBACK, ISSUERS, ORIGIN, SITE, claims, pairs
from tests.standins.engine import Engine
from tests.standins.keys import SecurityKey

NEW = "Better-Horse-22"
PHONE = "+15550100001"


@pytest.fixture
async def engine(browser):
    return Engine(browser)


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
async def test_a_wrong_beginning_is_refused_with_a_description(engine, more, error):
    answer = await engine.interact(**more)
    assert answer["error"] == error
    assert answer["error_description"]


@pytest.mark.parametrize("body", [{"interactionHandle": "x"}, {"stateToken": "x"}, {}])
async def test_an_unknown_handle_is_an_expired_session_as_plain_json(engine, body):
    await engine.introspect(**body)
    assert (engine.browser.status, engine.browser.type) == (401, "application/json")
    assert engine.messages == ["idx.session.expired"]


async def test_a_transaction_ends_after_half_an_hour(engine, clock):
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
async def test_a_wrong_sign_in_leaves_the_form(engine, name, password, key):
    await engine.start()
    await engine.identify(name, password)
    assert engine.messages == [key]
    assert engine.names[0] == "identify"


async def test_lock_out_counts_both_ways_of_signing_in_together(engine):
    await engine.start()
    for _ in range(5):
        await engine.identify("ada", "wrong")
        await engine.browser.authn("ada", "wrong")
    await engine.identify("ada")
    assert engine.messages == ["errors.E0000119"]


async def test_cancel_begins_anew_and_kills_the_old_handle(engine):
    first = await engine.start()
    second = await engine.submit("cancel")
    assert second["stateHandle"] != first["stateHandle"]
    assert engine.names[0] == "identify"
    await engine.introspect(stateToken=first["stateHandle"])
    assert engine.messages == ["idx.session.expired"]


@pytest.mark.parametrize(
    "path", ["skip", "challenge", "challenge/answer", "credential/enroll", "enroll/new", "nothing"]
)
async def test_a_step_out_of_turn_is_refused(engine, path):
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
    await engine.answers("reenroll-authenticator", passcode=NEW)
    assert "id_token" in await engine.tokens()


async def test_a_password_that_will_expire_may_be_kept(engine):
    await engine.start()
    await engine.identify("warn")
    assert engine.names == ["reenroll-authenticator-warning", "skip"]
    await engine.submit("skip")
    assert "id_token" in await engine.tokens()


async def test_a_mailed_code_is_the_second_factor(engine):
    await engine.start()
    await engine.identify("email-mfa")
    assert engine.names == ["challenge-authenticator", "select-authenticator-authenticate"]
    current = engine.answer["currentAuthenticatorEnrollment"]["value"]
    assert (current["profile"], current["poll"]["refresh"]) == ({"email": "e***a@example.test"}, 4000)
    mail = await engine.browser.message("email-mfa")
    assert pairs(mail["link"]) == {"otp": mail["code"], "state": "s1"}
    assert mail["link"].startswith(CALLBACK)
    await engine.answers("challenge-authenticator", passcode="wrong")
    assert (engine.browser.status, engine.messages) == (401, ["api.authn.error.PASSCODE_INVALID"])
    await engine.submit("currentAuthenticatorEnrollment-poll")
    assert engine.names[0] == "challenge-authenticator"
    await engine.answers("challenge-authenticator", passcode=mail["code"])
    assert claims((await engine.tokens())["id_token"])["amr"] == ["pwd", "otp", "mfa"]


async def test_a_code_sent_again_replaces_the_first_and_five_tries_are_all(engine):
    await engine.start()
    await engine.identify("email-mfa")
    first = (await engine.browser.message("email-mfa"))["code"]
    await engine.submit("currentAuthenticatorEnrollment-resend")
    second = (await engine.browser.message("email-mfa"))["code"]
    for tried in (first + "x", "1", "2", "3", "4"):
        await engine.answers("challenge-authenticator", passcode=tried)
        assert engine.messages == ["api.authn.error.PASSCODE_INVALID"]
    await engine.answers("challenge-authenticator", passcode=second)
    assert (engine.browser.status, engine.messages) == (429, ["tooManyRequests"])
    assert engine.names[0] == "challenge-authenticator"


@pytest.mark.parametrize(("method", "channel"), [("sms", "sms"), ("voice", "call")])
async def test_a_phone_is_asked_the_way_that_was_chosen(engine, method, channel):
    await engine.start()
    await engine.identify("phone")
    assert engine.names == ["select-authenticator-authenticate"]
    await engine.choose("select-authenticator-authenticate", "phone_number")
    assert engine.names[0] == "authenticator-verification-data"
    which = engine.form("authenticator-verification-data")["value"][0]["form"]["value"][0]["value"]
    await engine.submit("authenticator-verification-data", authenticator={"id": which, "methodType": method})
    sent = await engine.browser.message(PHONE)
    assert sent["channel"] == channel
    await engine.submit("currentAuthenticatorEnrollment-resend")
    assert (engine.browser.status, engine.messages) == (429, ["errors.E0000150"])
    await engine.answers("challenge-authenticator", passcode=sent["code"])
    assert claims((await engine.tokens())["id_token"])["amr"] == ["pwd", "sms", "mfa"]


async def test_one_may_switch_to_another_authenticator(engine):
    await engine.start()
    await engine.identify("phone")
    await engine.choose("select-authenticator-authenticate", "phone_number", methodType="sms")
    await engine.choose("select-authenticator-authenticate", "okta_email")
    code = (await engine.browser.message("phone@example.test"))["code"]
    await engine.answers("challenge-authenticator", passcode=code)
    assert "id_token" in await engine.tokens()


async def test_a_security_question_is_the_second_factor(engine):
    await engine.start()
    await engine.identify("asked")
    await engine.choose("select-authenticator-authenticate", "security_question")
    data = engine.answer["currentAuthenticatorEnrollment"]["value"]["contextualData"]
    assert data == {"enrolledQuestion": {"questionKey": "favorite_walk", "question": "What is your favourite walk?"}}
    await engine.answers("challenge-authenticator", questionKey="favorite_walk", answer="wrong")
    assert engine.messages == ["api.authn.error.PASSCODE_INVALID"]
    await engine.answers("challenge-authenticator", questionKey="favorite_walk", answer="Along the river")
    assert "id_token" in await engine.tokens()


async def test_identifier_first_asks_for_the_password_on_a_step_of_its_own(provider):
    engine = Engine(await provider(features={"identifierFirst": True}))
    await engine.start()
    await engine.submit("identify", identifier="ada")
    assert engine.names == ["challenge-authenticator", "select-authenticator-authenticate"]
    await engine.answers("challenge-authenticator", passcode="wrong")
    assert (engine.browser.status, engine.messages) == (401, ["incorrectPassword"])
    await engine.answers("challenge-authenticator", passcode="Correct-Horse-1")
    assert "id_token" in await engine.tokens()


async def test_identifier_first_recovers_a_user_who_is_known_already(provider):
    engine = Engine(await provider(features={"identifierFirst": True}))
    await engine.start()
    await engine.submit("identify", identifier="ada")
    await engine.submit("currentAuthenticatorEnrollment-recover")
    assert engine.names == ["select-authenticator-authenticate"]


async def enrolled(provider, key, **enroll):
    """At the enrolment list of `enroller`, whose policy then wants that authenticator as a second factor."""
    policy = {"second": [key], "enroll": {key: "optional"}}
    engine = Engine(await provider(signOn={"enroll-mfa": policy}))
    await engine.start()
    await engine.identify("enroller")
    assert engine.names == ["select-authenticator-enroll", "skip"]
    await engine.choose("select-authenticator-enroll", key, **enroll)
    return engine


async def again(engine):
    """The same user at the second factor, in a new transaction."""
    other = Engine(engine.browser)
    await other.start()
    await other.identify("enroller")
    return other


def current(engine):
    name = next(one for one in ("currentAuthenticator", "currentAuthenticatorEnrollment") if one in engine.answer)
    return engine.answer[name]["value"]


async def test_an_app_code_is_enrolled_then_asked_and_good_once(provider, clock):
    engine = await enrolled(provider, "google_otp")
    data = current(engine)["contextualData"]
    assert data["qrcode"]["href"].startswith("data:image/png;base64,")
    await engine.answers("enroll-authenticator", passcode="000")
    assert engine.messages == ["authfactor.challenge.soft_token.invalid_passcode"]
    code = totp.at(data["sharedSecret"], int(clock.now // 30))
    await engine.answers("enroll-authenticator", passcode=code)
    assert "id_token" in await engine.tokens()
    later = await again(engine)
    await later.answers("challenge-authenticator", passcode=code)
    assert later.messages == ["authfactor.challenge.soft_token.used_passcode"]
    clock.pass_by(30)
    await later.answers("challenge-authenticator", passcode=totp.at(data["sharedSecret"], int(clock.now // 30)))
    assert "id_token" in await later.tokens()


async def test_a_phone_is_enrolled_then_asked(provider, clock):
    engine = await enrolled(provider, "phone_number")
    assert engine.names[0] == "authenticator-enrollment-data"
    given = {"id": "autphone", "methodType": "sms", "phoneNumber": "555"}
    await engine.submit("authenticator-enrollment-data", authenticator=given)
    assert engine.messages == ["phone.invalid"]
    given["phoneNumber"] = "+1 (555) 010-0888"
    await engine.submit("authenticator-enrollment-data", authenticator=given)
    await engine.answers("enroll-authenticator", passcode=(await engine.browser.message("+15550100888"))["code"])
    assert "id_token" in await engine.tokens()
    later = await again(engine)
    assert later.names[0] == "authenticator-verification-data"


async def test_a_question_of_ones_own_is_enrolled_then_asked(provider):
    engine = await enrolled(provider, "security_question")
    assert "custom" in current(engine)["contextualData"]["questionKeys"]
    await engine.answers("enroll-authenticator", questionKey="custom", question="Name of the boat?", answer="no")
    assert engine.messages == ["errors.E0000001"] * len(engine.messages)
    await engine.answers("enroll-authenticator", questionKey="custom", question="Name of the boat?", answer="Seagull")
    assert "id_token" in await engine.tokens()
    later = await again(engine)
    assert current(later)["contextualData"]["enrolledQuestion"]["question"] == "Name of the boat?"
    await later.answers("challenge-authenticator", questionKey="custom", answer="seagull")
    assert "id_token" in await later.tokens()


async def test_a_security_key_is_enrolled_then_asked(provider):
    engine = await enrolled(provider, "webauthn")
    options = current(engine)["contextualData"]["activationData"]
    assert options["rp"] == {"name": "Coursefront", "id": "localhost"}
    key = SecurityKey()
    await engine.answers("enroll-authenticator", **key.create(options["challenge"]))
    assert "id_token" in await engine.tokens()
    later = await again(engine)
    challenge = current(later)["contextualData"]["challengeData"]["challenge"]
    await later.answers("challenge-authenticator", **SecurityKey().get(challenge))
    assert later.messages == ["authfactor.webauthn.error.assertion_validation_failure"]
    await later.answers("challenge-authenticator", **key.get(challenge))
    assert claims((await later.tokens())["id_token"])["amr"] == ["pwd", "hwk", "mfa"]


async def test_the_verify_app_is_enrolled_then_approves_rejects_or_gives_a_code(provider, clock):
    engine = await enrolled(provider, "okta_verify")
    assert engine.names[:2] == ["enroll-poll", "select-enrollment-channel"]
    await engine.submit("enroll-poll")
    assert engine.names[0] == "enroll-poll"
    secret = (await engine.browser.post("/dev/push", {"to": "enroller", "action": "enroll"}))["sharedSecret"]
    await engine.submit("enroll-poll")
    assert "id_token" in await engine.tokens()
    for action, key in (("reject", "api.authn.poll.error.push_rejected"), ("approve", None)):
        later = await again(engine)
        which = {"id": "autverify", "methodType": "push"}
        await later.submit("authenticator-verification-data", authenticator=which)
        assert later.names[0] == "challenge-poll"
        await later.submit("challenge-poll")
        assert (later.browser.status, later.names[0]) == (200, "challenge-poll")
        await engine.browser.post("/dev/push", {"to": "enroller", "action": action})
        await later.submit("challenge-poll")
        assert later.messages == ([key] if key else [])
    assert "id_token" in await later.tokens()
    coded = await again(engine)
    await coded.submit("authenticator-verification-data", authenticator={"id": "autverify", "methodType": "totp"})
    await coded.answers("challenge-authenticator", totp=totp.at(secret, int(clock.now // 30)))
    assert "id_token" in await coded.tokens()


async def test_the_verify_app_may_be_set_up_by_mail(provider):
    engine = await enrolled(provider, "okta_verify", channel="email")
    assert engine.names[0] == "enrollment-channel-data"
    await engine.submit("enrollment-channel-data", email="enroller@example.test")
    assert (await engine.browser.message("enroller@example.test"))["link"].startswith("oktaverify://")
    assert current(engine)["contextualData"] == {"selectedChannel": "email"}
    assert engine.names[0] == "enroll-poll"


async def registering(engine, **profile):
    await engine.start()
    await engine.submit("select-enroll-profile")
    given = {"firstName": "Nora", "lastName": "Neu", "email": "nora@example.test", **profile}
    return await engine.submit("enroll-profile", userProfile=given)


async def test_an_account_is_made_with_a_password_and_a_proved_address(engine):
    await registering(engine)
    assert engine.names == ["select-authenticator-enroll"]
    await engine.choose("select-authenticator-enroll", "okta_password")
    assert current(engine)["settings"]["complexity"]["minLength"] == 8
    await engine.answers("enroll-authenticator", passcode="short")
    assert engine.messages == ["password.passwordRequirementsNotMet"]
    await engine.answers("enroll-authenticator", passcode=NEW)
    assert (await engine.browser.authn("nora@example.test", NEW))["errorCode"] == "E0000004"
    await engine.choose("select-authenticator-enroll", "okta_email")
    code = (await engine.browser.message("nora@example.test"))["code"]
    await engine.answers("enroll-authenticator", passcode=code)
    assert engine.names == ["select-authenticator-enroll", "skip"]
    await engine.submit("skip")
    about = claims((await engine.tokens())["id_token"])
    assert (about["name"], about["email"], about["email_verified"]) == ("Nora Neu", "nora@example.test", True)
    assert (await engine.browser.authn("nora@example.test", NEW))["status"] == "SUCCESS"


@pytest.mark.parametrize(
    ("profile", "key"),
    [
        ({"email": "ada@example.test"}, "registration.error.notUniqueWithinOrg"),
        ({"email": "nobody"}, "registration.error.invalidLoginEmail"),
        ({"firstName": " "}, "registration.error.doesNotMatchPattern"),
        ({"lastName": "x" * 51}, "registration.error.tooLong"),
    ],
)
async def test_a_registration_that_cannot_be_is_said_at_the_field(engine, profile, key):
    await registering(engine, **profile)
    assert (engine.browser.status, engine.messages) == (400, [key])
    field = next(iter(profile))
    fields = engine.form("enroll-profile")["value"][0]["form"]["value"]
    assert [one["name"] for one in fields if "messages" in one] == [field]


async def test_registration_may_be_switched_off(provider):
    engine = Engine(await provider(features={"registration": False, "unlock": False, "recovery": False}))
    first = await engine.start()
    assert engine.names == ["identify", "redirect-idp"]
    assert "currentAuthenticator" not in first


async def test_an_address_may_have_to_be_proved_first(provider):
    engine = Engine(await provider(registration={"verifyFirst": True}))
    await registering(engine)
    assert engine.messages == ["idx.email.verification.required"]
    mail = await engine.browser.message("nora@example.test")
    other = Engine(engine.browser)
    await other.start(activation_token=mail["token"])
    await other.choose("select-authenticator-enroll", "okta_password")
    await other.answers("enroll-authenticator", passcode=NEW)
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
    await engine.answers("reset-authenticator", passcode=NEW)
    assert "id_token" in await engine.tokens()
    assert (await engine.browser.authn("ada", NEW))["status"] == "SUCCESS"


async def test_a_question_stands_before_the_new_password(engine):
    await recovering(engine, "asked")
    await engine.answers("challenge-authenticator", passcode=(await engine.browser.message("asked"))["code"])
    assert engine.names[0] == "challenge-authenticator"
    await engine.answers("challenge-authenticator", questionKey="favorite_walk", answer="along the river")
    assert engine.names == ["reset-authenticator"]


async def test_recovery_does_not_stand_in_for_a_second_factor(provider):
    policy = {"second": ["phone_number"], "enroll": {}}
    engine = Engine(await provider(signOn={"any-mfa": policy}))
    await recovering(engine, "phone")
    await engine.answers(
        "challenge-authenticator", passcode=(await engine.browser.message("phone@example.test"))["code"]
    )
    await engine.answers("reset-authenticator", passcode=NEW)
    assert engine.names[0] == "authenticator-verification-data"


async def test_recovering_and_unlocking_an_unknown_name_look_like_a_known_one(browser):
    seen = []
    for name in ("ada", "nobody"):
        engine = Engine(browser)
        await recovering(engine, name)
        await engine.answers("challenge-authenticator", passcode="000000x")
        seen.append(
            (browser.status, engine.names, engine.messages, current(engine).get("profile"), set(current(engine)))
        )
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


async def test_every_list_points_at_what_it_names(provider):
    policy = dict.fromkeys(("phone_number", "google_otp", "security_question", "okta_verify", "webauthn"), "optional")
    engine = Engine(await provider(signOn={"enroll-mfa": {"second": [], "enroll": policy}}))
    await engine.start()
    await engine.identify("enroller")
    for key in policy:
        await engine.choose("select-authenticator-enroll", key)
    assert engine.names[0] == "enroll-authenticator"


async def test_a_transaction_goes_on_after_a_restart(provider, browser):
    engine = Engine(browser)
    await engine.start()
    await engine.identify("email-mfa")
    await browser.close()
    engine.browser = await provider()
    await engine.introspect(stateToken=engine.answer["stateHandle"])
    code = (await engine.browser.message("email-mfa"))["code"]
    await engine.answers("challenge-authenticator", passcode=code)
    assert "id_token" in await engine.tokens()
