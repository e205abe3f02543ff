"""Last-Modified to the second: two changes within one second must still be date apart."""

from datetime import timedelta

import pytest
from aiohttp.test_utils import make_mocked_request

from host.http.conditional import is_not_modified, last_modified
from tests.support.factories import NOON


def at(seconds: float):
    return NOON + timedelta(seconds=seconds)


def request_since(moment):
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
def test_the_date_of_a_first_change_never_hides_a_second_one(changed, fetched, changed_again):
    date = last_modified(at(changed), at(fetched))
    assert not is_not_modified(request_since(date), "", at(changed_again))


@pytest.mark.parametrize(("fetched", "changed"), [(0.1, 0.2), (0.0, 0.0), (0.999, 0.9)])
def test_the_date_of_the_last_request_never_hides_a_change(fetched, changed):
    assert not is_not_modified(request_since(at(fetched)), "", at(changed))


@pytest.mark.parametrize(("changed", "seen_by_other"), [(0.9, 0.95), (0.1, 0.35), (0.9, 1.15)])
def test_a_process_that_sees_a_change_later_gives_the_old_version_no_newer_date(changed, seen_by_other):
    date = last_modified(at(seen_by_other - 0.25), at(seen_by_other))
    assert not is_not_modified(request_since(date), "", at(changed))


@pytest.mark.parametrize("fetched", [2.0, 2.5, 60.0])
def test_a_settled_version_is_answered_with_304(fetched):
    assert is_not_modified(request_since(last_modified(at(0.4), at(fetched))), "", at(0.4))


def test_last_modified_is_never_in_the_future():
    assert all(last_modified(at(0.4), at(moment / 10)) <= at(moment / 10) for moment in range(4, 60))
