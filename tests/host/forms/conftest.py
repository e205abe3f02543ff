"""Sites that sell, as the calls of the checkout have them."""

from tests.host.api.checkout.conftest import gateway, open_checkout, selling_site

__all__ = ["gateway", "open_checkout", "selling_site"]
