"""Making an authenticator one's own: what is shown at first, and what proves it."""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import segno
from sqlalchemy import select

from standins.identity import authenticators, codes, opaque, totp, users, webauthn
from standins.identity.answers import Call, text_of
from standins.identity.authenticators import Attempt
from standins.identity.codes import Wrong
from standins.identity.tables import Enrollment, User

Json = dict[str, Any]
PHONE = re.compile(r"\+[1-9]\d{6,14}")
SHORTEST_ANSWER = 4


@dataclass(frozen=True)
class Begun:
    """An enrolment under way: `context` is kept for `finish`, `shown` is what the person (or browser) needs."""

    enrollment: Enrollment
    context: Json
    shown: Json
    about: str


def begin(call: Call, user: User, key: str, data: Json, about: str) -> Begun:
    """`data`: phoneNumber and methodType for phones. Raises Wrong(invalid), Wrong(too_soon)."""
    return _BEGINNINGS[key](call, user, data, about)


def _password(call: Call, user: User, _data: Json, about: str) -> Begun:
    return Begun(authenticators.enroll(call, user, "okta_password", {}), {}, {}, about)


def _email(call: Call, user: User, _data: Json, about: str) -> Begun:
    """The address of the profile."""
    made = primary_email(call, user)
    authenticators.mailed(call, user, made, about, None)
    return Begun(made, {}, {}, about)


def primary_email(call: Call, user: User) -> Enrollment:
    rows = call.session.scalars(select(Enrollment).where(Enrollment.user_id == user.id, Enrollment.key == "okta_email"))
    address = user.profile["email"]
    found = next((one for one in rows if one.data["email"] == address), None)
    return found or authenticators.enroll(call, user, "okta_email", {"email": address, "roles": ["PRIMARY"]})


def _phone(call: Call, user: User, data: Json, about: str) -> Begun:
    number = re.sub(r"[\s().-]", "", text_of(data, "phoneNumber"))
    if not PHONE.fullmatch(number):
        raise Wrong("invalid")
    made = authenticators.enroll(call, user, "phone_number", {"phoneNumber": number})
    method = "voice" if data.get("methodType") == "voice" else "sms"
    authenticators.phoned(call, user, made, about, method)
    return Begun(made, {"method": method}, {}, about)


def _app(call: Call, user: User, _data: Json, about: str) -> Begun:
    secret = totp.new_secret()
    made = authenticators.enroll(call, user, "google_otp", {"secret": secret})
    image = _picture(totp.address(secret, user.login, "Coursefront"))
    return Begun(made, {}, {"sharedSecret": secret, "qrcode": image}, about)


def _picture(text: str) -> str:
    """A QR code, as data:image/png;base64,…"""
    return str(segno.make_qr(text).png_data_uri(scale=4))


def _question(call: Call, user: User, _data: Json, about: str) -> Begun:
    texts = call.provider.policies["questions"]
    questions = [{"questionKey": key, "question": text} for key, text in texts.items()]
    shown = {"questions": questions, "questionKeys": ["custom", *texts]}
    return Begun(authenticators.enroll(call, user, "security_question", {}), {}, shown, about)


def _verify_app(call: Call, user: User, _data: Json, about: str) -> Begun:
    secret = totp.new_secret()
    made = authenticators.enroll(call, user, "okta_verify", {"secret": secret})
    question = authenticators.push(call, user, made, "enroll")
    image = _picture(f"oktaverify://enroll?token={question.id}")
    return Begun(made, {"push": question.id}, {"qrcode": image}, about)


def _security_key(call: Call, user: User, data: Json, about: str) -> Begun:
    """`data["site"]`: the origin that the key is for."""
    challenge = opaque.encoded(secrets.token_bytes(32))
    host = webauthn.relying_party(text_of(data, "site"))
    name = users.name_of(user)
    options = {
        "rp": {"name": "Coursefront", **({"id": host} if host else {})},
        "user": {"id": opaque.encoded(user.id.encode()), "name": user.login, "displayName": name},
        "pubKeyCredParams": [{"type": "public-key", "alg": int(one)} for one in webauthn.KINDS],
        "challenge": challenge,
        "attestation": "none",
        "authenticatorSelection": {"userVerification": "discouraged"},
        "excludeCredentials": [
            {"type": "public-key", "id": one.data["credentialId"]}
            for one in authenticators.of_user(call, user)
            if one.key == "webauthn"
        ],
    }
    made = authenticators.enroll(call, user, "webauthn", {})
    return Begun(made, {"challenge": challenge}, {"activation": options}, about)


_BEGINNINGS: dict[str, Callable[[Call, User, Json, str], Begun]] = {
    "okta_password": _password,
    "okta_email": _email,
    "phone_number": _phone,
    "google_otp": _app,
    "security_question": _question,
    "okta_verify": _verify_app,
    "webauthn": _security_key,
}


def finish(call: Call, user: User, begun: Begun, values: Json) -> None:
    """The enrolment counts from now on. Raises Wrong, and users.PolicyBroken for a password."""
    one = begun.enrollment
    if one.key == "okta_password":
        users.set_password(call, user, text_of(values, "passcode"))
        call.session.delete(one)
        return
    if one.key == "security_question":
        one.data = _kept_answer(call, values)
    elif one.key == "webauthn":
        one.data = _kept_key(call, begun, values)
    elif one.key == "okta_verify":
        status = authenticators.push_status(call, begun.context)
        if status != "APPROVED":
            raise Wrong("waiting" if status == "WAITING" else "gone")
    else:
        attempt = Attempt(begun.about, one, "", begun.context, ())
        authenticators.check(call, user, attempt, values)
    one.is_active = True
    user.updated_at = call.now


def _kept_answer(call: Call, values: Json) -> Json:
    key, answer = text_of(values, "questionKey"), authenticators.normal(text_of(values, "answer"))
    question = text_of(values, "question").strip()
    texts = call.provider.policies["questions"]
    if key not in texts and not (key == "custom" and question):
        raise Wrong("invalid")
    if len(answer) < SHORTEST_ANSWER or answer == question.casefold():
        raise Wrong("invalid")
    custom = {"question": question[:200]} if key == "custom" else {}
    return {"questionKey": key, "answer": opaque.hashed(answer), **custom}


def _kept_key(call: Call, begun: Begun, values: Json) -> Json:
    origins = tuple(origin for client in call.provider.clients.values() for origin in client.origins)
    given = text_of(values, "clientData"), text_of(values, "attestation")
    try:
        made = webauthn.registered(*given, begun.context.get("challenge", ""), origins)
    except webauthn.Refused as error:
        raise Wrong("wrong") from error
    return {"credentialId": made.id, "key": made.key, "counter": made.counter}


def give_up(call: Call, about: str, one: Enrollment | None) -> None:
    """An enrolment that its person left: the pending row goes, except an address that is on record anyway."""
    codes.forget(call, about)
    if one is not None and not one.is_active and one.key != "okta_email":
        call.session.delete(one)
