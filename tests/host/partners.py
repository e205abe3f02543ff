"""A partner with a contract for one course, and those who see nothing else: its members, its doorway's visitors."""

from http.cookies import SimpleCookie
from typing import Any

from aiohttp import ClientResponse
from sqlalchemy import select

from domain.tables import Organisation
from tests.host.signing import Learner, learner
from tests.host.site import Site
from tests.support import factories
from tests.support.factories import NOON

SEEN, HIDDEN = "vat-basics", "course-01"
APART = ("private, no-store", "Accept-Encoding, Cookie")


def add_partner(site: Site, **about: Any) -> None:
    with site.db.write_session() as session:
        organisation = factories.organisation(session, **{"logo": "/files/northwind.png", **about})
        factories.contract(session, organisation.id, site.id_of(SEEN), is_restricted=True, starts_at=NOON)


def restricted(site: Site, **about: Any) -> Learner:
    """A member who sees what the contract names."""
    member = learner(site)
    with site.db.write_session() as session:
        organisation_id = session.scalars(select(Organisation.id)).one()
        factories.member(session, member.id, organisation_id, **{"is_restricted": True, **about})
    return member


async def through_a_doorway(site: Site) -> str:
    """The Cookie header of somebody who followed the partner's link."""
    return "; ".join(f"{name}={value}" for name, value in cookies(await site.get("/d?k=northwind")).items())


def cookies(answer: ClientResponse) -> dict[str, str]:
    """What an answer sets."""
    return {
        entry.key: entry.value
        for head in answer.headers.getall("Set-Cookie", ())
        for entry in SimpleCookie(head).values()
    }
