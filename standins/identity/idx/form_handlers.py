"""Handlers of submitted forms. A form is accepted only when the current step offers it."""

from collections.abc import Callable

from standins.identity import outbox, transactions, users
from standins.identity.authenticators import challenges, codes, enrolment
from standins.identity.authenticators.challenges import KINDS, KINDS_BY_ID
from standins.identity.authenticators.codes import ChallengeFailed
from standins.identity.idx import flow, forms, registration
from standins.identity.idx.transaction import FormError, Tx
from standins.identity.responses import IdentityCall, IdentityResponse, Json, json_response, object_of, text_of
from standins.identity.tables import Enrollment, User

SIGN_IN_FAILED = ("errors.E0000004", "Unable to sign in")


def session_expired() -> IdentityResponse:
    """The response to an expired transaction, as plain JSON: with the engine's media type clients misread it."""
    text = "You have been logged out due to inactivity. Refresh or return to the sign in screen."
    message = forms.message("idx.session.expired", text)
    return json_response({"version": "1.0.0", "messages": forms.array([message])}, 401)


def submit(call: IdentityCall) -> IdentityResponse:
    """Handles any form or action: POST /idp/idx/{…}."""
    state_handle = text_of(call.json, "stateHandle")
    row = transactions.find(call, "idx", state_handle)
    if row is None:
        return session_expired()
    tx = Tx(call, state_handle, row)
    path = call.params["path"]
    if path == "cancel":
        return _cancel(tx)
    if path not in _HANDLERS or call.provider.origin + call.path not in _offered_hrefs(tx):
        return flow.step_response(tx, FormError(400, "errors.E0000079", "This cannot be done at this step."))
    try:
        _HANDLERS[path](tx, call.json)
    except FormError as problem:
        return flow.step_response(tx, problem)
    return flow.step_response(tx)


def _offered_hrefs(tx: Tx) -> set[str]:
    rows, extras = flow.step_parts(tx)
    holders = [
        extras.get(name, {}).get("value", {}) for name in ("currentAuthenticator", "currentAuthenticatorEnrollment")
    ]
    actions = [part for holder in holders for part in holder.values() if isinstance(part, dict) and "rel" in part]
    return {form["href"] for form in [*rows, *actions] if "rel" in form}


def _cancel(tx: Tx) -> IdentityResponse:
    """Replaces the transaction by a new one with a new handle."""
    enrolment.abandon(tx.call, tx.attempt_key, tx.enrollment)
    names = ("client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge", "server")
    request_fields = {name: tx.data[name] for name in names if name in tx.data}
    tx.call.session.delete(tx.row)
    state_handle, row = transactions.create(
        tx.call, "idx", {**request_fields, **INITIAL_DATA}, tx.call.seconds("interaction")
    )
    return flow.step_response(Tx(tx.call, state_handle, row))


INITIAL_DATA: Json = {"step": "identify", "flow": "authenticate", "verified": [], "amr": []}


def _identify(tx: Tx, body: Json) -> None:
    name = text_of(body, "identifier").strip()
    if not name:
        raise FormError(400, "errors.E0000001", "This field cannot be left blank", "identifier")
    if tx.step == "identify-recovery":
        _set_user(tx, name)
        tx.go_to("select")
        return
    if tx.features["identifierFirst"]:
        _set_user(tx, name)
        tx.go_to("challenge", key="okta_password", method="password")
        return
    _check_password(tx, name, text_of(object_of(body, "credentials"), "passcode"))


def _set_user(tx: Tx, name: str) -> None:
    user = users.find_user(tx.call.session, name)
    tx.row.user_id = user.id if user is not None else None
    tx.go_to(tx.step, name=name)


def _check_password(tx: Tx, name: str, password: str) -> None:
    try:
        user = users.authenticate(tx.call, name, password)
    except users.WrongPassword:
        is_first = tx.step == "identify"
        raise FormError(
            401, *(SIGN_IN_FAILED if is_first else ("incorrectPassword", "Password is incorrect"))
        ) from None
    except users.Locked:
        if not tx.call.provider.policies["lockout"]["shown"]:
            raise FormError(401, *SIGN_IN_FAILED) from None
        raise FormError(401, "errors.E0000119", "Your account is locked. Unlock it to go on.") from None
    tx.row.user_id = user.id
    tx.go_to(tx.step, verified=["okta_password"], amr=["pwd"])
    flow.advance(tx)


def _select_identify(tx: Tx, _body: Json) -> None:
    tx.go_to("identify", flow="authenticate")


def _recover(tx: Tx, _body: Json) -> None:
    """Starts a recovery. The first step asks for the user; a password challenge knows it."""
    is_known = "name" in tx.data
    tx.go_to("select" if is_known else "identify-recovery", flow="recover", key=None, method=None)


