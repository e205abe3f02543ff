"""Self-service features of the provider, read from its first response in a sign-in flow."""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from aiohttp import web

from host.identity.errors import ProviderRateLimited, ProviderUnavailable, SignInError
from host.identity.idx.client import IdxClient
from host.identity.idx.flow_state import new_state
from host.identity.idx.response import IdxResponse
from host.identity.provider import Provider

log = logging.getLogger("coursefront.identity")

MAX_AGE_S = 300.0
# A password and an email address, until a registration has shown how many ways a new account needs.
REQUIRED_WAYS = 2
# The longest wait of a call before the first result; without one, registration is not offered.
WAIT_S = 1.0


class ProviderFeatures:
    """One per host process. Every sign-in flow updates the features; without one, a flow is started every 5 minutes to
    read them."""

    def __init__(self, provider: Provider, now: Callable[[], float] = time.monotonic):
        self._provider, self._now = provider, now
        self._has_registration: bool | None = None
        self.required_ways = REQUIRED_WAYS
        self._updated_at = 0.0
        self._fetching: asyncio.Task[None] | None = None

    def update(self, first: IdxResponse) -> None:
        """Update the features from the first response of a transaction that was not started by a mail link."""
        self._set(has_registration=first.form("select-enroll-profile") is not None)

    def _set(self, *, has_registration: bool) -> None:
        self._has_registration, self._updated_at = has_registration, self._now()

    async def has_registration(self) -> bool:
        """Whether people can register. Waits for the provider only before the first result; later, returns the last
        result and refreshes it in the background when it is older than MAX_AGE_S."""
        if not (self._provider.has_extensions and self._provider.issuer):
            return False
        is_old = self._has_registration is None or self._now() - self._updated_at > MAX_AGE_S
        if is_old and self._fetching is None:
            self._fetching = asyncio.get_running_loop().create_task(self._fetch())
        if self._has_registration is None and self._fetching is not None:
            await asyncio.wait({self._fetching}, timeout=WAIT_S)
        return bool(self._has_registration)

    async def _fetch(self) -> None:
        try:
            async with self._provider.wire.deadline():
                client, state = IdxClient(self._provider, {}), new_state("authenticate", "learner", "/", "")
                handle = await client.interact(state)
                self.update(await client.introspect(replace(state, interaction_handle=handle)))
        except (ProviderUnavailable, ProviderRateLimited) as error:
            log.info("cannot read whether the provider offers registration: %s", error)
        except SignInError:
            # The provider refuses the protocol by which people register.
            self._set(has_registration=False)
        finally:
            self._fetching = None

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        yield
        if self._fetching is not None:
            self._fetching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._fetching


FEATURES = web.AppKey("features", ProviderFeatures)
