"""The side navigation of an area: which link holds which."""

from domain.routes import area_pages, areas
from host.rendering import area_props
from tests.support.area_rows import nav, row, use_rows

HELD = nav("Selling", "Refunds", below="admin-orders")
ROWS = (
    row("admin-refunds", "admin", "/admin/refunds", permission="coupons.read", nav=HELD),
    row("admin-coupons", "admin", "/admin/coupons", permission="coupons.read", nav=nav("Selling", "Coupons")),
    row("admin-orders", "admin", "/admin/orders", permission="orders.read", nav=nav("Selling", "Orders")),
)


def test_a_link_follows_the_one_that_holds_it_and_stands_alone_where_that_one_is_missing(monkeypatch, tmp_path):
    with use_rows(monkeypatch, tmp_path, ROWS):
        (admin,) = (area for area in areas() if area.id == "admin")
        shown = {
            role: [(link["label"], link["below"]) for link in area_props._navigation(admin, (role,))[0]["links"]]
            for role in ("administrator", "marketer")
        }
    assert shown == {
        "administrator": [("Coupons", None), ("Orders", None), ("Refunds", "/admin/orders")],
        "marketer": [("Refunds", None), ("Coupons", None)],
    }


def test_every_held_entry_names_one_that_holds_no_other_holder():
    """One level, so that what holds it is shown."""
    listed = {page.id: page.nav for page in area_pages() if page.nav is not None}
    holders = {entry.below for entry in listed.values() if entry.below is not None}
    assert holders <= {page_id for page_id, entry in listed.items() if entry.below is None}
    assert all(listed[entry.below].group == entry.group for entry in listed.values() if entry.below is not None)


# Reached from everywhere, or shown instead of a page: no entry is theirs.
OF_NO_ENTRY = {"admin-search", "organization-application", "organization-choose"}


def test_every_page_of_an_area_belongs_to_an_entry_of_its_navigation():
    """So that people see where they are."""
    pages = [page for page in area_pages() if page.served and page.area.session is not None]
    found = set()
    for page in pages:
        entries = [other for other in pages if other.nav is not None and other.area is page.area]
        places = {other.path for other in entries} | {other.nav.also for other in entries if other.nav.also}
        held = {path for path in places if path != page.area.home and page.path.startswith(f"{path}/")}
        if page.path not in places and not held:
            found.add(page.id)
    assert found == OF_NO_ENTRY
