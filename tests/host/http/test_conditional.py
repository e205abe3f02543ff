"""Dates of a form to the second: two changes within one must still be two."""

from datetime import timedelta

import pytest
from aiohttp.test_utils import make_mocked_request

from host.conditional import is_known, shown
from tests.factories import NOON


def at(seconds: float):
    return NOON + timedelta(seconds=seconds)


def asked_since(moment):
    return make_mocked_request("GET", "/", {"If-Modified-Since": f"{moment:%a, %d %b %Y %H:%M:%S GMT}"})


@pytest.mark.parametrize(
    ("changed", "fetched", "changed_again"),
    [
        (0.0, 0.0, 0.0),
        (0.1, 0.2, 0.3),
        (0.1, 0.9, 0.95),
        (0.1, 1.2, 1.3),
        (0.9, 1.0, 1.1),
        (0.1, 2.0, 2.1),
        (0.9, 2.9, 2.9),
        (0.1, 60.5, 60.6),
    ],
)
def test_a_second_change_is_never_known_by_the_date_of_the_first(changed, fetched, changed_again):
    told = shown(at(changed), at(fetched))
    assert not is_known(asked_since(told), "", at(changed_again))


@pytest.mark.parametrize(("fetched", "changed"), [(0.1, 0.2), (0.0, 0.0), (0.999, 0.9)])
def test_a_change_is_never_known_by_the_time_when_the_asker_last_came(fetched, changed):
    assert not is_known(asked_since(at(fetched)), "", at(changed))


@pytest.mark.parametrize(("changed", "another_noticed"), [(0.9, 0.95), (0.1, 0.35), (0.9, 1.15)])
def test_a_process_that_notices_a_change_later_dates_nothing_older_as_new(changed, another_noticed):
    told = shown(at(another_noticed - 0.25), at(another_noticed))
    assert not is_known(asked_since(told), "", at(changed))


@pytest.mark.parametrize("fetched", [2.0, 2.5, 60.0])
def test_a_form_that_has_settled_is_known_by_its_date(fetched):
    assert is_known(asked_since(shown(at(0.4), at(fetched))), "", at(0.4))


def test_a_date_never_lies_ahead():
    assert all(shown(at(0.4), at(moment / 10)) <= at(moment / 10) for moment in range(4, 60))
