"""Builds the application from its parts: what each needs for as long as the application runs."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence

from aiohttp import web

from adapters import job_kinds, telemetry
from adapters.payments.runner import PaymentRunner
from adapters.periodic import Means
from adapters.traced_database import TracedDatabase
from config.settings import Settings
from domain import routes
from domain.database.database import Database, database_url
from domain.european_union import EU_COUNTRIES
from domain.locales import set_shop_locale
from domain.money import set_shop_currency
from domain.reports.warehouse import Warehouse
from host import features, health
from host.api import registry, visits
from host.api.admin.catalogue.packages import READING
from host.app_keys import DATABASE, SETTINGS
from host.auth import token_cipher
from host.auth.catalogue_scope import SCOPE_RESOLVER, ScopeResolver
from host.auth.file_links import FILE_LINKS, FileLinks
from host.auth.form_keys import FORM_KEYS, FormKeys
from host.auth.secret_key import secret_key
from host.auth.token_cipher import TOKEN_CIPHER
from host.checkout.paying import PAGE_OPENINGS, PageOpenings
from host.checkout.return_cookie import RETURN_ENTRIES, ReturnEntries
from host.checkout.status_checks import STATUS_CHECKS, StatusChecks
from host.checkout.turns import CHECKOUT_TURNS, CheckoutTurns
from host.documents.certificates import handlers as certificates
from host.documents.certificates.files import CERTIFICATE_FILES, CertificateFiles
from host.documents.certificates.signing_keys import SIGNING_KEYS, SigningKeys
from host.documents.files import DOCUMENT_FILES, DocumentFiles
from host.documents.printing import PRINTER, Printer
from host.feeds.product_feed import PRODUCT_FEED, ProductFeed
from host.http import middlewares
from host.http.content_security import CONTENT_POLICIES, ContentPolicies
from host.http.request_counts import REQUEST_COUNTS, RequestCounts
from host.http.server import FAST_MATCH, FAST_PATHS, READY_ANSWERS, FastPath, fast_match
from host.identity.idx.provider_features import FEATURES, ProviderFeatures
from host.identity.provider import PROVIDER, Provider
from host.images.logo import unknown_colours
from host.images.social_card_store import SOCIAL_CARDS, SocialCardStore
from host.jobs.inline_crawlers import InlineCrawlers
from host.jobs.inline_periodic import InlinePeriodic
from host.jobs.inline_rollups import InlineRollups
from host.learning.lesson_files import UNSHOWN_LESSONS, UnshownLessons
from host.learning.quiz_options import QUIZ_OPTIONS, QuizOptions
from host.messaging.celery_sender import CelerySender, InlineSender
from host.messaging.gateway_event_queue import GATEWAY_EVENT_QUEUE, GatewayEventQueue
from host.messaging.inline_jobs import InlineJobs
from host.messaging.inline_learning import InlineLearning
from host.messaging.inline_outbox import InlineOutbox, mail_account
from host.messaging.inline_payments import InlinePayments
from host.messaging.outbox_wake import OUTBOX_WAKER, InlineWaker, OutboxWaker
from host.messaging.payment_gateway import HOST_GATEWAY, HostGateway
from host.messaging.reply_channel import ReplyChannel
from host.messaging.report_client import DEADLINE_S as REPORT_DEADLINE_S
from host.messaging.report_client import REPORT_CLIENT, ReportClient
from host.messaging.rpc_client import RPC_CLIENT, RpcClient
from host.messaging.spool import Spool
from host.messaging.visit_queue import VISIT_QUEUE, VisitQueue
from host.page_cache.disk import DiskCache
from host.page_cache.memory import PAGE_CACHE, PageCache
from host.page_cache.ready_pages import ReadyPages
from host.rate_limits.limiter import LIMITER, Limiter
from host.rendering import assets
from host.rendering.assets import ASSETS
from host.rendering.private_document import LOADING_VIEWS, LoadingViews
from host.rendering.shell import SHELL, Shell
from host.rendering.ssr_client import SSR_CLIENT, RenderLimits, SsrClient
from host.resilience.background_loop import LoopingPart
from host.resilience.loop_keys import LOOPS
from host.search_log import SEARCH_LOG, SearchLog
from host.seo.sitemaps import SITEMAPS, Sitemaps
from host.site_state import SITE, SiteCache
from host.tracing import TracedSsrClient, trace_request
from host.visits.crawl_counts import CRAWL_COUNTS, CrawlCounts
from host.visits.crawl_recording import OBSERVER
from host.visits.crawler_watch import CRAWLER_WATCH, CrawlerWatch
from host.visits.referral_cookie import TAKEN_REFERRALS, TakenReferrals
from host.visits.served_counts import SERVED_COUNTS, ServedCounts
from host.visits.server_side import UNRECORDED_VISITS, UnrecordedVisits
from host.warehouse import WAREHOUSE, warehouse_of

# What is declared on import, pages and calls, is known before the first application is built.
features.import_all()

log = logging.getLogger("coursefront.start")


def create_app(settings: Settings) -> web.Application:
    tracing = [trace_request] if telemetry.is_enabled() else []
    app = web.Application(
        middlewares=[middlewares.access_log, *tracing, middlewares.problem_middleware],
        client_max_size=registry.BODY_LIMIT,
    )
    app[SETTINGS] = settings
    app[REQUEST_COUNTS], app[middlewares.ANSWER_OBSERVER] = RequestCounts(), OBSERVER
    database_class = TracedDatabase if telemetry.is_enabled() else Database
    app[WAREHOUSE] = warehouse_of(settings)
    app[DATABASE] = database_class(
        database_url(settings.database, settings.var_dir), deadline_s=settings.database_deadline_ms / 1000
    )
    app[ASSETS] = assets.read()
    app[LOOPS] = []
    # Contexts end in reverse order: the last visits are flushed before the sender and the database close.
    app.cleanup_ctx.append(_texts)
    for add in (_database, _broker, _site, _pages, _identity):
        add(app, settings)
    app.on_response_prepare.append(middlewares.set_security_headers)
    # A traced request goes through the middleware that traces.
    fast_paths: dict[str, FastPath] = {} if tracing else {visits.PATH: visits.fast_path}
    app[FAST_PATHS] = fast_paths
    app[FAST_MATCH] = fast_match(app)
    features.add_routes(app)
    return app


async def _texts(app: web.Application) -> AsyncIterator[None]:
    """Texts of this process are in the shop's locale and currency."""
    settings = app[SETTINGS]
    before = set_shop_locale(settings.locale), set_shop_currency(settings.shop.currency)
    yield
    set_shop_locale(before[0])
    set_shop_currency(before[1])


