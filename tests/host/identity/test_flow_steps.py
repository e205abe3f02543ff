"""The turns that flows may take: passwords to be changed, addresses to be proved first, codes sent again, limits."""

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


async def test_a_wrong_password_leaves_the_form_and_the_name(flow):
    await flow.start("authenticate")
    await flow.go("identify", identifier="ada", passcode="wrong")
    assert (flow.messages, flow.said["username"]) == ([("errors.E0000004", None)], "ada")
    assert flow.input("identify", "identifier")["value"] == "ada"
    await flow.go("identify", identifier="locked", passcode="wrong")
    assert flow.messages == [("errors.E0000119", None)]


async def test_an_expired_password_is_replaced_on_the_way(flow):
    await password_given(flow, "expired")
    assert flow.input("reenroll-authenticator", "passcode")["autocomplete"] == "new-password"
    await flow.go("reenroll-authenticator", passcode="weak")
    assert flow.messages == [("password.passwordRequirementsNotMet", "passcode")]
    await flow.go("reenroll-authenticator", passcode=NEW)
    assert flow.said["status"] == "SUCCESS"


@pytest.mark.parametrize(("step", "values"), [("skip", {}), ("reenroll-authenticator-warning", {"passcode": NEW})])
async def test_a_password_that_will_expire_may_be_kept(flow, step, values):
    await password_given(flow, "warn")
    assert flow.names == ["reenroll-authenticator-warning", "skip"]
    await flow.go(step, **values)
    assert flow.said["status"] == "SUCCESS"


@pytest.mark.parametrize(
    ("given", "key", "field"),
    [
        ({"email": "ada@example.test"}, "registration.error.notUniqueWithinOrg", "email"),
        ({"email": "nobody"}, "registration.error.invalidLoginEmail", "email"),
        ({"lastName": "x" * 51}, "registration.error.tooLong", "lastName"),
    ],
)
async def test_what_a_registration_does_not_take_is_said_at_its_field(flow, given, key, field):
    await flow.start("register")
    await flow.go("enroll-profile", **{"firstName": "Nina", "lastName": "N", "email": "nina@example.test", **given})
    assert (flow.messages, flow.names[0]) == ([(key, field)], "enroll-profile")


async def test_a_registration_may_bring_its_password(world):
    flow = await with_policies(world, registration={"withPassword": True})
    await flow.start("register")
    person = {"firstName": "Nina", "lastName": "N", "email": "nina@example.test"}
    await flow.go("enroll-profile", **person, passcode="weak")
    assert flow.messages == [("password.passwordRequirementsNotMet", "passcode")]
    await flow.go("enroll-profile", **person, passcode=NEW)
    await flow.choose("select-authenticator-enroll", "email")
    await flow.go("enroll-authenticator", passcode=await flow.code("nina@example.test"))
    await flow.go("skip")
    assert flow.said["status"] == "SUCCESS"


async def test_an_address_that_must_be_proved_first_ends_the_tab_and_goes_on_by_the_mail(world):
    flow = await with_policies(world, registration={"verifyFirst": True})
    await flow.start("register")
    await flow.go("enroll-profile", firstName="Nina", lastName="N", email="nina@example.test")
    assert (flow.said["status"], flow.said["messages"][0]["kind"]) == ("TERMINAL", "info")
    assert flow.messages == [("idx.email.verification.required", None)]
    token = pairs((await flow.message("nina@example.test"))["link"])["activationToken"]
    other = Flow(world.browser(), world.standin)
    await other.start("register", token=token)
    await other.choose("select-authenticator-enroll", "password")
    await other.go("enroll-authenticator", passcode=NEW)
    await other.go("skip")
    assert other.said["status"] == "SUCCESS"
    await other.start("register", token=token)
    assert (other.status, other.said["detail"]) == (410, TEXTS["linkRefused"])


async def test_without_registration_an_activation_still_begins(world):
    flow = await with_policies(world, registration={"verifyFirst": True})
    await flow.start("register")
    await flow.go("enroll-profile", firstName="Nina", lastName="N", email="nina@example.test")
    token = (await flow.message("nina@example.test"))["token"]
    flow = await with_policies(world, features={"registration": False})
    await flow.start("register", token=token)
    assert flow.names == ["select-authenticator-enroll"]


async def test_a_recovery_by_phone(flow):
    await flow.start("recoverPassword")
    await flow.go("identify-recovery", identifier="phone")
    await flow.choose("select-authenticator-authenticate", "phone", "sms")
    await flow.go("challenge-authenticator", passcode=await flow.code(PHONE))
    await flow.go("reset-authenticator", passcode=NEW)
    assert flow.said["status"] == "SUCCESS"


async def test_a_question_stands_before_the_new_password(flow):
    await flow.start("recoverPassword")
    await flow.go("identify-recovery", identifier="asked")
    await flow.choose("select-authenticator-authenticate", "email")
    await flow.go("challenge-authenticator", passcode=await flow.code("asked@example.test"))
    assert flow.step("challenge-authenticator")["authenticator"]["kind"] == "question"
    await flow.go("challenge-authenticator", answer="along the river")
    assert flow.names == ["reset-authenticator"]


