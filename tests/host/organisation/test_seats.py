"""Seats by calls: managers give and take back those of their organisation alone, members keep and ask for their own."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from domain.seats import numbers
from domain.tables import AuditEvent, Contract, Learner, Product, Seat
from tests.host.organisation.world import TwoOrganisations, two_organisations
from tests.host.signing import Learner as Person
from tests.host.signing import learner
from tests.host.site import SHARED, Site
from tests.support import factories

pytestmark = SHARED


def with_seats(site: Site, name: str) -> tuple[TwoOrganisations, Person, int, str, dict[str, int]]:
    """Two organisations with a contract of two seats each, a member of the own one, its contract and a course."""
    world = two_organisations(site, name)
    member = learner(site, f"Mia Member {name}")
    now = datetime.now(UTC)
    with site.db.write_session() as session:
        factories.member(session, member.id, world.own)
        session.get_one(Learner, member.id).email = f"mia-{name}@example.test"
        category = factories.category(session, f"{name}-category", name).id
        course = factories.course(session, category, f"{name}-course")
        contracts = {}
        for key, organisation in (("own", world.own), ("other", world.other)):
            about = {"seats": 2, "seat_kind": "course", "starts_at": now - timedelta(days=9)}
            contract = factories.contract(session, organisation, course.id, **about)
            numbers.set_number(session, contract, 2, now)
            contracts[key] = contract.id
        return world, member, course.id, course.slug, contracts


def email_of(site: Site, person: Person) -> str:
    with site.db.read_session() as session:
        return session.scalars(select(Learner.email).where(Learner.id == person.id)).one()


def seat_of(site: Site, contract: int) -> Seat:
    with site.db.read_session() as session:
        return session.scalars(select(Seat).where(Seat.contract_id == contract).order_by(Seat.number)).all()[0]


async def test_a_manager_gives_a_seat_and_takes_it_back_with_a_reason(plain_site):
    world, member, course, slug, contracts = with_seats(plain_site, "give")
    values = {"contract": str(contracts["own"]), "email": email_of(plain_site, member), "course": slug}
    status, answer = await world.manager.call("organization/seats/assign", **values)
    assert (status, answer["text"]) == (200, "The seat is assigned, and a mail is on its way.")
    seat = seat_of(plain_site, contracts["own"])
    assert (seat.state, seat.learner_id, seat.product_id) == ("active", member.id, course)
    assert (await world.manager.call(f"organization/seats/{seat.id}/reclaim", reason=" "))[0] == 422
    assert (await world.manager.call(f"organization/seats/{seat.id}/reclaim", reason="Moved on"))[0] == 200
    assert seat_of(plain_site, contracts["own"]).state == "free"
    with plain_site.db.read_session() as session:
        events = select(AuditEvent.action, AuditEvent.reason).where(AuditEvent.subject_type == "seat")
        own = session.execute(events.where(AuditEvent.subject_id == str(seat.id)).order_by(AuditEvent.number)).all()
    assert [tuple(row) for row in own] == [("seat.assign", ""), ("seat.reclaim", "Moved on")]


async def test_seats_and_contracts_of_others_are_not_found_in_the_same_words(plain_site):
    world, member, _, slug, contracts = with_seats(plain_site, "foreign")
    foreign = seat_of(plain_site, contracts["other"])
    values = {"email": email_of(plain_site, member), "course": slug}
    answers = [
        await world.manager.call("organization/seats/assign", contract=contract, **values)
        for contract in (str(contracts["other"]), "999999", "1.5", "x")
    ]
    assert [status for status, _ in answers] == [404] * 4
    assert len({answer["detail"] for _, answer in answers}) == 1
    for action, body in (("remind", {}), ("reclaim", {"reason": "No"})):
        known = await world.manager.call(f"organization/seats/{foreign.id}/{action}", **body)
        unknown = await world.manager.call(f"organization/seats/999999/{action}", **body)
        assert (known[0], known[1]["detail"]) == (404, unknown[1]["detail"])
    wrong: list[Any] = [contracts["other"], [str(contracts["other"])], {"id": 1}, None]
    statuses = [(await world.manager.call("organization/seats/assign", contract=id_, **values))[0] for id_ in wrong]
    assert statuses == [422] * 4
    assert seat_of(plain_site, contracts["other"]).version == foreign.version


async def test_a_member_asks_waits_keeps_and_pauses(plain_site):
    _, member, course, _, contracts = with_seats(plain_site, "ask")
    status, answer = await member.call("learning/seats/requests", courseId=course)
    assert (status, answer["text"]) == (200, "You have a seat: the course is open.")
    seat = seat_of(plain_site, contracts["own"])
    stranger = learner(plain_site, "Stella Stranger ask")
    for path in ("keep", "pause"):
        body = {"days": 10} if path == "pause" else {}
        assert (await stranger.call(f"learning/seats/{seat.id}/{path}", **body))[0] == 404
        assert (await member.call(f"learning/seats/{seat.id}/{path}", **body))[0] == 200
    assert (await member.call(f"learning/seats/{seat.id}/pause", days=10))[0] == 403
    kept = seat_of(plain_site, contracts["own"])
    assert None not in (kept.confirmed_at, kept.paused_until)
    assert (await stranger.call("learning/seats/requests", courseId=course))[0] == 403
    assert (await member.call("learning/seats/requests", courseId=course))[0] == 403


async def test_members_of_the_own_organisation_alone_are_picked(plain_site):
    world, member, _, _, _ = with_seats(plain_site, "pick")
    status, answer = await world.manager.get("organization/picker/members?q=mia")
    email = email_of(plain_site, member)
    assert (status, answer) == (200, {"options": [{"value": email, "text": "Mia Member pick", "detail": email}]})
    status, answer = await world.rival.get("organization/picker/members?q=mia")
    assert (status, answer) == (200, {"options": []})


async def test_courses_are_picked_with_the_price_of_a_seat_by_owners(plain_site):
    world, _, course, slug, _ = with_seats(plain_site, "course")
    assert (await world.manager.get("organization/picker/courses?q=course"))[0] == 403
    status, answer = await world.owner.get("organization/picker/courses?q=course%20c")
    with plain_site.db.read_session() as session:
        name = session.get_one(Product, course).name
    assert status == 200
    assert [(row["value"], row["text"]) for row in answer["options"]] == [(slug, name)]


@pytest.mark.parametrize("role", ["manager", "owner"])
async def test_owners_alone_buy_first_seats_with_a_form_of_their_own(plain_site, role):
    world, _, _, slug, _ = with_seats(plain_site, f"first-{role}")
    body = {"key": "k", "course": slug, "unitMinor": "1", "quantity": "1", "terms": "2026-01-01"}
    choices = {"showsNames": "no", "joiningGivesSeat": "no"}
    status, _ = await getattr(world, role).call("organization/seats/buy-first", **body, **choices)
    assert status == (403 if role == "manager" else 422)


@pytest.mark.parametrize("role", ["manager", "owner"])
async def test_owners_alone_buy_seats(plain_site, role):
    world, _, _, _, contracts = with_seats(plain_site, f"buy-{role}")
    body = {"key": "k", "contract": str(contracts["own"]), "unitMinor": "1", "quantity": "1", "terms": "2026-01-01"}
    status, _ = await getattr(world, role).call("organization/seats/buy", **body)
    assert status == (403 if role == "manager" else 422)
    with plain_site.db.read_session() as session:
        assert session.get_one(Contract, contracts["own"]).seats == 2
