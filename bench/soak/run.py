"""One soak: the load, the faults and what is watched meanwhile, and everything that was wrong in the end."""

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bench.soak.faults import PAUSE_S, Schedule, faults_of
from bench.soak.load import Load, prepared
from bench.soak.shop import SoakShop, open_shop
from bench.soak.state import MAX_GROWTH, Watched
from tests.support.faults.answers import Answers

# Caches fill in the first minutes: of a shorter run the growth of memory says nothing.
LEAST_JUDGED_MIN = 30.0


@dataclass
class SoakResult:
    """`wrong`: in words; [] when everything holds. `facts`: counts, by what they are of."""

    kind: str
    at: datetime
    minutes: float
    capacity: float
    rate: float
    answers: Answers
    watched: Watched
    faults: dict[str, int]
    facts: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


async def run(kind: str, minutes: float) -> SoakResult:
    answers, watched, seconds = Answers(), Watched(), minutes * 60
    async with open_shop(kind) as shop, prepared(shop, answers, seconds) as load:
        schedule = Schedule(faults_of(shop), answers)
        answers.began = watched.began = time.monotonic()
        watching = [asyncio.create_task(watch(shop.site)) for watch in (watched.watch_memory, watched.watch_lines)]
        async with asyncio.TaskGroup() as group:
            group.create_task(load.run(seconds))
            group.create_task(schedule.run(shop, answers.began + seconds))
        # What the last fault left to do is done before it is compared.
        await asyncio.sleep(PAUSE_S)
        differences = await load.differences()
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
        about = (shop.kind, datetime.now(UTC), minutes, load.capacity, load.rate)
        result = SoakResult(*about, answers, watched, schedule.done, await _facts(shop, load))
    result.facts["load of the machine (median of a minute's average)"] = f"{watched.median_load():.1f}"
    result.wrong = [*differences, *answers.wrong(), *_wrong_state(result)]
    return result


def _wrong_state(result: SoakResult) -> list[str]:
    lines = Counter(result.watched.unexpected_lines(result.answers.windows))
    wrong = [f"{number} x unexpected line: {line}" for line, number in lines.most_common()]
    growth = result.watched.growth()
    if result.minutes >= LEAST_JUDGED_MIN and growth > MAX_GROWTH:
        wrong.append(f"memory grows: {growth:.3f} x in the last third")
    return wrong


async def _facts(shop: SoakShop, load: Load) -> dict[str, str]:
    """Counts of what was accepted, and what it came to."""
    [(paid, total)] = await asyncio.to_thread(shop.site.query, PAID)
    ids = [mail.message_id for mail in shop.sink.received]
    return {
        "orders placed": f"{len(load.shopping.seen.codes):,}",
        "orders paid at the gateway": f"{paid:,}",
        "their total, USD": f"{int(total or 0) / 100:,.2f}",
        "visits accepted": f"{load.visitors.posted.accepted:,}",
        "changes of lessons": f"{load.studying.changes:,}",
        "pictures converted": f"{len(load.pictures.ready):,}",
        "mails, of them twice": f"{len(ids):,}, {len(ids) - len(set(ids)):,}",
    }


PAID = (
    "SELECT count(*), sum(total_minor) FROM orders o WHERE state = 'paid' AND EXISTS"
    " (SELECT 1 FROM payments p WHERE p.order_id = o.id AND p.gateway = 'stripe' AND p.state = 'paid')"
)
