"""The settings and terms by which this host places orders."""

from dataclasses import dataclass, replace
from functools import lru_cache

from config.settings import Settings
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
    """With the terms of refunds, of which each order keeps a copy."""
    return replace(settings.orders, refund_terms=content.refund_terms())


def terms(settings: Settings) -> Terms:
    return Terms(settings.shop, policy().date)
