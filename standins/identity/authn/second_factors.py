"""Second factors of classic authentication: choice, verification, enrolment."""

from typing import Any

from standins.identity import transactions
from standins.identity.authenticators import challenges, enrolment
from standins.identity.authenticators.challenges import KINDS, Attempt
from standins.identity.authenticators.codes import ChallengeFailed
from standins.identity.authn import factors, states
from standins.identity.authn.factors import Factor
from standins.identity.responses import (
    IdentityApiError,
    IdentityCall,
    IdentityResponse,
    json_response,
    object_of,
    text_of,
)
from standins.identity.tables import Transaction, User
from standins.identity.users import user_by_id

_CAUSES = {
    "used": "Each code can only be used once. Please wait for a new code and try again.",
    "gone": "Your passcode has expired. Please request a new one.",
}


def to_api_error(wrong: ChallengeFailed) -> IdentityApiError:
    """A failed challenge in classic authentication's error format."""
    if wrong.reason in ("too_many", "too_soon"):
        headers = {"X-Rate-Limit-Limit": "5", "X-Rate-Limit-Remaining": "0"}
        return IdentityApiError(
            "E0000047", 429, "API call exceeded rate limit due to too many requests.", headers=headers
        )
    cause = _CAUSES.get(wrong.reason, "Your passcode doesn't match our records. Please try again.")
    return IdentityApiError("E0000068", 403, "Invalid Passcode/Answer", cause)


def _attempt(call: IdentityCall, row: Transaction, factor: Factor) -> Attempt:
    origins = tuple(origin for client in call.provider.clients.values() for origin in client.origins)
    context = row.data.get("context", {})
    return Attempt(f"authn:{row.digest}", factor.enrollment, factor.method, context, origins)


def verify(call: IdentityCall) -> IdentityResponse:
    """Sends the challenge of a factor on its first call without an answer; otherwise checks the answer or polls."""
    state_token, row = states.require_offered(call)
    user = user_by_id(call.session, row.user_id)
    if row.data["state"] == "MFA_REQUIRED":
        transactions.update(row, factor=call.params["id"])
        factor = states.chosen_factor(call, row)
        if not _is_answer(call.json):
            return _send_challenge(call, state_token, row, user, factor)
    factor = states.chosen_factor(call, row)
    try:
        challenges.check_answer(call, user, _attempt(call, row, factor), dict(_values(call.json)))
    except ChallengeFailed as wrong:
        if factor.type == "push":
            return json_response(states.state_json(call, state_token, row))
        raise to_api_error(wrong) from None
    amr = [*row.data["amr"], KINDS[factor.enrollment.key].amr]
    transactions.update(row, verified=True, amr=amr)
    return json_response(states.advance(call, state_token, row))


def _is_answer(body: dict[str, Any]) -> bool:
    return any(name in body for name in ("passCode", "answer", "clientData"))


def _values(body: dict[str, Any]) -> dict[str, Any]:
    return {**body, "passcode": body.get("passCode", ""), "totp": body.get("passCode", "")}


def _send_challenge(
    call: IdentityCall, state_token: str, row: Transaction, user: User, factor: Factor
) -> IdentityResponse:
    try:
        context = challenges.start(call, user, _attempt(call, row, factor))
    except ChallengeFailed as wrong:
        raise to_api_error(wrong) from None
    transactions.update(row, state="MFA_CHALLENGE", context=context)
    return json_response(states.state_json(call, state_token, row))


def resend(call: IdentityCall) -> IdentityResponse:
    """Sends a new code, also during enrolment; the earlier one becomes invalid."""
    state_token, row = states.require_offered(call)
    user = user_by_id(call.session, row.user_id)
    factor = states.chosen_factor(call, row)
    try:
        context = challenges.start(call, user, _attempt(call, row, factor))
    except ChallengeFailed as wrong:
        raise to_api_error(wrong) from None
    transactions.update(row, context=context)
    return json_response(states.state_json(call, state_token, row))


def enroll(call: IdentityCall) -> IdentityResponse:
    """Starts enrolling a factor of MFA_ENROLL's list; a question is enrolled at once."""
    state_token, row = states.require_offered(call)
    user = user_by_id(call.session, row.user_id)
    body = call.json
    profile = object_of(body, "profile")
    kind = text_of(body, "factorType")
    key = factors.authenticator_key(kind, text_of(body, "provider"))
    due = call.provider.policies["signOn"][user.policy]["enroll"]
    if key is None or key not in due:
        raise IdentityApiError(
            "E0000001", 400, "Api validation failed: factorEnrollRequest", "factorType: not to be enrolled"
        )
    if key == "security_question":
        return _enroll_question(call, state_token, row, user)
    try:
        started = enrolment.start(
            call, user, key, {**profile, "methodType": factors.TYPES[kind][1]}, f"authn:{row.digest}"
        )
    except ChallengeFailed as wrong:
        raise _enrolment_error(wrong) from None
    factor = next(
        (factor_option for factor_option in factors.factors_of(started.enrollment) if factor_option.type == kind),
        factors.factors_of(started.enrollment)[0],
    )
    activation = {name: value for name, value in started.shown.items() if value is not None}
    transactions.update(
        row, state="MFA_ENROLL_ACTIVATE", factor=factor.id, context=started.context, activation=activation
    )
    return json_response(states.state_json(call, state_token, row))


def _enrolment_error(wrong: ChallengeFailed) -> IdentityApiError:
    if wrong.reason == "invalid":
        return IdentityApiError("E0000001", 400, "Api validation failed: factorEnrollRequest", "profile: not usable")
    return to_api_error(wrong)


def _enroll_question(call: IdentityCall, state_token: str, row: Transaction, user: User) -> IdentityResponse:
    profile = object_of(call.json, "profile")
    values = {
        "questionKey": profile.get("question"),
        "question": profile.get("questionText"),
        "answer": profile.get("answer"),
    }
    try:
        started = enrolment.start(call, user, "security_question", {}, f"authn:{row.digest}")
        enrolment.finish(call, user, started, values)
    except ChallengeFailed as wrong:
        raise _enrolment_error(wrong) from None
    return json_response(states.advance(call, state_token, row))


def activate(call: IdentityCall) -> IdentityResponse:
    """Activates a new factor by its answer, or polls the verify app."""
    state_token, row = states.require_offered(call)
    user = user_by_id(call.session, row.user_id)
    factor = states.chosen_factor(call, row)
    started = enrolment.StartedEnrolment(factor.enrollment, row.data.get("context", {}), {}, f"authn:{row.digest}")
    try:
        enrolment.finish(call, user, started, _values(call.json))
    except ChallengeFailed as wrong:
        if factor.type == "push":
            return json_response(states.state_json(call, state_token, row))
        raise to_api_error(wrong) from None
    # The factor was verified just now: it is not challenged again.
    amr = [*row.data["amr"], KINDS[factor.enrollment.key].amr]
    transactions.update(row, verified=True, amr=amr)
    return json_response(states.advance(call, state_token, row))
