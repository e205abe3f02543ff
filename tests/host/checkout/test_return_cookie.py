"""The return cookie: which orders were placed in this browser, for three hours, and for nobody else."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from config.settings import Settings
from host.app_keys import SETTINGS
from host.checkout import return_cookie
from host.checkout.return_cookie import RETURN_ENTRIES, ReturnEntries, ReturnEntry
from host.http import request_keys

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
SIGNER = ReturnEntries("k" * 32)
FIRST, SECOND = "A" * 20, "B" * 20
SECOND_S, RETURN_AGE = timedelta(seconds=1), timedelta(minutes=180)


def request(cookie: str = "", origin: str = "https://shop.example") -> web.Request:
    settings = Settings.from_environment({"SITE_ORIGIN": origin})
    app = web.Application()
    app[SETTINGS], app[RETURN_ENTRIES] = settings, SIGNER
    headers = {"Cookie": f"{return_cookie.cookie_name(settings)}={cookie}"} if cookie else {}
    return make_mocked_request("GET", "/", headers=headers, app=app)


def added(*orders: tuple[str, int], at: datetime = NOON) -> tuple[str, dict[str, Any]]:
    """Value and attributes of the cookie after these orders were placed, one after another."""
    value: str = ""
    attributes: dict[str, Any] = {}
    for code, learner_id in orders:
        placed = request(value)
        return_cookie.add_to_call(placed, code, learner_id, at)
        ((value, attributes),) = placed[request_keys.COOKIES].values()
    return value, attributes


def codes(value: str, at: datetime = NOON) -> list[str]:
    return [entry.code for entry in return_cookie.entries(request(value), at)]


def test_it_names_the_order_and_its_learner_for_three_hours_and_scripts_cannot_read_it():
    value, attributes = added((FIRST, 7))
    assert attributes == {"max_age": 10_800, "path": "/", "httponly": True, "samesite": "Lax", "secure": True}
    (entry,) = return_cookie.entries(request(value), NOON + RETURN_AGE - SECOND_S)
    assert (entry.code, entry.learner_id) == (FIRST, 7)
    assert codes(value, NOON + RETURN_AGE) == []
    assert len(value) < 100


@pytest.mark.parametrize(
    ("origin", "name"), [("https://shop.example", "__Host-return"), ("http://localhost:8080", "return")]
)
def test_only_its_own_host_can_set_it_where_that_is_possible(origin, name):
    assert return_cookie.cookie_name(request(origin=origin).app[SETTINGS]) == name


def test_the_response_of_a_plain_form_gets_the_same_cookie():
    placed, response = request(), web.Response()
    return_cookie.add(placed, response, FIRST, 7, NOON)
    assert response.cookies["__Host-return"].value == added((FIRST, 7))[0]
    return_cookie.clear(response, placed.app[SETTINGS])
    assert (response.cookies["__Host-return"].value, response.cookies["__Host-return"]["max-age"]) == ("", "0")


def test_it_keeps_the_three_newest_orders_each_once():
    names = [letter * 20 for letter in "ABCD"]
    value, _ = added(*[(name, 7) for name in names], (names[1], 7))
    assert codes(value) == [names[1], names[3], names[2]]


def test_an_order_of_somebody_else_replaces_all():
    value, _ = added((FIRST, 7), (SECOND, 8))
    assert codes(value) == [SECOND]


def test_an_order_is_looked_up_in_any_case():
    value, _ = added((FIRST, 7))
    entry = return_cookie.entry_of(request(value), FIRST.lower(), NOON)
    assert entry is not None
    assert return_cookie.entry_of(request(value), SECOND, NOON) is None


VALID = SIGNER.to_text([ReturnEntry(FIRST, 7, NOON + RETURN_AGE)])
CODE, LEARNER, EXPIRY, MAC = VALID.split(".")
FORGED = {
    "another order": f"{SECOND}.{LEARNER}.{EXPIRY}.{MAC}",
    "another learner": f"{CODE}.8.{EXPIRY}.{MAC}",
    "another expiry": f"{CODE}.{LEARNER}.{int(EXPIRY) + 60}.{MAC}",
    "another secret": ReturnEntries("l" * 32).to_text([ReturnEntry(FIRST, 7, NOON + RETURN_AGE)]),
    "no mac": f"{CODE}.{LEARNER}.{EXPIRY}",
    "other digits": VALID.replace(".7.", ".\u0667.", 1),
    "far too long": "~".join([VALID] * 100),
    "nonsense": "~.~.~",
}


@pytest.mark.parametrize("value", FORGED.values(), ids=FORGED)
def test_what_this_site_did_not_write_names_nothing(value):
    assert SIGNER.from_text(value, NOON) == ()


def test_a_forged_entry_does_not_hide_a_valid_one():
    assert [entry.code for entry in SIGNER.from_text(f"{FORGED['another order']}~{VALID}", NOON)] == [FIRST]


def test_a_sign_in_of_somebody_else_deletes_it_and_one_of_the_buyer_does_not():
    returned = request(VALID)
    assert return_cookie.cleared_for(returned, 7, NOON) == {}
    ((value, attributes),) = return_cookie.cleared_for(returned, 8, NOON).values()
    assert (value, attributes["max_age"]) == ("", 0)
    assert return_cookie.cleared_for(request(), 8, NOON) == {}
