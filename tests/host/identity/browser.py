"""A browser between the shop and the provider: its cookies at both, and the redirects it follows one by one."""

import json
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from aiohttp import ClientResponse, ClientSession, CookieJar

from tests.host.world import CHROME, ORIGIN, Site

PASSWORD = "Correct-Horse-1"
Json = dict[str, Any]


class Browser:
    """`at` is the shop it stands at; another host process of the same shop may take over."""

    def __init__(self, at: Site, provider: str, agent: str = CHROME):
        self.at, self.provider, self.agent = at, provider, agent
        self.jar: dict[str, tuple[str, str]] = {}
        self._elsewhere = ClientSession(cookie_jar=CookieJar(unsafe=True))

    async def close(self) -> None:
        await self._elsewhere.close()

    @property
    def cookies(self) -> dict[str, str]:
        return {name: value for name, (value, _) in self.jar.items()}

    @property
    def user_info(self) -> Json | None:
        found = self.cookies.get("userInfo")
        return None if found is None else json.loads(unquote(found))

    def _headers(self, path: str, given: dict[str, str]) -> dict[str, str]:
        pairs = [f"{name}={value}" for name, (value, at) in self.jar.items() if path.startswith(at)]
        made = {"User-Agent": self.agent, **({"Cookie": "; ".join(pairs)} if pairs else {})}
        if self.user_info is not None:
            made["Authorization"] = f"Bearer {self.user_info['accessToken']}"
        return {**made, **given}

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> ClientResponse:
        """An answer of the shop; its cookies are kept, its redirects are not followed."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        data = None if body is None else json.dumps(body).encode()
        sent = self._headers(path, {**given, **({} if body is None else {"Content-Type": "application/json"})})
        self.at.client.session.cookie_jar.clear()
        answer = await self.at.client.request(method, path, data=data, headers=sent, allow_redirects=False)
        await answer.read()
        self._keep(answer)
        return answer

    def _keep(self, answer: ClientResponse) -> None:
        for line in answer.headers.getall("Set-Cookie", []):
            for name, one in SimpleCookie(line).items():
                self.jar.pop(name, None)
                if one["max-age"] != "0":
                    self.jar[name] = (one.value, one["path"])

    async def call(self, name: str, method: str = "POST", /, **body: Any) -> tuple[int, Any]:
        answer = await self.ask(method, f"/api/{name}", None if method == "GET" else body)
        return answer.status, await answer.json(content_type=None)

    async def go(self, address: str) -> str:
        """Where an address at the provider leads: the Location it answers with, "" for a page."""
        async with self._elsewhere.get(address, allow_redirects=False) as answer:
            return answer.headers.get("Location", "")

    async def login(self, name: str, password: str = PASSWORD, **more: Any) -> tuple[int, Any]:
        return await self.call("auth/login", username=name, password=password, **more)

    async def begin(self, name: str = "ada", **more: Any) -> str:
        """Up to the way back: the path of the callback, not yet gone to."""
        status, answer = await self.login(name, **more)
        assert status == 200, answer
        back = await self.go(answer["redirect"])
        assert back.startswith(f"{ORIGIN}/logincallback?"), back
        return back.removeprefix(ORIGIN)

    async def sign_in(self, name: str = "ada", **more: Any) -> str:
        """The whole way; where it ends."""
        answer = await self.ask("GET", await self.begin(name, **more))
        assert answer.status == 303
        return answer.headers["Location"]


def pairs(address: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(address).query))
