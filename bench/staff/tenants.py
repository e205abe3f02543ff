"""Whether the time of an answer tells that a row of another organisation exists: medians of what another's ids and
ids of nobody take, for pages and calls of an organisation's area, asked in turn."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from statistics import median
from urllib.parse import quote

from sqlalchemy import select

from bench.comparison import ResultLine
from domain.database.database import Database, database_url
from domain.identity import sessions
from domain.seats import numbers
from domain.tables import Invitation, Membership, Seat
from host.auth.private_pages import TOKEN_COOKIE
from tests.support import factories
from tests.support.site import Site, running

SETTINGS = {"LIMITS": "off", "SSR_WORKERS": "1"}
ROUNDS, WARM_UP = 400, 40
NOBODY = 987_654_321
MAX_RATIO = 1.1

# Page or call -> its body, None for a page; {member}, {seat}, {invitation} and {contract} are ids.
REQUESTS: dict[str, dict[str, str] | None] = {
    "/data/organization/members/{member}": None,
    "/data/organization/seats/{seat}": None,
    "/data/organization/invitations/{invitation}": None,
    "/api/organization/members/{member}/team": {"team": "North"},
    "/api/organization/members/{member}/remove": {"reason": "Left"},
    "/api/organization/invitations/{invitation}/resend": {},
    "/api/organization/seats/{seat}/remind": {},
    "/api/organization/seats/{seat}/reclaim": {"reason": "Not used"},
    "/api/organization/contracts/{contract}/new-code": {},
}


@dataclass(frozen=True)
class World:
    """Headers of an organisation's owner, and ids of another organisation's rows by name."""

    headers: dict[str, str]
    others: dict[str, int]


def a8() -> list[ResultLine]:
    with running(**SETTINGS) as site:
        world = _two_organisations(site)
        return [_line(site, world, address, body) for address, body in REQUESTS.items()]


def _line(site: Site, world: World, address: str, body: dict[str, str] | None) -> ResultLine:
    foreign = address.format(**world.others)
    nobody = address.format(**dict.fromkeys(world.others, NOBODY))
    times: dict[str, list[float]] = {foreign: [], nobody: []}
    with _connection(site) as connection:
        for turn in range(WARM_UP + ROUNDS):
            # Each is first in every second turn: what follows another request may find warmer caches.
            for path in (foreign, nobody) if turn % 2 else (nobody, foreign):
                took = _answered(connection, path, body, world.headers)
                if turn >= WARM_UP:
                    times[path].append(took)
    figure, reference = median(times[foreign]), median(times[nobody])
    ratio = max(figure, reference) / min(figure, reference)
    return ResultLine(
        "A8",
        f"another organisation's id at {address}, median",
        f"< {MAX_RATIO} x",
        f"{figure:.2f} ms",
        f"{reference:.2f} ms an id of nobody",
        ratio,
        ratio < MAX_RATIO,
    )


@contextmanager
def _connection(site: Site) -> Iterator[HTTPConnection]:
    connection = HTTPConnection("localhost", site.port, timeout=20)
    try:
        yield connection
    finally:
        connection.close()


def _answered(connection: HTTPConnection, path: str, body: dict[str, str] | None, headers: dict[str, str]) -> float:
    """Milliseconds until the answer was read. Raises RuntimeError unless nothing is found."""
    began = time.perf_counter()
    if body is None:
        connection.request("GET", path, headers=headers)
    else:
        about = {**headers, "Content-Type": "application/json"}
        connection.request("POST", path, body=json.dumps(body).encode(), headers=about)
    response = connection.getresponse()
    text = response.read()
    took = (time.perf_counter() - began) * 1000
    # The data of a page says so inside: it is answered as the document would be.
    status = response.status if body is not None else json.loads(text)["status"]
    if status != 404:
        raise RuntimeError(f"{path} answered {status}: {text[:200]!r}")
    return took


def _two_organisations(site: Site) -> World:
    database, at = Database(database_url(None, site.var_dir), busy_ms=20_000), datetime.now(UTC)
    with database.write_session() as session:
        owner, rival = (factories.learner(session, name=name).id for name in ("Olga Own", "Rosa Rival"))
        ids = [factories.organisation(session, slug, slug.title()).id for slug in ("own-house", "rival-house")]
        contracts = []
        for learner_id, organisation_id in ((owner, ids[0]), (rival, ids[1])):
            factories.member(session, learner_id, organisation_id, role="owner")
            contract = factories.contract(
                session, organisation_id, seats=2, starts_at=at - timedelta(days=1), has_all_courses=True
            )
            numbers.set_number(session, contract, 2, at)
            contracts.append(contract.id)
        invitation = Invitation(
            organisation_id=ids[1],
            contract_id=contracts[1],
            email_key="ines@example.test",
            sent_at=at,
            expires_at=at + timedelta(days=14),
            invited_by=rival,
        )
        session.add(invitation)
        opened = sessions.open_session(session, owner, at, "organisation")
        sessions.choose_organisation(session, opened.id, ids[0])
        session.flush()
        others = {
            "member": session.scalars(select(Membership.id).where(Membership.learner_id == rival)).one(),
            "seat": session.scalars(select(Seat.id).where(Seat.contract_id == contracts[1]).limit(1)).one(),
            "invitation": invitation.id,
            "contract": contracts[1],
        }
    token = quote(json.dumps({"accessToken": opened.token}))
    headers = {
        "Cookie": f"sid={opened.cookie_secret}; {TOKEN_COOKIE}={token}",
        "Authorization": f"Bearer {opened.token}",
        "Origin": f"http://localhost:{site.port}",
    }
    return World(headers, others)
