"""Applies the limits of config/rate_limits.py. Past a limit a `limit_` function raises RateLimited, and a `may_`
function returns False: the request is served, but nothing of it is stored."""

from collections.abc import Iterable

from aiohttp import web

from config import rate_limits as rules
from config.rate_limits import LimitRule
from domain.identity.sessions import AuthSession, digest
from host.app_keys import SETTINGS
from host.http.client_ip import client_ip
from host.http.problems import RateLimited
from host.http.request_keys import AUTH_SESSION
from host.rate_limits.limiter import LIMITER, RateLimit


async def limit_visit(request: web.Request, session_id: str) -> None:
    await _check(request, rules.VISITS, {"s": session_id[:64]} if session_id else {})


async def may_record_crawl(request: web.Request, network: str) -> bool:
    return await _is_within(request, rules.CRAWLS, {"w": network})


async def may_record_referral(request: web.Request) -> bool:
    return await _is_within(request, rules.REFERRAL_LINKS)


async def limit_suggestion(request: web.Request) -> None:
    await _check(request, rules.SUGGESTIONS)


async def limit_contact_message(request: web.Request) -> None:
    await _check(request, rules.CONTACT_MESSAGES)


async def limit_withdrawal(request: web.Request) -> None:
    await _check(request, rules.WITHDRAWALS)


async def limit_client_error(request: web.Request) -> None:
    await _check(request, rules.CLIENT_ERRORS)


async def limit_refused_webhook(request: web.Request) -> None:
    await _check(request, rules.REFUSED_WEBHOOKS)


async def limit_coupon_call(request: web.Request, learner: AuthSession | None) -> None:
    """For every code: past the limit valid codes are refused too."""
    await _check(request, rules.COUPON_CALLS, _learner(learner))


async def count_coupon_miss(request: web.Request) -> None:
    await request.app[LIMITER].count_alarm(_limit(request, rules.COUPON_ALARM))


async def limit_username_lookup(request: web.Request, learner: AuthSession | None) -> None:
    await _check(request, rules.USERNAME_LOOKUPS, _learner(learner))


async def count_username_miss(request: web.Request) -> None:
    await request.app[LIMITER].count_alarm(_limit(request, rules.USERNAME_ALARM))


async def limit_verification(request: web.Request) -> None:
    """For every code of a certificate, as its page or as a file."""
    await _check(request, rules.VERIFICATIONS)


async def limit_cart_call(request: web.Request, learner: AuthSession | None) -> None:
    await _check(request, rules.CART_CALLS, _learner(learner))


async def limit_cart_read(request: web.Request, learner: AuthSession) -> None:
    """For every read of a learner's cart: pages make them, also those that somebody opens in quick succession."""
    await _check(request, rules.CART_READS, _learner(learner))


async def limit_checkout(request: web.Request, learner: AuthSession) -> None:
    """For every form that is sent to be ordered."""
    await _check(request, rules.CHECKOUTS, _learner(learner))


async def limit_order(request: web.Request, learner: AuthSession) -> None:
    """For every order that would be placed now; `give_back_order` when none was."""
    await _check(request, rules.ORDERS, _learner(learner))


async def give_back_order(request: web.Request, learner: AuthSession) -> None:
    """A form that was refused is no order: how many are sent is limited by `limit_checkout`."""
    for rule in rules.ORDERS:
        await request.app[LIMITER].give_back(_limit(request, rule, str(learner.learner_id)))


async def limit_attempt(request: web.Request) -> None:
    """For every attempt at a quiz, also one that is not taken."""
    await _check(request, rules.QUIZ_ATTEMPTS, _learner(request[AUTH_SESSION]))


async def limit_order_status(request: web.Request, code: str) -> None:
    """`code`: of an order of whoever asks."""
    await _check(request, rules.ORDER_STATUS, {"o": code})


async def limit_account_call(request: web.Request) -> None:
    """Most account calls are forwarded to the provider."""
    await _check(request, rules.ACCOUNT_CALLS, _learner(request[AUTH_SESSION]))


