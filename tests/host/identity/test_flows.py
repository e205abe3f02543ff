"""Flows against the provider's stand-in: registering, recovering, unlocking, second factors."""

from datetime import UTC, datetime

import pytest
from aiohttp import web
from sqlalchemy import select

from domain.tables import SignInFlow
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
    assert (flow.reply["canResend"], flow.reply["canCancel"]) == (True, True)
    await flow.go("challenge-authenticator", passcode="000000")
    assert flow.messages == [("api.authn.error.PASSCODE_INVALID", "passcode")]
    await flow.go("challenge-authenticator", passcode=await flow.code("email-mfa@example.test"))
    assert (flow.reply["status"], flow.reply["redirect"]) == ("SUCCESS", "/cart")
    assert (await flow.browser.call("auth/session", "GET"))[1]["learner"]["email"] == "email-mfa@example.test"
    assert "__Host-tx" not in flow.browser.cookies


async def registered(flow, return_to="/wishlist"):
    await flow.start("register", returnTo=return_to)
    assert [field["name"] for field in flow.step("enroll-profile")["inputs"]] == ["firstName", "lastName", "email"]
    assert flow.reply["place"] == {"step": 1, "of": 3}
    await flow.go("enroll-profile", firstName="Nina", lastName="Novak", email="nina@example.test")
    # The first way is open, with the list of all beside it.
    assert (flow.names, flow.reply["place"]) == (
        ["enroll-authenticator", "select-authenticator-enroll"],
        {"step": 2, "of": 3},
    )
    rules = flow.step("enroll-authenticator")["authenticator"]["data"]["rules"]
    assert (rules["minLength"], flow.input("enroll-authenticator", "passcode")["autocomplete"]) == (8, "new-password")
    await flow.go("enroll-authenticator", passcode="weak")
    assert flow.messages == [("password.passwordRequirementsNotMet", "passcode")]
    await flow.go("enroll-authenticator", passcode="Correct-Horse-9")
    # The only way that is left opens by itself, without a list of one.
    assert (flow.names, flow.step("enroll-authenticator")["authenticator"]["kind"]) == (
        ["enroll-authenticator"],
        "email",
    )
    assert flow.reply["place"] == {"step": 3, "of": 3}


async def test_a_registration_enrols_required_authenticators_and_can_skip_others(flow):
    await registered(flow)
    await flow.go("enroll-authenticator", passcode=await flow.code("nina@example.test"))
    assert (flow.names, flow.reply["place"]) == (["select-authenticator-enroll", "skip"], None)
    await flow.go("skip")
    assert (flow.reply["status"], flow.reply["redirect"]) == ("SUCCESS", "/wishlist")
    assert flow.browser.user_info["user"]["Email"] == "nina@example.test"


async def test_a_registration_on_the_way_to_the_checkout_ends_with_what_is_required(flow):
    await registered(flow, "/checkout")
    await flow.go("enroll-authenticator", passcode=await flow.code("nina@example.test"))
    assert (flow.reply["status"], flow.reply["redirect"]) == ("SUCCESS", "/checkout")
    assert flow.browser.user_info["user"]["Email"] == "nina@example.test"


async def test_where_the_provider_does_not_take_the_skip_the_person_chooses(flow):
    await registered(flow, "/checkout")

    async def broken():
        return web.Response(status=500)

    flow.standin.before["/idp/idx/skip"] = broken
    await flow.go("enroll-authenticator", passcode=await flow.code("nina@example.test"))
    assert flow.names == ["select-authenticator-enroll", "skip"]
    del flow.standin.before["/idp/idx/skip"]
    await flow.go("skip")
    assert (flow.reply["status"], flow.reply["redirect"]) == ("SUCCESS", "/checkout")


async def test_a_registration_may_begin_with_another_of_the_required_ways(flow):
    await flow.start("register")
    await flow.go("enroll-profile", firstName="Nina", lastName="Novak", email="nina@example.test")
    await flow.choose("select-authenticator-enroll", "email")
    assert flow.reply["place"] == {"step": 2, "of": 3}
    await flow.go("enroll-authenticator", passcode=await flow.code("nina@example.test"))
    assert flow.step("enroll-authenticator")["authenticator"]["kind"] == "password"
    assert flow.reply["place"] == {"step": 3, "of": 3}


REQUIRED = {"title": "Title", "type": "string", "required": True, "permissions": {"SELF": "READ_WRITE"}}


async def test_a_registration_leads_to_what_is_missing_in_the_profile(flow):
    async def schema():
        return web.json_response({"properties": {"title": REQUIRED}})

    flow.standin.before["/idp/myaccount/profile/schema"] = schema
    await registered(flow)
    await flow.go("enroll-authenticator", passcode=await flow.code("nina@example.test"))
    await flow.go("skip")
    assert flow.reply["redirect"] == "/additional?returnTo=%2Fwishlist"


