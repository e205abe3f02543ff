"""What the provider lets people do by themselves: its first answer to a sign-in says so."""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from host.identity.errors import ProviderAway, ProviderBusy, SignInError
from host.identity.idx import meta as metas
from host.identity.idx.answers import Answer
from host.identity.idx.engine import Engine
from host.identity.provider import Provider

log = logging.getLogger("coursefront.identity")

FRESH_S = 300.0
# A page that asks for the first time waits no longer than this; until it is known there is no registration.
PATIENCE_S = 1.0


class Features:
    """One for each host process. Every sign-in begun here tells; where none is, the provider is asked every 5 min."""

    def __init__(self, provider: Provider, now: Callable[[], float] = time.monotonic):
        self._provider, self._now = provider, now
        self._has_registration: bool | None = None
        self._since = 0.0
        self._asking: asyncio.Task[None] | None = None

    def learn(self, first: Answer) -> None:
        """The first answer of a transaction that no mail began."""
        self._know(has_registration=first.form("select-enroll-profile") is not None)

    def _know(self, *, has_registration: bool) -> None:
        self._has_registration, self._since = has_registration, self._now()

    async def has_registration(self) -> bool:
        """Never waits for a provider that has answered before: what was so then is said until it answers again."""
        if not (self._provider.has_extensions and self._provider.issuer):
            return False
        is_old = self._has_registration is None or self._now() - self._since > FRESH_S
        if is_old and self._asking is None:
            self._asking = asyncio.get_running_loop().create_task(self._ask())
        if self._has_registration is None and self._asking is not None:
            await asyncio.wait({self._asking}, timeout=PATIENCE_S)
        return bool(self._has_registration)

    async def _ask(self) -> None:
        try:
            async with self._provider.wire.patience():
                engine, meta = Engine(self._provider, {}), metas.fresh("authenticate", "learner", "/", "")
                handle = await engine.interact(meta)
                self.learn(await engine.introspect(replace(meta, interaction_handle=handle)))
        except (ProviderAway, ProviderBusy) as error:
            log.info("whether people may register is not known: %s", error)
        except SignInError:
            # It does not speak the protocol in which people register.
            self._know(has_registration=False)
        finally:
            self._asking = None

    async def lifetime(self, _app: object) -> AsyncIterator[None]:
        yield
        if self._asking is not None:
            self._asking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._asking
