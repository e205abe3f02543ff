"""Memberships: how somebody becomes a member, changes their role, and leaves."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import InvalidInput, NotFound, Refused
from domain.organisations.members import ROLES
from domain.permissions import Actor, Tenant
from domain.seats import holding
from domain.tables import Membership

MAX_TEAM = 100
UNKNOWN = "Your organisation has no such member."
LAST_OWNER = "The last owner cannot be removed and stays owner: make somebody else an owner first."
OWN_ROLE = "Nobody changes their own role."
# Fields before and after.
Changed = tuple[dict[str, object], dict[str, object]]
OWN_REMOVAL = "Nobody removes themselves. Ask another owner or manager."


@dataclass(frozen=True)
class NewMember:
    """`shares_progress`: they agreed that managers see how far they are."""

    learner_id: int
    organisation_id: int
    role: str
    team: str
    is_restricted: bool
    shares_progress: bool


def add(session: Session, new: NewMember, at: datetime) -> tuple[Membership, bool]:
    """The membership, and whether it is a new one: who belongs to the organisation already keeps role and team, and
    agrees to what they agree to now."""
    row = _own(session, new)
    if row is not None and row.ended_at is None:
        row.shares_progress = new.shares_progress
        session.flush()
        return row, False
    if row is None:
        row = Membership(learner_id=new.learner_id, organisation_id=new.organisation_id)
        session.add(row)
    row.role, row.team, row.joined_at, row.ended_at = new.role, new.team, at, None
    row.is_restricted, row.shares_progress = new.is_restricted, new.shares_progress
    session.flush()
    return row, True


def _own(session: Session, new: NewMember) -> Membership | None:
    """Locked. Of two transactions that find none, one is repeated and finds what the other has inserted."""
    own = (Membership.learner_id == new.learner_id, Membership.organisation_id == new.organisation_id)
    return session.scalar(select(Membership).where(*own).with_for_update().execution_options(populate_existing=True))


def end(
    session: Session, membership: Membership, at: datetime, reason: str = "", *, actor_id: int | None = None
) -> None:
    """The member leaves: their seats become free, and access that came with them ends. Progress and certificates stay
    theirs."""
    membership.ended_at = at
    session.flush()
    who = (membership.learner_id, membership.organisation_id)
    holding.release_of_member(session, *who, at, actor_id=actor_id, reason=reason)


def remove(session: Session, actor: Actor, membership_id: int, reason: str, at: datetime) -> None:
    """For `Database.write_as`. Raises NotFound, and Refused for oneself, the last owner, and an owner or manager whom
    the actor may not remove."""
    row = _locked(session, actor, membership_id)
    if row.learner_id == actor.learner_id:
        raise Refused(OWN_REMOVAL)
    if row.role != "member" and "owner" not in actor.roles:
        raise Refused("An owner removes managers and owners.")
    _keep_an_owner(session, actor.tenant, row)
    end(session, row, at, reason, actor_id=actor.learner_id)
    _record(session, "member.remove", row, ({"role": row.role}, {}), reason)


def change_role(session: Session, actor: Actor, membership_id: int, role: str, reason: str) -> None:
    """For `Database.write_as`. Raises NotFound, InvalidInput, and Refused for one's own role and the last owner's."""
    if role not in ROLES:
        raise InvalidInput({"role": f"Choose one of {', '.join(ROLES)}."})
    row = _locked(session, actor, membership_id)
    if row.learner_id == actor.learner_id:
        raise Refused(OWN_ROLE)
    if row.role == role:
        recording.no_change(session)
        return
    _keep_an_owner(session, actor.tenant, row)
    before, row.role = row.role, role
    if role != "member":
        row.is_restricted = False
    session.flush()
    _record(session, "member.role", row, ({"role": before}, {"role": role}), reason)


def change_team(session: Session, actor: Actor, membership_id: int, team: str) -> None:
    """For `Database.write_as`. Raises NotFound, InvalidInput."""
    new = team_name(team)
    row = _locked(session, actor, membership_id)
    if row.team == new:
        recording.no_change(session)
        return
    before, row.team = row.team, new
    session.flush()
    _record(session, "member.team", row, ({"team": before}, {"team": new}))


def team_name(text: str) -> str:
    """As it is stored; "" for no team. Raises InvalidInput."""
    name = " ".join(text.split())
    if len(name) > MAX_TEAM:
        raise InvalidInput({"team": f"Use at most {MAX_TEAM} characters."})
    return name


def _locked(session: Session, actor: Actor, membership_id: int) -> Membership:
    """All owners are locked with the member, in the order of their ids, so that two removals at the same time count
    each other. Raises NotFound."""
    own = (Membership.organisation_id == actor.tenant.organisation_id, Membership.ended_at.is_(None))
    wanted = (Membership.id == membership_id) | (Membership.role == "owner")
    query = select(Membership).where(*own, wanted).order_by(Membership.id).with_for_update()
    rows = session.scalars(query.execution_options(populate_existing=True)).all()
    row = next((row for row in rows if row.id == membership_id), None)
    if row is None:
        raise NotFound(UNKNOWN)
    return row


def _keep_an_owner(session: Session, tenant: Tenant, row: Membership) -> None:
    """Raises Refused."""
    owners = select(func.count(Membership.id)).where(
        Membership.organisation_id == tenant.organisation_id, Membership.ended_at.is_(None), Membership.role == "owner"
    )
    if row.role == "owner" and session.scalars(owners).one() == 1:
        raise Refused(LAST_OWNER)


def _record(session: Session, action: str, row: Membership, changed: Changed, reason: str = "") -> None:
    subject, (before, after) = Subject("member", row.learner_id), changed
    recording.record(session, action, subject, before=before, after=after, reason=reason)
