"""What the application carries, each under a typed key."""

from aiohttp import web

from domain.db import Database
from host.assets import Assets
from host.dispatch import Dispatch
from host.limits import Limiter
from host.og.store import PictureStore
from host.page_cache import PageCache
from host.render import RenderPool
from host.searches import Searches
from host.settings import Settings
from host.shell import Shell
from host.site import SiteCache
from host.sitemaps import Sitemaps

SETTINGS = web.AppKey("settings", Settings)
DATABASE = web.AppKey("database", Database)
DISPATCH = web.AppKey("dispatch", Dispatch)
LIMITER = web.AppKey("limiter", Limiter)
RENDER = web.AppKey("render", RenderPool)
SHELL = web.AppKey("shell", Shell)
ASSETS = web.AppKey("assets", Assets)
SITE = web.AppKey("site", SiteCache)
SEARCHES = web.AppKey("searches", Searches)
PICTURES = web.AppKey("pictures", PictureStore)
SITEMAPS = web.AppKey("sitemaps", Sitemaps)
# None: PAGE_CACHE=off.
PAGE_CACHE: web.AppKey[PageCache | None] = web.AppKey("page_cache")
# On a request: its number in logs and answers.
REQUEST_ID = web.RequestKey("request_id", str)
