"""The rate limits: what is counted, for whom, over how long, and the setting with the limit."""

from dataclasses import dataclass
from typing import Literal

MINUTE, HOUR, DAY = 60, 3600, 86_400
SIGN_IN_S = 5 * MINUTE
# Short names for the keys in Redis: an address, its network, a learner, a typed user name (its digest), a browser
# session, an order, the site.
Owner = Literal["a", "w", "l", "n", "s", "o", ""]


@dataclass(frozen=True)
class LimitRule:
    """`setting`: the field of Settings with the limit, 0 for none. `name` and `owner` become part of the Redis key."""

    setting: str
    name: str
    owner: Owner
    window_s: int


VISITS = (
    LimitRule("visits_per_session_minute", "visits", "s", MINUTE),
    LimitRule("visits_per_address_minute", "visits", "a", MINUTE),
)
# Beyond these two a request is served and no visit is stored.
CRAWLS = (LimitRule("crawls_per_network_minute", "crawls", "w", MINUTE),)
REFERRAL_LINKS = (LimitRule("referral_links_per_address_minute", "referrals", "a", MINUTE),)
SUGGESTIONS = (LimitRule("suggestions_per_address_minute", "suggest", "a", MINUTE),)
CONTACT_MESSAGES = (LimitRule("contacts_per_address_hour", "contact", "a", HOUR),)
WITHDRAWALS = (LimitRule("withdrawals_per_address_hour", "withdrawals", "a", HOUR),)
CLIENT_ERRORS = (LimitRule("client_errors_per_address_minute", "client-errors", "a", MINUTE),)
REFUSED_WEBHOOKS = (LimitRule("webhooks_refused_per_address_minute", "webhooks", "a", MINUTE),)
COUPON_CALLS = (
    LimitRule("coupons_per_minute", "coupons:m", "a", MINUTE),
    LimitRule("coupons_per_hour", "coupons:h", "a", HOUR),
    LimitRule("coupons_per_minute", "coupons:m", "l", MINUTE),
    LimitRule("coupons_per_hour", "coupons:h", "l", HOUR),
)
USERNAME_LOOKUPS = (
    LimitRule("username_lookups_per_minute", "names:m", "a", MINUTE),
    LimitRule("username_lookups_per_hour", "names:h", "a", HOUR),
    LimitRule("username_lookups_per_minute", "names:m", "l", MINUTE),
    LimitRule("username_lookups_per_hour", "names:h", "l", HOUR),
)
ORDER_STATUS = (LimitRule("status_per_order_minute", "order-status", "o", MINUTE),)
QUIZ_ATTEMPTS = (LimitRule("quiz_attempts_per_learner_minute", "quiz-attempts", "l", MINUTE),)
CART_CALLS = (
    LimitRule("cart_calls_per_address_minute", "cart", "a", MINUTE),
    LimitRule("cart_calls_per_learner_minute", "cart", "l", MINUTE),
)
CART_READS = (LimitRule("cart_reads_per_learner_minute", "cart-reads", "l", MINUTE),)
CHECKOUTS = (
    LimitRule("checkouts_per_learner_minute", "checkouts", "l", MINUTE),
    LimitRule("checkouts_per_address_minute", "checkouts", "a", MINUTE),
)
ORDERS = (LimitRule("orders_per_learner_hour", "orders", "l", HOUR),)
REFUNDS = (LimitRule("refunds_per_learner_day", "refunds", "l", DAY),)
LEARNING_CALLS = (LimitRule("learning_calls_per_learner_minute", "learning", "l", MINUTE),)
LEARNING_CODES = (
    LimitRule("learning_codes_per_minute", "learning-codes", "l", MINUTE),
    LimitRule("learning_codes_per_address_minute", "learning-codes", "a", MINUTE),
)
GIFT_MAILS = (LimitRule("gift_mails_per_learner_day", "gift-mails", "l", DAY),)
UPLOADS = (LimitRule("upload_parts_per_learner_minute", "uploads", "l", MINUTE),)
PROGRESS_CALLS = (LimitRule("progress_calls_per_learner_minute", "progress", "l", MINUTE),)
AREA_READS = (LimitRule("area_reads_per_learner_minute", "area-reads", "l", MINUTE),)
AREA_PAGES = (LimitRule("area_pages_per_learner_minute", "area-pages", "l", MINUTE),)
DOCUMENTS = (LimitRule("documents_per_learner_minute", "documents", "l", MINUTE),)
AREA_CHANGES = (LimitRule("area_changes_per_learner_minute", "area-changes", "l", MINUTE),)
ACCOUNT_CALLS = (LimitRule("account_calls_per_learner_minute", "account", "l", MINUTE),)
VERIFICATIONS = (LimitRule("verifications_per_address_minute", "verify", "a", MINUTE),)
SIGN_INS = (
    LimitRule("sign_ins_per_address", "sign-in:learner", "a", SIGN_IN_S),
    LimitRule("sign_ins_per_name", "sign-in:learner", "n", SIGN_IN_S),
)
STAFF_SIGN_INS = (
    LimitRule("staff_sign_ins_per_address", "sign-in:staff", "a", SIGN_IN_S),
    LimitRule("staff_sign_ins_per_name", "sign-in:staff", "n", SIGN_IN_S),
)
RECOVERIES = (LimitRule("recoveries_per_name_day", "recovery", "n", DAY),)
SENT_CODES = (LimitRule("recoveries_per_address_hour", "recovery", "a", HOUR),)
# Past these an alarm is logged and nothing is refused.
COUPON_ALARM = LimitRule("coupon_alarm_per_hour", "refused coupon codes", "", HOUR)
USERNAME_ALARM = LimitRule("username_alarm_per_hour", "unknown student numbers", "", HOUR)

RULES = (
    *(
        *VISITS,
        *CRAWLS,
        *REFERRAL_LINKS,
        *SUGGESTIONS,
        *CONTACT_MESSAGES,
        *WITHDRAWALS,
        *CLIENT_ERRORS,
        *REFUSED_WEBHOOKS,
        *COUPON_CALLS,
        *USERNAME_LOOKUPS,
        *ORDER_STATUS,
        *QUIZ_ATTEMPTS,
        *CART_CALLS,
        *CART_READS,
        *CHECKOUTS,
        *ORDERS,
        *REFUNDS,
        *AREA_READS,
        *AREA_PAGES,
        *DOCUMENTS,
        *AREA_CHANGES,
        *ACCOUNT_CALLS,
        *LEARNING_CALLS,
        *LEARNING_CODES,
        *GIFT_MAILS,
        *PROGRESS_CALLS,
        *UPLOADS,
        *VERIFICATIONS,
    ),
    *(*SIGN_INS, *STAFF_SIGN_INS, *RECOVERIES, *SENT_CODES, COUPON_ALARM, USERNAME_ALARM),
)
