"""Every setting of the running site: its environment variable, default and unit. README.md lists the same table."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

if TYPE_CHECKING:
    from sqlalchemy import URL


ROOT = Path(__file__).parent.parent
Network = IPv4Network | IPv6Network


class SettingError(ValueError):
    """A setting that cannot be understood; the text names it and says what would do."""


def _number(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch(r"\d{1,12}", text) or not least <= int(text) <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return int(text)

    return parse


def _one_of(*words: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in words:
            raise ValueError("one of " + ", ".join(words))
        return text

    return parse


def _matching(pattern: str, words: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(words)
        return text

    return parse


def _switch(text: str) -> bool:
    if text not in ("on", "off"):
        raise ValueError("on or off")
    return text == "on"


def _split(text: str) -> SplitResult | None:
    """None when host and port cannot be told apart."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return None
    return parts


def origin(text: str) -> str:
    parts = _split(text)
    is_one = parts is not None and parts.hostname and parts.path in ("", "/") and not parts.query
    if parts is None or not is_one or parts.scheme not in ("http", "https"):
        raise ValueError("an origin such as https://shop.example.org")
    return f"{parts.scheme}://{parts.netloc}"


def _networks(text: str) -> tuple[Network, ...]:
    try:
        return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())
    except ValueError:
        raise ValueError("addresses or networks, separated by commas, such as 10.0.0.0/8") from None


def _delays(text: str) -> tuple[tuple[str, int], ...]:
    pairs = [part.partition(":") for part in text.split(",") if part]
    if not all(name and re.fullmatch(r"\d{1,6}", ms) for name, _, ms in pairs):
        raise ValueError("name:milliseconds, separated by commas, such as reviews:1000")
    return tuple((name, int(ms)) for name, _, ms in pairs)


def _redis(text: str) -> str:
    if text != "none" and (_split(text) is None or not re.match(r"(rediss?|unix)://.+", text)):
        raise ValueError("redis://host:port/number, rediss://…, unix:///path or none")
    return text


def _worker_addresses(text: str) -> tuple[str, ...]:
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    if not found or not all(re.match(r"(unix:/|tcp://[^/]+:\d+$)", one) for one in found):
        raise ValueError("unix:/path or tcp://host:port, separated by commas")
    return found


def _setting(parse: Callable[[str], Any], default: Any, about: str) -> Any:
    return field(default=default, metadata={"parse": parse, "about": about})


