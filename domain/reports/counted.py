"""In which group of a report a learner of a course is counted: always the one of their first month.

So a change of team moves nobody from one group to another, where two tables together would tell about one person; and
who is named is in no group, where the named ones would tell about the rest (docs/decisions/0077).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.tables import CountedLearner


class Group(NamedTuple):
    """People of one course. `is_named`: reports name each of them."""

    course_id: int
    team: str
    is_named: bool

    @property
    def key(self) -> str:
        """As in tables.OrganisationMonth."""
        return f"{'named:' if self.is_named else ''}{self.course_id}:{self.team}"


@dataclass(frozen=True)
class Belonging:
    """What is known of a learner of a course now."""

    learner_id: int
    group: Group


def groups_of(
    session: Session, organisation_id: int, month: str, people: Iterable[Belonging]
) -> dict[tuple[int, int], Group]:
    """(learner, course) -> group. Writes down who is new. Whoever is not named any more is left out: they are in no
    group, as what was shown of them would tell about the others."""
    known = {
        (row.learner_id, row.product_id): row
        for row in session.scalars(select(CountedLearner).where(CountedLearner.organisation_id == organisation_id))
    }
    found = {}
    for learner_id, group in ((person.learner_id, person.group) for person in people):
        row = known.get((learner_id, group.course_id))
        if row is None:
            about = {"product_id": group.course_id, "team": group.team, "is_named": group.is_named, "since": month}
            row = CountedLearner(organisation_id=organisation_id, learner_id=learner_id, **about)
            session.add(row)
        if group.is_named or not row.is_named:
            found[learner_id, group.course_id] = Group(group.course_id, row.team, row.is_named)
    session.flush()
    return found
