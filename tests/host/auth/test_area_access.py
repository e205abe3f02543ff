"""Where somebody arrives who signs in to an area."""

import pytest

from host.auth.area_access import home_of
from tests.support import area_rows

ORDERS = area_rows.row("admin-orders", "admin", "/admin/orders", permission="orders.read")
ORGANISATION = area_rows.row("organization-home", "organization", "/organization")
CHOOSE = area_rows.row("organization-choose", "organization", "/organization/choose")

HOMES = {
    "a learner": ("learner", (), "/"),
    "an administrator": ("admin", ("administrator", "finance"), "/admin"),
    "finance": ("admin", ("editor", "finance"), "/admin/orders"),
    "support": ("admin", ("support",), "/admin/orders"),
    "an editor, whose page is built": ("admin", ("editor", "marketer"), "/admin/courses"),
    "a marketer, whose page is not built": ("admin", ("marketer",), "/admin"),
    "an owner": ("organisation", ("owner",), "/organization"),
    "an applicant": ("organisation", ("applicant",), "/organization/application"),
    "somebody of several organisations": ("organisation", (), "/organization/choose"),
}


@pytest.mark.parametrize("case", HOMES)
def test_a_sign_in_leads_to_the_first_page_that_fits_and_is_built(case, monkeypatch, tmp_path):
    area, roles, home = HOMES[case]
    with area_rows.use_rows(monkeypatch, tmp_path, (*area_rows.ROWS, ORDERS, ORGANISATION, CHOOSE)):
        assert home_of(area, roles) == home


def test_a_learner_who_owns_something_arrives_at_the_dashboard():
    assert home_of("learner", (), owns_something=True) == "/user-dashboard"


def test_an_area_without_pages_leads_to_the_front_page(monkeypatch, tmp_path):
    with area_rows.use_rows(monkeypatch, tmp_path, ()):
        assert home_of("organisation", ("owner",)) == "/"