def _database(app: web.Application, _settings: Settings) -> None:
    db = app[DATABASE]
    app[SEARCH_LOG] = SearchLog(db)
    app[SCOPE_RESOLVER] = ScopeResolver(db)

    async def lifespan(_app: web.Application) -> AsyncIterator[None]:
        yield
        await db.close()

    app.cleanup_ctx.extend([lifespan, app[SEARCH_LOG].lifespan])


def _broker(app: web.Application, settings: Settings) -> None:
    """Connections to Redis and workers, or their replacements in this process."""
    db = app[DATABASE]
    app[LIMITER] = limiter = Limiter(_redis_url(settings), settings.limits)
    sender = _sender(settings, db, limiter)
    _report_missing_vat_id(settings)
    _report_logo_colours(settings)
    replies = _replies(settings, settings.rpc_deadline_ms / 1000, "replies of workers")
    app[RPC_CLIENT] = RpcClient(db, replies, settings.shop)
    report_replies = _replies(settings, REPORT_DEADLINE_S, "figures of workers")
    app[REPORT_CLIENT] = ReportClient(db, report_replies, app[WAREHOUSE])
    watch = CrawlerWatch(db, secret_key(settings), _redis_url(settings), asks_names=settings.asks_names)
    app[CRAWLER_WATCH] = watch
    app[OUTBOX_WAKER] = outbox = _outbox_waker(settings, db)
    _payments(app, settings)
    _visits(app, settings, sender)
    counts, served = app[CRAWL_COUNTS], app[SERVED_COUNTS]
    app[LOOPS] += [app[VISIT_QUEUE].loop, counts.loop, served.loop, watch.loop]
    if isinstance(sender, CelerySender):
        app[LOOPS].append(sender.loop)
    app[LOOPS].extend(channel.loop for channel in (replies, report_replies) if channel is not None)
    inline = _inline_parts(app, settings, outbox) if isinstance(outbox, InlineWaker) else []
    app[LOOPS].extend(part.loop for part in inline)
    wakers: Sequence[LoopingPart | OutboxWaker] = [outbox] if isinstance(outbox, OutboxWaker) else inline
    payments = (app[HOST_GATEWAY], app[PAGE_OPENINGS], app[STATUS_CHECKS])
    workers = app[RPC_CLIENT], app[REPORT_CLIENT]
    parts = (limiter, *payments, *workers, *wakers, watch, app[VISIT_QUEUE], counts, served)
    app.cleanup_ctx.extend([_lifespan_of(sender), *(part.lifespan for part in parts)])


