"""What the application carries, each under a typed key."""

from typing import TYPE_CHECKING, Any

from aiohttp import web

from domain.catalogue import Narrowed
from domain.db import Database
from domain.sessions import SignedIn
from host.assets import Assets
from host.dispatch import Dispatch
from host.limits import Limiter
from host.og.store import PictureStore
from host.page_cache import PageCache
from host.questions import Questions
from host.render import RenderPool
from host.searches import Searches
from host.settings import Settings
from host.shell import Shell
from host.site import SiteCache
from host.sitemaps import Sitemaps

if TYPE_CHECKING:
    from host.identity.idx.features import Features
    from host.identity.provider import Provider
    from host.identity.secret import Secret
    from host.viewers import Viewers

SETTINGS = web.AppKey("settings", Settings)
DATABASE = web.AppKey("database", Database)
DISPATCH = web.AppKey("dispatch", Dispatch)
QUESTIONS = web.AppKey("questions", Questions)
VIEWERS: "web.AppKey[Viewers]" = web.AppKey("viewers")
PROVIDER: "web.AppKey[Provider]" = web.AppKey("provider")
FEATURES: "web.AppKey[Features]" = web.AppKey("features")
SECRET: "web.AppKey[Secret]" = web.AppKey("secret")
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
# What a restricted visitor sees; None: everything.
ONLY: web.RequestKey[Narrowed | None] = web.RequestKey("only")
# Of a call with a learner: who it is.
SIGNED_IN = web.RequestKey("signed_in", SignedIn)
# The answer of a call that anybody may keep is, for once, one person's own.
IS_PRIVATE = web.RequestKey("is_private", bool)
# Of a call whose address ends in an id of ours.
PATH_ID = web.RequestKey("path_id", int)
# The same for ids of the provider, by their names in the path.
PATH_IDS: web.RequestKey[dict[str, str]] = web.RequestKey("path_ids")
# Cookies that a call's answer brings along: name -> (value, attributes of set_cookie).
COOKIES: web.RequestKey[dict[str, tuple[str, dict[str, Any]]]] = web.RequestKey("cookies")
# The same for headers: name -> value.
HEADERS: web.RequestKey[dict[str, str]] = web.RequestKey("headers")
