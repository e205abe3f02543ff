"""A log of visitors who are known to be people or programs, each behaving in one of some ways. The ways and their
shares were chosen before the weights of evidence.json were tried on them, and no weight was fitted to them."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random

from tests.domain.log_import.log_files import HOST, START, Request

CHROME = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{}.0.0.0 Safari/537.36"
)
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_{} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/17.4 Mobile/15E148 Safari/604.1"
)
PROGRAMS = ("python-requests/2.32.3", "Go-http-client/2.0", "curl/8.5.0", "Scrapy/2.11 (+https://scrapy.org)")
_PROBES = ("/.env", "/wp-login.php", "/.git/config", "/phpmyadmin/index.php")
# Way -> how many of 1,000 visitors behave so.
PEOPLE = {"reader": 330, "glance": 190, "without referrers": 30, "quick": 20, "everything cached": 12, "office": 3}
BOTS = {
    **{"program": 120, "fast copier": 70, "slow copier": 60, "one page": 70, "prober": 45, "monitor": 5},
    **{"reads robots.txt": 25, "even browser": 12, "like a person": 8},
}


def visitors(count: int, seed: int) -> Iterator[tuple[str, str, list[Request]]]:
    """Make visitors: the name of each, as the log has it, the way to behave, and the requests."""
    chance, ways = Random(seed), PEOPLE | BOTS
    for number in range(count):
        way = chance.choices(list(ways), list(ways.values()))[0]
        address = f"203.{number // 60_000}.{number // 240 % 250}.{number % 240 + 1}"
        agent = (SAFARI if chance.random() < 0.4 else CHROME).format(chance.randrange(4, 8) if number % 2 else 122)
        if way == "program":
            agent = chance.choice(PROGRAMS)
        log = _Log(chance, address, agent)
        _WAYS[way](log, chance)
        yield f"{address} {agent}", way, log.made


class _Log:
    """The requests of one visitor, who begins at some time of a day."""

    def __init__(self, chance: Random, address: str, agent: str):
        self._chance, self._address, self._agent = chance, address, agent
        self.at = START + timedelta(hours=2, seconds=chance.randrange(20 * 3600))
        self.page = ""
        self.made: list[Request] = []

    def ask(self, path: str, query: str = "", *, status: int = 200, referrer: str = "") -> None:
        about = (self.at, self._address, "GET", path, query, status, referrer, self._agent)
        self.made.append(Request("", *about))

    def open_page(self, *, files: int, referrer: str | None = None) -> None:
        """`referrer`: the page before, unless it is given."""
        if referrer is None:
            referrer = self.page and f"https://{HOST}{self.page}"
        path, query = self._chance.choice((("/shop", "page=2"), ("/", ""), ("/about", ""), _course(self._chance)))
        self.ask(path, query, referrer=referrer)
        self.page = f"{path}?{query}" if query else path
        for number in range(files):
            self.ask(f"/static/build/part-{number}.js", referrer=f"https://{HOST}{self.page}")

    def wait(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


def _course(chance: Random) -> tuple[str, str]:
    return "/course-details", f"course=course-{chance.randrange(90)}"


def _outside(chance: Random) -> str:
    return chance.choice(("", "https://www.google.com/", "https://news.example/letter", "https://www.bing.com/"))


def _read(
    log: _Log, chance: Random, pages: int, files: int, *, pause_s: float = 40, has_referrers: bool = True
) -> None:
    """`pause_s`: half of the pauses are shorter."""
    referrer = None if has_referrers else ""
    log.open_page(files=files, referrer=_outside(chance) if has_referrers else "")
    for _ in range(pages - 1):
        log.wait(chance.lognormvariate(0, 1) * pause_s)
        # Later pages find most files in the browser's store.
        log.open_page(files=min(files, chance.randrange(2)), referrer=referrer)


def _reader(log: _Log, chance: Random) -> None:
    _read(log, chance, chance.randint(2, 9), chance.randint(3, 9))


def _short_visit(log: _Log, chance: Random) -> None:
    _read(log, chance, 1, chance.randint(3, 9))


def _without_referrers(log: _Log, chance: Random) -> None:
    _read(log, chance, chance.randint(2, 8), chance.randint(3, 9), has_referrers=False)


def _quick(log: _Log, chance: Random) -> None:
    _read(log, chance, chance.randint(8, 14), 5, pause_s=4)


def _everything_cached(log: _Log, chance: Random) -> None:
    _read(log, chance, chance.randint(1, 4), 0)


def _office(log: _Log, chance: Random) -> None:
    """Many people behind one address with one agent."""
    for _ in range(chance.randint(4, 8)):
        _reader(log, chance)
        log.wait(chance.randrange(600))


def _program(log: _Log, chance: Random) -> None:
    for _ in range(chance.randint(1, 30)):
        log.open_page(files=0, referrer="")
        log.wait(chance.random() * 3)


def _fast_copier(log: _Log, chance: Random) -> None:
    for _ in range(chance.randint(15, 150)):
        log.open_page(files=0, referrer="")
        log.wait(chance.random() * 2)


def _slow_copier(log: _Log, chance: Random) -> None:
    for _ in range(chance.randint(4, 40)):
        log.open_page(files=0, referrer="")
        log.wait(5 + chance.random() * 60)


def _one_page(log: _Log, chance: Random) -> None:
    log.open_page(files=0, referrer="" if chance.random() < 0.7 else "https://www.google.com/")


def _prober(log: _Log, chance: Random) -> None:
    log.open_page(files=chance.choice((0, 0, 3)), referrer="")
    for path in _PROBES[: chance.randint(1, 4)]:
        log.wait(1)
        log.ask(path, status=404)


def _monitor(log: _Log, chance: Random) -> None:
    log.at = START + timedelta(hours=2)
    for _ in range(20 * 60):
        log.ask("/")
        log.wait(60)


def _reads_robots(log: _Log, chance: Random) -> None:
    log.ask("/robots.txt")
    _slow_copier(log, chance)


def _even_browser(log: _Log, chance: Random) -> None:
    """A browser that a program drives, with all files and an even pace."""
    for _ in range(chance.randint(10, 40)):
        log.open_page(files=6)
        log.wait(10)


_WAYS = {
    **{"reader": _reader, "glance": _short_visit, "without referrers": _without_referrers, "quick": _quick},
    **{"everything cached": _everything_cached, "office": _office, "program": _program, "fast copier": _fast_copier},
    **{"slow copier": _slow_copier, "one page": _one_page, "prober": _prober, "monitor": _monitor},
    **{"reads robots.txt": _reads_robots, "even browser": _even_browser, "like a person": _reader},
}
