"""Joining: by the link or address of an invitation, by a join code, or by the domain of a verified address."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import NotFound
from domain.identity import learners
from domain.organisations import memberships
from domain.organisations.joining import offers
from domain.organisations.joining.closing import close
from domain.organisations.joining.tokens import digest_of
from domain.organisations.memberships import NewMember
from domain.seats import invitations as seats
from domain.seats import joining
from domain.seats.seat_rows import is_running
from domain.tables import Contract, Invitation, Learner, Organisation
from domain.tables.areas.person_keys import email_key

# One answer for every token, code and number that opens nothing, so that trying tells nothing.
UNKNOWN = "This opens no organisation: it is incomplete, was used already, was taken back, or is too old."


@dataclass(frozen=True)
class Joiner:
    """Who joins. `shares_progress`: they agree that managers see how far they are; it counts where the contract shows
    names."""

    learner_id: int
    at: datetime
    shares_progress: bool = False


@dataclass(frozen=True)
class Joined:
    """`is_new` false: the learner belonged to it already."""

    organisation: str
    is_new: bool


def accept(session: Session, joiner: Joiner, invitation_id: int, token: str) -> Joined:
    """Join by an invitation whose token, or whose address, verified, the learner has; the same learner again gets the
    same answer. For `Database.write_as`. Raises NotFound for every other."""
    learners.lock_account_alone(session, joiner.learner_id)
    row = _own_invitation(session, joiner.learner_id, invitation_id, token)
    organisation = session.get_one(Organisation, row.organisation_id)
    if row.state == "accepted":
        recording.no_change(session)
        return Joined(organisation.name, is_new=False)
    contract = session.get_one(Contract, row.contract_id)
    if not _is_open(row, contract, organisation, joiner.at):
        raise NotFound(UNKNOWN)
    close(session, row, "accepted", joiner.at)
    row.learner_id = joiner.learner_id
    joined = _join(session, joiner, contract, organisation, Way("invitation", row.role, row.team))
    seats.take_reserved(session, row.id, joiner.learner_id, joiner.at)
    return joined


def decline(session: Session, learner_id: int, invitation_id: int, token: str, at: datetime) -> None:
    """The inviters see that it was declined, and can invite again. For `Database.write_as`. Raises NotFound."""
    learners.lock_account_alone(session, learner_id)
    row = _own_invitation(session, learner_id, invitation_id, token)
    if row.state == "accepted" or row.expires_at <= at:
        raise NotFound(UNKNOWN)
    close(session, row, "declined", at)
    before, after = {"state": "sent"}, {"state": "declined"}
    subject = Subject("invitation", row.id)
    recording.record(
        session, "invitation.decline", subject, before=before, after=after, organisation_id=row.organisation_id
    )


def join_by_code(session: Session, joiner: Joiner, code: str) -> Joined:
    """For `Database.write_as`. Raises NotFound for a code that opens nothing."""
    learners.lock_account_alone(session, joiner.learner_id)
    found = offers.contract_of_code(session, code, joiner.at)
    if found is None:
        raise NotFound(UNKNOWN)
    joined = _join(session, joiner, *found, Way("code"))
    if joined.is_new:
        locked = select(Contract).where(Contract.id == found[0].id).with_for_update()
        session.scalars(locked.execution_options(populate_existing=True)).one().join_code_uses += 1
        joining.give_seat(session, found[0].id, joiner.learner_id, joiner.at)
    return joined


def join_by_domain(session: Session, joiner: Joiner, organisation_id: int) -> Joined:
    """For `Database.write_as`. Raises NotFound unless the domain of the learner's verified address is one of the
    organisation's."""
    learner = session.get_one(Learner, joiner.learner_id, with_for_update=True, populate_existing=True)
    found = offers.contract_of_domain(session, learner, organisation_id, joiner.at)
    if found is None:
        raise NotFound(UNKNOWN)
    joined = _join(session, joiner, *found, Way("domain"))
    if joined.is_new:
        joining.give_seat(session, found[0].id, joiner.learner_id, joiner.at)
    return joined


@dataclass(frozen=True)
class Way:
    """How somebody joins: by invitation, code or domain; with the role and team of an invitation."""

    name: str
    role: str = "member"
    team: str = ""


def _join(session: Session, joiner: Joiner, contract: Contract, organisation: Organisation, way: Way) -> Joined:
    new = NewMember(
        joiner.learner_id,
        organisation.id,
        way.role,
        way.team,
        is_restricted=contract.is_restricted and way.role == "member",
        shares_progress=joiner.shares_progress and contract.shows_names,
    )
    membership, is_new = memberships.add(session, new, joiner.at)
    about = {"way": way.name, "role": membership.role, "shares_progress": membership.shares_progress}
    subject = Subject("member", joiner.learner_id)
    recording.record(session, "member.join", subject, after=about, organisation_id=organisation.id)
    return Joined(organisation.name, is_new)


def _own_invitation(session: Session, learner_id: int, invitation_id: int, token: str) -> Invitation:
    """Locked: one that the learner accepted before, or an open one whose token or address is theirs. Raises
    NotFound."""
    query = select(Invitation).where(Invitation.id == invitation_id).with_for_update()
    row = session.scalar(query.execution_options(populate_existing=True))
    if row is None:
        raise NotFound(UNKNOWN)
    if row.state == "accepted" and row.learner_id == learner_id:
        return row
    learner = session.get_one(Learner, learner_id)
    has_address = learner.email_verified and row.email_key != "" and email_key(learner.email) == row.email_key
    has_token = bool(token) and row.token == digest_of(token)
    if row.state != "sent" or not (has_address or has_token):
        raise NotFound(UNKNOWN)
    return row


def _is_open(row: Invitation, contract: Contract, organisation: Organisation, at: datetime) -> bool:
    return row.expires_at > at and organisation.state == "approved" and is_running(contract, at)
