"""Application keys that every layer of host uses; other keys are defined beside their classes."""

from aiohttp import web

from config.settings import Settings
from domain.database.database import Database

SETTINGS = web.AppKey("settings", Settings)
DATABASE = web.AppKey("database", Database)
