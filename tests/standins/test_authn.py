"""Classic authentication: every state and link, codes that are good once, steps out of turn."""

import pytest

from standins.identity.authenticators import totp
from tests.standins.driver import PASSWORD
from tests.standins.security_key import SecurityKey

NEW = "Better-Horse-22"


@pytest.mark.parametrize(
    ("name", "status", "link"),
    [
        ("ada", "SUCCESS", None),
        ("ADA@example.test", "SUCCESS", None),
        ("locked", "LOCKED_OUT", "unlock"),
        ("expired", "PASSWORD_EXPIRED", "changePassword"),
        ("warn", "SUCCESS", None),
        ("email-mfa", "MFA_REQUIRED", None),
        ("phone", "MFA_REQUIRED", None),
        ("enroller", "MFA_ENROLL", None),
    ],
)
async def test_a_correct_password_returns_the_state_of_the_account(browser, name, status, link):
    answer = await browser.authn(name)
    assert (browser.status, answer["status"]) == (200, status)
    assert answer.get("_links", {}).get("next", {}).get("name") == link
    assert ("sessionToken" in answer) == (status == "SUCCESS")
    assert ("stateToken" in answer) == (status not in ("SUCCESS", "LOCKED_OUT"))


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"username": "ada", "password": "wrong"}, 401, "E0000004"),
        ({"username": "nobody", "password": "wrong"}, 401, "E0000004"),
        ({"username": "bare", "password": "wrong"}, 401, "E0000004"),
        ({"username": "ada"}, 400, "E0000001"),
        ({"username": "", "password": "x"}, 400, "E0000001"),
        ({"username": ["ada"], "password": "x"}, 400, "E0000001"),
        ({"stateToken": "invented"}, 401, "E0000011"),
    ],
)
async def test_a_wrong_sign_in_is_refused(browser, body, status, code):
    answer = await browser.post("/api/v1/authn", body)
    assert (browser.status, answer["errorCode"]) == (status, code)
    assert set(answer) == {"errorCode", "errorSummary", "errorLink", "errorId", "errorCauses"}


async def test_a_body_that_is_not_json_is_refused(browser):
    answer = await browser.post("/api/v1/authn", data="x", headers={"Content-Type": "text/plain"})
    assert (browser.status, answer["errorCode"]) == (415, "E0000021")
    answer = await browser.post("/api/v1/authn", data="{", headers={"Content-Type": "application/json"})
    assert (browser.status, answer["errorCode"]) == (400, "E0000003")


@pytest.mark.parametrize("name", ["ada", "nobody"])
async def test_ten_wrong_passwords_lock_a_name_whether_it_exists_or_not(browser, name):
    for _ in range(10):
        assert (await browser.authn(name, "wrong"))["errorCode"] == "E0000004"
    assert (await browser.authn(name, "wrong"))["status"] == "LOCKED_OUT"
    assert (await browser.authn(name))["status"] == "LOCKED_OUT"


async def test_a_correct_password_resets_the_count_of_failures(browser):
    for _ in range(9):
        await browser.authn("ada", "wrong")
    assert (await browser.authn("ada"))["status"] == "SUCCESS"
    for _ in range(9):
        await browser.authn("ada", "wrong")
    assert (await browser.authn("ada"))["status"] == "SUCCESS"


async def test_a_policy_may_hide_that_an_account_is_locked(provider):
    browser = await provider(lockout={"shown": False})
    assert (await browser.authn("locked"))["errorCode"] == "E0000004"


async def test_a_state_can_be_read_again_and_cancelled(browser):
    answer = await browser.authn("expired", relayState="/cart")
    word = {"stateToken": answer["stateToken"]}
    assert (await browser.post("/api/v1/authn/introspect", word))["status"] == "PASSWORD_EXPIRED"
    assert (await browser.post("/api/v1/authn", word))["relayState"] == "/cart"
    assert await browser.follow(answer, "cancel") == {"relayState": "/cart"}
    assert (await browser.post("/api/v1/authn/introspect", word))["errorCode"] == "E0000011"


async def test_a_state_token_expires_five_minutes_after_its_last_use(browser, clock):
    answer = await browser.authn("expired")
    word = {"stateToken": answer["stateToken"]}
    for _ in range(3):
        clock.pass_by(299)
        assert (await browser.post("/api/v1/authn", word))["status"] == "PASSWORD_EXPIRED"
    clock.pass_by(301)
    assert (await browser.post("/api/v1/authn", word))["errorCode"] == "E0000011"


