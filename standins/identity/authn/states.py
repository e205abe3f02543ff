"""The states of a classic sign-in: the transitions, and each state's JSON and links."""

from collections.abc import Callable
from typing import Any

from standins.identity import tickets, transactions
from standins.identity.authenticators import challenges
from standins.identity.authn import factors
from standins.identity.authn.factors import Factor
from standins.identity.responses import IdentityApiError, IdentityCall, Json, iso_utc, text_of
from standins.identity.tables import Enrollment, Transaction, User
from standins.identity.users import user_by_id

AUTHN_PATH = "/api/v1/authn"


def create(call: IdentityCall, user: User | None, **data: Any) -> tuple[str, Transaction]:
    return transactions.create(
        call, "authn", {"amr": [], **data}, call.seconds("stateToken"), user.id if user is not None else None
    )


def find_transaction(call: IdentityCall) -> tuple[str, Transaction]:
    """The transaction of the body's state token, its lifetime extended. Raises ApiError."""
    state_token = text_of(call.json, "stateToken")
    row = transactions.find(call, "authn", state_token)
    if row is None:
        raise IdentityApiError("E0000011", 401, "Invalid token provided")
    row.expires_at = call.now + call.seconds("stateToken")
    return state_token, row


def require_offered(call: IdentityCall) -> tuple[str, Transaction]:
    """The transaction, if its current state links to this call. Raises ApiError."""
    state_token, row = find_transaction(call)
    if call.provider.origin + call.path not in set(_hrefs(state_json(call, state_token, row))):
        raise IdentityApiError("E0000079", 403, "This operation is not allowed in the current authentication state.")
    return state_token, row


def _hrefs(part: object) -> list[str]:
    if isinstance(part, dict):
        hrefs = [part["href"]] if isinstance(part.get("href"), str) else []
        return hrefs + [href for value in part.values() for href in _hrefs(value)]
    if isinstance(part, list):
        return [href for value in part for href in _hrefs(value)]
    return []


def advance(call: IdentityCall, state_token: str, row: Transaction) -> Json:
    """Moves to the next state. Returns its JSON."""
    user = user_by_id(call.session, row.user_id)
    policy = call.provider.policies["signOn"][user.policy]
    transactions.update(row, factor=None, context=None)
    due = {key: how for key, how in policy["enroll"].items() if _is_missing(call, user, key)}
    if candidates(call, row, user) and not row.data.get("verified"):
        state = "MFA_REQUIRED"
    elif user.password_state == "EXPIRED":
        state = "PASSWORD_EXPIRED"
    elif user.password_state == "WARN" and row.data.get("warns"):
        state = "PASSWORD_WARN"
    elif due and not (user.has_declined and "required" not in due.values()):
        state = "MFA_ENROLL"
    else:
        return complete(call, row, user)
    transactions.update(row, state=state)
    return state_json(call, state_token, row)


def _is_missing(call: IdentityCall, user: User, key: str) -> bool:
    enrolled_keys = {enrollment.key for enrollment in challenges.active_enrollments(call, user)}
    return key != "okta_password" and key not in enrolled_keys


def complete(call: IdentityCall, row: Transaction, user: User) -> Json:
    """Ends the transaction. Its JSON holds the session token for authorize, which can be used once."""
    seconds = call.seconds("sessionToken")
    data = {"amr": row.data["amr"] or ["pwd"], "auth_at": call.now}
    relay = {"relayState": row.data["relayState"]} if "relayState" in row.data else {}
    call.session.delete(row)
    return {
        "expiresAt": iso_utc(call.now + seconds),
        "status": "SUCCESS",
        **relay,
        "sessionToken": tickets.issue(call, "session", data, seconds, user.id),
        "_embedded": {"user": _user_json(user)},
    }


def _user_json(user: User) -> Json:
    profile = user.profile
    return {
        "id": user.id,
        "passwordChanged": iso_utc(user.password_at),
        "profile": {
            "login": user.login,
            "firstName": profile.get("firstName"),
            "lastName": profile.get("lastName"),
            "locale": profile.get("locale") or "en_US",
            "timeZone": profile.get("timezone") or "UTC",
        },
    }


