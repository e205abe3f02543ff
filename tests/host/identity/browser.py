"""A browser that uses the shop and the provider: it stores cookies of both and follows redirects one at a time."""

import json
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from aiohttp import ClientResponse, ClientSession, CookieJar

from tests.host.site import CHROME, ORIGIN, Site

PASSWORD = "Correct-Horse-1"
Json = dict[str, Any]


class Browser:
    """`at` is the shop it calls; a test may replace it by another host process of the same shop."""

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
        cookie = self.cookies.get("userInfo")
        return None if cookie is None else json.loads(unquote(cookie))

    def _headers(self, path: str, extra: dict[str, str]) -> dict[str, str]:
        pairs = [f"{name}={value}" for name, (value, at) in self.jar.items() if path.startswith(at)]
        headers = {"User-Agent": self.agent, **({"Cookie": "; ".join(pairs)} if pairs else {})}
        if self.user_info is not None:
            headers["Authorization"] = f"Bearer {self.user_info['accessToken']}"
        return {**headers, **extra}

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> ClientResponse:
        """A response of the shop; its cookies are stored, its redirects are not followed."""
        extra = {name.replace("_", "-"): value for name, value in headers.items()}
        data = None if body is None else json.dumps(body).encode()
        sent = self._headers(path, {**extra, **({} if body is None else {"Content-Type": "application/json"})})
        self.at.client.session.cookie_jar.clear()
        answer = await self.at.client.request(method, path, data=data, headers=sent, allow_redirects=False)
        await answer.read()
        self._store_cookies(answer)
        return answer

    def _store_cookies(self, answer: ClientResponse) -> None:
        for line in answer.headers.getall("Set-Cookie", []):
            for name, cookie in SimpleCookie(line).items():
                self.jar.pop(name, None)
                if cookie["max-age"] != "0":
                    self.jar[name] = (cookie.value, cookie["path"])

    async def call(self, name: str, method: str = "POST", /, **body: Any) -> tuple[int, Any]:
        answer = await self.ask(method, f"/api/{name}", None if method == "GET" else body)
        return answer.status, await answer.json(content_type=None)

    async def go(self, address: str) -> str:
        """The Location of the response for an address at the provider, "" for a page."""
        async with self._elsewhere.get(address, allow_redirects=False) as answer:
            return answer.headers.get("Location", "")

    async def login(self, name: str, password: str = PASSWORD, **more: Any) -> tuple[int, Any]:
        return await self.call("auth/login", username=name, password=password, **more)

    async def begin(self, name: str = "ada", **more: Any) -> str:
        """Sign in at the provider; returns the path of the callback without opening it."""
        status, answer = await self.login(name, **more)
        assert status == 200, answer
        back = await self.go(answer["redirect"])
        assert back.startswith(f"{ORIGIN}/logincallback?"), back
        return back.removeprefix(ORIGIN)

    async def sign_in(self, name: str = "ada", **more: Any) -> str:
        """Sign in completely; returns the final Location."""
        answer = await self.ask("GET", await self.begin(name, **more))
        assert answer.status == 303
        return answer.headers["Location"]

    async def allow_account(self) -> None:
        """Ask for the scopes of the account pages, as /profile does when it opens."""
        start = await self.ask("GET", "/api/auth/start?returnTo=/profile&access=silent")
        back = await self.go(start.headers["Location"])
        answer = await self.ask("GET", back.removeprefix(ORIGIN))
        assert (answer.status, answer.headers["Location"]) == (303, "/profile")


def pairs(address: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(address).query))
