"""100,000 fetches under crawlers' names from three networks, as many a second as if they came in one minute."""

from collections.abc import Callable, Coroutine
from typing import Any

from tests.support.faults.crawl_flood import flood
from tests.support.site import WITHOUT_STANDINS, running

Outcome = tuple[bool, str]
FETCHES, SECONDS = 100_000, 60.0
ROWS_A_MINUTE, LIMIT = 600, 1.1


async def spoofed() -> Outcome:
    """In turns with pauses, in which others are measured without them, and with as many fetches of browsers."""
    with running(TRUSTED_PROXIES="127.0.0.1", ROBOTS="open", HOST_WORKERS="1", **WITHOUT_STANDINS) as site:
        result = await flood(site, FETCHES, SECONDS)
    ratio = result.others_ms / result.alone_ms
    is_exact, sent = result.counted == result.sent, result.sent.total()
    text = (
        f"{sent:,} answered, totals {'exact' if is_exact else 'WRONG'}, at most {result.rows} rows of a network in a"
        f" minute; others {result.others_ms:.2f} ms, {result.alone_ms:.2f} ms without ({ratio:.2f} x),"
        f" {result.beside_people_ms:.2f} ms beside browsers"
    )
    return is_exact and sent >= FETCHES * 0.999 and result.rows <= ROWS_A_MINUTE and ratio <= LIMIT, text


EXPERIMENTS: dict[str, Callable[[], Coroutine[Any, Any, Outcome]]] = {"spoofed-crawlers": spoofed}
