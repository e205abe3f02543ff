"""/admin/audit: the list of events, one of them, and whether the chain is right."""

import pytest
from sqlalchemy import update

from domain.audit import recording
from domain.audit.recording import EVENTS, Subject
from host.api.admin import audit as audit_calls
from tests.host.admin.test_staff import page
from tests.host.signing import Learner, learner
from tests.host.small_shop import HOSTILE
from tests.support import factories


@pytest.fixture
def administrator(own_site) -> Learner:
    return learner(own_site, "Alan Admin", area="admin", roles=["administrator"])


@pytest.fixture
def recorded(own_site, administrator) -> None:
    """Three events of courses."""
    actor = factories.actor(administrator.id, ip_network="192.0.2.0/24")
    for number in (1, 2, 3):
        change = {"before": {"status": "draft"}, "after": {"status": "published"}, "reason": f"Ready {number}"}
        own_site.db.write_as_sync(actor, recording.record, "course.publish", Subject("course", number), **change)


async def test_events_are_listed_filtered_and_paged_by_number(administrator, recorded):
    _, props = await page(administrator, "/admin/audit?action=course.publish&subject=course+2")
    (row,) = props["table"]["rows"]
    assert [cell.get("text", cell.get("at")) for cell in row["cells"]] == [
        f"Published course “{HOSTILE}”",
        "2026-03-01T12:00:00Z",
        "Alan Admin",
        "Course 2",
        "Status: Draft → Published",
        "Ready 2",
    ]
    _, before = await page(administrator, "/admin/audit?before=3")
    assert [row["id"] for row in before["table"]["rows"]] == ["2", "1"]
    assert before["table"]["older"] == {"newest": "/admin/audit", "older": None}


async def test_one_event_is_shown_whole_and_an_unknown_one_is_not_found(administrator, recorded):
    status, props = await page(administrator, "/admin/audit/3")
    facts = {fact["label"]: fact["cell"] and fact["cell"].get("text") for fact in props["facts"]}
    assert (status, props["heading"], facts["Action"]) == (200, "Published course “Course 01”", "course.publish")
    assert (facts["By"], facts["About"], facts["Network"]) == ("Alan Admin", "Course 3", "192.0.2.0/24")
    (change,) = props["tables"][0]["rows"]
    assert [cell["text"] for cell in change] == ["Status", "Draft", "Published"]
    assert [(await page(administrator, f"/admin/audit/{number}"))[0] for number in ("99", "x")] == [404, 404]


async def test_the_chain_is_checked_and_the_result_recorded(own_site, administrator, recorded):
    assert (await page(administrator, "/admin/audit"))[1]["chain"]["checked"] is None
    assert await administrator.call("admin/audit/verify") == (200, {"checked": 3, "wrong": None, "last": 3})
    chain = (await page(administrator, "/admin/audit"))[1]["chain"]
    assert (chain["last"], chain["checked"], chain["wrong"]) == (4, 3, None)
    with own_site.db.write_session() as session:
        session.execute(update(EVENTS).where(EVENTS.c.number == 2).values(reason="x"))
    assert await administrator.call("admin/audit/verify") == (200, {"checked": 1, "wrong": 2, "last": 4})
    assert (await page(administrator, "/admin/audit"))[1]["chain"]["wrong"] == 2


async def test_a_check_that_is_cut_off_is_continued_by_the_next_one(own_site, administrator, recorded, monkeypatch):
    monkeypatch.setattr(audit_calls, "SLICE", 2)
    monkeypatch.setattr(audit_calls, "MAX_WAIT_S", 0.0)
    assert await administrator.call("admin/audit/verify") == (200, {"checked": 2, "wrong": None, "last": 3})
    chain = (await page(administrator, "/admin/audit"))[1]["chain"]
    assert (chain["last"], chain["checked"], chain["wrong"]) == (4, 2, None)
    assert await administrator.call("admin/audit/verify") == (200, {"checked": 4, "wrong": None, "last": 4})
    assert await administrator.call("admin/audit/verify") == (200, {"checked": 2, "wrong": None, "last": 5}), "anew"
