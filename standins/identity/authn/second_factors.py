"""Second factors of classic authentication: choosing, proving, enrolling."""

from typing import Any

from standins.identity import authenticators, enrolling, transactions
from standins.identity.answers import Answer, ApiError, Call, object_of, reply, text_of
from standins.identity.authenticators import KINDS, Attempt
from standins.identity.authn import factors, states
from standins.identity.authn.factors import Factor
from standins.identity.codes import Wrong
from standins.identity.tables import Transaction, User
from standins.identity.users import of_id

_CAUSES = {
    "used": "Each code can only be used once. Please wait for a new code and try again.",
    "gone": "Your passcode has expired. Please request a new one.",
}


def refusal(wrong: Wrong) -> ApiError:
    """A wrong code as classic authentication says it."""
    if wrong.reason in ("too_many", "too_soon"):
        headers = {"X-Rate-Limit-Limit": "5", "X-Rate-Limit-Remaining": "0"}
        return ApiError("E0000047", 429, "API call exceeded rate limit due to too many requests.", headers=headers)
    cause = _CAUSES.get(wrong.reason, "Your passcode doesn't match our records. Please try again.")
    return ApiError("E0000068", 403, "Invalid Passcode/Answer", cause)


def _attempt(call: Call, row: Transaction, factor: Factor) -> Attempt:
    origins = tuple(origin for client in call.provider.clients.values() for origin in client.origins)
    context = row.data.get("context", {})
    return Attempt(f"authn:{row.digest}", factor.enrollment, factor.method, context, origins)


def verify(call: Call) -> Answer:
    """The first call at a factor sends its challenge, unless it brings the answer already; later ones prove or poll."""
    word, row = states.offered(call)
    user = of_id(call.session, row.user_id)
    if row.data["state"] == "MFA_REQUIRED":
        transactions.update(row, factor=call.params["id"])
        factor = states.chosen(call, row)
        if not _is_answer(call.json):
            return _sent(call, word, row, user, factor)
    factor = states.chosen(call, row)
    try:
        authenticators.check(call, user, _attempt(call, row, factor), dict(_values(call.json)))
    except Wrong as wrong:
        if factor.type == "push":
            return reply(states.shown(call, word, row))
        raise refusal(wrong) from None
    amr = [*row.data["amr"], KINDS[factor.enrollment.key].amr]
    transactions.update(row, verified=True, amr=amr)
    return reply(states.advance(call, word, row))


def _is_answer(body: dict[str, Any]) -> bool:
    return any(name in body for name in ("passCode", "answer", "clientData"))


def _values(body: dict[str, Any]) -> dict[str, Any]:
    return {**body, "passcode": body.get("passCode", ""), "totp": body.get("passCode", "")}


def _sent(call: Call, word: str, row: Transaction, user: User, factor: Factor) -> Answer:
    try:
        context = authenticators.ask(call, user, _attempt(call, row, factor))
    except Wrong as wrong:
        raise refusal(wrong) from None
    transactions.update(row, state="MFA_CHALLENGE", context=context)
    return reply(states.shown(call, word, row))


def resend(call: Call) -> Answer:
    """A new code, also while enrolling; the earlier one no longer counts."""
    word, row = states.offered(call)
    user = of_id(call.session, row.user_id)
    factor = states.chosen(call, row)
    try:
        context = authenticators.ask(call, user, _attempt(call, row, factor))
    except Wrong as wrong:
        raise refusal(wrong) from None
    transactions.update(row, context=context)
    return reply(states.shown(call, word, row))


def enroll(call: Call) -> Answer:
    """A factor chosen from the list of MFA_ENROLL; a question is enrolled at once."""
    word, row = states.offered(call)
    user = of_id(call.session, row.user_id)
    body = call.json
    profile = object_of(body, "profile")
    kind = text_of(body, "factorType")
    key = factors.key_of(kind, text_of(body, "provider"))
    due = call.provider.policies["signOn"][user.policy]["enroll"]
    if key is None or key not in due:
        raise ApiError("E0000001", 400, "Api validation failed: factorEnrollRequest", "factorType: not to be enrolled")
    if key == "security_question":
        return _question(call, word, row, user)
    try:
        begun = enrolling.begin(
            call, user, key, {**profile, "methodType": factors.TYPES[kind][1]}, f"authn:{row.digest}"
        )
    except Wrong as wrong:
        raise _not_enrolled(wrong) from None
    factor = next(
        (one for one in factors.of_enrollment(begun.enrollment) if one.type == kind),
        factors.of_enrollment(begun.enrollment)[0],
    )
    activation = {name: value for name, value in begun.shown.items() if value is not None}
    transactions.update(
        row, state="MFA_ENROLL_ACTIVATE", factor=factor.id, context=begun.context, activation=activation
    )
    return reply(states.shown(call, word, row))


def _not_enrolled(wrong: Wrong) -> ApiError:
    if wrong.reason == "invalid":
        return ApiError("E0000001", 400, "Api validation failed: factorEnrollRequest", "profile: not usable")
    return refusal(wrong)


def _question(call: Call, word: str, row: Transaction, user: User) -> Answer:
    given = object_of(call.json, "profile")
    values = {
        "questionKey": given.get("question"),
        "question": given.get("questionText"),
        "answer": given.get("answer"),
    }
    try:
        begun = enrolling.begin(call, user, "security_question", {}, f"authn:{row.digest}")
        enrolling.finish(call, user, begun, values)
    except Wrong as wrong:
        raise _not_enrolled(wrong) from None
    return reply(states.advance(call, word, row))


def activate(call: Call) -> Answer:
    """The answer that proves a new factor, or a look whether the app has answered."""
    word, row = states.offered(call)
    user = of_id(call.session, row.user_id)
    factor = states.chosen(call, row)
    begun = enrolling.Begun(factor.enrollment, row.data.get("context", {}), {}, f"authn:{row.digest}")
    try:
        enrolling.finish(call, user, begun, _values(call.json))
    except Wrong as wrong:
        if factor.type == "push":
            return reply(states.shown(call, word, row))
        raise refusal(wrong) from None
    # What was proved just now is not asked for again.
    amr = [*row.data["amr"], KINDS[factor.enrollment.key].amr]
    transactions.update(row, verified=True, amr=amr)
    return reply(states.advance(call, word, row))
