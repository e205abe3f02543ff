"""What a shop's visitors, learners and staff do: a mix of reading at a steady rate, and orders, lessons, visits and
pictures beside it, of which everything that was accepted is remembered."""

import asyncio
import itertools
import random
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from urllib.parse import quote

import aiohttp

from domain.reports.visit_reports import descriptions
from tests.support.faults.answers import Answer, Answers
from tests.support.faults.buyers import Buyer
from tests.support.faults.orders import Shopping
from tests.support.faults.pages import course_path, flaw
from tests.support.faults.visits import Clients
from tests.support.site import Site

COUPON, COUPON_USES = "SOAK10", 1_000_000
# How many of a hundred requests that read are of each kind.
WEIGHTS = {"page": 52, "search": 14, "cart": 12, "coupon": 4, "dashboard": 8, "staff": 7, "report": 3}
STAFF_LISTS = ("orders", "coupons", "courses", "items", "learners", "messages")
REPORTS = tuple(descriptions.REPORTS)
DETAILS = {"course": "/course-details?course="}
WORDS = ("tax", "design", "python", "photo", "music", "history", "data", "writing")
CAPACITY_S, CAPACITY_CLIENTS = 8.0, 16
# The rate of visits, as a share of that of reading.
VISITS_SHARE = 0.5


class CouponShopping(Shopping):
    """Purchases of which every second one uses a coupon."""

    def __init__(self, site: Site, count: int, answers: Answers):
        super().__init__(site, count)
        self._answers, self._turn = answers, itertools.count()

    def _timer(self) -> aiohttp.TraceConfig:
        return self._answers.timer("order")

    async def _fill(self, buyer: Buyer) -> str:
        code = COUPON if next(self._turn) % 2 else ""
        with suppress(AssertionError):
            await buyer.fill(self.product)
            body = {"CourseID": self.product, "Code": code, "AAUserID": buyer.learner}
            status, answer = await buyer.call("POST", "SetCourseCoupon", body)
            if code and (status != 200 or answer["Status"] != "success"):
                return ""
            await buyer.show()
            return "filled"
        return ""


class Visitors(Clients):
    """Browsers that report visits at a steady rate; each response is noted."""

    def __init__(self, site: Site, total: int, rate: float, answers: Answers):
        super().__init__(site, total, clients=32, rate=rate)
        self._answers = answers

    async def _is_taken(self, http: aiohttp.ClientSession, body: dict[str, object]) -> bool:
        began, status, flawed = time.monotonic(), 0, ""
        try:
            async with http.post("/api/SetAAUserTraceLog", json=body) as answer:
                await answer.read()
                status = answer.status
        except (aiohttp.ClientError, TimeoutError, ConnectionError) as error:
            flawed = type(error).__name__
        self._answers.all.append(
            Answer("visit", "POST /api/SetAAUserTraceLog", began, time.monotonic() - began, status, flawed)
        )
        return status == 202


class Reading:
    """Requests that change nothing but a cart, at a steady rate, from a hundred addresses of the shop."""

    def __init__(self, site: Site, http: aiohttp.ClientSession, answers: Answers, cookies: tuple[str, str]):
        self._site, self._http, self._answers = site, http, answers
        self._learner_cookie, self._staff_cookie = cookies
        self._chance = random.Random(33)
        self._paths: list[str] = []
        self._buyer: Buyer | None = None
        self._doing: dict[str, Callable[[], Awaitable[None]]] = {
            "page": self._page,
            "search": self._search,
            "cart": self._cart,
            "coupon": self._coupon,
            "dashboard": self._dashboard,
            "staff": self._staff,
            "report": self._report,
        }

    async def prepare(self, browser: Buyer) -> None:
        self._buyer = browser
        kinds = "SELECT kind, slug FROM products WHERE status = 'published' ORDER BY id LIMIT 60"
        rows = await asyncio.to_thread(self._site.query, kinds)
        self._paths = ["/", "/shop", *(f"/shop?page={number}" for number in range(2, 4)), await course_path(self._http)]
        self._paths += [f"{DETAILS.get(kind, '/shop-details/')}{quote(slug)}" for kind, slug in rows]

    async def measure_capacity(self) -> float:
        """Requests a second, of the same mix, with as many clients as keep the shop busy."""
        end, done = time.monotonic() + CAPACITY_S, 0

        async def client() -> None:
            nonlocal done
            while time.monotonic() < end:
                await self.one()
                done += 1

        await asyncio.gather(*(client() for _ in range(CAPACITY_CLIENTS)))
        return done / CAPACITY_S

    async def run(self, rate: float) -> None:
        """Until it is cancelled. Requests are begun at their time, whether or not those before are answered."""
        begin = time.monotonic()
        async with asyncio.TaskGroup() as group:
            for number in itertools.count(1):
                group.create_task(self.one())
                await asyncio.sleep(max(0.0, begin + number / rate - time.monotonic()))

    async def one(self) -> None:
        [name] = self._chance.choices([*WEIGHTS], [*WEIGHTS.values()])
        # What went wrong is noted by the session's timer.
        with suppress(aiohttp.ClientError, TimeoutError, OSError):
            await self._doing[name]()

    async def _page(self) -> None:
        path, began = self._chance.choice(self._paths), time.monotonic()
        async with self._http.get(path, trace_request_ctx="page") as response:
            text = await response.text()
            is_list = path.startswith("/shop?") or path == "/shop"
            if response.status == 200 and (wrong := flaw(200, text, is_list=is_list)):
                self._answers.add_flaw(path, began, wrong)

    async def _search(self) -> None:
        await self._get(f"/search?q={self._chance.choice(WORDS)}+{self._chance.randrange(40)}", "search")

    async def _cart(self) -> None:
        assert self._buyer is not None
        await self._buyer.call("GET", "cart")

    async def _coupon(self) -> None:
        assert self._buyer is not None
        await self._buyer.call("POST", "getcoupondetail", {"coupon": COUPON})

    async def _dashboard(self) -> None:
        await self._get("/data/user-dashboard", "page", self._learner_cookie)

    async def _staff(self) -> None:
        await self._get(f"/data/admin/{self._chance.choice(STAFF_LISTS)}", "staff", self._staff_cookie)

    async def _report(self) -> None:
        await self._get(f"/data/admin/reports/{self._chance.choice(REPORTS)}", "report", self._staff_cookie)

    async def _get(self, path: str, kind: str, cookie: str = "") -> None:
        headers = {"Cookie": cookie} if cookie else {}
        async with self._http.get(path, headers=headers, trace_request_ctx=kind) as response:
            await response.read()
