"""Who is signed in during a soak: their headers and cookies."""

import asyncio
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote

import aiohttp

from bench.measured_database import own_database
from domain.identity import sessions
from domain.tables import Learner
from host.auth.private_pages import TOKEN_COOKIE
from tests.support.faults.buyers import Buyer, sign_in
from tests.support.site import Site


@dataclass(frozen=True)
class Staff:
    """`cookie`: of the browser, for pages. `headers`: for calls."""

    cookie: str
    headers: dict[str, str]


def sign_in_admin(site: Site) -> Staff:
    database = own_database(site)
    with database.write_session() as session:
        admin = session.query(Learner).filter_by(email="admin@example.test").one()
        opened = sessions.open_session(session, admin.id, datetime.now(UTC), "admin")
    database.engine.dispose()
    cookie = f"sid={opened.cookie_secret}; {_token_cookie(opened.token)}"
    origin = f"http://localhost:{site.port}"
    about = {"Authorization": f"Bearer {opened.token}", "Origin": origin, "Sec-Fetch-Site": "same-origin"}
    return Staff(cookie, {"Cookie": cookie, **about})


async def sign_in_learner(site: Site, http: aiohttp.ClientSession, name: str) -> Buyer:
    return await asyncio.to_thread(sign_in, site, http, name)


def cookie_of(buyer: Buyer) -> str:
    """The cookies of a learner's browser, for private pages."""
    token = buyer.headers["Authorization"].removeprefix("Bearer ")
    return f"{buyer.headers['Cookie']}; {_token_cookie(token)}"


def _token_cookie(token: str) -> str:
    return f"{TOKEN_COOKIE}={quote(json.dumps({'accessToken': token}))}"
