"""Budgets of the calls that could be guessed with or made in bulk (security limits: by address and by learner)."""

from aiohttp import web

from domain.sessions import SignedIn, digest
from host import keys
from host.addresses import visitor_address
from host.limits import Budget

MINUTE, HOUR, DAY = 60, 3600, 86_400
SIGN_IN_S = 5 * MINUTE


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


async def account_call(request: web.Request) -> None:
    """Most of them are carried on to the provider. Raises TooMany."""
    most = request.app[keys.SETTINGS].account_calls_per_learner_minute
    who = request[keys.SIGNED_IN]
    await request.app[keys.LIMITER].take(Budget(f"account:l:{who.learner_id}", most, MINUTE))


async def sign_in(request: web.Request, area: str, name: str = "") -> None:
    """Before the provider hears of it. `name`: as it was typed, "" where none is; it is counted by its digest, known
    or not. Raises TooMany."""
    settings = request.app[keys.SETTINGS]
    is_staff = area != "learner"
    per_address = settings.staff_sign_ins_per_address if is_staff else settings.sign_ins_per_address
    per_name = settings.staff_sign_ins_per_name if is_staff else settings.sign_ins_per_name
    kind = "staff" if is_staff else "learner"
    budgets = [Budget(f"sign-in:{kind}:a:{visitor_address(request)}", per_address, SIGN_IN_S)]
    if name:
        budgets.append(Budget(f"sign-in:{kind}:n:{digest(name.strip().casefold())}", per_name, SIGN_IN_S))
    await request.app[keys.LIMITER].take(*budgets)


async def name_call(request: web.Request, who: SignedIn | None) -> None:
    """Raises TooMany."""
    settings = request.app[keys.SETTINGS]
    await _guess("names", request, who, settings.names_per_minute, settings.names_per_hour)


async def name_miss(request: web.Request) -> None:
    most = request.app[keys.SETTINGS].name_misses_per_hour
    await request.app[keys.LIMITER].note(Budget("unknown student numbers", most, HOUR))


async def step(request: web.Request, flow: str, area: str, name: str) -> None:
    """Steps that name somebody are guesses or bring them mail. Raises TooMany."""
    settings = request.app[keys.SETTINGS]
    if not name:
        return
    if flow == "authenticate":
        await sign_in(request, area, name)
        return
    per_name = Budget(f"recovery:n:{digest(name.strip().casefold())}", settings.recoveries_per_name_day, DAY)
    await request.app[keys.LIMITER].take(per_name)
    await message(request)


async def message(request: web.Request) -> None:
    """Codes and links that are sent because somebody asks. Raises TooMany."""
    most = request.app[keys.SETTINGS].recoveries_per_address_hour
    await request.app[keys.LIMITER].take(Budget(f"recovery:a:{visitor_address(request)}", most, HOUR))
