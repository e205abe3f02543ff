"""The call that chooses the organisation of a session; every other call of an organisation reads it from there."""

from typing import Annotated

from aiohttp import web
from pydantic import Field

from domain.identity import choosing
from host.api.fields import Strict
from host.api.registry import call
from host.app_keys import DATABASE
from host.auth import area_access
from host.auth.session_info import OrganisationRef
from host.http import request_keys
from host.http.problems import Problem
from host.rate_limits import policies


class OrganisationChoice(Strict):
    slug: Annotated[str, Field(min_length=1, max_length=191)]


@call("organization/enter", OrganisationChoice, OrganisationRef, caller="learner", refusals=(404, 429))
async def enter(request: web.Request, body: OrganisationChoice) -> OrganisationRef:
    """Choose one of one's own organisations to work for in this session. 403 for a session of another area, 404 for
    every organisation that one does not manage."""
    auth = request[request_keys.AUTH_SESSION]
    if auth.area != "organisation":
        raise Problem(403, "Sign in to the area organisation for this.")
    await policies.limit_area_call(request, auth)
    actor = area_access.actor_of(request, auth, "organisation", ())
    own = await request.app[DATABASE].write_as(actor, choosing.enter, auth, body.slug)
    return {"slug": own.slug, "name": own.name}
