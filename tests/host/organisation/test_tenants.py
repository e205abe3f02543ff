"""Each of two organisations sees itself alone, whatever ids a request names."""

from typing import Any

from sqlalchemy import select

from domain.permissions import permissions_of
from domain.routes import area_pages
from domain.tables import LearnerSession
from host.loaders.areas import area_list
from tests.host.organisation.world import OTHER_MARKS, OWN_MARKS, two_organisations
from tests.host.pages import LISTS
from tests.host.signing import Learner, learner
from tests.host.site import SHARED, Site
from tests.host.test_area_matrix import sent_by
from tests.support import factories

pytestmark = SHARED

MANAGES = permissions_of("organisation", ("manager",))
# One's own applications are no organisation's.
SHARED_PAGES = ("organization-choose", "organization-application")
OWN = [page for page in area_pages() if page.area.id == "organization" and page.served and page.id not in SHARED_PAGES]
PAGES = [page for page in OWN if page.permission is None or page.permission in MANAGES]
FILES = [page.path for page in PAGES if page.id in LISTS and LISTS[page.id].spec.has_csv]


async def shown(site: Site, person: Learner) -> dict[str, str]:
    """Address -> text of every page and file, read with each id of the other organisation beside."""
    query = "?organisation=2&organisation_id=2&organisationId=2&tenant=2"
    addresses = [*(f"/data{page.path}" for page in PAGES if "{" not in page.path), *(f"/csv{path}" for path in FILES)]
    texts = {}
    for address in addresses:
        answer = await site.get(f"{address}{query}", **sent_by(person))
        assert answer.status == 200, address
        texts[address] = await answer.text()
    return texts


def with_any(texts: dict[str, str], words: tuple[str, ...]) -> set[str]:
    return {address for address, text in texts.items() if any(word in text for word in words)}


async def test_every_page_and_file_shows_the_chosen_organisation_alone(plain_site):
    world = two_organisations(plain_site, "pages")
    texts = await shown(plain_site, world.manager)
    # The session in the data names its person on every page, so that own marks are no proof of rows.
    assert with_any(texts, OWN_MARKS) >= {
        "/data/organization",
        "/data/organization/members",
        "/csv/organization/orders",
    }
    assert with_any(texts, OTHER_MARKS) == set()


async def test_without_the_condition_the_rows_of_others_would_be_seen(plain_site, monkeypatch):
    world = two_organisations(plain_site, "control")
    monkeypatch.setattr(area_list, "of_tenant", lambda source, tenant: source)
    seen = with_any(await shown(plain_site, world.manager), OTHER_MARKS)
    assert seen == {
        "/data/organization/members",
        *("/data/organization/orders", "/csv/organization/orders"),
        *("/data/organization/quotes", "/csv/organization/quotes"),
    }


def chosen(site: Site, person: Learner) -> int | None:
    with site.db.read_session() as session:
        return session.scalars(
            select(LearnerSession.organisation_id).where(LearnerSession.learner_id == person.id)
        ).one()


async def test_nobody_enters_an_organisation_that_they_do_not_manage(plain_site):
    world = two_organisations(plain_site, "enter")
    wrong: list[Any] = [
        world.other,
        float(world.other),
        str(world.other),
        [world.other_slug],
        {"id": world.other},
        None,
    ]
    assert await world.manager.call("organization/enter", slug=world.other_slug) == await world.manager.call(
        "organization/enter", slug="nobody-has-this-name"
    )
    answers = [(await world.manager.call("organization/enter", slug=slug))[0] for slug in wrong]
    assert answers == [422, 422, 404, 422, 422, 422]
    assert chosen(plain_site, world.manager) == world.own


async def test_a_manager_of_two_sees_the_chosen_one_and_changes_to_the_other(plain_site):
    world = two_organisations(plain_site, "both")
    with plain_site.db.write_session() as session:
        factories.member(session, world.manager.id, world.other, role="manager")
    assert with_any(await shown(plain_site, world.manager), OTHER_MARKS) == set()
    status, answer = await world.manager.call("organization/enter", slug=world.other_slug)
    assert (status, answer["slug"]) == (200, world.other_slug)
    assert with_any(await shown(plain_site, world.manager), OTHER_MARKS)


async def test_whoever_has_not_chosen_is_led_to_the_choice_and_back(plain_site):
    world = two_organisations(plain_site, "choose")
    with plain_site.db.write_session() as session:
        factories.member(session, world.rival.id, world.own, role="manager")
    newcomer = learner(plain_site, "Rosa Rivalous choose", area="organisation")
    answer = await plain_site.get("/organization/orders?state=paid", **sent_by(newcomer))
    location = "/organization/choose?returnTo=/organization/orders?state%3Dpaid"
    assert (answer.status, answer.headers["Location"]) == (303, location)
    data = await (await plain_site.get(f"/data{location}", **sent_by(newcomer))).json()
    assert [row["slug"] for row in data["props"]["organisations"]] == [world.other_slug, world.own_slug]
    assert data["props"]["target"] == "/organization/orders?state=paid"


async def test_a_former_member_is_let_in_no_more(plain_site):
    world = two_organisations(plain_site, "former")
    with plain_site.db.write_session() as session:
        own = session.scalars(
            select(factories.Membership).where(factories.Membership.learner_id == world.manager.id)
        ).one()
        own.ended_at = factories.NOON
    answer = await plain_site.get("/organization/members", **sent_by(world.manager))
    assert (answer.status, answer.headers["Location"].partition("?")[0]) == (303, "/organization/choose")