def link(call: IdentityCall, path: str, name: str | None = None) -> Json:
    name_field = {"name": name} if name else {}
    return {**name_field, "href": call.provider.origin + AUTHN_PATH + path, "hints": {"allow": ["POST"]}}


def state_json(call: IdentityCall, state_token: str, row: Transaction) -> Json:
    """The JSON of the transaction's current state."""
    state = row.data["state"]
    user = user_by_id(call.session, row.user_id) if row.user_id else None
    parts = _PARTS[state](call, row, user)
    embedded = {**({"user": _user_json(user)} if user is not None else {}), **parts.pop("_embedded", {})}
    relay = {"relayState": row.data["relayState"]} if "relayState" in row.data else {}
    return {
        "stateToken": state_token,
        "expiresAt": iso_utc(row.expires_at),
        "status": state,
        **relay,
        **({"_embedded": embedded} if embedded else {}),
        **{name: value for name, value in parts.items() if name != "_links"},
        "_links": {**parts.get("_links", {}), "cancel": link(call, "/cancel")},
    }


def _expired(call: IdentityCall, _row: Transaction, _user: User | None) -> Json:
    return {
        "_links": {"next": link(call, "/credentials/change_password", "changePassword")},
        "_embedded": _password_policy(call),
    }


def _warn(call: IdentityCall, row: Transaction, user: User | None) -> Json:
    parts = _expired(call, row, user)
    return {**parts, "_links": {**parts["_links"], "skip": link(call, "/skip", "skip")}}


def _reset(call: IdentityCall, row: Transaction, _user: User | None) -> Json:
    reset = {"next": link(call, "/credentials/reset_password", "resetPassword")}
    return {"recoveryType": row.data.get("recovery"), "_links": reset, "_embedded": _password_policy(call)}


def _password_policy(call: IdentityCall) -> Json:
    rules = call.provider.policies["password"]
    complexity = {
        "minLength": rules["minLength"],
        "minLowerCase": rules["lowercase"],
        "minUpperCase": rules["uppercase"],
        "minNumber": rules["number"],
        "minSymbol": 0,
        "excludeUsername": rules["excludeUsername"],
    }
    return {"policy": {"complexity": complexity, "age": {"minAgeMinutes": 0, "historyCount": rules["history"]}}}


def candidates(call: IdentityCall, row: Transaction, user: User) -> list[Factor]:
    """The second factors with which the user may sign in: those of their policy, or all when two were asked for."""
    second = call.provider.policies["signOn"]["any-mfa" if row.data.get("two") else user.policy]["second"]
    return [
        factor
        for enrollment in challenges.active_enrollments(call, user)
        if enrollment.key in second
        for factor in factors.factors_of(enrollment)
    ]


def _required(call: IdentityCall, row: Transaction, user: User | None) -> Json:
    if user is None:
        return {}
    listed_factors = [
        {
            **factors.factor_json(call, user, factor),
            "_links": {"verify": link(call, f"/factors/{factor.id}/verify")},
        }
        for factor in candidates(call, row, user)
    ]
    return {"_embedded": {"factors": listed_factors, "policy": {"allowRememberDevice": False}}}


def chosen_factor(call: IdentityCall, row: Transaction) -> Factor:
    """The transaction's chosen factor. Raises ApiError when its enrollment no longer exists."""
    factor_id = row.data.get("factor", "")
    enrollment = call.session.get(Enrollment, factor_id.partition("-")[0])
    matching = (
        [factor for factor in factors.factors_of(enrollment) if factor.id == factor_id]
        if enrollment is not None
        else []
    )
    if not matching:
        raise IdentityApiError("E0000007", 404, "Not found: Resource not found: the factor")
    return matching[0]


