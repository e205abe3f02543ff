"""The one list of features: packages whose modules declare pages and calls, and the paths that are neither."""

import importlib
import pkgutil

from aiohttp import web

from host import csv_handler, data_handler, health, page_handler
from host.api import openapi, registry
from host.api.uploads import parts as upload_parts
from host.api.webhooks import payments as payment_webhooks
from host.app_keys import SETTINGS
from host.checkout.completed_page import completed_old
from host.documents import course_cartridges, lesson_files, order_files, quote_files
from host.documents import handlers as documents
from host.documents.certificates import handlers as certificates
from host.documents.certificates.credentials import ISSUER_PATH
from host.feeds import feed_handlers
from host.forms import cart as cart_form
from host.forms import checkout as checkout_form
from host.forms import contact as contact_form
from host.forms import gift as gift_form
from host.forms import order as order_form
from host.forms import withdraw as withdraw_form
from host.http import static_files
from host.identity import callback
from host.images import covers, icons, public_images
from host.images import social_card_handler as og
from host.seo import index_now, robots, sitemap_handlers
from host.visits import referral_links

# A page, a call, a list or a file is declared on import.
PACKAGES = ("host.api", "host.checkout", "host.identity", "host.loaders", "host.reports")


def import_all() -> None:
    """Import every module of these packages."""
    for name in PACKAGES:
        for module in pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}."):
            importlib.import_module(module.name)


def add_routes(app: web.Application) -> None:
    """Every path of the site; the last takes those that no other does."""
    router = app.router
    router.add_get("/healthz", health.alive)
    router.add_get("/readyz", health.ready)
    router.add_get("/robots.txt", robots.robots)
    router.add_get(icons.ICO_PATH, icons.favicon)
    for path in icons.PHONE_PATHS:
        router.add_get(path, icons.phone_icon)
    if app[SETTINGS].indexnow_key:
        router.add_get(index_now.KEY_PATH, index_now.key)
    router.add_get("/sitemap.xml", sitemap_handlers.sitemap_index)
    router.add_get(r"/sitemaps/{name:[a-z]{1,10}(-\d{1,9})?}.xml", sitemap_handlers.sitemap)
    router.add_get("/products.{form:jsonl|csv}", feed_handlers.products)
    router.add_get("/llms.txt", feed_handlers.llms)
    router.add_get("/openapi.json", openapi.document)
    router.add_get("/static/{tail:.*}", static_files.static)
    kind, category = "{kind:course|book|voucher|bundle|physical}", "{category:[^/]{1,191}}"
    router.add_get(f"/pictures/{kind}/{category}/{{slug:[^/]{{1,191}}}}/{{variant:[0-9]}}.svg", covers.cover)
    router.add_get(public_images.PATH, public_images.public_image)
    shared = "/og/{kind:course|item|category|page}/{key:[a-z0-9-]{1,40}}-{version:[0-9a-f]{10}}.png"
    router.add_get(shared, og.picture)
    router.add_get(documents.PATH, page_handler.with_error_page(documents.document))
    router.add_get(quote_files.PATH, page_handler.with_error_page(quote_files.quote_file))
    router.add_get(order_files.PATH, order_files.order_file)
    router.add_get(lesson_files.PATH, lesson_files.lesson_file)
    router.add_get(course_cartridges.PATH, page_handler.with_error_page(course_cartridges.cartridge), allow_head=False)
    router.add_get(certificates.CREDENTIAL_PATH, certificates.credential)
    router.add_get(certificates.PDF_PATH, page_handler.with_error_page(certificates.pdf))
    router.add_get(certificates.KEYS_PATH, certificates.keys)
    router.add_get(certificates.ONE_KEY_PATH, certificates.key)
    router.add_get(ISSUER_PATH, certificates.issuer)
    router.add_get(certificates.STATUS_PATH, certificates.status)
    router.add_get("/data/{tail:.*}", data_handler.data)
    router.add_get("/csv/{tail:.*}", csv_handler.export, allow_head=False)
    for row in registry.REDIRECTS.values():
        router.add_get(f"/api/{row.name}", row.handler)
    router.add_get("/logincallback", callback.callback)
    router.add_put(upload_parts.PATH, upload_parts.put_part)
    router.add_route("*", "/api/{name:.*}", registry.answer)
    router.add_post(payment_webhooks.PATH, payment_webhooks.receive)
    router.add_post("/contact", contact_form.form)
    router.add_post(withdraw_form.PATH, withdraw_form.form)
    router.add_post("/cart", cart_form.form)
    router.add_post("/user-dashboard", gift_form.form)
    router.add_post(checkout_form.PATH, checkout_form.form)
    router.add_post("/completed/{code}", order_form.form)
    router.add_post("/order/{code}", order_form.form)
    router.add_get("/completed_old", completed_old)
    router.add_get("/d", referral_links.partner)
    router.add_get("/s", referral_links.student)
    # Every other path, also with an encoded line break, which `.` does not match: our error page, not aiohttp's.
    router.add_get(r"/{tail:[\s\S]*}", page_handler.page)
