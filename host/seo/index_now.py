"""IndexNow: search engines that take it are told which addresses changed, instead of finding out by themselves.

The protocol (indexnow.org) wants proof that whoever tells them owns the site: a key, which the site shows at an address
that is told along with it.
"""

from collections.abc import Sequence
from urllib.parse import urlsplit

import aiohttp
from aiohttp import web

from host import keys, pages
from host.settings import Settings

KEY_PATH = "/indexnow-key.txt"
# Of one message, by the protocol.
MOST_ADDRESSES = 10_000
DEADLINE_S = 15.0
TAKEN = (200, 202)


class NotTaken(Exception):
    """Nobody took the addresses; the text says who answered what."""


async def key(request: web.Request) -> web.StreamResponse:
    settings = request.app[keys.SETTINGS]
    if not settings.indexnow_key:
        return await pages.page(request)
    headers = {"Cache-Control": "public, max-age=300", "X-Robots-Tag": "noindex"}
    return web.Response(text=settings.indexnow_key, headers=headers)


async def tell(settings: Settings, addresses: Sequence[str]) -> int:
    """Tell INDEXNOW_URL of these absolute addresses; the number of messages. Raises NotTaken, also after DEADLINE_S."""
    timeout = aiohttp.ClientTimeout(total=DEADLINE_S)
    messages = [addresses[at : at + MOST_ADDRESSES] for at in range(0, len(addresses), MOST_ADDRESSES)]
    async with aiohttp.ClientSession(timeout=timeout) as session:
        for one in messages:
            await _send(session, settings, one)
    return len(messages)


async def _send(session: aiohttp.ClientSession, settings: Settings, addresses: Sequence[str]) -> None:
    message = {
        "host": urlsplit(settings.site_origin).netloc,
        "key": settings.indexnow_key,
        "keyLocation": settings.site_origin + KEY_PATH,
        "urlList": list(addresses),
    }
    try:
        async with session.post(settings.indexnow_url, json=message, allow_redirects=False) as answer:
            if answer.status not in TAKEN:
                raise NotTaken(f"{settings.indexnow_url} answered {answer.status}.")
    except (aiohttp.ClientError, TimeoutError) as error:
        raise NotTaken(f"{settings.indexnow_url} does not answer: {str(error) or 'too late'}.") from error
