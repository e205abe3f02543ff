"""Errors of the gateway's SDK and of its connections as the two errors of the port."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING

from domain.payments.gateway import GatewayBroken, GatewayDown, GatewayError, GatewayRefused, GatewayUnavailable

if TYPE_CHECKING:
    from stripe import StripeError

log = logging.getLogger("coursefront.payments")

# The request is wrong, or what it asks for is impossible: repeating it changes nothing.
FINAL = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.PAYMENT_REQUIRED, HTTPStatus.NOT_FOUND})
# Our key or its rights are wrong: until somebody has corrected them, no payment is to fail for good.
OUR_MISTAKES = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})


@asynccontextmanager
async def as_port_errors(call: str, deadline_s: float) -> AsyncIterator[None]:
    """What the block raises becomes GatewayUnavailable (GatewayDown at its deadline) or GatewayRefused. Their texts
    name the call, the gateway's code and its request id: a message of the gateway may quote what we sent."""
    from stripe import StripeError

    try:
        async with asyncio.timeout(deadline_s):
            yield
    except GatewayError:
        raise
    except StripeError as error:
        raise port_error(call, error) from error
    except TimeoutError as error:
        raise GatewayDown(f"{call}: no answer within {deadline_s:g} s") from error
    except OSError as error:
        raise GatewayDown(f"{call}: {type(error).__name__}") from error
    except Exception as error:
        # A body that is no JSON, a connection that breaks inside a body, a field that is missing: all of them raise
        # errors of their own, of this library and of those below it.
        log.warning("%s: a response of the gateway is unreadable", call, exc_info=error)
        raise GatewayUnavailable(f"{call}: an unreadable response ({type(error).__name__})") from error


def port_error(call: str, error: "StripeError") -> GatewayError:
    status = error.http_status
    # Without a status there was no answer, and the name of the error is all that may be said.
    told = str(status) if status else f"no answer ({type(error).__name__})"
    text = " ".join(part for part in (f"{call}:", told, error.code or "", error.request_id or "") if part)
    if status in OUR_MISTAKES:
        log.error("the payment gateway refuses our key (PAYMENTS_KEY): %s", text)
    # A refusal says so in its body: one that is broken off may be anybody's.
    is_final = status in FINAL and error.error is not None and not is_rate_limit(error)
    if is_final:
        return GatewayRefused(text)
    if not status or status in OUR_MISTAKES:
        return GatewayDown(text)
    return GatewayBroken(text) if status >= HTTPStatus.INTERNAL_SERVER_ERROR else GatewayUnavailable(text)


def is_rate_limit(error: "StripeError") -> bool:
    """Formerly answered with 400."""
    return error.code == "rate_limit"


def is_stored(error: "StripeError") -> bool:
    """An error of the gateway itself that it stored with the idempotency key: it answers the same for a day."""
    is_replayed = error.headers is not None and error.headers.get("idempotent-replayed") == "true"
    return error.http_status == HTTPStatus.INTERNAL_SERVER_ERROR or is_replayed


def is_missing(error: "StripeError") -> bool:
    return error.http_status == HTTPStatus.NOT_FOUND
