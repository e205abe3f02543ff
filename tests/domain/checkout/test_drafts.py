"""What was typed at the checkout is kept for a day, and for its learner alone."""

from datetime import timedelta

import pytest

from domain.cart import lines as cart_lines
from domain.checkout import drafts
from domain.errors import InvalidInput
from tests.support import factories
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database

DAY, SECOND = timedelta(days=1), timedelta(seconds=1)
ADA = {"billing.name": "Ada"}


def test_a_draft_is_kept_for_a_day_after_its_last_change(session):
    ada, grace = factories.learner(session), factories.learner(session, "Grace")
    drafts.store(session, ada.id, ADA, NOON, rendered={"total": 5})
    drafts.store(session, ada.id, {"billing.name": "Ada L"}, NOON + SECOND)
    draft = drafts.read(session, ada.id, NOON + DAY)
    assert draft == drafts.DraftContents({"billing.name": "Ada L"}, {"total": 5}, NOON + SECOND)
    assert drafts.read(session, grace.id, NOON) is None
    assert drafts.read(session, ada.id, NOON + SECOND + DAY) is None


def test_a_stored_form_replaces_what_the_last_one_showed(session):
    ada = factories.learner(session)
    drafts.store(session, ada.id, ADA, NOON, rendered={"total": 5})
    drafts.store(session, ada.id, ADA, NOON, rendered={"total": 6})
    assert drafts.read(session, ada.id, NOON) == drafts.DraftContents(ADA, {"total": 6}, NOON)


def test_only_expired_drafts_are_deleted(session):
    ada, grace = factories.learner(session), factories.learner(session, "Grace")
    drafts.store(session, ada.id, ADA, NOON)
    drafts.store(session, grace.id, ADA, NOON + SECOND)
    assert drafts.delete_expired(session, NOON + DAY) == 1
    assert drafts.read(session, grace.id, NOON + SECOND) is not None


def gift_of(product_id, text="Enjoy"):
    return {f"gift.{product_id}.chosen": "yes", f"gift.{product_id}.message": text}


def test_of_gifts_only_those_in_the_cart_are_kept(session):
    ada, course = factories.learner(session), factories.course(session, factories.category(session).id, "vat")
    cart_lines.add(session, ada.id, course.id, NOON)
    strange = {name: text for number in range(10**9, 10**9 + 500) for name, text in gift_of(number, "x" * 400).items()}
    drafts.store(session, ada.id, {**ADA, **strange, **gift_of(course.id)}, NOON)
    assert drafts.read(session, ada.id, NOON).values == {**ADA, **gift_of(course.id)}


def test_a_draft_beyond_its_limit_is_refused_at_its_longest_field_and_the_one_before_stays(session):
    ada = factories.learner(session)
    fields = {f"field.{number}": "é" * 400 for number in range(78)}
    drafts.store(session, ada.id, fields, NOON)
    with pytest.raises(InvalidInput) as refused:
        drafts.store(session, ada.id, {**fields, "long": "é" * 1_500}, NOON)
    assert refused.value.errors == {"long": "Shorten this: all fields together may have 64 KiB at most."}
    assert drafts.read(session, ada.id, NOON).values == fields


def test_what_was_typed_for_a_gift_does_not_count_for_the_same_course_in_a_later_cart(session):
    ada, course = factories.learner(session), factories.course(session, factories.category(session).id, "vat")
    cart_lines.add(session, ada.id, course.id, NOON)
    drafts.store(session, ada.id, {**ADA, **gift_of(course.id)}, NOON)
    assert drafts.read_values(session, ada.id, NOON + SECOND) == {**ADA, **gift_of(course.id)}
    cart_lines.remove(session, ada.id, course.id)
    cart_lines.add(session, ada.id, course.id, NOON + SECOND)
    assert drafts.read_values(session, ada.id, NOON + 2 * SECOND) == ADA
