"""Every setting of the running site: environment variable, default, unit and description, as in docs/settings.md."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from config import defaults
from config.crawler_variables import CrawlerVariables
from config.document_variables import DocumentVariables
from config.environment import SettingError, parse_variable, read_variable, require_telemetry
from config.fault_variables import FaultVariables, require_no_fault_point
from config.limit_variables import LimitVariables
from config.parsers import (
    Network,
    delays,
    integer,
    logo_address,
    networks,
    one_of,
    origin,
    pattern,
    redis_address,
    switch,
    web_address,
    web_origins,
    worker_addresses,
)
from config.payment_variables import PaymentVariables
from config.setting import setting
from config.shop_variables import ShopVariables
from config.staff_variables import ReportVariables, StaffVariables
from domain.orders.settings import OrderSettings
from domain.shop_settings.shop import ShopSettings

__all__ = ["ROOT", "SettingError", "Settings", "variable"]

ROOT = Path(__file__).parent.parent
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
# Nobody else's shop has these values of the demo shop.
_NAMES_OF_THE_SHOP = ("site_name", "site_tagline", "site_email")
# Refuses only what no driver can open; domain/database/database.py parses the address.
_DATABASE_URL = re.compile(r"(?:sqlite|mysql|mariadb)(?:\+\w+)?://(?:[^/]*@)?(?:\[[^\]/]*\]|[^:/@]*)(?::\d*)?(?:/.*)?")


@dataclass(frozen=True)
class Settings(
    ShopVariables,
    DocumentVariables,
    PaymentVariables,
    StaffVariables,
    ReportVariables,
    CrawlerVariables,
    LimitVariables,
    FaultVariables,
):
    """Field `port` is the variable PORT, and so on. Build it with `from_environment`."""

    app_env: str = setting(
        one_of("development", "production"),
        "development",
        "`development` or `production`; production has no demo shop and no `dev` commands",
    )
    demo_shop: str = setting(one_of("on", "off"), "on", "`off`: an empty shop is not filled with demo data")
    port: int = setting(integer(1, 65535), 8080, "port of the site")
    host: str = setting(pattern(r"[0-9A-Za-z.:_-]+", "an address or host name"), defaults.HOST, "address to listen on")
    var_dir: Path = setting(
        lambda text: Path(text).resolve(), ROOT / "var", "folder of every file that the running site writes"
    )
    files_dir: str = setting(
        pattern(r"/.{0,500}", "an absolute path"),
        "",
        "folder of the files of lessons and of digital shop items, shared by all machines; absent: `VAR_DIR/files`",
        absent="VAR_DIR/files",
    )
    video_frames: tuple[str, ...] = setting(
        web_origins, (), "origins of other sites whose videos a lesson may show, separated by commas; empty: none"
    )
    log_level: str = setting(
        one_of(*LOG_LEVELS), defaults.LOG_LEVEL, "least level that is logged: " + ", ".join(LOG_LEVELS)
    )
    log_format: str = setting(
        one_of("text", "json"),
        "",
        "form of the logs, one line each: `text` or `json`",
        absent="json in production, else text",
    )
    access_log: str = setting(
        one_of("on", "off"),
        "",
        "`on`: one line for each request, with method, path, status and duration",
        absent="on in production, else off",
    )
    metrics_port: int = setting(
        integer(0, 65535),
        0,
        "port of `/metrics`, for Prometheus; each further host process takes the next; 0: none",
    )
    worker_metrics_port: int = setting(
        integer(0, 65535), 0, "port of `/metrics` of a Celery worker, on the address `HOST`; 0: none"
    )
    otel_exporter_otlp_endpoint: str = setting(
        origin,
        "",
        "collector of OpenTelemetry traces (OTLP over HTTP), such as `http://collector:4318`; needs "
        "`requirements-otel.lock`",
    )
    site_origin: str = setting(
        origin, "", "public origin of the site, such as `https://shop.example.org`", absent="http://localhost:{PORT}"
    )
    database: str = setting(
        str, "", "`mysql://user:password@host:port/name` for MySQL or MariaDB", absent="SQLite in `VAR_DIR`"
    )
    redis_url: str = setting(
        redis_address,
        "",
        "`redis://…`, `rediss://…` or `unix:///path`; `none`: no broker, the host runs the workers' functions itself",
        absent="an embedded Redis",
    )
    oidc_issuer: str = setting(
        pattern(r"https?://[^\s/?#]+(/[^\s?#]*[^\s/?#])?", "an address such as https://id.example.org"),
        "",
        "issuer of the sign-in provider, such as `https://id.example.org/oauth2/default`; required in production",
        absent="the stand-in at http://127.0.0.1:{PORT+1}",
    )
    oidc_client_id: str = setting(
        pattern(r"[\x21-\x7e]{1,200}", "the id that the provider gave to this site"),
        "storefront",
        "this site's client id at the sign-in provider; required in production",
        is_demo=True,
    )
    oidc_client_secret: str = setting(str, "", "its client secret; without one the site is a public client with PKCE")
    oidc_scopes: str = setting(
        pattern(r"openid( [\x21-\x7e]+)*", "openid and further scopes, separated by single spaces"),
        defaults.OIDC_SCOPES,
        "scopes requested at sign-in",
    )
    oidc_account_scopes: str = setting(
        pattern(r"[\x21-\x7e]+( [\x21-\x7e]+)*", "scopes, separated by single spaces"),
        "",
        "scopes requested besides when a profile opens and when somebody registers: those of the provider's MyAccount "
        "API",
        absent="read and manage of `okta.myAccount.{profile,email,phone,password}`; none with `OIDC_EXTENSIONS=off`",
    )
    oidc_extensions: bool = setting(
        switch, True, "`off`: the provider supports OpenID Connect only, and people sign in on its own page"
    )
    oidc_account_url: str = setting(
        web_address,
        "",
        "with `OIDC_EXTENSIONS=off`: page of the provider where people change their account; the profile links to it",
        absent="no link",
    )
    sign_in_minutes: int = setting(
        integer(5, 1_440), 45, "minutes that a sign-in lasts; it is never prolonged, and ends with its cookies"
    )
    provider_deadline_ms: int = setting(integer(500, 60_000), 8_000, "longest wait for the sign-in provider, ms")
    secret_key: str = setting(
        pattern(r"\S{32,500}", "at least 32 characters without spaces"),
        "",
        "encrypts the provider's tokens, signs forms and makes the links of gifts; 32 characters or more, one for all "
        "processes of host and workers; required in production",
        absent="generated once, stored in `VAR_DIR`",
    )
    smtp_url: str = setting(
        pattern(r"smtps?://[^\s/]+", "an address such as smtps://name:password@mail.example.org"),
        "",
        "mail server: `smtp://…` or `smtps://name:password@host:port`; without one, production sends no mail",
        absent="the stand-in at 127.0.0.1:{PORT+3}",
    )
    smtp_ca_file: str = setting(
        str,
        "",
        "certificates (PEM file) with which the mail server's certificate is checked over TLS",
        absent="those of the system",
    )
    outbox_keep_days: int = setting(
        integer(0, 3_650),
        defaults.OUTBOX_KEEP_DAYS,
        "days that done rows of the outbox, such as sent mails, are kept, 0 = for ever",
    )
    dead_letters_keep_days: int = setting(
        integer(0, 3_650),
        defaults.DEAD_LETTERS_KEEP_DAYS,
        "days that dead letters and dead rows of the outbox are kept for replay, 0 = for ever",
    )
    host_workers: int = setting(integer(1, 64), 1, "host processes that share the port")
    ssr_workers: int = setting(integer(1, 64), 2, "Node processes that render pages")
    ssr_url: tuple[str, ...] = setting(
        worker_addresses,
        (),
        "SSR workers, separated by commas: `tcp://host:port` or `unix:/path`; each address of a name is a worker",
        absent="child processes",
    )
    robots: str = setting(
        one_of("open", "closed"),
        "",
        "`open` lets search engines index the site, `closed` does not",
        absent="open in production, else closed",
    )
    indexnow_key: str = setting(
        pattern(r"[A-Za-z0-9-]{8,128}", "8 to 128 letters, digits and dashes"),
        "",
        "key of [IndexNow](https://www.indexnow.org), served at `/indexnow-key.txt`; 8 to 128 letters, digits, dashes",
    )
    indexnow_url: str = setting(
        pattern(r"https?://[^\s]+", "an address such as https://api.indexnow.org/indexnow"),
        "https://api.indexnow.org/indexnow",
        "where `python -m host index-now` submits changed pages",
    )
    trusted_proxies: tuple[Network, ...] = setting(
        networks, (), "networks whose forwarding headers are trusted, separated by commas"
    )
    site_name: str = setting(str, defaults.SITE_NAME, "name of the shop; required in production", is_demo=True)
    site_tagline: str = setting(
        str, "Courses for people who have work to do", "one line below the name; required in production", is_demo=True
    )
    site_logo: str = setting(
        logo_address,
        "/static/images/logo.svg",
        "logo of the shop, at least 112 px square; pages may load images from the origin of an https address, "
        "but documents print only a file of this site, and draw colours of newer CSS (`var()`, `oklch()`, "
        "`rgb(… / 50%)`) black: the start warns; required in production",
        is_demo=True,
    )
    site_email: str = setting(
        pattern(r"[^@\s]+@[^@\s]+", "an email address"),
        defaults.SITE_EMAIL,
        "email address shown to visitors; required in production",
        is_demo=True,
    )
    api_base: str = setting(
        pattern(r"/[A-Za-z0-9/_-]*|https://.+", "a path or an https address"),
        "/api",
        "base address of the JSON calls in the browser: a path, or an address on `SITE_ORIGIN`",
    )
    limits: bool = setting(switch, True, "`off` lifts all rate limits; development only")
    dev_delay: tuple[tuple[str, int], ...] = setting(
        delays, (), "development only: delays deferred parts, such as `reviews:1000` (ms)"
    )
    page_cache: bool = setting(switch, True, "`off`: complete anonymous pages are not cached")
    page_cache_mb: int = setting(integer(1, 65_536), 64, "cached pages in the memory of one host process, MiB")
    page_cache_disk_mb: int = setting(
        integer(0, 1_048_576), 256, "pages on disk for outages, MiB; the oldest are deleted, 0 = none"
    )
    render: str = setting(
        one_of("auto", "stream", "whole"),
        "auto",
        "`auto` streams pages with deferred parts, renders others whole; `stream` and `whole` are for measurements",
    )
    database_deadline_ms: int = setting(integer(100, 60_000), 2_000, "longest wait of a visitor for the database, ms")
    ssr_jobs_max: int = setting(
        integer(1, 10_000), 8, "pages that one host process sends to one SSR worker before it has rendered them"
    )
    ssr_wait_ms: int = setting(
        integer(0, 60_000), 150, "longest wait for such a place before a page is sent without markup, ms"
    )
    ssr_first_ms: int = setting(integer(50, 60_000), 800, "longest wait for the first markup of a page, ms")
    ssr_render_ms: int = setting(integer(100, 120_000), 8_000, "longest render, deferred parts included, ms")
    ssr_memory_mb: int = setting(integer(64, 8_192), 256, "heap of one SSR worker, MiB")
    call_deadline_ms: int = setting(integer(500, 120_000), 10_000, "longest JSON call, request body included, ms")
    header_deadline_ms: int = setting(integer(1_000, 120_000), 20_000, "longest wait for the head of a request, ms")
    keepalive_ms: int = setting(integer(1_000, 600_000), 25_000, "idle connections are closed after this time, ms")
    visit_batch_rows: int = setting(integer(1, 5_000), 500, "most visits in one batch")
    visit_batch_ms: int = setting(integer(1, 1_000), 50, "longest wait of a visit for others of its batch, ms")
    visit_queue_max: int = setting(integer(100, 1_000_000), 10_000, "visits in memory before new ones get 503")
    broker_deadline_ms: int = setting(
        integer(50, 10_000), 400, "a batch that Redis has not accepted by then is written to the spool, ms"
    )
    rpc_deadline_ms: int = setting(
        integer(500, 10_000), 1_500, "a coupon that no worker has validated by then is validated by the host, ms"
    )
    spool_max_mb: int = setting(
        integer(1, 100_000), 1_024, "size of the spool on disk, beyond which visits get 503, MiB"
    )
    social_card_max_mb: int = setting(
        integer(10, 1_000_000),
        512,
        "social cards (images of shared links) on disk, MiB; beyond it the oldest are deleted",
    )

    @property
    def is_production(self) -> bool:
        return self.app_env == "production"

    @property
    def has_demo_shop(self) -> bool:
        return self.demo_shop == "on" and not self.is_production

    @property
    def logo_origin(self) -> str:
        """The origin of a logo on another site, "" for one on this site."""
        parts = urlsplit(self.site_logo)
        logo_origin = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
        return "" if logo_origin == self.site_origin else logo_origin

    @cached_property
    def shop(self) -> ShopSettings:
        return self.with_seller(self.shop_without_seller)

    @cached_property
    def orders(self) -> OrderSettings:
        """Without the terms of refunds, which the policy page has (host/checkout/order_terms.py)."""
        return self.order_settings(self.issuer(self.site_name, self.locale, self.shop.country), self.shop.currency)

    @cached_property
    def files_folder(self) -> Path:
        return Path(self.files_dir) if self.files_dir else self.var_dir / "files"

    @cached_property
    def analytics_folder(self) -> Path:
        return self.analytics_folder_in(self.var_dir)

    @property
    def is_secure(self) -> bool:
        return self.site_origin.startswith("https://")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> "Settings":
        """Raises SettingError with one sentence for an invalid or contradictory setting."""
        environment = os.environ if environment is None else environment
        values: dict[str, Any] = {}
        for row in fields(cls):
            name = variable(row.name)
            if text := read_variable(environment, name):
                values[row.name] = parse_variable(name, text, row.metadata["parse"])
        settings = cls(**values)._validated()
        if settings.is_production:
            settings._require_own_shop(values)
        return settings

    def _require_own_shop(self, given: Mapping[str, Any]) -> None:
        """Raises SettingError for a value of the demo shop; its currency and country may be given, but not by
        default."""
        for row in fields(self):
            is_missing = row.name not in given or (given[row.name] == row.default and row.name in _NAMES_OF_THE_SHOP)
            if row.metadata["is_demo"] and is_missing:
                raise SettingError(
                    f"{variable(row.name)} must be the shop's own in production: {row.default} is the demo shop's"
                )

    def _validated(self) -> "Settings":
        """With the defaults that depend on other settings. Raises SettingError."""
        if self.database and not _DATABASE_URL.fullmatch(self.database):
            raise SettingError("DATABASE_URL is invalid: it must begin with mysql:// or be left out")
        require_telemetry(self.otel_exporter_otlp_endpoint)
        if self.is_production and not self.limits:
            raise SettingError("LIMITS=off is for development; production keeps its limits")
        if self.is_production and self.dev_delay:
            raise SettingError("DEV_DELAY is for development")
        require_no_fault_point(self.kill_at, self.app_env)
        if self.is_production and not self.oidc_issuer.startswith("https://"):
            raise SettingError("OIDC_ISSUER must name a provider by https in production, which has no stand-in")
        if self.is_production and self.oidc_account_url.startswith("http://"):
            raise SettingError("OIDC_ACCOUNT_URL must be an https address in production")
        if self.is_production and not self.secret_key:
            raise SettingError("SECRET_KEY must be set in production, the same for every host process")
        if self.is_production:
            self.require_production_gateway()
            self.require_legal_name()
            self.require_certificate_key()
        self.require_touchpoints()
        self.require_agreement(self.shop.currency)
        site_origin = self.site_origin or f"http://localhost:{self.port}"
        if self.api_base.startswith("https://") and not f"{self.api_base}/".startswith(f"{site_origin}/"):
            raise SettingError(
                f"API_BASE={self.api_base[:60]!r} is not on {site_origin} (SITE_ORIGIN): browsers would call it "
                "without the session's cookie, and this site refuses calls from other origins"
            )
        return replace(
            self,
            site_origin=site_origin,
            oidc_account_scopes=self.oidc_account_scopes
            or defaults.account_scopes(has_account_api=self.oidc_extensions),
            staff_second_factor=self.staff_second_factor or ("on" if self.is_production else "off"),
            robots=self.robots or ("open" if self.is_production else "closed"),
            log_format=self.log_format or defaults.log_format(self.app_env),
            access_log=self.access_log or ("on" if self.is_production else "off"),
            crawler_dns=self.crawler_dns or defaults.crawler_dns(self.app_env),
        )


def variable(name: str) -> str:
    return "DATABASE_URL" if name == "database" else name.upper()
