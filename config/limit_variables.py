"""The rate limits: for each its setting, what is counted, and for whom. The end of its name says over how long.

host/rate_limits/policies.py applies them by these names.
"""

from dataclasses import dataclass, field, fields
from typing import Any, Literal

from config.parsers import integer
from config.setting import setting

# Short names for the keys in Redis: an address, its network, a learner, a typed user name (its digest), a browser
# session, an order, the site.
Owner = Literal["a", "w", "l", "n", "s", "o", ""]
SIGN_IN_S = 300
# A sign-in with a user name, or from an address.
WINDOWS_S = {"minute": 60, "hour": 3600, "day": 86_400, "name": SIGN_IN_S, "address": SIGN_IN_S}
_LIMITS = integer(0, 10_000_000)


@dataclass(frozen=True)
class LimitRule:
    """`setting`: the field of Settings with the limit, 0 for none. It and `owner` are part of the Redis key."""

    setting: str
    owner: Owner
    window_s: int


def limit(default: int, about: str, *owners: Owner) -> Any:
    """A setting. `owners`: of whom each is counted; none: an alarm, past which nothing is refused."""
    declared = setting(_LIMITS, default, f"{about}, 0 = {'no limit' if owners else 'none'}")
    return field(default=default, metadata={**declared.metadata, "owners": owners or ("",)})


@dataclass(frozen=True)
class LimitVariables:
    visits_per_session_minute: int = limit(60, "visits per minute and session", "s")
    visits_per_address_minute: int = limit(6_000, "visits per minute and client address", "a")
    crawls_per_network_minute: int = limit(
        600, "fetches by crawlers that are stored singly, the rest as counts, per minute and network (/24 or /48)", "w"
    )
    referral_links_per_address_minute: int = limit(
        60, "visits of /d and /s that are stored, per minute and client address", "a"
    )
    suggestions_per_address_minute: int = limit(600, "search suggestions per minute and client address", "a")
    feeds_per_address_minute: int = limit(60, "product feeds read per minute and client address", "a")
    program_links_per_address_minute: int = limit(
        10, "cart links that programs make, with prices kept for a day, per minute and client address", "a"
    )
    contacts_per_address_hour: int = limit(10, "contact messages per hour and client address", "a")
    withdrawals_per_address_hour: int = limit(10, "withdrawals from contracts per hour and client address", "a")
    client_errors_per_address_minute: int = limit(10, "errors reported by browsers per minute and client address", "a")
    coupons_per_minute: int = limit(10, "coupon calls per minute, for each client address and each learner", "a", "l")
    coupons_per_hour: int = limit(60, "coupon calls per hour, for each client address and each learner", "a", "l")
    coupon_alarm_per_hour: int = limit(1_000, "refused coupon codes per hour of the whole site that log an alarm")
    username_lookups_per_minute: int = limit(
        10, "student numbers looked up per minute, for each client address and each learner", "a", "l"
    )
    username_lookups_per_hour: int = limit(
        30, "student numbers looked up per hour, for each client address and each learner", "a", "l"
    )
    username_alarm_per_hour: int = limit(500, "unknown student numbers per hour of the whole site that log an alarm")
    sign_ins_per_name: int = limit(10, "sign-ins started in 5 minutes with one name", "n")
    sign_ins_per_address: int = limit(30, "sign-ins started in 5 minutes from one client address", "a")
    staff_sign_ins_per_name: int = limit(5, "the same for administrators and organisations", "n")
    staff_sign_ins_per_address: int = limit(10, "the same for administrators and organisations", "a")
    recoveries_per_name_day: int = limit(5, "recoveries, unlockings and registrations per day and name", "n")
    recoveries_per_address_hour: int = limit(20, "the same, and codes sent again, per hour and client address", "a")
    webhooks_refused_per_address_minute: int = limit(
        600, "refused events of the payment gateway per minute and client address", "a"
    )
    area_reads_per_learner_minute: int = limit(120, "reading calls of areas per minute and person", "l")
    area_pages_per_learner_minute: int = limit(300, "pages and lists as files per minute and person", "l")
    reports_per_learner_minute: int = limit(
        120, "reports about visits, as pages, calls and files, per minute and person", "l"
    )
    documents_per_learner_minute: int = limit(
        30, "invoices, credit notes and certificates as PDF per minute and person", "l"
    )
    area_changes_per_learner_minute: int = limit(60, "changing calls of areas per minute and person", "l")
    account_calls_per_learner_minute: int = limit(60, "account calls per minute and learner", "l")
    progress_calls_per_learner_minute: int = limit(
        120, "calls that store progress in lessons per minute and learner", "l"
    )
    upload_parts_per_learner_minute: int = limit(
        600, "parts of files that staff send, and calls about them, per minute", "l"
    )
    checkouts_per_learner_minute: int = limit(10, "checkout forms sent to be ordered per minute and learner", "l")
    checkouts_per_address_minute: int = limit(60, "the same per minute and client address", "a")
    orders_per_learner_hour: int = limit(20, "orders that are placed per hour and learner", "l")
    quotes_per_learner_hour: int = limit(20, "quotes that are asked for, or are tried to be, per hour and learner", "l")
    refunds_per_learner_day: int = limit(10, "refunds that are requested, or are tried to be, per day and learner", "l")
    status_per_order_minute: int = limit(60, "calls for the state of an order per minute and order", "o")
    quiz_attempts_per_learner_minute: int = limit(10, "attempts at quizzes per minute and learner", "l")
    cart_calls_per_learner_minute: int = limit(60, "cart and wishlist calls per minute and learner", "l")
    cart_reads_per_learner_minute: int = limit(240, "reads of the cart, which pages make, per minute and learner", "l")
    cart_calls_per_address_minute: int = limit(600, "cart and wishlist calls per minute and client address", "a")
    learning_calls_per_learner_minute: int = limit(60, "calls of learning per minute and learner", "l")
    learning_codes_per_minute: int = limit(
        10,
        "tokens and codes that are tried, such as of gifts, also in the address of a page, per minute and learner",
        "l",
    )
    learning_codes_per_address_minute: int = limit(
        200, "the same per minute and client address, which an office shares", "a"
    )
    gift_mails_per_learner_day: int = limit(10, "mails of gifts that are sent again per day and learner", "l")
    verifications_per_address_minute: int = limit(30, "certificates checked per minute and client address", "a")


RULES: dict[str, tuple[LimitRule, ...]] = {
    declared.name: tuple(
        LimitRule(declared.name, owner, WINDOWS_S[declared.name.rpartition("_")[2]])
        for owner in declared.metadata["owners"]
    )
    for declared in fields(LimitVariables)
}
