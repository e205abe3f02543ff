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
    await _guess("coupons", request, who, settings.coupons_per_minute, settings.coupons_per_hour)


async def _guess(name: str, request: web.Request, who: SignedIn | None, a_minute: int, an_hour: int) -> None:
    """Of an address and, wherever they are, of a learner."""
    owners = [f"a:{visitor_address(request)}", *([f"l:{who.learner_id}"] if who is not None else [])]
    windows = (("m", a_minute, MINUTE), ("h", an_hour, HOUR))
    budgets = [Budget(f"{name}:{short}:{one}", most, window) for one in owners for short, most, window in windows]
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


async def name_call(request: web.Request, who: SignedIn | None) -> None:
    """Raises TooMany."""
    settings = request.app[keys.SETTINGS]
    await _guess("names", request, who, settings.names_per_minute, settings.names_per_hour)


async def name_miss(request: web.Request) -> None:
    most = request.app[keys.SETTINGS].name_misses_per_hour
    await request.app[keys.LIMITER].note(Budget("unknown student numbers", most, HOUR))
