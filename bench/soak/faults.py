"""The faults of a soak: each part of the shop is killed, frozen, slowed and cut off in turn."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from sqlalchemy import text

from bench.measured_database import administering, write_commits
from bench.soak.shop import SoakShop
from tests.support.faults import orders
from tests.support.faults.answers import Answers, Window
from tests.support.faults.buyers import Standin

FROZEN_S, SLOW_S, SILENT_S, LOCKED_S = 4.0, 6.0, 10.0, 4.0
# A slowed process works for so long, waits for so long, and so on.
WORKS_S, WAITS_S = 0.03, 0.07
# Between two faults: what the one before broke has recovered.
PAUSE_S = 12.0
GATEWAY_DELAY_S = 1.5

Break = Callable[[SoakShop], Awaitable[None]]


@dataclass(frozen=True)
class Fault:
    """`stalled_s`: how long it may hold up an answer beyond its deadline; `breaks`: it may break connections;
    `recovers_s`: how long afterwards what it broke may need."""

    name: str
    run: Break
    stalled_s: float = 3.0
    breaks: bool = False
    recovers_s: float = 10.0


@dataclass
class Schedule:
    """Runs the faults one after the other, again and again. `done`: how often each was run."""

    faults: list[Fault]
    answers: Answers
    done: dict[str, int] = field(default_factory=dict)

    async def run(self, shop: SoakShop, until: float, pause_s: float = PAUSE_S) -> None:
        """Until this time of time.monotonic(). No fault is begun that might not end before."""
        await asyncio.sleep(pause_s)
        for fault in _again_and_again(self.faults):
            if time.monotonic() + SILENT_S + pause_s > until:
                return
            about = (fault.stalled_s, fault.breaks, fault.recovers_s)
            with self.answers.window(Window(fault.name, time.monotonic(), *about)):
                await fault.run(shop)
            self.done[fault.name] = self.done.get(fault.name, 0) + 1
            await asyncio.sleep(pause_s)


def _again_and_again(faults: list[Fault]) -> Iterator[Fault]:
    while True:
        yield from faults


def faults_of(shop: SoakShop) -> list[Fault]:
    """The shop's faults, so that the part changes each time."""
    return [
        Fault("host killed", partial(_kill, kind="host"), stalled_s=6.0, breaks=True, recovers_s=15.0),
        Fault("worker killed", partial(_kill, kind="worker")),
        Fault("ssr killed", partial(_kill, kind="ssr")),
        Fault("redis killed", partial(_kill, kind="redis")),
        Fault("gateway killed", partial(_kill, kind="standins")),
        *_of_database(shop)[:2],
        Fault("host frozen", partial(_freeze, kind="host"), stalled_s=FROZEN_S + 2),
        Fault("worker frozen", partial(_freeze, kind="worker")),
        Fault("ssr frozen", partial(_freeze, kind="ssr")),
        Fault("redis frozen", partial(_freeze, kind="redis")),
        Fault("gateway frozen", partial(_freeze, kind="standins"), stalled_s=FROZEN_S),
        Fault("mail silent", _silence_mail),
        *_of_database(shop)[2:],
        Fault("host slowed", partial(_slow, kind="host"), stalled_s=SLOW_S),
        Fault("worker slowed", partial(_slow, kind="worker")),
        Fault("ssr slowed", partial(_slow, kind="ssr")),
        Fault("redis slowed", partial(_slow, kind="redis")),
        Fault("gateway slowed", _slow_gateway),
        Fault("redis cut off", _cut_redis),
    ]


def _of_database(shop: SoakShop) -> list[Fault]:
    if shop.server is None:
        return [Fault("database locked", _lock_database)]
    return [
        Fault("database killed", _kill_database, stalled_s=4.0),
        Fault("database cut off", _cut_database),
        Fault("database frozen", _freeze_database, stalled_s=4.0),
        Fault("database slowed", _slow_database, stalled_s=4.0),
    ]


async def _kill(shop: SoakShop, kind: str) -> None:
    await orders.kill(shop.site, kind)


async def _freeze(shop: SoakShop, kind: str) -> None:
    await orders.freeze(shop.site, FROZEN_S, kind)


async def _slow(shop: SoakShop, kind: str) -> None:
    await _slowed(shop.site.pids()[kind])


async def _slowed(pids: list[int]) -> None:
    end = time.monotonic() + SLOW_S
    try:
        while time.monotonic() < end:
            _signal(pids, signal.SIGSTOP)
            await asyncio.sleep(WAITS_S)
            _signal(pids, signal.SIGCONT)
            await asyncio.sleep(WORKS_S)
    finally:
        _signal(pids, signal.SIGCONT)


def _signal(pids: list[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


async def _silence_mail(shop: SoakShop) -> None:
    shop.mail_line.be_silent()
    await asyncio.sleep(SILENT_S)
    shop.mail_line.go_on()


async def _slow_gateway(shop: SoakShop) -> None:
    """Its next answers take longer."""
    about = {"match": "* /v1/*", "do": "delay", "seconds": GATEWAY_DELAY_S, "times": 6}
    await asyncio.to_thread(Standin(shop.site).call, "/dev/faults", about)
    await asyncio.sleep(SLOW_S)


async def _cut_redis(shop: SoakShop) -> None:
    """The connections of everybody are closed, some times."""
    for _ in range(3):
        with contextlib.closing(shop.site.redis()) as redis:
            await asyncio.to_thread(redis.execute_command, "CLIENT", "KILL", "SKIPME", "yes")
        await asyncio.sleep(0.5)


async def _lock_database(shop: SoakShop) -> None:
    await orders.lock_database(shop.site, LOCKED_S)


async def _kill_database(shop: SoakShop) -> None:
    assert shop.server is not None
    await asyncio.to_thread(shop.server.kill)
    await asyncio.to_thread(shop.server.start)
    await asyncio.to_thread(write_commits, shop.server)


async def _freeze_database(shop: SoakShop) -> None:
    assert shop.server is not None
    await asyncio.to_thread(shop.server.freeze)
    await asyncio.sleep(FROZEN_S)
    await asyncio.to_thread(shop.server.thaw)


async def _slow_database(shop: SoakShop) -> None:
    assert shop.server is not None
    await _slowed([shop.server.pid])


async def _cut_database(shop: SoakShop) -> None:
    """The connections of everybody are closed, some times."""
    assert shop.server is not None
    for _ in range(3):
        await asyncio.to_thread(_close_connections, shop)
        await asyncio.sleep(0.5)


def _close_connections(shop: SoakShop) -> None:
    assert shop.server is not None
    with administering(shop.server) as connection:
        own = connection.execute(text("SELECT CONNECTION_ID()")).scalar_one()
        ids = connection.execute(text("SELECT id FROM information_schema.processlist WHERE user = 'root'")).scalars()
        for number in [number for number in ids if number != own]:
            # It may have ended by itself.
            with contextlib.suppress(Exception):
                connection.execute(text(f"KILL CONNECTION {int(number)}"))
