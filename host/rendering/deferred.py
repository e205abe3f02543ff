"""Deferred parts of a page: what its loader leaves to be loaded while the page is already on its way."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from domain.errors import ServiceUnavailable
from host.rendering.page_request import PageRequest
from host.rendering.page_result import DeferredPart

log = logging.getLogger("coursefront.rendering")

# The database reads of one deferred part end by then; past it the part is left out, and the page says so in its place.
DEFERRED_DEADLINE_S = 6.0


def reads_at_once(request: PageRequest) -> bool:
    """Whether a loader reads its deferred parts with the rest, instead of deferring them: unless somebody has asked for
    a delay. Handing them over later costs more than their statements do, and only a page that has all of its parts can
    be composed for later requests (`host/page_cache/page_data.py`)."""
    return not request.settings.dev_delay


async def load_deferred(request: PageRequest, deferred: Mapping[str, DeferredPart]) -> dict[str, Any]:
    """Each part's value, or None for a part that failed or took longer than DEFERRED_DEADLINE_S."""
    values = await asyncio.gather(*(load_part(request, key, part) for key, part in deferred.items()))
    return dict(zip(deferred, values, strict=True))


async def load_part(request: PageRequest, key: str, part: DeferredPart) -> Any:
    """A part's value, or None when it failed or took longer than DEFERRED_DEADLINE_S."""
    for name, delay_ms in request.settings.dev_delay:
        if name == key:
            await asyncio.sleep(delay_ms / 1000)
    try:
        async with asyncio.timeout(DEFERRED_DEADLINE_S):
            return await part()
    except (ServiceUnavailable, TimeoutError):
        log.warning("the part %s of %s is unavailable", key, request.path)
    except Exception:
        # The head has been sent already: an error here must not end the rest of the page.
        log.exception("the part %s of %s failed", key, request.path)
    return None
