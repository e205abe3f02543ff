"""Faults of the connection: what happens to a request or an answer on its way."""

import asyncio

from aiohttp import web

from standins.payments.faults import TakenFault

# A client that hangs up ends the wait for it.
HANG_S, LOOK_EVERY_S = 600.0, 0.05
DRIBBLE_PARTS = 100


async def before(request: web.Request, fault: TakenFault) -> bool:
    """What comes before the request is carried out. False: it is not carried out at all."""
    if fault.do == "delay":
        await asyncio.sleep(fault.seconds)
    if fault.do == "drop":
        hang_up(request)
        return False
    return True


def hang_up(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()


async def after(request: web.Request, response: web.Response, fault: TakenFault) -> web.StreamResponse:
    """The answer with its fault."""
    if fault.do == "hang":
        await _wait_for_hang_up(request)
    if fault.do == "dribble":
        return await _dribble(request, response, fault.seconds)
    if fault.do == "bad-json" and isinstance(response.body, bytes):
        response.body = response.body[: len(response.body) // 2]
    return response


async def _wait_for_hang_up(request: web.Request) -> None:
    try:
        async with asyncio.timeout(HANG_S):
            # aiohttp has no event for the end of a connection.
            while request.transport is not None and not request.transport.is_closing():  # noqa: ASYNC110 see above
                await asyncio.sleep(LOOK_EVERY_S)
    except TimeoutError:
        hang_up(request)


async def _dribble(request: web.Request, response: web.Response, seconds: float) -> web.StreamResponse:
    """Sends the body in small parts over a time."""
    body = response.body if isinstance(response.body, bytes) else b""
    slow = web.StreamResponse(status=response.status, headers=response.headers)
    slow.content_length = len(body)
    await slow.prepare(request)
    size = max(len(body) // DRIBBLE_PARTS, 1)
    for at in range(0, len(body), size):
        await slow.write(body[at : at + size])
        await asyncio.sleep(seconds / DRIBBLE_PARTS)
    return slow
