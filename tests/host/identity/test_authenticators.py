"""Every authenticator against the provider's stand-in: enrolled in one sign-in, verified in the next."""

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from standins.identity.authenticators import totp
from tests.host.identity.browser import PASSWORD
from tests.host.identity.flow import Flow
from tests.host.site import ORIGIN
from tests.standins.security_key import SecurityKey

PHONE = "+15550100888"


@dataclass
class Enroller:
    """The stand-in's account `enroller`, whose policy offers one authenticator and then requires it."""

    world: object
    hand: SimpleNamespace

    def browser(self):
        return Flow(self.world.browser(), self.world.standin)

    async def at_the_list(self, key):
        await self.world.standin.stop()
        await self.world.standin.start(signOn={"enroll-mfa": {"second": [key], "enroll": {key: "optional"}}})
        return await self.again()

    async def again(self):
        """A new browser at the step after the password."""
        flow = self.browser()
        await flow.start("authenticate")
        await flow.go("identify", identifier="enroller", passcode=PASSWORD)
        return flow

    async def push(self, flow, action):
        address = f"{flow.standin.origin}/dev/push"
        async with flow.browser._elsewhere.post(address, json={"to": "enroller", "action": action}) as answer:
            assert answer.status == 200
            return await answer.json()

    def passes(self, seconds):
        """Advance the clocks of host and provider."""
        self.hand.now += seconds
        self.world.standin.clock.pass_by(seconds)


@pytest.fixture
async def enroller(world, monkeypatch):
    """The host's clock for polls is set by the test."""
    hand = SimpleNamespace(now=world.standin.clock.now)
    monkeypatch.setattr("host.identity.idx.flow.time", SimpleNamespace(time=lambda: hand.now))
    return Enroller(world, hand)


def data(flow, step):
    return flow.step(step)["authenticator"]["data"]


def is_signed_in(flow):
    return (flow.reply["status"], flow.reply["redirect"]) == ("SUCCESS", "/") and flow.browser.user_info is not None


@pytest.mark.parametrize(("method", "channel"), [("sms", "sms"), ("voice", "call")])
async def test_a_phone(enroller, method, channel):
    flow = await enroller.at_the_list("phone_number")
    await flow.choose("select-authenticator-enroll", "phone", method, phoneNumber="555")
    assert flow.messages == [("phone.invalid", "phoneNumber")]
    await flow.choose("select-authenticator-enroll", "phone", method, phoneNumber="+1 (555) 010-0888")
    assert flow.step("enroll-authenticator")["authenticator"]["kind"] == "phone"
    assert (await flow.message(PHONE))["channel"] == channel
    await flow.go("enroll-authenticator", passcode="000000")
    assert flow.messages == [("api.authn.error.PASSCODE_INVALID", "passcode")]
    await flow.go("enroll-authenticator", passcode=await flow.code(PHONE))
    assert is_signed_in(flow)
    enroller.passes(31)
    later = await enroller.again()
    assert [row["value"] for row in later.input("authenticator-verification-data", "methodType")["options"]] == [
        "sms",
        "voice",
    ]
    await later.go("authenticator-verification-data", methodType=method)
    assert data(later, "challenge-authenticator")["contact"].endswith("0888")
    assert (await later.message(PHONE))["channel"] == channel
    await later.go("challenge-authenticator", passcode=await later.code(PHONE))
    assert is_signed_in(later)


async def test_a_phone_without_a_number_requires_one(enroller):
    flow = await enroller.at_the_list("phone_number")
    await flow.choose("select-authenticator-enroll", "phone", "sms")
    assert flow.input("authenticator-enrollment-data", "phoneNumber")["type"] == "tel"
    await flow.go("authenticator-enrollment-data", methodType="sms", phoneNumber=PHONE)
    await flow.go("enroll-authenticator", passcode=await flow.code(PHONE))
    assert is_signed_in(flow)


