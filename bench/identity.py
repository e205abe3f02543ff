"""Identity: the cost of authenticating a call, and of verifying an id token."""

import asyncio
import base64
import hashlib
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from joserfc import jwt
from joserfc.jwk import RSAKey

from bench.comparison import ResultLine
from domain.database.database import Database, database_url
from domain.identity import learners, sessions
from domain.identity.learners import Identity
from domain.migrations import runner
from host.identity import id_token
from host.identity.id_token import Expected

TURNS, CALLS = 7, 2000
# Other sessions in the database.
OTHERS = 10_000
BEARER_MS, TOKEN_MS = 0.1, 0.2


def lines() -> list[ResultLine]:
    bearer, token = asyncio.run(_bearer_ms()), asyncio.run(_token_ms())
    return [
        _line(f"bearer token and session cookie, looked up among {OTHERS:,} sessions", BEARER_MS, bearer),
        _line("id token: signature and claims", TOKEN_MS, token),
    ]


def _line(what: str, limit: float, figure: float) -> ResultLine:
    return ResultLine("identity", what, f"<= {limit} ms CPU", f"{figure:.3f} ms", "", None, figure <= limit)


async def _bearer_ms() -> float:
    """The lookup of host/auth/sessions.py at every call, which nothing caches."""
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as folder:
        db = Database(database_url(None, Path(folder)))
        runner.upgrade(db.engine)
        now = datetime.now(UTC)
        with db.write_session() as session:
            learner = learners.create(session, Identity("https://id.example", "ada"), now)
            new_session = [sessions.open_session(session, learner.id, now) for _ in range(OTHERS)][-1]

        async def ask() -> None:
            found = await db.read_inline(sessions.authenticated, new_session.token, new_session.cookie_secret, now)
            assert found is not None

        cpu_ms = await _cpu_ms(ask)
        await db.close()
    return cpu_ms


async def _token_ms() -> float:
    key, now = RSAKey.generate_key(2048, {"kid": "k1", "use": "sig", "alg": "RS256"}), int(time.time())
    half = base64.urlsafe_b64encode(hashlib.sha256(b"access").digest()[:16]).decode().rstrip("=")
    other_claims = {"sub": "00u1", "nonce": "n1", "at_hash": half, "iat": now, "exp": now + 3600}
    claims = {"iss": "https://id.example", "aud": "storefront", **other_claims}
    token = jwt.encode({"alg": "RS256", "kid": "k1"}, claims, key)
    keys = id_token.key_set({"keys": [key.as_dict(private=False)]})
    expected = Expected("https://id.example", "storefront", "n1", "access")

    async def read() -> None:
        id_token.read(token, keys, expected, now)

    return await _cpu_ms(read)


async def _cpu_ms(work: Callable[[], Awaitable[None]]) -> float:
    """CPU ms of this process with its threads per call of `work`; the median of the turns."""
    turns = []
    for _ in range(TURNS):
        began = time.process_time()
        for _ in range(CALLS):
            await work()
        turns.append((time.process_time() - began) * 1000 / CALLS)
    return median(turns)
