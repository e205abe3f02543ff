"""The identity engine: second factors, asked and enrolled."""

import pytest

from standins.identity.authenticators import totp
from tests.standins.driver import CALLBACK, claims, pairs
from tests.standins.idx_driver import Engine
from tests.standins.security_key import SecurityKey

PHONE = "+15550100001"


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


async def test_a_resent_code_replaces_the_first_and_allows_five_attempts(engine):
    await engine.start()
    await engine.identify("email-mfa")
    first = (await engine.browser.message("email-mfa"))["code"]
    await engine.submit("currentAuthenticatorEnrollment-resend")
    second = (await engine.browser.message("email-mfa"))["code"]
    for entry in (first + "x", "1", "2", "3", "4"):
        await engine.answers("challenge-authenticator", passcode=entry)
        assert engine.messages == ["api.authn.error.PASSCODE_INVALID"]
    await engine.answers("challenge-authenticator", passcode=second)
    assert (engine.browser.status, engine.messages) == (429, ["tooManyRequests"])
    assert engine.names[0] == "challenge-authenticator"


@pytest.mark.parametrize(("method", "channel"), [("sms", "sms"), ("voice", "call")])
async def test_a_phone_code_is_sent_by_the_chosen_method(engine, method, channel):
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


async def test_a_challenge_can_switch_to_another_authenticator(engine):
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


async def test_identifier_first_recovers_the_user_it_already_knows(provider):
    engine = Engine(await provider(features={"identifierFirst": True}))
    await engine.start()
    await engine.submit("identify", identifier="ada")
    await engine.submit("currentAuthenticatorEnrollment-recover")
    assert engine.names == ["select-authenticator-authenticate"]


async def begin_enrolment(provider, key, **enroll):
    """An engine that has chosen `key` in the enrolment list of `enroller`, whose policy then wants that authenticator
    as a second factor."""
    policy = {"second": [key], "enroll": {key: "optional"}}
    engine = Engine(await provider(signOn={"enroll-mfa": policy}))
    await engine.start()
    await engine.identify("enroller")
    assert engine.names == ["select-authenticator-enroll", "skip"]
    await engine.choose("select-authenticator-enroll", key, **enroll)
    return engine


async def again(engine):
    """`enroller` at the second factor, in a new transaction of this engine's browser."""
    other = Engine(engine.browser)
    await other.start()
    await other.identify("enroller")
    return other


async def test_an_app_is_enrolled_then_challenged_and_each_code_works_once(provider, clock):
    engine = await begin_enrolment(provider, "google_otp")
    data = engine.current["contextualData"]
    assert data["qrcode"]["href"].startswith("data:image/png;base64,")
    await engine.answers("enroll-authenticator", passcode="000")
    assert engine.messages == ["authfactor.challenge.soft_token.invalid_passcode"]
    code = totp.code_at(data["sharedSecret"], int(clock.now // 30))
    await engine.answers("enroll-authenticator", passcode=code)
    assert "id_token" in await engine.tokens()
    later = await again(engine)
    await later.answers("challenge-authenticator", passcode=code)
    assert later.messages == ["authfactor.challenge.soft_token.used_passcode"]
    clock.pass_by(30)
    await later.answers("challenge-authenticator", passcode=totp.code_at(data["sharedSecret"], int(clock.now // 30)))
    assert "id_token" in await later.tokens()


async def test_a_phone_is_enrolled_then_challenged(provider, clock):
    engine = await begin_enrolment(provider, "phone_number")
    assert engine.names[0] == "authenticator-enrollment-data"
    fields = {"id": "autphone", "methodType": "sms", "phoneNumber": "555"}
    await engine.submit("authenticator-enrollment-data", authenticator=fields)
    assert engine.messages == ["phone.invalid"]
    fields["phoneNumber"] = "+1 (555) 010-0888"
    await engine.submit("authenticator-enrollment-data", authenticator=fields)
    await engine.answers("enroll-authenticator", passcode=(await engine.browser.message("+15550100888"))["code"])
    assert "id_token" in await engine.tokens()
    later = await again(engine)
    assert later.names[0] == "authenticator-verification-data"


async def test_a_custom_security_question_is_enrolled_then_asked(provider):
    engine = await begin_enrolment(provider, "security_question")
    assert "custom" in engine.current["contextualData"]["questionKeys"]
    await engine.answers("enroll-authenticator", questionKey="custom", question="Name of the boat?", answer="no")
    assert engine.messages == ["errors.E0000001"] * len(engine.messages)
    await engine.answers("enroll-authenticator", questionKey="custom", question="Name of the boat?", answer="Seagull")
    assert "id_token" in await engine.tokens()
    later = await again(engine)
    assert later.current["contextualData"]["enrolledQuestion"]["question"] == "Name of the boat?"
    await later.answers("challenge-authenticator", questionKey="custom", answer="seagull")
    assert "id_token" in await later.tokens()


async def test_a_security_key_is_enrolled_then_challenged(provider):
    engine = await begin_enrolment(provider, "webauthn")
    options = engine.current["contextualData"]["activationData"]
    assert options["rp"] == {"name": "Coursefront", "id": "localhost"}
    key = SecurityKey()
    await engine.answers("enroll-authenticator", **key.create(options["challenge"]))
    assert "id_token" in await engine.tokens()
    later = await again(engine)
    challenge = later.current["contextualData"]["challengeData"]["challenge"]
    await later.answers("challenge-authenticator", **SecurityKey().get(challenge))
    assert later.messages == ["authfactor.webauthn.error.assertion_validation_failure"]
    await later.answers("challenge-authenticator", **key.get(challenge))
    assert claims((await later.tokens())["id_token"])["amr"] == ["pwd", "hwk", "mfa"]


async def test_the_verify_app_is_enrolled_then_approves_rejects_or_gives_a_code(provider, clock):
    engine = await begin_enrolment(provider, "okta_verify")
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
    await coded.answers("challenge-authenticator", totp=totp.code_at(secret, int(clock.now // 30)))
    assert "id_token" in await coded.tokens()


async def test_the_verify_app_may_be_set_up_by_mail(provider):
    engine = await begin_enrolment(provider, "okta_verify", channel="email")
    assert engine.names[0] == "enrollment-channel-data"
    await engine.submit("enrollment-channel-data", email="enroller@example.test")
    assert (await engine.browser.message("enroller@example.test"))["link"].startswith("oktaverify://")
    assert engine.current["contextualData"] == {"selectedChannel": "email"}
    assert engine.names[0] == "enroll-poll"


async def test_the_enrolment_list_offers_every_authenticator_of_the_policy(provider):
    policy = dict.fromkeys(("phone_number", "google_otp", "security_question", "okta_verify", "webauthn"), "optional")
    engine = Engine(await provider(signOn={"enroll-mfa": {"second": [], "enroll": policy}}))
    await engine.start()
    await engine.identify("enroller")
    for key in policy:
        await engine.choose("select-authenticator-enroll", key)
    assert engine.names[0] == "enroll-authenticator"
