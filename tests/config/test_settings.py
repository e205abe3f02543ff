"""Settings: the values that each accepts, and one sentence for each invalid value."""

from ipaddress import ip_network
from pathlib import Path

import pytest

from config.environment import SECRETS
from config.settings import SettingError, Settings
from config.worker_settings import WorkerSettings
from domain import fault_points
from domain.database.database import database_url

ORIGIN = "an origin such as https://shop.example.org"
REDIS = "redis://host:port/number, rediss://…, unix:///path or none"
WORKERS = "unix:/path or tcp://host:port, separated by commas"
NETWORKS = "addresses or networks, separated by commas, such as 10.0.0.0/8"
WEB = "an https address such as https://id.example.org/account"
FAULT_POINTS = ", ".join(sorted(fault_points.NAMES))
NAME_SERVER = "an address such as 192.0.2.53, 127.0.0.1:5353 or [::1]:5353"
DELAYS = "name:milliseconds, separated by commas, such as reviews:1000"

MALFORMED = [
    ("APP_ENV", "prod", "one of development, production"),
    ("PORT", "0", "a whole number from 1 to 65535"),
    ("PORT", "65536", "a whole number from 1 to 65535"),
    ("REFUND_AUTO_MAX", "-1", "an amount such as 500.00"),
    ("REFUND_AUTO_MAX", "1,000", "an amount such as 500.00"),
    *(("REPORT_TIME_ZONE", text, "a time zone such as Europe/Berlin") for text in ("Mars/Base", "../etc", "Europe")),
    *(("DNS_RESOLVER", text, NAME_SERVER) for text in ("dns.example", "[::1", "192.0.2.1.5", ":53")),
    *(("DNS_RESOLVER", text, "a port from 1 to 65535 after the address") for text in ("192.0.2.1:", "[::1]:99999")),
    ("CRAWLER_DNS", "yes", "one of on, off"),
    ("ROLLUP_KEYS", "9", "a whole number from 10 to 5000"),
    ("PORT", "80a", "a whole number from 1 to 65535"),
    ("PORT", "-80", "a whole number from 1 to 65535"),
    ("HOST", "local host", "an address or host name"),
    ("SITE_ORIGIN", "shop.example", ORIGIN),
    ("SITE_ORIGIN", "https://", ORIGIN),
    ("SITE_ORIGIN", "ftp://shop.example", ORIGIN),
    ("SITE_ORIGIN", "https://shop.example/path", ORIGIN),
    ("SITE_ORIGIN", "https://shop.example?x=1", ORIGIN),
    ("SITE_ORIGIN", "https://[::1", ORIGIN),
    ("REDIS_URL", "localhost:6379", REDIS),
    ("REDIS_URL", "redis://", REDIS),
    ("REDIS_URL", "redis://localhost:port/0", REDIS),
    ("HOST_WORKERS", "0", "a whole number from 1 to 64"),
    ("SSR_WORKERS", "many", "a whole number from 1 to 64"),
    ("SSR_URL", "http://ssr:9000", WORKERS),
    ("SSR_URL", "tcp://ssr", WORKERS),
    ("SSR_URL", "unix:/a.sock,ssr:9", WORKERS),
    ("ROBOTS", "yes", "one of open, closed"),
    ("TRUSTED_PROXIES", "10.0.0.1/8", NETWORKS),
    ("TRUSTED_PROXIES", "proxy", NETWORKS),
    ("CURRENCY", "usd", "three uppercase letters such as USD"),
    ("CURRENCY", "DOLLAR", "three uppercase letters such as USD"),
    ("CURRENCY", "UDS", "a currency of ISO 4217 such as USD"),
    ("CURRENCY", "CLF", "a currency with at most three decimals, CLF has 4"),
    ("SHOP_COUNTRY", "usa", "two uppercase letters such as US"),
    ("SHOP_REGION", "california", "a region's code without its country, such as CA"),
    ("PRICES_INCLUDE_TAX", "yes", "on or off"),
    ("LOCALE", "english", "a known language, with or without a country, such as en-US, de-CH or ar-EG"),
    ("LOCALE", "en-UK", "a known language, with or without a country, such as en-US, de-CH or ar-EG"),
    ("SITE_LOGO", "//evil.example/logo.svg", "a path on this site or an https address"),
    ("SITE_LOGO", "http://cdn.example/logo.svg", "a path on this site or an https address"),
    ("SITE_LOGO", "https://cdn.example", "a path on this site or an https address"),
    ("SITE_LOGO", "https://cdn.example;script-src/l.svg", "a path on this site or an https address"),
    ("OIDC_ACCOUNT_URL", "/account", WEB),
    ("OIDC_ACCOUNT_URL", "http://id.example/account", WEB),
    ("OIDC_ACCOUNT_URL", "javascript:alert(1)", WEB),
    ("OIDC_ACCOUNT_URL", "https://ada:secret@id.example/", WEB),
    ("OIDC_ACCOUNT_URL", 'https://id.example/"x', WEB),
    ("SITE_EMAIL", "nobody", "an email address"),
    ("API_BASE", "api", "a path or an https address"),
    ("LIMITS", "no", "on or off"),
    ("DEV_DELAY", "reviews", DELAYS),
    ("DEV_DELAY", "reviews:1s", DELAYS),
    ("DEV_DELAY", ":100", DELAYS),
    ("KILL_AT", "place.written:0", f"one of {FAULT_POINTS}, with a time from 1 on such as place.written:3"),
    ("RENDER", "never", "one of auto, stream, whole"),
    ("SSR_FIRST_MS", "49", "a whole number from 50 to 60000"),
    ("SSR_RENDER_MS", "8 s", "a whole number from 100 to 120000"),
    ("CALL_DEADLINE_MS", "10.5", "a whole number from 500 to 120000"),
    ("VISIT_BATCH_MS", "50ms", "a whole number from 1 to 1000"),
    ("VISIT_BATCH_ROWS", "0", "a whole number from 1 to 5000"),
    ("SPOOL_MAX_MB", "1e3", "a whole number from 1 to 100000"),
    ("PAYMENTS_KEY", "short", "a key of the payment gateway"),
    ("PAYMENTS_WEBHOOK_SECRETS", "whsec_example,x", "secrets of at least 8 characters, separated by commas"),
    ("SHOP_VAT_ID", "de 1", "capital letters and digits"),
    ("DOCUMENT_PREFIX", "ML/", "at most 12 letters, digits and hyphens, such as ML-"),
    ("PAYMENT_WINDOW_MINUTES", "30", "a whole number from 31 to 1430"),
    ("VISITS_PER_SESSION_MINUTE", "-1", "a whole number from 0 to 10000000"),
]


