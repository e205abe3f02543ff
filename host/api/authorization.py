"""Who may make a call: declared where it is registered, checked before its body is read."""

import re
from dataclasses import dataclass
from typing import Literal, TypedDict

from aiohttp import web

from domain.permissions import Area, Permission, roles_with
from host.auth import area_access, sessions
from host.http import csrf, request_keys
from host.http.problems import Problem
from host.rate_limits import policies

Caller = Literal["anyone", "learner"]
IDEMPOTENCY_HEADER = "Idempotency-Key"
# Visible ASCII: long enough for a random UUID or a signed key, and never a header of any size.
IDEMPOTENCY_KEY = "[!-~]{16,100}"
# Calls in these folders belong to their area.
_FOLDERS: dict[str, Area] = {"host.api.admin": "admin", "host.api.organisation": "organisation"}


class UndeclaredCall(TypeError):
    """A call does not say who may make it; raised on import."""

    def __init__(self, name: str, reason: str):
        super().__init__(f"the call {name} {reason}")


class PolicyOptions(TypedDict, total=False):
    """What a call declares: `caller`, or `area` and `permission`; how old the sign-in may be, and whether it changes
    money. `no_sign_in`: the text of its 401 when nobody is signed in."""

    caller: Caller
    no_sign_in: str
    area: Area
    permission: Permission
    max_auth_age_s: int
    is_idempotent: bool


@dataclass(frozen=True)
class CallPolicy:
    """Who may make a call. `permission`: the session must be of `area` and one of its person's roles must have it.
    `max_auth_age_s`: they must have proved who they are that many seconds ago at most. `is_idempotent`: the call
    changes money and requires the header Idempotency-Key."""

    caller: Caller
    area: Area | None = None
    permission: Permission | None = None
    max_auth_age_s: int | None = None
    is_idempotent: bool = False
    no_sign_in: str = sessions.NO_SIGN_IN

    @property
    def refusals(self) -> set[int]:
        """Statuses of what `authorize` refuses, besides those of every call."""
        statuses = {401, 503} if self.caller == "learner" else set()
        return statuses | ({403, 429} if self.permission else set()) | ({400} if self.is_idempotent else set())


def declared_policy(name: str, module: str, options: PolicyOptions) -> CallPolicy:
    """The policy of a call in `module`: either `caller`, or `permission` with its `area`, which is that of the folder
    where calls belong to one. Raises UndeclaredCall."""
    caller, permission = options.get("caller"), options.get("permission")
    of_folder = next((value for folder, value in _FOLDERS.items() if f"{module}.".startswith(f"{folder}.")), None)
    area = options.get("area", of_folder if permission else None)
    if (area is None) != (permission is None):
        raise UndeclaredCall(name, "needs both an area and a permission")
    if (caller is None) == (area is None):
        raise UndeclaredCall(name, 'must declare its caller ("anyone" or "learner"), or else its area and permission')
    if of_folder not in (None, area):
        raise UndeclaredCall(name, f"is in a folder of the area {of_folder} and must declare a permission of it")
    if area is not None and permission is not None and not roles_with(area, permission):
        raise UndeclaredCall(name, f"requires {permission}, which no role of the area {area} has")
    max_auth_age_s = options.get("max_auth_age_s")
    if max_auth_age_s is not None and area is None:
        raise UndeclaredCall(name, "has max_auth_age_s, which only calls of an area may have")
    return CallPolicy(
        caller or "learner",
        area,
        permission,
        max_auth_age_s,
        is_idempotent=options.get("is_idempotent", False),
        no_sign_in=options.get("no_sign_in", sessions.NO_SIGN_IN),
    )


async def authorize(request: web.Request, policy: CallPolicy) -> None:
    """Check origin, session, the limits of an area, its permission, the age of the sign-in, and the idempotency key, in
    this order, and attach session, actor and key to the request. Raises Problem 403, 401, RateLimited, Problem 403,
    403, 400; ServiceUnavailable while the database does not answer in time."""
    if request.method not in ("GET", "HEAD"):
        csrf.require_same_origin(request)
    if policy.caller == "learner":
        request[request_keys.AUTH_SESSION] = auth = await sessions.require_session(request, policy.no_sign_in)
        if policy.area is not None and policy.permission is not None:
            await policies.limit_area_call(request, auth)
            actor = await area_access.require_permission(request, auth, policy.area, policy.permission)
            request[request_keys.ACTOR] = actor
        if policy.max_auth_age_s is not None:
            await area_access.require_recent_sign_in(request, auth, policy.max_auth_age_s)
    if policy.is_idempotent:
        request[request_keys.IDEMPOTENCY_KEY] = _idempotency_key(request)


def _idempotency_key(request: web.Request) -> str:
    keys = request.headers.getall(IDEMPOTENCY_HEADER, [])
    if len(keys) != 1 or not re.fullmatch(IDEMPOTENCY_KEY, keys[0]):
        raise Problem(400, f"Send one header {IDEMPOTENCY_HEADER} of 16 to 100 visible ASCII characters.")
    return keys[0]
