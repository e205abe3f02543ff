"""Learners who buy at a running site by its calls, each their own cart, and pay at the stand-in of the gateway."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.request import Request, urlopen

import aiohttp

from tests.support.site import Site

# Values that the refund policy (templates/content) names, which orders record.
VALUES = {"billing.name": "Ada Lovelace", "billing.country": "US", "billing.country_area": "NY"}
CARD = "4242424242424242"


@dataclass
class Buyer:
    """`form`: what the checkout's form would post."""

    http: aiohttp.ClientSession
    learner: int
    headers: dict[str, str]
    form: dict[str, Any]

    async def call(self, method: str, name: str, body: Any = None) -> tuple[int, Any]:
        """Status and JSON; 0 when there was no response."""
        try:
            async with self.http.request(method, f"/api/{name}", json=body, headers=self.headers) as answer:
                return answer.status, await answer.json(content_type=None)
        except (aiohttp.ClientError, TimeoutError, json.JSONDecodeError):
            return 0, None

    async def fill(self, product_id: int) -> None:
        body = {"AAUserID": self.learner, "CourseID": product_id}
        status, answer = await self.call("POST", "SetAAUserCourse", body)
        assert status == 200, answer

    async def show(self) -> None:
        """Open the checkout, and fill in its form."""
        status, checkout = await self.call("PUT", "checkout", {"values": VALUES, "service": ""})
        assert status == 200, checkout
        about = {"values": VALUES, "service": "", "terms": checkout["terms"]["date"]}
        self.form = {"key": checkout["key"], "seen": checkout["seen"], **about}

    async def order(self) -> tuple[int, Any]:
        """Press the button, always with the same key."""
        return await self.call("POST", "checkout", self.form)


def sign_in(site: Site, http: aiohttp.ClientSession, name: str) -> Buyer:
    who = json.loads(site.dev("token", name))
    headers = {
        "Authorization": f"Bearer {who['accessToken']}",
        "Cookie": who["cookie"],
        "Origin": f"http://localhost:{site.port}",
        "Sec-Fetch-Site": "same-origin",
    }
    return Buyer(http, who["AAUserID"], headers, {})


class Standin:
    """The gateway's stand-in beside a site."""

    def __init__(self, site: Site):
        self.origin = f"http://127.0.0.1:{site.port + 2}"
        self._record = site.var_dir / "standins" / "ledger.jsonl"

    def call(self, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.origin}{path}", data, {"Content-Type": "application/json"})
        with urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def pay(self, session_id: str, card: str = CARD) -> None:
        self.call("/dev/pay", {"session": session_id, "card": card})

    def money(self) -> list[dict[str, Any]]:
        text = self._record.read_text("utf-8") if self._record.exists() else ""
        return [json.loads(line) for line in text.splitlines()]
