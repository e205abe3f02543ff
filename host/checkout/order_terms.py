"""The settings and terms by which this host places orders."""

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from config.settings import Settings
from domain import money
from domain.checkout.purchase import Terms
from domain.orders.settings import OrderSettings
from host import content


@dataclass(frozen=True)
class Policy:
    """What a buyer agrees to. `date`: of its last change, ISO 8601."""

    title: str
    href: str
    date: str


def policy() -> Policy:
    about = content.read(content.POLICY)
    return Policy(about.title, f"/{content.POLICY}", about.updated)


# The same object for as long as the process runs.
@lru_cache(4)
def order_settings(settings: Settings) -> OrderSettings:
    """With the seller, the largest automatic refund, and the terms of refunds that each order keeps a copy of."""
    currency = settings.shop.currency
    automatic = money.to_minor(money.rounded(Decimal(settings.refund_auto_max), currency), currency)
    return replace(
        settings.order_settings(settings.issuer(settings.site_name)),
        refund_terms=content.refund_terms(),
        refund_auto_max_minor=automatic,
    )


def terms(settings: Settings) -> Terms:
    return Terms(settings.shop, policy().date)
