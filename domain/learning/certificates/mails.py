"""The mails that tell a learner of a new certificate, and of one that was revoked."""

from sqlalchemy.orm import Session

from contracts.payloads import CertificateItem, decode
from contracts.tasks import OutboxKind
from domain.display_text import day_text
from domain.learning.certificates.revoking import REASONS
from domain.mail import ExampleCase, Mail, MailSite, Values, mail
from domain.outbox.leases import Lease
from domain.tables import Certificate, Learner


def _example(case: ExampleCase) -> Values:
    certificate = {
        "holder": "Ada Lovelace",
        "course": case.course,
        "link": f"{case.site.origin}/verify-certificate/SAMPLE",
        "own_link": f"{case.site.origin}/user-dashboard?list=certificates",
        "reason": "It was issued by mistake.",
        "until": "" if case.is_bare else case.day(30),
    }
    return {"certificate": certificate}


@mail(
    "Learner",
    {
        OutboxKind.CERTIFICATE_ISSUED: "A course is completed.",
        OutboxKind.CERTIFICATE_REVOKED: "Staff revoke a certificate.",
    },
    example=_example,
)
def _about_certificate(session: Session, lease: Lease, site: MailSite) -> Mail | None:
    """None when a new certificate was revoked meanwhile."""
    certificate = session.get(Certificate, decode(CertificateItem, lease.body).certificate_id)
    is_revoked = lease.kind == OutboxKind.CERTIFICATE_REVOKED
    if certificate is None or (certificate.revoked_at is not None) != is_revoked:
        return None
    learner = session.get_one(Learner, certificate.learner_id)
    until = certificate.expires_at
    values = {
        "holder": certificate.holder_name,
        "course": certificate.course_name,
        "link": f"{site.origin}/verify-certificate/{certificate.code}",
        "own_link": f"{site.origin}/user-dashboard?list=certificates",
        "reason": REASONS.get(certificate.revoked_reason, ""),
        "until": "" if until is None else day_text(until, site.locale),
    }
    return Mail(learner.email, {"certificate": values})
