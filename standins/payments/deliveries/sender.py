"""Posts events to the shop's webhook, as the gateway does: no redirects, an answer 2xx within 10 s."""

import asyncio
import time
from collections.abc import Iterable

import aiohttp

from standins.payments.deliveries.signatures import sign

DEADLINE_S = 10.0
USER_AGENT = "Stripe/1.0 (+https://stripe.com/docs/webhooks)"


async def post(client: aiohttp.ClientSession, address: str, body: bytes, signature: str | None) -> int | str:
    """The status of the answer, or why there was none."""
    headers = {"Content-Type": "application/json; charset=utf-8", "User-Agent": USER_AGENT}
    if signature is not None:
        headers["Stripe-Signature"] = signature
    try:
        async with (
            asyncio.timeout(DEADLINE_S),
            client.post(address, data=body, headers=headers, allow_redirects=False) as answer,
        ):
            return answer.status
    except TimeoutError:
        return "no answer within 10 s"
    except (aiohttp.ClientError, OSError) as error:
        return type(error).__name__


async def deliver(client: aiohttp.ClientSession, address: str, body: bytes, secrets: Iterable[str]) -> int | str:
    """Posts an event, signed at this moment: the shop refuses old signatures."""
    return await post(client, address, body, sign(body, secrets, int(time.time())))
