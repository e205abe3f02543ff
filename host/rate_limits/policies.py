"""Applies the limits of config/limit_variables.py: `limit` by their names, the other functions where what counts, or
against which limit, follows from the request. Past a limit a `limit` function raises RateLimited, and a `may_` function
returns False: the request is served, but nothing of it is stored. Functions that are not awaited count in this process
(`Limiter.check_here`)."""

from functools import cache

from aiohttp import web

from config.limit_variables import RULES, LimitRule
from config.settings import Settings
from domain.identity.sessions import AuthSession, digest
from host.app_keys import SETTINGS
from host.http.client_ip import client_ip
from host.http.problems import RateLimited
from host.http.request_keys import AUTH_SESSION
from host.rate_limits.limiter import LIMITER, RateLimit

# Counted for every form that is sent to be ordered.
CHECKOUTS = ("checkouts_per_learner_minute", "checkouts_per_address_minute")
# Counted before a code or token is looked up, whether it is right or wrong, also one in the address of a page. One of
# somebody who is not signed in counts for the address alone.
LEARNING_CODES = ("learning_codes_per_minute", "learning_codes_per_address_minute")


async def limit(request: web.Request, *names: str, learner: AuthSession | None = None) -> None:
    """Count a request against limits by address, and by learner: whoever makes the call, or `learner`, where the
    request is no call or any call may be made without a session. Raises RateLimited."""
    rules, owners = _rules(names), {"a": client_ip(request)}
    if any(rule.owner == "l" for rule in rules):
        owners["l"] = str((learner or request[AUTH_SESSION]).learner_id)
    settings = request.app[SETTINGS]
    await request.app[LIMITER].check(*(_limit(settings, rule, owners[rule.owner]) for rule in rules))


def limit_visit(request: web.Request, session_id: str) -> None:
    limiter = request.app[LIMITER]
    if not limiter.is_enabled:
        return
    settings = request.app[SETTINGS]
    limits = [_limit(settings, rule, client_ip(request)) for rule in RULES["visits_per_address_minute"]]
    if session_id:
        limits += [_limit(settings, rule, session_id[:64]) for rule in RULES["visits_per_session_minute"]]
    limiter.check_here(*limits)


def may_record_crawl(request: web.Request, network: str) -> bool:
    try:
        request.app[LIMITER].check_here(*_applied(request, ("crawls_per_network_minute",), {"w": network}))
    except RateLimited:
        return False
    return True


async def may_record_referral(request: web.Request) -> bool:
    try:
        await limit(request, "referral_links_per_address_minute")
    except RateLimited:
        return False
    return True


async def limit_coupon_call(request: web.Request, learner: AuthSession | None) -> None:
    """For every code: past the limit valid codes are refused too."""
    await _check(request, ("coupons_per_minute", "coupons_per_hour"), _learner(learner))


async def count_coupon_miss(request: web.Request) -> None:
    await request.app[LIMITER].count_alarm(_alarm(request, "coupon_alarm_per_hour", "refused coupon codes"))


async def limit_username_lookup(request: web.Request, learner: AuthSession | None) -> None:
    await _check(request, ("username_lookups_per_minute", "username_lookups_per_hour"), _learner(learner))


async def count_username_miss(request: web.Request) -> None:
    await request.app[LIMITER].count_alarm(_alarm(request, "username_alarm_per_hour", "unknown student numbers"))


async def limit_cart_call(request: web.Request, learner: AuthSession | None) -> None:
    await _check(request, ("cart_calls_per_address_minute", "cart_calls_per_learner_minute"), _learner(learner))


async def limit_order(request: web.Request, learner: AuthSession) -> None:
    """For every order that would be placed now; `give_back_order` when none was."""
    await limit(request, "orders_per_learner_hour", learner=learner)


async def give_back_order(request: web.Request, learner: AuthSession) -> None:
    """A form that was refused is no order: how many are sent is limited by CHECKOUTS."""
    for rule in RULES["orders_per_learner_hour"]:
        await request.app[LIMITER].give_back(_limit(request.app[SETTINGS], rule, str(learner.learner_id)))


async def limit_order_status(request: web.Request, code: str) -> None:
    """`code`: of an order of whoever asks."""
    await _check(request, ("status_per_order_minute",), {"o": code})


async def limit_area_call(request: web.Request, person: AuthSession) -> None:
    """For every call of an area, also one that is refused: refusals are recorded."""
    is_read = request.method in ("GET", "HEAD")
    name = "area_reads_per_learner_minute" if is_read else "area_changes_per_learner_minute"
    await limit(request, name, learner=person)


async def limit_sign_in(request: web.Request, area: str, name: str = "") -> None:
    """Before the provider is called. `name`: the user name as it was typed, "" for none; unknown names count too."""
    await _check(
        request,
        ("sign_ins_per_address", "sign_ins_per_name")
        if area == "learner"
        else ("staff_sign_ins_per_address", "staff_sign_ins_per_name"),
        _name(name),
    )


async def limit_flow_step(request: web.Request, flow: str, area: str, name: str) -> None:
    """Steps with a user name may be guesses, or send that person a mail; the others are not limited."""
    if not name:
        return
    if flow == "authenticate":
        await limit_sign_in(request, area, name)
        return
    await _check(request, ("recoveries_per_name_day",), _name(name))
    await limit(request, "recoveries_per_address_hour")


async def _check(request: web.Request, names: tuple[str, ...], owners: dict[str, str] | None = None) -> None:
    await request.app[LIMITER].check(*_applied(request, names, owners))


def _applied(request: web.Request, names: tuple[str, ...], owners: dict[str, str] | None = None) -> list[RateLimit]:
    """`names`: of the settings. `owners`: values beside the request's address; rules of other owners are left out."""
    settings, values = request.app[SETTINGS], {"a": client_ip(request), **(owners or {})}
    return [_limit(settings, rule, values[rule.owner]) for rule in _rules(names) if rule.owner in values]


@cache
def _rules(names: tuple[str, ...]) -> tuple[LimitRule, ...]:
    return tuple(rule for name in names for rule in RULES[name])


def _limit(settings: Settings, rule: LimitRule, owner: str) -> RateLimit:
    return RateLimit(f"{rule.setting}:{rule.owner}:{owner}", getattr(settings, rule.setting), rule.window_s)


def _alarm(request: web.Request, name: str, what: str) -> RateLimit:
    """`what` is counted, in the words of the log."""
    (rule,) = RULES[name]
    return RateLimit(what, getattr(request.app[SETTINGS], name), rule.window_s)


def _learner(session: AuthSession | None) -> dict[str, str]:
    return {} if session is None else {"l": str(session.learner_id)}


def _name(name: str) -> dict[str, str]:
    """Typed names are personal data: they are counted by their digest."""
    return {"n": digest(name.strip().casefold())} if name else {}
