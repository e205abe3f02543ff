"""A paid gift of a course from Ada to Grace, and its mails."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import select

from contracts.tasks import OutboxKind
from domain import mail
from domain.learning import grants
from domain.learning.gifts import sending as gift_sending
from domain.learning.gifts import storing as gift_storing
from domain.learning.gifts import tokens as gift_tokens
from domain.mail import MailSite
from domain.outbox.leases import Lease
from domain.tables import Gift, Outbox
from tests.support import factories, order_rows
from tests.support.factories import NOON

DAY = timedelta(days=1)
KEY = gift_tokens.derived_key("a secret of the application, 32 letters")
SITE = MailSite("Meridian", "https://shop.example", "staff@example.test", token_key=KEY)
ABOUT = {"recipient_email": "grace@example.test", "message": "Enjoy", "send_at": None}
CODE = "BADECUFIGOHAKELIMONU"


@dataclass(frozen=True)
class World:
    """Ids of the rows."""

    giver: int
    friend: int
    course: int
    line: int


def give(session, **about) -> World:
    """`about`: what the giver typed, instead of ABOUT."""
    giver, friend = factories.learner(session).id, factories.learner(session, "Grace Hopper").id
    course = factories.course(session, factories.category(session).id).id
    order = order_rows.order(session, giver, CODE, total_minor=10_000)
    line = order_rows.order_line(session, order.id, product_id=course, gift={**ABOUT, **about})
    gift_storing.store_for_line(session, order, line, NOON)
    return World(giver, friend, course, line.id)


def leases(session) -> list[Lease]:
    rows = session.scalars(select(Outbox).order_by(Outbox.id))
    return [Lease(row.id, row.kind, row.body, row.created_at, 1, "t") for row in rows]


def sent(session) -> list[mail.OutgoingMail | None]:
    """All mails of the outbox, as the workers send them."""
    for lease in leases(session):
        if lease.kind == OutboxKind.GIFT_SENT:
            gift_sending.open_link(session, lease, KEY)
    session.flush()
    return [mail.compose(session, lease, SITE) for lease in leases(session)]


def token(session) -> str:
    """The token of the only gift, after its mail."""
    sent(session)
    return gift_tokens.token_of(KEY, session.scalars(select(Gift.id)).one())


def has_access(session, learner: int, course: int, at=NOON + DAY) -> bool:
    return grants.owned_ids(session, learner, [course], at) == {course}
