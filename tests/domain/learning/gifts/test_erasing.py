"""Gifts when an account is deleted: the gift of a giver who left still arrives, and settled ones name nobody."""

import pytest
from sqlalchemy import select

from domain.account.anonymise import anonymise_account
from domain.learning.gifts import claiming
from domain.learning.gifts import storing as gift_storing
from domain.orders.settings import Context
from domain.tables import Gift, Learner, OrderLine
from tests.domain.learning.gifts.world import DAY, give, has_access, sent, token
from tests.support import factories
from tests.support.factories import NOON

NOBODY = {"recipient_email": "", "message": "", "send_at": None}


def leave(session, learner: int) -> None:
    email = session.get_one(Learner, learner).email
    anonymise_account(session, learner, email, Context(NOON))
    session.flush()
    session.expire_all()


def stored(session) -> tuple[tuple[str, str], dict | None]:
    session.flush()
    session.expire_all()
    gift = session.scalars(select(Gift)).one()
    return (gift.recipient_email, gift.message), session.scalars(select(OrderLine.gift)).one()


@pytest.mark.each_database
def test_the_gift_of_a_giver_who_left_arrives_and_then_names_nobody(session):
    world = give(session)
    leave(session, world.giver)
    (arrived,) = sent(session)
    assert (arrived.to, arrived.values["gift"]["giver"], arrived.values["gift"]["message"]) == (
        *("grace@example.test", ""),
        "Enjoy",
    )
    secret = token(session)
    assert claiming.offer(session, world.friend, secret, NOON).giver == ""
    claiming.claim(session, world.friend, secret, NOON)
    assert has_access(session, world.friend, world.course)
    assert stored(session) == (("", ""), NOBODY)
    assert [mail and mail.template for mail in sent(session)] == [None, "enrolled", None]


def test_a_refund_for_a_giver_who_left_leaves_no_name(session):
    world = give(session)
    leave(session, world.giver)
    gift_storing.return_of_line(session, world.line, NOON + DAY, "refund")
    assert stored(session) == (("", ""), NOBODY)


def test_a_giver_who_leaves_takes_the_name_from_what_was_accepted(session):
    world = give(session)
    claiming.claim(session, world.friend, token(session), NOON)
    assert stored(session)[0] == ("grace@example.test", "Enjoy")
    leave(session, world.giver)
    assert stored(session) == (("", ""), NOBODY)
    assert has_access(session, world.friend, world.course)


def test_a_recipient_who_leaves_takes_their_address_from_the_order_of_the_giver(session):
    world = give(session)
    claiming.claim(session, world.friend, token(session), NOON)
    leave(session, world.friend)
    assert stored(session) == (("", ""), NOBODY)
    told = sent(session)[-1]
    assert (told.to, told.values["gift"]["recipient"]) == ("ada-lovelace@example.test", "")


def test_gifts_of_others_keep_their_address(session):
    give(session)
    stranger = factories.learner(session, "Eve")
    leave(session, stranger.id)
    assert stored(session)[0] == ("grace@example.test", "Enjoy")
