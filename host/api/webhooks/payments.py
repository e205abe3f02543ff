"""POST /webhooks/payments: the payment gateway reports that something has changed.

An event is verified, stored and answered; what it names is retrieved afterwards (docs/contracts.md). 200: stored, now
or before, or of a kind that does not matter. 400: not signed by the gateway, or too far from our clock. 503: try again.
"""

import asyncio
import logging
from datetime import UTC, datetime
from http import HTTPStatus

from aiohttp import ClientPayloadError, web

from contracts.tasks import Topic
from domain import fault_points
from domain.payments.gateway import EventRefused
from host.app_keys import SETTINGS
from host.http.problems import Problem
from host.messaging.gateway_event_queue import GATEWAY_EVENT_QUEUE
from host.messaging.outbox_wake import OUTBOX_WAKER
from host.messaging.payment_gateway import HOST_GATEWAY
from host.rate_limits import policies

log = logging.getLogger("coursefront.webhooks")

PATH = "/webhooks/payments"
MAX_BODY_BYTES = 256 * 1024
SIGNATURE = "Stripe-Signature"


async def receive(request: web.Request) -> web.Response:
    """Raises Problem 400, 408 or 413, RateLimited for many refused events of an address, and ServiceUnavailable."""
    gateway, at = request.app[HOST_GATEWAY], datetime.now(UTC)
    body = await _read(request)
    try:
        event = await gateway.verify_event(body, request.headers.get(SIGNATURE), at)
    except EventRefused as refusal:
        gateway.events_refused += 1
        log.warning("an event was refused: %s", refusal)
        await policies.limit(request, "webhooks_refused_per_address_minute")
        raise Problem(HTTPStatus.BAD_REQUEST, "This is not an event of the payment gateway.") from None
    fault_points.hit("event.verified")
    if event.session is not None:
        await request.app[GATEWAY_EVENT_QUEUE].store(event)
        fault_points.hit("event.stored")
        request.app[OUTBOX_WAKER].wake(Topic.PAYMENTS)
    gateway.events_accepted += 1
    return web.Response(headers={"Cache-Control": "no-store"})


async def _read(request: web.Request) -> bytes:
    """The raw body, which is what was signed."""
    body = bytearray()
    try:
        async with asyncio.timeout(request.app[SETTINGS].call_deadline_ms / 1000):
            async for part in request.content.iter_any():
                body += part
                if len(body) > MAX_BODY_BYTES:
                    text = f"The body must not exceed {MAX_BODY_BYTES} bytes."
                    raise Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, text, headers={"Connection": "close"})
    except TimeoutError:
        text = "The body did not arrive in time."
        raise Problem(HTTPStatus.REQUEST_TIMEOUT, text, headers={"Connection": "close"}) from None
    except (web.RequestPayloadError, ClientPayloadError):
        raise Problem(HTTPStatus.BAD_REQUEST, "The body is malformed.") from None
    return bytes(body)
