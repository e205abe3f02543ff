"""Questions that workers answer while somebody waits; without a worker the same function answers here.

found = await questions.ask("coupons.describe", code="SPRING", learner_id=None, at="…")
"""

import logging
from collections.abc import AsyncIterator
from typing import Any

from domain.cart.answers import QUESTIONS, READING
from domain.db import Database
from host.breaker import Breaker
from host.replies import PING, NotAnswered, Replies

log = logging.getLogger("coursefront.questions")

Answer = dict[str, Any]


class Questions:
    """`ask` always comes to an answer of the function, wherever it ran, or raises Unavailable with the records away.

    The first who waits in vain opens the breaker: the others are answered in place at once, until a worker answers a
    ping again. No visitor waits to find that out, at the start neither.
    """

    def __init__(self, db: Database, replies: Replies | None):
        self._db, self._replies = db, replies
        self._breaker = Breaker("the coupon worker", self._ping)
        self.there = self.here = 0

    async def ask(self, name: str, **given: Any) -> Answer:
        if self._replies is not None and not self._breaker.is_open:
            try:
                found = await self._replies.ask(name, given)
            except NotAnswered as error:
                self._breaker.trip(error)
                self._replies.give_up("others waited in vain")
            else:
                self.there += 1
                return found
        self.here += 1
        carry_out = self._db.read if name in READING else self._db.run
        return await carry_out(QUESTIONS[name], **given)

    async def _ping(self) -> None:
        if self._replies is not None:
            await self._replies.ask(PING, {})

    @property
    def state(self) -> str:
        """For /readyz: none without a broker, up, or broken off."""
        if self._replies is None:
            return "none"
        return "broken off" if self._breaker.is_open else "up"

    async def lifetime(self, _app: object) -> AsyncIterator[None]:
        if self._replies is not None:
            self._replies.open()
            self._breaker.watch()
        yield
        await self._breaker.close()
        if self._replies is not None:
            await self._replies.close()
