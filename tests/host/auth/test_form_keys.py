"""Keys of plain forms: whose, for what, how long, and never the same twice."""

from datetime import UTC, datetime, timedelta

import pytest

from host.auth.form_keys import FormKeys, InvalidFormKey

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
KEYS = FormKeys("k" * 32)
KEY = KEYS.create("cart", 7, NOON)
DAY = timedelta(days=1)


@pytest.mark.parametrize("after", [timedelta(0), timedelta(hours=23, minutes=59), DAY, timedelta(minutes=-5)])
def test_a_key_names_its_learner_for_a_day(after):
    assert KEYS.learner_of("cart", KEY, NOON + after) == 7


def test_an_expired_key_still_says_whose_form_it_was():
    with pytest.raises(InvalidFormKey, match="expired") as refusal:
        KEYS.learner_of("cart", KEY, NOON + DAY + timedelta(seconds=1))
    assert refusal.value.learner_id == 7


LEARNER, CREATED, NONCE, MAC = KEY.split(".")
OTHERS = {
    "another purpose": KEYS.create("checkout", 7, NOON),
    "another secret": FormKeys("l" * 32).create("cart", 7, NOON),
    "another learner": f"8.{CREATED}.{NONCE}.{MAC}",
    "another time": f"{LEARNER}.{int(CREATED) + 60}.{NONCE}.{MAC}",
    "another random part": f"{LEARNER}.{CREATED}.{'A' * 22}.{MAC}",
    "another mac": f"{LEARNER}.{CREATED}.{NONCE}.{'A' * 43}",
    "no mac": f"{LEARNER}.{CREATED}.{NONCE}",
    "empty": "",
    "other digits": KEY.replace("7", "\u0667", 1),
    "a line more": f"{KEY}\n",
    "far too long": KEY * 1000,
}


@pytest.mark.parametrize("key", OTHERS.values(), ids=OTHERS)
def test_every_other_key_is_refused_and_names_nobody(key):
    with pytest.raises(InvalidFormKey, match="invalid") as refusal:
        KEYS.learner_of("cart", key, NOON)
    assert refusal.value.learner_id is None


def test_each_rendering_has_a_key_of_its_own_that_fits_the_header_and_the_column():
    keys = {KEYS.create("cart", 2**63 - 1, NOON) for _ in range(50)}
    assert len(keys) == 50
    assert {16 <= len(key) <= 200 and key.isascii() for key in keys} == {True}
