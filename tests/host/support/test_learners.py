"""/admin/learners: finding a person, their page, which records who opened it, and what is done there."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, update

from domain.audit.recording import Subject
from domain.staff.recorded_events import subject_entries
from domain.tables import Enrolment, EnrolmentGrant, LearnerSession
from domain.tables import Learner as LearnerRow
from tests.host.admin.test_staff import page
from tests.host.certificates.issued import issue
from tests.host.signing import Learner, learner
from tests.host.site import Site

REASON = {"reason": "They asked us to"}


@pytest.fixture
def ada(own_site) -> Learner:
    person = learner(own_site, "Ada Lovelace")
    with own_site.db.write_session() as session:
        session.get_one(LearnerRow, person.id).email = "ada@example.test"
    return person


def staff(site: Site, role: str = "administrator") -> Learner:
    return learner(site, f"Learners {role}", area="admin", roles=[role])


def events(site: Site, learner_id: int) -> list[str]:
    with site.db.read_session() as session:
        return [entry.action for entry in subject_entries(session, Subject("learner", learner_id))]


def action_ids(props) -> list[str]:
    return [action["id"] for action in props["actions"]]


async def test_a_person_is_found_by_address_and_nobody_without_a_search(own_site, ada):
    support = staff(own_site, "support")
    _, props = await page(support, "/admin/learners")
    assert (props["hits"], props["q"]) == (None, "")
    _, props = await page(support, "/admin/learners?q=ADA%40example.test")
    assert [row[0]["href"] for row in props["hits"]["rows"]] == [f"/admin/learners/{ada.id}"]
    _, props = await page(support, "/admin/learners?q=example.test")
    assert props["hits"]["rows"] == []


async def test_opening_a_page_is_recorded_and_support_cannot_erase(own_site, ada):
    support = staff(own_site, "support")
    status, props = await page(support, f"/admin/learners/{ada.id}")
    assert (status, props["heading"], events(own_site, ada.id)) == (200, "Ada Lovelace", ["learner.open"])
    assert action_ids(props) == ["enrol", "sign-out"]
    assert (await page(support, "/admin/learners/999999"))[0] == 404
    answer = await support.call(
        f"admin/learners/{ada.id}/erase", confirm="ada@example.test", certificates="keep", **REASON
    )
    assert answer[0] == 403


async def test_a_course_is_opened_and_its_access_ended_by_the_page(own_site, ada):
    support = staff(own_site, "support")
    path = f"admin/learners/{ada.id}"
    slug = (await support.get("admin/picker/products?q=vat"))[1]["options"][0]["value"]
    assert await support.call(f"{path}/enrol", product=slug, **REASON) == (
        200,
        {"text": "The course is open to them.", "href": None},
    )
    _, props = await page(support, f"/{path}")
    end = next(action for action in props["actions"] if action["id"] == "end-access")
    grant = end["fields"][0]["options"][0]["value"]
    ended = [await support.call(f"{path}/end-access", grant=grant, **REASON) for _ in range(2)]
    assert [body["text"] for _, body in ended] == ["The access has ended.", "It had ended before."]


async def test_access_whose_time_is_over_is_not_shown_as_open(own_site, ada):
    support = staff(own_site, "support")
    path = f"admin/learners/{ada.id}"
    slug = (await support.get("admin/picker/products?q=vat"))[1]["options"][0]["value"]
    await support.call(f"{path}/enrol", product=slug, **REASON)
    shown = []
    for days in (1, -1):
        with own_site.db.write_session() as session:
            session.scalars(select(EnrolmentGrant)).one().until = datetime.now(UTC) + timedelta(days=days)
        _, props = await page(support, f"/{path}")
        grants = next(table for table in props["tables"] if table["id"] == "grants")
        shown.append((grants["rows"][0][2]["text"], "end-access" in action_ids(props)))
    assert shown == [("Open", True), ("Ended", False)]


async def test_a_name_on_a_certificate_is_corrected_by_the_page(own_site, ada):
    support, path = staff(own_site, "support"), f"admin/learners/{ada.id}"
    issue(own_site, holder=ada)
    _, props = await page(support, f"/{path}")
    form = next(action for action in props["actions"] if action["id"] == "correct-certificate")
    code = form["fields"][0]["options"][0]["value"]
    sent = {"certificate": code, "name": "Ada King", **REASON}
    first, again = [await own_site.answer(f"{path}/correct-certificate", sent, support.headers) for _ in range(2)]
    assert (first.status, (await first.json())["text"]) == (200, "The certificate is replaced.")
    assert (again.status, (await again.json())["detail"][:20]) == (403, "This certificate was")


async def test_signing_out_ends_the_session_at_once(own_site, ada):
    support = staff(own_site, "support")
    assert (await support.call(f"admin/learners/{ada.id}/sign-out", reason=""))[0] == 422
    assert await support.call(f"admin/learners/{ada.id}/sign-out", **REASON) == (
        200,
        {"text": "One session ended.", "href": None},
    )
    with own_site.db.read_session() as session:
        rows = session.scalars(select(LearnerSession.revoked_at).where(LearnerSession.learner_id == ada.id))
        assert all(rows)


async def test_an_export_and_erasing_need_a_recent_sign_in_and_the_address(own_site, ada):
    boss = staff(own_site)
    path = f"admin/learners/{ada.id}"
    erase = {"confirm": "ada@example.test", "certificates": "revoke", **REASON}
    with own_site.db.write_session() as session:
        row = session.scalars(select(LearnerSession).where(LearnerSession.learner_id == boss.id)).one()
        row.authenticated_at = datetime.now(UTC) - timedelta(minutes=11)
    for refused in (await boss.call(f"{path}/export"), await boss.call(f"{path}/erase", **erase)):
        assert (refused[0], refused[1]["detail"]) == (403, "insufficient_authentication_context")
    with own_site.db.write_session() as session:
        session.get_one(LearnerSession, row.id).authenticated_at = datetime.now(UTC)
    status, data = await boss.call(f"{path}/export")
    assert (status, data["profile"]["email"]) == (200, "ada@example.test")
    assert (await boss.call(f"{path}/erase", **{**erase, "confirm": "eve@example.test"}))[0] == 422
    assert await boss.call(f"{path}/erase", **erase) == (200, {"text": "The account is deleted.", "href": None})
    _, props = await page(boss, f"/{path}")
    assert (props["heading"], props["actions"], props["exportCall"]) == ("A deleted account", [], None)
    assert events(own_site, ada.id) == [
        *("learner.open", "confirmation.skip", "learner.erase", "learner.export"),
    ]


async def test_an_access_gets_another_end_and_one_whose_end_has_come_is_open_again(own_site, ada):
    support = staff(own_site, "support")
    path = f"admin/learners/{ada.id}"
    await support.call(f"{path}/enrol", product="vat-basics", **REASON)
    _, props = await page(support, f"/{path}")
    form = next(action for action in props["actions"] if action["id"] == "extend-access")
    grant = form["fields"][0]["options"][0]["value"]

    def ends():
        with own_site.db.read_session() as session:
            return session.scalars(select(Enrolment.access_until)).one()

    until = (datetime.now(UTC) + timedelta(days=90)).replace(microsecond=0)
    answer = await support.call(f"{path}/extend-access", grant=grant, until=until.isoformat(), **REASON)
    assert (answer[0], answer[1]["text"][:23], ends()) == (200, "The access lasts until ", until)
    again = await support.call(f"{path}/extend-access", grant=grant, until=until.isoformat(), **REASON)
    assert again == (200, {"text": "It has that end already.", "href": None})
    past = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    assert (await support.call(f"{path}/extend-access", grant=grant, until=past, **REASON))[1]["errors"].keys() == {
        "until"
    }
    assert (await support.call(f"{path}/extend-access", grant="999", until=None, **REASON))[0] == 404
    assert (await support.call(f"{path}/extend-access", grant=grant, until=None, reason=""))[0] == 422
    assert ends() == until
    with own_site.db.write_session() as session:
        session.execute(update(EnrolmentGrant).values(until=datetime.now(UTC) - timedelta(hours=1)))
        session.execute(update(Enrolment).values(access_until=datetime.now(UTC) - timedelta(hours=1)))
    _, props = await page(support, f"/{path}")
    assert "extend-access" in action_ids(props)
    answer = await support.call(f"{path}/extend-access", grant=grant, until=None, **REASON)
    assert (answer[1]["text"], ends()) == ("The access has no end.", None)
    await support.call(f"{path}/end-access", grant=grant, **REASON)
    assert (await support.call(f"{path}/extend-access", grant=grant, until=until.isoformat(), **REASON))[0] == 403
    assert events(own_site, ada.id).count("learner.extend_access") == 2
