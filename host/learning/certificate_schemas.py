"""JSON of a learner's own certificates, of pages and calls."""

from datetime import datetime
from typing import Literal

from typing_extensions import TypedDict


class CertificateCard(TypedDict):
    """`reason`: why it was revoked, in a sentence. `verifyHref`: its public page, on this site. `pdfHref`, `badgeHref`
    and `linkedInHref` are null for a revoked one. `isNamePrintable` false: the PDF has the student number instead.
    `renewableFrom`: from then on passing all quizzes again gives the next one; null where it does not."""

    code: str
    courseId: int
    courseName: str
    courseHref: str
    holder: str
    state: Literal["valid", "expired", "revoked"]
    reason: str
    completedAt: datetime
    expiresAt: datetime | None
    renewableFrom: datetime | None
    verifyHref: str
    pdfHref: str | None
    badgeHref: str | None
    linkedInHref: str | None
    canCorrectName: bool
    isNamePrintable: bool


class UnnamedCertificate(TypedDict):
    """A completed course whose certificate waits for the learner's name."""

    courseId: int
    courseName: str
    courseHref: str


class CertificateList(TypedDict):
    issued: list[CertificateCard]
    unnamed: list[UnnamedCertificate]
