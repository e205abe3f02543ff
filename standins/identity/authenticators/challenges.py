"""The seven kinds of authenticators, their enrollments and challenges, for authn and the identity engine alike.

`about` is the key of one attempt; a code is valid for that attempt only.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from standins.identity import opaque_tokens, outbox, users
from standins.identity.authenticators import codes, totp
from standins.identity.authenticators.codes import ChallengeFailed
from standins.identity.responses import IdentityCall, text_of
from standins.identity.tables import Enrollment, Push, User

Json = dict[str, Any]
MAX_ANSWER_LENGTH = 200


@dataclass(frozen=True)
class Kind:
    """`key`, `type` and `methods` are wire names, `amr` is its value in tokens, enrollment ids begin with `prefix`."""

    key: str
    id: str
    type: str
    name: str
    methods: tuple[str, ...]
    amr: str
    prefix: str


KINDS = {
    kind.key: kind
    for kind in (
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
KINDS_BY_ID = {kind.id: kind for kind in KINDS.values()}


@dataclass(frozen=True)
class Attempt:
    """One challenge of an enrollment. `context` is what `start` returned; `origins` may use security keys."""

    about: str
    enrollment: Enrollment
    method: str
    context: Json
    origins: tuple[str, ...]


def active_enrollments(call: IdentityCall, user: User) -> list[Enrollment]:
    """The user's active enrollments in the order of KINDS; of the email addresses only the primary one."""
    query = select(Enrollment).where(Enrollment.user_id == user.id, Enrollment.is_active)
    rows = [
        enrollment
        for enrollment in call.session.scalars(query.order_by(Enrollment.created_at, Enrollment.id))
        if _is_used(enrollment)
    ]
    order = list(KINDS)
    return sorted(rows, key=lambda enrollment: order.index(enrollment.key))


def _is_used(enrollment: Enrollment) -> bool:
    return enrollment.key != "okta_email" or "PRIMARY" in enrollment.data["roles"]


def enroll(call: IdentityCall, user: User, key: str, data: Json, *, is_active: bool = False) -> Enrollment:
    """Adds an enrollment, pending unless `is_active`. Deletes a pending one of the same key."""
    pending = select(Enrollment).where(
        Enrollment.user_id == user.id, Enrollment.key == key, Enrollment.is_active.is_(False)
    )
    if key not in ("okta_email", "phone_number"):
        for enrollment in call.session.scalars(pending):
            call.session.delete(enrollment)
    new_enrollment = Enrollment(
        id=opaque_tokens.new_id(KINDS[key].prefix),
        user_id=user.id,
        key=key,
        is_active=is_active,
        data=data,
        created_at=call.now,
    )
    call.session.add(new_enrollment)
    call.session.flush()
    return new_enrollment


def send_email_code(
    call: IdentityCall, user: User, enrollment: Enrollment, about: str, link: Callable[[str], str] | None
) -> None:
    digits = codes.new_code(call, about)
    address = enrollment.data["email"]
    text = f"Your code is {digits}. It expires in five minutes."
    content = {"code": digits, "link": link(digits) if link else None, "subject": "Your code", "text": text}
    outbox.add_message(call, address, "email", "code", login=user.login, **content)


def send_phone_code(call: IdentityCall, user: User, enrollment: Enrollment, about: str, method: str) -> None:
    """Sends a code by text message or call. Raises ChallengeFailed("too_soon") within the policy's pause."""
    age = codes.code_age(call, about)
    if age is not None and age < call.provider.policies["codes"]["phonePauseSeconds"]:
        raise ChallengeFailed("too_soon")
    digits = codes.new_code(call, about)
    channel = "call" if method in ("voice", "CALL", "call") else "sms"
    outbox.add_message(call, enrollment.data["phoneNumber"], channel, "code", login=user.login, code=digits)


def start(call: IdentityCall, user: User, attempt: Attempt, link: Callable[[str], str] | None = None) -> Json:
    """Sends or creates the challenge. Returns the context that `check_answer` needs."""
    key = attempt.enrollment.key
    if key == "okta_email":
        send_email_code(call, user, attempt.enrollment, attempt.about, link)
    elif key == "phone_number":
        send_phone_code(call, user, attempt.enrollment, attempt.about, attempt.method)
    elif key == "okta_verify" and attempt.method == "push":
        return {"push": create_push(call, user, attempt.enrollment, "verify").id}
    elif key == "webauthn":
        return {"challenge": opaque_tokens.encode_base64url(secrets.token_bytes(32))}
    return {}


