"""The rate limits: for each its setting and what is counted. Its name says for whom, and its end over how long.

A handler counts a request against them by these names with `limit` of host/rate_limits/policies.py.
"""

from dataclasses import dataclass, field, fields
from typing import Any, Literal

from config.parsers import integer
from config.setting import setting

# Short names for the keys in Redis: an address, its network, a learner, a typed user name (its digest), a browser
# session, an order, the site.
Owner = Literal["a", "w", "l", "n", "s", "o", ""]
_OWNERS: dict[str, Owner] = {"address": "a", "network": "w", "learner": "l", "name": "n", "session": "s", "order": "o"}
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


def limit(default: int, about: str, *owners: Owner, none: str = "no limit") -> Any:
    """A setting. `owners`: of whom each is counted, where its name does not say it; `none`: what 0 means."""
    declared = setting(_LIMITS, default, f"{about}, 0 = {none}")
    return field(default=default, metadata={**declared.metadata, "owners": owners})


def alarm(default: int, about: str) -> Any:
    """A setting of the whole site, past which nothing is refused."""
    return limit(default, about, "", none="none")


@dataclass(frozen=True)
class LimitVariables:
    visits_per_session_minute: int = limit(60, "visits per minute and session")
    visits_per_address_minute: int = limit(6_000, "visits per minute and client address")
    crawls_per_network_minute: int = limit(
        600, "fetches by crawlers that are stored singly, the rest as counts, per minute and network (/24 or /48)"
    )
    referral_links_per_address_minute: int = limit(
        60, "visits of /d and /s that are stored, per minute and client address"
    )
    suggestions_per_address_minute: int = limit(600, "search suggestions per minute and client address")
    # Also readings that find nothing new.
    feeds_per_address_minute: int = limit(60, "product feeds read per minute and client address")
    # Also links that are refused.
    program_links_per_address_minute: int = limit(
        10, "cart links that programs make, with prices kept for a day, per minute and client address"
    )
    contacts_per_address_hour: int = limit(10, "contact messages per hour and client address")
    withdrawals_per_address_hour: int = limit(10, "withdrawals from contracts per hour and client address")
    client_errors_per_address_minute: int = limit(10, "errors reported by browsers per minute and client address")
    coupons_per_minute: int = limit(10, "coupon calls per minute, for each client address and each learner", "a", "l")
    coupons_per_hour: int = limit(60, "coupon calls per hour, for each client address and each learner", "a", "l")
    coupon_alarm_per_hour: int = alarm(1_000, "refused coupon codes per hour of the whole site that log an alarm")
    username_lookups_per_minute: int = limit(
        10, "student numbers looked up per minute, for each client address and each learner", "a", "l"
    )
    username_lookups_per_hour: int = limit(
        30, "student numbers looked up per hour, for each client address and each learner", "a", "l"
    )
    username_alarm_per_hour: int = alarm(500, "unknown student numbers per hour of the whole site that log an alarm")
    sign_ins_per_name: int = limit(10, "sign-ins started in 5 minutes with one name")
    sign_ins_per_address: int = limit(30, "sign-ins started in 5 minutes from one client address")
    staff_sign_ins_per_name: int = limit(5, "the same for administrators and organisations")
    staff_sign_ins_per_address: int = limit(10, "the same for administrators and organisations")
    recoveries_per_name_day: int = limit(5, "recoveries, unlockings and registrations per day and name")
    recoveries_per_address_hour: int = limit(20, "the same, and codes sent again, per hour and client address")
    webhooks_refused_per_address_minute: int = limit(
        600, "refused events of the payment gateway per minute and client address"
    )
    area_reads_per_learner_minute: int = limit(120, "reading calls of areas per minute and person")
    # Also pages that are refused: refusals are recorded.
    area_pages_per_learner_minute: int = limit(300, "pages and lists as files per minute and person")
    reports_per_learner_minute: int = limit(
        120, "reports about visits, as pages, calls and files, per minute and person"
    )
    # Counted before a document is looked up: a process renders one at a time, for everybody.
    documents_per_learner_minute: int = limit(
        30, "invoices, credit notes and certificates as PDF per minute and person"
    )
    area_changes_per_learner_minute: int = limit(60, "changing calls of areas per minute and person")
    # Most of them are forwarded to the provider.
    account_calls_per_learner_minute: int = limit(60, "account calls per minute and learner")
    # Browsers send progress every few seconds of a video, and together what waited.
    progress_calls_per_learner_minute: int = limit(120, "calls that store progress in lessons per minute and learner")
    upload_parts_per_learner_minute: int = limit(
        600, "parts of files that staff send, and calls about them, per minute"
    )
    checkouts_per_learner_minute: int = limit(10, "checkout forms sent to be ordered per minute and learner")
    checkouts_per_address_minute: int = limit(60, "the same per minute and client address")
    orders_per_learner_hour: int = limit(20, "orders that are placed per hour and learner")
    quotes_per_learner_hour: int = limit(20, "quotes that are asked for, or are tried to be, per hour and learner")
    refunds_per_learner_day: int = limit(10, "refunds that are requested, or are tried to be, per day and learner")
    status_per_order_minute: int = limit(60, "calls for the state of an order per minute and order")
    # Also attempts that are not taken.
    quiz_attempts_per_learner_minute: int = limit(10, "attempts at quizzes per minute and learner")
    cart_calls_per_learner_minute: int = limit(60, "cart and wishlist calls per minute and learner")
    cart_reads_per_learner_minute: int = limit(240, "reads of the cart, which pages make, per minute and learner")
    cart_calls_per_address_minute: int = limit(600, "cart and wishlist calls per minute and client address")
    learning_calls_per_learner_minute: int = limit(60, "calls of learning per minute and learner")
    learning_codes_per_minute: int = limit(
        10,
        "tokens and codes that are tried, such as of gifts, also in the address of a page, per minute and learner",
        "l",
    )
    learning_codes_per_address_minute: int = limit(
        200, "the same per minute and client address, which an office shares"
    )
    gift_mails_per_learner_day: int = limit(10, "mails of gifts that are sent again per day and learner")
    # As a page or as a file.
    verifications_per_address_minute: int = limit(30, "certificates checked per minute and client address")


def _rules(name: str, owners: tuple[Owner, ...]) -> tuple[LimitRule, ...]:
    per = name.rpartition("_per_")[2].split("_")
    return tuple(LimitRule(name, owner, WINDOWS_S[per[-1]]) for owner in owners or (_OWNERS[per[0]],))


RULES = {declared.name: _rules(declared.name, declared.metadata["owners"]) for declared in fields(LimitVariables)}
