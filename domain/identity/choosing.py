"""Choosing the organisation that a session of their area is for."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import NotFound
from domain.identity import sessions
from domain.identity.own_memberships import OwnOrganisation
from domain.identity.sessions import AuthSession
from domain.permissions import may_enter
from domain.tables import Membership, Organisation

UNKNOWN = "You manage no organisation of this name."


def choices(session: Session, learner_id: int) -> list[OwnOrganisation]:
    """The approved organisations whose area a person may enter, by name."""
    query = (
        select(Organisation.id, Organisation.slug, Organisation.name, Organisation.logo, Membership.role)
        .join(Membership, Membership.organisation_id == Organisation.id)
        .where(Membership.learner_id == learner_id, Membership.ended_at.is_(None), Organisation.state == "approved")
        .order_by(Organisation.name, Organisation.id)
    )
    rows = session.execute(query).all()
    return [OwnOrganisation(*row[:4]) for row in rows if may_enter("organisation", (row.role,))]


def enter(session: Session, auth: AuthSession, slug: str) -> OwnOrganisation:
    """The session is for this organisation from its next request on. Raises NotFound for every other than the person's
    own, with one text."""
    organisation = next((own for own in choices(session, auth.learner_id) if own.slug == slug), None)
    if organisation is None:
        raise NotFound(UNKNOWN)
    if organisation.id == auth.organisation_id:
        recording.no_change(session)
        return organisation
    sessions.choose_organisation(session, auth.session_id, organisation.id)
    subject = Subject("organisation", organisation.id)
    recording.record(session, "organisation.enter", subject, organisation_id=organisation.id)
    return organisation
