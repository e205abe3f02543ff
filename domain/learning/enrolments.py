"""Which products a learner owns."""

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.tables import Enrolment

# The browser gets all of them with its session: more would make that response large.
MAX_OWNED = 2000


def owned_ids(session: Session, learner_id: int, ids: Collection[int]) -> set[int]:
    """Those of `ids` that the learner owns."""
    query = select(Enrolment.product_id).where(Enrolment.learner_id == learner_id, Enrolment.product_id.in_(ids))
    return set(session.scalars(query)) if ids else set()


def all_owned_ids(session: Session, learner_id: int) -> tuple[int, ...]:
    """The products that the learner owns, the newest MAX_OWNED of them."""
    query = select(Enrolment.product_id).where(Enrolment.learner_id == learner_id)
    return tuple(session.scalars(query.order_by(Enrolment.id.desc()).limit(MAX_OWNED)))
