"""The table of pages (routes.json): which path is which page, and the one exact form of each address."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote, unquote_plus

ROUTES_FILE = Path(__file__).parent.parent / "routes.json"


@dataclass(frozen=True)
class Page:
    """One row of routes.json. `served` is False for pages whose issue has not landed: they answer 404."""

    id: str
    path: str
    layout: str
    title: str
    server_rendered: bool
    indexable: bool
    served: bool

    @property
    def segments(self) -> tuple[str, ...]:
        return tuple(self.path.strip("/").split("/"))


@dataclass(frozen=True)
class Match:
    """A page and the values of its {placeholders}."""

    page: Page
    values: Mapping[str, str]


@lru_cache(1)
def table() -> tuple[Page, ...]:
    rows = json.loads(ROUTES_FILE.read_text("utf-8"))["pages"]
    return tuple(Page(**row) for row in rows)


@lru_cache(1)
def by_id() -> dict[str, Page]:
    return {page.id: page for page in table()}


@lru_cache(1)
def _literal() -> dict[str, Page]:
    return {page.path: page for page in table() if "{" not in page.path}


@lru_cache(1)
def _patterns() -> tuple[Page, ...]:
    return tuple(page for page in table() if "{" in page.path)


def match(path: str) -> Match | None:
    """The page behind an exact path (decoded), or None."""
    page = _literal().get(path)
    if page is not None:
        return Match(page, {})
    parts = path.split("/")[1:]
    for candidate in _patterns():
        values = _values(candidate, parts)
        if values is not None:
            return Match(candidate, values)
    return None


def _values(page: Page, parts: list[str]) -> dict[str, str] | None:
    if len(parts) != len(page.segments):
        return None
    values: dict[str, str] = {}
    for pattern, part in zip(page.segments, parts, strict=True):
        if pattern.startswith("{"):
            if not part:
                return None
            values[pattern[1:-1]] = part
        elif pattern != part:
            return None
    return values


def exact_form(path: str) -> str | None:
    """The address a sloppy one means: no trailing slash, no double slashes, literal segments in lower case.

    None when the path is exact already or means no page. Values of placeholders stay as they are.
    """
    if match(path) is not None:
        return None
    tidy = "/" + "/".join(part for part in path.split("/") if part)
    lowered = tidy.lower()
    if lowered in _literal():
        return lowered
    parts = tidy.split("/")[1:]
    for page in _patterns():
        if len(parts) != len(page.segments):
            continue
        pairs = list(zip(page.segments, parts, strict=True))
        if all(pattern.startswith("{") or pattern == part.lower() for pattern, part in pairs):
            return "/" + "/".join(
                quote(part, safe="") if pattern.startswith("{") else pattern for pattern, part in pairs
            )
    return None


# Carried secrets: cut before a visit is stored or an access is logged (docs/readings.md, "Visits").
_TOKEN_PAGES = re.compile(r"(/(?:email-verify|forget-password)/+)[^/?#]+", re.IGNORECASE)
# Whole words of a parameter's name, also in the plural: `api_key` and `accessToken` carry a secret, `monkey` and
# `design` do not. The last row is what people run together in small letters, and the suffixes what they hang on.
_SECRET_WORDS = {
    *("code", "state", "key", "sig", "session", "otp", "handle", "nonce", "assertion", "credential", "jwt", "pin"),
    *("sid", "pwd", "passphrase", "passcode"),
    *("apikey", "authcode", "otpcode", "sessionid", "sessionkey", "secretkey", "jsessionid", "phpsessid"),
}
_SECRET_ENDS = ("token", "password", "passwd", "secret", "signature")
# Humps both ways: in OTPCode the last capital begins a word, in OTPcode it ends one.
_HUMPS = (re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+"), re.compile(r"[A-Z]+|[a-z]+"))
LONGEST_NAME = 200
# Where an e-mail address may stand. One expression for the address itself needs minutes for a long row of @.
_WORD = re.compile(r"[^\s&=/?]+")


def redacted(url: str) -> str:
    """Path and query without tokens, codes, states and e-mail addresses.

    The query of /logincallback is cut and the last segment of /email-verify/… and /forget-password/… becomes {token}.
    """
    # What stands behind a hash never leaves a browser of ours; elsewhere tokens are handed around in it.
    path, _, query = url.partition("#")[0].partition("?")
    path = _TOKEN_PAGES.sub(r"\1{token}", path)
    path = _without_emails(path)
    if not query or path.lower().rstrip("/") == "/logincallback":
        return path
    return f"{path}?{'&'.join(_clean_pair(pair) for pair in query.split('&'))}"


def _without_emails(text: str) -> str:
    if "@" not in text and "%40" not in text:
        return text
    return _WORD.sub(lambda found: "{email}" if _is_email(found[0]) else found[0], text)


def _is_email(word: str) -> bool:
    """something@something.something"""
    plain = word.replace("%40", "@")
    at = plain.find("@", 1)
    return at > 0 and "." in plain[at + 2 : -1]


def _clean_pair(pair: str) -> str:
    name, equals, value = pair.partition("=")
    if not equals:
        return _without_emails(pair)
    if _is_secret(name) or _without_emails(value) != value:
        return f"{name}={{removed}}"
    return pair


def _is_secret(name: str) -> bool:
    """Whether a parameter of this name, as it stands in an address, may carry a secret. Endless names are no names."""
    return len(name) > LONGEST_NAME or _names_secret(name)


@lru_cache(2048)
def _names_secret(name: str) -> bool:
    plain = unquote_plus(name)
    words = {word.lower() for humps in _HUMPS for word in humps.findall(plain)}
    words |= {word.removesuffix("s") for word in words}
    return not _SECRET_WORDS.isdisjoint(words) or any(word.endswith(_SECRET_ENDS) for word in words)
