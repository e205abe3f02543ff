"""The answer of calls that staff make from the page of one thing."""

from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field

from domain.permissions import Actor
from host.http import request_keys

Reason = Annotated[str, Field(max_length=500)]


class StaffOutcome(BaseModel):
    """`text`: what was done, in words. `href`: the page after it, null: none in particular."""

    text: str
    href: str | None = None


def target(request: web.Request) -> tuple[int, Actor, datetime]:
    """The number in the path, who acts, and when."""
    return request[request_keys.PATH_ID], request[request_keys.ACTOR], datetime.now(UTC)
