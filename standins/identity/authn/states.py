"""The states of a classic sign-in: which one comes next, and what each shows and offers."""

from collections.abc import Callable
from typing import Any

from standins.identity import authenticators, tickets, transactions
from standins.identity.answers import ApiError, Call, Json, iso, text_of
from standins.identity.authn import factors
from standins.identity.authn.factors import Factor
from standins.identity.tables import Enrollment, Transaction, User
from standins.identity.users import of_id

AT = "/api/v1/authn"


def begin(call: Call, user: User | None, **data: Any) -> tuple[str, Transaction]:
    return transactions.begin(
        call, "authn", {"amr": [], **data}, call.seconds("stateToken"), user.id if user is not None else None
    )


def current(call: Call) -> tuple[str, Transaction]:
    """That of the body's state token, its time begun anew. Raises ApiError."""
    word = text_of(call.json, "stateToken")
    row = transactions.find(call, "authn", word)
    if row is None:
        raise ApiError("E0000011", 401, "Invalid token provided")
    row.expires_at = call.now + call.seconds("stateToken")
    return word, row


def offered(call: Call) -> tuple[str, Transaction]:
    """The same, when the state's last answer offered this call. Raises ApiError."""
    word, row = current(call)
    if call.provider.origin + call.path not in set(_addresses(shown(call, word, row))):
        raise ApiError("E0000079", 403, "This operation is not allowed in the current authentication state.")
    return word, row


def _addresses(part: object) -> list[str]:
    if isinstance(part, dict):
        own = [part["href"]] if isinstance(part.get("href"), str) else []
        return own + [one for value in part.values() for one in _addresses(value)]
    if isinstance(part, list):
        return [one for value in part for one in _addresses(value)]
    return []


def advance(call: Call, word: str, row: Transaction) -> Json:
    """On to the next thing that still has to happen; the answer that shows it."""
    user = of_id(call.session, row.user_id)
    policy = call.provider.policies["signOn"][user.policy]
    transactions.update(row, factor=None, context=None)
    enrolled = [one for one in authenticators.of_user(call, user) if one.key in policy["second"]]
    wanted = {key: how for key, how in policy["enroll"].items() if _is_missing(call, user, key)}
    if enrolled and not row.data.get("verified"):
        state = "MFA_REQUIRED"
    elif user.password_state == "EXPIRED":  # noqa: S105 a state
        state = "PASSWORD_EXPIRED"
    elif user.password_state == "WARN" and row.data.get("warns"):  # noqa: S105 a state
        state = "PASSWORD_WARN"
    elif wanted and not (user.has_declined and "required" not in wanted.values()):
        state = "MFA_ENROLL"
    else:
        return success(call, row, user)
    transactions.update(row, state=state)
    return shown(call, word, row)


def _is_missing(call: Call, user: User, key: str) -> bool:
    held = {one.key for one in authenticators.of_user(call, user)}
    return key != "okta_password" and key not in held


def success(call: Call, row: Transaction, user: User) -> Json:
    """The end of the transaction, and the one-use word that authorize takes."""
    seconds = call.seconds("sessionToken")
    data = {"amr": row.data["amr"] or ["pwd"], "auth_at": call.now}
    relay = {"relayState": row.data["relayState"]} if "relayState" in row.data else {}
    call.session.delete(row)
    return {
        "expiresAt": iso(call.now + seconds),
        "status": "SUCCESS",
        **relay,
        "sessionToken": tickets.issue(call, "session", data, seconds, user.id),
        "_embedded": {"user": _user(user)},
    }


def _user(user: User) -> Json:
    profile = user.profile
    return {
        "id": user.id,
        "passwordChanged": iso(user.password_at),
        "profile": {
            "login": user.login,
            "firstName": profile.get("firstName"),
            "lastName": profile.get("lastName"),
            "locale": profile.get("locale") or "en_US",
            "timeZone": profile.get("timezone") or "UTC",
        },
    }


def link(call: Call, path: str, name: str | None = None) -> Json:
    named = {"name": name} if name else {}
    return {**named, "href": call.provider.origin + AT + path, "hints": {"allow": ["POST"]}}


def shown(call: Call, word: str, row: Transaction) -> Json:
    """The answer of the state the transaction is in."""
    state = row.data["state"]
    user = of_id(call.session, row.user_id) if row.user_id else None
    parts = _PARTS[state](call, row, user)
    embedded = {**({"user": _user(user)} if user is not None else {}), **parts.pop("_embedded", {})}
    relay = {"relayState": row.data["relayState"]} if "relayState" in row.data else {}
    return {
        "stateToken": word,
        "expiresAt": iso(row.expires_at),
        "status": state,
        **relay,
        **({"_embedded": embedded} if embedded else {}),
        **{name: value for name, value in parts.items() if name != "_links"},
        "_links": {**parts.get("_links", {}), "cancel": link(call, "/cancel")},
    }


def _expired(call: Call, _row: Transaction, _user: User | None) -> Json:
    return {"_links": {"next": link(call, "/credentials/change_password", "changePassword")}, "_embedded": _rules(call)}


def _warn(call: Call, row: Transaction, user: User | None) -> Json:
    parts = _expired(call, row, user)
    return {**parts, "_links": {**parts["_links"], "skip": link(call, "/skip", "skip")}}


