"""Long logs of a school whose lines are known, because they were made so. They share no code with the import."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.domain.log_import.log_files import HEAD, HOST, Request, line_of

# Four days of Berlin, of which the third has 23 hours.
START = datetime(2026, 3, 26, 23, 0, tzinfo=UTC)
DAYS = 4
NOW = datetime(2026, 4, 9, tzinfo=UTC)
ZONE = "Europe/Berlin"
FORMS = ("common", "combined", "vhost", "json", "caddy", "cloudfront", "template")
TEMPLATE = r"%v %h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\" %{sid}C %D"
WITH_HOST = {"vhost", "json", "caddy", "cloudfront", "template"}
WITH_FRACTION = {"json", "caddy"}
_OTHER_HOST = "media.elsewhere.example"
_CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{}.0.0.0 Safari/537.36"
_FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:{0}.0) Gecko/20100101 Firefox/{0}.0"
_CRAWLERS = (
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
)
_REFERRERS = ("", "", f"https://{HOST}/shop?page=2", "https://www.google.com/", "https://news.example/a?b=c#d")
# Kind of a request to the own host, method, path, query, status; and how often it comes.
_REQUESTS = (
    (14, ("pages", "GET", "/course-details", "course=course-{}", 200)),
    (5, ("pages", "GET", "/shop", "page=2&q=caf%C3%A9", 200)),
    (2, ("pages", "GET", "/", "", 304)),
    (2, ("pages", "GET", "/about/we", "utm_source=news&utm_medium=email", 206)),
    (1, ("pages", "GET", "/admin/orders", "", 200)),
    (30, ("files and calls", "GET", "/static/build/part-{}.js", "v=3", 200)),
    (20, ("files and calls", "GET", "/pictures/{}.PNG", "", 304)),
    (4, ("files and calls", "GET", "/api/courses/{}", "", 200)),
    (1, ("files and calls", "GET", "/robots.txt", "", 200)),
    (1, ("files and calls", "GET", "/sitemap-courses.xml", "", 200)),
    (4, ("other methods", "POST", "/cart", "", 200)),
    (2, ("other methods", "HEAD", "/", "", 200)),
    (5, ("redirects", "GET", "/old-{}", "", 301)),
    (1, ("redirects", "POST", "/checkout", "", 303)),
    (4, ("errors", "GET", "/missing-{}", "x=1", 404)),
    (2, ("errors", "GET", "/.env", "", 404)),
    (1, ("errors", "POST", "/cart", "", 503)),
)
_WEIGHTS, _CHOICES = [weight for weight, _ in _REQUESTS], [about for _, about in _REQUESTS]


class MadeLine(NamedTuple):
    """`kind`: one of those that an import counts. `ms`: the time that the line has, since 1970; `visitor`: as the form
    tells visitors apart, "" for a crawler that it can name; `target`: of a page."""

    text: str
    kind: str
    ms: int
    visitor: str
    target: str


@dataclass(frozen=True)
class _Person:
    """Some share an address, some an address and an agent; `cookie` is "-" for some."""

    address: str
    agent: str
    cookie: str


def lines(form: str, count: int, seed: int = 1) -> Iterator[MadeLine]:
    """In the order in which a server writes them: when an answer ends, so up to four minutes late. Of 1,000 some
    twenty are broken or stand there twice."""
    chance, step = Random(seed), timedelta(days=DAYS) / count
    made = 0
    while made < count:
        at = START + made * step - (timedelta(seconds=chance.randrange(240)) if chance.random() < 0.1 else timedelta())
        line = _line(form, replace(_request(chance), at=max(at, START)), _person(chance, made, count), chance)
        number = 2 if chance.random() < 0.01 else 1
        yield from [line] * min(number, count - made)
        made += number


def _person(chance: Random, made: int, count: int) -> _Person:
    """300 visit at the same time, in 40 groups one after the other, and some come again."""
    number = made * 40 // count * 300 + chance.randrange(300) if chance.random() < 0.95 else chance.randrange(300)
    agent = (_CHROME if number % 3 else _FIREFOX).format(120 + number % 9)
    if number % 50 == 0:
        agent = _CRAWLERS[number // 50 % 2]
    elif number % 31 == 0:
        agent = "curl/8.5.0"
    # Two of each four share an address.
    shared = number - number % 4 if number % 2 else number
    address = f"2001:db8::{shared:x}" if number % 5 == 0 else f"198.51.{shared // 250}.{shared % 250}"
    return _Person(address, agent, f"sid{number // 2}" if number % 7 else "-")


def _request(chance: Random) -> Request:
    kind, method, path, query, status = chance.choices(_CHOICES, _WEIGHTS)[0]
    number = int(200 * chance.random() ** 2)
    about = (path.format(number), query.format(number), status)
    return Request(kind, START, "", method, *about, chance.choice(_REFERRERS), "")


def _line(form: str, request: Request, person: _Person, chance: Random) -> MadeLine:
    request = replace(request, address=person.address, agent=person.agent)
    text, kind = _text(form, request, person), request.kind
    if form in WITH_HOST and chance.random() < 0.02:
        text, kind = _of_other_host(form, text), "other hosts"
    elif chance.random() < 0.005:
        text, kind = _broken(form, text, request, chance), "broken"
    ms = int(request.at.timestamp()) * 1000
    if form in WITH_FRACTION:
        ms += request.at.microsecond // 1000
    return MadeLine(text, kind, ms, _visitor(form, person), request.target if kind == "pages" else "")


def _visitor(form: str, person: _Person) -> str:
    if form == "common":
        return person.address
    if person.agent in _CRAWLERS:
        return ""
    is_known = form == "template" and person.cookie != "-"
    return person.cookie if is_known else f"{person.address} {person.agent}"


def _text(form: str, request: Request, person: _Person) -> str:
    request = replace(request, at=request.at.replace(microsecond=request.at.microsecond // 1000 * 1000))
    if form != "template":
        return line_of(request, form)
    return f"{HOST} {line_of(request, 'combined')} {person.cookie} 512"


def _of_other_host(form: str, text: str) -> str:
    """A referrer from the own host stands before the host in CloudFront's lines, and behind it in all others."""
    if form == "cloudfront":
        before, _, after = text.rpartition(HOST)
        return f"{before}{_OTHER_HOST}{after}"
    return text.replace(HOST, _OTHER_HOST, 1)


def _broken(form: str, text: str, request: Request, chance: Random) -> str:
    place = chance.randrange(5)
    if place == 0:
        return text[: len(text) // 3]
    if place == 1:
        return "" if chance.random() < 0.5 else "#" * 70_000
    if place == 2:
        return "no line of a log at all"
    late = replace(request, at=datetime(2099, 1, 1, tzinfo=UTC))
    if place == 3:
        return _text(form, late, _Person(request.address, request.agent, "-"))
    # A status that is none.
    return re.sub(rf"(?<=[\s:]){request.status}(?=[\s,}}])", "OK", text)


def write(path: Path, form: str, made: Iterator[MadeLine]) -> Path:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(HEAD if form == "cloudfront" else "")
        file.writelines(f"{line.text}\n" for line in made)
    return path
