"""Learners: find and create them by their identity at a provider, and the name that others see."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect, first_number
from domain.errors import NotFound
from domain.readable_codes import encode
from domain.tables import Learner, LearnerIdentity
from domain.typed_codes import plain_code

# About 2^39 possibilities: a number cannot be guessed.
NUMBER_LETTERS = 8
# Issuer of learners created without a provider: by the demo shop and by `python -m host dev`.
DEVELOPMENT_ISSUER = "development"
NO_ACCOUNT = "This account has been deleted."
_learners = Learner.__table__.c
# The row of a deleted account stays, without an issuer.
_OF_ACCOUNT = select(_learners.id).where(_learners.id == bindparam("learner"), _learners.issuer != "")
_SHARED = PreparedSelect(_OF_ACCOUNT.with_for_update(read=True), first_number)
_ALONE = PreparedSelect(_OF_ACCOUNT.with_for_update(), first_number)


def new_student_number() -> str:
    """Such as S-7KQ2-M9XD."""
    letters = encode(NUMBER_LETTERS)
    return f"S-{letters[:4]}-{letters[4:]}"


def normalised_student_number(number: str) -> str:
    """The form in which student numbers are stored and compared."""
    return plain_code(number).casefold()


@dataclass(frozen=True)
class Identity:
    """What the provider says about a person; `issuer` and `subject` identify the person. `email_verified`: that the
    address is theirs."""

    issuer: str
    subject: str
    name: str = ""
    email: str = ""
    email_verified: bool = False


def find_by_identity(session: Session, issuer: str, subject: str) -> Learner | None:
    identity = (LearnerIdentity.issuer == issuer, LearnerIdentity.subject == subject)
    return session.scalar(select(Learner).join(LearnerIdentity).where(*identity))


def lock_account(session: Session, learner_id: int) -> None:
    """Lock an account: until the end of the transaction it cannot be deleted. Raises NotFound once it is. To be
    locked before anything else by all that adds rows of a learner for them: a change that was on its way at the
    deletion would bring rows back. Orders lock by domain/orders/locks.py. What only changes rows that the deletion
    removes locks those."""
    if not _SHARED.all(session, learner=learner_id):
        raise NotFound(NO_ACCOUNT)


def lock_account_alone(session: Session, learner_id: int) -> None:
    """Lock an account as orders do, so that no two changes of a cart, and no purchase beside one, run at the same
    time. Raises NotFound once it is deleted."""
    if not _ALONE.all(session, learner=learner_id):
        raise NotFound(NO_ACCOUNT)


def lock_to_change(session: Session, learner_id: int) -> Learner | None:
    """The learner's row with its newest values, locked until the end of the transaction, for what changes the row
    itself. None: the account was deleted."""
    learner = session.get(Learner, learner_id, with_for_update=True, populate_existing=True)
    return None if learner is None or not learner.issuer else learner


def lock_by_identity(session: Session, issuer: str, subject: str) -> Learner | None:
    """The learner with this identity, locked by `lock_to_change`; None without an account. What is read before the lock
    may be the state before a deletion."""
    learner = find_by_identity(session, issuer, subject)
    return None if learner is None else lock_to_change(session, learner.id)


def create(session: Session, identity: Identity, at: datetime) -> Learner:
    """The learner of an identity, locked, created with a new student number at the first sign-in."""
    learner = lock_by_identity(session, identity.issuer, identity.subject)
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
    """Store the (verified) email address and name that the provider has now; None leaves one unchanged. An account that
    was deleted while the provider answered stays as it is."""
    learner = lock_to_change(session, learner_id)
    if learner is None:
        return
    learner.email_verified = learner.email_verified or email is not None
    learner.email = learner.email if email is None else email
    learner.name = learner.name if name is None else name


def lock_development_learner(session: Session, issuer: str, email: str) -> Learner | None:
    """The demo shop's learner (of `issuer`) with this address, locked, for an account at a development provider."""
    if not email:
        return None
    query = select(Learner.id).where(Learner.issuer == issuer, Learner.email == email)
    learner_id = session.scalar(query.limit(1))
    return None if learner_id is None else lock_to_change(session, learner_id)


def has_verified_address(session: Session, learner_id: int) -> bool:
    """Whether the provider has said that the address of this learner is theirs."""
    is_verified = select(Learner.id).where(Learner.id == learner_id, Learner.email_verified, Learner.email != "")
    return session.scalar(is_verified) is not None


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
