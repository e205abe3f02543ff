"""Managers invite and change people of their own organisation; learners join by what they were sent."""

import base64
import hashlib
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, update

from domain.organisations import memberships
from domain.organisations.joining.accepting import UNKNOWN
from domain.tables import Contract, Invitation, LearnerSession, Membership, Organisation
from domain.tables import Learner as LearnerRow
from tests.host.admin.test_staff import page
from tests.host.api.admin.test_uploads_and_imports import complete
from tests.host.organisation.world import TwoOrganisations, two_organisations
from tests.host.signing import Learner, ended_job, learner
from tests.host.site import SHARED, Site

pytestmark = SHARED

FILE = b"email,name,team\r\nlea@own.example,Lea,Sales\r\nnobody,,\r\nomar@own.example,Omar,\r\nLEA@own.example,,\r\n"


def newcomer(site: Site, name: str, email: str = "", is_verified: bool = True) -> Learner:
    person = learner(site, name)
    with site.db.write_session() as session:
        row = session.get_one(LearnerRow, person.id)
        row.email, row.email_verified = email or f"p{person.id}@example.test", is_verified
    return person


def invitations(site: Site, organisation_id: int) -> list[Invitation]:
    with site.db.read_session() as session:
        own = Invitation.organisation_id == organisation_id
        return list(session.scalars(select(Invitation).where(own).order_by(Invitation.id)))


def membership(site: Site, person: Learner, organisation_id: int) -> Membership | None:
    with site.db.read_session() as session:
        own = (Membership.learner_id == person.id, Membership.organisation_id == organisation_id)
        return session.scalar(select(Membership).where(*own))


async def invite(world: TwoOrganisations, email: str, **about: str) -> None:
    status, answer = await world.manager.call("organization/invitations", email=email, **about)
    assert (status, answer["text"]) == (200, "The invitation is on its way.")


async def cards(person: Learner, query: str = "") -> dict:
    status, props = await page(person, f"/user-dashboard{query}")
    assert status == 200
    return props["learning"]["join"]


async def test_the_answer_is_the_same_whether_an_address_has_an_account_or_not(plain_site):
    world = two_organisations(plain_site, "known")
    person = newcomer(plain_site, "Known Person", "known@example.test")
    await invite(world, "known@example.test")
    await invite(world, "unknown@example.test")
    [card] = (await cards(person))["cards"]
    assert (card["kind"], card["organisation"], card["canShare"]) == ("invitation", "Known-Own", False)
    path = f"learning/invitations/{card['invitationId']}"
    assert await person.call(f"{path}/accept") == (200, {"organisation": "Known-Own", "isNew": True})
    assert await person.call(f"{path}/accept") == (200, {"organisation": "Known-Own", "isNew": False})
    assert membership(plain_site, person, world.own).role == "member"
    assert (await cards(person))["cards"] == []


async def test_invitations_of_others_are_not_found_in_the_same_bytes(plain_site):
    world = two_organisations(plain_site, "bytes")
    await invite(world, "somebody@example.test")
    number = invitations(plain_site, world.own)[0].id
    stranger = newcomer(plain_site, "Byte Stranger")
    answers = set()
    for key in (number, str(number), f"{number}.0", "[1]", "999999", "x"):
        for action in ("accept", "decline"):
            answer = await plain_site.answer(f"learning/invitations/{key}/{action}", {"token": "x"}, stranger.headers)
            answers.add((answer.status, (await answer.json())["detail"]))
    assert answers == {(404, UNKNOWN)}
    assert invitations(plain_site, world.own)[0].state == "sent"


