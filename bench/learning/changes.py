"""L4: what a change of progress costs, compared with a change of a cart line; and a hundred compared with one."""

import asyncio
import json
from collections.abc import Sequence

import aiohttp

from bench.comparison import ResultLine, compare, cpu_ms, measure_loads
from bench.learning.school import MANY, School, school
from bench.measured_database import CHOSEN
from tests.support.faults.buyers import Buyer

REQUESTS, WARM_UP = 300, 100
PROGRESS = "learning/progress"
# Counts as the time of the request, so that each request changes what is stored.
NOW = 2**53 - 1


def l4() -> list[ResultLine]:
    with school(MANY) as many:
        item = asyncio.run(_fill_cart(many))
        calls = [
            many.call(PROGRESS, _changes(many, many.wide[:1]), REQUESTS),
            many.call(f"cart/lines/{item}", '{"quantity": {turn}}', REQUESTS),
            many.call(PROGRESS, _changes(many, many.wide), REQUESTS // 4),
        ]
        turns = measure_loads([(many.host, call) for call in calls], warm_up_requests=WARM_UP)
        one, line, hundred = (cpu_ms(of_call) for of_call in turns)
    return [
        compare(
            "L4",
            f"a change of progress, CPU{CHOSEN.suffix}",
            1.5,
            (one, f"{one:.2f} ms"),
            (line, f"{line:.2f} ms a cart line"),
        ),
        compare(
            "L4",
            f"100 changes of a course, CPU{CHOSEN.suffix}",
            4.0,
            (hundred, f"{hundred:.2f} ms"),
            (one, f"{one:.2f} ms one"),
        ),
    ]


def _changes(own: School, lessons: Sequence[int]) -> str:
    changes = [{"lesson": lesson, "position": 500, "at": NOW} for lesson in lessons]
    return json.dumps({"learnerId": own.learner_id, "changes": changes})


async def _fill_cart(own: School) -> int:
    """The cart's one line: an item of which there are enough."""
    query = (
        "SELECT i.id FROM shop_items i JOIN products p ON p.id = i.id WHERE i.stock IS NULL AND p.status = 'published'"
    )
    [(item,), *_] = own.site.query(query)
    headers = {"Authorization": f"Bearer {own.bearer}", "Cookie": own.cookie, "Sec-Fetch-Site": "same-origin"}
    async with aiohttp.ClientSession(own.site.url) as http:
        await Buyer(http, own.learner_id, headers, {}).fill(item)
    return int(item)
