"""The authn client against the provider's stand-in, and against a provider with faulty replies."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from aiohttp import web

from config.settings import Settings
from host.identity.authn_client import AuthnClient, AuthnOptions, AuthnTransaction, Saved, link_of
from host.identity.errors import (
    TEXTS,
    AutoPushFailed,
    CallRefused,
    NoEvaluate,
    NoLinkName,
    NoResume,
    NoSuchLink,
    PollStopped,
    ProviderRateLimited,
    ProviderUnavailable,
    RememberDeviceFailed,
)
from host.identity.provider import Provider
from standins.identity.authenticators import totp
from tests.host.identity.browser import PASSWORD
from tests.host.identity.forger import Forger
from tests.host.site import ENVIRONMENT

PUSH = {"enroll-mfa": {"second": ["okta_verify"], "enroll": {"okta_verify": "optional"}}}


class Pauses:
    """Pauses that end at once; `at` maps the number of a pause to an action after it."""

    def __init__(self):
        self.waited, self.at = [], {}

    async def __call__(self, seconds):
        self.waited.append(seconds)
        await self.at.get(len(self.waited), nothing)()


async def nothing():
    """An action that does nothing."""


def opened(origin):
    """A Provider as the host creates it, without a host."""
    return Provider(Settings.from_environment({**ENVIRONMENT, "OIDC_ISSUER": origin}))


@pytest.fixture
async def pauses():
    return Pauses()


@pytest.fixture
async def classic(standin, pauses):
    provider = opened(standin.origin)

    def now():
        return datetime.fromtimestamp(standin.clock.now, UTC)

    yield AuthnClient(provider, {"X-Forwarded-For": "203.0.113.7"}, now=now, pause=pauses)
    await provider.wire.close()


@pytest.fixture
async def forger():
    provider = Forger()
    await provider.start()
    yield provider
    await provider.stop()


@pytest.fixture
async def forged(forger, pauses):
    provider = opened(forger.origin)
    yield AuthnClient(provider, {}, now=lambda: datetime.now(UTC), pause=pauses)
    await provider.wire.close()


def waiting(forger, **more):
    """A transaction of the forger that waits for its factor."""
    link = {"name": "poll", "href": f"{forger.origin}/api/v1/authn/factors/f/verify", "hints": {"allow": ["POST"]}}
    return {"stateToken": "00x", "status": "MFA_CHALLENGE", "factorResult": "WAITING", "_links": {"next": link}, **more}


async def hook(standin, action):
    import aiohttp

    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{standin.origin}/dev/push", json={"to": "enroller", "action": action}) as answer,
    ):
        return await answer.json()


@pytest.fixture
async def pushed(standin, classic):
    """Enrol the push factor of `enroller` by polling; returns the app's shared secret."""
    await standin.stop()
    await standin.start(signOn=PUSH)
    listed = await classic.sign_in("enroller", PASSWORD)
    assert listed.status == "MFA_ENROLL"
    factor = next(row for row in listed.factors if row["factorType"] == "push")
    asked = await listed.follow("enroll", of=factor)
    assert asked.status == "MFA_ENROLL_ACTIVATE"
    shared = (await hook(standin, "enroll"))["sharedSecret"]
    assert (await asked.poll()).status == "SUCCESS"
    required = await classic.sign_in("enroller", PASSWORD)
    assert required.status == "MFA_REQUIRED"
    return required, shared


def factor_of(answer, kind):
    return next(row for row in answer.factors if row["factorType"] == kind)


async def test_a_password_is_enough_for_a_session_token(classic):
    answer = await classic.sign_in("ada", PASSWORD)
    assert (answer.status, answer.session_token[:5], classic.saved) == ("SUCCESS", "20111", Saved())


async def test_a_push_is_polled_until_it_is_approved(standin, classic, pushed, pauses):
    required, _ = pushed
    answer = await required.follow("verify", of=factor_of(required, "push"))
    assert (answer.status, answer.data["factorResult"]) == ("MFA_CHALLENGE", "WAITING")
    pauses.waited.clear()
    pauses.at[3] = lambda: hook(standin, "approve")
    done = await answer.poll(AuthnOptions(auto_push=True, remember_device=lambda: False))
    assert (done.status, pauses.waited) == ("SUCCESS", [0.5, 0.5, 0.5])


