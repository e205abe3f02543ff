"""Variants of flows: passwords to be changed, addresses to be verified first, codes sent again, limits."""

import pytest

from host.identity.errors import TEXTS
from tests.host.identity.browser import PASSWORD, pairs
from tests.host.identity.flow import Flow

NEW = "Another-Horse-2"
PHONE = "+15550100001"


@pytest.fixture
def flow(ada, world):
    return Flow(ada, world.standin)


async def with_policies(world, **policies):
    await world.standin.stop()
    await world.standin.start(**policies)
    return Flow(world.browser(), world.standin)


async def password_given(flow, name):
    await flow.start("authenticate")
    await flow.go("identify", identifier=name, passcode=PASSWORD)


async def test_a_wrong_password_keeps_the_form_and_the_name(flow):
    await flow.start("authenticate")
    await flow.go("identify", identifier="ada", passcode="wrong")
    assert (flow.messages, flow.reply["username"]) == ([("errors.E0000004", None)], "ada")
    assert flow.input("identify", "identifier")["value"] == "ada"
    await flow.go("identify", identifier="locked", passcode="wrong")
    assert flow.messages == [("errors.E0000119", None)]


async def test_an_expired_password_is_replaced_during_the_sign_in(flow):
    await password_given(flow, "expired")
    assert flow.input("reenroll-authenticator", "passcode")["autocomplete"] == "new-password"
    await flow.go("reenroll-authenticator", passcode="weak")
    assert flow.messages == [("password.passwordRequirementsNotMet", "passcode")]
    await flow.go("reenroll-authenticator", passcode=NEW)
    assert flow.reply["status"] == "SUCCESS"


@pytest.mark.parametrize(("step", "values"), [("skip", {}), ("reenroll-authenticator-warning", {"passcode": NEW})])
async def test_an_expiring_password_can_be_kept(flow, step, values):
    await password_given(flow, "warn")
    assert flow.names == ["reenroll-authenticator-warning", "skip"]
    await flow.go(step, **values)
    assert flow.reply["status"] == "SUCCESS"


@pytest.mark.parametrize(
    ("given", "key", "field"),
    [
        ({"email": "ada@example.test"}, "registration.error.notUniqueWithinOrg", "email"),
        ({"email": "nobody"}, "registration.error.invalidLoginEmail", "email"),
        ({"lastName": "x" * 51}, "registration.error.tooLong", "lastName"),
    ],
)
async def test_an_invalid_registration_is_refused_at_the_field(flow, given, key, field):
    await flow.start("register")
    await flow.go("enroll-profile", **{"firstName": "Nina", "lastName": "N", "email": "nina@example.test", **given})
    assert (flow.messages, flow.names[0]) == ([(key, field)], "enroll-profile")


async def test_a_registration_can_include_the_password(world):
    flow = await with_policies(world, registration={"withPassword": True})
    await flow.start("register")
    person = {"firstName": "Nina", "lastName": "N", "email": "nina@example.test"}
    await flow.go("enroll-profile", **person, passcode="weak")
    assert flow.messages == [("password.passwordRequirementsNotMet", "passcode")]
    await flow.go("enroll-profile", **person, passcode=NEW)
    assert flow.reply["place"] == {"step": 2, "of": 2}
    await flow.go("enroll-authenticator", passcode=await flow.code("nina@example.test"))
    await flow.go("skip")
    assert flow.reply["status"] == "SUCCESS"


async def test_a_registration_that_needs_a_verified_address_continues_by_the_mail_link(world):
    flow = await with_policies(world, registration={"verifyFirst": True})
    await flow.start("register")
    await flow.go("enroll-profile", firstName="Nina", lastName="N", email="nina@example.test")
    assert (flow.reply["status"], flow.reply["messages"][0]["kind"]) == ("TERMINAL", "info")
    assert flow.messages == [("idx.email.verification.required", None)]
    token = pairs((await flow.message("nina@example.test"))["link"])["activationToken"]
    other = Flow(world.browser(), world.standin)
    await other.start("register", token=token)
    await other.go("enroll-authenticator", passcode=NEW)
    await other.go("skip")
    assert other.reply["status"] == "SUCCESS"
    await other.start("register", token=token)
    assert (other.status, other.reply["detail"]) == (410, TEXTS["linkRefused"])


async def test_an_activation_works_without_registration(world):
    flow = await with_policies(world, registration={"verifyFirst": True})
    await flow.start("register")
    await flow.go("enroll-profile", firstName="Nina", lastName="N", email="nina@example.test")
    token = (await flow.message("nina@example.test"))["token"]
    flow = await with_policies(world, features={"registration": False})
    await flow.start("register", token=token)
    assert flow.names == ["enroll-authenticator"]


async def test_a_recovery_by_phone(flow):
    await flow.start("recoverPassword")
    await flow.go("identify-recovery", identifier="phone")
    await flow.choose("select-authenticator-authenticate", "phone", "sms")
    await flow.go("challenge-authenticator", passcode=await flow.code(PHONE))
    await flow.go("reset-authenticator", passcode=NEW)
    assert flow.reply["status"] == "SUCCESS"


