"""Sites of tests/host, for what travels between a site and processes of the build before."""

from tests.host.conftest import _compiled_templates, open_site, shop_file

__all__ = ["_compiled_templates", "open_site", "shop_file"]