@pytest.mark.parametrize(("name", "text", "expected"), MALFORMED, ids=[f"{name}={text}" for name, text, _ in MALFORMED])
def test_an_invalid_setting_is_named_with_what_is_accepted(name, text, expected):
    with pytest.raises(SettingError) as refusal:
        Settings.from_environment({name: text})
    value = "" if name in SECRETS else f"={text[:60]!r}"
    assert str(refusal.value) == f"{name}{value} is not {expected}"


# Each pair of settings that meet in one condition, with which no order could be paid.
CONTRADICTORY = [
    ({"PAYMENT_WINDOW_MINUTES": "120"}, "MAX_RESERVATION_MINUTES=120 must be more than"),
    ({"ORDER_GRACE_MINUTES": "89"}, "MAX_RESERVATION_MINUTES=120 must be more than"),
    ({"MAX_RESERVATION_MINUTES": "36"}, "together, which are 36: the first page"),
    ({"PAYMENTS_METHODS": "card,sepa_debit", "CURRENCY": "USD"}, "sepa_debit, which takes EUR alone"),
    ({"PAYMENTS_METHODS": "us_bank_account", "CURRENCY": "EUR"}, "us_bank_account, which takes USD alone"),
    ({"TOUCHPOINTS_KEEP_DAYS": "43"}, "TOUCHPOINTS_KEEP_DAYS=43 is less than 44"),
    ({"ATTRIBUTION_DAYS": "365", "TOUCHPOINTS_KEEP_DAYS": "378"}, "is less than 379"),
    ({"MIN_PAYMENT": "55", "CURRENCY": "KWD"}, "MIN_PAYMENT=55 is no amount of KWD"),
    ({"SHOP_BANK_IBAN": "DE89370400440532013000"}, "SHOP_BANK_IBAN needs SHOP_BANK_ACCOUNT_HOLDER"),
    ({"SHOP_BANK_ACCOUNT_HOLDER": "Meridian"}, "needs SHOP_BANK_IBAN, or SHOP_BANK_DETAILS"),
    ({"SHOP_BANK_IBAN": "DE88370400440532013000"}, "an IBAN whose check digits are right"),
]


