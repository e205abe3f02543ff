"""Applying for an organisation: the form, the page of one's application, and the decision of the staff."""

from typing import Any

import pytest
from sqlalchemy import select

from domain.tables import Learner as LearnerRow
from domain.tables import Organisation
from tests.host.admin.test_staff import page
from tests.host.signing import Learner, learner
from tests.host.site import SHARED, Site
from tests.host.test_area_matrix import sent_by

pytestmark = SHARED

FORM = {
    "name": "Fjord Logistics",
    "website": "https://fjord.example",
    "size": 340,
    "domains": ["fjord.example"],
    "request": "Data protection for about 60 people.",
    "acceptsTerms": True,
}


@pytest.fixture
def administrator(plain_site) -> Learner:
    return learner(plain_site, "Applying administrator", area="admin", roles=["administrator"])


def applicant(site: Site, name: str, area: str = "learner", is_verified: bool = True) -> Learner:
    person = learner(site, name, area=area)
    with site.db.write_session() as session:
        row = session.get_one(LearnerRow, person.id)
        row.email, row.email_verified = f"{person.id}@example.test", is_verified
    return person


async def send_application(person: Learner, name: str, slug: str) -> tuple[int, Any]:
    return await person.site.call(name, {**FORM, "slug": slug}, person.headers)


async def apply(person: Learner, slug: str) -> int:
    status, answer = await send_application(person, "organization/applications", slug)
    assert (status, answer["href"]) == (201, f"/organization/application?application={answer['id']}")
    return answer["id"]


def state(site: Site, number: int) -> str:
    with site.db.read_session() as session:
        return session.scalars(select(Organisation.state).where(Organisation.id == number)).one()


async def test_the_form_waits_for_a_verified_address(plain_site):
    person = applicant(plain_site, "Vera Unverified", is_verified=False)
    data = await plain_site.get("/data/organization-register", **sent_by(person))
    props = (await data.json())["props"]
    assert (props["isVerified"], props["open"]) == (False, None)
    status, _ = await send_application(person, "organization/applications", "unverified")
    assert status == 403


async def test_an_applicant_is_asked_answers_and_is_approved(plain_site, administrator):
    person = applicant(plain_site, "Nils Applicant")
    number = await apply(person, "fjord-applied")
    path = f"admin/organisations/{number}"
    _, props = await page(administrator, f"/{path}")
    assert [action["id"] for action in props["actions"]] == ["approve", "ask", "decline"]
    assert (await administrator.call(f"{path}/ask", text="Which ports?"))[0] == 200
    _, own = await page(person, "/organization/application")
    assert (own["stateText"], own["thread"][-1]["text"]) == ("We have a question", "Which ports?")
    assert (await person.call(own["actions"][0]["call"].removeprefix("/"), text="Oslo and Bergen."))[0] == 200
    assert (await administrator.call(f"{path}/approve", domains="approve"))[0] == 200
    assert state(plain_site, number) == "approved"
    assert (await administrator.call(f"{path}/decline", text="Too late"))[0] == 403


async def test_until_it_is_approved_the_area_is_the_page_of_the_application_alone(plain_site):
    person = applicant(plain_site, "Olav Waiting", area="organisation")
    await apply(person, "olav-waits")
    for path in ("/organization", "/organization/members", "/organization/orders"):
        answer = await plain_site.get(path, **sent_by(person))
        assert (answer.status, answer.headers["Location"]) == (303, "/organization/application")
    assert (await plain_site.get("/organization/application", **sent_by(person))).status == 200
    assert (await person.call("organization/members/1/team", team="x"))[0] == 403


async def test_a_declined_application_is_sent_again_and_strangers_find_nothing(plain_site, administrator):
    person, stranger = (applicant(plain_site, name) for name in ("Dora Declined", "Sten Stranger"))
    number = await apply(person, "dora-declined")
    await administrator.call(f"admin/organisations/{number}/decline", text="We need a website.")
    _, own = await page(person, f"/organization/application?application={number}")
    assert (own["stateText"], own["again"]["name"]) == ("Declined", FORM["name"])
    call = f"organization/applications/{number}"
    refused = [
        await send_application(stranger, f"{call}/resubmit", "dora"),
        await stranger.call(f"{call}/answer", text="x"),
    ]
    refused.append(await stranger.call("organization/applications/999999/answer", text="x"))
    assert [answer[0] for answer in refused] == [404, 404, 404]
    assert (await page(stranger, f"/organization/application?application={number}"))[0] == 404
    assert (await send_application(person, f"{call}/resubmit", "dora-declined"))[0] == 200
    assert state(plain_site, number) == "submitted"


async def test_support_reads_organisations_and_decides_nothing(plain_site):
    person = applicant(plain_site, "Pia Read")
    number = await apply(person, "pia-reads")
    support = learner(plain_site, "Applying support", area="admin", roles=["support"])
    status, props = await page(support, f"/admin/organisations/{number}")
    assert (status, props["actions"]) == (200, [])
    assert (await support.call(f"admin/organisations/{number}/approve"))[0] == 403
    _, home = await page(support, "/admin")
    (tile,) = [entry for entry in home["waiting"] if "organisation" in entry["text"]]
    _, waiting = await page(support, tile["href"])
    assert len(waiting["table"]["rows"]) == tile["count"]
    assert {row["cells"][1]["text"] for row in waiting["table"]["rows"]} <= {"To decide", "Asked for information"}
    assert (await page(support, f"/admin/organisations/{number}/members"))[0] == 200
    assert (await page(support, "/admin/organisations/999999"))[0] == 404