def _reset(call: Call, row: Transaction, _user: User | None) -> Json:
    reset = {"next": link(call, "/credentials/reset_password", "resetPassword")}
    return {"recoveryType": row.data.get("recovery"), "_links": reset, "_embedded": _rules(call)}


def _rules(call: Call) -> Json:
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


def candidates(call: Call, user: User) -> list[Factor]:
    """The second factors that the user may prove."""
    second = call.provider.policies["signOn"][user.policy]["second"]
    return [
        factor
        for one in authenticators.of_user(call, user)
        if one.key in second
        for factor in factors.of_enrollment(one)
    ]


def _required(call: Call, _row: Transaction, user: User | None) -> Json:
    if user is None:
        return {}
    found = [
        {
            **factors.shown(call, user, one),
            "_links": {"verify": link(call, f"/factors/{one.id}/verify")},
        }
        for one in candidates(call, user)
    ]
    return {"_embedded": {"factors": found, "policy": {"allowRememberDevice": False}}}


def chosen(call: Call, row: Transaction) -> Factor:
    """The factor the transaction is at. Raises ApiError when its enrolment is gone."""
    wanted = row.data.get("factor", "")
    one = call.session.get(Enrollment, wanted.partition("-")[0])
    found = [factor for factor in factors.of_enrollment(one) if factor.id == wanted] if one is not None else []
    if not found:
        raise ApiError("E0000007", 404, "Not found: Resource not found: the factor")
    return found[0]


def _challenge(call: Call, row: Transaction, user: User | None) -> Json:
    factor = chosen(call, row)
    at = f"/factors/{factor.id}/verify"
    context = row.data.get("context", {})
    embedded: Json = {"factor": factors.shown(call, user, factor) if user is not None else {}}
    links: Json = {"next": link(call, at, "verify"), "prev": link(call, "/previous", "prev")}
    extra: Json = {}
    if factor.type == "push":
        status = authenticators.push_status(call, context)
        extra = {"factorResult": "WAITING" if status == "APPROVED" else status}
        links["next"] = link(call, at, "poll")
        links["resend"] = [link(call, f"{at}/resend", "push")]
    elif factor.type in ("sms", "call", "email"):
        links["resend"] = [link(call, f"{at}/resend", factor.type)]
    elif factor.type == "webauthn":
        challenge = {"challenge": context.get("challenge"), "extensions": {}}
        embedded["factor"]["_embedded"] = {"challenge": challenge}
    return {**extra, "_embedded": embedded, "_links": links}


def _enroll(call: Call, _row: Transaction, user: User | None) -> Json:
    if user is None:
        return {}
    policy = call.provider.policies["signOn"][user.policy]["enroll"]
    due = {key: how for key, how in policy.items() if _is_missing(call, user, key)}
    found = []
    for kind, (key, _) in factors.TYPES.items():
        if key in due:
            provider = {"google_otp": "GOOGLE", "webauthn": "FIDO"}.get(key, "OKTA")
            about = {"factorType": kind, "provider": provider, "vendorName": provider, "status": "NOT_SETUP"}
            found.append({**about, "enrollment": due[key].upper(), "_links": {"enroll": link(call, "/factors")}})
    is_optional = "required" not in due.values()
    return {
        "_embedded": {"factors": found},
        "_links": {"skip": link(call, "/skip", "skip")} if is_optional else {},
    }


def _activate(call: Call, row: Transaction, user: User | None) -> Json:
    factor = chosen(call, row)
    at = f"/factors/{factor.id}/lifecycle"
    body: Json = factors.shown(call, user, factor) if user is not None else {}
    body["_embedded"] = {"activation": row.data.get("activation", {})}
    links: Json = {"next": link(call, f"{at}/activate", "activate"), "prev": link(call, "/previous", "prev")}
    extra: Json = {}
    if factor.type == "push":
        extra = {"factorResult": authenticators.push_status(call, row.data.get("context", {}))}
        links["next"] = link(call, f"{at}/activate/poll", "poll")
    elif factor.type in ("sms", "call", "email"):
        links["resend"] = [link(call, f"{at}/resend", factor.type)]
    return {**extra, "_embedded": {"factor": body}, "_links": links}


def _recovery(call: Call, row: Transaction, user: User | None) -> Json:
    held = authenticators.of_user(call, user) if user is not None else []
    one = next(one for one in held if one.key == "security_question")
    text = one.data.get("question") or call.provider.policies["questions"].get(one.data["questionKey"], "")
    return {
        "recoveryType": row.data["recovery"],
        "_embedded": {"user": {**(_user(user) if user else {}), "recovery_question": {"question": text}}},
        "_links": {"next": link(call, "/recovery/answer", "answer")},
    }


def _recovery_challenge(call: Call, row: Transaction, _user: User | None) -> Json:
    at = f"/recovery/factors/{row.data['via']}"
    links = {"next": link(call, f"{at}/verify", "verify"), "resend": link(call, f"{at}/resend", "resend")}
    return {"factorType": row.data["via"].lower(), "recoveryType": row.data["recovery"], "_links": links}


_PARTS: dict[str, Callable[[Call, Transaction, User | None], Json]] = {
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
