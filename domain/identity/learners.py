"""Learners: who they are to us, and what others may see of them."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.readable import letters
from domain.tables import Learner, LearnerIdentity

# About 2^39 possibilities: a number cannot be found by trying.
NUMBER_LETTERS = 8


def new_student_number() -> str:
    """Such as S-7KQ2-M9XD."""
    made = letters(NUMBER_LETTERS)
    return f"S-{made[:4]}-{made[4:]}"


def folded(number: str) -> str:
    """How student numbers are kept and compared."""
    return number.strip().casefold()


@dataclass(frozen=True)
class Identity:
    """What the provider says about a person; `issuer` and `subject` alone say who it is."""

    issuer: str
    subject: str
    name: str = ""
    email: str = ""


def known(session: Session, issuer: str, subject: str) -> Learner | None:
    identity = (LearnerIdentity.issuer == issuer, LearnerIdentity.subject == subject)
    return session.scalar(select(Learner).join(LearnerIdentity).where(*identity))


def made(session: Session, identity: Identity, at: datetime) -> Learner:
    """The learner behind an identity; at the first sign-in a new one with a number of their own."""
    learner = known(session, identity.issuer, identity.subject)
    if learner is None:
        learner = Learner(**vars(identity), student_number=folded(new_student_number()), roles=[], created_at=at)
        session.add(learner)
        session.flush()
        link(session, learner, identity, at)
    return learner


def link(session: Session, learner: Learner, identity: Identity, at: datetime) -> None:
    """From now on whoever comes with this identity is this learner."""
    session.add(LearnerIdentity(issuer=identity.issuer, subject=identity.subject, learner_id=learner.id, created_at=at))
    session.flush()


def relabel(session: Session, learner_id: int, *, email: str | None = None, name: str | None = None) -> None:
    """What the provider says of them from now on; None leaves a label as it is."""
    learner = session.get_one(Learner, learner_id)
    learner.email = learner.email if email is None else email
    learner.name = learner.name if name is None else name


def of_demo(session: Session, issuer: str, email: str) -> Learner | None:
    """A learner of the demo data (`issuer`: theirs) with this address, for a development provider's account."""
    if not email:
        return None
    return session.scalar(select(Learner).where(Learner.issuer == issuer, Learner.email == email).limit(1))


def masked_name(session: Session, student_number: str) -> str:
    """First name and initial, such as "Ada L."; "" for a number that nobody has."""
    name = session.scalar(select(Learner.name).where(Learner.student_number == folded(student_number)))
    words = (name or "").split()
    return f"{words[0]} {words[-1][0]}." if len(words) > 1 else "".join(words)
