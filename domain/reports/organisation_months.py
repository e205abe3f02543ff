"""Freezes the months of organisations: who had a seat by the end of each, and what they had done. A frozen month is
never computed anew.

People are counted by course and team, also those who left since, in the group of their first month (counted.py): so
groups only grow, as k_anonymity.py needs it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import and_, case, func, select
from sqlalchemy.orm import Session

from domain.reports.counted import Belonging, Group, groups_of
from domain.reports.months import months_over
from domain.reports.seat_costs import SeatCosts, seat_costs
from domain.tables import (
    Contract,
    Enrolment,
    EnrolmentGrant,
    Lesson,
    Membership,
    Organisation,
    OrganisationMonth,
    QuizAttempt,
    Seat,
)

ALL = "all"
# Scores are per mille.
PER_POINT = 10


class Learnt(NamedTuple):
    """What one learner of a seat had done in a course by the end of a month. `score`: the mean of their best attempts
    in percent; None without any."""

    learner_id: int
    group: Group
    is_started: bool
    is_completed: bool
    score: float | None


@dataclass(frozen=True)
class DueMonth:
    """A month that is over and not frozen."""

    organisation_id: int
    month: str


def due_months(session: Session, at: datetime) -> list[DueMonth]:
    """The months of every approved organisation that are to be frozen, from the month of its first seat on."""
    first = (
        select(Contract.organisation_id, func.min(EnrolmentGrant.granted_at))
        .join(Seat, Seat.contract_id == Contract.id)
        .join(EnrolmentGrant, _IS_OF_SEAT)
        .join(Organisation, Organisation.id == Contract.organisation_id)
        .where(Organisation.state == "approved")
        .group_by(Contract.organisation_id)
    )
    frozen: defaultdict[int, set[str]] = defaultdict(set)
    rows = select(OrganisationMonth.organisation_id, OrganisationMonth.month).where(OrganisationMonth.cell_key == ALL)
    for organisation_id, month in session.execute(rows):
        frozen[organisation_id].add(month)
    return [
        DueMonth(organisation_id, month)
        for organisation_id, since in session.execute(first.order_by(Contract.organisation_id)).all()
        for month in months_over(since, at)
        if month not in frozen[organisation_id]
    ]


_IS_OF_SEAT = and_(EnrolmentGrant.source == "seat", EnrolmentGrant.source_id == Seat.id)


def end_of(month: str) -> datetime:
    """When a month such as 2026-11 is over."""
    year, number = map(int, month.split("-"))
    return datetime(year + number // 12, number % 12 + 1, 1, tzinfo=UTC)


def freeze(session: Session, due: DueMonth) -> int:
    """Write the rows of a month, with their number. The organisation is locked: one of several processes does it, the
    others find it done."""
    locked = select(Organisation.id).where(Organisation.id == due.organisation_id).with_for_update()
    session.execute(locked)
    is_month = (OrganisationMonth.organisation_id == due.organisation_id, OrganisationMonth.month == due.month)
    if session.scalar(select(OrganisationMonth.id).where(*is_month).limit(1).with_for_update()) is not None:
        return 0
    groups: defaultdict[Group, list[Learnt]] = defaultdict(list)
    for row in _people(session, due):
        groups[row.group].append(row)
    former = _former(session, due)
    rows = [_row(due, group, members, former.pop(group.key, None)) for group, members in groups.items()]
    rows += [_repeated(due, row) for row in former.values()]
    costs = seat_costs(session, due.organisation_id)
    session.add_all([*rows, _row_of_all(due, [row for members in groups.values() for row in members], costs)])
    session.flush()
    return len(rows) + 1


def _people(session: Session, due: DueMonth) -> list[Learnt]:
    """Everybody who had a seat for a course by the end of the month, whoever left since: their work still counts.
    Deleted accounts have no membership."""
    end = end_of(due.month)
    is_named = Contract.shows_names & Membership.shares_progress & Membership.ended_at.is_(None)
    query = (
        select(Enrolment.learner_id, Enrolment.product_id, Enrolment.started_at, Enrolment.completed_at)
        .add_columns(Membership.team, func.max(case((is_named, 1), else_=0)))
        .select_from(Seat)
        .join(Contract, Contract.id == Seat.contract_id)
        .join(EnrolmentGrant, _IS_OF_SEAT)
        .join(Enrolment, Enrolment.id == EnrolmentGrant.enrolment_id)
        .join(
            Membership,
            and_(Membership.learner_id == Enrolment.learner_id, Membership.organisation_id == due.organisation_id),
        )
        .where(Contract.organisation_id == due.organisation_id, EnrolmentGrant.granted_at < end)
        .group_by(Enrolment.id, Enrolment.learner_id, Enrolment.product_id, Enrolment.started_at)
        .group_by(Enrolment.completed_at, Membership.team)
    )
    rows = session.execute(query).all()
    people = [Belonging(row[0], Group(row[1], row[4], bool(row[5]))) for row in rows]
    groups = groups_of(session, due.organisation_id, due.month, people)
    scores = _scores(session, {row[0] for row in rows}, {row[1] for row in rows}, end)
    return [
        Learnt(
            learner_id,
            groups[learner_id, course_id],
            started_at is not None and started_at < end,
            completed_at is not None and completed_at < end,
            scores.get((learner_id, course_id)),
        )
        for learner_id, course_id, started_at, completed_at, *_ in rows
        if (learner_id, course_id) in groups
    ]


def _scores(
    session: Session, learner_ids: set[int], course_ids: set[int], end: datetime
) -> Mapping[tuple[int, int], float]:
    """(learner, course) -> the mean of the best attempts at its quizzes, in percent."""
    query = (
        select(QuizAttempt.learner_id, Lesson.course_id, func.max(QuizAttempt.score))
        .join(Lesson, Lesson.id == QuizAttempt.lesson_id)
        .where(Lesson.course_id.in_(course_ids), QuizAttempt.attempted_at < end)
        .group_by(QuizAttempt.learner_id, Lesson.course_id, QuizAttempt.lesson_id)
    )
    best: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for learner_id, course_id, score in session.execute(query):
        if learner_id in learner_ids:
            best[learner_id, course_id].append(score)
    return {key: sum(values) / len(values) / PER_POINT for key, values in best.items()}


def _former(session: Session, due: DueMonth) -> dict[str, OrganisationMonth]:
    """The groups of the newest month before, by key; none of a month whose groups still held named people, of which the
    row of all people knows no seats."""
    own = (OrganisationMonth.organisation_id == due.organisation_id, OrganisationMonth.month < due.month)
    is_of_all = (OrganisationMonth.cell_key == ALL, OrganisationMonth.seats.is_not(None))
    newest = select(func.max(OrganisationMonth.month)).where(*own, *is_of_all).scalar_subquery()
    query = select(OrganisationMonth).where(*own, OrganisationMonth.month == newest, OrganisationMonth.cell_key != ALL)
    return {row.cell_key: row for row in session.scalars(query)}


def _row(due: DueMonth, group: Group, members: Sequence[Learnt], former: OrganisationMonth | None) -> OrganisationMonth:
    """The figures of a group at the end of a month. For people who are not named no number ever falls, so that a
    deleted account tells nothing about its owner."""
    columns = _columns(members)
    if former is not None and not group.is_named:
        columns |= {name: max(columns[name], getattr(former, name)) for name in ("learners", "started", "completed")}
        if former.scored > columns["scored"]:
            columns |= {"scored": former.scored, "score": former.score}
    if group.is_named:
        # Scores of people whose names are known are not shown, nor in a mean.
        columns |= {"scored": 0, "score": 0}
    of_group = {"product_id": group.course_id, "team": group.team, "is_named": group.is_named, "cell_key": group.key}
    return OrganisationMonth(organisation_id=due.organisation_id, month=due.month, **of_group, **columns)


def _repeated(due: DueMonth, former: OrganisationMonth) -> OrganisationMonth:
    """A group in which nobody is left. Of named people nothing is repeated: they do not agree any more."""
    names = ("learners", "started", "completed", "scored", "score")
    columns = {name: 0 if former.is_named else getattr(former, name) for name in names}
    about = {name: getattr(former, name) for name in ("product_id", "team", "is_named", "cell_key")}
    return OrganisationMonth(organisation_id=due.organisation_id, month=due.month, **about, **columns)


def _row_of_all(due: DueMonth, people: Sequence[Learnt], costs: SeatCosts) -> OrganisationMonth:
    """Everybody, each once, and the seats; that it is there says that the month is frozen."""
    by_learner: dict[int, Learnt] = {}
    for row in people:
        known = by_learner.get(row.learner_id, row)
        by_learner[row.learner_id] = row._replace(
            is_started=row.is_started or known.is_started, is_completed=row.is_completed or known.is_completed
        )
    columns = _columns(list(by_learner.values()))
    about = {"organisation_id": due.organisation_id, "month": due.month, "cell_key": ALL}
    return OrganisationMonth(**about, **columns, **costs._asdict())


def _columns(members: Sequence[Learnt]) -> dict[str, int]:
    scores = [row.score for row in members if row.score is not None]
    return {
        "learners": len(members),
        "started": sum(row.is_started for row in members),
        "completed": sum(row.is_completed for row in members),
        "scored": len(scores),
        "score": round(sum(scores)),
    }