def _challenge(call: IdentityCall, row: Transaction, user: User | None) -> Json:
    factor = chosen_factor(call, row)
    at = f"/factors/{factor.id}/verify"
    context = row.data.get("context", {})
    embedded: Json = {"factor": factors.factor_json(call, user, factor) if user is not None else {}}
    links: Json = {"next": link(call, at, "verify"), "prev": link(call, "/previous", "prev")}
    extra: Json = {}
    if factor.type == "push":
        status = challenges.push_status(call, context)
        extra = {"factorResult": "WAITING" if status == "APPROVED" else status}
        links["next"] = link(call, at, "poll")
        links["resend"] = [link(call, f"{at}/resend", "push")]
    elif factor.type in ("sms", "call", "email"):
        links["resend"] = [link(call, f"{at}/resend", factor.type)]
    elif factor.type == "webauthn":
        challenge = {"challenge": context.get("challenge"), "extensions": {}}
        embedded["factor"]["_embedded"] = {"challenge": challenge}
    return {**extra, "_embedded": embedded, "_links": links}


def _enroll(call: IdentityCall, _row: Transaction, user: User | None) -> Json:
    if user is None:
        return {}
    policy = call.provider.policies["signOn"][user.policy]["enroll"]
    due = {key: how for key, how in policy.items() if _is_missing(call, user, key)}
    listed_factors = []
    for kind, (key, _) in factors.TYPES.items():
        if key in due:
            provider = {"google_otp": "GOOGLE", "webauthn": "FIDO"}.get(key, "OKTA")
            about = {"factorType": kind, "provider": provider, "vendorName": provider, "status": "NOT_SETUP"}
            listed_factors.append(
                {**about, "enrollment": due[key].upper(), "_links": {"enroll": link(call, "/factors")}}
            )
    is_optional = "required" not in due.values()
    return {
        "_embedded": {"factors": listed_factors},
        "_links": {"skip": link(call, "/skip", "skip")} if is_optional else {},
    }


def _activate(call: IdentityCall, row: Transaction, user: User | None) -> Json:
    factor = chosen_factor(call, row)
    at = f"/factors/{factor.id}/lifecycle"
    body: Json = factors.factor_json(call, user, factor) if user is not None else {}
    body["_embedded"] = {"activation": row.data.get("activation", {})}
    links: Json = {"next": link(call, f"{at}/activate", "activate"), "prev": link(call, "/previous", "prev")}
    extra: Json = {}
    if factor.type == "push":
        extra = {"factorResult": challenges.push_status(call, row.data.get("context", {}))}
        links["next"] = link(call, f"{at}/activate/poll", "poll")
    elif factor.type in ("sms", "call", "email"):
        links["resend"] = [link(call, f"{at}/resend", factor.type)]
    return {**extra, "_embedded": {"factor": body}, "_links": links}


def _recovery(call: IdentityCall, row: Transaction, user: User | None) -> Json:
    enrollments = challenges.active_enrollments(call, user) if user is not None else []
    question = next(question for question in enrollments if question.key == "security_question")
    text = question.data.get("question") or call.provider.policies["questions"].get(question.data["questionKey"], "")
    return {
        "recoveryType": row.data["recovery"],
        "_embedded": {"user": {**(_user_json(user) if user else {}), "recovery_question": {"question": text}}},
        "_links": {"next": link(call, "/recovery/answer", "answer")},
    }


def _recovery_challenge(call: IdentityCall, row: Transaction, _user: User | None) -> Json:
    at = f"/recovery/factors/{row.data['via']}"
    links = {"next": link(call, f"{at}/verify", "verify"), "resend": link(call, f"{at}/resend", "resend")}
    # As it was asked, unlike the factors of a sign-in.
    return {"factorType": row.data["factor_type"], "recoveryType": row.data["recovery"], "_links": links}


_PARTS: dict[str, Callable[[IdentityCall, Transaction, User | None], Json]] = {
    "PASSWORD_EXPIRED": _expired,
    "PASSWORD_WARN": _warn,
    "PASSWORD_RESET": _reset,
    "MFA_REQUIRED": _required,
    "MFA_CHALLENGE": _challenge,
    "MFA_ENROLL": _enroll,
    "MFA_ENROLL_ACTIVATE": _activate,
    "RECOVERY": _recovery,
    "RECOVERY_CHALLENGE": _recovery_challenge,
}