@dataclass(frozen=True)
class Settings:
    """Field `port` is the variable PORT, and so on. Build it with `from_environment`."""

    app_env: str = _setting(_one_of("development", "production"), "development", "development or production")
    port: int = _setting(_number(1, 65535), 8080, "port of the site")
    host: str = _setting(_matching(r"[0-9A-Za-z.:_-]+", "an address or host name"), "127.0.0.1", "address to listen on")
    var_dir: Path = _setting(
        lambda text: Path(text).resolve(), ROOT / "var", "folder of every file the running site writes"
    )
    site_origin: str = _setting(origin, "", "public origin; default http://localhost:{PORT}")
    database: str = _setting(str, "", "see DATABASE_URL")
    redis_url: str = _setting(
        _redis, "", "broker; absent: embedded Redis; none: no broker, the same functions in place"
    )
    oidc_issuer: str = _setting(
        _matching(r"https?://[^\s/?#]+(/[^\s?#]*[^\s/?#])?", "an address such as https://id.example.org"),
        "",
        "issuer of the sign-in provider; absent: the stand-in at http://127.0.0.1:{PORT+1}",
    )
    oidc_client_id: str = _setting(
        _matching(r"[\x21-\x7e]{1,200}", "the id that the provider gave to this site"),
        "storefront",
        "this site's id at the sign-in provider",
    )
    oidc_client_secret: str = _setting(str, "", "its secret; absent: a public client with PKCE")
    oidc_scopes: str = _setting(
        _matching(r"openid( [\x21-\x7e]+)*", "openid and further scopes, separated by single spaces"),
        "openid profile email phone",
        "scopes asked for at sign-in",
    )
    oidc_extensions: bool = _setting(
        _switch, True, "off: the provider has OpenID Connect alone, and people sign in on its own page"
    )
    provider_deadline_ms: int = _setting(_number(500, 60_000), 8_000, "longest wait for the sign-in provider, ms")
    secret_key: str = _setting(
        _matching(r"\S{32,500}", "at least 32 characters without spaces"),
        "",
        "encrypts sign-ins under way and the provider's tokens; absent: made once, in VAR_DIR",
    )
    smtp_url: str = _setting(
        _matching(r"smtps?://[^\s/]+", "an address such as smtps://name:password@mail.example.org"),
        "",
        "mail server; absent: the stand-in at 127.0.0.1:{PORT+3}",
    )
    host_workers: int = _setting(_number(1, 64), 1, "host processes on the one port")
    ssr_workers: int = _setting(_number(1, 64), 2, "Node processes that render")
    ssr_url: tuple[str, ...] = _setting(
        _worker_addresses, (), "render workers elsewhere: tcp://host:port,…; absent: own children"
    )
    robots: str = _setting(
        _one_of("open", "closed"), "", "open lets search engines in; default: open in production only"
    )
    indexnow_key: str = _setting(
        _matching(r"[A-Za-z0-9-]{8,128}", "8 to 128 letters, digits and dashes"),
        "",
        "key of IndexNow; absent: not used",
    )
    indexnow_url: str = _setting(
        _matching(r"https?://[^\s]+", "an address such as https://api.indexnow.org/indexnow"),
        "https://api.indexnow.org/indexnow",
        "who is told of changes by `python -m host index-now`",
    )
    trusted_proxies: tuple[Network, ...] = _setting(_networks, (), "networks whose forwarding headers are believed")
    currency: str = _setting(_matching(r"[A-Z]{3}", "three capital letters such as USD"), "USD", "the shop's currency")
    locale: str = _setting(
        _matching(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*", "a language tag such as en-US"),
        "en-US",
        "formats of numbers and dates, language of the pages",
    )
    site_name: str = _setting(str, "Meridian Learning", "name of the shop")
    site_tagline: str = _setting(str, "Courses for people who have work to do", "one line below the name")
    site_logo: str = _setting(
        _matching(r"/[^/\s].*|https://.+", "a path on this site or an https address"),
        "/static/images/logo.svg",
        "picture of the shop, at least 112 px square",
    )
    site_email: str = _setting(
        _matching(r"[^@\s]+@[^@\s]+", "an e-mail address"),
        "hello@meridian-learning.example",
        "address shown to visitors",
    )
    api_base: str = _setting(
        _matching(r"/[A-Za-z0-9/_-]*|https://.+", "a path or an https address"),
        "/api",
        "base address of the calls in the browser",
    )
    limits: bool = _setting(_switch, True, "off lifts all rate limits; development only")
    dev_delay: tuple[tuple[str, int], ...] = _setting(
        _delays, (), "development: delays deferred parts, such as reviews:1000 (ms)"
    )
    page_cache: bool = _setting(_switch, True, "finished pages are kept and served as bytes")
    page_cache_mb: int = _setting(_number(1, 65_536), 64, "kept pages in one host process, MiB")
    page_store_mb: int = _setting(
        _number(0, 1_048_576), 256, "finished pages on disk for outages, MiB; past it the oldest go, 0 = none"
    )
    render: str = _setting(
        _one_of("auto", "stream", "whole"),
        "auto",
        "auto streams pages with deferred parts and renders the rest whole; the others are for measuring",
    )
    database_deadline_ms: int = _setting(_number(100, 60_000), 2_000, "longest wait of a visitor for the records, ms")
    ssr_first_ms: int = _setting(_number(50, 60_000), 800, "longest wait for the first markup, ms")
    ssr_render_ms: int = _setting(_number(100, 120_000), 8_000, "longest render, deferred parts included, ms")
    ssr_memory_mb: int = _setting(_number(64, 8_192), 256, "heap of one render worker, MiB")
    call_deadline_ms: int = _setting(_number(500, 120_000), 10_000, "longest product call, body included, ms")
    header_deadline_ms: int = _setting(_number(1_000, 120_000), 20_000, "longest wait for the head of a request, ms")
    keepalive_ms: int = _setting(_number(1_000, 600_000), 25_000, "idle connections are closed after this, ms")
    visit_batch_rows: int = _setting(_number(1, 5_000), 200, "visits in one message at most")
    visit_batch_ms: int = _setting(_number(1, 1_000), 50, "a visit waits this long for company, ms")
    visit_queue_max: int = _setting(_number(100, 1_000_000), 10_000, "visits in memory before new ones get 503")
    broker_deadline_ms: int = _setting(
        _number(50, 10_000), 400, "a batch that Redis has not taken by then goes to the spool, ms"
    )
    question_deadline_ms: int = _setting(
        _number(50, 10_000), 1_500, "a code that no worker has checked by then is checked by the host, ms"
    )
    spool_max_mb: int = _setting(_number(1, 100_000), 1_024, "spool on disk; past it visits get 503, MiB")
    og_max_mb: int = _setting(
        _number(10, 1_000_000), 512, "pictures drawn for shared links, kept on disk, MiB; past it the oldest go"
    )
    visits_per_session_minute: int = _setting(_number(0, 1_000_000), 60, "visits a minute of one session, 0 = no limit")
    visits_per_address_minute: int = _setting(
        _number(0, 10_000_000), 6_000, "visits a minute of one address, 0 = no limit"
    )
    suggestions_per_address_minute: int = _setting(
        _number(0, 10_000_000), 600, "search suggestions a minute of one address, 0 = no limit"
    )
    contacts_per_address_hour: int = _setting(
        _number(0, 1_000_000), 10, "contact messages an hour of one address, 0 = no limit"
    )

    coupons_per_minute: int = _setting(
        _number(0, 1_000_000), 10, "coupon calls a minute, of one address and of one learner each, 0 = no limit"
    )
    coupons_per_hour: int = _setting(
        _number(0, 1_000_000), 60, "coupon calls an hour, of one address and of one learner each, 0 = no limit"
    )
    coupon_misses_per_hour: int = _setting(
        _number(0, 10_000_000), 1_000, "refused codes an hour of the whole site that are worth an alarm, 0 = none"
    )
    names_per_minute: int = _setting(
        _number(0, 1_000_000), 10, "student numbers looked up a minute by one address or learner, 0 = no limit"
    )
    names_per_hour: int = _setting(
        _number(0, 1_000_000), 30, "student numbers looked up an hour by one address or learner, 0 = no limit"
    )
    name_misses_per_hour: int = _setting(
        _number(0, 10_000_000),
        500,
        "unknown student numbers an hour of the whole site that are worth an alarm, 0 = none",
    )
    sign_ins_per_name: int = _setting(
        _number(0, 1_000_000), 10, "sign-ins begun in 5 minutes with one name, 0 = no limit"
    )
    sign_ins_per_address: int = _setting(
        _number(0, 1_000_000), 30, "sign-ins begun in 5 minutes from one address, 0 = no limit"
    )
    staff_sign_ins_per_name: int = _setting(
        _number(0, 1_000_000), 5, "the same for administrators and organisations, 0 = no limit"
    )
    staff_sign_ins_per_address: int = _setting(
        _number(0, 1_000_000), 10, "the same for administrators and organisations, 0 = no limit"
    )
    recoveries_per_name_day: int = _setting(
        _number(0, 1_000_000), 5, "recoveries, unlockings and registrations a day of one name, 0 = no limit"
    )
    recoveries_per_address_hour: int = _setting(
        _number(0, 1_000_000), 20, "the same, and codes sent again, an hour of one address, 0 = no limit"
    )
    account_calls_per_learner_minute: int = _setting(
        _number(0, 1_000_000), 60, "account calls a minute of one learner, 0 = no limit"
    )
    cart_calls_per_learner_minute: int = _setting(
        _number(0, 1_000_000), 60, "cart and wishlist calls a minute of one learner, 0 = no limit"
    )
    cart_calls_per_address_minute: int = _setting(
        _number(0, 10_000_000), 600, "cart and wishlist calls a minute of one address, 0 = no limit"
    )

    @property
    def database_url(self) -> "URL":
        # A supervisor never asks for it, and comes up in a third of the time without SQLAlchemy.
        from domain.db import database_url

        return database_url(self.database or None, self.var_dir)

    @property
    def is_production(self) -> bool:
        return self.app_env == "production"

    @property
    def is_secure(self) -> bool:
        return self.site_origin.startswith("https://")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> "Settings":
        """Raises SettingError with one sentence for a malformed or contradicting setting."""
        given = os.environ if environment is None else environment
        values: dict[str, Any] = {}
        for one in fields(cls):
            text = given.get(variable(one.name), "").strip()
            if text:
                values[one.name] = _parsed(variable(one.name), text, one.metadata["parse"])
        return cls(**values)._completed()

    def _completed(self) -> "Settings":
        try:
            _ = self.database and self.database_url
        except Exception as error:
            raise SettingError(f"DATABASE_URL cannot be read: {error}") from None
        if self.is_production and not self.limits:
            raise SettingError("LIMITS=off is for development; production keeps its limits")
        if self.is_production and self.dev_delay:
            raise SettingError("DEV_DELAY is for development")
        if self.is_production and not self.oidc_issuer.startswith("https://"):
            raise SettingError("OIDC_ISSUER must name a provider by https in production, which has no stand-in")
        if self.is_production and not self.secret_key:
            raise SettingError("SECRET_KEY must be set in production, the same for every host process")
        return replace(
            self,
            site_origin=self.site_origin or f"http://localhost:{self.port}",
            robots=self.robots or ("open" if self.is_production else "closed"),
        )


def variable(name: str) -> str:
    return "DATABASE_URL" if name == "database" else name.upper()


def _parsed(name: str, text: str, parse: Callable[[str], Any]) -> Any:
    try:
        return parse(text)
    except ValueError as error:
        raise SettingError(f"{name}={text[:60]!r} is not {error}") from None
