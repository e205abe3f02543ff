"""The mails that tell a learner of a new certificate, and of one that was revoked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from contracts.payloads import CertificateItem, decode
from contracts.tasks import OutboxKind
from domain.display_text import day_text
from domain.learning.certificates.revoking import REASONS
from domain.outbox import Lease
from domain.tables import Certificate, Learner

KINDS = frozenset({OutboxKind.CERTIFICATE_ISSUED, OutboxKind.CERTIFICATE_REVOKED})


@dataclass(frozen=True)
class CertificateMail:
    """`values`: what its template shows, beside the site."""

    to: str
    values: Mapping[str, Any]


def compose(session: Session, lease: Lease, origin: str, locale: str) -> CertificateMail | None:
    """The mail of a row; None when a new certificate was revoked meanwhile, or its holder has no address any more."""
    certificate = session.get(Certificate, decode(CertificateItem, lease.body).certificate_id)
    is_revoked = lease.kind == OutboxKind.CERTIFICATE_REVOKED
    if certificate is None or (certificate.revoked_at is not None) != is_revoked:
        return None
    learner = session.get_one(Learner, certificate.learner_id)
    until = certificate.expires_at
    values = {
        "holder": certificate.holder_name,
        "course": certificate.course_name,
        "link": f"{origin}/verify-certificate/{certificate.code}",
        "own_link": f"{origin}/user-dashboard?list=certificates",
        "reason": REASONS.get(certificate.revoked_reason, ""),
        "until": "" if until is None else day_text(until, locale),
    }
    return CertificateMail(learner.email, values) if learner.email else None
