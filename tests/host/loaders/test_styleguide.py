"""The component page, /styleguide."""

import pytest

GATEWAY = {
    "PAYMENTS_API_BASE": "https://api.gateway.example",
    "PAYMENTS_KEY": "sk_live_example",
    "PAYMENTS_WEBHOOK_SECRETS": "whsec_example",
}
PRODUCTION = {
    "APP_ENV": "production",
    "OIDC_ISSUER": "https://id.example",
    "SECRET_KEY": "k" * 32,
    "DEV_DELAY": "",
    "CERTIFICATE_KEY": "A" * 1600,
    "SHOP_LEGAL_NAME": "Harbour School Ltd",
    "SITE_NAME": "Harbour School",
    "SITE_TAGLINE": "Courses by the sea",
    "SITE_LOGO": "/static/images/logo.svg",
    "SITE_EMAIL": "hello@harbour.example",
    "CURRENCY": "USD",
    "SHOP_COUNTRY": "US",
    "OIDC_CLIENT_ID": "storefront",
    **GATEWAY,
}


@pytest.mark.parametrize(("environment", "status"), [({}, 200), (PRODUCTION, 404)], ids=["development", "production"])
async def test_only_development_has_a_component_page(open_site, environment, status):
    site = await open_site(**environment)
    assert [(await site.get(path)).status for path in ("/styleguide", "/data/styleguide")] == [status, status]