@pytest.mark.parametrize("read", [Settings.from_environment, WorkerSettings.from_environment])
@pytest.mark.parametrize(("environment", "expected"), CONTRADICTORY)
def test_settings_that_contradict_each_other_are_refused_at_start(read, environment, expected):
    with pytest.raises(SettingError, match=expected):
        read(environment)


@pytest.mark.parametrize(
    "environment",
    [
        {"PAYMENT_WINDOW_MINUTES": "114"},
        {"TOUCHPOINTS_KEEP_DAYS": "44"},
        {"TOUCHPOINTS_KEEP_DAYS": "0", "ATTRIBUTION_DAYS": "365"},
        {"PAYMENT_WINDOW_MINUTES": "1430", "MAX_RESERVATION_MINUTES": "1436"},
        {"PAYMENTS_METHODS": "card,sepa_debit", "CURRENCY": "EUR"},
        {"MIN_PAYMENT": "50", "CURRENCY": "KWD"},
        {"SHOP_BANK_ACCOUNT_HOLDER": "Meridian", "SHOP_BANK_DETAILS": "Routing number: 026073150 | Account: 1"},
    ],
)
def test_settings_that_just_agree_are_accepted(environment):
    assert Settings.from_environment(environment).orders == WorkerSettings.from_environment(environment).orders


@pytest.mark.parametrize(("environment", "has_vat_id"), [({}, False), ({"SHOP_VAT_ID": "DE123456788"}, True)])
def test_the_shop_knows_whether_its_seller_has_a_vat_id(environment, has_vat_id):
    assert Settings.from_environment(environment).shop.has_vat_id is has_vat_id


@pytest.mark.parametrize("text", ["postgresql://db/shop", "shop.db", "mysql://db:port/shop"])
def test_an_unsupported_database_url_is_refused(text):
    with pytest.raises(SettingError, match=r"^DATABASE_URL is invalid: "):
        Settings.from_environment({"DATABASE_URL": text})


GATEWAY = {
    "PAYMENTS_API_BASE": "https://api.gateway.example",
    "PAYMENTS_KEY": "sk_live_example",
    "PAYMENTS_WEBHOOK_SECRETS": "whsec_example",
}
SELLER = {"SHOP_LEGAL_NAME": "Meridian Learning Ltd", "CERTIFICATE_KEY": "A" * 1600}
SHOP_OF_ITS_OWN = {
    "SITE_NAME": "Harbour School",
    "SITE_TAGLINE": "Courses by the sea",
    "SITE_LOGO": "/static/images/logo.svg",
    "SITE_EMAIL": "hello@harbour.example",
    "CURRENCY": "USD",
    "SHOP_COUNTRY": "US",
    "OIDC_CLIENT_ID": "storefront",
}
PRODUCTION = {
    **{"APP_ENV": "production", "OIDC_ISSUER": "https://id.example", "SECRET_KEY": "k" * 32},
    **GATEWAY,
    **SELLER,
    **SHOP_OF_ITS_OWN,
}


