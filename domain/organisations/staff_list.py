"""Organisations and their people as staff see them."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, or_, select

from domain.database.list_page import ListSource
from domain.organisations.members import MemberRow
from domain.tables import Contract, Learner, Membership, Organisation

_organisations, _members = Organisation.__table__.c, Membership.__table__.c
_OF_MEMBER = Learner.id == _members.learner_id


class OrganisationRow(NamedTuple):
    """`people`: who belongs to it now."""

    id: int
    name: str
    slug: str
    state: str
    applied_at: datetime | None
    people: int
    contracts: int


# States of applications that wait for a decision.
UNDECIDED = ("submitted", "information")
# Few enough that a search reads them all.
ORGANISATIONS = ListSource(
    rows=select(
        *(_organisations.id, _organisations.name, _organisations.slug, _organisations.state, _organisations.applied_at),
        select(func.count(Membership.id))
        .where(Membership.organisation_id == _organisations.id, Membership.ended_at.is_(None))
        .scalar_subquery(),
        select(func.count(Contract.id)).where(Contract.organisation_id == _organisations.id).scalar_subquery(),
    ),
    make=OrganisationRow._make,
    key=_organisations.id,
    filters={
        "q": lambda text: or_(
            _organisations.name.contains(text, autoescape=True), _organisations.slug == text.casefold()
        ),
        "state": lambda state: (
            _organisations.state.in_(UNDECIDED) if state == "undecided" else _organisations.state == state
        ),
    },
)

# People of one organisation: the loader adds the condition.
PEOPLE = ListSource(
    rows=select(
        *(_members.id, _members.learner_id),
        select(Learner.name).where(_OF_MEMBER).scalar_subquery(),
        select(Learner.email).where(_OF_MEMBER).scalar_subquery(),
        *(_members.team, _members.role, _members.shares_progress, _members.is_restricted, _members.joined_at),
    ).where(_members.ended_at.is_(None)),
    make=MemberRow._make,
    key=_members.id,
    filters={"role": _members.role.__eq__},
)


def is_in(organisation_id: int) -> ColumnElement[bool]:
    """The condition that PEOPLE is read with."""
    return _members.organisation_id == organisation_id
