"""Identity: what it costs to know who calls, and to check what the provider says."""

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

from bench.comparing import Line
from domain import learners, migrations, sessions
from domain.db import Database, database_url
from domain.learners import Identity
from host.identity import tokens
from host.identity.tokens import Expected

TURNS, CALLS = 7, 2000
# So many sign-ins stand beside the one that is looked up.
OTHERS = 10_000
BEARER_MS, TOKEN_MS = 0.1, 0.2


def lines() -> list[Line]:
    bearer, token = asyncio.run(_bearer_ms()), asyncio.run(_token_ms())
    return [
        _line(f"bearer and half, looked up among {OTHERS:,} sign-ins", BEARER_MS, bearer),
        _line("id token: signature and claims", TOKEN_MS, token),
    ]


def _line(what: str, most: float, figure: float) -> Line:
    return Line("identity", what, f"<= {most} ms CPU", f"{figure:.3f} ms", "", None, figure <= most)


async def _bearer_ms() -> float:
    """As host/sessions.py asks for every call: nothing is kept beside the records."""
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as folder:
        db = Database(database_url(None, Path(folder)))
        migrations.upgrade(db.engine)
        now = datetime.now(UTC)
        with db.session() as session:
            one = learners.made(session, Identity("https://id.example", "ada"), now)
            opened = [sessions.open_session(session, one.id, now) for _ in range(OTHERS)][-1]

        async def ask() -> None:
            found = await db.glance(sessions.signed_in, opened.handle, opened.half, now)
            assert found is not None

        taken = await _cpu_ms(ask)
        await db.close()
    return taken


async def _token_ms() -> float:
    key, now = RSAKey.generate_key(2048, {"kid": "k1", "use": "sig", "alg": "RS256"}), int(time.time())
    half = base64.urlsafe_b64encode(hashlib.sha256(b"access").digest()[:16]).decode().rstrip("=")
    about = {"sub": "00u1", "nonce": "n1", "at_hash": half, "iat": now, "exp": now + 3600}
    claims = {"iss": "https://id.example", "aud": "storefront", **about}
    token = jwt.encode({"alg": "RS256", "kid": "k1"}, claims, key)
    keys = tokens.key_set({"keys": [key.as_dict(private=False)]})
    expected = Expected("https://id.example", "storefront", "n1", "access")

    async def read() -> None:
        tokens.read(token, keys, expected, now)

    return await _cpu_ms(read)


async def _cpu_ms(what: Callable[[], Awaitable[None]]) -> float:
    """CPU of this process, threads and all, for one; the median of the turns."""
    taken = []
    for _ in range(TURNS):
        began = time.process_time()
        for _ in range(CALLS):
            await what()
        taken.append((time.process_time() - began) * 1000 / CALLS)
    return median(taken)