@pytest.mark.parametrize(
    "path", ["/skip", "/previous", "/credentials/reset_password", "/factors", "/factors/x/verify", "/recovery/answer"]
)
async def test_a_step_that_is_not_offered_is_refused(browser, path):
    answer = await browser.authn("expired")
    refused = await browser.post(f"/api/v1/authn{path}", {"stateToken": answer["stateToken"], "newPassword": NEW})
    assert (browser.status, refused["errorCode"]) == (403, "E0000079")
    assert (await browser.authn("expired", NEW))["errorCode"] == "E0000004"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [("wrong", NEW, "E0000014"), (PASSWORD, "short", "E0000080"), (PASSWORD, PASSWORD, "E0000080")],
)
async def test_an_expired_password_is_changed_according_to_the_rules(browser, old, new, code):
    answer = await browser.authn("expired")
    refused = await browser.follow(answer, oldPassword=old, newPassword=new)
    assert (browser.status, refused["errorCode"]) == (403, code)
    finished = await browser.follow(answer, oldPassword=PASSWORD, newPassword=NEW)
    assert finished["status"] == "SUCCESS"
    assert (await browser.authn("expired", NEW))["status"] == "SUCCESS"


async def test_a_password_about_to_expire_is_reported_on_request(browser):
    answer = await browser.authn("warn", options={"warnBeforePasswordExpired": True})
    assert answer["status"] == "PASSWORD_WARN"
    assert (await browser.follow(answer, "skip"))["status"] == "SUCCESS"


async def begin_challenge(browser, name, kind):
    """At the challenge of a factor of that type, its challenge sent."""
    answer = await browser.authn(name)
    factor = next(entry for entry in answer["_embedded"]["factors"] if entry["factorType"] == kind)
    return await browser.post(factor["_links"]["verify"]["href"], {"stateToken": answer["stateToken"]})


@pytest.mark.parametrize(
    ("name", "kind", "to", "channel"),
    [
        ("email-mfa", "email", "email-mfa@example.test", "email"),
        ("phone", "sms", "+15550100001", "sms"),
        ("phone", "call", "+15550100001", "call"),
    ],
)
async def test_a_code_that_was_sent_signs_in(browser, name, kind, to, channel):
    answer = await begin_challenge(browser, name, kind)
    assert (answer["status"], answer["_embedded"]["factor"]["factorType"]) == ("MFA_CHALLENGE", kind)
    refused = await browser.follow(answer, passCode="000000x")
    assert (browser.status, refused["errorCode"]) == (403, "E0000068")
    sent = await browser.message(to)
    assert sent["channel"] == channel
    finished = await browser.follow(answer, passCode=sent["code"])
    assert finished["status"] == "SUCCESS"
    back = await browser.authorize(sessionToken=finished["sessionToken"])
    assert "code" in back


async def test_a_code_is_valid_until_the_next_is_sent_and_for_five_attempts(browser, clock):
    answer = await begin_challenge(browser, "email-mfa", "email")
    first = (await browser.message("email-mfa"))["code"]
    again = await browser.follow(answer, "resend")
    second = (await browser.message("email-mfa"))["code"]
    assert (await browser.follow(again, passCode=first))["errorCode"] == ("E0000068" if first != second else None)
    for _ in range(4):
        assert (await browser.follow(again, passCode="x"))["errorCode"] == "E0000068"
    assert (await browser.follow(again, passCode=second))["errorCode"] == "E0000047"
    assert browser.status == 429


async def test_a_code_expires_after_five_minutes(browser, clock):
    answer = await begin_challenge(browser, "email-mfa", "email")
    code = (await browser.message("email-mfa"))["code"]
    clock.pass_by(200)
    await browser.post("/api/v1/authn/introspect", {"stateToken": answer["stateToken"]})
    await browser.post("/api/v1/authn", {"stateToken": answer["stateToken"]})
    clock.pass_by(101)
    assert (await browser.follow(answer, passCode=code))["errorCode"] == "E0000068"


async def test_a_challenge_can_return_to_the_list_of_factors(browser):
    answer = await begin_challenge(browser, "phone", "sms")
    back = await browser.follow(answer, "prev")
    assert back["status"] == "MFA_REQUIRED"
    assert [factor["factorType"] for factor in back["_embedded"]["factors"]] == ["email", "sms", "call"]


