"""Certificates as credentials: Open Badges 3.0 in the form of the W3C's Verifiable Credentials 2.0, secured as a JWT
whose payload is the credential itself."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from domain.learning.certificates.certificate_views import CertificateView
from domain.text_direction import isolated
from host.documents.certificates import status_list

CONTEXTS = ["https://www.w3.org/ns/credentials/v2", "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json"]
SCHEMA = "https://purl.imsglobal.org/spec/ob/v3p0/schema/json/ob_v3p0_achievementcredential_schema.json"
ISSUER_PATH = "/.well-known/certificate-issuer.json"
Json = dict[str, Any]


@dataclass(frozen=True)
class Issuer:
    """The shop as the issuer of its certificates."""

    origin: str
    name: str
    email: str

    @property
    def id(self) -> str:
        return f"{self.origin}{ISSUER_PATH}"

    def profile(self) -> Json:
        return {"id": self.id, "type": ["Profile"], "name": self.name, "url": self.origin, "email": self.email}


def credential(issuer: Issuer, certificate: CertificateView) -> Json:
    """The credential of a certificate that is not revoked. Equal certificates give equal credentials."""
    page = f"{issuer.origin}/verify-certificate/{certificate.code}"
    until = certificate.expires_at
    return {
        "@context": CONTEXTS,
        "id": f"{page}/credential.json",
        "type": ["VerifiableCredential", "OpenBadgeCredential"],
        "name": certificate.course_name,
        "issuer": issuer.profile(),
        "validFrom": time_text(certificate.issued_at),
        **({} if until is None else {"validUntil": time_text(until)}),
        "awardedDate": time_text(certificate.completed_at),
        "credentialSubject": _subject(issuer, certificate, f"{page}#holder"),
        "credentialStatus": status_list.entry(issuer.origin, certificate.status_index),
        "credentialSchema": [{"id": SCHEMA, "type": "1EdTechJsonSchemaValidator2019"}],
    }


def claims(document: Json) -> Json:
    """The payload of the credential's JWT: its members, and what a JWT calls by other names."""
    until = document.get("validUntil")
    registered = {
        "iss": _id_of(document["issuer"]),
        "jti": document["id"],
        "sub": document["credentialSubject"]["id"],
        "nbf": _seconds(document["validFrom"]),
        **({} if until is None else {"exp": _seconds(until)}),
    }
    return {**document, **registered}


def time_text(at: datetime) -> str:
    """In whole seconds, as a JWT's times are."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _subject(issuer: Issuer, certificate: CertificateView, holder_id: str) -> Json:
    earned = certificate.credits
    # The name as it is printed, and no email address.
    name = {"type": "IdentityObject", "identityHash": certificate.holder_name, "identityType": "name", "hashed": False}
    return {
        "id": holder_id,
        "type": ["AchievementSubject"],
        "identifier": [name],
        **({} if earned is None else {"creditsEarned": earned}),
        "achievement": {
            "id": f"{issuer.origin}/course-details?id={certificate.course_id}",
            "type": ["Achievement"],
            "achievementType": "Course",
            "name": certificate.course_name,
            "description": f"Completion of the course “{isolated(certificate.course_name)}”.",
            "criteria": {"narrative": certificate.rule_text or "Complete the course."},
            **({} if earned is None else {"creditsAvailable": earned}),
        },
    }


def _id_of(issuer: Json | str) -> str:
    return issuer if isinstance(issuer, str) else str(issuer["id"])


def _seconds(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp())