async def test_a_code_and_a_domain_lead_in_and_wrong_ones_get_one_answer(plain_site):
    world = two_organisations(plain_site, "ways")
    with plain_site.db.write_session() as session:
        contract = session.scalars(select(Contract).where(Contract.organisation_id == world.own)).one()
        contract.join_code, contract.join_policy, number = "ABCDEFGHJKMN", "domain", contract.id
        session.get_one(Organisation, world.own).domains = ["ways.example"]
    by_code, by_domain = newcomer(plain_site, "Cody Code"), newcomer(plain_site, "Dom Domain", "dom@ways.example")
    [card] = (await cards(by_code, "?joinCode=abcd-efgh-jkmn"))["cards"]
    assert (await by_code.call("learning/join", code=card["code"]))[0] == 200
    [card] = (await cards(by_domain))["cards"]
    assert (await by_domain.call("learning/join", organisationId=card["organisationId"]))[0] == 200
    stranger = newcomer(plain_site, "Wrong Ways")
    refused = [await stranger.call("learning/join", code=code) for code in ("ABCDEFGHJKMP", "x", "A" * 12)]
    refused.append(await stranger.call("learning/join", organisationId=world.own))
    assert {(status, answer["detail"]) for status, answer in refused} == {(404, UNKNOWN)}
    assert (await stranger.call("learning/join"))[0] == 422
    assert (await cards(stranger, "?joinCode=x"))["refusal"] == UNKNOWN
    with plain_site.db.read_session() as session:
        assert session.get_one(Contract, number).join_code_uses == 1


@pytest.mark.parametrize("action", ["team", "role", "remove"])
async def test_members_of_others_are_not_found_whatever_form_their_number_has(plain_site, action):
    world = two_organisations(plain_site, f"member-{action}")
    rival = membership(plain_site, world.rival, world.other)
    body = {"team": {"team": "x"}, "role": {"role": "member"}, "remove": {"reason": "x"}}[action]
    answers = set()
    for key in (rival.id, f"{rival.id}.0", f"[{rival.id}]", "999999"):
        answer = await plain_site.answer(f"organization/members/{key}/{action}", body, world.owner.headers)
        answers.add((answer.status, (await answer.json())["detail"]))
    assert {status for status, _ in answers} == {404}
    # What is no number at all names no call.
    assert {text for _, text in answers} <= {memberships.UNKNOWN, "There is no call with this name."}
    after = membership(plain_site, world.rival, world.other)
    assert (after.role, after.team, after.ended_at) == ("owner", "", None)
    for path in (f"/organization/members/{rival.id}", f"/organization/invitations/{rival.id}"):
        assert (await page(world.manager, path))[0] == 404


async def test_a_manager_neither_changes_roles_nor_sees_the_profile(plain_site):
    world = two_organisations(plain_site, "manager")
    owner = membership(plain_site, world.owner, world.own)
    assert (await world.manager.call(f"organization/members/{owner.id}/role", role="member"))[0] == 403
    assert (await world.manager.call(f"organization/members/{owner.id}/remove", reason="x"))[0] == 403
    assert (await page(world.manager, "/organization/profile"))[0] == 403
    status, props = await page(world.manager, f"/organization/members/{owner.id}")
    assert (status, [action["id"] for action in props["actions"]]) == (200, ["team"])


async def test_an_owner_reads_what_a_role_may_before_somebody_gets_it(plain_site):
    world = two_organisations(plain_site, "preview")
    manager = membership(plain_site, world.manager, world.own)
    call = f"organization/members/{manager.id}/role/preview"
    status, shown = await world.owner.call(call, role="owner")
    assert (status, len(shown["effects"])) == (200, 1)
    assert "Max Ownwood preview" in shown["effects"][0]
    assert "change all roles, yours too" in shown["effects"][0]
    assert (await world.manager.call(call, role="owner"))[0] == 403
    assert membership(plain_site, world.manager, world.own).role == "manager"


