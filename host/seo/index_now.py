"""IndexNow: notifies search engines that support it of changed URLs.

The protocol (indexnow.org) asks for proof that the sender owns the site: a key, which the site serves at a URL that is
sent along.
"""

from collections.abc import Sequence
from urllib.parse import urlsplit

import aiohttp
from aiohttp import web

from config.settings import Settings
from host.app_keys import SETTINGS

KEY_PATH = "/indexnow-key.txt"
# The most in one message, by the protocol.
MAX_URLS = 10_000
DEADLINE_S = 15.0
ACCEPTED = (200, 202)


class SubmissionRefused(Exception):
    """INDEXNOW_URL did not accept the URLs; the text says why."""


async def key(request: web.Request) -> web.Response:
    headers = {"Cache-Control": "public, max-age=300", "X-Robots-Tag": "noindex"}
    return web.Response(text=request.app[SETTINGS].indexnow_key, headers=headers)


async def submit(settings: Settings, urls: Sequence[str]) -> int:
    """Send these absolute URLs to INDEXNOW_URL; returns the number of messages.

    Raises SubmissionRefused, also after DEADLINE_S.
    """
    timeout = aiohttp.ClientTimeout(total=DEADLINE_S)
    messages = [urls[at : at + MAX_URLS] for at in range(0, len(urls), MAX_URLS)]
    async with aiohttp.ClientSession(timeout=timeout) as session:
        for message in messages:
            await _send(session, settings, message)
    return len(messages)


async def _send(session: aiohttp.ClientSession, settings: Settings, urls: Sequence[str]) -> None:
    message = {
        "host": urlsplit(settings.site_origin).netloc,
        "key": settings.indexnow_key,
        "keyLocation": settings.site_origin + KEY_PATH,
        "urlList": list(urls),
    }
    try:
        async with session.post(settings.indexnow_url, json=message, allow_redirects=False) as response:
            if response.status not in ACCEPTED:
                raise SubmissionRefused(f"{settings.indexnow_url} answered {response.status}.")
    except (aiohttp.ClientError, TimeoutError) as error:
        raise SubmissionRefused(f"{settings.indexnow_url} does not answer: {str(error) or 'too late'}.") from error
