"""Application keys of the loops. Apart from the loops themselves, because the supervisor, which has some too, serves
nothing and does not import aiohttp."""

from aiohttp import web

from host.resilience.background_loop import BackgroundLoop

LOOPS = web.AppKey("loops", list[BackgroundLoop])
# The id of the process that has started this one, and writes the status of its own loops.
SUPERVISOR = web.AppKey("supervisor", int)
