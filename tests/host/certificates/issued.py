"""A certificate on a site, as its holder would have it."""

from datetime import UTC, datetime, timedelta
from typing import Any

from domain.learning import grants
from domain.learning.certificates import revoking
from domain.learning.certificates.revoking import Reason
from domain.learning.grants import GrantSource
from domain.tables import Enrolment
from tests.host.signing import Learner, learner
from tests.host.site import Site
from tests.support import factories

CODE = "kZ3vN1x-Q9_aB7cD5eF2gH"
PAGE = f"/verify-certificate/{CODE}"
YEAR = timedelta(days=365)


def issue(site: Site, code: str = CODE, holder: Learner | None = None, **about: Any) -> Learner:
    """Returns the holder."""
    holder = holder or learner(site)
    at = datetime.now(UTC).replace(microsecond=0) - timedelta(days=1)
    facts = {"completed_at": at, "issued_at": at, "expires_at": at + YEAR, "credits": 2.5, "minutes": 95}
    with site.db.write_session() as session:
        course = site.id_of("vat-basics")
        grants.grant(session, holder.id, [course], GrantSource("order", 1), at)
        enrolment = session.query(Enrolment).filter_by(learner_id=holder.id, product_id=course).one()
        enrolment.completed_at = at
        factories.certificate(session, enrolment, code, **{**facts, **about})
    return holder


def revoke(site: Site, reason: Reason = "fraud", code: str = CODE) -> None:
    with site.db.write_session() as session:
        revoking.revoke(session, code, reason, datetime.now(UTC))