async def test_a_profile_that_cannot_be_read_delays_no_registration(flow):
    async def broken():
        return web.Response(status=500)

    flow.standin.before["/idp/myaccount/profile"] = broken
    await registered(flow)
    await flow.go("enroll-authenticator", passcode=await flow.code("nina@example.test"))
    await flow.go("skip")
    assert (flow.reply["status"], flow.reply["redirect"]) == ("SUCCESS", "/wishlist")


async def test_a_recovery_ends_with_a_new_password_and_signed_in(flow):
    await flow.start("recoverPassword", username="ada")
    assert flow.input("identify-recovery", "identifier")["value"] == "ada"
    await flow.go("identify-recovery", identifier="ada")
    await flow.choose("select-authenticator-authenticate", "email")
    await flow.go("challenge-authenticator", passcode=await flow.code("ada@example.test"))
    assert flow.input("reset-authenticator", "passcode")["type"] == "password"
    await flow.go("reset-authenticator", passcode="Another-Horse-2", revokeSessions=True)
    assert flow.reply["status"] == "SUCCESS"
    assert (await flow.browser.login("ada", "Another-Horse-2"))[0] == 200


async def test_unlocking_ends_with_a_message(flow):
    await flow.start("unlockAccount")
    chosen = flow.option("select-authenticator-unlock-account", "email")
    await flow.go("select-authenticator-unlock-account", identifier="locked", authenticator=chosen)
    await flow.go("challenge-authenticator", passcode=await flow.code("locked@example.test"))
    assert flow.reply["status"] == "TERMINAL"
    assert flow.messages == [("oie.selfservice.unlock_user.success.message", None)]
    assert (await flow.browser.login("locked"))[0] == 200


async def test_the_mail_link_continues_in_the_same_browser(flow):
    await flow.start("authenticate", returnTo="/cart")
    await flow.go("identify", identifier="email-mfa", passcode="Correct-Horse-1")
    link = (await flow.message("email-mfa@example.test"))["link"]
    answer = await flow.browser.ask("GET", link.removeprefix("https://shop.example"))
    assert (answer.status, answer.headers["Location"]) == (303, "/cart")
    assert flow.browser.user_info["user"]["Email"] == "email-mfa@example.test"


async def test_in_another_browser_the_mail_link_shows_the_code(flow, world):
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


async def test_a_recovery_link_starts_with_the_address_verified(flow):
    async with flow.browser._elsewhere.post(
        f"{flow.standin.origin}/api/v1/authn/recovery/password", json={"username": "ada", "factorType": "EMAIL"}
    ) as answer:
        assert answer.status == 200
    token = (await flow.message("ada@example.test"))["token"]
    await flow.start("recoverPassword", token=token)
    assert flow.names[0] == "reset-authenticator"
    await flow.start("recoverPassword", token=token)
    assert (flow.status, flow.reply["detail"]) == (410, "This link has expired or was already used.")


async def test_another_tab_and_another_host_continue_the_same_transaction(flow, world):
    await flow.start("authenticate")
    await flow.go("identify", identifier="email-mfa", passcode="Correct-Horse-1")
    flow.browser.at = await world.open()
    await flow.resume()
    await flow.go("challenge-authenticator", passcode=await flow.code("email-mfa@example.test"))
    assert flow.reply["status"] == "SUCCESS"


async def test_cancelling_deletes_the_transaction(flow):
    await flow.start("authenticate")
    await flow.cancel()
    assert (flow.reply["status"], flow.reply["steps"]) == ("CANCELED", [])
    await flow.resume()
    assert (flow.status, flow.reply["detail"]) == (404, "No transaction to resume")
    await flow.poll()
    assert (flow.status, flow.reply["detail"]) == (404, "Unable to proceed: saved transaction could not be loaded")


async def test_a_step_not_offered_or_without_values_changes_nothing(flow):
    await flow.start("authenticate")
    await flow.go("challenge-authenticator", passcode="1")
    assert flow.status == 409
    await flow.go("identify", identifier="")
    assert (flow.status, flow.reply["errors"]) == (
        422,
        {"identifier": "Fill in this field.", "passcode": "Fill in this field."},
    )
    await flow.go("identify", identifier="ada", passcode="x", stateHandle="02foreign")
    assert (flow.status, flow.reply["errors"]) == (422, {"stateHandle": "This field is not part of the form."})
    await flow.resume()
    assert flow.names[0] == "identify"


async def test_a_transaction_expires_after_30_minutes(flow, world):
    await flow.start("authenticate")
    with world.site.db.write_session() as session:
        row = session.scalars(select(SignInFlow)).one()
        row.expires_at = datetime.now(UTC)
        assert "verifier" not in row.encrypted_state
    await flow.resume()
    assert (flow.status, flow.reply["detail"]) == (410, "This took longer than 30 minutes. Please start again.")


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
async def test_a_feature_that_the_provider_lacks_is_refused_with_its_text(world, feature, flow_name, text):
    await world.standin.stop()
    await world.standin.start(features={feature: False})
    flow = Flow(world.browser(), world.standin)
    await flow.start(flow_name)
    assert (flow.status, flow.reply["detail"]) == (409, text)
