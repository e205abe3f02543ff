"""The component page, /styleguide."""

import pytest

PRODUCTION = {"APP_ENV": "production", "OIDC_ISSUER": "https://id.example", "SECRET_KEY": "k" * 32, "DEV_DELAY": ""}


@pytest.mark.parametrize(("environment", "status"), [({}, 200), (PRODUCTION, 404)], ids=["development", "production"])
async def test_only_development_has_a_component_page(open_site, environment, status):
    site = await open_site(**environment)
    assert [(await site.get(path)).status for path in ("/styleguide", "/data/styleguide")] == [status, status]
