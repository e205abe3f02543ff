"""Factors: classic authentication's types, providers and ids for authenticators."""

from dataclasses import dataclass
from typing import Any

from standins.identity.responses import IdentityCall, Json
from standins.identity.tables import Enrollment, User

# Factor type -> (authenticator key, method). The first type of a key has the enrollment's id.
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


def factors_of(enrollment: Enrollment) -> list[Factor]:
    """The factors of an enrollment: a phone has two (sms, call), the verify app two (push, code)."""
    if enrollment.key == "phone_number":
        return [
            Factor(enrollment.id, "sms", "OKTA", "sms", enrollment),
            Factor(f"{enrollment.id}-call", "call", "OKTA", "voice", enrollment),
        ]
    if enrollment.key == "okta_verify":
        return [
            Factor(enrollment.id, "push", "OKTA", "push", enrollment),
            Factor(f"{enrollment.id}-totp", "token:software:totp", "OKTA", "totp", enrollment),
        ]
    kind = next(name for name, (key, _) in TYPES.items() if key == enrollment.key)
    provider = {"google_otp": "GOOGLE", "webauthn": "FIDO"}.get(enrollment.key, "OKTA")
    return [Factor(enrollment.id, kind, provider, TYPES[kind][1], enrollment)]


def authenticator_key(kind: str, provider: str) -> str | None:
    """The authenticator key of a factor type."""
    if kind == "token:software:totp" and provider == "OKTA":
        return "okta_verify"
    return TYPES[kind][0] if kind in TYPES else None


def factor_json(call: IdentityCall, user: User, factor: Factor) -> Json:
    """A factor without links, its address or number masked."""
    return {
        "id": factor.id,
        "factorType": factor.type,
        "provider": factor.provider,
        "vendorName": factor.provider,
        "profile": _profile(call, user, factor.enrollment),
    }


def _profile(call: IdentityCall, user: User, enrollment: Enrollment) -> dict[str, Any]:
    if enrollment.key == "okta_email":
        return {"email": mask_email(enrollment.data["email"])}
    if enrollment.key == "phone_number":
        return {"phoneNumber": mask_phone(enrollment.data["phoneNumber"])}
    if enrollment.key == "security_question":
        texts = call.provider.policies["questions"]
        name = enrollment.data["questionKey"]
        return {"question": name, "questionText": enrollment.data.get("question") or texts.get(name, name)}
    return {"credentialId": enrollment.data.get("credentialId", user.login)}


def mask_email(address: str) -> str:
    name, _, domain = address.partition("@")
    return f"{name[:1]}***{name[-1:]}@{domain}"


def mask_phone(number: str) -> str:
    return f"{number[:2]} XXX-XXX-{number[-4:]}"
