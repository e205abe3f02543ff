"""Who may do what: roles are names for sets of permissions, and this is the one table of both."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Literal, get_args

from domain.errors import Refused

Area = Literal["learner", "organisation", "admin"]
AREAS: tuple[Area, ...] = get_args(Area)


class Permission(StrEnum):
    """What a call or a page may require. Some roles have a permission within a limit, which the rule that acts
    enforces: a marketer's coupon percentage, an editor's prices of drafts, support's refunds."""

    CATALOGUE_READ = "catalogue.read"
    CATALOGUE_WRITE = "catalogue.write"
    CATALOGUE_PUBLISH = "catalogue.publish"
    # To choose many courses or items for one change, which needs the permission of what is done with them besides.
    CATALOGUE_BULK = "catalogue.bulk"
    # To end access to a course for everybody.
    CATALOGUE_CLOSE = "catalogue.close"
    SEARCHES_READ = "searches.read"
    CONTENT_WRITE = "content.write"
    IMPORTS_RUN = "imports.run"
    PRICES_WRITE = "prices.write"
    COUPONS_READ = "coupons.read"
    COUPONS_WRITE = "coupons.write"
    REPORTS_READ = "reports.read"
    ORDERS_READ = "orders.read"
    # What becomes of an order beside its money: goods are sent, codes are used, an unpaid order is cancelled.
    ORDERS_WRITE = "orders.write"
    REFUNDS_WRITE = "refunds.write"
    # Statements of the bank, and the orders that their entries pay.
    PAYMENTS_WRITE = "payments.write"
    LEARNERS_READ = "learners.read"
    LEARNERS_WRITE = "learners.write"
    LEARNERS_ERASE = "learners.erase"
    MESSAGES_WRITE = "messages.write"
    MAIL_READ = "mail.read"
    MAIL_REPLAY = "mail.replay"
    REVIEWS_MODERATE = "reviews.moderate"
    CERTIFICATES_REVOKE = "certificates.revoke"
    ORGANISATIONS_READ = "organisations.read"
    ORGANISATIONS_DECIDE = "organisations.decide"
    CONTRACTS_WRITE = "contracts.write"
    STAFF_WRITE = "staff.write"
    AUDIT_READ = "audit.read"
    HEALTH_READ = "health.read"
    # For an organisation's own people.
    MEMBERS_WRITE = "members.write"
    SEATS_WRITE = "seats.write"
    TEAM_REPORTS_READ = "team_reports.read"
    PURCHASES_READ = "purchases.read"
    PURCHASES_WRITE = "purchases.write"
    PROFILE_WRITE = "profile.write"
    OWNERSHIP_WRITE = "ownership.write"


P = Permission
Role = str
# An owner of an organisation that is not approved: opens the page of their application alone.
APPLICANT: Role = "applicant"
_READ_CATALOGUE = {P.CATALOGUE_READ, P.SEARCHES_READ}
_MANAGE = {P.MEMBERS_WRITE, P.SEATS_WRITE, P.TEAM_REPORTS_READ, P.PURCHASES_READ}
_OWN = {P.PROFILE_WRITE, P.PURCHASES_WRITE, P.OWNERSHIP_WRITE}

# Area -> role -> permissions. Every learner may enter the area "learner", where calls need a session alone.
ROLES: Mapping[Area, Mapping[Role, frozenset[Permission]]] = {
    "learner": {},
    "organisation": {
        "member": frozenset(),
        "manager": frozenset(_MANAGE),
        "owner": frozenset(_MANAGE | _OWN),
    },
    "admin": {
        "marketer": frozenset({*_READ_CATALOGUE, P.COUPONS_READ, P.COUPONS_WRITE, P.REPORTS_READ}),
        "support": frozenset(
            {
                *_READ_CATALOGUE,
                *(P.COUPONS_READ, P.ORDERS_READ, P.ORDERS_WRITE, P.REFUNDS_WRITE),
                *(P.LEARNERS_READ, P.LEARNERS_WRITE, P.MESSAGES_WRITE, P.MAIL_READ),
                *(P.REVIEWS_MODERATE, P.CERTIFICATES_REVOKE, P.ORGANISATIONS_READ, P.HEALTH_READ),
            }
        ),
        "editor": frozenset(
            {
                *_READ_CATALOGUE,
                *(P.CATALOGUE_WRITE, P.CATALOGUE_PUBLISH, P.CATALOGUE_BULK, P.CONTENT_WRITE, P.IMPORTS_RUN),
                *(P.REVIEWS_MODERATE, P.HEALTH_READ),
            }
        ),
        "finance": frozenset(
            {
                *_READ_CATALOGUE,
                *(P.PRICES_WRITE, P.CATALOGUE_BULK, P.COUPONS_READ, P.REPORTS_READ),
                *(P.ORDERS_READ, P.ORDERS_WRITE, P.REFUNDS_WRITE, P.PAYMENTS_WRITE),
                *(P.ORGANISATIONS_READ, P.CONTRACTS_WRITE, P.HEALTH_READ),
            }
        ),
        "administrator": frozenset(Permission) - _MANAGE - _OWN,
    },
}


@dataclass(frozen=True)
class Tenant:
    """The organisation of a session, never of a request. Functions for organisations take it instead of an id, and
    filter by it within the query."""

    organisation_id: int


@dataclass(frozen=True)
class Actor:
    """Who makes a call of an area, or opens one of its pages: their roles are those of the database at that moment.

    `at` is the time of the request. `organisation_id`: the one that they have chosen, of the area "organisation".
    `ip_network`: the network of their address, "" when it is not known.
    """

    learner_id: int
    area: Area
    roles: tuple[Role, ...]
    request_id: str
    at: datetime
    organisation_id: int | None = None
    ip_network: str = ""

    @property
    def tenant(self) -> Tenant:
        """The organisation of a call or page of the area "organisation", whose guard lets nobody in who has not chosen
        one."""
        if self.organisation_id is None:
            raise LookupError("this session has no organisation")
        return Tenant(self.organisation_id)


@dataclass(frozen=True)
class SystemActor:
    """Nobody in particular: a command, or work that begins by itself."""

    area: Literal["command", "system"]
    at: datetime
    learner_id: None = None
    roles: tuple[Role, ...] = ()
    request_id: str = ""
    organisation_id: None = None
    ip_network: str = ""


def permissions_of(area: Area, roles: Collection[Role]) -> frozenset[Permission]:
    """What these roles allow in an area; roles of another area allow nothing in it."""
    return frozenset().union(*(ROLES[area].get(role, frozenset()) for role in roles))


def roles_with(area: Area, permission: Permission) -> list[Role]:
    """The roles that have a permission in an area: for refusals, which name them."""
    return [role for role, permissions in ROLES[area].items() if permission in permissions]


class MissingPermission(Refused):
    """Whoever acts does not have the permission that this needs."""

    def __init__(self, area: Area, permission: Permission):
        names = ", ".join(roles_with(area, permission))
        super().__init__(f"This needs the permission {permission}, which these roles have: {names}.")
        self.permission = permission


def may_enter(area: Area, roles: Collection[Role]) -> bool:
    """Whether someone with these roles may sign in to an area. Applicants may enter that of organisations, where the
    page of their application is all that opens."""
    is_applicant = area == "organisation" and APPLICANT in roles
    return area == "learner" or is_applicant or bool(permissions_of(area, roles))


@lru_cache(1_000)
def open_areas(roles: tuple[Role, ...]) -> tuple[Area, ...]:
    """The areas that someone with these roles may sign in to: asked for every page of a learner."""
    return tuple(area for area in AREAS if may_enter(area, roles))
