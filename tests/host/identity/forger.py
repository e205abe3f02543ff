"""A provider with replies that a test can replace; all others are correct."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer
from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.host.identity.browser import Json
from tests.support.servers import free_port

KEY = RSAKey.generate_key(2048, {"kid": "k1", "use": "sig", "alg": "RS256"})
OTHER = RSAKey.generate_key(2048, {"kid": "k2", "use": "sig", "alg": "RS256"})
Handler = Callable[[web.Request], web.Response]


@dataclass
class Forger:
    """`claims`, `header` and `shift` (times, in seconds from now) change the id token; `answers` replaces whole
    endpoints by path; `on_request` is called with every request; `requested` lists the paths."""

    port: int = field(default_factory=free_port)
    claims: Json = field(default_factory=dict)
    shift: dict[str, int] = field(default_factory=dict)
    header: Json = field(default_factory=lambda: {"alg": "RS256", "kid": "k1"})
    key: Any = field(default_factory=lambda: KEY)
    published: list[Any] = field(default_factory=lambda: [KEY])
    subject: str = "00u1"
    nonce: str = ""
    answers: dict[str, Callable[[], Any]] = field(default_factory=dict)
    requested: list[str] = field(default_factory=list)
    on_request: Callable[[web.Request], None] = field(default_factory=lambda: lambda _request: None)
    server: TestServer | None = None

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._answer)
        self.server = TestServer(app, port=self.port)
        await self.server.start_server()

    async def stop(self) -> None:
        if self.server is not None:
            await self.server.close()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        self.requested.append(request.path)
        self.on_request(request)
        if request.path in self.answers:
            answer = self.answers[request.path]()
            return answer if isinstance(answer, web.StreamResponse) else await answer
        own = {
            "/.well-known/openid-configuration": self._discovery,
            "/keys": lambda: {"keys": [key.as_dict(private=False) for key in self.published]},
            "/token": self._tokens,
            "/userinfo": lambda: {"sub": self.subject, "email": "ada@example.test", "name": "Ada"},
            "/api/v1/authn": lambda: {"status": "SUCCESS", "sessionToken": "once"},
        }
        return web.json_response(own[request.path]()) if request.path in own else web.json_response({}, status=404)

    def _discovery(self) -> Json:
        named = {"authorization": "authorize", "token": "token", "userinfo": "userinfo"}
        return {
            "issuer": self.origin,
            "jwks_uri": f"{self.origin}/keys",
            **{f"{name}_endpoint": f"{self.origin}/{path}" for name, path in named.items()},
        }

    def _tokens(self) -> Json:
        return {"token_type": "Bearer", "access_token": "access", "id_token": self.id_token()}

    def id_token(self) -> str:
        now = int(time.time())
        token_hash = hashlib.sha256(b"access").digest()[:16]
        times = {name: now + seconds for name, seconds in self.shift.items()}
        honest = {
            "iss": self.origin,
            "sub": "00u1",
            "aud": "storefront",
            "iat": now,
            "exp": now + 3600,
            "nonce": self.nonce,
            "at_hash": base64.urlsafe_b64encode(token_hash).decode().rstrip("="),
        }
        claims = {name: value for name, value in {**honest, **times, **self.claims}.items() if value is not None}
        if self.header["alg"] != "RS256":
            return forged(self.header, claims)
        return jwt.encode(self.header, claims, self.key)


def forged(header: Json, claims: Json) -> str:
    """A token without a signature, or signed with the public key as an HMAC secret (a flaw of old libraries)."""
    parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in (header, claims)]
    payload = b".".join(parts)
    signature = b"" if header["alg"] == "none" else hmac.digest(KEY.as_pem(private=False), payload, "sha256")
    return (payload + b"." + base64.urlsafe_b64encode(signature).rstrip(b"=")).decode()
