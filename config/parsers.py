"""Parsers of settings: text of an environment variable -> value. A ValueError says what is accepted."""

import re
from collections.abc import Callable
from ipaddress import IPv4Network, IPv6Network, ip_network
from urllib.parse import SplitResult, urlsplit

from contracts.currencies import EXPONENTS

Network = IPv4Network | IPv6Network


def integer(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", text) or not least <= int(text) <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return int(text)

    return parse


def one_of(*words: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in words:
            raise ValueError("one of " + ", ".join(words))
        return text

    return parse


def pattern(pattern: str, expected: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(expected)
        return text

    return parse


def switch(text: str) -> bool:
    if text not in ("on", "off"):
        raise ValueError("on or off")
    return text == "on"


def _split(text: str) -> SplitResult | None:
    """None when the port is not a number."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return None
    return parts


def origin(text: str) -> str:
    parts = _split(text)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("an origin such as https://shop.example.org")
    if parts.path not in ("", "/") or parts.query:
        raise ValueError("an origin such as https://shop.example.org")
    return f"{parts.scheme}://{parts.netloc}"


def web_origins(text: str) -> tuple[str, ...]:
    """They go into a header, so only letters of a host name and a port may stand in them."""
    origins = tuple(part.strip() for part in text.split(",") if part.strip())
    if not all(re.fullmatch(r"https://[A-Za-z0-9.-]+(:\d{1,5})?", one) for one in origins):
        raise ValueError("https origins, separated by commas, such as https://player.example.org")
    return origins


def networks(text: str) -> tuple[Network, ...]:
    try:
        return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())
    except ValueError:
        raise ValueError("addresses or networks, separated by commas, such as 10.0.0.0/8") from None


def delays(text: str) -> tuple[tuple[str, int], ...]:
    pairs = [part.partition(":") for part in text.split(",") if part]
    if not all(name and re.fullmatch(r"[0-9]{1,6}", ms) for name, _, ms in pairs):
        raise ValueError("name:milliseconds, separated by commas, such as reviews:1000")
    return tuple((name, int(ms)) for name, _, ms in pairs)


def secret_list(text: str) -> tuple[str, ...]:
    secrets = tuple(part.strip() for part in text.split(",") if part.strip())
    if not secrets or not all(re.fullmatch(r"[!-~]{8,255}", secret) for secret in secrets):
        raise ValueError("secrets of at least 8 characters, separated by commas")
    return secrets


def name_list(text: str) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    if not all(re.fullmatch(r"[a-z0-9_]{1,50}", name) for name in names):
        raise ValueError("names of small letters, digits and _, separated by commas, such as card,sepa_debit")
    return names


def redis_address(text: str) -> str:
    if text != "none" and (_split(text) is None or not re.match(r"(rediss?|unix)://.+", text)):
        raise ValueError("redis://host:port/number, rediss://…, unix:///path or none")
    return text


def worker_addresses(text: str) -> tuple[str, ...]:
    addresses = tuple(part.strip() for part in text.split(",") if part.strip())
    if not addresses or not all(re.match(r"(unix:/|tcp://[^/]+:\d+$)", address) for address in addresses):
        raise ValueError("unix:/path or tcp://host:port, separated by commas")
    return addresses


def currency_code(text: str) -> str:
    """A currency with at most three decimals: the columns of prices have three."""
    if not re.fullmatch(r"[A-Z]{3}", text):
        raise ValueError("three uppercase letters such as USD")
    if text not in EXPONENTS:
        raise ValueError("a currency of ISO 4217 such as USD")
    if EXPONENTS[text] > 3:
        raise ValueError(f"a currency with at most three decimals, {text} has {EXPONENTS[text]}")
    return text


def logo_address(text: str) -> str:
    """The origin goes into a header of every page, so only letters of a host name and a port may stand in it."""
    if not re.fullmatch(r"/[^/\s].*|https://[A-Za-z0-9.-]+(:\d{1,5})?/.+", text):
        raise ValueError("a path on this site or an https address")
    return text


def web_address(text: str) -> str:
    """An https address without name and password; for development also an http address of this machine."""
    parts = _split(text) if re.fullmatch(r"https?://[^\s\"'<>\\@]+", text) else None
    is_local = parts is not None and parts.hostname in ("localhost", "127.0.0.1", "::1")
    if parts is None or not parts.hostname or not (parts.scheme == "https" or is_local):
        raise ValueError("an https address such as https://id.example.org/account")
    return text
