"""Takes a learner out of all visits, and of what was made of them."""

from datetime import datetime

from sqlalchemy.orm import Session

from domain.errors import NotFound
from domain.reports.attribution import erasure as path_erasure
from domain.tables import Learner
from domain.visits import erasure


def erase_visits(session: Session, learner_id: int, at: datetime) -> None:
    """For `Database.write_as`: the account stays, and what was bought stays theirs. Raises NotFound."""
    learner = session.get(Learner, learner_id, with_for_update=True, populate_existing=True)
    if learner is None:
        raise NotFound(f"There is no learner {learner_id}: `visits` shows the number in its column Learner.")
    path_erasure.erase(session, learner, at)
    erasure.erase_learner(session, learner_id, at)
