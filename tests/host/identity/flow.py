"""One transaction as a page drives it."""

from typing import Any
from urllib.parse import urlencode

from tests.host.identity.browser import Browser, Json


class Flow:
    """`said` is the last answer, `status` its HTTP status."""

    def __init__(self, browser: Browser, standin: Any):
        self.browser, self.standin = browser, standin
        self.status, self.said = 0, Json()

    async def _call(self, name: str, method: str = "POST", **body: Any) -> Json:
        self.status, self.said = await self.browser.call(f"auth/idx{name}", method, **body)
        return self.said

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
        return [one["name"] for one in self.said["steps"]]

    @property
    def messages(self) -> list[tuple[str, str | None]]:
        return [(one["key"], one["field"]) for one in self.said["messages"]]

    def step(self, name: str) -> Json:
        found = [one for one in self.said["steps"] if one["name"] == name]
        assert found, (self.status, self.said)
        return found[0]

    def input(self, step: str, name: str) -> Json:
        return next(one for one in self.step(step)["inputs"] if one["name"] == name)

    def option(self, step: str, kind: str, method: str = "") -> str:
        """The value of an authenticator in a list."""
        options = self.input(step, "authenticator")["options"]
        return next(one["value"] for one in options if one["kind"] == kind and method in one["value"])

    async def choose(self, step: str, kind: str, method: str = "", **more: Any) -> Json:
        return await self.go(step, authenticator=self.option(step, kind, method), **more)

    async def message(self, to: str) -> Json:
        """The newest message to an address, number or login."""
        address = f"{self.standin.origin}/dev/outbox?{urlencode({'to': to})}"
        async with self.browser._elsewhere.get(address) as answer:
            return (await answer.json())["messages"][0]

    async def code(self, to: str) -> str:
        return str((await self.message(to))["code"])
