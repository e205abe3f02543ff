"""The seven kinds of authenticators: how each is enrolled, asked and checked. authn and the identity engine share it.

`about` names one attempt; a code belongs to it alone.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from standins.identity import codes, opaque, outbox, totp, users, webauthn
from standins.identity.answers import Call, text_of
from standins.identity.codes import Wrong
from standins.identity.tables import Enrollment, Push, User

Json = dict[str, Any]
LARGEST_ANSWER = 200


@dataclass(frozen=True)
class Kind:
    """`key`, `type`, `methods` are wire names; `amr` what a token says of it; `prefix` begins enrolment ids."""

    key: str
    id: str
    type: str
    name: str
    methods: tuple[str, ...]
    amr: str
    prefix: str


KINDS = {
    one.key: one
    for one in (
        Kind("okta_password", "autpassword", "password", "Password", ("password",), "pwd", "lae"),
        Kind("okta_email", "autemail", "email", "Email", ("email",), "otp", "eae"),
        Kind("phone_number", "autphone", "phone", "Phone", ("sms", "voice"), "sms", "sms"),
        Kind("google_otp", "autotp", "app", "Google Authenticator", ("otp",), "otp", "uft"),
        Kind(
            "security_question",
            "autquestion",
            "security_question",
            "Security Question",
            ("security_question",),
            "kba",
            "qae",
        ),
        Kind("okta_verify", "autverify", "app", "Okta Verify", ("push", "totp"), "swk", "pfd"),
        Kind("webauthn", "autwebauthn", "security_key", "Security Key or Biometric", ("webauthn",), "hwk", "fwf"),
    )
}
BY_ID = {one.id: one for one in KINDS.values()}


@dataclass(frozen=True)
class Attempt:
    """One authenticator being asked. `context` is what `ask` answered; `origins` may use security keys."""

    about: str
    enrollment: Enrollment
    method: str
    context: Json
    origins: tuple[str, ...]


def of_user(call: Call, user: User) -> list[Enrollment]:
    """Active ones, of e-mail addresses the primary one alone; in the order of KINDS."""
    wanted = select(Enrollment).where(Enrollment.user_id == user.id, Enrollment.is_active)
    rows = [one for one in call.session.scalars(wanted.order_by(Enrollment.created_at, Enrollment.id)) if _is_used(one)]
    order = list(KINDS)
    return sorted(rows, key=lambda one: order.index(one.key))


def _is_used(one: Enrollment) -> bool:
    return one.key != "okta_email" or "PRIMARY" in one.data["roles"]


def enroll(call: Call, user: User, key: str, data: Json, *, is_active: bool = False) -> Enrollment:
    """A new enrolment, pending unless said otherwise; a pending one of the same key goes."""
    pending = select(Enrollment).where(
        Enrollment.user_id == user.id, Enrollment.key == key, Enrollment.is_active.is_(False)
    )
    if key not in ("okta_email", "phone_number"):
        for one in call.session.scalars(pending):
            call.session.delete(one)
    made = Enrollment(
        id=opaque.new_id(KINDS[key].prefix),
        user_id=user.id,
        key=key,
        is_active=is_active,
        data=data,
        created_at=call.now,
    )
    call.session.add(made)
    call.session.flush()
    return made


def mailed(call: Call, user: User, enrollment: Enrollment, about: str, link: Callable[[str], str] | None) -> None:
    digits = codes.new(call, about)
    address = enrollment.data["email"]
    text = f"Your code is {digits}. It is good for five minutes."
    what = {"code": digits, "link": link(digits) if link else None, "subject": "Your code", "text": text}
    outbox.put(call, address, "email", "code", login=user.login, **what)


def phoned(call: Call, user: User, enrollment: Enrollment, about: str, method: str) -> None:
    """Raises Wrong(too_soon) within the policy's pause."""
    age = codes.age(call, about)
    if age is not None and age < call.provider.policies["codes"]["phonePauseSeconds"]:
        raise Wrong("too_soon")
    digits = codes.new(call, about)
    channel = "call" if method in ("voice", "CALL", "call") else "sms"
    outbox.put(call, enrollment.data["phoneNumber"], channel, "code", login=user.login, code=digits)


