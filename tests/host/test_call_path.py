"""GET /shop runs through few of our own functions, in few files: house rule, held here.

Counted are functions of this repository (no libraries, no tests, no comprehensions) that one GET enters between the
socket and the last byte, on a connection that is open already; a coroutine that is resumed counts once.

- Cached page: every call.
- Uncached page: a page has some hundred calls of small helpers (each card, each address), so the *call chain* is
  counted: the distinct functions on the stack whenever the request reaches one of the ENDS, where work leaves the
  request: for the shared render, the database, a render worker, the cache, the client.
"""

from tests.host.call_trace import ENTRANCE, READ_ENTRANCE, CallTrace, traced

MAX_CALLS, MAX_FILES = 20, 10
# The most calls of a cached page that is not sent where its request is read.
MAX_ORDINARY_CALLS = 24
ENDS = (
    "host/resilience/single_flight.py:SingleFlight.run",
    "domain/database/database.py:Database.read_inline",
    "host/rendering/ssr_client.py:SsrConnection.start",
    "host/page_cache/policy.py:generation_unchanged",
    "host/page_cache/memory.py:PageCache.put",
    "host/page_cache/disk.py:DiskCache.write_later",
    "host/page_cache/policy.py:to_response",
)


def check(functions: list[str], most: int = MAX_CALLS) -> None:
    files = {name.partition(":")[0] for name in functions}
    listed = "\n".join(functions)
    assert len(functions) <= most, f"{len(functions)} calls:\n{listed}"
    assert len(files) <= MAX_FILES, f"{len(files)} files:\n{listed}"


async def trace_shop(
    open_site, start_renderer, *warm_up: str, entrance: str = ENTRANCE, **headers: str
) -> tuple[CallTrace, str]:
    """The calls of GET /shop after the pages of `warm_up`, and its X-Cache."""
    site = await open_site((await start_renderer()).address, PAGE_CACHE="on", DEV_DELAY="")
    for path in warm_up:
        await site.get(path)
    with traced(*ENDS, entrance=entrance) as trace:
        response = await site.get("/shop", **headers)
    return trace, response.headers["X-Cache"]


async def test_a_cached_page(open_site, start_renderer):
    trace, cache = await trace_shop(open_site, start_renderer, "/shop", "/shop", entrance=READ_ENTRANCE)
    assert "host/page_cache/memory.py:PageCache.find_fresh" in trace.calls
    assert (ENTRANCE in trace.calls, cache) == (False, "hit")
    check(trace.calls)


async def test_a_cached_page_for_a_browser_with_an_older_copy(open_site, start_renderer):
    trace, _ = await trace_shop(open_site, start_renderer, "/shop", "/shop", If_None_Match='"another"')
    assert "host/page_cache/memory.py:PageCache.get_fresh" in trace.calls
    check(trace.calls, MAX_ORDINARY_CALLS)


async def test_an_uncached_page(open_site, start_renderer):
    """The second page of the list comes first: it has the same facet counts."""
    trace, _ = await trace_shop(open_site, start_renderer, "/shop?page=2")
    assert set(ENDS) <= trace.chain.keys()
    check(list(trace.chain))