async def test_a_recovery_asks_the_security_question_before_the_new_password(flow):
    await flow.start("recoverPassword")
    await flow.go("identify-recovery", identifier="asked")
    await flow.choose("select-authenticator-authenticate", "email")
    await flow.go("challenge-authenticator", passcode=await flow.code("asked@example.test"))
    assert flow.step("challenge-authenticator")["authenticator"]["kind"] == "question"
    await flow.go("challenge-authenticator", answer="along the river")
    assert flow.names == ["reset-authenticator"]


async def test_a_recovery_from_the_password_step_knows_the_account(world):
    flow = await with_policies(world, features={"identifierFirst": True})
    await flow.start("authenticate")
    await flow.go("identify", identifier="ada")
    assert "recover" in flow.names
    await flow.go("recover")
    assert flow.names == ["select-authenticator-authenticate"]


async def test_a_recovery_from_the_first_step_asks_for_the_account(flow):
    await flow.start("authenticate")
    await flow.go("recover")
    assert flow.names == ["identify-recovery"]


async def test_unlocking_by_phone_looks_the_same_for_known_and_unknown_names(world):
    seen = []
    for name in ("phone", "nobody"):
        flow = Flow(world.browser(), world.standin)
        await flow.start("unlockAccount")
        chosen = flow.option("select-authenticator-unlock-account", "phone", "sms")
        await flow.go("select-authenticator-unlock-account", identifier=name, authenticator=chosen)
        await flow.go("challenge-authenticator", passcode="000000")
        seen.append((flow.status, flow.names, flow.messages, flow.step("challenge-authenticator")))
    assert seen[0] == seen[1]


async def test_a_resent_code_replaces_the_previous_one(flow):
    await password_given(flow, "email-mfa")
    first = await flow.code("email-mfa@example.test")
    await flow.resend()
    second = await flow.code("email-mfa@example.test")
    assert flow.names[0] == "challenge-authenticator"
    await flow.go("challenge-authenticator", passcode=first)
    assert first == second or flow.messages == [("api.authn.error.PASSCODE_INVALID", "passcode")]
    await flow.go("challenge-authenticator", passcode=second)
    assert flow.reply["status"] == "SUCCESS"


async def test_a_phone_is_not_called_twice_within_half_a_minute(flow, world):
    await password_given(flow, "phone")
    await flow.choose("select-authenticator-authenticate", "phone", "sms")
    await flow.resend()
    assert (flow.status, flow.messages) == (200, [("errors.E0000150", None)])
    assert flow.names[0] == "challenge-authenticator"
    world.standin.clock.pass_by(31)
    await flow.resend()
    assert flow.messages == []


async def test_resend_is_refused_when_it_is_not_offered(flow):
    await flow.start("authenticate")
    assert flow.reply["canResend"] is False
    await flow.resend()
    assert (flow.status, flow.reply["detail"]) == (409, TEXTS["notOffered"])


async def test_six_wrong_codes_are_too_many_and_the_forms_remain(flow):
    await password_given(flow, "email-mfa")
    for _ in range(5):
        await flow.go("challenge-authenticator", passcode="x")
    await flow.go("challenge-authenticator", passcode=await flow.code("email-mfa@example.test"))
    assert (flow.status, flow.messages) == (200, [("tooManyRequests", None)])
    await flow.resend()
    await flow.go("challenge-authenticator", passcode=await flow.code("email-mfa@example.test"))
    assert flow.reply["status"] == "SUCCESS"


async def recovery_of(world, name):
    flow = Flow(world.browser(), world.standin)
    await flow.start("recoverPassword")
    await flow.go("identify-recovery", identifier=name)
    return flow


async def test_one_name_can_be_recovered_five_times_a_day(world):
    for name in ("ada", "ADA ", "ada", "Ada", " ada"):
        assert (await recovery_of(world, name)).status == 200
    refused = await recovery_of(world, "ada")
    assert (refused.status, refused.reply["detail"]) == (429, TEXTS["tooMany"])
    assert (await recovery_of(world, "warn")).status == 200


async def test_messages_per_address_are_limited_per_hour(world):
    most = world.site.settings.recoveries_per_address_hour
    flow = Flow(world.browser(), world.standin)
    await password_given(flow, "email-mfa")
    for _ in range(most):
        await flow.resend()
        assert flow.status == 200
    await flow.resend()
    assert (flow.status, flow.reply["detail"]) == (429, TEXTS["tooMany"])
    before = await flow.code("email-mfa@example.test")
    await flow.go("challenge-authenticator", passcode=before)
    assert flow.reply["status"] == "SUCCESS"


@pytest.mark.parametrize(("policies", "has"), [({}, True), ({"features": {"registration": False}}, False)])
async def test_registration_is_offered_when_the_providers_first_response_has_it(world, policies, has):
    await world.standin.stop()
    await world.standin.start(**policies)
    _, about = await world.browser().call("auth/provider", "GET")
    assert (about["hasAuthn"], about["hasRegistration"]) == (True, has)


async def test_a_sign_in_also_reads_whether_registration_is_offered(world, ada):
    asked = []

    async def before():
        asked.append(1)

    world.standin.before["/oauth2/v1/interact"] = before
    await Flow(ada, world.standin).start("authenticate")
    for _ in range(3):
        assert (await ada.call("auth/provider", "GET"))[1]["hasRegistration"] is True
    assert len(asked) == 1
