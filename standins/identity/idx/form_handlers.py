"""What is posted to the forms. A post counts only when the last answer offered it."""

from collections.abc import Callable

from standins.identity import authenticators, codes, enrolling, outbox, registering, transactions, users
from standins.identity.answers import Answer, Call, Json, object_of, reply, text_of
from standins.identity.authenticators import BY_ID, KINDS
from standins.identity.codes import Wrong
from standins.identity.idx import flow, forms
from standins.identity.idx.transaction import Problem, Tx
from standins.identity.tables import Enrollment, User

FAILED = ("errors.E0000004", "Unable to sign in")


def expired() -> Answer:
    """As plain JSON: with the engine's own media type clients take it for a failure of another kind."""
    text = "You have been logged out due to inactivity. Refresh or return to the sign in screen."
    message = forms.message("idx.session.expired", text)
    return reply({"version": "1.0.0", "messages": forms.listed([message])}, 401)


def submit(call: Call) -> Answer:
    """Any form or action: POST /idp/idx/{…}."""
    word = text_of(call.json, "stateHandle")
    row = transactions.find(call, "idx", word)
    if row is None:
        return expired()
    tx = Tx(call, word, row)
    path = call.params["path"]
    if path == "cancel":
        return _cancel(tx)
    if path not in _HANDLERS or call.provider.origin + call.path not in _offered(tx):
        return flow.show(tx, Problem(400, "errors.E0000079", "This cannot be done at this step."))
    try:
        _HANDLERS[path](tx, call.json)
    except Problem as problem:
        return flow.show(tx, problem)
    return flow.show(tx)


def _offered(tx: Tx) -> set[str]:
    rows, extras = flow.parts(tx)
    holders = [
        extras.get(name, {}).get("value", {}) for name in ("currentAuthenticator", "currentAuthenticatorEnrollment")
    ]
    actions = [part for holder in holders for part in holder.values() if isinstance(part, dict) and "rel" in part]
    return {one["href"] for one in [*rows, *actions] if "rel" in one}


def _cancel(tx: Tx) -> Answer:
    """A new beginning under a new handle; the old one is dead."""
    enrolling.give_up(tx.call, tx.about, tx.enrollment)
    names = ("client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge", "server")
    kept = {name: tx.data[name] for name in names if name in tx.data}
    tx.call.session.delete(tx.row)
    word, row = transactions.begin(tx.call, "idx", {**kept, **BEGINNING}, tx.call.seconds("interaction"))
    return flow.show(Tx(tx.call, word, row))


BEGINNING: Json = {"step": "identify", "flow": "authenticate", "verified": [], "amr": []}


def _identify(tx: Tx, body: Json) -> None:
    name = text_of(body, "identifier").strip()
    if not name:
        raise Problem(400, "errors.E0000001", "This field cannot be left blank", "identifier")
    if tx.step == "identify-recovery":
        _named(tx, name)
        tx.go("select")
        return
    if tx.features["identifierFirst"]:
        _named(tx, name)
        tx.go("challenge", key="okta_password", method="password")
        return
    _password(tx, name, text_of(object_of(body, "credentials"), "passcode"))


def _named(tx: Tx, name: str) -> None:
    user = users.find(tx.call.session, name)
    tx.row.user_id = user.id if user is not None else None
    tx.go(tx.step, name=name)


def _password(tx: Tx, name: str, password: str) -> None:
    try:
        user = users.signed_in(tx.call, name, password)
    except users.WrongPassword:
        is_first = tx.step == "identify"
        raise Problem(401, *(FAILED if is_first else ("incorrectPassword", "Password is incorrect"))) from None
    except users.Locked:
        if not tx.call.provider.policies["lockout"]["shown"]:
            raise Problem(401, *FAILED) from None
        raise Problem(401, "errors.E0000119", "Your account is locked. Unlock it to go on.") from None
    tx.row.user_id = user.id
    tx.go(tx.step, verified=["okta_password"], amr=["pwd"])
    flow.advance(tx)


def _select_identify(tx: Tx, _body: Json) -> None:
    tx.go("identify", flow="authenticate")