def _payments(app: web.Application, settings: Settings) -> None:
    """The gateway, and how many checkouts and visitors may wait for it."""
    db, wait_s = app[DATABASE], settings.payments_wait_ms / 1000
    app[HOST_GATEWAY] = gateway = HostGateway(settings.gateway_account)
    app[GATEWAY_EVENT_QUEUE] = GatewayEventQueue(db, gateway.name)
    turns, readers = settings.checkout_concurrency, 1 if db.is_sqlite else settings.checkout_concurrency
    app[CHECKOUT_TURNS] = CheckoutTurns(turns, readers)
    app[PAGE_OPENINGS], app[STATUS_CHECKS] = PageOpenings(wait_s), StatusChecks(wait_s)


def _visits(app: web.Application, settings: Settings, sender: CelerySender | InlineSender) -> None:
    """The queue of visits, and what is counted beside it."""
    app[UNRECORDED_VISITS], app[TAKEN_REFERRALS] = UnrecordedVisits(), TakenReferrals()
    app[VISIT_QUEUE] = queue = VisitQueue(
        sender.send,
        Spool(settings.var_dir / "spool", settings.spool_max_mb * 2**20),
        settings.visit_batch_rows,
        settings.visit_batch_ms / 1000,
        settings.visit_queue_max,
    )
    app[CRAWL_COUNTS], app[SERVED_COUNTS] = CrawlCounts(queue), ServedCounts(queue)


def _lifespan_of(sender: CelerySender | InlineSender) -> Callable[[web.Application], AsyncIterator[None]]:
    async def lifespan(_app: web.Application) -> AsyncIterator[None]:
        if not isinstance(sender, CelerySender):
            yield
            return
        sender.loop.start()
        yield
        await sender.loop.stop()
        sender.close()

    return lifespan


def _inline_parts(app: web.Application, settings: Settings, outbox: InlineWaker) -> list[LoopingPart]:
    """What a host without a broker does in place of workers and beat."""
    db, warehouse = app[DATABASE], app[WAREHOUSE]
    kinds = job_kinds.kinds(settings.files_folder, settings.shop.currency, settings.orders)
    about_days = (settings.day_rules, settings.attribution, settings.periods)
    crawlers = settings.name_server, settings.visits_keep_days
    return [
        *(part for part in (outbox.mail, outbox.payments, outbox.learning) if part),
        InlinePeriodic(_periodic_means(settings, db, warehouse)),
        InlineJobs(db, kinds),
        InlineRollups(db, *about_days, warehouse),
        InlineCrawlers(db, app[CRAWLER_WATCH], *crawlers, asks_names=settings.asks_names),
    ]


def _site(app: web.Application, settings: Settings) -> None:
    db, built = app[DATABASE], app[ASSETS]
    app[SHELL] = Shell(app, settings, built)
    app[SITE] = SiteCache(settings, db, built.build)
    app[SOCIAL_CARDS] = SocialCardStore(settings.var_dir / "og", settings.social_card_max_mb * 2**20)
    app[certificates.SIGNED_LISTS] = certificates.SignedLists()
    printer = app[PRINTER] = Printer()
    app[CERTIFICATE_FILES] = CertificateFiles(printer, settings.site_logo, settings.locale)
    app[DOCUMENT_FILES] = DocumentFiles(printer, settings.site_logo)
    app[SITEMAPS] = Sitemaps(settings, db)
    app[PRODUCT_FEED] = ProductFeed(settings, db)
    app[LOOPS].append(app[SITE].loop)
    app.cleanup_ctx.append(app[SITE].lifespan)


