"""Campaigns of addresses: the parameters `utm_*` and the click ids of advertising networks.

People copy links out of mails, documents and HTML: names come in any letter case, separators escaped. The first value
of a repeated parameter counts, as `URLSearchParams.get` has it (docs/decisions/0116).
"""

import re
from collections.abc import Iterator
from urllib.parse import unquote, unquote_plus

# Ids that a network adds to the address of a paid click -> the network. Of two, the first of this list names it.
PAID_CLICKS = {
    **dict.fromkeys(("gclid", "gbraid", "wbraid", "dclid", "gad_source"), "Google"),
    "msclkid": "Microsoft",
    "ttclid": "TikTok",
    "li_fat_id": "LinkedIn",
    "twclid": "X",
    "sccid": "Snapchat",
    "rdt_cid": "Reddit",
    "epik": "Pinterest",
    "yclid": "Yandex",
    "qclid": "Quora",
    "dicbo": "Outbrain",
    "tblci": "Taboola",
}
# Meta adds its id to every link, paid or not.
CLICK_IDS = (*PAID_CLICKS, "fbclid")
CAMPAIGN_KEYS = frozenset(("utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", *CLICK_IDS))
_NAMES = rf"(?:utm(?:_|%5f)|{'|'.join(name.replace('_', '(?:_|%5f)') for name in CLICK_IDS)})"
# The longest word of each name. Nearly all addresses have none of them, which is quicker to see than by an expression.
_HINTS = ("utm", *(max(name.split("_"), key=len) for name in CLICK_IDS))
_AMP = "(?:amp(?:;|%3b))*"
# An ampersand, also as HTML writes it; before the name of a campaign also a second question mark, and both escaped: of
# an address that was escaped as a whole, or that another one names. The look is as long as the longest name: a longer
# one would be quadratic.
_SEPARATOR = re.compile(rf"&{_AMP}|(?:%26{_AMP}|%3f|\?)(?={_NAMES}[\w%]{{0,20}}(?:=|%3d))", re.IGNORECASE)
_EQUALS = re.compile("=|%3d", re.IGNORECASE)


def campaign_parameters(url: str) -> dict[str, str]:
    """All `utm_*` and click ids of an address, by their names in lower case; those without a value are left out."""
    query = url.partition("#")[0].partition("?")[2]
    lowered = query.lower()
    if not any(word in lowered for word in _HINTS):
        return {}
    found: dict[str, str] = {}
    for name, value in _parameters(query):
        if value and (name.startswith("utm_") or name in CLICK_IDS):
            found.setdefault(name, value)
    return found


def _parameters(query: str) -> Iterator[tuple[str, str]]:
    for part in filter(None, _SEPARATOR.split(query)):
        name, *values = _EQUALS.split(part, maxsplit=1)
        yield unquote(name).lower(), unquote_plus(values[0]) if values else ""
