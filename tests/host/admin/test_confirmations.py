"""/admin/confirmations and its calls: grave changes wait for another administrator."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import delete, select

from domain.identity.roles import roles_of
from domain.tables import Learner as LearnerRow
from domain.tables import LearnerSession, PendingAction, StaffRole
from tests.host.admin.test_staff import page
from tests.host.signing import Learner, learner
from tests.support import factories

WHY = {"reason": "At their wish"}


@pytest.fixture
def staff(own_site) -> tuple[Learner, Learner]:
    """The two administrators of the site."""
    with own_site.db.write_session() as session:
        session.execute(delete(StaffRole))
    ada, grace = (learner(own_site, name, area="admin", roles=["administrator"]) for name in ("Ada Boss", "Grace Boss"))
    return ada, grace


@pytest.fixture
def eve(own_site) -> Learner:
    return learner(own_site, "Eve Learner")


def email_of(site, person: Learner) -> str:
    with site.db.read_session() as session:
        return session.get_one(LearnerRow, person.id).email


def ids(props) -> list[str]:
    return [action["id"] for action in props["actions"]]


async def test_an_account_is_deleted_once_another_administrator_has_confirmed_it(own_site, staff, eve):
    ada, grace = staff
    body = {"confirm": email_of(own_site, eve), "certificates": "revoke", **WHY}
    status, asked = await ada.call(f"admin/learners/{eve.id}/erase", **body)
    path = asked["href"]
    assert (status, asked["text"][:36]) == (200, "It waits for another administrator u")
    assert (await ada.call(f"admin/learners/{eve.id}/erase", **body))[0] == 409
    assert email_of(own_site, eve) == body["confirm"]
    _, own = await page(ada, path)
    _, others = await page(grace, path)
    assert (ids(own), ids(others)) == (["withdraw"], ["confirm", "refuse"])
    assert others["heading"].startswith("Delete the account of learner ")
    waiting = [[entry["text"] for entry in (await page(person, "/admin"))[1]["waiting"]] for person in staff]
    assert ["change to confirm" in found for found in waiting] == [False, True]
    assert (await ada.call(f"{path[1:]}/confirm"))[0] == 403
    assert (await grace.call(f"{path[1:]}/confirm"))[0] == 200
    assert email_of(own_site, eve) == ""
    status, problem = await grace.call(f"{path[1:]}/confirm")
    assert (status, problem["detail"][:32]) == (409, "Grace Boss has confirmed it on N"[:31] + problem["detail"][31])
    _, done = await page(ada, path)
    assert (ids(done), done["facts"][0]["cell"]["text"]) == ([], "Confirmed")


async def test_a_confirmation_needs_a_recent_sign_in(own_site, staff, eve):
    ada, grace = staff
    _, asked = await ada.call(f"admin/staff/{grace.id}/remove", role="administrator", **WHY)
    with own_site.db.write_session() as session:
        for row in session.scalars(select(LearnerSession).where(LearnerSession.learner_id == grace.id)):
            row.authenticated_at = datetime.now(UTC) - timedelta(minutes=11)
    for way, about in (("confirm", {}), ("refuse", {"answer": "No"})):
        status, answer = await grace.call(f"{asked['href'][1:]}/{way}", **about)
        assert (status, answer["detail"]) == (403, "insufficient_authentication_context")
    with own_site.db.read_session() as session:
        assert roles_of(session, grace.id) == ("administrator",)


async def test_it_is_refused_with_words_or_withdrawn_and_nothing_changes(own_site, staff, eve):
    ada, grace = staff
    with own_site.db.write_session() as session:
        factories.staff(session, eve.id, "editor")
    give = {"role": "administrator", **WHY}
    _, asked = await ada.call(f"admin/staff/{eve.id}/add", **give)
    path = asked["href"][1:]
    assert (await grace.call(f"{path}/refuse", answer=""))[0] == 422
    assert (await grace.call(f"{path}/withdraw"))[0] == 403
    assert (await grace.call(f"{path}/refuse", answer="Nobody told me."))[0] == 200
    _, refused = await page(ada, asked["href"])
    assert "Nobody told me." in [(fact["cell"] or {}).get("text") for fact in refused["facts"]]
    _, again = await ada.call(f"admin/staff/{eve.id}/add", **give)
    assert (await ada.call(f"{again['href'][1:]}/withdraw"))[0] == 200
    _, listed = await page(grace, "/admin/confirmations")
    assert [row["cells"][1]["text"] for row in listed["table"]["rows"]] == ["Withdrawn", "Refused"]
    with own_site.db.read_session() as session:
        assert roles_of(session, eve.id) == ("editor",)
        assert set(session.scalars(select(PendingAction.open_key))) == {None}


async def test_other_staff_see_nothing_of_it(own_site, staff, eve):
    finance = learner(own_site, "Finance Only", area="admin", roles=["finance"])
    assert (await page(finance, "/admin/confirmations"))[0] == 403
    assert (await finance.call("admin/confirmations/1/confirm"))[0] == 403
