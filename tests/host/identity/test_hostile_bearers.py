"""Invalid tokens and cookies, on every learner's call of the OpenAPI document, beside two valid sessions."""

import base64
import json
import re
import time
from datetime import UTC, datetime, timedelta

import pytest
from joserfc import jwt
from sqlalchemy import select

from domain.tables import Base, LearnerSession
from host.auth.token_cipher import TOKEN_CIPHER
from tests.host.identity.forger import OTHER

EXPIRED = "Your session has expired. Please sign in again."
NEEDED = "Sign in to continue."
NEEDED_BY_ORDER = "Sign in to go on with your order."
NEEDED_BY_ACCOUNT = "AccessToken is required to request MyAccount API endpoints."


def credentials(browser):
    return browser.user_info["accessToken"], browser.cookies["__Host-sid"]


def unsigned():
    parts = [{"alg": "none"}, {"sub": "00u1", "exp": int(time.time()) + 3600}]
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts) + "."


def changed(token):
    """The token with one letter in the middle replaced."""
    at = len(token) // 2
    return token[:at] + ("A" if token[at] != "A" else "B") + token[at + 1 :]


def invalid_credentials(site, ada, grace):
    """(bearer, session cookie, expected text) by what is invalid."""
    token, cookie = credentials(ada)
    their_token, their_cookie = credentials(grace)
    with site.db.read_session() as session:
        row = session.scalars(select(LearnerSession).order_by(LearnerSession.id)).first()
        id_token, access_token = (site.app[TOKEN_CIPHER].decrypt(token) for token in (row.id_token, row.access_token))
    assert id_token.count(".") == access_token.count(".") == 2
    return {
        "invented": ("x" * len(token), cookie, EXPIRED),
        "damaged": (changed(token), cookie, EXPIRED),
        "truncated": (token[:-1], cookie, EXPIRED),
        "with a suffix": (token + "x", cookie, EXPIRED),
        "with another learner's cookie": (token, their_cookie, EXPIRED),
        "another learner's with the first learner's cookie": (their_token, cookie, EXPIRED),
        "with a damaged cookie": (token, changed(cookie), EXPIRED),
        "without a cookie": (token, None, EXPIRED),
        "the cookie itself": (cookie, cookie, EXPIRED),
        "the encrypted token": (row.id_token[:200], cookie, EXPIRED),
        "the provider's id token": (id_token, cookie, NEEDED),
        "the provider's access token": (access_token, cookie, NEEDED),
        "a token of somebody's own": (jwt.encode({"alg": "RS256"}, {"sub": "00u1"}, OTHER), cookie, NEEDED),
        "a token without a signature": (unsigned(), cookie, EXPIRED),
        "nothing": (None, cookie, NEEDED),
        "empty": ("", cookie, NEEDED),
    }


def headers_of(bearer, cookie):
    headers = {} if bearer is None else {"Authorization": f"Bearer {bearer}"}
    return {**headers, **({} if cookie is None else {"Cookie": f"__Host-sid={cookie}"})}


async def learners_calls(site):
    """(method, path below /api/) of every operation for learners, with ids in the path."""
    document = await (await site.get("/openapi.json")).json()
    calls = [
        (method.upper(), re.sub(r"\{\w+\}", "1", path).removeprefix("/api/"))
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if "security" in operation
    ]
    assert len(calls) >= 12
    return calls


def database_rows(site):
    with site.db.read_session() as session:
        return {name: session.execute(table.select()).all() for name, table in Base.metadata.tables.items()}


def one_of_each(calls):
    """The first call of each kind: by its method and the first word of its path."""
    kinds = {}
    for method, name in calls:
        kinds.setdefault((method, name.split("/")[0]), (method, name))
    return list(kinds.values())


async def refused(site, calls, bearer, cookie):
    """The responses of these calls with these credentials."""
    responses = set()
    for method, name in calls:
        answer = await site.answer(name, None if method == "GET" else {}, headers_of(bearer, cookie), method)
        problem = await answer.json(content_type=None)
        responses.add((answer.status, problem["detail"], answer.headers.get("WWW-Authenticate"), answer.content_type))
        assert "Set-Cookie" not in answer.headers, name
    return responses


def refusal(text):
    """The responses expected of all calls: without a token those of the account name it, and
    that of an order's state says what it is needed for."""
    texts = (NEEDED, NEEDED_BY_ORDER, NEEDED_BY_ACCOUNT) if text == NEEDED else (text,)
    return {(401, each, "Bearer", "application/problem+json") for each in texts}


@pytest.fixture
async def site(world):
    return await world.open(LIMITS="off")


@pytest.fixture
async def ada(site, world):
    browser = world.browser(site)
    await browser.sign_in("ada")
    return browser


@pytest.fixture
async def grace(site, world):
    browser = world.browser(site)
    await browser.sign_in("warn")
    return browser


async def wrongly_answered(site, ada, grace, calls_for):
    """What is invalid -> responses that are no refusal of it; `calls_for` says which calls are tried with it."""
    wrong = {}
    for what, (bearer, cookie, text) in invalid_credentials(site, ada, grace).items():
        responses = await refused(site, calls_for(what), bearer, cookie)
        if responses != refusal(text):
            wrong[what] = responses
    return wrong


async def test_invalid_tokens_are_refused_by_every_call_and_change_nothing(site, ada, grace):
    """Every call gets nothing and another learner's cookie, and one call of each kind every invalid token."""
    before, calls = database_rows(site), await learners_calls(site)
    of_all = {"nothing": calls, "with another learner's cookie": calls}
    few = one_of_each(calls)
    assert await wrongly_answered(site, ada, grace, lambda what: of_all.get(what, few)) == {}
    assert database_rows(site) == before
    for browser in (ada, grace):
        assert (await browser.call("auth/session", "GET"))[0] == 200


@pytest.mark.soak
async def test_every_invalid_token_is_refused_by_every_call(site, ada, grace):
    before, calls = database_rows(site), await learners_calls(site)
    assert await wrongly_answered(site, ada, grace, lambda _what: calls) == {}
    assert database_rows(site) == before


async def test_signing_out_with_an_invalid_token_ends_no_session(site, ada, grace):
    before = database_rows(site)
    for bearer, cookie, _ in invalid_credentials(site, ada, grace).values():
        answer = await site.answer("auth/logout", {}, headers_of(bearer, cookie))
        assert await answer.json() == {"redirect": "/"}
    assert database_rows(site) == before
    assert (await ada.call("auth/session", "GET"))[0] == 200


async def test_after_signing_out_token_and_cookie_are_invalid(site, ada, grace):
    token, cookie = credentials(ada)
    await ada.call("auth/logout")
    before = database_rows(site)
    assert await refused(site, one_of_each(await learners_calls(site)), token, cookie) == refusal(EXPIRED)
    assert database_rows(site) == before
    assert (await grace.call("auth/session", "GET"))[0] == 200


async def test_after_45_minutes_token_and_cookie_are_invalid(site, ada, grace):
    token, cookie = credentials(ada)
    with site.db.write_session() as session:
        row = session.scalars(select(LearnerSession).order_by(LearnerSession.id)).first()
        assert timedelta(minutes=44) < row.expires_at - datetime.now(UTC) <= timedelta(minutes=45)
        row.expires_at = datetime.now(UTC)
    before = database_rows(site)
    assert await refused(site, one_of_each(await learners_calls(site)), token, cookie) == refusal(EXPIRED)
    assert database_rows(site) == before
    assert (await grace.call("auth/session", "GET"))[0] == 200
