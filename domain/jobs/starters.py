"""Who started a job, with the roles of now: what it changes is theirs, and they may have lost the right since."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.errors import Refused
from domain.permissions import Actor, Permission, permissions_of
from domain.tables import Job, StaffRole


def starter_of(session: Session, job_id: int, needed: Permission, at: datetime) -> Actor:
    """Raises Refused once whoever started the job lacks the permission."""
    started_by = session.scalar(select(Job.started_by).where(Job.id == job_id))
    roles = tuple(session.scalars(select(StaffRole.role).where(StaffRole.learner_id == started_by)))
    if started_by is None or needed not in permissions_of("admin", roles):
        raise Refused(f"Whoever began this does not have the permission {needed} any more.")
    return Actor(started_by, "admin", roles, "", at)
