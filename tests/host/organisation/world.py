"""Two organisations, and a manager of each."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from domain.readable_codes import encode
from tests.host.signing import Learner, learner
from tests.host.site import Site
from tests.support import factories
from tests.support.order_rows import order
from tests.support.quote_rows import seat_quote

# In each row of the other organisation, and in none of the own one: parts of names, and a number of seats.
OTHER_MARKS = ("Rivalous", "7,654")
OWN_MARKS = ("Ownwood", "1,234")


@dataclass(frozen=True)
class TwoOrganisations:
    """Their ids and slugs. `manager` and `owner` have chosen `own`, and `rival`, its owner, `other`."""

    own: int
    other: int
    own_slug: str
    other_slug: str
    manager: Learner
    owner: Learner
    rival: Learner


def two_organisations(site: Site, name: str) -> TwoOrganisations:
    manager, owner = (learner(site, f"{role} Ownwood {name}", area="organisation") for role in ("Max", "Olga"))
    rival = learner(site, f"Rosa Rivalous {name}", area="organisation")
    slugs = f"{name}-own", f"{name}-other"
    with site.db.write_session() as session:
        own, other = (factories.organisation(session, slug, slug.title()).id for slug in slugs)
        for organisation_id, people, seats in (
            (own, ((manager, "manager"), (owner, "owner")), 1_234),
            (other, ((rival, "owner"),), 7_654),
        ):
            for person, role in people:
                factories.member(session, person.id, organisation_id, role=role)
            starts_at = datetime.now(UTC) - timedelta(days=1)
            factories.contract(session, organisation_id, seats=seats, starts_at=starts_at, has_all_courses=True)
            order(session, people[0][0].id, encode(20), organisation_id=organisation_id)
            # Its number is of another series than those of quotes that calls make.
            seat_quote(session, organisation_id, people[0][0].id, datetime(2020, 1, 1, tzinfo=UTC))
    for person, organisation_id in ((manager, own), (owner, own), (rival, other)):
        person.choose(organisation_id)
    return TwoOrganisations(own, other, *slugs, manager, owner, rival)