def _pages(app: web.Application, settings: Settings) -> None:
    times_s = (ms / 1000 for ms in (settings.ssr_wait_ms, settings.ssr_first_ms, settings.ssr_render_ms))
    limits = RenderLimits(settings.ssr_jobs_max, *times_s)
    client_class = TracedSsrClient if telemetry.is_enabled() else SsrClient
    app[SSR_CLIENT] = client_class(settings.ssr_url, limits, app[LOOPS])
    app.cleanup_ctx.append(app[SSR_CLIENT].lifespan)
    app[LOADING_VIEWS] = LoadingViews()
    # Other values of RENDER are for measuring, which cached pages would distort.
    is_cached = settings.page_cache and settings.render == "auto"
    store = None
    if is_cached and settings.page_cache_disk_mb:
        store = DiskCache(settings, app[ASSETS].build, settings.page_cache_disk_mb * 2**20)
        app.cleanup_ctx.append(store.lifespan)
    app[PAGE_CACHE] = cache = PageCache(settings.page_cache_mb * 2**20, store) if is_cached else None
    if cache is not None:
        app.cleanup_ctx.append(cache.lifespan)
        # A traced request goes through the middleware that traces.
        if not telemetry.is_enabled():
            app[READY_ANSWERS] = ReadyPages(app, cache, app[SERVED_COUNTS].documents)
    health.sample_state(app)


def _identity(app: web.Application, settings: Settings) -> None:
    app[PROVIDER] = provider = Provider(settings)
    origins = {
        "provider": provider.origin,
        "logo": settings.logo_origin,
        "payments": settings.payments_page_origin,
        "videos": " ".join(settings.video_frames),
    }
    app[CONTENT_POLICIES] = ContentPolicies((*routes.public_pages(), *routes.area_pages()), origins)
    app[FEATURES] = ProviderFeatures(provider)
    app[TOKEN_CIPHER] = token_cipher.token_cipher(settings)
    app[SIGNING_KEYS] = SigningKeys(settings, app[DATABASE])
    app[FORM_KEYS] = FormKeys(secret_key(settings))
    app[QUIZ_OPTIONS] = QuizOptions(secret_key(settings))
    app[FILE_LINKS] = FileLinks(secret_key(settings))
    app[UNSHOWN_LESSONS] = UnshownLessons()
    app[READING] = asyncio.Lock()
    app[RETURN_ENTRIES] = ReturnEntries(secret_key(settings))
    app.cleanup_ctx.extend([provider.lifespan, app[FEATURES].lifespan])


def _redis_url(settings: Settings) -> str | None:
    return None if settings.redis_url in ("", "none") else settings.redis_url


def _replies(settings: Settings, deadline_s: float, what: str) -> ReplyChannel | None:
    url = _redis_url(settings)
    if url is None:
        return None
    return ReplyChannel(url, deadline_s, settings.broker_deadline_ms / 1000, what)


def _report_missing_vat_id(settings: Settings) -> None:
    if settings.shop.country in EU_COUNTRIES and not settings.shop_vat_id:
        log.warning("SHOP_VAT_ID is not set: businesses of other countries of the Union are charged tax")


def _report_logo_colours(settings: Settings) -> None:
    if found := unknown_colours(settings.site_logo):
        text = "SITE_LOGO has colours that documents and social cards draw black: %s; write them as #rrggbb"
        log.warning(text, ", ".join(found))


def _outbox_waker(settings: Settings, db: Database) -> OutboxWaker | InlineWaker:
    url = _redis_url(settings)
    if url is not None:
        return OutboxWaker(url, settings.broker_deadline_ms / 1000)
    mail, payments = None, None
    if settings.smtp_url:
        mail = InlineOutbox(db, mail_account(settings))
    else:
        log.warning("SMTP_URL is not set: no mail is sent, mails wait in the outbox")
    if settings.gateway_account is not None:
        payments = InlinePayments(PaymentRunner(db, settings.gateway_account, settings.orders))
    return InlineWaker(mail, payments, InlineLearning(db))


def _periodic_means(settings: Settings, db: Database, warehouse: Warehouse) -> Means:
    keep_years = settings.documents_keep_years
    days = (settings.outbox_keep_days, settings.dead_letters_keep_days, keep_years)
    reports = (settings.day_rules, settings.periods, settings.report_k)
    return Means(db, settings.files_folder, *days, *reports, warehouse)


def _sender(settings: Settings, db: Database, limiter: Limiter) -> CelerySender | InlineSender:
    url = _redis_url(settings)
    if url is None:
        return InlineSender(db)
    return CelerySender(url, settings.broker_deadline_ms / 1000, limiter.reported)
