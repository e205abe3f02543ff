"""Calls about the record of what staff change."""

import asyncio

from aiohttp import web
from pydantic import BaseModel

from domain.audit import checks, verification
from domain.audit.verification import Verification
from domain.permissions import Permission
from host.api.fields import EmptyRequest
from host.api.registry import call
from host.app_keys import DATABASE
from host.http import request_keys

# One read, well within the database's deadline.
SLICE = 2_000
# The call's own deadline is 10 s.
MAX_WAIT_S = 6.0


class CheckedChain(BaseModel):
    """`checked`: number of the last event that is as it was recorded. `wrong`: number of the first that is not.
    `last`: number of the last event; when it is larger than `checked` and nothing is wrong, time was over."""

    checked: int
    wrong: int | None
    last: int


@call("admin/audit/verify", EmptyRequest, CheckedChain, permission=Permission.AUDIT_READ)
async def verify(request: web.Request, _body: EmptyRequest) -> CheckedChain:
    """Check the chain of events for six seconds at most: from the first one on, or from where the check before was cut
    off. The result is recorded."""
    db, loop = request.app[DATABASE], asyncio.get_running_loop()
    until = loop.time() + MAX_WAIT_S
    result = await db.read(verification.verify, await db.read(checks.unchecked_since), SLICE)
    while result.wrong is None and not result.is_complete and loop.time() < until:
        result = await db.read(verification.verify, result.checked, SLICE)
    await db.write_as(request[request_keys.ACTOR], checks.record_check, result)
    return _checked(result)


def _checked(result: Verification) -> CheckedChain:
    return CheckedChain(checked=result.checked, wrong=result.wrong, last=result.last)
