"""The settings and terms by which this host places orders."""

from dataclasses import dataclass, replace

from adapters.payments import amounts
from config.settings import Settings
from domain.checkout.purchase import PurchaseTerms
from domain.orders.settings import OrderSettings
from host.content import POLICY, Content
from host.site_state import SiteState


@dataclass(frozen=True)
class Policy:
    """What a buyer agrees to. `date`: of its last change, ISO 8601, with its version if staff have published it."""

    title: str
    href: str
    date: str


def policy(site: SiteState) -> Policy:
    about = site.content(POLICY)
    return Policy(about.title, f"/{POLICY}", about.terms_date)


def placing_settings(settings: Settings, policy: Content) -> OrderSettings:
    """With the terms of refunds, of which each order keeps a copy. `policy`: the one whose terms were agreed to."""
    return replace(payable_settings(settings), refund_terms=dict(policy.refund_terms))


def payable_settings(settings: Settings) -> OrderSettings:
    """With what the gateway takes at once."""
    limits = amounts.limits(settings.shop.currency.code)
    return replace(settings.orders, largest_payment_minor=limits.largest_minor)


def terms(settings: Settings, policy: Content) -> PurchaseTerms:
    return PurchaseTerms(settings.shop, policy.terms_date)
