# ruff: noqa: RUF001 names in other scripts look like Latin ones
"""Codes of languages from the names that exports use: in English, or in the language itself."""

import re
from functools import cache

from babel import Locale

# The names of languages in themselves, as sites write them. Those in English are CLDR's, by Babel.
_OWN_NAMES = """
af afrikaans|am አማርኛ|ar العربية عربي|az azərbaycanca azərbaycan|be беларуская|
bg български|bn বাংলা|bs bosanski|ca català catalan|cs čeština česky|cy cymraeg|
da dansk|de deutsch|el ελληνικά|es español castellano espanol|et eesti|eu euskara|
fa فارسی farsi|fi suomi|fil filipino tagalog|fr français francais|ga gaeilge|gl galego|
gu ગુજરાતી|he עברית hebrew|hi हिन्दी हिंदी|hr hrvatski|hu magyar|hy հայերեն|
id indonesia|is íslenska|it italiano|ja 日本語|ka ქართული|kk қазақ|km ខ្មែរ|kn ಕನ್ನಡ|
ko 한국어|ky кыргызча|lo ລາວ|lt lietuvių|lv latviešu|mk македонски|ml മലയാളം|mn монгол|
mr मराठी|ms melayu malay|my မြန်မာ burmese|nb bokmål|ne नेपाली|nl nederlands flemish|
nn nynorsk|no norsk norwegian|pa ਪੰਜਾਬੀ|pl polski|ps پښتو|pt português portugues|
ro română romana moldovan|ru русский|si සිංහල|sk slovenčina|sl slovenščina|so soomaali|
sq shqip|sr српски srpski|sv svenska|sw kiswahili|ta தமிழ்|te తెలుగు|th ไทย ภาษาไทย|
tr türkçe turkce|uk українська|ur اردو|uz oʻzbek|vi việt|
zh 中文 汉语 普通话 mandarin putonghua|zh-Hans 简体中文 中文（简体） 简体|zh-Hant 繁體中文 繁体中文 中文（繁體） 繁體|
yue 粵語 cantonese
"""
# What stands in brackets or behind a dash, other than a country.
_KINDS = {
    "simplified": "Hans",
    "traditional": "Hant",
    "简体": "Hans",
    "繁體": "Hant",
    "brasil": "BR",
    "méxico": "MX",
    "latinoamérica": "419",
    "latin america": "419",
    "uk": "GB",
    "us": "US",
    "usa": "US",
    "españa": "ES",
    "deutschland": "DE",
}
_WITH_KIND = re.compile(r"(.+?)\s*(?:[(\[（]\s*(.+?)\s*[)\]）]|\s[-–]\s(.+))")
# The column's length.
_MAX_LENGTH = 10


def code(text: str) -> str | None:
    """English, en, en_US, 日本語, Portuguese (Brazil) -> en, en, en-us, ja, pt-br. Of several languages the first.
    None for an unknown one."""
    name = " ".join(text.casefold().split())
    if known := _by_name().get(name):
        return known
    tag = text.strip().replace("_", "-")
    if len(tag) <= _MAX_LENGTH and re.fullmatch(r"[A-Za-z]{2}(-[A-Za-z0-9]{2,7})?", tag):
        return tag.lower()
    if parts := _WITH_KIND.fullmatch(name):
        return _with_kind(parts[1], parts[2] or parts[3])
    first = re.split(r"[,;/|]", name)[0].strip()
    return code(first) if first != name else None


def _with_kind(name: str, kind: str) -> str | None:
    language = _by_name().get(name)
    if language is None:
        return None
    part = _KINDS.get(kind) or _regions().get(kind)
    return f"{language}-{part}".lower() if part and "-" not in language else language


@cache
def _by_name() -> dict[str, str]:
    names = {name.casefold(): tag.replace("_", "-") for tag, name in Locale("en").languages.items()}
    known = {name: tag.lower() for name, tag in names.items() if len(tag) <= _MAX_LENGTH}
    for entry in " ".join(_OWN_NAMES.split()).split("|"):
        tag, *own = entry.split()
        known |= dict.fromkeys(own, tag.lower())
    return known


@cache
def _regions() -> dict[str, str]:
    return {name.casefold(): tag for tag, name in Locale("en").territories.items() if len(tag) == 2}