async def test_a_text_is_not_sent_again_within_half_a_minute(browser, clock):
    answer = await begin_challenge(browser, "phone", "sms")
    assert (await browser.follow(answer, "resend"))["errorCode"] == "E0000047"
    clock.pass_by(30)
    assert (await browser.follow(answer, "resend"))["status"] == "MFA_CHALLENGE"


async def test_a_security_answer_ignores_case_and_spaces(browser):
    answer = await begin_challenge(browser, "asked", "question")
    profile = answer["_embedded"]["factor"]["profile"]
    assert profile == {"question": "favorite_walk", "questionText": "What is your favourite walk?"}
    assert (await browser.follow(answer, answer="by the sea"))["errorCode"] == "E0000068"
    assert (await browser.follow(answer, answer=" along THE  river "))["status"] == "SUCCESS"


async def enrolling(browser, name, kind, provider="OKTA", **profile):
    answer = await browser.authn(name)
    assert answer["status"] == "MFA_ENROLL"
    body = {"stateToken": answer["stateToken"], "factorType": kind, "provider": provider, "profile": profile}
    return await browser.post("/api/v1/authn/factors", body)


async def test_an_app_is_enrolled_and_each_of_its_codes_is_accepted_once(browser, clock):
    answer = await enrolling(browser, "must", "token:software:totp", "GOOGLE")
    activation = answer["_embedded"]["factor"]["_embedded"]["activation"]
    assert activation["qrcode"].startswith("data:image/png;base64,")
    code = totp.code_at(activation["sharedSecret"], int(clock.now // 30))
    finished = await browser.follow(answer, passCode=code)
    assert finished["status"] == "SUCCESS"
    assert (await browser.authn("must"))["status"] == "SUCCESS"


async def test_an_enrolment_that_the_policy_requires_cannot_be_skipped(browser):
    answer = await browser.authn("must")
    assert "skip" not in answer["_links"]
    await browser.post("/api/v1/authn/skip", {"stateToken": answer["stateToken"]})
    assert browser.status == 403
    free = await browser.authn("enroller")
    assert (await browser.follow(free, "skip"))["status"] == "SUCCESS"


@pytest.mark.parametrize(("kind", "profile", "to"), [("sms", {"phoneNumber": "+1 555 0100 777"}, "+15550100777")])
async def test_a_phone_is_enrolled_with_the_code_sent_to_it(browser, kind, profile, to):
    answer = await enrolling(browser, "enroller", kind, **profile)
    assert answer["status"] == "MFA_ENROLL_ACTIVATE"
    finished = await browser.follow(answer, passCode=(await browser.message(to))["code"])
    assert "sms" not in [factor["factorType"] for factor in finished["_embedded"]["factors"]]


async def test_a_question_is_enrolled_at_once(browser):
    finished = await enrolling(browser, "enroller", "question", question="favorite_walk", answer="Up the hill")
    assert "question" not in [factor["factorType"] for factor in finished["_embedded"]["factors"]]


async def test_a_push_app_is_polled_until_it_approves_its_enrolment(browser):
    answer = await enrolling(browser, "enroller", "push")
    assert (answer["factorResult"], answer["_links"]["next"]["name"]) == ("WAITING", "poll")
    assert (await browser.follow(answer))["factorResult"] == "WAITING"
    decided = await browser.post("/dev/push", {"to": "enroller", "action": "enroll"})
    assert decided["status"] == "APPROVED"
    assert (await browser.follow(answer))["status"] == "MFA_ENROLL"


async def test_a_security_key_is_enrolled(browser):
    answer = await enrolling(browser, "enroller", "webauthn", "FIDO")
    options = answer["_embedded"]["factor"]["_embedded"]["activation"]["activation"]
    finished = await browser.follow(answer, **SecurityKey().create(options["challenge"]))
    assert "webauthn" not in [factor["factorType"] for factor in finished["_embedded"]["factors"]]


async def test_a_forgotten_password_is_reset_by_the_link_of_the_mail(browser):
    sent = await browser.post("/api/v1/authn/recovery/password", {"username": "ada", "factorType": "EMAIL"})
    assert sent == {
        "status": "RECOVERY_CHALLENGE",
        "factorResult": "WAITING",
        "factorType": "EMAIL",
        "recoveryType": "PASSWORD",
    }
    mail = await browser.message("ada@example.test")
    assert mail["link"] == f"http://localhost:8080/forget-password/{mail['token']}"
    answer = await browser.post("/api/v1/authn/recovery/token", {"recoveryToken": mail["token"]})
    assert (answer["status"], answer["_links"]["next"]["name"]) == ("PASSWORD_RESET", "resetPassword")
    assert (await browser.follow(answer, newPassword="short"))["errorCode"] == "E0000080"
    assert (await browser.follow(answer, newPassword=NEW))["status"] == "SUCCESS"
    again = await browser.post("/api/v1/authn/recovery/token", {"recoveryToken": mail["token"]})
    assert (browser.status, again["errorCode"]) == (401, "E0000011")
    assert (await browser.authn("ada", NEW))["status"] == "SUCCESS"


async def test_recovery_of_an_unknown_name_looks_the_same_and_sends_nothing(browser):
    known_user = await browser.post("/api/v1/authn/recovery/password", {"username": "ada", "factorType": "EMAIL"})
    unknown = await browser.post("/api/v1/authn/recovery/password", {"username": "nobody", "factorType": "EMAIL"})
    assert unknown == known_user
    by_text = await browser.post("/api/v1/authn/recovery/password", {"username": "nobody", "factorType": "SMS"})
    assert (by_text["status"], by_text["_links"]["next"]["name"]) == ("RECOVERY_CHALLENGE", "verify")
    assert (await browser.follow(by_text, passCode="123456"))["errorCode"] == "E0000068"
    assert await browser.sent("nobody") == 0


@pytest.mark.parametrize("factor_type", ["SMS", "CALL", "sms"])
async def test_recovery_by_phone_names_the_factor_as_it_was_asked(browser, factor_type):
    answer = await browser.post("/api/v1/authn/recovery/password", {"username": "phone", "factorType": factor_type})
    assert (answer["status"], answer["factorType"]) == ("RECOVERY_CHALLENGE", factor_type)


async def test_recovery_asks_the_security_question_before_the_reset(browser):
    await browser.post("/api/v1/authn/recovery/password", {"username": "asked", "factorType": "EMAIL"})
    mail = await browser.message("asked")
    answer = await browser.post("/api/v1/authn/recovery/token", {"recoveryToken": mail["token"]})
    assert answer["_embedded"]["user"]["recovery_question"] == {"question": "What is your favourite walk?"}
    assert (await browser.follow(answer, answer="wrong"))["errorCode"] == "E0000087"
    assert (await browser.follow(answer, answer="along the river"))["status"] == "PASSWORD_RESET"


async def test_a_password_is_reset_by_text(browser, clock):
    answer = await browser.post("/api/v1/authn/recovery/password", {"username": "phone", "factorType": "SMS"})
    clock.pass_by(31)
    assert (await browser.follow(answer, "resend"))["status"] == "RECOVERY_CHALLENGE"
    code = (await browser.message("+15550100001"))["code"]
    reset = await browser.follow(answer, passCode=code)
    assert reset["status"] == "PASSWORD_RESET"


async def test_a_locked_account_is_unlocked_by_mail(browser):
    await browser.post("/api/v1/authn/recovery/unlock", {"username": "locked", "factorType": "EMAIL"})
    mail = await browser.message("locked")
    assert mail["link"].startswith("http://localhost:8080/email-verify/")
    finished = await browser.post("/api/v1/authn/recovery/token", {"recoveryToken": mail["token"]})
    assert finished == {"status": "SUCCESS", "recoveryType": "UNLOCK"}
    assert (await browser.authn("locked"))["status"] == "SUCCESS"


async def test_codes_and_passwords_are_stored_as_digests_only(browser, tmp_path):
    await begin_challenge(browser, "email-mfa", "email")
    answer = await browser.authn("ada")
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("identity.db*"))
    assert answer["sessionToken"].encode() not in stored
    assert PASSWORD.encode() not in stored


async def test_a_sign_in_continues_after_a_restart(provider, browser):
    answer = await begin_challenge(browser, "email-mfa", "email")
    await browser.close()
    again = await provider()
    code = (await again.message("email-mfa"))["code"]
    assert (await again.follow(answer, passCode=code))["status"] == "SUCCESS"
