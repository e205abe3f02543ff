"""Bearers that must not count, on every call of the OpenAPI document that takes a learner, beside real sign-ins."""

import base64
import json
import re
import time
from datetime import UTC, datetime, timedelta

import pytest
from joserfc import jwt
from sqlalchemy import select

from domain.tables import Base, LearnerSession
from host import keys
from tests.host.identity.forger import OTHER

OVER = "Your sign-in is over. Please sign in again."
NEEDED = "Sign in to go on."


def halves(browser):
    return browser.user_info["accessToken"], browser.cookies["__Host-sid"]


def unsigned():
    parts = [{"alg": "none"}, {"sub": "00u1", "exp": int(time.time()) + 3600}]
    return ".".join(base64.urlsafe_b64encode(json.dumps(one).encode()).decode().rstrip("=") for one in parts) + "."


def changed(handle):
    """One letter in the middle is another one."""
    at = len(handle) // 2
    return handle[:at] + ("A" if handle[at] != "A" else "B") + handle[at + 1 :]


def given(site, ada, grace):
    """(bearer, half, what is said) by what is wrong with them."""
    handle, half = halves(ada)
    theirs, their_half = halves(grace)
    with site.db.reading() as session:
        row = session.scalars(select(LearnerSession).order_by(LearnerSession.id)).first()
        id_token, access_token = (site.app[keys.SECRET].opened(one) for one in (row.id_token, row.access_token))
    assert id_token.count(".") == access_token.count(".") == 2
    return {
        "invented": ("x" * len(handle), half, OVER),
        "damaged": (changed(handle), half, OVER),
        "cut": (handle[:-1], half, OVER),
        "with something behind it": (handle + "x", half, OVER),
        "with another learner's half": (handle, their_half, OVER),
        "another learner's with one's own half": (theirs, half, OVER),
        "with a damaged half": (handle, changed(half), OVER),
        "without a half": (handle, None, OVER),
        "the half itself": (half, half, OVER),
        "the sealed token": (row.id_token[:200], half, OVER),
        "the provider's id token": (id_token, half, NEEDED),
        "the provider's access token": (access_token, half, NEEDED),
        "a token of somebody's own": (jwt.encode({"alg": "RS256"}, {"sub": "00u1"}, OTHER), half, NEEDED),
        "a token without a signature": (unsigned(), half, OVER),
        "nothing": (None, half, NEEDED),
        "empty": ("", half, NEEDED),
    }


def headers_of(bearer, half):
    said = {} if bearer is None else {"Authorization": f"Bearer {bearer}"}
    return {**said, **({} if half is None else {"Cookie": f"__Host-sid={half}"})}


async def learners_calls(site):
    """(method, path below /api/) of every operation that takes a learner; names in the path are filled."""
    document = await (await site.get("/openapi.json")).json()
    found = [
        (method.upper(), re.sub(r"\{\w+\}", "1", path).removeprefix("/api/"))
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if "security" in operation
    ]
    assert len(found) >= 12
    return found


def records(site):
    with site.db.reading() as session:
        return {name: session.execute(table.select()).all() for name, table in Base.metadata.tables.items()}


async def refused(site, bearer, half):
    """What every call says to them: one word each, or a list to look at."""
    said = set()
    for method, name in await learners_calls(site):
        answer = await site.answer(name, None if method == "GET" else {}, headers_of(bearer, half), method)
        told = await answer.json(content_type=None)
        said.add((answer.status, told["detail"], answer.headers.get("WWW-Authenticate"), answer.content_type))
        assert "Set-Cookie" not in answer.headers, name
    return said


def refusal(text):
    return {(401, text, "Bearer", "application/problem+json")}


@pytest.fixture
async def site(world):
    return await world.open(LIMITS="off")


@pytest.fixture
async def ada(site, world):
    made = world.browser(site)
    await made.sign_in("ada")
    return made


@pytest.fixture
async def grace(site, world):
    made = world.browser(site)
    await made.sign_in("warn")
    return made


async def test_hostile_bearers_are_refused_by_every_call_and_change_nothing(site, ada, grace):
    before, wrong = records(site), {}
    for what, (bearer, half, text) in given(site, ada, grace).items():
        said = await refused(site, bearer, half)
        if said != refusal(text):
            wrong[what] = said
    assert wrong == {}
    assert records(site) == before
    for one in (ada, grace):
        assert (await one.call("auth/session", "GET"))[0] == 200


async def test_signing_out_with_a_hostile_bearer_ends_nobodys_sign_in(site, ada, grace):
    before = records(site)
    for bearer, half, _ in given(site, ada, grace).values():
        answer = await site.answer("auth/logout", {}, headers_of(bearer, half))
        assert await answer.json() == {"redirect": "/"}
    assert records(site) == before
    assert (await ada.call("auth/session", "GET"))[0] == 200


async def test_after_signing_out_both_halves_are_worth_nothing(site, ada, grace):
    handle, half = halves(ada)
    await ada.call("auth/logout")
    before = records(site)
    assert await refused(site, handle, half) == refusal(OVER)
    assert records(site) == before
    assert (await grace.call("auth/session", "GET"))[0] == 200


async def test_after_45_minutes_both_halves_are_worth_nothing(site, ada, grace):
    handle, half = halves(ada)
    with site.db.session() as session:
        row = session.scalars(select(LearnerSession).order_by(LearnerSession.id)).first()
        assert timedelta(minutes=44) < row.expires_at - datetime.now(UTC) <= timedelta(minutes=45)
        row.expires_at = datetime.now(UTC)
    before = records(site)
    assert await refused(site, handle, half) == refusal(OVER)
    assert records(site) == before
    assert (await grace.call("auth/session", "GET"))[0] == 200
