"""Transactions through the host and the real stand-in: registering, recovering, unlocking, second factors."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from domain.tables import SignInTransaction
from host.identity.errors import TEXTS
from tests.host.identity.flow import Flow


@pytest.fixture
def flow(ada, world):
    return Flow(ada, world.standin)


async def test_a_second_factor_by_mail_signs_in(flow):
    await flow.start("authenticate", returnTo="/cart", username="email-mfa")
    assert flow.input("identify", "identifier")["value"] == "email-mfa"
    await flow.go("identify", identifier="email-mfa", passcode="Correct-Horse-1")
    step = flow.step("challenge-authenticator")
    assert (step["authenticator"]["kind"], step["poll"]) == ("email", {"everyMs": 4000})
    assert (flow.said["canResend"], flow.said["canCancel"]) == (True, True)
    await flow.go("challenge-authenticator", passcode="000000")
    assert flow.messages == [("api.authn.error.PASSCODE_INVALID", "passcode")]
    await flow.go("challenge-authenticator", passcode=await flow.code("email-mfa@example.test"))
    assert (flow.said["status"], flow.said["redirect"]) == ("SUCCESS", "/cart")
    assert (await flow.browser.call("auth/session", "GET"))[1]["learner"]["email"] == "email-mfa@example.test"
    assert "__Host-tx" not in flow.browser.cookies


async def registered(flow):
    await flow.start("register", returnTo="/wishlist")
    assert [one["name"] for one in flow.step("enroll-profile")["inputs"]] == ["firstName", "lastName", "email"]
    await flow.go("enroll-profile", firstName="Nina", lastName="Novak", email="nina@example.test")
    await flow.choose("select-authenticator-enroll", "password")
    rules = flow.step("enroll-authenticator")["authenticator"]["data"]["rules"]
    assert (rules["minLength"], flow.input("enroll-authenticator", "passcode")["autocomplete"]) == (8, "new-password")
    await flow.go("enroll-authenticator", passcode="weak")
    assert flow.messages == [("password.passwordRequirementsNotMet", "passcode")]
    await flow.go("enroll-authenticator", passcode="Correct-Horse-9")
    await flow.choose("select-authenticator-enroll", "email")


async def test_a_registration_enrols_what_is_required_and_may_leave_the_rest(flow):
    await registered(flow)
    await flow.go("enroll-authenticator", passcode=await flow.code("nina@example.test"))
    assert "skip" in flow.names
    await flow.go("skip")
    assert (flow.said["status"], flow.said["redirect"]) == ("SUCCESS", "/wishlist")
    assert flow.browser.user_info["user"]["Email"] == "nina@example.test"


async def test_a_recovery_ends_with_a_new_password_and_signed_in(flow):
    await flow.start("recoverPassword", username="ada")
    assert flow.input("identify-recovery", "identifier")["value"] == "ada"
    await flow.go("identify-recovery", identifier="ada")
    await flow.choose("select-authenticator-authenticate", "email")
    await flow.go("challenge-authenticator", passcode=await flow.code("ada@example.test"))
    assert flow.input("reset-authenticator", "passcode")["type"] == "password"
    await flow.go("reset-authenticator", passcode="Another-Horse-2", revokeSessions=True)
    assert flow.said["status"] == "SUCCESS"
    assert (await flow.browser.login("ada", "Another-Horse-2"))[0] == 200


async def test_an_unlocking_ends_with_a_word(flow):
    await flow.start("unlockAccount")
    chosen = flow.option("select-authenticator-unlock-account", "email")
    await flow.go("select-authenticator-unlock-account", identifier="locked", authenticator=chosen)
    await flow.go("challenge-authenticator", passcode=await flow.code("locked@example.test"))
    assert flow.said["status"] == "TERMINAL"
    assert flow.messages == [("oie.selfservice.unlock_user.success.message", None)]
    assert (await flow.browser.login("locked"))[0] == 200


async def test_the_mails_link_goes_on_in_the_same_browser(flow):
    await flow.start("authenticate", returnTo="/cart")
    await flow.go("identify", identifier="email-mfa", passcode="Correct-Horse-1")
    link = (await flow.message("email-mfa@example.test"))["link"]
    answer = await flow.browser.ask("GET", link.removeprefix("https://shop.example"))
    assert (answer.status, answer.headers["Location"]) == (303, "/cart")
    assert flow.browser.user_info["user"]["Email"] == "email-mfa@example.test"


async def test_in_another_browser_the_link_says_the_code(flow, world):
    await flow.start("recoverPassword")
    await flow.go("identify-recovery", identifier="ada")
    await flow.choose("select-authenticator-authenticate", "email")
    sent = await flow.message("ada@example.test")
    other = world.browser()
    answer = await other.ask("GET", sent["link"].removeprefix("https://shop.example"))
    assert answer.headers["Location"] == "/login?error=otherClient"
    assert other.cookies == {"otp_hint": sent["code"]}
    assert TEXTS["otherClient"] == "Enter the OTP code in the originating client: {otp}"
    await flow.go("challenge-authenticator", passcode=sent["code"])
    assert "reset-authenticator" in flow.names


async def test_a_recovery_link_of_a_mail_begins_where_the_address_is_proved(flow):
    async with flow.browser._elsewhere.post(
        f"{flow.standin.origin}/api/v1/authn/recovery/password", json={"username": "ada", "factorType": "EMAIL"}
    ) as answer:
        assert answer.status == 200
    token = (await flow.message("ada@example.test"))["token"]
    await flow.start("recoverPassword", token=token)
    assert flow.names[0] == "reset-authenticator"
    await flow.start("recoverPassword", token=token)
    assert (flow.status, flow.said["detail"]) == (410, "This link has expired or was already used.")


async def test_another_tab_and_another_host_go_on_with_the_same_one(flow, world):
    await flow.start("authenticate")
    await flow.go("identify", identifier="email-mfa", passcode="Correct-Horse-1")
    flow.browser.at = await world.open()
    await flow.resume()
    await flow.go("challenge-authenticator", passcode=await flow.code("email-mfa@example.test"))
    assert flow.said["status"] == "SUCCESS"


async def test_cancelling_leaves_nothing(flow):
    await flow.start("authenticate")
    await flow.cancel()
    assert (flow.said["status"], flow.said["steps"]) == ("CANCELED", [])
    await flow.resume()
    assert (flow.status, flow.said["detail"]) == (404, "No transaction to resume")
    await flow.poll()
    assert (flow.status, flow.said["detail"]) == (404, "Unable to proceed: saved transaction could not be loaded")


async def test_what_is_not_offered_or_missing_changes_nothing(flow):
    await flow.start("authenticate")
    await flow.go("challenge-authenticator", passcode="1")
    assert flow.status == 409
    await flow.go("identify", identifier="")
    assert (flow.status, flow.said["errors"]) == (
        422,
        {"identifier": "Fill in this field.", "passcode": "Fill in this field."},
    )
    await flow.go("identify", identifier="ada", passcode="x", stateHandle="02foreign")
    assert (flow.status, flow.said["errors"]) == (422, {"stateHandle": "This is not asked for."})
    await flow.resume()
    assert flow.names[0] == "identify"


async def test_after_30_minutes_it_is_over(flow, world):
    await flow.start("authenticate")
    with world.site.db.session() as session:
        row = session.scalars(select(SignInTransaction)).one()
        row.expires_at = datetime.now(UTC)
        assert "verifier" not in row.meta
    await flow.resume()
    assert (flow.status, flow.said["detail"]) == (410, "This took longer than 30 minutes. Please begin again.")


@pytest.mark.parametrize(
    ("feature", "flow_name", "text"),
    [
        ("registration", "register", "Registration is not supported based on your current org configuration."),
        (
            "unlock",
            "unlockAccount",
            "Self Service Account Unlock is not supported based on your current org configuration.",
        ),
    ],
)
async def test_what_the_provider_does_not_do_is_said(world, feature, flow_name, text):
    await world.standin.stop()
    await world.standin.start(features={feature: False})
    flow = Flow(world.browser(), world.standin)
    await flow.start(flow_name)
    assert (flow.status, flow.said["detail"]) == (409, text)
