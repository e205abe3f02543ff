"""The settings of the rate limits; config/rate_limits.py says what each counts."""

from dataclasses import dataclass

from config.parsers import integer
from config.setting import setting


@dataclass(frozen=True)
class LimitVariables:
    visits_per_session_minute: int = setting(integer(0, 1_000_000), 60, "visits per minute and session, 0 = no limit")
    visits_per_address_minute: int = setting(
        integer(0, 10_000_000), 6_000, "visits per minute and client address, 0 = no limit"
    )
    crawls_per_network_minute: int = setting(
        integer(0, 10_000_000),
        600,
        "pages fetched by crawlers that are stored as visits, per minute and network (/24 or /48), 0 = no limit",
    )
    referral_links_per_address_minute: int = setting(
        integer(0, 10_000_000), 60, "visits of /d and /s that are stored, per minute and client address, 0 = no limit"
    )
    suggestions_per_address_minute: int = setting(
        integer(0, 10_000_000), 600, "search suggestions per minute and client address, 0 = no limit"
    )
    contacts_per_address_hour: int = setting(
        integer(0, 1_000_000), 10, "contact messages per hour and client address, 0 = no limit"
    )
    withdrawals_per_address_hour: int = setting(
        integer(0, 1_000_000), 10, "withdrawals from contracts per hour and client address, 0 = no limit"
    )
    client_errors_per_address_minute: int = setting(
        integer(0, 1_000_000), 10, "errors reported by browsers per minute and client address, 0 = no limit"
    )
    coupons_per_minute: int = setting(
        integer(0, 1_000_000), 10, "coupon calls per minute, for each client address and each learner, 0 = no limit"
    )
    coupons_per_hour: int = setting(
        integer(0, 1_000_000), 60, "coupon calls per hour, for each client address and each learner, 0 = no limit"
    )
    coupon_alarm_per_hour: int = setting(
        integer(0, 10_000_000), 1_000, "refused coupon codes per hour of the whole site that log an alarm, 0 = none"
    )
    username_lookups_per_minute: int = setting(
        integer(0, 1_000_000),
        10,
        "student numbers looked up per minute, for each client address and each learner, 0 = no limit",
    )
    username_lookups_per_hour: int = setting(
        integer(0, 1_000_000),
        30,
        "student numbers looked up per hour, for each client address and each learner, 0 = no limit",
    )
    username_alarm_per_hour: int = setting(
        integer(0, 10_000_000),
        500,
        "unknown student numbers per hour of the whole site that log an alarm, 0 = none",
    )
    sign_ins_per_name: int = setting(
        integer(0, 1_000_000), 10, "sign-ins started in 5 minutes with one name, 0 = no limit"
    )
    sign_ins_per_address: int = setting(
        integer(0, 1_000_000), 30, "sign-ins started in 5 minutes from one client address, 0 = no limit"
    )
    staff_sign_ins_per_name: int = setting(
        integer(0, 1_000_000), 5, "the same for administrators and organisations, 0 = no limit"
    )
    staff_sign_ins_per_address: int = setting(
        integer(0, 1_000_000), 10, "the same for administrators and organisations, 0 = no limit"
    )
    recoveries_per_name_day: int = setting(
        integer(0, 1_000_000), 5, "recoveries, unlockings and registrations per day and name, 0 = no limit"
    )
    recoveries_per_address_hour: int = setting(
        integer(0, 1_000_000), 20, "the same, and codes sent again, per hour and client address, 0 = no limit"
    )
    area_reads_per_learner_minute: int = setting(
        integer(0, 1_000_000), 120, "reading calls of areas per minute and person, 0 = no limit"
    )
    area_pages_per_learner_minute: int = setting(
        integer(0, 1_000_000), 300, "pages and lists as files per minute and person, 0 = no limit"
    )
    documents_per_learner_minute: int = setting(
        integer(0, 1_000_000), 30, "invoices, credit notes and certificates as PDF per minute and person, 0 = no limit"
    )
    area_changes_per_learner_minute: int = setting(
        integer(0, 1_000_000), 60, "changing calls of areas per minute and person, 0 = no limit"
    )
    account_calls_per_learner_minute: int = setting(
        integer(0, 1_000_000), 60, "account calls per minute and learner, 0 = no limit"
    )
    progress_calls_per_learner_minute: int = setting(
        integer(0, 1_000_000), 120, "calls that store progress in lessons per minute and learner, 0 = no limit"
    )
    upload_parts_per_learner_minute: int = setting(
        integer(0, 1_000_000), 600, "parts of files that staff send, and calls about them, per minute, 0 = no limit"
    )
    checkouts_per_learner_minute: int = setting(
        integer(0, 1_000_000), 10, "checkout forms sent to be ordered per minute and learner, 0 = no limit"
    )
    checkouts_per_address_minute: int = setting(
        integer(0, 10_000_000), 60, "the same per minute and client address, 0 = no limit"
    )
    orders_per_learner_hour: int = setting(
        integer(0, 1_000_000), 20, "orders that are placed per hour and learner, 0 = no limit"
    )
    refunds_per_learner_day: int = setting(
        integer(0, 1_000_000), 10, "refunds that are requested, or are tried to be, per day and learner, 0 = no limit"
    )
    status_per_order_minute: int = setting(
        integer(0, 1_000_000), 60, "calls for the state of an order per minute and order, 0 = no limit"
    )
    quiz_attempts_per_learner_minute: int = setting(
        integer(0, 1_000_000), 10, "attempts at quizzes per minute and learner, 0 = no limit"
    )
    cart_calls_per_learner_minute: int = setting(
        integer(0, 1_000_000), 60, "cart and wishlist calls per minute and learner, 0 = no limit"
    )
    cart_reads_per_learner_minute: int = setting(
        integer(0, 1_000_000), 240, "reads of the cart, which pages make, per minute and learner, 0 = no limit"
    )
    cart_calls_per_address_minute: int = setting(
        integer(0, 10_000_000), 600, "cart and wishlist calls per minute and client address, 0 = no limit"
    )
    learning_calls_per_learner_minute: int = setting(
        integer(0, 1_000_000), 60, "calls of learning per minute and learner, 0 = no limit"
    )
    learning_codes_per_minute: int = setting(
        integer(0, 1_000_000),
        10,
        "tokens and codes that are tried, such as of gifts, also in the address of a page, per minute and learner, "
        "0 = no limit",
    )
    learning_codes_per_address_minute: int = setting(
        integer(0, 1_000_000), 200, "the same per minute and client address, which an office shares; 0 = no limit"
    )
    gift_mails_per_learner_day: int = setting(
        integer(0, 1_000_000), 10, "mails of gifts that are sent again per day and learner, 0 = no limit"
    )
    verifications_per_address_minute: int = setting(
        integer(0, 1_000_000), 30, "certificates checked per minute and client address, 0 = no limit"
    )
