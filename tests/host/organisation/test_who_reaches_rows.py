"""Every call and page of an organisation, made from the registries, for all who must not reach its rows: strangers,
learners, its members, its former managers and owners, and managers and owners of another organisation."""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import bindparam, select

from domain.database.prepared_select import PreparedSelect
from domain.identity import own_memberships
from domain.identity.own_memberships import OwnMembership
from domain.permissions import permissions_of
from domain.routes import area_pages
from domain.tables import Contract, Invitation, Membership, Organisation, Seat
from host.api.registry import CALLS, Call
from tests.host.organisation.test_foreign_ids import CALLED, IN_BODIES, SHOWN, no_tenant, rivals
from tests.host.organisation.test_tenants import FILES
from tests.host.organisation.world import OTHER_MARKS, TwoOrganisations, two_organisations
from tests.host.signing import learner
from tests.host.site import SHARED, Site
from tests.host.test_area_matrix import sent_by
from tests.support import factories
from tests.support.factories import NOON

pytestmark = SHARED

NOTHING: dict[str, str] = {}
CALLS_OF_AREA = [call for call in CALLS.values() if call.policy.area == "organisation"]
PAGES = [page for page in area_pages() if page.area.id == "organization" and page.served and page.permission]
# What those people are to the organisation whose rows are asked for.
OUTSIDERS = ("stranger", "learner", "member", "former manager", "former owner")
# They manage or own another organisation.
INSIDERS = ("manager", "owner")


@dataclass(frozen=True)
class Person:
    """What is sent with a call, and with a document."""

    headers: dict[str, str]
    document: dict[str, str]


def people(site: Site, world: TwoOrganisations, name: str) -> dict[str, Person]:
    """The sessions of members and former managers are for the other organisation, as if it was chosen in time."""
    found = {"stranger": Person(NOTHING, NOTHING)}
    signed_in = {
        "learner": learner(site, f"Lena {name}"),
        "member": learner(site, f"Mia {name}", area="organisation"),
        "former manager": learner(site, f"Fritz {name}", area="organisation"),
        "former owner": learner(site, f"Olaf {name}", area="organisation"),
        "manager": world.manager,
        "owner": world.owner,
    }
    with site.db.write_session() as session:
        for who in ("member", "former manager", "former owner"):
            row = factories.member(session, signed_in[who].id, world.other, role=who.rpartition(" ")[2])
            row.ended_at = NOON if who.startswith("former") else None
    for who in ("member", "former manager", "former owner"):
        signed_in[who].choose(world.other)
    return found | {who: Person(person.headers, sent_by(person)) for who, person in signed_in.items()}


def rows_of(site: Site, organisation: int) -> dict[str, list[Any]]:
    contracts = select(Contract.id).where(Contract.organisation_id == organisation)
    conditions: dict[type, Any] = {
        Organisation: Organisation.id == organisation,
        Seat: Seat.contract_id.in_(contracts),
        **{table: table.organisation_id == organisation for table in (Contract, Invitation, Membership)},
    }
    with site.db.read_session() as session:
        return {
            table.__name__: [*session.execute(table.__table__.select().where(condition).order_by(table.__table__.c.id))]
            for table, condition in conditions.items()
        }


def bodies(call: Call, ids: dict[str, int]) -> list[dict[str, Any]]:
    """What names rows of the other organisation, with all that the call needs besides."""
    named = [{**body, field: ids[kind]} for name, field, kind, body in IN_BODIES if name == call.name]
    named += [{**body, field: str(ids[kind])} for name, field, kind, body in IN_BODIES if name == call.name]
    if named or call.name in CALLED:
        return named or [CALLED[call.name][1]]
    return [{}, {"organisation": ids["organisation"], "organisationId": ids["organisation"]}]


async def called(site: Site, person: Person, ids: dict[str, int]) -> dict[tuple[str, str], list[tuple[int, str]]]:
    """Method and name -> status and text of each answer."""
    found: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for call in CALLS_OF_AREA:
        kind = CALLED[call.name][0] if call.name in CALLED else "organisation"
        address = re.sub(r"\{\w+\}", str(ids[kind]), call.name)
        for body in bodies(call, ids):
            answer = await site.answer(address, None if call.method == "GET" else body, person.headers, call.method)
            found.setdefault((call.method, call.name), []).append((answer.status, await answer.text()))
    return found


