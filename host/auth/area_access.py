"""What a signed-in person may do in an area: their roles are read from the database each time."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from typing import cast
from urllib.parse import urlencode

from aiohttp import web

from config.settings import Settings
from domain.account.current_session import CurrentSession
from domain.audit import refusals
from domain.audit.recording import Subject
from domain.identity.roles import area_roles
from domain.identity.sessions import AuthSession
from domain.permissions import APPLICANT, Actor, Area, MissingPermission, Permission, Role, permissions_of
from domain.routes import match_route
from domain.visits.visits import anonymise_ip
from host.app_keys import DATABASE, SETTINGS
from host.auth.area_guard import APPLICATION_PATH
from host.http import request_keys
from host.http.client_ip import client_ip
from host.http.problems import Problem

# The length of the column.
MAX_SUBJECT_LENGTH = 64
NO_ORGANISATION = "Choose the organisation first that you want to work for."
_LEARNER_HOME = "/user-dashboard"
# The first page, in this order, of staff with several roles.
_STAFF_HOMES: tuple[tuple[Role, str], ...] = (
    ("administrator", "/admin"),
    ("finance", "/admin/orders"),
    ("support", "/admin/orders"),
    ("editor", "/admin/courses"),
    ("marketer", "/admin/visits"),
    ("marketer", "/admin/coupons"),
)


async def require_permission(request: web.Request, auth: AuthSession, area: Area, permission: Permission) -> Actor:
    """The person as an actor of the area. Raises Problem 403 for a session of another area, one that has not chosen its
    organisation, and without the permission; ServiceUnavailable while the database does not answer in time. Refusals
    are recorded, but for a choice that is still to be made."""
    db = request.app[DATABASE]
    if auth.area != area:
        stranger = actor_of(request, auth, cast("Area", auth.area), await db.read(area_roles, auth))
        await _record_refusal(request, stranger, {"area": area})
        raise Problem(403, f"Sign in to the area {area} for this.")
    if area == "organisation" and auth.organisation_id is None:
        raise Problem(403, NO_ORGANISATION)
    actor = actor_of(request, auth, area, await db.read(area_roles, auth))
    if permission not in permissions_of(area, actor.roles):
        missing = MissingPermission(area, permission)
        await record_missing(request, actor, missing)
        raise Problem(403, str(missing))
    return actor


async def record_missing(request: web.Request, actor: Actor, missing: MissingPermission) -> None:
    await _record_refusal(request, actor, {"permission": str(missing.permission)})


async def _record_refusal(request: web.Request, actor: Actor, lack: Mapping[str, str]) -> None:
    name = request.match_info.get("name") or request.path.removeprefix("/api/")
    subject = Subject("call", f"{request.method} {name}"[:MAX_SUBJECT_LENGTH])
    await request.app[DATABASE].write_as(actor, refusals.record_refusal, "call.refuse", subject, lack, actor)


def page_actor(request: web.Request, session: CurrentSession) -> Actor:
    """Whoever opens a page of the area of their session."""
    return actor_of(request, session.auth, cast("Area", session.auth.area), session.area_roles)


def actor_of(request: web.Request, auth: AuthSession, area: Area, roles: tuple[Role, ...]) -> Actor:
    return Actor(
        auth.learner_id,
        area,
        roles,
        request_id=request[request_keys.REQUEST_ID],
        at=datetime.now(UTC),
        organisation_id=auth.organisation_id,
        ip_network=anonymise_ip(client_ip(request)),
    )


async def require_recent_sign_in(request: web.Request, auth: AuthSession, max_age_s: int) -> None:
    """Raises Problem 403, which makes the browser ask for a new sign-in, when the last one is older than that. In an
    area the refusal is recorded."""
    if not is_recent(auth, datetime.now(UTC), max_age_s):
        if actor := request.get(request_keys.ACTOR):
            await _record_refusal(request, actor, {"sign_in": f"of the last {max_age_s} s"})
        acr_values = _acr_values(request.app[SETTINGS], auth)
        raise Problem(403, "insufficient_authentication_context", maxAge=max_age_s, acrValues=acr_values)


def is_recent(auth: AuthSession, at: datetime, max_age_s: int) -> bool:
    """Whether the person of a session proved who they are within so many seconds."""
    return at - auth.authenticated_at <= timedelta(seconds=max_age_s)


def sign_in_again_href(settings: Settings, auth: AuthSession, return_to: str, max_age_s: int) -> str:
    """Where somebody of an area signs in again, and comes back."""
    acr_values = _acr_values(settings, auth)
    query = {"returnTo": return_to, "area": auth.area, "maxAge": str(max_age_s)}
    return f"/api/auth/start?{urlencode({**query, **({'acrValues': acr_values} if acr_values else {})})}"


def _acr_values(settings: Settings, auth: AuthSession) -> str | None:
    """Staff keep their second factor."""
    needs_acr = auth.area == "admin" and settings.requires_second_factor and settings.second_factor_acr
    return settings.second_factor_acr if needs_acr else None


def home_of(area: Area, roles: Collection[Role], *, owns_something: bool = False) -> str:
    """The first page after a sign-in that leads to no other: the first that fits the roles and is built; for a learner
    who owns something, what they own."""
    if area == "learner":
        return _LEARNER_HOME if owns_something else "/"
    if area == "admin":
        homes = [path for role, path in _STAFF_HOMES if role in roles and _is_served(path)]
        return homes[0] if homes else "/admin"
    if area == "organisation" and APPLICANT in roles:
        return APPLICATION_PATH
    home = "/organization" if roles else "/organization/choose"
    return home if area == "organisation" and _is_served(home) else "/"


def _is_served(path: str) -> bool:
    match = match_route(path)
    return match is not None and match.page.served
