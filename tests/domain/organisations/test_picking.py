"""Members of the own organisation are found by name, address or team; nobody else is."""

import pytest

from domain.organisations import picking
from domain.permissions import Tenant
from tests.support import factories
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("berg", ["Mia Berg"]),
        ("MIA@", ["Mia Berg"]),
        ("sal", ["Mia Berg", "Tom Dahl"]),
        ("%", []),
        ("Rival", []),
        ("Former", []),
        ("Nameless", []),
    ],
)
def test_members_are_found_by_a_part_of_name_or_the_beginning_of_address_and_team(session, text, names):
    own, other = factories.organisation(session).id, factories.organisation(session, "rival", "Rival").id
    people = (
        ("Tom Dahl", "tom@northwind.example", own, {"team": "Sales"}),
        ("Mia Berg", "mia@northwind.example", own, {"team": "Sales"}),
        ("Rita Rival", "rita@northwind.example", other, {}),
        ("Fay Former", "fay@northwind.example", own, {"ended_at": NOON}),
        ("Nameless", "", own, {}),
    )
    for name, email, organisation, about in people:
        factories.member(session, factories.learner(session, name, email=email).id, organisation, **about)
    assert [row.name for row in picking.members(session, Tenant(own), text)] == names