async def opened(site: Site, person: Person, ids: dict[str, int]) -> dict[str, tuple[int, str]]:
    """Address -> status, that which the data of a page say of it, and text."""
    found = {}
    for page in PAGES:
        path = page.path.replace("{id}", str(ids[SHOWN[page.path]])) if page.path in SHOWN else page.path
        answer = await site.get(f"/data{path}", **person.document)
        told = await answer.json()
        status = 303 if "location" in told else told["status"]
        found[f"/data{page.path}"] = (status, await answer.text())
    for path in FILES:
        answer = await site.get(f"/csv{path}", **person.document)
        found[f"/csv{path}"] = (answer.status, await answer.text())
    return found


def marked(texts: list[tuple[int, str]]) -> bool:
    return any(mark in text for _, text in texts for mark in OTHER_MARKS)


@pytest.mark.parametrize("who", OUTSIDERS)
async def test_nobody_outside_reaches_a_row_by_a_call_or_page(plain_site, who):
    world = two_organisations(plain_site, f"out-{who.replace(' ', '-')}")
    ids = {**rivals(plain_site, world), "organisation": world.other}
    person = people(plain_site, world, f"out {who}")[who]
    before = rows_of(plain_site, world.other)
    calls, pages = await called(plain_site, person, ids), await opened(plain_site, person, ids)
    refused = 401 if who == "stranger" else 403
    assert {name: {status for status, _ in answers} for name, answers in calls.items()} == {
        (call.method, call.name): {refused} for call in CALLS_OF_AREA
    }
    # Whoever may not enter at all is led to the sign-in or the choice, a member is told which permission is missing.
    assert {status for status, _ in pages.values()} <= {303, 403}
    assert not marked([answer for answers in calls.values() for answer in answers] + list(pages.values()))
    assert rows_of(plain_site, world.other) == before


@pytest.mark.parametrize("who", INSIDERS)
async def test_nobody_of_another_organisation_reaches_a_row(plain_site, who):
    world = two_organisations(plain_site, f"in-{who}")
    ids = {**rivals(plain_site, world), "organisation": world.other}
    person = people(plain_site, world, f"in {who}")[who]
    before = rows_of(plain_site, world.other)
    calls, pages = await called(plain_site, person, ids), await opened(plain_site, person, ids)
    permissions = permissions_of("organisation", (who,))
    for call in CALLS_OF_AREA:
        statuses = {status for status, _ in calls[call.method, call.name]}
        if call.policy.permission not in permissions:
            assert statuses == {403}, call.name
        elif call.name in CALLED:
            assert statuses == {404}, call.name
        elif any(call.name == name for name, *_ in IN_BODIES):
            assert statuses <= {404, 422}, call.name
        else:
            assert max(statuses) < 500, call.name
    for page in PAGES:
        may_open = page.permission in permissions
        assert pages[f"/data{page.path}"][0] == (403 if not may_open else 404 if page.path in SHOWN else 200), page.path
    assert not marked([answer for answers in calls.values() for answer in answers] + list(pages.values()))
    assert rows_of(plain_site, world.other) == before


async def test_without_the_ends_of_memberships_a_former_manager_would_reach_them(plain_site, monkeypatch):
    """The negative control."""
    world = two_organisations(plain_site, "not-left")
    ids = {**rivals(plain_site, world), "organisation": world.other}
    person = people(plain_site, world, "not left")["former manager"]
    columns = [Organisation.__table__.c[name] for name in ("id", "slug", "name", "logo", "state")]
    columns += [Membership.__table__.c[name] for name in ("role", "is_restricted")]
    ended_too = select(*columns).join(Membership.__table__, Membership.organisation_id == Organisation.id)
    of_person = ended_too.where(Membership.learner_id == bindparam("learner"))
    monkeypatch.setattr(own_memberships, "_MEMBERSHIPS", PreparedSelect(of_person, OwnMembership._make))
    calls = await called(plain_site, person, ids)
    assert {status for status, _ in calls["POST", "organization/members/{id}/team"]} == {200}


async def test_without_the_tenant_a_manager_of_another_organisation_would_change_them(plain_site):
    """The negative control."""
    world = two_organisations(plain_site, "no-tenant")
    ids = {**rivals(plain_site, world), "organisation": world.other}
    before = rows_of(plain_site, world.other)
    with no_tenant():
        await called(plain_site, Person(world.manager.headers, NOTHING), ids)
    assert rows_of(plain_site, world.other) != before
