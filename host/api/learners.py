"""getUsername: who invited somebody, as much of the name as anybody may know."""

from typing import Literal

from aiohttp import web
from pydantic import BaseModel

from domain import learners
from host import keys, sessions, throttles
from host.calls import call
from host.calls.cart import LIMITED
from host.calls.forms import Strict, Text64


class StudentNumber(Strict):
    Stunum: Text64


class Username(BaseModel):
    """First name and initial; "" for a number that nobody has."""

    Status: Literal["success"]
    Username: str


@call("getUsername", StudentNumber, Username, refusals=LIMITED)
async def username(request: web.Request, body: StudentNumber) -> Username:
    """First name and initial of the learner with this number; unknown numbers answer alike, with an empty name."""
    await throttles.name_call(request, await sessions.optional(request))
    name = await request.app[keys.DATABASE].glance(learners.masked_name, body.Stunum)
    if not name:
        await throttles.name_miss(request)
    return Username(Status="success", Username=name)
