"""Application keys that every layer of host uses; other keys are defined beside their classes."""

from aiohttp import web

from config.settings import Settings
from domain.database.database import Database
from host.resilience.background_loop import BackgroundLoop

SETTINGS = web.AppKey("settings", Settings)
DATABASE = web.AppKey("database", Database)
LOOPS = web.AppKey("loops", list[BackgroundLoop])
# The id of the process that has started this one, and writes the status of its own loops.
SUPERVISOR = web.AppKey("supervisor", int)
