"""How much of an order a member of the staff may refund, by their roles and the age of their sign-in."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from domain.display_text import money_text
from domain.errors import DomainError, Refused
from domain.money import Currency
from domain.orders import events
from domain.orders.settings import Context
from domain.permissions import Role
from domain.tables import Order

# Roles with `refunds.write` and no limit; support has one (domain/permissions.py).
UNLIMITED_ROLES = frozenset({"finance", "administrator"})


class RecentSignInRequired(DomainError):
    """Above support's limit the person must have proved who they are some minutes ago."""

    def __init__(self) -> None:
        super().__init__("This amount needs a recent sign-in.")


@dataclass(frozen=True)
class Authority:
    """`actor` as in order events: who it is. `signed_in_recently`: within the time that sensitive calls require."""

    actor: str
    roles: Collection[Role]
    signed_in_recently: bool

    @property
    def is_limited(self) -> bool:
        return not UNLIMITED_ROLES & set(self.roles)


def require_other(authority: Authority, order: Order) -> None:
    """Raises Refused for somebody's own order, whatever their roles: nobody pays money back to themselves."""
    if authority.actor == events.staff(order.learner_id):
        raise Refused("This is your own order. Somebody else of the staff decides about its refunds.")


def require_in_terms(authority: Authority, units: Iterable[int], refusals: Mapping[int, str | None]) -> None:
    """`refusals`: line number -> why a learner could not ask for a refund of it. Raises Refused for support."""
    if not authority.is_limited:
        return
    for number in units:
        # Delivery has no terms of its own: it goes back with the last of the goods.
        text = refusals.get(number, "Delivery goes back with the last of the goods.")
        if text is not None:
            raise Refused(f"Line {number}: {text} Finance can refund it.")


def require_within_limit(authority: Authority, refunded_minor: int, currency: Currency, context: Context) -> None:
    """`refunded_minor`: all that will have gone back of the order, so that several refunds make no larger one. Raises
    Refused, RecentSignInRequired."""
    limit = context.settings.support_refund_max_minor
    if refunded_minor <= limit:
        return
    if authority.is_limited:
        most = money_text(limit, currency, context.settings.locale)
        raise Refused(f"Support refunds up to {most} of an order. Finance can refund more.")
    if not authority.signed_in_recently:
        raise RecentSignInRequired
