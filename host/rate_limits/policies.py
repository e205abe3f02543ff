"""Applies the limits of config/limit_variables.py. Past a limit a `limit_` function raises RateLimited, and a `may_`
function returns False: the request is served, but nothing of it is stored. Functions that are not awaited count in this
process (`Limiter.check_here`)."""

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
        await _check(request, ("referral_links_per_address_minute",))
    except RateLimited:
        return False
    return True


async def limit_suggestion(request: web.Request) -> None:
    await _check(request, ("suggestions_per_address_minute",))


async def limit_feed(request: web.Request) -> None:
    """For every reading of the product feed, also one that finds nothing new."""
    await _check(request, ("feeds_per_address_minute",))


async def limit_program_link(request: web.Request) -> None:
    """For every cart link that a program asks for, also one that is refused."""
    await _check(request, ("program_links_per_address_minute",))


async def limit_contact_message(request: web.Request) -> None:
    await _check(request, ("contacts_per_address_hour",))


async def limit_withdrawal(request: web.Request) -> None:
    await _check(request, ("withdrawals_per_address_hour",))


async def limit_client_error(request: web.Request) -> None:
    await _check(request, ("client_errors_per_address_minute",))


async def limit_refused_webhook(request: web.Request) -> None:
    await _check(request, ("webhooks_refused_per_address_minute",))


async def limit_coupon_call(request: web.Request, learner: AuthSession | None) -> None:
    """For every code: past the limit valid codes are refused too."""
    await _check(request, ("coupons_per_minute", "coupons_per_hour"), _learner(learner))


async def count_coupon_miss(request: web.Request) -> None:
    await request.app[LIMITER].count_alarm(_alarm(request, "coupon_alarm_per_hour", "refused coupon codes"))


async def limit_username_lookup(request: web.Request, learner: AuthSession | None) -> None:
    await _check(request, ("username_lookups_per_minute", "username_lookups_per_hour"), _learner(learner))


async def count_username_miss(request: web.Request) -> None:
    await request.app[LIMITER].count_alarm(_alarm(request, "username_alarm_per_hour", "unknown student numbers"))


async def limit_verification(request: web.Request) -> None:
    """For every code of a certificate, as its page or as a file."""
    await _check(request, ("verifications_per_address_minute",))


async def limit_cart_call(request: web.Request, learner: AuthSession | None) -> None:
    await _check(request, ("cart_calls_per_address_minute", "cart_calls_per_learner_minute"), _learner(learner))


async def limit_cart_read(request: web.Request, learner: AuthSession) -> None:
    """For every read of a learner's cart: pages make them, also those that somebody opens in quick succession."""
    await _check(request, ("cart_reads_per_learner_minute",), _learner(learner))


async def limit_checkout(request: web.Request, learner: AuthSession) -> None:
    """For every form that is sent to be ordered."""
    await _check(request, ("checkouts_per_learner_minute", "checkouts_per_address_minute"), _learner(learner))


async def limit_order(request: web.Request, learner: AuthSession) -> None:
    """For every order that would be placed now; `give_back_order` when none was."""
    await _check(request, ("orders_per_learner_hour",), _learner(learner))


async def give_back_order(request: web.Request, learner: AuthSession) -> None:
    """A form that was refused is no order: how many are sent is limited by `limit_checkout`."""
    for rule in RULES["orders_per_learner_hour"]:
        await request.app[LIMITER].give_back(_limit(request.app[SETTINGS], rule, str(learner.learner_id)))


async def limit_quote(request: web.Request, learner: AuthSession) -> None:
    """For every quote that is asked for, also one that is refused."""
    await _check(request, ("quotes_per_learner_hour",), _learner(learner))


async def limit_attempt(request: web.Request) -> None:
    """For every attempt at a quiz, also one that is not taken."""
    await _check(request, ("quiz_attempts_per_learner_minute",), _learner(request[AUTH_SESSION]))


async def limit_order_status(request: web.Request, code: str) -> None:
    """`code`: of an order of whoever asks."""
    await _check(request, ("status_per_order_minute",), {"o": code})


async def limit_account_call(request: web.Request) -> None:
    """Most account calls are forwarded to the provider."""
    await _check(request, ("account_calls_per_learner_minute",), _learner(request[AUTH_SESSION]))


async def limit_area_call(request: web.Request, person: AuthSession) -> None:
    """For every call of an area, also one that is refused: refusals are recorded."""
    is_read = request.method in ("GET", "HEAD")
    await _check(
        request,
        ("area_reads_per_learner_minute",) if is_read else ("area_changes_per_learner_minute",),
        _learner(person),
    )


async def limit_area_page(request: web.Request, person: AuthSession) -> None:
    """For every page of an area, as a document, as data or as a file, also one that is refused."""
    await _check(request, ("area_pages_per_learner_minute",), _learner(person))


async def limit_report(request: web.Request, person: AuthSession) -> None:
    """For every report about visits, as a page, its data, a file or a call."""
    await _check(request, ("reports_per_learner_minute",), _learner(person))


async def limit_document(request: web.Request, person: AuthSession) -> None:
    """For every PDF, before it is looked up: a process renders one at a time, for everybody."""
    await _check(request, ("documents_per_learner_minute",), _learner(person))


async def limit_learning_call(request: web.Request) -> None:
    await _check(request, ("learning_calls_per_learner_minute",), _learner(request[AUTH_SESSION]))


async def limit_upload_part(request: web.Request) -> None:
    """For every part of a file, and every call about it."""
    await _check(request, ("upload_parts_per_learner_minute",), _learner(request[AUTH_SESSION]))


async def limit_progress(request: web.Request) -> None:
    """Browsers send progress every few seconds of a video, and together what waited."""
    await _check(request, ("progress_calls_per_learner_minute",), _learner(request[AUTH_SESSION]))


async def limit_refund_request(request: web.Request, learner: AuthSession) -> None:
    await _check(request, ("refunds_per_learner_day",), _learner(learner))


async def limit_learning_code(request: web.Request, learner: AuthSession) -> None:
    """Before a code or token is looked up, whether it is right or wrong, also one in the address of a page."""
    await _check(request, ("learning_codes_per_minute", "learning_codes_per_address_minute"), _learner(learner))


async def limit_guests_code(request: web.Request) -> None:
    """Before a code or token in the address of a page is looked up for somebody who is not signed in."""
    await _check(request, ("learning_codes_per_minute", "learning_codes_per_address_minute"))


async def limit_gift_mail(request: web.Request, learner: AuthSession) -> None:
    await _check(request, ("gift_mails_per_learner_day",), _learner(learner))


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
    await limit_sent_code(request)


async def limit_sent_code(request: web.Request) -> None:
    """Codes and links that are sent on request."""
    await _check(request, ("recoveries_per_address_hour",))


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