async def limit_area_call(request: web.Request, person: AuthSession) -> None:
    """For every call of an area, also one that is refused: refusals are recorded."""
    is_read = request.method in ("GET", "HEAD")
    await _check(request, rules.AREA_READS if is_read else rules.AREA_CHANGES, _learner(person))


async def limit_area_page(request: web.Request, person: AuthSession) -> None:
    """For every page of an area, as a document, as data or as a file, also one that is refused."""
    await _check(request, rules.AREA_PAGES, _learner(person))


async def limit_document(request: web.Request, person: AuthSession) -> None:
    """For every PDF, before it is looked up: a process renders one at a time, for everybody."""
    await _check(request, rules.DOCUMENTS, _learner(person))


async def limit_learning_call(request: web.Request) -> None:
    await _check(request, rules.LEARNING_CALLS, _learner(request[AUTH_SESSION]))


async def limit_upload_part(request: web.Request) -> None:
    """For every part of a file, and every call about it."""
    await _check(request, rules.UPLOADS, _learner(request[AUTH_SESSION]))


async def limit_progress(request: web.Request) -> None:
    """Browsers send progress every few seconds of a video, and together what waited."""
    await _check(request, rules.PROGRESS_CALLS, _learner(request[AUTH_SESSION]))


async def limit_refund_request(request: web.Request, learner: AuthSession) -> None:
    await _check(request, rules.REFUNDS, _learner(learner))


async def limit_learning_code(request: web.Request, learner: AuthSession) -> None:
    """Before a code or token is looked up, whether it is right or wrong, also one in the address of a page."""
    await _check(request, rules.LEARNING_CODES, _learner(learner))


async def limit_guests_code(request: web.Request) -> None:
    """Before a code or token in the address of a page is looked up for somebody who is not signed in."""
    await _check(request, rules.LEARNING_CODES)


async def limit_gift_mail(request: web.Request, learner: AuthSession) -> None:
    await _check(request, rules.GIFT_MAILS, _learner(learner))


async def limit_sign_in(request: web.Request, area: str, name: str = "") -> None:
    """Before the provider is called. `name`: the user name as it was typed, "" for none; unknown names count too."""
    await _check(request, rules.SIGN_INS if area == "learner" else rules.STAFF_SIGN_INS, _name(name))


async def limit_flow_step(request: web.Request, flow: str, area: str, name: str) -> None:
    """Steps with a user name may be guesses, or send that person a mail; the others are not limited."""
    if not name:
        return
    if flow == "authenticate":
        await limit_sign_in(request, area, name)
        return
    await _check(request, rules.RECOVERIES, _name(name))
    await limit_sent_code(request)


async def limit_sent_code(request: web.Request) -> None:
    """Codes and links that are sent on request."""
    await _check(request, rules.SENT_CODES)


async def _check(request: web.Request, limits: Iterable[LimitRule], owners: dict[str, str] | None = None) -> None:
    """`owners`: values beside the request's address; rules of other owners are left out."""
    values = {"a": client_ip(request), **(owners or {})}
    applied = [_limit(request, rule, values[rule.owner]) for rule in limits if rule.owner in values]
    await request.app[LIMITER].check(*applied)


async def _is_within(request: web.Request, limits: Iterable[LimitRule], owners: dict[str, str] | None = None) -> bool:
    try:
        await _check(request, limits, owners)
    except RateLimited:
        return False
    return True


def _limit(request: web.Request, rule: LimitRule, owner: str = "") -> RateLimit:
    key = f"{rule.name}:{rule.owner}:{owner}" if rule.owner else rule.name
    return RateLimit(key, getattr(request.app[SETTINGS], rule.setting), rule.window_s)


def _learner(session: AuthSession | None) -> dict[str, str]:
    return {} if session is None else {"l": str(session.learner_id)}


def _name(name: str) -> dict[str, str]:
    """Typed names are personal data: they are counted by their digest."""
    return {"n": digest(name.strip().casefold())} if name else {}