async def test_a_change_of_owners_needs_a_recent_sign_in(plain_site):
    world = two_organisations(plain_site, "recent")
    manager = membership(plain_site, world.manager, world.own)
    with plain_site.db.write_session() as session:
        old = datetime.now(UTC) - timedelta(seconds=601)
        session.execute(
            update(LearnerSession).where(LearnerSession.learner_id == world.owner.id).values(authenticated_at=old)
        )
    for call, body in (
        (f"organization/members/{manager.id}/remove", {"reason": "x"}),
        ("organization/invitations", {"email": "new@own.example", "role": "owner"}),
    ):
        status, answer = await world.owner.call(call, **body)
        assert (status, answer["detail"]) == (403, "insufficient_authentication_context")
    assert (await world.owner.call("organization/invitations", email="new@own.example"))[0] == 200
    assert membership(plain_site, world.manager, world.own).ended_at is None


async def test_an_owner_names_the_organisation_asks_for_a_domain_and_makes_a_code(plain_site):
    world = two_organisations(plain_site, "profile")
    assert (await plain_site.call("organization/profile/name", {"name": "Ownwood Profile"}, world.owner.headers))[
        0
    ] == 200
    assert (await world.owner.call("organization/profile/request-domain", domain="gmail.com"))[0] == 422
    assert (await world.owner.call("organization/profile/request-domain", domain="ownwood.example"))[0] == 200
    with plain_site.db.read_session() as session:
        numbers = {
            row.organisation_id: row.id
            for row in session.scalars(select(Contract).where(Contract.organisation_id.in_((world.own, world.other))))
        }
    status, answer = await world.owner.call(f"organization/contracts/{numbers[world.own]}/new-code")
    assert (status, answer["text"].startswith("The new code is ")) == (200, True)
    assert (await world.owner.call(f"organization/contracts/{numbers[world.other]}/new-code"))[0] == 404
    _, props = await page(world.owner, "/organization/profile")
    assert (props["name"], props["partnerLink"].endswith(f"/d?k={world.own_slug}")) == ("Ownwood Profile", True)


async def send(person: Learner, purpose: str, content: bytes) -> int:
    """The id of an upload of one part."""
    about = {"name": "people.csv", "bytes": len(content), "purpose": purpose}
    status, upload = await person.site.call("uploads", about, person.headers)
    assert status == 201, upload
    digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
    headers = {
        **person.headers,
        "Content-Type": "application/octet-stream",
        "Content-Digest": f"sha-256=:{digest}:",
        "Origin": "https://shop.example",
    }
    answer = await person.site.answer(f"uploads/{upload['id']}/parts/0", content, headers, "PUT")
    assert answer.status == 200
    assert (await complete(person, upload["id"], content))[0] == 200
    return upload["id"]


async def test_a_file_is_checked_and_then_its_good_rows_are_invited_once(plain_site):
    world = two_organisations(plain_site, "file")
    upload = await send(world.manager, "members", FILE)
    about = {"uploadId": upload, "contractId": ""}
    _, check = await world.manager.call(
        "organization/people-files", **about, isCheck=True, idempotencyKey="check-0123456789"
    )
    status = await ended_job(world.manager, f"organization/people-files/{check['id']}")
    assert (status["state"], status["good"], status["bad"]) == ("done", 2, 2)
    assert [row["line"] for row in status["findings"]] == [3, 5]
    assert invitations(plain_site, world.own) == []
    for _ in range(2):
        _, job = await world.manager.call(
            "organization/people-files", **about, isCheck=False, idempotencyKey="write-0123456789"
        )
    await ended_job(world.manager, f"organization/people-files/{job['id']}")
    assert [row.email_key for row in invitations(plain_site, world.own)] == ["lea@own.example", "omar@own.example"]
    for path in (f"organization/people-files/{job['id']}", "organization/people-files/999999"):
        assert (await world.rival.get(path))[0] == 404
    assert (await world.rival.call(f"organization/people-files/{job['id']}/stop"))[0] == 404
    assert (await world.rival.call("organization/people-files", **about, isCheck=True, idempotencyKey="y" * 16))[
        0
    ] == 404
    assert (await page(world.rival, f"/organization/members/file?job={job['id']}"))[0] == 404
