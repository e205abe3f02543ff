"""Cached pages that are sent where their requests are read, without a task, router and middlewares.

Only what nearly every request for a cached page is: of a person who may see the whole catalogue, for a page that is
fresh, by a browser that has no older copy of it. Everything else takes the ordinary path, whose answers are the same
(tests/host/page_cache/test_ready_pages.py).
"""

import logging
import time
from collections.abc import MutableMapping, Sequence

from aiohttp import web
from aiohttp.http import HttpVersion11, RawRequestMessage

from config.logs import RequestIds, logged_as
from domain.visits import served_documents
from host.app_keys import SETTINGS
from host.auth.catalogue_scope import may_have_scope
from host.http import middlewares, user_agents
from host.http.compression import best_encoding
from host.http.request_counts import REQUEST_COUNTS
from host.http.trace_context import read_trace_id
from host.page_cache.entry import CachedPage, own_head
from host.page_cache.memory import PageCache
from host.site_state import SITE


class ReadyPages:
    """The pages of one cache; what the ordinary path counts and logs of a request is counted and logged here too."""

    def __init__(self, app: web.Application, cache: PageCache, served: MutableMapping[tuple[int, str], int]):
        """`served`: documents by minute and class of agent; a missing key counts as 0."""
        self._served = served
        self._cache, self._site, self._counts = cache, app[SITE], app[REQUEST_COUNTS]
        self._is_secure = app[SETTINGS].is_secure

    def answer(self, message: RawRequestMessage) -> Sequence[bytes] | None:
        """Head, the request's own part of it, and body."""
        started, headers = time.perf_counter(), message.headers
        if (
            message.method != "GET"
            or message.version != HttpVersion11
            or not self._site.is_fresh
            or (page := self._page(message.path)) is None
            or may_have_scope(headers.get("Cookie"))
            or "If-None-Match" in headers
            or "Expect" in headers
            or (agent := user_agents.visitor_class(headers.get("User-Agent", ""))) == "crawler"
        ):
            return None
        # Counted first, as the latest page: another encoding may drop the oldest one.
        self._cache.count_hit(page)
        encoded = self._cache.encoded(page, best_encoding(headers.get("Accept-Encoding", "")))
        self._served[int(time.time()) // 60, served_documents.agent_class(agent, "")] += 1
        request_id = middlewares.new_request_id()
        self._observe(message, request_id, time.perf_counter() - started)
        return encoded.head, own_head(request_id, self._is_secure), encoded.body

    def _page(self, target: str) -> CachedPage | None:
        """Searches are recorded, by the ordinary path."""
        page = self._cache.find_fresh(target, self._site.generation, time.monotonic())
        return None if page is None or page.is_search else page

    def _observe(self, message: RawRequestMessage, request_id: str, elapsed_s: float) -> None:
        try:
            self._counts.add(message.path, 200, elapsed_s)
            if middlewares.log.isEnabledFor(logging.INFO):
                with logged_as(RequestIds(request_id, read_trace_id(message.headers.get("traceparent")))):
                    middlewares.log_access("GET", str(message.url), 200, elapsed_s)
        except Exception:
            middlewares.say_failed("counting or logging a cached page")
