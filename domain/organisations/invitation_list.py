"""The invitations of one organisation, as its managers see them."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.database.list_page import ListSource
from domain.errors import NotFound
from domain.permissions import Tenant
from domain.tables import Invitation, Learner

_rows, _learners = Invitation.__table__.c, Learner.__table__.c


class InvitationRow(NamedTuple):
    """`sends` 0: its first mail waits to be sent. `inviter` None: nobody knows any more."""

    id: int
    email: str
    name: str
    team: str
    role: str
    state: str
    sent_at: datetime
    sends: int
    expires_at: datetime
    inviter: str | None

    def state_at(self, at: datetime) -> str:
        """An open one that is too old has expired, also before it is closed."""
        return "expired" if self.state == "sent" and self.expires_at <= at else self.state


_SELECT = select(
    *(_rows.id, _rows.email_key, _rows.name, _rows.team, _rows.role, _rows.state),
    *(_rows.sent_at, _rows.sends, _rows.expires_at, _learners.name),
).outerjoin_from(Invitation.__table__, Learner.__table__, _learners.id == _rows.invited_by)
INVITATIONS = ListSource(
    rows=_SELECT,
    counted=select(_rows.id),
    make=InvitationRow._make,
    key=_rows.id,
    filters={"state": _rows.state.__eq__},
    tenant=_rows.organisation_id,
)


def invitation_of(session: Session, tenant: Tenant, invitation_id: int) -> InvitationRow:
    """Raises NotFound for one of others."""
    own = (_rows.id == invitation_id, _rows.organisation_id == tenant.organisation_id)
    row = session.execute(_SELECT.where(*own)).one_or_none()
    if row is None:
        raise NotFound("Your organisation has no such invitation.")
    return InvitationRow._make(row)
