"""When something was last done with a seat, as pages of organisations say it."""

from datetime import UTC, datetime

import pytest

from host.loaders.organisation.seat_texts import last_use


@pytest.mark.parametrize(
    ("state", "at", "text"),
    [
        ("active", None, "Not started"),
        ("active", datetime(2026, 11, 30, tzinfo=UTC), "2026-W49"),
        ("spent", datetime(2027, 1, 1, tzinfo=UTC), "2026-W53"),
        # Completed by hand, without having been studied.
        ("spent", None, None),
    ],
)
def test_a_seat_is_not_started_while_its_course_can_still_be(state, at, text):
    assert last_use(state, at) == text