def _unlock(tx: Tx, _body: Json) -> None:
    tx.go_to("unlock-select", flow="unlock")


def _challenge(tx: Tx, body: Json) -> None:
    """Handles the choice of an authenticator or of its method."""
    choice = object_of(body, "authenticator")
    kind = KINDS_BY_ID.get(text_of(choice, "id"))
    if tx.step == "unlock-select":
        name = text_of(body, "identifier").strip()
        if not name:
            raise FormError(400, "errors.E0000001", "This field cannot be left blank", "identifier")
        _set_user(tx, name)
    if kind is None:
        raise FormError(400, "errors.E0000001", "Choose one of the list.")
    method = text_of(choice, "methodType")
    if tx.data["flow"] != "authenticate":
        _choose_for_recovery(tx, kind, method)
        return
    if kind.key == "okta_password" and "okta_password" not in tx.data["verified"]:
        tx.go_to("challenge", key="okta_password", method="password")
        return
    enrollment_id = text_of(choice, "enrollmentId") or (
        tx.data.get("enrollment") if tx.data.get("key") == kind.key else None
    )
    matching = [
        enrollment
        for enrollment in tx.candidates()
        if enrollment.key == kind.key and enrollment_id in (None, "", enrollment.id)
    ]
    if not matching:
        raise FormError(400, "errors.E0000001", "Choose one of the list.")
    flow.choose_authenticator(tx, matching[0], method)


def _choose_for_recovery(tx: Tx, kind: challenges.Kind, method: str) -> None:
    """Recovery and unlocking take the same steps for a user without this authenticator, but send nothing."""
    if kind.key not in tx.call.provider.policies["recoveryMethods"]:
        raise FormError(400, "errors.E0000001", "Choose one of the list.")
    enrollment = next((enrollment for enrollment in tx.active_enrollments() if enrollment.key == kind.key), None)
    if enrollment is not None:
        flow.choose_authenticator(tx, enrollment, method)
        return
    is_method_known = len(kind.methods) == 1 or method in kind.methods
    chosen_method = (method or kind.methods[0]) if is_method_known else None
    tx.go_to(
        "challenge" if is_method_known else "verification-data", key=kind.key, enrollment=None, method=chosen_method
    )


def _answer(tx: Tx, body: Json) -> None:
    """Handles the answer to a challenge or an enrolment, or a new password."""
    values = object_of(body, "credentials")
    if tx.step == "challenge":
        _check_challenge(tx, values)
    elif tx.step == "enroll":
        _finish_enrolment(tx, values)
    else:
        _set_new_password(tx, values)


def _check_challenge(tx: Tx, values: Json) -> None:
    key = tx.data["key"]
    if key == "okta_password":
        _check_password(tx, tx.data["name"], text_of(values, "passcode"))
        return
    user, attempt = tx.user, tx.attempt
    try:
        if user is None or attempt is None:
            codes.count_attempt(tx.call, tx.attempt_key)
            raise ChallengeFailed("wrong")
        challenges.check_answer(tx.call, user, attempt, values)
    except ChallengeFailed as wrong:
        if wrong.reason == "waiting":
            return
        raise flow.to_form_error(wrong, key) from None
    amr = [*tx.data["amr"], KINDS[key].amr]
    tx.go_to(tx.step, verified=[*tx.data["verified"], key], amr=amr)
    flow.advance(tx)


def _finish_enrolment(tx: Tx, values: Json) -> None:
    key, user, enrollment = tx.data["key"], tx.user, tx.enrollment
    if user is None or enrollment is None:
        raise FormError(400, "errors.E0000001", "Choose one of the list.")
    started = enrolment.StartedEnrolment(enrollment, tx.data.get("context", {}), {}, tx.attempt_key)
    try:
        enrolment.finish(tx.call, user, started, values)
    except users.PasswordRefused as broken:
        raise _password_error(broken) from None
    except ChallengeFailed as wrong:
        if wrong.reason == "waiting":
            return
        raise flow.to_form_error(wrong, key) from None
    amr = [*tx.data["amr"], KINDS[key].amr] if key != "security_question" else tx.data["amr"]
    tx.go_to(tx.step, verified=[*tx.data["verified"], key], amr=amr)
    flow.advance(tx)


def _password_error(broken: users.PasswordRefused) -> FormError:
    return FormError(403, "password.passwordRequirementsNotMet", " ".join(broken.causes), "passcode")


