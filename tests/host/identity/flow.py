"""One sign-in flow as a page runs it."""

from typing import Any
from urllib.parse import urlencode

from tests.host.identity.browser import Browser, Json


class Flow:
    """`reply` is the last response's JSON, `status` its HTTP status."""

    def __init__(self, browser: Browser, standin: Any):
        self.browser, self.standin = browser, standin
        self.status, self.reply = 0, Json()

    async def _call(self, name: str, method: str = "POST", **body: Any) -> Json:
        self.status, self.reply = await self.browser.call(f"auth/idx{name}", method, **body)
        return self.reply

    async def start(self, flow: str, **more: Any) -> Json:
        return await self._call("/start", flow=flow, **{"returnTo": "/", "area": "learner", **more})

    async def go(self, step: str, **values: Any) -> Json:
        return await self._call("/proceed", step=step, values=values)

    async def poll(self) -> Json:
        return await self._call("/poll")

    async def resend(self) -> Json:
        return await self._call("/resend")

    async def cancel(self) -> Json:
        return await self._call("/cancel")

    async def resume(self) -> Json:
        return await self._call("", "GET")

    @property
    def names(self) -> list[str]:
        return [step["name"] for step in self.reply["steps"]]

    @property
    def messages(self) -> list[tuple[str, str | None]]:
        return [(message["key"], message["field"]) for message in self.reply["messages"]]

    def step(self, name: str) -> Json:
        steps = [step for step in self.reply["steps"] if step["name"] == name]
        assert steps, (self.status, self.reply)
        return steps[0]

    def input(self, step: str, name: str) -> Json:
        return next(item for item in self.step(step)["inputs"] if item["name"] == name)

    def option(self, step: str, kind: str, method: str = "") -> str:
        """The value of an authenticator's option in a list."""
        options = self.input(step, "authenticator")["options"]
        return next(row["value"] for row in options if row["kind"] == kind and method in row["value"])

    async def choose(self, step: str, kind: str, method: str = "", **more: Any) -> Json:
        return await self.go(step, authenticator=self.option(step, kind, method), **more)

    async def message(self, to: str) -> Json:
        """The newest message to an address, number or login."""
        address = f"{self.standin.origin}/dev/outbox?{urlencode({'to': to})}"
        async with self.browser._elsewhere.get(address) as answer:
            return (await answer.json())["messages"][0]

    async def code(self, to: str) -> str:
        return str((await self.message(to))["code"])