@pytest.mark.parametrize(
    ("name", "text", "default"),
    [
        *((name, "", getattr(Settings, name.lower())) for name in SHOP_OF_ITS_OWN),
        ("SITE_NAME", "Meridian Learning", "Meridian Learning"),
        ("SITE_TAGLINE", "Courses for people who have work to do", "Courses for people who have work to do"),
        ("SITE_EMAIL", "hello@meridian-learning.example", "hello@meridian-learning.example"),
    ],
)
def test_production_refuses_the_values_of_the_demo_shop(name, text, default):
    with pytest.raises(SettingError) as refusal:
        Settings.from_environment({**PRODUCTION, name: text})
    assert str(refusal.value) == f"{name} must be the shop's own in production: {default} is the demo shop's"
    Settings.from_environment({name: text})


def test_a_shop_may_have_the_currency_the_country_and_the_client_id_of_the_demo_shop():
    settings = Settings.from_environment(PRODUCTION)
    assert (settings.currency, settings.shop_country, settings.oidc_client_id) == ("USD", "US", "storefront")


def test_production_needs_a_key_for_certificates_which_is_never_shown():
    with pytest.raises(SettingError) as refusal:
        Settings.from_environment({name: text for name, text in PRODUCTION.items() if name != "CERTIFICATE_KEY"})
    assert str(refusal.value) == "CERTIFICATE_KEY must be set in production, the same for every host process"
    with pytest.raises(SettingError) as refusal:
        Settings.from_environment({"CERTIFICATE_KEY": "-----BEGIN PUBLIC KEY-----"})
    assert (
        str(refusal.value)
        == "CERTIFICATE_KEY is not a private RSA key of at least 2048 bits in PEM, or its base64 text"
    )


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"LIMITS": "off"}, "LIMITS=off is for development; production keeps its limits"),
        ({"DEV_DELAY": "reviews:1"}, "DEV_DELAY is for development"),
        ({"KILL_AT": "place.written"}, "KILL_AT is for development"),
        ({}, "OIDC_ISSUER must name a provider by https in production, which has no stand-in"),
        (
            {"OIDC_ISSUER": "http://127.0.0.1:8081"},
            "OIDC_ISSUER must name a provider by https in production, which has no stand-in",
        ),
        (
            {"OIDC_ISSUER": "https://id.example"},
            "SECRET_KEY must be set in production, the same for every host process",
        ),
        (
            {"OIDC_ISSUER": "https://id.example", "OIDC_ACCOUNT_URL": "http://localhost:8081/account"},
            "OIDC_ACCOUNT_URL must be an https address in production",
        ),
    ],
)
def test_production_refuses_settings_for_development(environment, sentence):
    Settings.from_environment(environment)
    with pytest.raises(SettingError) as refusal:
        Settings.from_environment({"APP_ENV": "production", **environment})
    assert str(refusal.value) == sentence


