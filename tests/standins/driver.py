"""What a client of the provider does, in few words: calls, links, tokens, the outbox."""

import hashlib
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from aiohttp.test_utils import TestClient

SITE = "http://localhost:8080"
ORIGIN = "http://127.0.0.1:1"
CALLBACK = f"{SITE}/logincallback"
PASSWORD = "Correct-Horse-1"
VERIFIER = "v" * 43
CHALLENGE = urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
SCOPE = "openid profile email phone"
ACCOUNT_SCOPE = " ".join(
    [SCOPE, *(f"okta.myAccount.{part}.manage" for part in ("profile", "email", "phone", "password"))]
)
ISSUERS = ("", "/oauth2/default")
Json = dict[str, Any]


class Clock:
    """Seconds since 1970 that pass only when told to."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += seconds


class Browser:
    """One browser (or program) with its cookies at the provider."""

    def __init__(self, client: TestClient, clock: Clock):
        self.client, self.clock = client, clock
        self.status, self.headers = 0, {}

    async def close(self) -> None:
        await self.client.close()

    async def call(self, method: str, address: str, body: Json | None = None, **options: Any) -> Any:
        """The answer's JSON, else its text; status and headers are kept. Redirects are not followed."""
        if body is not None:
            options["json"] = body
        path = address.removeprefix(ORIGIN)
        async with self.client.request(method, path, allow_redirects=False, **options) as answer:
            self.status, self.headers = answer.status, answer.headers
            text = await answer.text()
            self.type = answer.content_type
            return json.loads(text) if "json" in answer.content_type and text else text

    async def get(self, path: str, **options: Any) -> Any:
        return await self.call("GET", path, **options)

    async def post(self, path: str, body: Json | None = None, **options: Any) -> Any:
        return await self.call("POST", path, body, **options)

    async def form(self, path: str, **fields: str) -> Any:
        return await self.call("POST", path, data=fields)

    async def authn(self, name: str, password: str = PASSWORD, **more: Any) -> Json:
        return await self.post("/api/v1/authn", {"username": name, "password": password, **more})

    async def follow(self, answer: Json, link: str = "next", /, **body: Any) -> Json:
        target = answer["_links"][link]
        target = target[0] if isinstance(target, list) else target
        return await self.post(target["href"], {"stateToken": answer["stateToken"], **body})

    async def authorize(self, issuer: str = "", **more: str) -> dict[str, str]:
        """The pairs that come back in the query, else {} (a page was shown)."""
        base = issuer or "/oauth2"
        fields = {
            "client_id": "storefront",
            "response_type": "code",
            "scope": SCOPE,
            "redirect_uri": CALLBACK,
            "state": "s1",
            "nonce": "n1",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            **more,
        }
        self.page = await self.get(f"{base}/v1/authorize?{urlencode(fields)}")
        return pairs(self.headers.get("Location", ""))

    async def token(self, issuer: str = "", **fields: str) -> Json:
        base = issuer or "/oauth2"
        params = {"client_id": "storefront", "grant_type": "authorization_code", "redirect_uri": CALLBACK, **fields}
        return await self.form(f"{base}/v1/token", **params)

    async def signed_in(self, name: str, issuer: str = "", scope: str = SCOPE) -> Json:
        """Tokens of a name whose password is enough."""
        answer = await self.authn(name)
        back = await self.authorize(issuer, sessionToken=answer["sessionToken"], scope=scope)
        return await self.token(issuer, code=back["code"], code_verifier=VERIFIER)

    async def message(self, to: str) -> Json:
        """The newest message to an address, number or login."""
        return (await self.get(f"/dev/outbox?{urlencode({'to': to})}"))["messages"][0]

    async def sent(self, to: str) -> int:
        return len((await self.get(f"/dev/outbox?{urlencode({'to': to})}"))["messages"])


def pairs(address: str) -> dict[str, str]:
    parts = urlsplit(address)
    return dict(parse_qsl(parts.query or parts.fragment))


def claims(token: str) -> Json:
    """What a JWT says, unverified."""
    part = token.split(".")[1]
    return json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
