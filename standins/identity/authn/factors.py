"""Authenticators as classic authentication names them: factor types, providers, ids."""

from dataclasses import dataclass
from typing import Any

from standins.identity.answers import Call, Json
from standins.identity.tables import Enrollment, User

# factor type -> (authenticator key, method); the first of a key has the enrolment's own id.
TYPES = {
    "question": ("security_question", "security_question"),
    "sms": ("phone_number", "sms"),
    "call": ("phone_number", "voice"),
    "email": ("okta_email", "email"),
    "push": ("okta_verify", "push"),
    "token:software:totp": ("google_otp", "otp"),
    "webauthn": ("webauthn", "webauthn"),
}


@dataclass(frozen=True)
class Factor:
    id: str
    type: str
    provider: str
    method: str
    enrollment: Enrollment


def of_enrollment(one: Enrollment) -> list[Factor]:
    """A phone is two factors (sms, call), the verify app two (push, code)."""
    if one.key == "phone_number":
        return [
            Factor(one.id, "sms", "OKTA", "sms", one),
            Factor(f"{one.id}-call", "call", "OKTA", "voice", one),
        ]
    if one.key == "okta_verify":
        return [
            Factor(one.id, "push", "OKTA", "push", one),
            Factor(f"{one.id}-totp", "token:software:totp", "OKTA", "totp", one),
        ]
    kind = next(name for name, (key, _) in TYPES.items() if key == one.key)
    provider = {"google_otp": "GOOGLE", "webauthn": "FIDO"}.get(one.key, "OKTA")
    return [Factor(one.id, kind, provider, TYPES[kind][1], one)]


def key_of(kind: str, provider: str) -> str | None:
    """The authenticator's key of a factor type."""
    if kind == "token:software:totp" and provider == "OKTA":
        return "okta_verify"
    return TYPES[kind][0] if kind in TYPES else None


def shown(call: Call, user: User, factor: Factor) -> Json:
    """Without links; addresses and numbers masked."""
    return {
        "id": factor.id,
        "factorType": factor.type,
        "provider": factor.provider,
        "vendorName": factor.provider,
        "profile": _profile(call, user, factor.enrollment),
    }


def _profile(call: Call, user: User, one: Enrollment) -> dict[str, Any]:
    if one.key == "okta_email":
        return {"email": masked_email(one.data["email"])}
    if one.key == "phone_number":
        return {"phoneNumber": masked_phone(one.data["phoneNumber"])}
    if one.key == "security_question":
        texts = call.provider.policies["questions"]
        name = one.data["questionKey"]
        return {"question": name, "questionText": one.data.get("question") or texts.get(name, name)}
    return {"credentialId": one.data.get("credentialId", user.login)}


def masked_email(address: str) -> str:
    name, _, domain = address.partition("@")
    return f"{name[:1]}***{name[-1:]}@{domain}"


def masked_phone(number: str) -> str:
    return f"{number[:2]} XXX-XXX-{number[-4:]}"