API_BASE = "PAYMENTS_API_BASE must be an https address of the payment gateway in production"
PAGE_ORIGIN = "PAYMENTS_PAGE_ORIGIN must be an https address of the payment gateway in production"
KEY = "PAYMENTS_KEY must be a key of the payment gateway in production"
WEBHOOK_SECRETS = "PAYMENTS_WEBHOOK_SECRETS must be secrets of the payment gateway in production"


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("PAYMENTS_API_BASE", "", API_BASE),
        ("PAYMENTS_API_BASE", "http://api.gateway.example", API_BASE),
        ("PAYMENTS_API_BASE", "https://127.0.0.2:8082", API_BASE),
        ("PAYMENTS_API_BASE", "https://[::1]", API_BASE),
        ("PAYMENTS_API_BASE", "https://0.0.0.0", API_BASE),
        ("PAYMENTS_API_BASE", "https://pay.localhost", API_BASE),
        ("PAYMENTS_PAGE_ORIGIN", "http://pay.gateway.example", PAGE_ORIGIN),
        ("PAYMENTS_PAGE_ORIGIN", "https://localhost:8082", PAGE_ORIGIN),
        ("PAYMENTS_KEY", "", KEY),
        ("PAYMENTS_KEY", "sk_test_standin", KEY),
        ("PAYMENTS_WEBHOOK_SECRETS", "", WEBHOOK_SECRETS),
        ("PAYMENTS_WEBHOOK_SECRETS", "whsec_example,whsec_standin", WEBHOOK_SECRETS),
    ],
)
def test_production_pays_at_a_real_gateway(name, text, sentence):
    Settings.from_environment(PRODUCTION)
    with pytest.raises(SettingError) as refusal:
        Settings.from_environment({**PRODUCTION, name: text})
    assert str(refusal.value) == sentence


def test_nothing_can_be_paid_without_an_address_and_a_key():
    assert Settings.from_environment({}).gateway_account is None
    assert Settings.from_environment({**GATEWAY, "PAYMENTS_KEY": ""}).gateway_account is None
    account = Settings.from_environment({**GATEWAY, "PAYMENTS_METHODS": "card, link"}).gateway_account
    assert account is not None
    assert (account.base, account.methods, account.deadline_s) == (
        "https://api.gateway.example",
        ("card", "link"),
        8.0,
    )
    assert "sk_live_example" not in repr(account)
    assert "whsec_example" not in repr(account)


def test_every_setting_has_a_default():
    settings = Settings.from_environment({})
    assert (settings.port, settings.host, settings.site_origin) == (8080, "127.0.0.1", "http://localhost:8080")
    assert (settings.app_env, settings.robots, settings.limits, settings.is_secure) == (
        "development",
        "closed",
        True,
        False,
    )
    assert (settings.redis_url, settings.ssr_url, settings.trusted_proxies) == ("", (), ())
    assert database_url(settings.database, settings.var_dir).database == str(settings.var_dir / "coursefront.db")


def test_some_defaults_depend_on_other_settings():
    settings = Settings.from_environment({"PORT": "9000", **PRODUCTION})
    assert (settings.site_origin, settings.robots, settings.is_production) == ("http://localhost:9000", "open", True)
    assert Settings.from_environment({"ROBOTS": "open"}).robots == "open"
    assert (settings.log_format, settings.access_log) == ("json", "on")
    development = Settings.from_environment({})
    assert (development.log_format, development.access_log) == ("text", "off")