async def test_a_code_of_an_authenticator_app(enroller):
    flow = await enroller.at_the_list("google_otp")
    await flow.choose("select-authenticator-enroll", "app")
    about = data(flow, "enroll-authenticator")
    assert about["qrcode"].startswith("data:image/png;base64,")
    await flow.go("enroll-authenticator", passcode="000")
    assert flow.messages == [("authfactor.challenge.soft_token.invalid_passcode", "passcode")]
    code = totp.code_at(about["secret"], int(enroller.hand.now // 30))
    await flow.go("enroll-authenticator", passcode=code)
    assert is_signed_in(flow)
    later = await enroller.again()
    assert later.input("challenge-authenticator", "passcode")["autocomplete"] == "one-time-code"
    await later.go("challenge-authenticator", passcode=code)
    assert later.messages == [("authfactor.challenge.soft_token.used_passcode", "passcode")]
    enroller.passes(30)
    await later.go("challenge-authenticator", passcode=totp.code_at(about["secret"], int(enroller.hand.now // 30)))
    assert is_signed_in(later)


QUESTIONS = {
    "one of the list": (
        {"credentials": "0", "questionKey": "favorite_walk", "answer": "Along the river"},
        "What is your favourite walk?",
    ),
    "one's own": ({"credentials": "1", "question": "Name of the boat?", "answer": "Seagull"}, "Name of the boat?"),
}


@pytest.mark.parametrize("which", QUESTIONS)
async def test_a_security_question(enroller, which):
    given, text = QUESTIONS[which]
    flow = await enroller.at_the_list("security_question")
    await flow.choose("select-authenticator-enroll", "question")
    assert {"key": "favorite_walk", "question": "What is your favourite walk?"} in data(flow, "enroll-authenticator")[
        "questions"
    ]
    await flow.go("enroll-authenticator", **{**given, "answer": ""})
    assert (flow.status, flow.reply["errors"]) == (422, {"answer": "Fill in this field."})
    await flow.go("enroll-authenticator", **given)
    assert is_signed_in(flow)
    later = await enroller.again()
    assert data(later, "challenge-authenticator")["question"] == text
    assert [row["name"] for row in later.step("challenge-authenticator")["inputs"]] == ["answer"]
    await later.go("challenge-authenticator", answer="no idea")
    assert later.messages == [("api.authn.error.PASSCODE_INVALID", "answer")]
    await later.go("challenge-authenticator", answer=given["answer"].upper())
    assert is_signed_in(later)


async def enrolled_app(enroller):
    """Enrol the verify app by its QR code; returns the secret shared with the provider."""
    flow = await enroller.at_the_list("okta_verify")
    await flow.choose("select-authenticator-enroll", "verify")
    assert (flow.step("enroll-poll")["poll"], flow.names[1]) == ({"everyMs": 2000}, "select-enrollment-channel")
    assert data(flow, "enroll-poll")["qrcode"].startswith("data:image/png;base64,")
    await flow.poll()
    assert flow.names[0] == "enroll-poll"
    secret = (await enroller.push(flow, "enroll"))["sharedSecret"]
    enroller.passes(2)
    await flow.poll()
    assert is_signed_in(flow)
    return secret


async def test_the_verify_app_approves_a_sign_in(enroller):
    await enrolled_app(enroller)
    flow = await enroller.again()
    await flow.go("authenticator-verification-data", methodType="push")
    assert flow.step("challenge-poll")["poll"] == {"everyMs": 2000}
    number = data(flow, "challenge-poll")["correctAnswer"]
    assert (await flow.message("enroller"))["text"] == f"Number {number}"
    await flow.poll()
    assert (flow.reply["status"], flow.names[0]) == ("PENDING", "challenge-poll")
    await enroller.push(flow, "approve")
    enroller.passes(2)
    await flow.poll()
    assert is_signed_in(flow)


async def test_the_verify_app_refuses_a_sign_in(enroller):
    await enrolled_app(enroller)
    flow = await enroller.again()
    await flow.go("authenticator-verification-data", methodType="push")
    await enroller.push(flow, "reject")
    await flow.poll()
    assert flow.messages == [("api.authn.poll.error.push_rejected", None)]
    assert (flow.reply["status"], flow.browser.user_info) == ("PENDING", None)
    await flow.resend()
    assert flow.names[0] == "challenge-poll"
    await enroller.push(flow, "approve")
    enroller.passes(2)
    await flow.poll()
    assert is_signed_in(flow)


async def test_the_verify_app_shows_a_code(enroller):
    secret = await enrolled_app(enroller)
    flow = await enroller.again()
    await flow.go("authenticator-verification-data", methodType="totp")
    assert flow.input("challenge-authenticator", "totp")["type"] == "code"
    await flow.go("challenge-authenticator", totp="000")
    assert flow.messages == [("authfactor.challenge.soft_token.invalid_passcode", "totp")]
    await flow.go("challenge-authenticator", totp=totp.code_at(secret, int(enroller.hand.now // 30)))
    assert is_signed_in(flow)


@pytest.mark.parametrize(
    ("channel", "values", "to"),
    [("email", {"email": "enroller@example.test"}, "enroller@example.test"), ("sms", {"phoneNumber": PHONE}, PHONE)],
)
async def test_the_verify_app_is_set_up_by_a_message(enroller, channel, values, to):
    flow = await enroller.at_the_list("okta_verify")
    await flow.choose("select-authenticator-enroll", "verify")
    await flow.go("select-enrollment-channel", channel=channel)
    await flow.go("enrollment-channel-data", **values)
    assert (await flow.message(to))["link"].startswith("oktaverify://")
    assert "qrcode" not in data(flow, "enroll-poll")
    await enroller.push(flow, "enroll")
    await flow.poll()
    assert is_signed_in(flow)


async def test_a_security_key(enroller):
    flow = await enroller.at_the_list("webauthn")
    await flow.choose("select-authenticator-enroll", "webauthn")
    options = data(flow, "enroll-authenticator")["activation"]
    assert options["rp"] == {"name": "Coursefront", "id": "shop.example"}
    hidden = [(field["name"], field["type"]) for field in flow.step("enroll-authenticator")["inputs"]]
    assert hidden == [("clientData", "hidden"), ("attestation", "hidden")]
    key = SecurityKey("shop.example", ORIGIN)
    await flow.go("enroll-authenticator", **key.create(options["challenge"]))
    assert is_signed_in(flow)
    later = await enroller.again()
    asked = data(later, "challenge-authenticator")["challenge"]
    assert [row["type"] for row in asked["allowCredentials"]] == ["public-key"]
    foreign = SecurityKey("evil.example", "https://evil.example")
    for wrong in (SecurityKey("shop.example", ORIGIN).get(asked["challenge"]), foreign.get(asked["challenge"])):
        await later.go("challenge-authenticator", **wrong)
        assert later.messages == [("authfactor.webauthn.error.assertion_validation_failure", None)]
    await later.go("challenge-authenticator", **key.get(asked["challenge"]))
    assert is_signed_in(later)


async def test_a_password_after_the_name(world):
    await world.standin.stop()
    await world.standin.start(features={"identifierFirst": True})
    flow = Flow(world.browser(), world.standin)
    await flow.start("authenticate")
    assert [row["name"] for row in flow.step("identify")["inputs"]] == ["identifier", "rememberMe"]
    await flow.go("identify", identifier="ada")
    assert flow.input("challenge-authenticator", "passcode")["autocomplete"] == "current-password"
    await flow.go("challenge-authenticator", passcode="wrong")
    assert flow.messages == [("incorrectPassword", None)]
    await flow.go("challenge-authenticator", passcode=PASSWORD)
    assert is_signed_in(flow)


async def test_another_authenticator_can_be_chosen(world):
    flow = Flow(world.browser(), world.standin)
    await flow.start("authenticate")
    await flow.go("identify", identifier="phone", passcode=PASSWORD)
    await flow.choose("select-authenticator-authenticate", "phone", "sms")
    assert flow.step("challenge-authenticator")["authenticator"]["kind"] == "phone"
    await flow.choose("select-authenticator-authenticate", "email")
    assert flow.step("challenge-authenticator")["authenticator"]["kind"] == "email"
    await flow.go("challenge-authenticator", passcode=await flow.code("phone@example.test"))
    assert is_signed_in(flow)


async def test_an_authenticator_that_is_required_cannot_be_skipped(world):
    flow = Flow(world.browser(), world.standin)
    await flow.start("authenticate")
    await flow.go("identify", identifier="must", passcode=PASSWORD)
    assert (flow.names, flow.reply["place"]) == (["enroll-authenticator"], None)
    await flow.go("skip")
    assert (flow.status, flow.browser.user_info) == (409, None)
