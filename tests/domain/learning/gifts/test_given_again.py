"""Gifts of a line whose money a dispute took and an appeal gave back: they are where they were."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.account.anonymise import anonymise_account
from domain.learning.gifts import claiming
from domain.learning.gifts import storing as gift_storing
from domain.learning.gifts.tokens import VALID_FOR
from domain.orders.settings import Context
from domain.tables import Gift, Learner, OrderLine
from tests.domain.learning.gifts.world import DAY, give, has_access, sent, token
from tests.support.factories import NOON


def lose_and_win(session, world, at=NOON + 2 * DAY) -> list[str]:
    gift_storing.return_of_line(session, world.line, NOON + DAY, "refund")
    session.flush()
    left = [*gift_storing.give_line_again(session, session.get_one(OrderLine, world.line), at)]
    session.expire_all()
    return left


def state(session) -> str:
    return session.scalars(select(Gift.state)).one()


@pytest.mark.each_database
def test_whoever_had_accepted_the_gift_has_its_course_again(session):
    world = give(session)
    sent(session)
    claiming.claim(session, world.friend, token(session), NOON)
    assert lose_and_win(session, world) == []
    assert (state(session), has_access(session, world.friend, world.course)) == ("claimed", True)


def test_a_link_that_was_mailed_opens_the_gift_again(session):
    world = give(session)
    sent(session)
    secret = token(session)
    assert lose_and_win(session, world) == []
    claiming.claim(session, world.friend, secret, NOON + 2 * DAY)
    assert has_access(session, world.friend, world.course)


def test_a_link_that_has_ended_meanwhile_is_named(session):
    world = give(session)
    sent(session)
    [left] = lose_and_win(session, world, NOON + VALID_FOR)
    assert left.startswith("The link of the gift of ")


def test_a_mail_that_was_not_sent_is_sent_now_and_its_link_counts_from_now(session):
    world, at = give(session), NOON + 30 * DAY
    assert lose_and_win(session, world, at) == []
    assert (state(session), session.scalars(select(Gift.send_at)).one()) == ("waiting", at)
    assert [mail.template for mail in sent(session) if mail is not None][-1] == "gift_sent"


def test_a_gift_of_which_nobody_is_known_any_more_is_left_to_staff(session):
    world = give(session)
    sent(session)
    claiming.claim(session, world.friend, token(session), NOON)
    friend = session.get_one(Learner, world.friend)
    anonymise_account(session, world.friend, friend.email, Context(NOON))
    assert lose_and_win(session, world, NOON + timedelta(days=3)) == [
        f"The gift of {session.get_one(OrderLine, world.line).name} is not given again: "
        "whoever accepted it has deleted their account."
    ]
    assert state(session) == "returned"


def test_what_was_not_returned_is_not_given_again(session):
    world = give(session)
    sent(session)
    assert [*gift_storing.give_line_again(session, session.get_one(OrderLine, world.line), NOON)] == []
    assert state(session) == "sent"
