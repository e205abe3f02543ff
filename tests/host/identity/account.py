"""The account calls as a page makes them; every response is checked against the OpenAPI document."""

import json
import re
from typing import Any
from urllib.parse import urlencode

import jsonschema

from tests.host.identity.browser import Browser, Json

# The OpenAPI document, which is the same of every site: it is fetched and read once.
_document: Json = {}


class Account:
    """`status`, `headers` and `reply` (its JSON) are those of the last response."""

    def __init__(self, browser: Browser):
        self.browser, self.status, self.reply = browser, 0, Json()

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = await self.browser.ask(method, f"/api/account{path}", body)
        self.status, self.headers = answer.status, answer.headers
        self.reply = json.loads(await answer.read())
        await self._check_described(method, f"/api/account{path}", answer.content_type)
        return self.reply

    async def _check_described(self, method: str, path: str, kind: str) -> None:
        if not _document:
            _document.update(await (await self.browser.at.get("/openapi.json")).json())
        paths = _document["paths"]
        template = next(name for name in paths if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", name), path))
        ((described, content),) = paths[template][method.lower()]["responses"][str(self.status)]["content"].items()
        assert kind == described
        schema = {**content["schema"], "components": _document["components"]}
        jsonschema.Draft202012Validator(schema).validate(self.reply)

    async def get(self, path: str) -> Any:
        return await self.ask("GET", path)

    async def post(self, path: str, **body: Any) -> Any:
        return await self.ask("POST", path, body)

    async def put(self, path: str, **body: Any) -> Any:
        return await self.ask("PUT", path, body)

    async def delete(self, path: str, **body: Any) -> Any:
        return await self.ask("DELETE", path, body)

    async def sent(self, to: str) -> list[Json]:
        """The provider's messages to an address or number, newest first."""
        address = f"{self.browser.provider}/dev/outbox?{urlencode({'to': to})}"
        async with self.browser._elsewhere.get(address) as answer:
            return list((await answer.json())["messages"])

    async def code(self, to: str) -> str:
        return str((await self.sent(to))[0]["code"])


async def signed_in(browser: Browser, name: str = "ada") -> Account:
    assert await browser.sign_in(name) == "/"
    await browser.allow_account()
    return Account(browser)