def _recover(tx: Tx, _body: Json) -> None:
    """From the first step it is asked who; from a password challenge that is known."""
    is_known = "name" in tx.data
    tx.go("select" if is_known else "identify-recovery", flow="recover", key=None, method=None)


def _unlock(tx: Tx, _body: Json) -> None:
    tx.go("unlock-select", flow="unlock")


def _challenge(tx: Tx, body: Json) -> None:
    """An authenticator was chosen, or how it is to be asked."""
    given = object_of(body, "authenticator")
    kind = BY_ID.get(text_of(given, "id"))
    if tx.step == "unlock-select":
        name = text_of(body, "identifier").strip()
        if not name:
            raise Problem(400, "errors.E0000001", "This field cannot be left blank", "identifier")
        _named(tx, name)
    if kind is None:
        raise Problem(400, "errors.E0000001", "Choose one of the list.")
    method = text_of(given, "methodType")
    if tx.data["flow"] != "authenticate":
        _choose_anybodys(tx, kind, method)
        return
    if kind.key == "okta_password" and "okta_password" not in tx.data["verified"]:
        tx.go("challenge", key="okta_password", method="password")
        return
    wanted = text_of(given, "enrollmentId") or (tx.data.get("enrollment") if tx.data.get("key") == kind.key else None)
    found = [one for one in tx.candidates() if one.key == kind.key and wanted in (None, "", one.id)]
    if not found:
        raise Problem(400, "errors.E0000001", "Choose one of the list.")
    flow.choose(tx, found[0], method)


def _choose_anybodys(tx: Tx, kind: authenticators.Kind, method: str) -> None:
    """In recovery and unlocking a name without that authenticator goes the same way, and gets nothing."""
    if kind.key not in tx.call.provider.policies["recoveryMethods"]:
        raise Problem(400, "errors.E0000001", "Choose one of the list.")
    one = next((one for one in tx.held() if one.key == kind.key), None)
    if one is not None:
        flow.choose(tx, one, method)
        return
    is_settled = len(kind.methods) == 1 or method in kind.methods
    chosen = (method or kind.methods[0]) if is_settled else None
    tx.go("challenge" if is_settled else "verification-data", key=kind.key, enrollment=None, method=chosen)


def _answer(tx: Tx, body: Json) -> None:
    """Of a challenge, of an enrolment, or a new password."""
    values = object_of(body, "credentials")
    if tx.step == "challenge":
        _prove(tx, values)
    elif tx.step == "enroll":
        _finish(tx, values)
    else:
        _new_password(tx, values)


def _prove(tx: Tx, values: Json) -> None:
    key = tx.data["key"]
    if key == "okta_password":
        _password(tx, tx.data["name"], text_of(values, "passcode"))
        return
    user, attempt = tx.user, tx.attempt
    try:
        if user is None or attempt is None:
            codes.count_try(tx.call, tx.about)
            raise Wrong("wrong")
        authenticators.check(tx.call, user, attempt, values)
    except Wrong as wrong:
        if wrong.reason == "waiting":
            return
        raise flow.said(wrong, key) from None
    amr = [*tx.data["amr"], KINDS[key].amr]
    tx.go(tx.step, verified=[*tx.data["verified"], key], amr=amr)
    flow.advance(tx)


def _finish(tx: Tx, values: Json) -> None:
    key, user, one = tx.data["key"], tx.user, tx.enrollment
    if user is None or one is None:
        raise Problem(400, "errors.E0000001", "Choose one of the list.")
    begun = enrolling.Begun(one, tx.data.get("context", {}), {}, tx.about)
    try:
        enrolling.finish(tx.call, user, begun, values)
    except users.PolicyBroken as broken:
        raise _broken(broken) from None
    except Wrong as wrong:
        if wrong.reason == "waiting":
            return
        raise flow.said(wrong, key) from None
    amr = [*tx.data["amr"], KINDS[key].amr] if key != "security_question" else tx.data["amr"]
    tx.go(tx.step, verified=[*tx.data["verified"], key], amr=amr)
    flow.advance(tx)


def _broken(broken: users.PolicyBroken) -> Problem:
    return Problem(403, "password.passwordRequirementsNotMet", " ".join(broken.causes), "passcode")