def create_push(call: IdentityCall, user: User, enrollment: Enrollment, kind: str) -> Push:
    """Creates a push to the verify app, which replaces earlier ones."""
    earlier = select(Push).where(Push.user_id == user.id, Push.status == "WAITING")
    for waiting_push in call.session.scalars(earlier):
        waiting_push.status = "REPLACED"
    new_push = Push(
        id=opaque_tokens.new_id("opf"),
        user_id=user.id,
        enrollment_id=enrollment.id,
        kind=kind,
        status="WAITING",
        number=10 + secrets.randbelow(90),
        created_at=call.now,
    )
    call.session.add(new_push)
    outbox.add_message(call, user.login, "push", kind, login=user.login, text=f"Number {new_push.number}")
    return new_push


def push_status(call: IdentityCall, context: Json) -> str:
    """The state of the push in `context`: WAITING, APPROVED, REJECTED or TIMEOUT."""
    row = call.session.get(Push, str(context.get("push", "")))
    if row is None or row.status == "REPLACED":
        return "TIMEOUT"
    is_late = call.now - row.created_at > call.provider.policies["codes"]["seconds"]
    return "TIMEOUT" if is_late and row.status == "WAITING" else row.status


def check_answer(call: IdentityCall, user: User, attempt: Attempt, values: Json) -> None:
    """Checks the values of an answer. Raises ChallengeFailed, and users.Locked for passwords."""
    _CHECKS[attempt.enrollment.key](call, user, attempt, values)


def _code(call: IdentityCall, _user: User, attempt: Attempt, values: Json) -> None:
    codes.check_code(call, attempt.about, text_of(values, "passcode").strip())


def _app_code(call: IdentityCall, _user: User, attempt: Attempt, values: Json) -> None:
    """A time step's code is accepted once, across all transactions."""
    attempts_key = f"tries:{attempt.enrollment.id}"
    codes.count_attempt(call, attempts_key)
    data = attempt.enrollment.data
    digits = (text_of(values, "totp") or text_of(values, "passcode")).strip()
    step = totp.find_step(data["secret"], digits, call.now)
    if step is None:
        raise ChallengeFailed("wrong")
    if step <= data.get("last_step", 0):
        raise ChallengeFailed("used")
    attempt.enrollment.data = {**data, "last_step": step}
    codes.delete_code(call, attempts_key)


def _verify_app(call: IdentityCall, user: User, attempt: Attempt, values: Json) -> None:
    if attempt.method == "totp":
        _app_code(call, user, attempt, values)
        return
    status = push_status(call, attempt.context)
    if status != "APPROVED":
        raise ChallengeFailed({"WAITING": "waiting", "REJECTED": "rejected"}.get(status, "gone"))


def _question_answer(call: IdentityCall, _user: User, attempt: Attempt, values: Json) -> None:
    attempts_key = f"tries:{attempt.enrollment.id}"
    codes.count_attempt(call, attempts_key)
    if not opaque_tokens.matches_hash(attempt.enrollment.data["answer"], normalise_answer(text_of(values, "answer"))):
        raise ChallengeFailed("wrong")
    codes.delete_code(call, attempts_key)


def normalise_answer(answer: str) -> str:
    """The answer without differences of case and spacing, which people do not remember."""
    return " ".join(answer.casefold().split())[:MAX_ANSWER_LENGTH]


def _security_key(_call: IdentityCall, _user: User, attempt: Attempt, values: Json) -> None:
    # Its packages take 7 MB and a tenth of a second, and few people have a security key.
    from standins.identity.authenticators import webauthn

    data = attempt.enrollment.data
    credential = webauthn.Credential(data["credentialId"], data["key"], data["counter"])
    proof = webauthn.Assertion(
        *(text_of(values, name) for name in ("clientData", "authenticatorData", "signatureData"))
    )
    try:
        counter = webauthn.verify_assertion(credential, proof, attempt.context.get("challenge", ""), attempt.origins)
    except webauthn.InvalidCredential as error:
        raise ChallengeFailed("wrong") from error
    attempt.enrollment.data = {**data, "counter": counter}


def _password(call: IdentityCall, user: User, _attempt: Attempt, values: Json) -> None:
    if not users.is_current_password(call, user, text_of(values, "passcode")):
        raise ChallengeFailed("wrong")


_CHECKS: dict[str, Callable[[IdentityCall, User, Attempt, Json], None]] = {
    "okta_password": _password,
    "okta_email": _code,
    "phone_number": _code,
    "google_otp": _app_code,
    "security_question": _question_answer,
    "okta_verify": _verify_app,
    "webauthn": _security_key,
}
