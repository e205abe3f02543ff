"""Gifts on a site, mailed and not accepted yet."""

from sqlalchemy import select

from domain.learning.gifts import storing as gift_storing
from domain.learning.gifts import tokens as gift_tokens
from domain.learning.gifts.tokens import digest_of
from domain.tables import Gift
from tests.host.signing import Learner
from tests.host.site import Site
from tests.support import order_rows
from tests.support.factories import NOON

KEY = gift_tokens.derived_key("any secret")
CODE = "BADECUFIGOHAKELIMONU"


def give(site: Site, giver: Learner) -> str:
    """A gift of the course "VAT basics", mailed; its token."""
    about = {"recipient_email": "grace@example.test", "message": "Enjoy", "send_at": None}
    with site.db.write_session() as session:
        order = order_rows.order(session, giver.id, CODE, total_minor=10_000)
        line = order_rows.order_line(session, order.id, product_id=site.id_of("vat-basics"), gift=about)
        gift_storing.store_for_line(session, order, line, NOON)
        gift = session.scalars(select(Gift)).one()
        token = gift_tokens.token_of(KEY, gift.id)
        gift.token, gift.state = digest_of(token), "sent"
    return token
