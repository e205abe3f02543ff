"""The table of roles and permissions, compared with the table of the requirements, and the roles in the database."""

import pytest

from domain.identity import learners
from domain.identity.learners import Identity
from domain.identity.roles import roles_of
from domain.permissions import AREAS, ROLES, Permission, may_enter, permissions_of, roles_with
from tests.support import factories
from tests.support.factories import NOON

# Permissions, and the first letters of the staff roles that have them: marketer, support, editor, finance,
# administrator.
STAFF = """
catalogue.read searches.read                                        m s e f a
catalogue.write catalogue.publish content.write imports.run             e   a
prices.write                                                              f a
catalogue.bulk                                                          e f a
coupons.read                                                        m s   f a
reports.read                                                        m     f a
coupons.write                                                       m       a
orders.read orders.write refunds.write                                s   f a
learners.read learners.write messages.write mail.read                 s     a
reviews.moderate                                                      s e   a
certificates.revoke                                                   s     a
organisations.read                                                    s   f a
contracts.write payments.write                                            f a
organisations.decide learners.erase staff.write audit.read mail.replay      a
catalogue.close                                                             a
health.read                                                           s e f a
"""
ORGANISATION = {
    "member": "",
    "manager": "members.write seats.write team_reports.read purchases.read",
    "owner": "members.write seats.write team_reports.read purchases.read profile.write purchases.write ownership.write",
}
INITIALS = {"m": "marketer", "s": "support", "e": "editor", "f": "finance", "a": "administrator"}


def required_of_staff() -> dict[str, set[str]]:
    required: dict[str, set[str]] = {role: set() for role in INITIALS.values()}
    for line in STAFF.strip().splitlines():
        words = line.split()
        for initial in (word for word in words if word in INITIALS):
            required[INITIALS[initial]] |= {word for word in words if word not in INITIALS}
    return required


def test_staff_have_the_required_permissions_and_no_others():
    assert {role: set(permissions) for role, permissions in ROLES["admin"].items()} == required_of_staff()


def test_people_of_an_organisation_have_the_required_permissions_and_no_others():
    assert {role: set(permissions) for role, permissions in ROLES["organisation"].items()} == {
        role: set(permissions.split()) for role, permissions in ORGANISATION.items()
    }


def test_every_permission_belongs_to_exactly_one_area():
    areas = {permission: [area for area in AREAS if roles_with(area, permission)] for permission in Permission}
    assert {permission for permission, its in areas.items() if len(its) != 1} == set()


@pytest.mark.parametrize(
    ("area", "roles", "allowed"),
    [
        ("learner", (), True),
        ("organisation", ("member",), False),
        ("organisation", ("manager",), True),
        ("organisation", ("applicant",), True),
        ("admin", ("applicant",), False),
        ("organisation", ("administrator",), False),
        ("admin", ("marketer",), True),
        ("admin", ("owner", "manager"), False),
        ("admin", ("unknown",), False),
    ],
)
def test_an_area_is_entered_with_a_role_that_has_permissions_in_it(area, roles, allowed):
    assert may_enter(area, roles) is allowed


def test_roles_of_another_area_allow_nothing():
    assert permissions_of("organisation", ("administrator",)) == permissions_of("admin", ("owner",)) == frozenset()


def test_several_roles_allow_what_each_of_them_allows():
    both = permissions_of("admin", ("marketer", "editor"))
    assert both == permissions_of("admin", ("marketer",)) | permissions_of("admin", ("editor",))


@pytest.mark.each_database
def test_roles_come_from_our_tables_and_an_owner_of_an_undecided_organisation_is_an_applicant(session):
    ada = learners.create(session, Identity("https://id.example", "ada"), NOON)
    factories.staff(session, ada.id, "marketer")
    for state, role in (("approved", "manager"), ("submitted", "owner")):
        organisation = factories.organisation(session, state, state=state)
        factories.member(session, ada.id, organisation.id, role=role)
    session.flush()
    assert (roles_of(session, ada.id), roles_of(session, ada.id + 1000)) == (("applicant", "manager", "marketer"), ())
