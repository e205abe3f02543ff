"""getUsername: the public part of the name of the learner who referred a visitor."""

from typing import Literal

from aiohttp import web
from pydantic import BaseModel

from domain.identity import learners
from host.api.cart import LIMITED
from host.api.fields import Strict, Text64
from host.api.registry import call
from host.app_keys import DATABASE
from host.auth import sessions
from host.rate_limits import policies


class StudentNumber(Strict):
    Stunum: Text64


class Username(BaseModel):
    """First name and initial; "" for an unknown number."""

    Status: Literal["success"]
    Username: str


@call("getUsername", StudentNumber, Username, caller="anyone", refusals=LIMITED)
async def username(request: web.Request, body: StudentNumber) -> Username:
    """Return first name and initial of the learner with this number; an empty name for unknown numbers."""
    await policies.limit_username_lookup(request, await sessions.current_session(request))
    name = await request.app[DATABASE].read_inline(learners.public_name, body.Stunum)
    if not name:
        await policies.count_username_miss(request)
    return Username(Status="success", Username=name)
