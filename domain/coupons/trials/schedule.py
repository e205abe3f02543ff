"""When a trial shows the special offer: pure, so that trials can be simulated.

No person is followed. The time of the trial is cut into blocks, two by two; in one of each pair the offer is shown, in
the other it is not, and a keyed hash of the seed and the number of the pair decides in which.
"""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

HOUR = timedelta(hours=1)
# Cookies with the offer live 180 minutes: sessions that begin earlier in a block may still have that of the block
# before.
SETTLING_HOURS = 3
MIN_PAIRS, MAX_PAIRS = 20, 200
BLOCK_HOURS = (6, 12, 24)
# A session's order may be placed and paid so long after it.
PAYING_TIME = timedelta(hours=24)


@dataclass(frozen=True)
class Block:
    """`counted_from`: sessions that begin earlier are left out."""

    starts_at: datetime
    counted_from: datetime
    ends_at: datetime
    is_on: bool


@dataclass(frozen=True)
class TrialPlan:
    """`starts_at`: a whole hour."""

    starts_at: datetime
    ends_at: datetime
    block_hours: int
    seed: str

    @property
    def block_time(self) -> timedelta:
        return self.block_hours * HOUR

    @property
    def pairs(self) -> int:
        return (self.ends_at - self.starts_at) // (2 * self.block_time)

    def is_on(self, at: datetime) -> bool:
        """Whether the offer is shown; before and after the trial it is."""
        if not self.starts_at <= at < self.ends_at:
            return True
        return self._is_on((at - self.starts_at) // self.block_time)

    def pair(self, number: int) -> tuple[Block, Block]:
        return self._block(2 * number), self._block(2 * number + 1)

    def pairs_until(self, at: datetime) -> Iterator[tuple[Block, Block]]:
        """The pairs that were over, and their orders paid, at that time."""
        for number in range(self.pairs):
            if self.countable_at(number) > at:
                return
            yield self.pair(number)

    def countable_at(self, number: int) -> datetime:
        """When the pair is over and its orders are paid."""
        return self.starts_at + 2 * (number + 1) * self.block_time + PAYING_TIME

    def _block(self, number: int) -> Block:
        starts_at = self.starts_at + number * self.block_time
        counted_from = starts_at + SETTLING_HOURS * HOUR
        return Block(starts_at, counted_from, starts_at + self.block_time, self._is_on(number))

    def _is_on(self, block: int) -> bool:
        pair, place = divmod(block, 2)
        drawn = hmac.new(self.seed.encode(), str(pair).encode(), sha256).digest()[0] & 1
        return drawn == place


def plan_of(starts_at: datetime, pairs: int, block_hours: int, seed: str) -> TrialPlan:
    return TrialPlan(starts_at, starts_at + 2 * pairs * block_hours * HOUR, block_hours, seed)
