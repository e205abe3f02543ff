"""A list that names people leaves the site as a file only after a recent sign-in."""

import pytest

from tests.host.pages import LISTS

# Columns that say who somebody is. The names of staff who began something are none: `by`.
_PEOPLE = {"actor", "author", "buyer", "email", "network", "number", "person", "student"}
# `number` is the student number there, and that of a row elsewhere.
_OWN_NUMBERS = {"admin-audit", "admin-dead-letters", "admin-mail", "admin-refunds"}


@pytest.mark.parametrize("page", LISTS)
def test_the_file_of_a_list_with_people_needs_a_recent_sign_in(page):
    spec = LISTS[page].spec
    found = {column.key for column in spec.columns} & _PEOPLE - ({"number"} if page in _OWN_NUMBERS else set())
    assert not found or spec.names_people or not spec.has_csv, found
