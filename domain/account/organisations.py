"""What a person has to do with organisations, as statements for the export of their account, and its erasure."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, select, update
from sqlalchemy.orm import Session

from domain.audit.recording import RecordedEvent, Subject
from domain.seats import invitations as seats
from domain.tables import ApplicationMessage, CountedLearner, Invitation, Membership, Organisation, Product
from domain.tables.areas.person_keys import email_key
from domain.text_direction import isolated

ExportedTable = Select[*tuple[Any, ...]]
ERASED_TEXT = "This text was deleted with the account of its author."


def memberships(learner_id: int) -> ExportedTable:
    columns = (
        Organisation.name,
        Membership.role,
        Membership.team,
        Membership.shares_progress.label("sharesProgress"),
        Membership.is_restricted.label("isRestricted"),
        Membership.joined_at.label("joinedAt"),
        Membership.ended_at.label("endedAt"),
    )
    query = select(*columns).join(Organisation, Organisation.id == Membership.organisation_id)
    return query.where(Membership.learner_id == learner_id).order_by(Membership.id)


def invitations(learner_id: int) -> ExportedTable:
    """The invitations that the person accepted. Others name an address alone."""
    columns = (
        Organisation.name.label("organisation"),
        Invitation.name,
        Invitation.team,
        Invitation.role,
        Invitation.sent_at.label("sentAt"),
    )
    query = select(*columns).join(Organisation, Organisation.id == Invitation.organisation_id)
    return query.where(Invitation.learner_id == learner_id).order_by(Invitation.id)


def applications(learner_id: int) -> ExportedTable:
    columns = (
        Organisation.name,
        Organisation.website,
        Organisation.size,
        Organisation.request_text.label("request"),
        Organisation.state,
        Organisation.applied_at.label("appliedAt"),
    )
    return select(*columns).where(Organisation.applied_by == learner_id).order_by(Organisation.id)


def messages(learner_id: int) -> ExportedTable:
    columns = (
        Organisation.name.label("organisation"),
        ApplicationMessage.text,
        ApplicationMessage.sent_at.label("sentAt"),
    )
    query = select(*columns).join(Organisation, Organisation.id == ApplicationMessage.organisation_id)
    own = (ApplicationMessage.author_id == learner_id, ApplicationMessage.is_staff.is_(False))
    return query.where(*own).order_by(ApplicationMessage.id)


def report_groups(learner_id: int) -> ExportedTable:
    """In which team reports of an organisation count the person."""
    columns = (
        Organisation.name.label("organisation"),
        Product.name.label("course"),
        CountedLearner.team,
        CountedLearner.is_named.label("isNamed"),
        CountedLearner.since,
    )
    query = select(*columns).join(Organisation, Organisation.id == CountedLearner.organisation_id)
    query = query.join(Product, Product.id == CountedLearner.product_id)
    return query.where(CountedLearner.learner_id == learner_id).order_by(CountedLearner.product_id)


EXPORTED: Mapping[str, Callable[[int], ExportedTable]] = {
    "organisations": memberships,
    "invitations": invitations,
    "applications": applications,
    "applicationMessages": messages,
    "reportGroups": report_groups,
}


def first_refusal(session: Session, learner_id: int) -> str | None:
    """Why the account cannot be deleted: others belong to an organisation of which the person is the last owner."""
    current = (Membership.ended_at.is_(None), Membership.learner_id == learner_id, Membership.role == "owner")
    owned = select(Membership.organisation_id).join(Organisation, Organisation.id == Membership.organisation_id)
    ids = session.scalars(owned.where(*current, Organisation.state == "approved")).all()
    # Locked, so that two owners who leave at the same time count each other.
    query = select(Membership).where(Membership.organisation_id.in_(ids), Membership.ended_at.is_(None))
    people = session.scalars(query.order_by(Membership.id).with_for_update()).all() if ids else []
    for key in ids:
        others = [row for row in people if row.organisation_id == key and row.learner_id != learner_id]
        if others and not any(row.role == "owner" for row in others):
            name = session.get_one(Organisation, key).name
            return f"You are the last owner of {isolated(name)}: make somebody else an owner first."
    return None


def erase(session: Session, learner_id: int, email: str, at: datetime) -> list[RecordedEvent]:
    """Memberships go, and the address and name of invitations to the person, or to `email` ("": an address that may be
    another's); an open one opens nothing any more. What they wrote in applications goes too. The organisation itself
    stays, for its other people. Returns the events of the memberships."""
    left = select(Membership).where(Membership.learner_id == learner_id, Membership.ended_at.is_(None))
    events = [
        RecordedEvent(
            "member.leave", Subject("member", row.id), {"role": row.role}, organisation_id=row.organisation_id
        )
        for row in session.scalars(left.order_by(Membership.id))
    ]
    session.execute(delete(Membership).where(Membership.learner_id == learner_id))
    session.execute(delete(CountedLearner).where(CountedLearner.learner_id == learner_id))
    is_theirs = Invitation.learner_id == learner_id
    if email:
        is_theirs |= Invitation.email_key == email_key(email)
    for row in session.scalars(select(Invitation).where(is_theirs).order_by(Invitation.id).with_for_update()).all():
        row.email_key = row.name = ""
        row.learner_id = row.open_key = row.token = None
        if row.state == "sent":
            row.state = "cancelled"
            seats.release_reserved(session, row.id, at)
    session.execute(update(Invitation).where(Invitation.invited_by == learner_id).values(invited_by=None))
    own = (ApplicationMessage.author_id == learner_id, ApplicationMessage.is_staff.is_(False))
    session.execute(update(ApplicationMessage).where(*own).values(text=ERASED_TEXT))
    session.execute(update(ApplicationMessage).where(ApplicationMessage.author_id == learner_id).values(author_id=None))
    applied = Organisation.applied_by == learner_id
    session.execute(update(Organisation).where(applied).values(applied_by=None, request_text=None))
    session.flush()
    return events
