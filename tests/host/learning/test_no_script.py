"""Gifts and certificates on /user-dashboard for browsers without script."""

from sqlalchemy import select

from domain.tables import Enrolment
from tests.host.learning.gifts import give
from tests.host.learning.studies import end_access, enrol
from tests.host.signing import learner
from tests.host.site import Site
from tests.support import factories
from tests.support.factories import NOON


async def still(site: Site, who, query: str = "") -> str:
    """What a browser without script shows."""
    return (await site.document(f"/user-dashboard{query}", **who.headers)).html.partition('id="no-script">')[2]


async def test_a_gift_is_described_and_one_that_cannot_be_accepted_says_why(own_site):
    ada, grace = learner(own_site), learner(own_site, "Grace Hopper")
    token = give(own_site, ada)
    shown = await still(own_site, grace, f"?giftToken={token}")
    for text in (
        ">A gift from Ada L.</h2>",
        "<strong>VAT basics</strong>",
        ">Enjoy</p>",
        "It opens VAT basics, for your account",
    ):
        assert text in shown
    assert "This is your own gift" in await still(own_site, ada, f"?giftToken={token}")
    assert "This link opens no gift" in await still(own_site, grace, "?giftToken=x")
    await grace.call("learning/gifts/claim", token=token)
    accepted = await still(own_site, grace, f"?giftToken={token}")
    assert '<a href="/user-dashboard?course=vat-basics&amp;lesson=next">Go to VAT basics</a>' in accepted


async def test_certificates_are_listed_with_their_links_and_revoked_ones_with_the_reason(own_site):
    ada = learner(own_site)
    enrol(own_site, ada)
    with own_site.db.write_session() as session:
        enrolment = session.scalars(select(Enrolment)).one()
        enrolment.completed_at = NOON
        factories.certificate(session, enrolment, "valid-1")
        about = {"number": 2, "revoked_at": NOON, "revoked_reason": "holder"}
        factories.certificate(session, enrolment, "gone-1", **about)
    for query in ("", "?list=certificates", "?course=vat-basics"):
        shown = await still(own_site, ada, query)
        assert 'href="/verify-certificate/valid-1"' in shown
        assert 'href="/learning/certificates/valid-1.pdf"' in shown
        assert "gone-1.pdf" not in shown
    assert "It was revoked at the wish of its holder." in await still(own_site, ada, "?list=certificates")
    end_access(own_site, ada)
    shown = await still(own_site, ada, "?course=vat-basics")
    assert "Your access ended on" in shown
    assert 'href="/learning/certificates/valid-1.pdf"' in shown
    none = await still(own_site, learner(own_site, "Grace Hopper"), "?list=certificates")
    assert "You have no certificates yet." in none
