"""What a signed-in person may do in an area: their roles are read from the database each time."""

from aiohttp import web

from domain.identity.roles import roles_of
from domain.identity.sessions import AuthSession
from domain.permissions import Actor, Area, Permission, permissions_of, roles_with
from host.app_keys import DATABASE
from host.http import request_keys
from host.http.problems import Problem


async def require_permission(request: web.Request, auth: AuthSession, area: Area, permission: Permission) -> Actor:
    """The person as an actor of the area. Raises Problem 403 for a session of another area and without the permission,
    ServiceUnavailable while the database does not answer in time."""
    if auth.area != area:
        raise Problem(403, f"Sign in to the area {area} for this.")
    roles = await request.app[DATABASE].read(roles_of, auth.learner_id)
    if permission not in permissions_of(area, roles):
        names = ", ".join(roles_with(area, permission))
        raise Problem(403, f"This needs the permission {permission}, which these roles have: {names}.")
    return Actor(auth.learner_id, area, roles, request[request_keys.REQUEST_ID])