def _new_password(tx: Tx, values: Json) -> None:
    user = users.of_id(tx.call.session, tx.row.user_id)
    try:
        users.set_password(tx.call, user, text_of(values, "passcode"))
    except users.PolicyBroken as broken:
        raise _broken(broken) from None
    if values.get("revokeSessions") is True:
        users.end_sessions(tx.call, user)
    if tx.data["flow"] == "recover":
        users.unlock(tx.call, user)
    tx.go(tx.step, flow="authenticate", verified=[*tx.data["verified"], "okta_password"])
    flow.advance(tx)


def _enroll(tx: Tx, _body: Json) -> None:
    tx.go("enroll-profile", flow="register")


def _enroll_new(tx: Tx, body: Json) -> None:
    """The new account; it becomes real when what its policy requires is enrolled."""
    user = registering.register(tx, object_of(body, "userProfile"), object_of(body, "credentials"))
    tx.row.user_id = user.id
    if tx.call.provider.policies["registration"]["verifyFirst"]:
        registering.send_activation(tx, user)
        text = "We sent you a message. Follow its link to finish."
        tx.go("terminal", ending=["idx.email.verification.required", text])
        return
    flow.advance(tx)


def _credential(tx: Tx, body: Json) -> None:
    """What is to be enrolled, with a phone's number or an app's channel when they are known already."""
    given = object_of(body, "authenticator")
    kind = BY_ID.get(text_of(given, "id"))
    if kind is None or kind.key not in tx.due():
        raise Problem(400, "errors.E0000001", "Choose one of the list.")
    channel = text_of(given, "channel")
    if kind.key == "phone_number" and not given.get("phoneNumber"):
        enrolling.give_up(tx.call, tx.about, tx.enrollment)
        tx.go("enrollment-data", key=kind.key, enrollment=None)
    elif kind.key == "okta_verify" and channel in ("email", "sms"):
        flow.begin_enrolment(tx, kind.key, given)
        tx.go("channel-data", channel=channel)
    else:
        flow.begin_enrolment(tx, kind.key, given)
        tx.go(tx.step, channel="qrcode" if kind.key == "okta_verify" else None)


def _send(tx: Tx, body: Json) -> None:
    """The link for the verify app, to an address or a number."""
    user = users.of_id(tx.call.session, tx.row.user_id)
    name = "email" if tx.data["channel"] == "email" else "phoneNumber"
    where = text_of(body, name).strip()
    if not where or (name == "phoneNumber" and not enrolling.PHONE.fullmatch(where)):
        raise Problem(400, "errors.E0000001", "Enter where to send the link.", name)
    link = f"oktaverify://enroll?token={tx.data['context']['push']}"
    outbox.put(tx.call, where, tx.data["channel"], "enroll", login=user.login, link=link)
    tx.go("enroll-poll")


def _skip(tx: Tx, _body: Json) -> None:
    enrolling.give_up(tx.call, tx.about, tx.enrollment)
    if tx.step == "reenroll-warning":
        tx.go(tx.step, warned=True)
    else:
        users.of_id(tx.call.session, tx.row.user_id).has_declined = True
    flow.advance(tx)


def _resend(tx: Tx, _body: Json) -> None:
    user, one = tx.user, tx.enrollment
    if tx.step == "challenge":
        flow.ask(tx)
    elif user is not None and one is not None:
        _again(tx, user, one)


def _again(tx: Tx, user: User, one: Enrollment) -> None:
    try:
        if one.key == "okta_email":
            authenticators.mailed(tx.call, user, one, tx.about, None)
        else:
            authenticators.phoned(tx.call, user, one, tx.about, tx.data.get("context", {}).get("method", "sms"))
    except Wrong as wrong:
        raise flow.said(wrong, one.key) from None


def _poll(tx: Tx, _body: Json) -> None:
    """A look whether the app has answered; for mails there is nothing to see before the code comes."""
    if tx.data.get("key") != "okta_verify":
        return
    if tx.step == "enroll-poll":
        _finish(tx, {})
    else:
        _prove(tx, {})


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