@pytest.mark.parametrize(
    ("name", "text", "field", "value"),
    [
        ("PORT", " 9000 ", "port", 9000),
        ("PORT", "", "port", 8080),
        ("SITE_ORIGIN", "https://shop.example/", "site_origin", "https://shop.example"),
        ("REDIS_URL", "none", "redis_url", "none"),
        ("REDIS_URL", "unix:///tmp/r.sock", "redis_url", "unix:///tmp/r.sock"),
        ("SSR_URL", "unix:/a.sock, tcp://ssr:9000", "ssr_url", ("unix:/a.sock", "tcp://ssr:9000")),
        ("TRUSTED_PROXIES", "10.0.0.0/8, ::1", "trusted_proxies", (ip_network("10.0.0.0/8"), ip_network("::1"))),
        ("DEV_DELAY", "reviews:1000,related:5", "dev_delay", (("reviews", 1000), ("related", 5))),
        ("LIMITS", "off", "limits", False),
        ("CURRENCY", "EUR", "currency", "EUR"),
        ("CURRENCY", "JPY", "currency", "JPY"),
        ("CURRENCY", "KWD", "currency", "KWD"),
        ("OIDC_SCOPES", "openid email", "oidc_scopes", "openid email"),
        ("OIDC_EXTENSIONS", "off", "oidc_scopes", "openid profile email phone"),
        (
            "OIDC_ACCOUNT_URL",
            "https://id.example/account?tab=1",
            "oidc_account_url",
            "https://id.example/account?tab=1",
        ),
        ("OIDC_ACCOUNT_URL", "http://localhost:8081/account", "oidc_account_url", "http://localhost:8081/account"),
        ("SITE_LOGO", "/logo.svg", "logo_origin", ""),
        ("SITE_LOGO", "https://cdn.example:8443/logo.svg", "logo_origin", "https://cdn.example:8443"),
        ("LOCALE", "zh-Hant-TW", "locale", "zh-Hant-TW"),
        ("LOCALE", "no-NO", "locale", "nb-NO"),
        ("LOCALE", "en-GB", "language", "en-GB"),
        ("LOCALE", "uk-UA", "language", "en"),
        ("LOCALE", "en-GB", "card_locale", "en_GB"),
        ("LOCALE", "uk-UA", "card_locale", "en_US"),
        ("VISITS_PER_SESSION_MINUTE", "0", "visits_per_session_minute", 0),
        ("VAR_DIR", "/tmp/../tmp/shop", "var_dir", Path("/tmp/shop")),
    ],
)
def test_a_setting_is_read(name, text, field, value):
    assert getattr(Settings.from_environment({name: text}), field) == value


SHOP = {"SITE_ORIGIN": "https://shop.example"}


def test_a_logo_on_the_site_itself_needs_no_other_origin():
    assert Settings.from_environment({**SHOP, "SITE_LOGO": "https://shop.example/logo.svg"}).logo_origin == ""


@pytest.mark.parametrize("base", ["https://shop.example", "https://shop.example/api"])
def test_calls_may_have_the_full_address_of_the_site(base):
    assert Settings.from_environment({**SHOP, "API_BASE": base}).api_base == base


@pytest.mark.parametrize(
    "base", ["https://api.shop.example", "https://shop.example.org/api", "https://shop.example:8443"]
)
def test_calls_to_another_origin_are_refused_at_the_start(base):
    with pytest.raises(SettingError) as refusal:
        Settings.from_environment({**SHOP, "API_BASE": base})
    assert str(refusal.value) == (
        f"API_BASE={base!r} is not on https://shop.example (SITE_ORIGIN): browsers would call it without the session's "
        "cookie, and this site refuses calls from other origins"
    )


def test_a_site_behind_tls_is_secure():
    assert Settings.from_environment({"SITE_ORIGIN": "https://shop.example"}).is_secure


def test_other_variables_are_ignored():
    assert Settings.from_environment({"PATH": "/bin", "PORTS": "x"}) == Settings.from_environment({})


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("192.0.2.53", ("192.0.2.53", 53)),
        ("127.0.0.1:5353", ("127.0.0.1", 5353)),
        ("::1", ("::1", 53)),
        ("[::1]", ("::1", 53)),
        ("[::1]:5353", ("::1", 5353)),
    ],
)
def test_a_name_server_is_an_address_with_or_without_its_port(text, server):
    environment = {"DNS_RESOLVER": text}
    assert Settings.from_environment(environment).name_server == server
    assert WorkerSettings.from_environment(environment).crawlers.name_server == server


def test_crawlers_are_looked_up_in_production_unless_it_is_turned_off():
    asked = [
        WorkerSettings.from_environment({"APP_ENV": env, **about}).crawlers.asks_names
        for env in ("production", "development")
        for about in ({}, {"CRAWLER_DNS": "on"}, {"CRAWLER_DNS": "off"})
    ]
    assert asked == [True, True, False, False, True, False]
    assert (Settings.from_environment({}).asks_names, Settings.from_environment({}).name_server) == (False, None)
