"""Domains of email addresses: which one an address has, and which may stand for an organisation."""

import re

MAX_DOMAINS = 10
MAX_LENGTH = 253
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"(?:{_LABEL}\.)+(?:[a-z]{{2,63}}|xn--[a-z0-9-]{{1,59}})")
# The first label of hosts where anybody may have an address, under whatever country: yahoo.co.jp, gmx.at.
_PUBLIC_NAMES = frozenset(
    {
        *("aol", "gmail", "gmx", "googlemail", "hotmail", "icloud", "live", "msn", "outlook", "passport", "proton"),
        *("protonmail", "rocketmail", "tutanota", "yahoo", "yandex", "ymail", "zoho", "mailinator", "guerrillamail"),
    }
)
_PUBLIC_HOSTS = frozenset(
    {
        *(
            "126.com",
            "163.com",
            "139.com",
            "21cn.com",
            "bk.ru",
            "bol.com.br",
            "bluewin.ch",
            "btinternet.com",
            "comcast.net",
        ),
        *("cox.net", "daum.net", "email.com", "fastmail.com", "fastmail.fm", "foxmail.com", "free.fr", "freenet.de"),
        *("hanmail.net", "hey.com", "hushmail.com", "inbox.ru", "interia.pl", "laposte.net", "libero.it", "list.ru"),
        *(
            "mac.com",
            "mail.com",
            "mail.de",
            "mail.ru",
            "me.com",
            "naver.com",
            "nate.com",
            "o2.pl",
            "onet.pl",
            "orange.fr",
        ),
        *("pm.me", "posteo.de", "qq.com", "rambler.ru", "rediffmail.com", "sapo.pt", "sbcglobal.net", "seznam.cz"),
        *(
            "sfr.fr",
            "sina.com",
            "sky.com",
            "sohu.com",
            "t-online.de",
            "telia.com",
            "terra.com.br",
            "tuta.io",
            "tutanota.de",
        ),
        *("ukr.net", "uol.com.br", "verizon.net", "virgilio.it", "virginmedia.com", "wanadoo.fr", "web.de", "wp.pl"),
    }
)


def domain_of(address: str) -> str:
    """The domain of an email address as it is stored; "" without one."""
    return normalised(address.rpartition("@")[2]) if "@" in address else ""


def normalised(text: str) -> str:
    """In lowercase ASCII, without an @ before it; what is no domain stays recognisably none."""
    plain = text.strip().casefold().removeprefix("@").rstrip(".")
    try:
        return plain if plain.isascii() else plain.encode("idna").decode()
    except UnicodeError:
        return plain


def problem(domain: str) -> str | None:
    """Why a (normalised) domain cannot stand for an organisation, in words; None when it can."""
    if len(domain) > MAX_LENGTH or not _DOMAIN.fullmatch(domain):
        return f"“{domain[:80]}” is not a domain, such as example.org."
    if domain in _PUBLIC_HOSTS or domain.partition(".")[0] in _PUBLIC_NAMES:
        return f"Anybody may have an address at {domain}. Name domains of your organisation alone."
    return None


def read_domains(texts: list[str] | tuple[str, ...]) -> tuple[tuple[str, ...], str | None]:
    """The domains without repetition, and why they cannot be taken; None when they can."""
    domains = tuple(dict.fromkeys(domain for text in texts if (domain := normalised(text))))
    if len(domains) > MAX_DOMAINS:
        return domains, f"Name at most {MAX_DOMAINS} domains."
    return domains, next((found for domain in domains if (found := problem(domain))), None)