def _set_new_password(tx: Tx, values: Json) -> None:
    user = users.user_by_id(tx.call.session, tx.row.user_id)
    try:
        users.set_password(tx.call, user, text_of(values, "passcode"))
    except users.PasswordRefused as broken:
        raise _password_error(broken) from None
    if values.get("revokeSessions") is True:
        users.end_sessions(tx.call, user)
    if tx.data["flow"] == "recover":
        users.unlock(tx.call, user)
    tx.go_to(tx.step, flow="authenticate", verified=[*tx.data["verified"], "okta_password"])
    flow.advance(tx)


def _enroll(tx: Tx, _body: Json) -> None:
    tx.go_to("enroll-profile", flow="register")


def _enroll_new(tx: Tx, body: Json) -> None:
    """Creates an account. It becomes active when the authenticators that its policy requires are enrolled."""
    user = registration.register(tx, object_of(body, "userProfile"), object_of(body, "credentials"))
    tx.row.user_id = user.id
    if tx.call.provider.policies["registration"]["verifyFirst"]:
        registration.send_activation(tx, user)
        text = "We sent you a message. Follow its link to finish."
        tx.go_to("terminal", ending=["idx.email.verification.required", text])
        return
    flow.advance(tx)


def _credential(tx: Tx, body: Json) -> None:
    """Starts an enrolment, or asks for a phone's number or an app's channel first."""
    choice = object_of(body, "authenticator")
    kind = KINDS_BY_ID.get(text_of(choice, "id"))
    if kind is None or kind.key not in tx.due_authenticators():
        raise FormError(400, "errors.E0000001", "Choose one of the list.")
    channel = text_of(choice, "channel")
    if kind.key == "phone_number" and not choice.get("phoneNumber"):
        enrolment.abandon(tx.call, tx.attempt_key, tx.enrollment)
        tx.go_to("enrollment-data", key=kind.key, enrollment=None)
    elif kind.key == "okta_verify" and channel in ("email", "sms"):
        flow.start_enrolment(tx, kind.key, choice)
        tx.go_to("channel-data", channel=channel)
    else:
        flow.start_enrolment(tx, kind.key, choice)
        tx.go_to(tx.step, channel="qrcode" if kind.key == "okta_verify" else None)


def _send(tx: Tx, body: Json) -> None:
    """Sends the verify app's link to an address or a number."""
    user = users.user_by_id(tx.call.session, tx.row.user_id)
    name = "email" if tx.data["channel"] == "email" else "phoneNumber"
    target = text_of(body, name).strip()
    if not target or (name == "phoneNumber" and not enrolment.PHONE.fullmatch(target)):
        raise FormError(400, "errors.E0000001", "Enter where to send the link.", name)
    link = f"oktaverify://enroll?token={tx.data['context']['push']}"
    outbox.add_message(tx.call, target, tx.data["channel"], "enroll", login=user.login, link=link)
    tx.go_to("enroll-poll")


def _skip(tx: Tx, _body: Json) -> None:
    enrolment.abandon(tx.call, tx.attempt_key, tx.enrollment)
    if tx.step == "reenroll-warning":
        tx.go_to(tx.step, warned=True)
    else:
        users.user_by_id(tx.call.session, tx.row.user_id).has_declined = True
    flow.advance(tx)


def _resend(tx: Tx, _body: Json) -> None:
    user, enrollment = tx.user, tx.enrollment
    if tx.step == "challenge":
        flow.send_challenge(tx)
    elif user is not None and enrollment is not None:
        _resend_code(tx, user, enrollment)


def _resend_code(tx: Tx, user: User, enrollment: Enrollment) -> None:
    try:
        if enrollment.key == "okta_email":
            challenges.send_email_code(tx.call, user, enrollment, tx.attempt_key, None)
        else:
            challenges.send_phone_code(
                tx.call, user, enrollment, tx.attempt_key, tx.data.get("context", {}).get("method", "sms")
            )
    except ChallengeFailed as wrong:
        raise flow.to_form_error(wrong, enrollment.key) from None


def _poll(tx: Tx, _body: Json) -> None:
    """Polls the verify app. Other authenticators have nothing to poll."""
    if tx.data.get("key") != "okta_verify":
        return
    if tx.step == "enroll-poll":
        _finish_enrolment(tx, {})
    else:
        _check_challenge(tx, {})


_HANDLERS: dict[str, Callable[[Tx, Json], None]] = {
    "identify": _identify,
    "identify/select": _select_identify,
    "recover": _recover,
    "unlock-account": _unlock,
    "challenge": _challenge,
    "challenge/answer": _answer,
    "challenge/poll": _poll,
    "challenge/resend": _resend,
    "challenge/send": _send,
    "credential/enroll": _credential,
    "enroll": _enroll,
    "enroll/new": _enroll_new,
    "skip": _skip,
}
