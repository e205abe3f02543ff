"""Gifts: mailed with one link, claimed once, and access for exactly as long as something gives it."""

from itertools import permutations

import pytest
from sqlalchemy import func, select, update

from domain.errors import NotFound, Refused
from domain.learning import bundles, grants
from domain.learning.gifts import claiming
from domain.learning.gifts import sending as gift_sending
from domain.learning.gifts import storing as gift_storing
from domain.learning.gifts.claiming import OWN_GIFT, UNKNOWN
from domain.learning.gifts.tokens import VALID_FOR
from domain.learning.grants import GrantSource
from domain.tables import Enrolment, Gift, Outbox, Product
from tests.domain.learning.gifts.world import CODE, DAY, World, give, has_access, sent, token
from tests.support import factories
from tests.support.factories import NOON


@pytest.mark.each_database
def test_the_recipient_gets_a_link_and_a_mail_sent_again_has_the_same(session):
    world = give(session)
    (first,) = sent(session)
    link = f"https://shop.example/user-dashboard?giftToken={token(session)}"
    assert (first.to, first.template) == ("grace@example.test", "gift_sent")
    shown = [first.values["gift"][name] for name in ("giver", "message", "link", "until")]
    assert shown == ["Ada L.", "Enjoy", link, "February 28, 2029"]
    assert gift_sending.send_again(session, world.giver, CODE.lower(), 1, NOON + DAY) == "grace@example.test"
    assert [one.values["gift"]["link"] for one in sent(session)] == [link, link]
    # Neither the link nor the secret is stored.
    assert token(session) not in str(session.execute(select(Gift.token)).all())


def test_a_gift_of_a_day_is_mailed_on_that_day(session):
    world = give(session, send_at="2026-03-08T12:00:00+00:00")
    assert [row.next_at for row in session.scalars(select(Outbox))] == [NOON + 7 * DAY]
    assert session.scalars(select(Gift.state)).one() == "waiting"
    with pytest.raises(Refused, match="still to come"):
        gift_sending.send_again(session, world.giver, CODE, 1, NOON + DAY)


def test_only_the_giver_sends_it_again(session):
    world = give(session)
    for learner, line in ((world.friend, 1), (world.giver, 2)):
        with pytest.raises(NotFound):
            gift_sending.send_again(session, learner, CODE, line, NOON + DAY)


def test_a_claim_opens_the_course_and_tells_the_giver(session):
    world = give(session)
    secret = token(session)
    for at in (NOON, NOON + DAY):
        assert [course.slug for course in claiming.claim(session, world.friend, secret, at)] == ["vat-basics"]
    gift = session.scalars(select(Gift)).one()
    assert (gift.state, gift.learner_id, gift.claimed_at) == ("claimed", world.friend, NOON)
    assert has_access(session, world.friend, world.course)
    gift_mail, *others = sent(session)
    assert (gift_mail, [(mail.to, mail.template) for mail in others]) == (
        None,
        [("grace-hopper@example.test", "enrolled"), ("ada-lovelace@example.test", "gift_claimed")],
    )
    with pytest.raises(Refused, match="accepted already"):
        gift_sending.send_again(session, world.giver, CODE, 1, NOON + DAY)


def test_a_bundle_opens_all_its_courses(session):
    world = give(session)
    category = session.scalars(select(Product.category_id)).first()
    item = factories.item(session, category, "starter", item_kind="bundle").id
    other = factories.course(session, category, "payroll").id
    bundles.put_courses(session, item, [other, world.course])
    session.execute(update(Gift).values(product_id=item))
    courses = claiming.claim(session, world.friend, token(session), NOON)
    assert [course.slug for course in courses] == ["payroll", "vat-basics"]
    assert grants.owned_ids(session, world.friend, [other, world.course], NOON) == {other, world.course}


def test_its_giver_cannot_claim_it(session):
    world = give(session)
    with pytest.raises(Refused, match="your own gift"):
        claiming.claim(session, world.giver, token(session), NOON)
    assert claiming.offer(session, world.giver, token(session), NOON).refusal == OWN_GIFT
    assert session.scalars(select(Gift.state)).one() == "sent"
    assert session.scalars(select(func.count(Enrolment.id))).one() == 0


@pytest.mark.each_database
def test_wrong_used_and_returned_tokens_get_one_answer(session):
    world = give(session)
    secret, stranger = token(session), factories.learner(session, "Alan Turing").id
    claiming.claim(session, world.friend, secret, NOON)
    texts = []
    for learner, tried in ((stranger, secret), (stranger, "x" * 43), (stranger, ""), (stranger, secret + "x")):
        with pytest.raises(NotFound) as error:
            claiming.claim(session, learner, tried, NOON)
        texts.append(str(error.value))
        assert claiming.offer(session, learner, tried, NOON) is None
    gift_storing.return_of_line(session, world.line, NOON + DAY / 2, "refund")
    with pytest.raises(NotFound) as error:
        claiming.claim(session, world.friend, secret, NOON + DAY)
    assert {*texts, str(error.value)} == {UNKNOWN}
    assert not has_access(session, world.friend, world.course)


def test_after_three_years_its_link_opens_nothing(session):
    world = give(session)
    secret = token(session)
    end = NOON + VALID_FOR
    assert claiming.offer(session, world.friend, secret, end - DAY / 2) is not None
    assert claiming.offer(session, world.friend, secret, end) is None
    with pytest.raises(NotFound, match="too old"):
        claiming.claim(session, world.friend, secret, end)
    with pytest.raises(Refused, match="has ended"):
        gift_sending.send_again(session, world.giver, CODE, 1, end)
    claiming.claim(session, world.friend, secret, end - DAY / 2)
    assert claiming.offer(session, world.friend, secret, end + DAY).is_claimed


def test_who_has_it_all_leaves_the_gift_for_somebody_else(session):
    world = give(session)
    grants.grant(session, world.friend, [world.course], GrantSource("seat", 3), NOON)
    with pytest.raises(Refused, match="pass on"):
        claiming.claim(session, world.friend, token(session), NOON)
    assert session.scalars(select(Gift.state)).one() == "sent"


def test_a_returned_gift_is_not_mailed(session):
    world = give(session)
    gift_storing.return_of_line(session, world.line, NOON, "refund")
    assert sent(session) == [None]
    with pytest.raises(Refused, match="taken back"):
        gift_sending.send_again(session, world.giver, CODE, 1, NOON + DAY)


ENDS = ("order", "seat", "gift")


def end(session, world: World, kind: str) -> None:
    if kind == "gift":
        gift_storing.return_of_line(session, world.line, NOON + DAY, "refund")
    else:
        grants.end(session, GrantSource(kind, 77), NOON + DAY, "refund")


@pytest.mark.parametrize("order", list(permutations(ENDS)), ids="-".join)
def test_access_lasts_until_the_last_of_order_seat_and_gift_ends(session, order):
    world = give(session)
    claiming.claim(session, world.friend, token(session), NOON)
    for kind in ("order", "seat"):
        grants.grant(session, world.friend, [world.course], GrantSource(kind, 77), NOON)
    for kind in order:
        assert has_access(session, world.friend, world.course)
        end(session, world, kind)
    assert not has_access(session, world.friend, world.course, NOON + 2 * DAY)
