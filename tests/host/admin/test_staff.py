"""/admin/staff and its calls: roles are given and taken, recorded, by others than their holder."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import delete, select

from domain.identity.roles import roles_of
from domain.tables import Learner as LearnerRow
from domain.tables import LearnerSession, StaffRole
from tests.host.signing import Learner, learner
from tests.host.site import SHARED, Site
from tests.host.test_area_matrix import sent_by
from tests.support import factories

pytestmark = SHARED


@pytest.fixture
def administrator(plain_site) -> Learner:
    return learner(plain_site, "Staff administrator", area="admin", roles=["administrator"])


@pytest.fixture
def grace(plain_site) -> Learner:
    """Somebody without a role."""
    person = learner(plain_site, "Grace Hopper")
    with plain_site.db.write_session() as session:
        factories.staff(session, person.id)
    return person


def number(site: Site, learner_id: int) -> str:
    with site.db.read_session() as session:
        return session.get_one(LearnerRow, learner_id).student_number.upper()


def roles(site: Site, learner_id: int) -> tuple[str, ...]:
    with site.db.read_session() as session:
        return roles_of(session, learner_id)


async def page(person: Learner, path: str) -> tuple[int, Any]:
    answer = await person.site.get(f"/data{path}", **sent_by(person))
    data = await answer.json()
    return data["status"], data["props"]


async def test_a_role_is_given_by_student_number_and_shown_with_its_event(plain_site, administrator, grace):
    student_number = number(plain_site, grace.id)
    body = {"studentNumber": f" {student_number.lower()} ", "role": "editor", "reason": "Joined the team"}
    answers = [await administrator.call("admin/staff", **body) for _ in range(2)]
    said = {"text": "They have the role editor now.", "href": f"/admin/staff/{grace.id}", "undo": None}
    assert answers == [(200, {"learnerId": grace.id, "changed": changed, **said}) for changed in (True, False)]
    status, props = await page(administrator, f"/admin/staff/{grace.id}")
    assert (status, props["heading"], props["facts"][0]["cell"]["text"]) == (200, "Grace Hopper", student_number)
    assert [row["value"] for row in props["actions"][1]["fields"][0]["options"]] == ["editor"]
    events = next(table for table in props["tables"] if table["id"] == "events")
    cells = [cell and cell.get("text") for cell in events["rows"][0]]
    assert cells == [
        *("Gave a role to staff member “Grace Hopper”", None, "Staff administrator"),
        *("Roles: none → Editor", "Joined the team"),
    ]


async def test_a_role_is_taken_and_with_the_last_one_the_page(plain_site, administrator, grace):
    path = f"admin/staff/{grace.id}"
    for role in ("editor", "finance"):
        assert (await administrator.call(f"{path}/add", role=role, reason="x"))[0] == 200
    last = "It is their last role: they are signed out of this area at once."
    for role, said, href in (
        ("finance", "The role finance counts no more from their next step on.", None),
        ("editor", last, "/admin/staff"),
    ):
        shown = await administrator.call(f"{path}/remove/preview", role=role, reason="Left")
        assert (shown[0], shown[1]["effects"]) == (200, [said])
        undo = {"call": f"/{path}/add", "body": {"role": role, "reason": "Undone"}}
        about = {"text": f"They do not have the role {role} any more.", "href": href, "undo": undo}
        taken = await administrator.call(f"{path}/remove", role=role, reason="Left")
        assert taken == (200, {"learnerId": grace.id, "changed": True, **about})
    assert roles(plain_site, grace.id) == ()
    assert (await page(administrator, f"/admin/staff/{grace.id}"))[0] == 404


async def test_a_role_that_is_taken_away_counts_at_the_next_call(plain_site, administrator, grace):
    editor = learner(plain_site, "Next call", area="admin", roles=["editor", "finance"])
    assert (await page(editor, "/admin/imports"))[0] == 200
    assert (await plain_site.call("admin/categories", {"name": "Before"}, editor.headers))[0] == 201
    taken = await administrator.call(f"admin/staff/{editor.id}/remove", role="editor", reason="Left")
    assert taken[1]["changed"]
    assert (await page(editor, "/admin/imports"))[0] == 403
    assert (await plain_site.call("admin/categories", {"name": "After"}, editor.headers))[0] == 403


WHY = {"reason": "Joined"}

REFUSED = {
    "an unknown number": (
        "admin/staff",
        {"studentNumber": "S-0000-0000", "role": "editor", **WHY},
        422,
        "studentNumber",
    ),
    "an unknown role": ("admin/staff/{grace}/add", {"role": "owner", **WHY}, 422, "role"),
    "an unknown person": ("admin/staff/987654/add", {"role": "editor", **WHY}, 404, "There is no such person."),
    "no reason": ("admin/staff/{grace}/add", {"role": "editor", "reason": " "}, 422, "reason"),
    "oneself": ("admin/staff/{me}/add", {"role": "editor", **WHY}, 403, "Nobody changes their own roles."),
}


@pytest.mark.parametrize("case", REFUSED)
async def test_what_nobody_may_do_is_refused_and_changes_nothing(plain_site, administrator, grace, case):
    name, body, status, text = REFUSED[case]
    answer = await administrator.call(name.format(grace=grace.id, me=administrator.id), **body)
    assert answer[0] == status
    assert text in answer[1]["detail"] or text in answer[1].get("errors", {})
    assert (roles(plain_site, grace.id), roles(plain_site, administrator.id)) == ((), ("administrator",))


async def test_the_last_administrator_cannot_be_removed(plain_site, grace):
    """By a command, or by somebody who was an administrator a moment ago, it might be tried."""
    with plain_site.db.write_session() as session:
        session.execute(delete(StaffRole))
    only, other = (
        learner(plain_site, name, area="admin", roles=["administrator"]) for name in ("Only One", "Other One")
    )
    _, waiting = await only.call(f"admin/staff/{other.id}/remove", role="administrator", reason="x")
    assert (await other.call(f"{waiting['href'].removeprefix('/')}/confirm"))[0] == 200
    status, _ = await other.call(f"admin/staff/{only.id}/remove", role="administrator", reason="x")
    # Who has lost the role is signed out of the area at once.
    assert (status, roles(plain_site, only.id)) == (401, ("administrator",))


async def test_roles_are_changed_only_after_a_recent_sign_in(plain_site, grace):
    old = datetime.now(UTC) - timedelta(minutes=11)
    stale = learner(plain_site, "Stale Administrator", at=old, area="admin", roles=["administrator"])
    status, answer = await stale.call(f"admin/staff/{grace.id}/add", role="editor")
    assert (status, answer["detail"], answer["maxAge"]) == (403, "insufficient_authentication_context", 600)
    assert roles(plain_site, grace.id) == ()


async def test_the_list_shows_everybody_with_a_role_and_filters_by_it(plain_site, administrator, grace):
    await administrator.call(f"admin/staff/{grace.id}/add", role="finance", reason="x")
    _, props = await page(administrator, "/admin/staff?role=finance")
    rows = {row["id"]: [cell and cell.get("text") for cell in row["cells"]] for row in props["table"]["rows"]}
    assert rows[str(grace.id)][:2] == ["Grace Hopper", "Finance"]
    assert str(administrator.id) not in rows
    assert props["table"]["csvHref"] == "/csv/admin/staff?role=finance"


async def test_nobody_finds_forms_on_their_own_page(plain_site, administrator):
    _, props = await page(administrator, f"/admin/staff/{administrator.id}")
    assert (props["actions"], props["note"][:34]) == ([], "Nobody changes their own roles. As")


async def test_the_file_of_the_staff_says_who_gave_the_roles_and_needs_a_recent_sign_in(
    plain_site, administrator, grace
):
    student_number = number(plain_site, grace.id)
    await administrator.call("admin/staff", studentNumber=student_number, role="editor", reason="Joined the team")
    response = await plain_site.get("/csv/admin/staff?role=editor&columns=name&columns=by", **sent_by(administrator))
    assert "Grace Hopper,Staff administrator" in await response.text()
    with plain_site.db.write_session() as session:
        for row in session.scalars(select(LearnerSession).where(LearnerSession.learner_id == administrator.id)):
            row.authenticated_at = datetime.now(UTC) - timedelta(minutes=11)
    assert (await plain_site.get("/csv/admin/staff", **sent_by(administrator))).status == 403
