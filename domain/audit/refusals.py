"""Refusals as events: what somebody was not allowed to do, and no more of one person than tells it."""

from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.audit.recording import EVENTS, Subject, no_change, record
from domain.permissions import Actor

# A person's refusals within WINDOW: who tries again and again is known by then, and must not fill the chain, for whose
# end everybody waits.
MAX_REFUSALS = 20
WINDOW = timedelta(hours=1)


def record_refusal(session: Session, action: str, subject: Subject, lack: Mapping[str, str], actor: Actor) -> bool:
    """Record what the actor lacks, such as {"permission": "orders.read"}; False when so many of theirs are recorded
    that this one is not. For `Database.write_as`."""
    is_theirs = (EVENTS.c.actor_id == actor.learner_id, EVENTS.c.occurred_at > actor.at - WINDOW)
    recent = select(EVENTS.c.id).where(*is_theirs, EVENTS.c.action.in_(("call.refuse", "page.refuse")))
    count = session.scalar(select(func.count()).select_from(recent.limit(MAX_REFUSALS).subquery())) or 0
    if count >= MAX_REFUSALS:
        no_change(session)
        return False
    record(session, action, subject, after=lack)
    return True
