"""The organisations that a person belongs to now, read once for all that depends on them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect
from domain.permissions import Role
from domain.tables import Membership, Organisation


@dataclass(frozen=True)
class OwnOrganisation:
    """An approved organisation that a person belongs to. `logo`: a path on this site."""

    id: int
    slug: str
    name: str
    logo: str


class OwnMembership(NamedTuple):
    """`logo`: a path on this site. `state`: of the organisation. `is_restricted`: the person sees only what its
    contracts name."""

    organisation_id: int
    slug: str
    name: str
    logo: str
    state: str
    role: Role
    is_restricted: bool


_members, _organisations = Membership.__table__.c, Organisation.__table__.c
_MEMBERSHIPS = PreparedSelect(
    select(
        *(_organisations[name] for name in ("id", "slug", "name", "logo", "state")),
        *(_members[name] for name in ("role", "is_restricted")),
    )
    .join(Membership.__table__, _members.organisation_id == _organisations.id)
    .where(_members.learner_id == bindparam("learner"), _members.ended_at.is_(None))
    .order_by(_members.id),
    OwnMembership._make,
)


def own_memberships(session: Session, learner_id: int) -> list[OwnMembership]:
    """The oldest first, also of organisations that are not approved."""
    return _MEMBERSHIPS.all(session, learner=learner_id)


def approved(memberships: Iterable[OwnMembership]) -> list[OwnMembership]:
    """The memberships in approved organisations: only these give something."""
    return [own for own in memberships if own.state == "approved"]
