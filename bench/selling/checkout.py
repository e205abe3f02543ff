"""C2: the checkout of five lines as a page for its learner, compared with /shop rendered for its request."""

import asyncio
import json
from dataclasses import replace
from urllib.parse import quote

import aiohttp

from bench.client import Load
from bench.comparison import ResultLine, compare, cpu_ms, first_byte_ms, measure_loads
from bench.measured_database import CHOSEN, database_settings
from bench.processes import Side
from host.auth.private_pages import TOKEN_COOKIE
from tests.support.faults.buyers import sign_in
from tests.support.site import Site, running

LINES = 5
REQUESTS = 300
MAX_RATIO = 1.5
SETTINGS = {"LIMITS": "off", "PAGE_CACHE": "off", "SSR_WORKERS": "1", "DATABASE_DEADLINE_MS": "20000"}
CHECKOUT, SHOP = "/checkout", "/shop"


def c2() -> list[ResultLine]:
    with database_settings() as database, running(**SETTINGS, **database) as site:
        side = Side("host", site.port, lambda: [*site.pids()["host"], *site.pids()["ssr"]])
        loads = [
            Load(site.port, CHECKOUT, REQUESTS, cookie=asyncio.run(_fill_cart(site))),
            Load(site.port, SHOP, REQUESTS),
        ]
        busy = measure_loads([(side, load) for load in loads], warm_up_requests=200)
        alone = measure_loads([(side, replace(load, concurrency=1)) for load in loads], warm_up_requests=50)
    costs, first_bytes = [cpu_ms(turns) for turns in busy], [first_byte_ms(turns) for turns in alone]
    return [_line("CPU", *costs), _line("first byte", *first_bytes)]


def _line(what: str, figure: float, base: float) -> ResultLine:
    ours, reference = (figure, f"{figure:.2f} ms"), (base, f"{base:.2f} ms /shop uncached")
    return compare("C2", f"{CHECKOUT} of {LINES} lines, {what}{CHOSEN.suffix}", MAX_RATIO, ours, reference)


async def _fill_cart(site: Site) -> str:
    """The cookies with which a browser opens the page of a learner with that many courses in the cart."""
    async with aiohttp.ClientSession(site.url) as http:
        buyer = sign_in(site, http, "buyer")
        for (course,) in site.query("SELECT id FROM courses LIMIT ?", LINES):
            await buyer.fill(course)
        await buyer.show()
        if len(buyer.form["seen"]["lines"]) != LINES:
            raise RuntimeError("the checkout has other lines")
        token = json.dumps({"accessToken": buyer.headers["Authorization"].removeprefix("Bearer ")})
        cookie = f"{buyer.headers['Cookie']}; {TOKEN_COOKIE}={quote(token)}"
        async with http.get(CHECKOUT, headers={"Cookie": cookie}) as page:
            # Signed out it would be another page.
            if '"seen"' not in await page.text():
                raise RuntimeError("the page shows no checkout")
    return cookie