async def test_a_recovery_begun_at_the_password_knows_whose_it_is(world):
    flow = await with_policies(world, features={"identifierFirst": True})
    await flow.start("authenticate")
    await flow.go("identify", identifier="ada")
    assert "recover" in flow.names
    await flow.go("recover")
    assert flow.names == ["select-authenticator-authenticate"]


async def test_a_recovery_from_the_first_step_asks_whose_it_is(flow):
    await flow.start("authenticate")
    await flow.go("recover")
    assert flow.names == ["identify-recovery"]


async def test_an_unlocking_by_phone_of_a_known_and_an_unknown_name_look_alike(world):
    seen = []
    for name in ("phone", "nobody"):
        flow = Flow(world.browser(), world.standin)
        await flow.start("unlockAccount")
        chosen = flow.option("select-authenticator-unlock-account", "phone", "sms")
        await flow.go("select-authenticator-unlock-account", identifier=name, authenticator=chosen)
        await flow.go("challenge-authenticator", passcode="000000")
        seen.append((flow.status, flow.names, flow.messages, flow.step("challenge-authenticator")))
    assert seen[0] == seen[1]


async def test_a_resent_code_replaces_the_one_before(flow):
    await password_given(flow, "email-mfa")
    first = await flow.code("email-mfa@example.test")
    await flow.resend()
    second = await flow.code("email-mfa@example.test")
    assert flow.names[0] == "challenge-authenticator"
    await flow.go("challenge-authenticator", passcode=first)
    assert first == second or flow.messages == [("api.authn.error.PASSCODE_INVALID", "passcode")]
    await flow.go("challenge-authenticator", passcode=second)
    assert flow.said["status"] == "SUCCESS"


async def test_a_phone_is_not_called_twice_within_half_a_minute(flow, world):
    await password_given(flow, "phone")
    await flow.choose("select-authenticator-authenticate", "phone", "sms")
    await flow.resend()
    assert (flow.status, flow.messages) == (200, [("errors.E0000150", None)])
    assert flow.names[0] == "challenge-authenticator"
    world.standin.clock.pass_by(31)
    await flow.resend()
    assert flow.messages == []


async def test_nothing_to_resend_is_nothing_offered(flow):
    await flow.start("authenticate")
    assert flow.said["canResend"] is False
    await flow.resend()
    assert (flow.status, flow.said["detail"]) == (409, TEXTS["notOffered"])


async def test_six_wrong_codes_are_too_many_and_the_forms_stay(flow):
    await password_given(flow, "email-mfa")
    for _ in range(5):
        await flow.go("challenge-authenticator", passcode="x")
    await flow.go("challenge-authenticator", passcode=await flow.code("email-mfa@example.test"))
    assert (flow.status, flow.messages) == (200, [("tooManyRequests", None)])
    await flow.resend()
    await flow.go("challenge-authenticator", passcode=await flow.code("email-mfa@example.test"))
    assert flow.said["status"] == "SUCCESS"


async def recovery_of(world, name):
    flow = Flow(world.browser(), world.standin)
    await flow.start("recoverPassword")
    await flow.go("identify-recovery", identifier=name)
    return flow


async def test_one_name_is_recovered_five_times_a_day(world):
    for name in ("ada", "ADA ", "ada", "Ada", " ada"):
        assert (await recovery_of(world, name)).status == 200
    refused = await recovery_of(world, "ada")
    assert (refused.status, refused.said["detail"]) == (429, TEXTS["tooMany"])
    assert (await recovery_of(world, "warn")).status == 200


async def test_one_address_asks_for_a_number_of_messages_an_hour(world):
    most = world.site.settings.recoveries_per_address_hour
    flow = Flow(world.browser(), world.standin)
    await password_given(flow, "email-mfa")
    for _ in range(most):
        await flow.resend()
        assert flow.status == 200
    await flow.resend()
    assert (flow.status, flow.said["detail"]) == (429, TEXTS["tooMany"])
    before = await flow.code("email-mfa@example.test")
    await flow.go("challenge-authenticator", passcode=before)
    assert flow.said["status"] == "SUCCESS"


@pytest.mark.parametrize(("policies", "has"), [({}, True), ({"features": {"registration": False}}, False)])
async def test_whether_people_may_register_is_what_the_providers_first_answer_offers(world, policies, has):
    await world.standin.stop()
    await world.standin.start(**policies)
    _, about = await world.browser().call("auth/provider", "GET")
    assert (about["hasAuthn"], about["hasRegistration"]) == (True, has)


async def test_a_sign_in_tells_of_registration_too_and_nobody_asks_twice(world, ada):
    asked = []

    async def before():
        asked.append(1)

    world.standin.before["/oauth2/v1/interact"] = before
    await Flow(ada, world.standin).start("authenticate")
    for _ in range(3):
        assert (await ada.call("auth/provider", "GET"))[1]["hasRegistration"] is True
    assert len(asked) == 1
