"""What README.md and docs/operations.md promise is there, and what they call missing is not."""

import re

import pytest

from adapters.payments.signatures import PAYMENT_EVENTS, SESSION_EVENTS
from config.settings import ROOT
from domain.permissions import Permission
from domain.routes import area_pages, table

README = (ROOT / "README.md").read_text("utf-8")
TODAY, _, MISSING = README.partition("What works today: ")[2].partition("\n\n")[0].partition("Not built yet:")
OPERATIONS = (ROOT / "docs" / "operations.md").read_text("utf-8")
COMPOSE = (ROOT / "docker-compose.yml").read_text("utf-8")

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
}
# What is said to be missing, and the permission whose pages would be it. Each page that is served ends its row.
UNBUILT = {"reports for marketing": Permission.REPORTS_READ}


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
    calls |= {Permission.CERTIFICATES_REVOKE, Permission.ORGANISATIONS_DECIDE, Permission.OWNERSHIP_WRITE}
    assert unserved - calls == set(UNBUILT.values())
    assert " ".join(MISSING.split()) == f"{', '.join(UNBUILT)}."


def test_operations_name_every_value_that_compose_requires():
    required = set(re.findall(r"\$\{(\w+):\?", COMPOSE))
    paragraph = OPERATIONS.partition("It requires these values")[2].partition("There are no default secrets")[0]
    assert set(re.findall(r"`([A-Z]\w+)`", paragraph)) == required


def test_operations_name_every_event_that_the_webhook_uses():
    paragraph = OPERATIONS.partition("At the payment gateway, register")[2].partition("\n\n")[0]
    assert set(re.findall(r"`([a-z_]+(?:\.[a-z_]+)+)`", paragraph)) == {*SESSION_EVENTS, *PAYMENT_EVENTS}
    assert "`https://{SITE_DOMAIN}/webhooks/payments`" in paragraph
