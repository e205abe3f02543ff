"""Recovery of forgotten passwords and locked accounts, by email and phone; unknown names get the same responses."""

from standins.identity import outbox, tickets, transactions, users
from standins.identity.authenticators import challenges, codes
from standins.identity.authenticators.challenges import Attempt
from standins.identity.authenticators.codes import ChallengeFailed
from standins.identity.authn import states
from standins.identity.authn.second_factors import to_api_error
from standins.identity.responses import IdentityApiError, IdentityCall, IdentityResponse, Json, json_response, text_of
from standins.identity.tables import Enrollment, Transaction, User

SUBJECTS = {"PASSWORD": "Reset your password", "UNLOCK": "Unlock your account"}


def start_password_reset(call: IdentityCall) -> IdentityResponse:
    return _start(call, "PASSWORD", "recovery")


def start_unlock(call: IdentityCall) -> IdentityResponse:
    return _start(call, "UNLOCK", "unlock")


def _start(call: IdentityCall, kind: str, feature: str) -> IdentityResponse:
    name, factor_type = text_of(call.json, "username"), text_of(call.json, "factorType") or "EMAIL"
    via = factor_type.upper()
    if not name or via not in ("EMAIL", "SMS", "CALL"):
        raise IdentityApiError(
            "E0000001", 400, "Api validation failed: recoveryRequest", "username, factorType: not usable"
        )
    if not call.provider.policies["features"][feature]:
        raise IdentityApiError("E0000034", 403, "Forgot password not allowed on specified user.")
    user = users.find_user(call.session, name)
    if via == "EMAIL":
        if user is not None:
            _send_mail(call, user, kind)
        return json_response(
            {"status": "RECOVERY_CHALLENGE", "factorResult": "WAITING", "factorType": factor_type, "recoveryType": kind}
        )
    relay = {"relayState": call.json["relayState"]} if isinstance(call.json.get("relayState"), str) else {}
    data = {"recovery": kind, "via": via, "factor_type": factor_type, **relay}
    state_token, row = states.create(call, user, state="RECOVERY_CHALLENGE", **data)
    _send_phone_code(call, row, user, via)
    return json_response(states.state_json(call, state_token, row))


def _send_mail(call: IdentityCall, user: User, kind: str) -> None:
    token = tickets.issue(call, "recovery", {"kind": kind}, call.seconds("recoveryToken"), user.id)
    client = next(iter(call.provider.clients.values()))
    link = client.links[kind].replace("{token}", token) if kind in client.links else None
    subject = SUBJECTS[kind]
    outbox.add_message(
        call, user.profile["email"], "email", kind.lower(), login=user.login, link=link, token=token, subject=subject
    )


def _send_phone_code(call: IdentityCall, row: Transaction, user: User | None, via: str) -> None:
    phone = _phone_enrollment(call, user)
    if user is None or phone is None:
        # A code that is not sent, so that attempts are counted as for known names.
        codes.new_code(call, _attempt_key(row))
        return
    try:
        challenges.send_phone_code(call, user, phone, _attempt_key(row), via)
    except ChallengeFailed as wrong:
        raise to_api_error(wrong) from None


def _phone_enrollment(call: IdentityCall, user: User | None) -> Enrollment | None:
    enrollments = challenges.active_enrollments(call, user) if user is not None else []
    return next((enrollment for enrollment in enrollments if enrollment.key == "phone_number"), None)


def _attempt_key(row: Transaction) -> str:
    return f"authn:{row.digest}"


def verify_phone_code(call: IdentityCall) -> IdentityResponse:
    state_token, row = states.require_offered(call)
    try:
        codes.check_code(call, _attempt_key(row), text_of(call.json, "passCode").strip())
    except ChallengeFailed as wrong:
        raise to_api_error(wrong) from None
    return json_response(_advance(call, state_token, row))


def resend_phone_code(call: IdentityCall) -> IdentityResponse:
    state_token, row = states.require_offered(call)
    user = users.user_by_id(call.session, row.user_id) if row.user_id else None
    _send_phone_code(call, row, user, row.data["via"])
    return json_response(states.state_json(call, state_token, row))


def redeem_mail_token(call: IdentityCall) -> IdentityResponse:
    ticket = tickets.redeem(call, "recovery", text_of(call.json, "recoveryToken"))
    if ticket is None:
        raise IdentityApiError("E0000011", 401, "Invalid token provided")
    user = users.user_by_id(call.session, ticket.user_id)
    state_token, row = states.create(call, user, state="RECOVERY", recovery=ticket.data["kind"])
    return json_response(_advance(call, state_token, row))


def _advance(call: IdentityCall, state_token: str, row: Transaction) -> Json:
    """Goes on to the security question when the user has one, else to the requested recovery."""
    user = users.user_by_id(call.session, row.user_id)
    has_question = any(
        enrollment.key == "security_question" for enrollment in challenges.active_enrollments(call, user)
    )
    if has_question:
        transactions.update(row, state="RECOVERY")
        return states.state_json(call, state_token, row)
    return _finish(call, state_token, row, user)


def _finish(call: IdentityCall, state_token: str, row: Transaction, user: User) -> Json:
    if row.data["recovery"] == "UNLOCK":
        users.unlock(call, user)
        call.session.delete(row)
        return {"status": "SUCCESS", "recoveryType": "UNLOCK"}
    transactions.update(row, state="PASSWORD_RESET", amr=["otp"])
    return states.state_json(call, state_token, row)


def check_question(call: IdentityCall) -> IdentityResponse:
    state_token, row = states.require_offered(call)
    user = users.user_by_id(call.session, row.user_id)
    enrollment = next(
        enrollment for enrollment in challenges.active_enrollments(call, user) if enrollment.key == "security_question"
    )
    attempt = Attempt(_attempt_key(row), enrollment, "", {}, ())
    try:
        challenges.check_answer(call, user, attempt, call.json)
    except ChallengeFailed as wrong:
        if wrong.reason == "too_many":
            raise to_api_error(wrong) from None
        raise IdentityApiError("E0000087", 403, "The recovery question answer did not match our records.") from None
    return json_response(_finish(call, state_token, row, user))
