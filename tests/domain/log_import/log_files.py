"""Logs of a site in every form, from requests whose kind is known because they were made so. It shares no code with
the import."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from urllib.parse import quote

# Referrers: this site, others, none.
REFERRERS = ("", "https://www.school.example/shop?x=1", "https://www.google.com/search?q=a", "https://a.example/b c")
START = datetime(2026, 3, 2, 23, 0, tzinfo=UTC)
HOST = "www.school.example"
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36"
GOOGLEBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
AGENTS = {CHROME: "human", "curl/8.5.0": "suspected", GOOGLEBOT: "crawler"}
HEAD = "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status"
HEAD += " cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header\n"
FORMATS = ("common", "combined", "vhost", "json", "caddy", "cloudfront")
TEMPLATES = {
    "apache": r"%v %h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\" %D",
    "nginx": '$time_iso8601|$remote_addr|$request_method|$request_uri|$status|"$http_referer"|"$http_user_agent"|$host',
}


@dataclass(frozen=True)
class Request:
    kind: str
    at: datetime
    address: str
    method: str
    path: str
    query: str
    status: int
    referrer: str
    agent: str

    @property
    def target(self) -> str:
        return f"{self.path}?{self.query}" if self.query else self.path


# Kind, method, path, query, status.
_MADE = [
    *[("pages", "GET", path, "", 200) for path in ("/", "/shop", "/cart", "/no/such.page", "/about/", "/index.html")],
    *[("pages", "GET", "/course-details", "course=vat", status) for status in (200, 206, 304)],
    ("pages", "GET", "/shop", "utm_source=news&utm_medium=email", 200),
    *[("files and calls", "GET", path, "", 200) for path in ("/static/a.css", "/app.JS", "/p.png", "/favicon.ico")],
    *[("files and calls", "GET", path, "v=3", 200) for path in ("/api/x", "/sitemap.xml", "/feed/", "/a.pdf")],
    ("files and calls", "GET", "/robots.txt", "", 304),
    *[("other methods", method, "/shop", "", 200) for method in ("POST", "HEAD", "OPTIONS")],
    *[("redirects", "GET", "/old", "", status) for status in (301, 302, 308)],
    *[("errors", "GET", path, "", status) for path, status in (("/shop", 404), ("/.env", 404), ("/", 500), ("/", 499))],
    ("errors", "POST", "/shop", "", 403),
]


def requests(count: int, seed: int = 1, gap_s: int = 5) -> list[Request]:
    """In the order of time, of 40 visitors."""
    chance, at, made = Random(seed), START, []
    for _ in range(count):
        at += timedelta(seconds=chance.randrange(gap_s))
        kind, method, path, query, status = chance.choice(_MADE)
        referrer = chance.choice(REFERRERS)
        number = chance.randrange(40)
        agent = list(AGENTS)[0 if number < 30 else 1 if number < 35 else 2]
        made.append(Request(kind, at, f"192.0.2.{number}", method, path, query, status, referrer, agent))
    return made


def line_of(request: Request, form: str) -> str:
    return _WRITERS[form](request)


def write(path: Path, made: list[Request], form: str) -> Path:
    text = "".join(f"{line_of(request, form)}\n" for request in made)
    path.write_text((HEAD if form == "cloudfront" else "") + text, encoding="utf-8")
    return path


def _common(r: Request) -> str:
    time = r.at.astimezone(UTC).strftime("%d/%b/%Y:%H:%M:%S +0000")
    return f'{r.address} - - [{time}] "{r.method} {r.target} HTTP/1.1" {r.status} 1234'


def _combined(r: Request) -> str:
    return f'{_common(r)} "{r.referrer or "-"}" "{r.agent}"'


def _json(r: Request) -> str:
    about = {"remote_addr": r.address, "request": f"{r.method} {r.target} HTTP/2.0", "status": r.status, "host": HOST}
    time = {"time_iso8601": r.at.isoformat()}
    return json.dumps({**time, **about, "http_referer": r.referrer or "-", "http_user_agent": r.agent})


def _caddy(r: Request) -> str:
    headers = {"User-Agent": [r.agent], **({"Referer": [r.referrer]} if r.referrer else {})}
    request = {"remote_ip": r.address, "method": r.method, "host": f"{HOST}:443", "uri": r.target, "headers": headers}
    return json.dumps({"level": "info", "ts": r.at.timestamp(), "request": request, "status": r.status, "size": 9})


def _cloudfront(r: Request) -> str:
    agent, referrer = quote(quote(r.agent, safe="/"), safe=""), quote(r.referrer, safe=":/?=")
    head = [
        r.at.strftime("%Y-%m-%d"),
        r.at.strftime("%H:%M:%S"),
        "FRA2",
        "123",
        r.address,
        r.method,
        "d1.cloudfront.net",
    ]
    rest = [r.path, str(r.status), referrer or "-", agent, r.query or "-", "-", "Hit", "id", HOST]
    return "\t".join([*head, *rest])


def _apache(r: Request) -> str:
    return f"{HOST} {_combined(r)} 512"


def _nginx(r: Request) -> str:
    start = f"{r.at.isoformat()}|{r.address}|{r.method}|{r.target}|{r.status}"
    return f'{start}|"{r.referrer or "-"}"|"{r.agent}"|{HOST}'


_WRITERS = {
    **{"common": _common, "combined": _combined, "vhost": lambda r: f"{HOST}:443 {_combined(r)}", "json": _json},
    **{"caddy": _caddy, "cloudfront": _cloudfront, "apache": _apache, "nginx": _nginx},
}
