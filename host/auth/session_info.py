"""The session on the wire: the answer of GET /api/auth/session, and part of every private page."""

from datetime import datetime
from typing import cast

from typing_extensions import TypedDict

from domain.account.current_session import CurrentSession
from domain.identity.own_memberships import OwnOrganisation
from domain.permissions import Area


class CurrentLearner(TypedDict):
    """`roles` are those of the database now; `isRestricted`: the learner sees only what their contract names."""

    id: int
    email: str
    name: str
    area: Area
    roles: list[str]
    isRestricted: bool
    studentNumber: str


class OrganisationRef(TypedDict):
    slug: str
    name: str


class SessionInfo(TypedDict):
    """`now`: the server's time. `areas`: those that the learner may sign in to. `organisation`: the one that was chosen
    in the area of organisations. `owned`: ids of products."""

    learner: CurrentLearner
    expiresAt: datetime
    now: datetime
    areas: list[Area]
    organisations: list[OrganisationRef]
    organisation: OrganisationRef | None
    owned: list[int]


def session_info(current: CurrentSession) -> SessionInfo:
    return {
        "learner": {
            "id": current.auth.learner_id,
            "email": current.email,
            "name": current.name,
            "area": cast("Area", current.auth.area),
            "roles": list(current.roles),
            "isRestricted": current.is_restricted,
            "studentNumber": current.student_number,
        },
        "expiresAt": current.auth.expires_at,
        "now": current.at,
        "areas": list(current.areas),
        "organisations": [_reference(own) for own in current.organisations],
        "organisation": None if current.organisation is None else _reference(current.organisation),
        "owned": list(current.owned),
    }


def _reference(own: OwnOrganisation) -> OrganisationRef:
    return {"slug": own.slug, "name": own.name}
