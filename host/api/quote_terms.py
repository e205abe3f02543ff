"""The terms by which this host makes quotes."""

from dataclasses import replace
from datetime import UTC, datetime

from aiohttp import web

from adapters.payments import amounts
from domain.orders.settings import Context
from domain.quotes.asking import QuoteTerms
from host.app_keys import SETTINGS
from host.content import POLICY
from host.site_state import SITE


def quote_terms(app: web.Application) -> QuoteTerms:
    settings, policy = app[SETTINGS], app[SITE].state.content(POLICY)
    return QuoteTerms(
        settings.shop, policy.title, policy.terms_date, days=settings.quote_days, term_days=settings.seat_term_days
    )


def quote_context(app: web.Application) -> Context:
    """Now, and the settings of orders with what the gateway takes at once: nobody is quoted what they cannot pay."""
    settings = app[SETTINGS]
    limits = amounts.limits(settings.shop.currency.code)
    return Context(datetime.now(UTC), replace(settings.orders, largest_payment_minor=limits.largest_minor))