async def test_a_rejected_push_ends_the_poll(standin, pushed):
    required, _ = pushed
    answer = await required.follow("verify", of=factor_of(required, "push"))
    await hook(standin, "reject")
    assert (await answer.poll()).data["factorResult"] == "REJECTED"


async def test_a_code_of_the_app_completes_the_push_factor(standin, pushed):
    required, shared = pushed
    answer = await required.follow("verify", of=factor_of(required, "token:software:totp"))
    with pytest.raises(CallRefused) as caught:
        await answer.follow("verify", passCode="000")
    assert (caught.value.code, len(caught.value.causes)) == ("E0000068", 1)
    code = totp.code_at(shared, int(standin.clock.now // 30))
    assert (await answer.follow("verify", passCode=code)).status == "SUCCESS"


async def test_another_link_stops_the_poll(pushed, pauses):
    required, _ = pushed
    answer = await required.follow("verify", of=factor_of(required, "push"))
    pauses.waited.clear()
    pauses.at[1] = lambda: answer.follow("resend", "push")
    with pytest.raises(PollStopped, match=r"^The poll was stopped by the sdk$"):
        await answer.poll()
    assert pauses.waited == [0.5]


async def test_one_of_several_links_is_selected_by_name(pushed):
    required, _ = pushed
    answer = await required.follow("verify", of=factor_of(required, "push"))
    with pytest.raises(NoSuchLink, match=r"^No link found for that name$"):
        await answer.follow("resend", "sms")
    with pytest.raises(NoLinkName, match=r"^Must provide a link name$"):
        await answer.follow("resend")
    assert (await answer.follow("resend", "push")).data["factorResult"] == "WAITING"


def fails():
    raise RuntimeError("the box cannot be read")


@pytest.mark.parametrize(
    ("asked", "error", "text"),
    [
        (AuthnOptions(auto_push=fails), AutoPushFailed, "AutoPush resulted in an error."),
        (AuthnOptions(remember_device=fails), RememberDeviceFailed, "RememberDevice resulted in an error."),
    ],
)
async def test_a_failing_option_callback_ends_the_call(forged, forger, asked, error, text):
    answer = AuthnTransaction(forged, waiting(forger))
    for go in (answer.poll(asked), answer.follow("poll", options=asked)):
        with pytest.raises(error) as caught:
            await go
        assert str(caught.value) == text
    assert forger.requested == []


async def test_a_state_token_is_saved_and_resumes_until_it_expires(standin, classic):
    assert (await classic.sign_in("email-mfa", PASSWORD)).status == "MFA_REQUIRED"
    assert (await classic.resume()).status == "MFA_REQUIRED"
    token = classic.saved.token
    assert (await classic.introspect()).status == "MFA_REQUIRED"
    standin.clock.pass_by(301)
    with pytest.raises(NoResume):
        await classic.resume()
    with pytest.raises(CallRefused) as caught:
        await classic.resume(token)
    assert (caught.value.code, classic.saved) == ("E0000011", Saved())


async def test_without_a_token_there_is_nothing_to_resume_or_evaluate(classic):
    with pytest.raises(NoResume, match=r"^No transaction to resume$"):
        await classic.resume()
    with pytest.raises(NoEvaluate, match=r"^No transaction to evaluate$"):
        await classic.introspect()


async def test_an_invalid_token_clears_the_saved_one(classic):
    await classic.sign_in("email-mfa", PASSWORD)
    assert classic.saved.token is not None
    with pytest.raises(CallRefused):
        await classic.introspect("00invented")
    assert classic.saved == Saved()


async def test_other_errors_keep_the_saved_token(classic):
    answer = await classic.sign_in("email-mfa", PASSWORD)
    sent = await answer.follow("verify", of=answer.factors[0])
    with pytest.raises(CallRefused) as caught:
        await sent.follow("verify", passCode="000000")
    assert (caught.value.code, classic.saved.token) == ("E0000068", answer.data["stateToken"])
    await sent.follow("cancel")
    assert classic.saved == Saved()


async def test_recovery_and_unlocking_start_without_a_state_token(standin, classic):
    recovery = await classic.recover("ada")
    assert (recovery.status, classic.saved) == ("RECOVERY_CHALLENGE", Saved())
    assert (await classic.unlock("nobody")).data["recoveryType"] == "UNLOCK"


def refusals(*statuses):
    """Responses with these statuses in turn; the last one repeats."""
    left = list(statuses)

    def answer():
        status = left.pop(0) if len(left) > 1 else left[0]
        body = {"status": "SUCCESS"} if status == 200 else {"errorCode": "E0000047", "errorSummary": "no"}
        return web.json_response(body, status=status)

    return answer


async def test_a_429_is_retried_after_1_2_4_8_and_16_s(forged, forger, pauses):
    forger.answers["/api/v1/authn/factors/f/verify"] = refusals(429, 429, 429, 429, 429, 200)
    assert (await AuthnTransaction(forged, waiting(forger)).poll()).status == "SUCCESS"
    assert pauses.waited == [1, 2, 4, 8, 16]


async def test_the_sixth_failure_in_a_row_ends_the_poll(forged, forger, pauses):
    forger.answers["/api/v1/authn/factors/f/verify"] = refusals(429)
    with pytest.raises(ProviderRateLimited):
        await AuthnTransaction(forged, waiting(forger)).poll()
    assert (pauses.waited, len(forger.requested)) == ([1, 2, 4, 8, 16], 6)


async def test_a_successful_reply_resets_the_retry_count(forged, forger, pauses):
    outcomes = iter([429, 429, "waiting", 429, 200])

    def answer():
        outcome = next(outcomes)
        if outcome == "waiting":
            return web.json_response(waiting(forger))
        return refusals(outcome)()

    forger.answers["/api/v1/authn/factors/f/verify"] = answer
    assert (await AuthnTransaction(forged, waiting(forger)).poll()).status == "SUCCESS"
    assert pauses.waited == [1, 2, 0.5, 1]


async def test_a_network_failure_is_retried(forged, forger, pauses):
    await forger.stop()
    pauses.at[2] = forger.start
    forger.answers["/api/v1/authn/factors/f/verify"] = refusals(200)
    assert (await AuthnTransaction(forged, waiting(forger)).poll()).status == "SUCCESS"
    assert pauses.waited == [1, 2]


async def test_a_5xx_is_not_retried(forged, forger, pauses):
    forger.answers["/api/v1/authn/factors/f/verify"] = lambda: web.json_response(
        {"errorCode": "E0000009", "errorSummary": "Internal"}, status=500
    )
    with pytest.raises(ProviderUnavailable, match=r"^Unknown error$") as caught:
        await AuthnTransaction(forged, waiting(forger)).poll()
    assert (caught.value.status, caught.value.code, pauses.waited) == (500, "E0000009", [])


@pytest.mark.parametrize(
    "href", ["https://evil.example/api/v1/authn/x", "{origin}/idp/idx/identify", "{origin}/api/v1/authn/../../x"]
)
async def test_a_link_to_another_origin_or_api_is_not_followed(forged, forger, href):
    link = {"name": "poll", "href": href.format(origin=forger.origin), "hints": {"allow": ["POST"]}}
    with pytest.raises(ProviderUnavailable):
        await AuthnTransaction(forged, waiting(forger, _links={"next": link})).poll()
    assert forger.requested == []


async def test_a_link_that_is_not_a_post_call_is_refused(forged, forger):
    picture = {"qrcode": {"href": f"{forger.origin}/api/v1/authn/qr", "type": "image/png"}}
    with pytest.raises(NoSuchLink):
        link_of({"_links": picture}, "qrcode", None)


def test_a_token_without_an_expiry_is_not_saved():
    saved = Saved()
    saved.update({"stateToken": "00x"})
    assert saved == Saved()
    end = datetime(2026, 1, 1, tzinfo=UTC)
    saved.update({"stateToken": "00x", "expiresAt": "2026-01-01T00:00:00.000Z"})
    assert (saved.valid_token(end - timedelta(seconds=1)), saved.valid_token(end)) == ("00x", None)
    assert replace(saved).token in "00x"
    assert TEXTS["noResume"] == "No transaction to resume"
