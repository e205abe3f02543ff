"""Learners: find and create them by their identity at a provider, and the name that others see."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.readable_codes import encode
from domain.tables import Learner, LearnerIdentity

# About 2^39 possibilities: a number cannot be guessed.
NUMBER_LETTERS = 8
# Issuer of learners created without a provider: by the demo shop and by `python -m host dev`.
DEVELOPMENT_ISSUER = "development"


def new_student_number() -> str:
    """Such as S-7KQ2-M9XD."""
    letters = encode(NUMBER_LETTERS)
    return f"S-{letters[:4]}-{letters[4:]}"


def normalised_student_number(number: str) -> str:
    """The form in which student numbers are stored and compared."""
    return number.strip().casefold()


@dataclass(frozen=True)
class Identity:
    """What the provider says about a person; `issuer` and `subject` identify the person."""

    issuer: str
    subject: str
    name: str = ""
    email: str = ""


def find_by_identity(session: Session, issuer: str, subject: str) -> Learner | None:
    identity = (LearnerIdentity.issuer == issuer, LearnerIdentity.subject == subject)
    return session.scalar(select(Learner).join(LearnerIdentity).where(*identity))


def create(session: Session, identity: Identity, at: datetime) -> Learner:
    """The learner of an identity, created with a new student number at the first sign-in."""
    learner = find_by_identity(session, identity.issuer, identity.subject)
    if learner is None:
        learner = Learner(
            **vars(identity), student_number=normalised_student_number(new_student_number()), created_at=at
        )
        session.add(learner)
        session.flush()
        link(session, learner, identity, at)
    return learner


def link(session: Session, learner: Learner, identity: Identity, at: datetime) -> None:
    """Sign-ins with this identity belong to this learner from now on."""
    session.add(LearnerIdentity(issuer=identity.issuer, subject=identity.subject, learner_id=learner.id, created_at=at))
    session.flush()


def relabel(session: Session, learner_id: int, *, email: str | None = None, name: str | None = None) -> None:
    """Store the email address and name that the provider has now; None leaves one unchanged."""
    learner = session.get_one(Learner, learner_id)
    learner.email = learner.email if email is None else email
    learner.name = learner.name if name is None else name


def find_development_learner(session: Session, issuer: str, email: str) -> Learner | None:
    """The demo shop's learner (of `issuer`) with this address, for an account at a development provider."""
    if not email:
        return None
    return session.scalar(select(Learner).where(Learner.issuer == issuer, Learner.email == email).limit(1))


def public_name(session: Session, student_number: str) -> str:
    """First name and initial, such as "Ada L."; "" for an unknown number."""
    name = session.scalar(
        select(Learner.name).where(Learner.student_number == normalised_student_number(student_number))
    )
    return short_name(name or "")


def short_name(name: str) -> str:
    """First name and initial, such as "Ada L."."""
    words = name.split()
    return f"{words[0]} {words[-1][0]}." if len(words) > 1 else "".join(words)
