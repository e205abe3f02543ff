"""The SDK of the payment gateway, imported when it is first needed: that costs 0.4 s and some megabytes, which a host
without a purchase never spends."""

import asyncio
import ssl
from functools import lru_cache
from typing import TYPE_CHECKING

from domain.payments.gateway import GatewayAccount

if TYPE_CHECKING:
    from stripe import AIOHTTPClient, StripeClient

# The SDK's own retries, after connection errors, conflicts and errors of the gateway; within our deadline.
MAX_RETRIES = 2


async def require_sdk() -> None:
    """Import the SDK in a thread, so that the event loop goes on serving. Nothing to do the second time."""
    if not _is_imported:
        await asyncio.to_thread(import_sdk)


_is_imported = False


def import_sdk() -> None:
    global _is_imported  # noqa: PLW0603 one per process
    import stripe

    # Otherwise imported on the event loop by the first call.
    _ = (stripe.StripeClient, stripe.AIOHTTPClient, stripe.WebhookSignature, stripe.checkout.Session)
    # It would send durations and a description of this machine with each call.
    stripe.enable_telemetry = False
    _is_imported = True


@lru_cache(1)
def _certificates() -> ssl.SSLContext:
    """The certificates of the authorities that the SDK trusts. To read them takes as long as a call: once in a
    process."""
    import stripe

    return ssl.create_default_context(cafile=stripe.ca_bundle_path)


def create_client(account: GatewayAccount) -> "tuple[StripeClient, AIOHTTPClient]":
    """A client for the running event loop, and its connections, which its owner closes."""
    from stripe import AIOHTTPClient, StripeClient

    library = AIOHTTPClient().aiohttp
    # Without a limit for each request: the deadline of the whole call ends it.
    connections = AIOHTTPClient(timeout=None, connector=library.TCPConnector(ssl=_certificates()))
    client = StripeClient(
        account.key,
        base_addresses={"api": account.base},
        max_network_retries=MAX_RETRIES,
        http_client=connections,
    )
    return client, connections
