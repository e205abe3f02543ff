"""Enrolment of an authenticator: its start, its activation, and its cancellation."""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import segno
from sqlalchemy import select

from standins.identity import opaque_tokens, users
from standins.identity.authenticators import challenges, codes, totp
from standins.identity.authenticators.challenges import Attempt
from standins.identity.authenticators.codes import ChallengeFailed
from standins.identity.responses import IdentityCall, text_of
from standins.identity.tables import Enrollment, User

Json = dict[str, Any]
PHONE = re.compile(r"\+[1-9]\d{6,14}")
MIN_ANSWER_LENGTH = 4


@dataclass(frozen=True)
class StartedEnrolment:
    """A pending enrolment. `finish` needs `context`; the person or the browser needs `shown`."""

    enrollment: Enrollment
    context: Json
    shown: Json
    about: str


def start(call: IdentityCall, user: User, key: str, data: Json, about: str) -> StartedEnrolment:
    """Starts an enrolment. `data`: phoneNumber and methodType of phones. Raises ChallengeFailed (invalid, too_soon)."""
    return _STARTS[key](call, user, data, about)


def _password(call: IdentityCall, user: User, _data: Json, about: str) -> StartedEnrolment:
    return StartedEnrolment(challenges.enroll(call, user, "okta_password", {}), {}, {}, about)


def _email(call: IdentityCall, user: User, _data: Json, about: str) -> StartedEnrolment:
    """Enrolls the profile's address."""
    enrollment = primary_email(call, user)
    challenges.send_email_code(call, user, enrollment, about, None)
    return StartedEnrolment(enrollment, {}, {}, about)


def primary_email(call: IdentityCall, user: User) -> Enrollment:
    rows = call.session.scalars(select(Enrollment).where(Enrollment.user_id == user.id, Enrollment.key == "okta_email"))
    address = user.profile["email"]
    primary = next((enrollment for enrollment in rows if enrollment.data["email"] == address), None)
    return primary or challenges.enroll(call, user, "okta_email", {"email": address, "roles": ["PRIMARY"]})


def _phone(call: IdentityCall, user: User, data: Json, about: str) -> StartedEnrolment:
    number = re.sub(r"[\s().-]", "", text_of(data, "phoneNumber"))
    if not PHONE.fullmatch(number):
        raise ChallengeFailed("invalid")
    enrollment = challenges.enroll(call, user, "phone_number", {"phoneNumber": number})
    method = "voice" if data.get("methodType") == "voice" else "sms"
    challenges.send_phone_code(call, user, enrollment, about, method)
    return StartedEnrolment(enrollment, {"method": method}, {}, about)


def _app(call: IdentityCall, user: User, _data: Json, about: str) -> StartedEnrolment:
    secret = totp.new_secret()
    enrollment = challenges.enroll(call, user, "google_otp", {"secret": secret})
    image = _qr_code(totp.otpauth_uri(secret, user.login, "Coursefront"))
    return StartedEnrolment(enrollment, {}, {"sharedSecret": secret, "qrcode": image}, about)


def _qr_code(text: str) -> str:
    """A QR code as a data URL of a PNG."""
    return str(segno.make_qr(text).png_data_uri(scale=4))


def _question(call: IdentityCall, user: User, _data: Json, about: str) -> StartedEnrolment:
    texts = call.provider.policies["questions"]
    questions = [{"questionKey": key, "question": text} for key, text in texts.items()]
    details = {"questions": questions, "questionKeys": ["custom", *texts]}
    return StartedEnrolment(challenges.enroll(call, user, "security_question", {}), {}, details, about)


def _verify_app(call: IdentityCall, user: User, _data: Json, about: str) -> StartedEnrolment:
    secret = totp.new_secret()
    enrollment = challenges.enroll(call, user, "okta_verify", {"secret": secret})
    push = challenges.create_push(call, user, enrollment, "enroll")
    image = _qr_code(f"oktaverify://enroll?token={push.id}")
    return StartedEnrolment(enrollment, {"push": push.id}, {"qrcode": image}, about)


