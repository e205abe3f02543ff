"""Somebody with hundreds of certificates: their pages stay as small, and ask for as little, as those of somebody with a
few."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from sqlalchemy import select

from domain.learning import grants
from domain.learning.grants import GrantSource
from domain.tables import Category, Enrolment
from tests.host.signing import Learner, learner
from tests.host.site import Site
from tests.support import factories
from tests.support.statements import recorded_everywhere

# Query of a view -> how many certificates it shows at most.
VIEWS = {"": 4, "?list=certificates": 24}
UNNAMED, MANY = 26, 300
# Size against the page with few, with room for longer ids and the number of pages.
LARGER = 1.02


def complete(site: Site, who: Learner) -> None:
    """Courses that are completed: one has 26 certificates, the others wait for a name."""
    at = datetime.now(UTC) - timedelta(days=1)
    with site.db.write_session() as session:
        category = session.scalars(select(Category.id)).first()
        slugs = [f"course-of-{number:02}" for number in range(1 + UNNAMED)]
        ids = [factories.course(session, category, slug, list_price=Decimal(9)).id for slug in slugs]
        grants.grant(session, who.id, ids, GrantSource("order", 1), at)
        for enrolment in session.scalars(select(Enrolment).where(Enrolment.learner_id == who.id)):
            enrolment.completed_at = at
    certify(site, who, range(1, 27))


def certify(site: Site, who: Learner, numbers: range) -> None:
    with site.db.write_session() as session:
        own = select(Enrolment).where(Enrolment.learner_id == who.id).order_by(Enrolment.product_id)
        enrolment = session.scalars(own).first()
        for number in numbers:
            factories.certificate(session, enrolment, f"code-{number:03}", number=number)


async def shown(site: Site, who: Learner, query: str) -> tuple[int, int, dict]:
    """Bytes of a page's data, its statements, and what it shows of certificates. The loops of the site make statements
    too, now and then: the fewest of some requests are the page's own."""
    counts = []
    for _ in range(4):
        with recorded_everywhere() as statements:
            answer = await site.get(f"/data/user-dashboard{query}", **who.headers)
        counts.append(len(statements))
    view = (await answer.json())["props"]["learning"]
    return len(await answer.read()), min(counts), view.get("dashboard", view)["certificates"]


async def test_hundreds_of_certificates_make_no_page_larger(own_site):
    ada = learner(own_site)
    complete(own_site, ada)
    few = {query: await shown(own_site, ada, query) for query in VIEWS}
    certify(own_site, ada, range(27, MANY))
    for query, most in VIEWS.items():
        size, statements, lists = await shown(own_site, ada, query)
        assert (len(lists["issued"]), len(lists["unnamed"])) == (most, most), query
        assert (size < few[query][0] * LARGER, statements) == (True, few[query][1]), query
