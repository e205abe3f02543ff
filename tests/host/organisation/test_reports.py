"""The report of an organisation is computed once for its frozen months: a new one is shown, and each sees its own."""

from domain.tables import OrganisationMonth, Product
from tests.host.admin.test_staff import page
from tests.host.organisation.world import two_organisations
from tests.host.signing import Learner
from tests.host.site import Site


def freeze(site: Site, organisation_id: int, month: str, learners: int) -> None:
    figures = {"learners": learners, "started": 0, "completed": 0}
    with site.db.write_session() as session:
        course = session.query(Product.id).filter_by(kind="course").first()[0]
        about = {"organisation_id": organisation_id, "month": month, **figures}
        session.add(OrganisationMonth(product_id=course, team="North", cell_key=f"{course}:North", **about))
        session.add(OrganisationMonth(cell_key="all", seats=20, unused=2, **about))


async def teams(manager: Learner) -> list[tuple[str, int]]:
    """Month and learners of each row."""
    _, props = await page(manager, "/organization/reports")
    [table] = [entry for entry in props["tables"] if entry["id"] == "teams"]
    return [(row[1]["text"], row[2]["value"]) for row in table["rows"]]


async def test_a_month_that_is_frozen_after_a_later_one_is_shown(own_site):
    """As when its first attempt failed."""
    world = two_organisations(own_site, "late")
    freeze(own_site, world.own, "2026-05", 12)
    assert await teams(world.manager) == [("2026-05", 12)]
    freeze(own_site, world.own, "2026-04", 10)
    assert await teams(world.manager) == [("2026-05", 12), ("2026-04", 10)]


async def test_a_new_month_is_shown_and_each_organisation_sees_its_own(own_site):
    world = two_organisations(own_site, "report")
    assert await teams(world.manager) == []
    freeze(own_site, world.own, "2026-03", 10)
    freeze(own_site, world.other, "2026-03", 17)
    for _ in range(2):
        assert await teams(world.manager) == [("2026-03", 10)]
        assert await teams(world.rival) == [("2026-03", 17)]
    freeze(own_site, world.own, "2026-04", 12)
    assert await teams(world.manager) == [("2026-04", 12), ("2026-03", 10)]
    assert await teams(world.rival) == [("2026-03", 17)]


async def test_a_share_of_the_cost_that_is_no_whole_cent_is_rounded_up(own_site):
    """5,000.00 for 15 completions: at most 333.34 each."""
    world = two_organisations(own_site, "share")
    with own_site.db.write_session() as session:
        course = session.query(Product.id).filter_by(kind="course").first()[0]
        about = {"organisation_id": world.own, "month": "2026-05", "learners": 30, "started": 15, "completed": 15}
        session.add(OrganisationMonth(product_id=course, team="North", cell_key=f"{course}:North", **about))
        session.add(OrganisationMonth(cell_key="all", seats=30, unused=0, cost_thousandths=5_000_000, **about))
    status, props = await page(world.manager, "/organization/reports")
    [costs] = [table for table in props["tables"] if table["id"] == "costs"]
    assert (status, [cell["minor"] for cell in costs["rows"][0] if cell["kind"] == "money"]) == (200, [500_000, 33_334])
