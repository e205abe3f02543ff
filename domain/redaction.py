"""URLs without secrets and email addresses, as they may be stored with a visit and written to logs."""

import re
from functools import lru_cache
from typing import Any
from urllib.parse import unquote_plus

from domain.route_rows import areas

# The last path segment of these pages is a one-time token (docs/readings.md, "Visits"), or the code of a certificate,
# which names its holder, or of an order.
_TOKEN_PAGES = re.compile(r"(/(?:email-verify|forget-password)/+)[^/?#]+", re.IGNORECASE)
_CODE_PAGES = re.compile(
    r"(/(?:verify-certificate|learning/certificates|documents|order|order-files|completed|api/orders)/+)[^/?#]+",
    re.IGNORECASE,
)
# An order within a longer path, such as that of staff: its code is what an address of its page ends with.
_ORDERS = re.compile(r"(/orders/+)[A-Za-z0-9]{20}(?=[/?#]|$)")
# The query of the first is the provider's, that of the second the code of an order.
_WITHOUT_QUERY = ("/logincallback", "/completed_old", "/withdraw")
# Whole words of a parameter's name, also in the plural: `api_key` and `accessToken` carry a secret, `monkey` and
# `design` do not. The last row lists compounds that are commonly written in lowercase without a separator.
_SECRET_WORDS = {
    *("code", "state", "key", "sig", "session", "otp", "handle", "nonce", "assertion", "credential", "jwt", "pin"),
    *("sid", "pwd", "passphrase", "passcode"),
    *("apikey", "authcode", "otpcode", "sessionid", "sessionkey", "secretkey", "jsessionid", "phpsessid"),
}
# Endings of compounds such as `mytoken`.
_SECRET_SUFFIXES = ("token", "password", "passwd", "secret", "signature")
# Both ways to split: in OTPCode the last uppercase letter begins a word, in OTPcode it ends one.
_CAMEL_CASE = (re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+"), re.compile(r"[A-Z]+|[a-z]+"))
MAX_NAME_LENGTH = 200
_QUOTED = re.compile('".*"', re.DOTALL)
# A stretch of text that may be an email address. A regular expression for the address itself would take minutes for a
# long run of @ (catastrophic backtracking).
_SPACED = re.compile(r"\S+")
# Names of members that tell who somebody is.
_PERSONAL = {"address", "learner_id", "claimed_id", "student_number", "email", "name"}
_WORD = re.compile(r"[^\s&=/?]+")


def redact(url: str) -> str:
    """Path and query without tokens, codes, states and email addresses.

    The query of /logincallback, /completed_old and /withdraw, and of the pages of areas, which may name people, is cut;
    the last segment of /email-verify/… and /forget-password/… becomes {token}, that of /verify-certificate/… {code}, as
    the order of /order/…, /completed/…, /documents/…/… and /admin/orders/… does. A parameter with the address of such a
    page is removed.
    """
    # Fragments are dropped: our browser code sends none, and other sites pass tokens in them.
    path, _, query = url.partition("#")[0].partition("?")
    # What is removed stands behind a second slash, which most addresses do not have.
    if path.count("/") > 1:
        path = _ORDERS.sub(r"\1{code}", _CODE_PAGES.sub(r"\1{code}", _TOKEN_PAGES.sub(r"\1{token}", path)))
    path = _without_emails(path)
    if not query or path.lower().rstrip("/") in _WITHOUT_QUERY or _below_areas().match(path):
        return path
    return f"{path}?{'&'.join(_redact_parameter(pair) for pair in query.split('&'))}"


@lru_cache(1)
def _below_areas() -> re.Pattern[str]:
    """Paths of areas, also of another origin and as data of a page."""
    homes = "|".join(re.escape(area.home.strip("/")) for area in areas())
    return re.compile(rf"(?:https?://[^/]*)?(?:/+data)?/+(?:{homes})(?:/|$)", re.IGNORECASE)


def redact_text(text: str) -> str:
    """A message of a program without what it may quote: text in double quotes, email addresses, and the secrets of
    URLs."""
    # Parsers quote the text that they failed on, and it may contain quotes itself: from the first to the last.
    text = _QUOTED.sub('"…"', text)
    return " ".join(redact(word) if "/" in word else _without_emails(word) for word in text.split())


def redact_lines(text: str) -> str:
    """A text for people, such as a mail, without secrets of URLs and email addresses; its lines and spaces stay."""
    return _SPACED.sub(lambda word: redact(word[0]) if "/" in word[0] else _without_emails(word[0]), text)


def redact_json(value: Any) -> Any:
    """A message between programs without what identifies somebody: values of secret and personal names, and the
    secrets of URLs."""
    if isinstance(value, list):
        return [redact_json(item) for item in value]
    if isinstance(value, dict):
        return {name: _redact_member(str(name), member) for name, member in value.items()}
    return redact_lines(value) if isinstance(value, str) else value


def _redact_member(name: str, value: Any) -> Any:
    is_hidden = value not in (None, "") and (name in _PERSONAL or _is_secret(name))
    return "{removed}" if is_hidden else redact_json(value)


def masked_email(address: str) -> str:
    """The first letter and the domain, as in a…@example.com."""
    name, at, domain = address.rpartition("@")
    return f"{name[:1]}…{at}{domain}" if at else "…"


def _without_emails(text: str) -> str:
    if "@" not in text and "%40" not in text:
        return text
    return _WORD.sub(lambda match: "{email}" if _is_email(match[0]) else match[0], text)


def _is_email(word: str) -> bool:
    """Whether the word has the form something@something.something."""
    plain = word.replace("%40", "@")
    at = plain.find("@", 1)
    return at > 0 and "." in plain[at + 2 : -1]


def _redact_parameter(pair: str) -> str:
    name, equals, value = pair.partition("=")
    if not equals:
        return _without_emails(pair)
    if _is_secret(name) or _without_emails(value) != value or _names_secret_page(value):
        return f"{name}={{removed}}"
    return pair


def _names_secret_page(value: str) -> bool:
    """The address to go to after the sign-in, for example, also one with a secret in its query."""
    address = unquote_plus(value)
    if "/" not in address and "?" not in address:
        return False
    if _TOKEN_PAGES.search(address) is not None or _CODE_PAGES.search(address) is not None:
        return True
    query = address.partition("?")[2]
    return any(equals and _is_secret(name) for name, equals, _ in (pair.partition("=") for pair in query.split("&")))


def _is_secret(name: str) -> bool:
    """Whether a parameter with this (still encoded) name may carry a secret; one with an overlong name always may."""
    return len(name) > MAX_NAME_LENGTH or _has_secret_word(name)


@lru_cache(2048)
def _has_secret_word(name: str) -> bool:
    plain = unquote_plus(name)
    words = {word.lower() for pattern in _CAMEL_CASE for word in pattern.findall(plain)}
    words |= {word.removesuffix("s") for word in words}
    return not _SECRET_WORDS.isdisjoint(words) or any(word.endswith(_SECRET_SUFFIXES) for word in words)
