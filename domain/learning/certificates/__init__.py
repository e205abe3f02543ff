"""Certificates: issued with the completion of a course, corrected, renewed, revoked, read and mailed."""

from domain.learning.certificates.issuing import (
    CORRECTION,
    MAX_NAME,
    correct_by_staff,
    issue,
    put_name,
    renew_if_passed_again,
)
from domain.learning.certificates.reading import (
    CertificateView,
    LearnerCertificates,
    UnnamedCourse,
    by_code,
    of_enrolment,
    of_learner,
    own,
    revoked_indexes,
)
from domain.learning.certificates.revoking import REASONS, erase_of_account, restore_refunded, revoke, revoke_refunded

__all__ = [
    "CORRECTION",
    "MAX_NAME",
    "REASONS",
    "CertificateView",
    "LearnerCertificates",
    "UnnamedCourse",
    "by_code",
    "correct_by_staff",
    "erase_of_account",
    "issue",
    "of_enrolment",
    "of_learner",
    "own",
    "put_name",
    "renew_if_passed_again",
    "restore_refunded",
    "revoke",
    "revoke_refunded",
    "revoked_indexes",
]
