"""A learner's certificates as JSON models."""

from urllib.parse import urlencode

from domain.learning.addresses import course_href
from domain.learning.certificates.certificate_views import CertificateView, LearnerCertificates
from host.images.fonts import typeface
from host.learning.certificate_schemas import CertificateCard, CertificateList, UnnamedCertificate

LINKEDIN = "https://www.linkedin.com/profile/add"
# Inter has every letter of Latin, Greek and Cyrillic before it.
_FIRST_OTHER = 0x0590


def certificate_list(own: LearnerCertificates, site_origin: str, site_name: str) -> CertificateList:
    return CertificateList(
        issued=[certificate_card(view, site_origin, site_name) for view in own.issued],
        unnamed=[
            UnnamedCertificate(
                courseId=course.course_id, courseName=course.course_name, courseHref=course_href(course.course_slug)
            )
            for course in own.unnamed
        ],
    )


def certificate_card(view: CertificateView, site_origin: str, site_name: str) -> CertificateCard:
    page, is_revoked = f"/verify-certificate/{view.code}", view.state == "revoked"
    return CertificateCard(
        code=view.code,
        courseId=view.course_id,
        courseName=view.course_name,
        courseHref=course_href(view.course_slug),
        holder=view.holder_name,
        state=view.state,
        reason=view.reason,
        completedAt=view.completed_at,
        expiresAt=view.expires_at,
        renewableFrom=view.renewable_from,
        verifyHref=page,
        pdfHref=None if is_revoked else f"/learning/certificates/{view.code}.pdf",
        badgeHref=None if is_revoked else f"{page}/credential.jwt",
        linkedInHref=None if is_revoked else linkedin_href(view, f"{site_origin}{page}", site_name),
        canCorrectName=view.can_correct_name,
        isNamePrintable=is_printable(view.holder_name),
    )


def linkedin_href(view: CertificateView, address: str, site_name: str) -> str:
    """Where LinkedIn adds the certificate to a profile. Nothing is sent before the learner follows the link."""
    about: list[tuple[str, str | int]] = [
        ("startTask", "CERTIFICATION_NAME"),
        ("name", view.course_name),
        ("organizationName", site_name),
        ("issueYear", view.issued_at.year),
        ("issueMonth", view.issued_at.month),
    ]
    if view.expires_at is not None:
        about += [("expirationYear", view.expires_at.year), ("expirationMonth", view.expires_at.month)]
    return f"{LINKEDIN}?{urlencode([*about, ('certUrl', address), ('certId', view.code)])}"


def is_printable(name: str) -> bool:
    """Whether the PDF can print the name. Fonts are read for other scripts alone."""
    return all(ord(char) < _FIRST_OTHER for char in name) or typeface([name]).can_name(name)
