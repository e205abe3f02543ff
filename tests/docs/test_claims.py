"""What README.md and docs/readings.md promise is there, and what they call missing is not."""

import re

import pytest

from config.settings import ROOT
from domain.permissions import Permission
from domain.routes import area_pages, match_route, table
from domain.tables import Base
from host import app as _app  # noqa: F401 its import registers every call
from host.api.registry import CALLS

README = (ROOT / "README.md").read_text("utf-8")
TODAY, _, MISSING = README.partition("What works today: ")[2].partition("\n\n")[0].partition("Not built yet:")
READINGS = (ROOT / "docs" / "readings.md").read_text("utf-8")

# Words of "What works today", and a page or the permission of a page that must be served for them.
CLAIMS = {
    "catalogue": "/shop",
    "search": "/search",
    "cart": "/cart",
    "wishlist": "/wishlist",
    "coupons": Permission.COUPONS_WRITE,
    "contracts": Permission.CONTRACTS_WRITE,
    "checkout": "/checkout",
    "orders": "/order/{id}",
    "lesson player": "/user-dashboard",
    "certificates": "/verify-certificate/{code}",
    "sign-in": "/login",
    "accounts": "/profile",
    "staff edit": Permission.CATALOGUE_WRITE,
    "import": Permission.IMPORTS_RUN,
    "help": Permission.LEARNERS_READ,
    "refund": Permission.REFUNDS_WRITE,
    "organisations invite people": Permission.MEMBERS_WRITE,
    "assign and buy seats": Permission.PURCHASES_WRITE,
    "reports about visits": Permission.REPORTS_READ,
    "attribution of orders to campaigns": "/admin/reports/attribution/orders/{ref}",
}
# What is said to be missing, and the permission whose pages would be it: each page that is served ends its row. None:
# it will be on pages that are served.
UNBUILT: dict[str, Permission | None] = {}
# Addresses that docs/readings.md names besides pages and calls: prefixes, and the state of a host.
OTHER_ADDRESSES = {"/api/", "/data", "/readyz"}
# What docs/readings.md says is not there yet, and the words that the name of a table with it would have.
NOT_YET: dict[str, tuple[str, ...]] = {}


def served() -> set[str]:
    """The paths of the pages that are served, and the permissions that they need."""
    pages = [page for page in (*table(), *area_pages()) if page.served]
    return {page.path for page in pages} | {str(page.permission) for page in area_pages() if page.served}


@pytest.mark.parametrize("words", CLAIMS)
def test_what_works_today_is_served(words):
    assert re.search(rf"\b{words}", " ".join(TODAY.split()))
    assert CLAIMS[words] in served()


def test_what_is_called_missing_is_exactly_what_no_page_serves():
    unserved = {permission for permission in Permission if permission not in served()}
    # Permissions of calls whose pages are open to more people.
    calls = {Permission.CATALOGUE_CLOSE, Permission.PRICES_WRITE, Permission.LEARNERS_WRITE, Permission.LEARNERS_ERASE}
    calls |= {
        Permission.ORDERS_WRITE,
        Permission.CERTIFICATES_REVOKE,
        Permission.ORGANISATIONS_DECIDE,
        Permission.OWNERSHIP_WRITE,
    }
    assert unserved - calls == {permission for permission in UNBUILT.values() if permission is not None}
    assert " ".join(MISSING.split()) == (f"{', '.join(UNBUILT)}." if UNBUILT else "")


def addresses(text: str) -> set[str]:
    """The path of every address in code, without method and query."""
    return set(re.findall(r"`(?:[A-Z]+ )?(/[\w{}/.-]*)(?:\?[^`]*)?`", text))


def test_every_address_in_the_readings_is_answered():
    calls = {f"/api/{row.name}" for row in CALLS.values()}
    assert {path for path in addresses(READINGS) if match_route(path) is None} - calls == OTHER_ADDRESSES
    unserved = {page.path for page in table() if not page.served}
    (row,) = (line for line in READINGS.splitlines() if line.startswith("| rows of the table that are marked"))
    assert addresses(row) == unserved


def test_the_readings_name_the_layout_of_each_page_that_has_another_one():
    layouts = {page.path: page.layout for page in table()}
    (row,) = (line for line in READINGS.splitlines() if line.startswith("| layouts of pages"))
    (blank,) = (line for line in READINGS.splitlines() if "| blank; one provider for all" in line)
    assert "the default layout; `/` has none and renders header and footer itself; layout-one for" in row
    assert [path for path, layout in layouts.items() if layout == "none"] == ["/"]
    layout_one = addresses(row) - {"/"}
    assert layout_one == {path for path, layout in layouts.items() if layout == "layout-one"}
    assert {layouts[path] for path in addresses(blank)} == {"blank"}


def test_what_the_readings_call_not_there_yet_is_not_there():
    said = [sentence for sentence in re.split(r"[|:.;]", READINGS) if re.search(r"\byet\b(?! started)", sentence)]
    known = ("visits that the host has not accepted yet", "not yet started", *NOT_YET)
    assert [sentence for sentence in said if not any(words in sentence for words in known)] == []
    for sentence, words in NOT_YET.items():
        assert sentence in READINGS
        assert [name for name in Base.metadata.tables if "visit" in name and any(word in name for word in words)] == []
