"""Budgets of the calls that could be guessed with or made in bulk (security limits: by address and by learner)."""

from aiohttp import web

from domain.sessions import SignedIn
from host import keys
from host.addresses import visitor_address
from host.limits import Budget

MINUTE, HOUR = 60, 3600


async def coupon_call(request: web.Request, who: SignedIn | None) -> None:
    """Whatever the code: one that is right is refused too while the budget is spent. Raises TooMany."""
    settings = request.app[keys.SETTINGS]
    owners = [f"a:{visitor_address(request)}", *([f"l:{who.learner_id}"] if who is not None else [])]
    windows = (("m", settings.coupons_per_minute, MINUTE), ("h", settings.coupons_per_hour, HOUR))
    budgets = [Budget(f"coupons:{name}:{one}", most, window) for one in owners for name, most, window in windows]
    await request.app[keys.LIMITER].take(*budgets)


async def coupon_miss(request: web.Request) -> None:
    most = request.app[keys.SETTINGS].coupon_misses_per_hour
    await request.app[keys.LIMITER].note(Budget("refused coupon codes", most, HOUR))


async def cart_call(request: web.Request, who: SignedIn | None) -> None:
    """Raises TooMany."""
    settings = request.app[keys.SETTINGS]
    budgets = [Budget(f"cart:a:{visitor_address(request)}", settings.cart_calls_per_address_minute, MINUTE)]
    if who is not None:
        budgets.append(Budget(f"cart:l:{who.learner_id}", settings.cart_calls_per_learner_minute, MINUTE))
    await request.app[keys.LIMITER].take(*budgets)


async def name_call(request: web.Request) -> None:
    """Raises TooMany."""
    settings, address = request.app[keys.SETTINGS], visitor_address(request)
    await request.app[keys.LIMITER].take(
        Budget(f"names:m:{address}", settings.names_per_minute, MINUTE),
        Budget(f"names:h:{address}", settings.names_per_hour, HOUR),
    )


async def name_miss(request: web.Request) -> None:
    most = request.app[keys.SETTINGS].name_misses_per_hour
    await request.app[keys.LIMITER].note(Budget("unknown student numbers", most, HOUR))
