"""create_app joins everything; the only file that sees all the others."""

import asyncio
from collections.abc import AsyncIterator

from aiohttp import web

from domain.db import Database
from host import assets, calls, doorways, files, health, index_now, kept_data, keys, middlewares, pages
from host.broker import CelerySender, InPlaceSender
from host.calls import cart, contact, coupons, learners, openapi, search, visits, wishlist
from host.dispatch import Dispatch
from host.identity import callback, secret, sign_in, standing
from host.identity.account import emails, own, password, phones, profile
from host.identity.idx import calls as transactions
from host.identity.idx.features import Features
from host.identity.provider import Provider
from host.limits import Limiter
from host.og import answers as og
from host.og.store import PictureStore
from host.page_cache import PageCache
from host.page_store import PageStore
from host.questions import Questions
from host.render import RenderPool
from host.replies import Replies
from host.searches import Searches
from host.settings import Settings
from host.shell import Shell
from host.site import SiteCache
from host.sitemaps import Sitemaps
from host.spool import Spool
from host.viewers import Viewers

# Calls register themselves when their file is imported.
__all__ = [
    "cart",
    "coupons",
    "create_app",
    "emails",
    "learners",
    "own",
    "password",
    "phones",
    "profile",
    "search",
    "sign_in",
    "standing",
    "transactions",
    "visits",
    "wishlist",
]


def create_app(settings: Settings) -> web.Application:
    app = web.Application(
        middlewares=[middlewares.access, middlewares.say_problems],
        client_max_size=calls.BODY_LIMIT,
    )
    app[keys.SETTINGS] = settings
    app[keys.DATABASE] = Database(settings.database_url, deadline_s=settings.database_deadline_ms / 1000)
    app[keys.ASSETS] = assets.read()
    # What lives while the site does is ended in reverse: the last visits are flushed while sender and records stand.
    for add in (_records, _broker, _site, _pages, _identity):
        add(app, settings)
    app.on_response_prepare.append(middlewares.protect)
    _routes(app)
    return app


def _records(app: web.Application, _settings: Settings) -> None:
    db = app[keys.DATABASE]
    app[keys.SEARCHES] = Searches(db)
    app[keys.VIEWERS] = Viewers(db)

    async def lifetime(_app: web.Application) -> AsyncIterator[None]:
        yield
        await db.close()

    app.cleanup_ctx.extend([lifetime, app[keys.SEARCHES].lifetime])


def _broker(app: web.Application, settings: Settings) -> None:
    """What workers do, or this process in their place."""
    db = app[keys.DATABASE]
    sender = _sender(settings, db)
    app[keys.LIMITER] = Limiter(_redis_url(settings), settings.limits)
    app[keys.QUESTIONS] = Questions(db, _replies(settings))
    app[keys.DISPATCH] = Dispatch(
        sender.send,
        Spool(settings.var_dir / "spool", settings.spool_max_mb * 2**20),
        settings.visit_batch_rows,
        settings.visit_batch_ms / 1000,
        settings.visit_queue_max,
    )

    async def lifetime(_app: web.Application) -> AsyncIterator[None]:
        if not isinstance(sender, CelerySender):
            yield
            return
        tasks = [asyncio.create_task(sender.warm()), asyncio.create_task(sender.keep_safe())]
        yield
        for task in tasks:
            task.cancel()
        sender.close()

    parts = (app[keys.LIMITER], app[keys.QUESTIONS], app[keys.DISPATCH])
    app.cleanup_ctx.extend([lifetime, *(part.lifetime for part in parts)])


def _site(app: web.Application, settings: Settings) -> None:
    db, built = app[keys.DATABASE], app[keys.ASSETS]
    app[keys.SHELL] = Shell(app, settings, built)
    app[keys.SITE] = SiteCache(settings, db, built.build)
    app[keys.PICTURES] = PictureStore(settings.var_dir / "og", settings.og_max_mb * 2**20)
    app[keys.SITEMAPS] = Sitemaps(settings, db)
    app.cleanup_ctx.append(app[keys.SITE].lifetime)


def _pages(app: web.Application, settings: Settings) -> None:
    app[keys.RENDER] = RenderPool(settings.ssr_url, settings.ssr_first_ms / 1000, settings.ssr_render_ms / 1000)
    app.cleanup_ctx.append(app[keys.RENDER].lifetime)
    # RENDER other than auto is for measuring, which a kept page would spoil.
    is_kept = settings.page_cache and settings.render == "auto"
    store = None
    if is_kept and settings.page_store_mb:
        store = PageStore(settings, app[keys.ASSETS].build, settings.page_store_mb * 2**20)
        app.cleanup_ctx.append(store.lifetime)
    app[keys.PAGE_CACHE] = cache = PageCache(settings.page_cache_mb * 2**20, store) if is_kept else None
    if cache is not None:
        app.cleanup_ctx.append(cache.lifetime)


def _identity(app: web.Application, settings: Settings) -> None:
    app[keys.PROVIDER] = Provider(settings)
    app[keys.FEATURES] = Features(app[keys.PROVIDER])
    app[keys.SECRET] = secret.of(settings)
    app.cleanup_ctx.extend([app[keys.PROVIDER].lifetime, app[keys.FEATURES].lifetime])


def _redis_url(settings: Settings) -> str | None:
    return None if settings.redis_url in ("", "none") else settings.redis_url


def _replies(settings: Settings) -> Replies | None:
    url = _redis_url(settings)
    if url is None:
        return None
    return Replies(url, settings.question_deadline_ms / 1000, settings.broker_deadline_ms / 1000)


def _sender(settings: Settings, db: Database) -> CelerySender | InPlaceSender:
    url = _redis_url(settings)
    return InPlaceSender(db) if url is None else CelerySender(url, settings.broker_deadline_ms / 1000)


def _routes(app: web.Application) -> None:
    app.router.add_get("/healthz", health.alive)
    app.router.add_get("/readyz", health.ready)
    app.router.add_get("/robots.txt", files.robots)
    app.router.add_get(index_now.KEY_PATH, index_now.key)
    app.router.add_get("/sitemap.xml", files.sitemap_index)
    app.router.add_get(r"/sitemaps/{name:[a-z]{1,10}(-\d{1,9})?}.xml", files.sitemap)
    app.router.add_get("/openapi.json", openapi.document)
    app.router.add_get("/static/{tail:.*}", files.static)
    kind, category = "{kind:course|book|voucher|bundle|physical}", "{category:[a-z0-9-]{1,191}}"
    app.router.add_get(f"/pictures/{kind}/{category}/{{slug:[^/]{{1,191}}}}/{{variant:[0-9]}}.svg", files.picture)
    shared = "/og/{kind:course|item|category|page}/{key:[a-z0-9-]{1,40}}-{version:[0-9a-f]{10}}.png"
    app.router.add_get(shared, og.picture)
    app.router.add_get("/data/{tail:.*}", kept_data.data)
    app.router.add_get("/api/auth/start", sign_in.start)
    app.router.add_get("/logincallback", callback.callback)
    app.router.add_route("*", "/api/{name:.*}", calls.answer)
    app.router.add_post("/contact", contact.form)
    app.router.add_get("/d", doorways.partner)
    app.router.add_get("/s", doorways.student)
    # Every other path, also one with an encoded line break: it gets the error page, not aiohttp's.
    app.router.add_get(r"/{tail:[\s\S]*}", pages.page)
