"""/admin/search: what each role finds, and what the page says where nothing is found."""

import pytest
from sqlalchemy import func, select

from domain.tables import AuditEvent
from tests.host.admin.test_staff import page
from tests.host.signing import learner
from tests.support import factories


@pytest.fixture
def filled(own_site):
    with own_site.db.write_session() as session:
        factories.organisation(session, "northwind", "Northwind Foods")
        ada = factories.learner(session, "Ada Northrop", email="ada@example.test")
        for number in range(6):
            factories.coupon(session, f"NORTH{number}")
    return ada


def shown(props):
    return {group["table"]["title"]: len(group["table"]["rows"]) for group in props["groups"]}


async def test_each_role_finds_what_its_lists_show(own_site, filled):
    found = {}
    for role in ("marketer", "support", "editor", "finance", "administrator"):
        person = learner(own_site, f"Search {role}", area="admin", roles=[role])
        status, props = await page(person, "/admin/search?q=north")
        found[role] = (status, shown(props))
    coupons, organisations, learners = {"Coupons": 5}, {"Organisations": 1}, {"Learners": 1}
    assert found == {
        "marketer": (200, coupons),
        "support": (200, learners | coupons | organisations),
        "editor": (200, {}),
        "finance": (200, coupons | organisations),
        "administrator": (200, learners | coupons | organisations),
    }


async def test_a_hit_leads_to_its_page_and_nobody_is_recorded_for_it(own_site, filled):
    person = learner(own_site, area="admin", roles=["support"])
    _, props = await page(person, "/admin/search?q=ada%40example.test")
    (group,) = props["groups"]
    ((name, email, _),) = group["table"]["rows"]
    assert (name["text"], name["href"], email["text"]) == (
        "Ada Northrop",
        f"/admin/learners/{filled.id}",
        "ada@example.test",
    )
    with own_site.db.write_session() as session:
        assert session.scalar(select(func.count(AuditEvent.id))) == 0


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("", "Your roles find courses and items by name."),
        ("?q=x", "Your roles find courses and items by name."),
        ("?q=nothing+here", "Nothing was found. Your roles find courses and items by name."),
    ],
)
async def test_without_a_hit_it_says_what_can_be_found(own_site, query, note):
    person = learner(own_site, area="admin", roles=["editor"])
    status, props = await page(person, f"/admin/search{query}")
    assert (status, props["groups"], props["note"]) == (200, [], note)


async def test_more_hits_are_a_link_to_their_list(own_site):
    with own_site.db.write_session() as session:
        for number in range(6):
            factories.organisation(session, f"north-{number}", f"North {number}")
    person = learner(own_site, area="admin", roles=["finance"])
    _, props = await page(person, "/admin/search?q=north")
    (group,) = props["groups"]
    assert group["more"] == {"text": "All organisations with this name", "href": "/admin/organisations?q=north"}
