"""JSON models of a learner's own certificates, of pages and calls."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel


class CertificateCard(BaseModel):
    """`reason`: why it was revoked, in a sentence. `verifyHref`: its public page, on this site. `pdfHref`, `badgeHref`
    and `linkedInHref` are null for a revoked one. `isNamePrintable` false: the PDF has the student number instead.
    `renewableFrom` null: it has no end."""

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


class UnnamedCertificate(BaseModel):
    """A completed course whose certificate waits for the learner's name."""

    courseId: int
    courseName: str
    courseHref: str


class CertificateList(BaseModel):
    issued: list[CertificateCard]
    unnamed: list[UnnamedCertificate]