def ask(call: Call, user: User, attempt: Attempt, link: Callable[[str], str] | None = None) -> Json:
    """Sends or makes the challenge; answers the context to keep for `check`."""
    key = attempt.enrollment.key
    if key == "okta_email":
        mailed(call, user, attempt.enrollment, attempt.about, link)
    elif key == "phone_number":
        phoned(call, user, attempt.enrollment, attempt.about, attempt.method)
    elif key == "okta_verify" and attempt.method == "push":
        return {"push": push(call, user, attempt.enrollment, "verify").id}
    elif key == "webauthn":
        return {"challenge": opaque.encoded(secrets.token_bytes(32))}
    return {}


def push(call: Call, user: User, enrollment: Enrollment, kind: str) -> Push:
    """A question to the verify app; earlier ones no longer count."""
    earlier = select(Push).where(Push.user_id == user.id, Push.status == "WAITING")
    for one in call.session.scalars(earlier):
        one.status = "REPLACED"
    made = Push(
        id=opaque.new_id("opf"),
        user_id=user.id,
        enrollment_id=enrollment.id,
        kind=kind,
        status="WAITING",
        number=10 + secrets.randbelow(90),
        created_at=call.now,
    )
    call.session.add(made)
    outbox.put(call, user.login, "push", kind, login=user.login, text=f"Number {made.number}")
    return made


def push_status(call: Call, context: Json) -> str:
    """WAITING, APPROVED, REJECTED or TIMEOUT."""
    found = call.session.get(Push, str(context.get("push", "")))
    if found is None or found.status == "REPLACED":
        return "TIMEOUT"
    is_late = call.now - found.created_at > call.provider.policies["codes"]["seconds"]
    return "TIMEOUT" if is_late and found.status == "WAITING" else found.status


def check(call: Call, user: User, attempt: Attempt, values: Json) -> None:
    """Whether the answer is right. Raises Wrong, and for passwords users.Locked."""
    _CHECKS[attempt.enrollment.key](call, user, attempt, values)


def _code(call: Call, _user: User, attempt: Attempt, values: Json) -> None:
    codes.check(call, attempt.about, text_of(values, "passcode").strip())


def _app_code(call: Call, _user: User, attempt: Attempt, values: Json) -> None:
    """Each step's code is good once, also across transactions."""
    tried = f"tries:{attempt.enrollment.id}"
    codes.count_try(call, tried)
    data = attempt.enrollment.data
    digits = (text_of(values, "totp") or text_of(values, "passcode")).strip()
    step = totp.step_of(data["secret"], digits, call.now)
    if step is None:
        raise Wrong("wrong")
    if step <= data.get("last_step", 0):
        raise Wrong("used")
    attempt.enrollment.data = {**data, "last_step": step}
    codes.forget(call, tried)


def _verify_app(call: Call, user: User, attempt: Attempt, values: Json) -> None:
    if attempt.method == "totp":
        _app_code(call, user, attempt, values)
        return
    status = push_status(call, attempt.context)
    if status != "APPROVED":
        raise Wrong({"WAITING": "waiting", "REJECTED": "rejected"}.get(status, "gone"))


def _answer(call: Call, _user: User, attempt: Attempt, values: Json) -> None:
    tried = f"tries:{attempt.enrollment.id}"
    codes.count_try(call, tried)
    if not opaque.matches(attempt.enrollment.data["answer"], normal(text_of(values, "answer"))):
        raise Wrong("wrong")
    codes.forget(call, tried)


def normal(answer: str) -> str:
    """Nobody remembers capitals and spaces."""
    return " ".join(answer.casefold().split())[:LARGEST_ANSWER]


def _security_key(_call: Call, _user: User, attempt: Attempt, values: Json) -> None:
    data = attempt.enrollment.data
    credential = webauthn.Credential(data["credentialId"], data["key"], data["counter"])
    proof = webauthn.Proof(*(text_of(values, name) for name in ("clientData", "authenticatorData", "signatureData")))
    try:
        counter = webauthn.asserted(credential, proof, attempt.context.get("challenge", ""), attempt.origins)
    except webauthn.Refused as error:
        raise Wrong("wrong") from error
    attempt.enrollment.data = {**data, "counter": counter}


def _password(call: Call, user: User, _attempt: Attempt, values: Json) -> None:
    if not users.checked_password(call, user, text_of(values, "passcode")):
        raise Wrong("wrong")


_CHECKS: dict[str, Callable[[Call, User, Attempt, Json], None]] = {
    "okta_password": _password,
    "okta_email": _code,
    "phone_number": _code,
    "google_otp": _app_code,
    "security_question": _answer,
    "okta_verify": _verify_app,
    "webauthn": _security_key,
}