def _security_key(call: IdentityCall, user: User, data: Json, about: str) -> StartedEnrolment:
    """`data["site"]` is the origin that the key is created for."""
    from standins.identity.authenticators import webauthn

    challenge = opaque_tokens.encode_base64url(secrets.token_bytes(32))
    host = webauthn.relying_party_id(text_of(data, "site"))
    name = users.full_name(user)
    options = {
        "rp": {"name": "Coursefront", **({"id": host} if host else {})},
        "user": {"id": opaque_tokens.encode_base64url(user.id.encode()), "name": user.login, "displayName": name},
        "pubKeyCredParams": [{"type": "public-key", "alg": int(item)} for item in webauthn.ALGORITHMS],
        "challenge": challenge,
        "attestation": "none",
        "authenticatorSelection": {"userVerification": "discouraged"},
        "excludeCredentials": [
            {"type": "public-key", "id": row.data["credentialId"]}
            for row in challenges.active_enrollments(call, user)
            if row.key == "webauthn"
        ],
    }
    enrollment = challenges.enroll(call, user, "webauthn", {})
    return StartedEnrolment(enrollment, {"challenge": challenge}, {"activation": options}, about)


_STARTS: dict[str, Callable[[IdentityCall, User, Json, str], StartedEnrolment]] = {
    "okta_password": _password,
    "okta_email": _email,
    "phone_number": _phone,
    "google_otp": _app,
    "security_question": _question,
    "okta_verify": _verify_app,
    "webauthn": _security_key,
}


def finish(call: IdentityCall, user: User, started: StartedEnrolment, values: Json) -> None:
    """Activates the enrolment. Raises ChallengeFailed, and users.PasswordRefused for a password."""
    enrollment = started.enrollment
    if enrollment.key == "okta_password":
        users.set_password(call, user, text_of(values, "passcode"))
        call.session.delete(enrollment)
        return
    if enrollment.key == "security_question":
        enrollment.data = _answer_data(call, values)
    elif enrollment.key == "webauthn":
        enrollment.data = _security_key_data(call, started, values)
    elif enrollment.key == "okta_verify":
        status = challenges.push_status(call, started.context)
        if status != "APPROVED":
            raise ChallengeFailed("waiting" if status == "WAITING" else "gone")
    else:
        attempt = Attempt(started.about, enrollment, "", started.context, ())
        challenges.check_answer(call, user, attempt, values)
    enrollment.is_active = True
    user.updated_at = call.now


def _answer_data(call: IdentityCall, values: Json) -> Json:
    key, answer = text_of(values, "questionKey"), challenges.normalise_answer(text_of(values, "answer"))
    question = text_of(values, "question").strip()
    texts = call.provider.policies["questions"]
    if key not in texts and not (key == "custom" and question):
        raise ChallengeFailed("invalid")
    if len(answer) < MIN_ANSWER_LENGTH or answer == question.casefold():
        raise ChallengeFailed("invalid")
    custom = {"question": question[:200]} if key == "custom" else {}
    return {"questionKey": key, "answer": opaque_tokens.hash_secret(answer), **custom}


def _security_key_data(call: IdentityCall, started: StartedEnrolment, values: Json) -> Json:
    from standins.identity.authenticators import webauthn

    origins = tuple(origin for client in call.provider.clients.values() for origin in client.origins)
    client_data = text_of(values, "clientData"), text_of(values, "attestation")
    try:
        credential = webauthn.verify_registration(*client_data, started.context.get("challenge", ""), origins)
    except webauthn.InvalidCredential as error:
        raise ChallengeFailed("wrong") from error
    return {"credentialId": credential.id, "key": credential.key, "counter": credential.counter}


def abandon(call: IdentityCall, about: str, enrollment: Enrollment | None) -> None:
    """Deletes a pending enrolment and its code. Email rows stay: the profile has the address anyway."""
    codes.delete_code(call, about)
    if enrollment is not None and not enrollment.is_active and enrollment.key != "okta_email":
        call.session.delete(enrollment)
