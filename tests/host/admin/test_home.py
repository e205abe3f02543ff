"""/admin: what waits for each role, and figures for those who may read them."""

from datetime import UTC, datetime

from domain.tables import DeadLetter
from tests.host.admin.test_staff import page
from tests.host.signing import learner
from tests.support import factories


async def test_each_role_sees_what_waits_for_it(own_site):
    with own_site.db.write_session() as session:
        factories.organisation(session, "waiting", state="submitted")
        course = own_site.id_of("vat-basics")
        for _ in range(2):
            factories.review(session, course, 5, state="pending")
        session.add(DeadLetter(failed_at=datetime.now(UTC), task="visits.store", body={}, error="x"))
    waits = {}
    for role in ("marketer", "support", "editor", "finance", "administrator"):
        person = learner(own_site, f"Home {role}", area="admin", roles=[role])
        _, props = await page(person, "/admin")
        waits[role] = [(work["count"], work["text"]) for work in props["waiting"]]
        assert bool(props["charts"]) == (role in ("marketer", "finance", "administrator"))
    application, reviews = (1, "application of an organisation"), (2, "reviews to look at")
    assert waits == {
        "marketer": [],
        "support": [application, reviews],
        "editor": [reviews],
        "finance": [application],
        "administrator": [application, reviews, (1, "visit that could not be stored")],
    }


async def test_the_charts_have_a_value_for_each_of_fourteen_days(own_site):
    person = learner(own_site, area="admin", roles=["marketer"])
    _, props = await page(person, "/admin")
    assert [chart["title"] for chart in props["charts"]] == ["Sales", "Orders", "Visits"]
    for chart in props["charts"]:
        assert len(chart["points"]["labels"]) == len(chart["series"][0]["values"]) == 14
    assert props["charts"][0]["points"]["labels"][-1] == datetime.now(UTC).date().isoformat()
