"""What learners may have refunded, by the terms with which their order was placed (front matter of the refund policy).
Nothing here reads the database or a clock."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any, Literal

from domain.display_text import day_text
from domain.orders.settings import Context

Kind = Literal["course", "bundle", "download", "voucher", "goods", "seats"]
Confirmation = Literal["deleted", "returned"]
RefusalText = str
# What an order line is in the words of the terms.
KIND_OF_FULFILMENT: Mapping[str, Kind] = {
    "": "course",
    "courses": "bundle",
    "download": "download",
    "code": "voucher",
    "shipped": "goods",
}
# A day lasts until it is over in the last time zone, UTC-12.
LAST_ZONE = timedelta(hours=12)


@dataclass(frozen=True)
class KindTerms:
    """`since`: when the days begin. `unless`: what ends the right to a refund. `confirm`: what the learner confirms."""

    days: int
    since: Literal["payment", "delivery"]
    unless: Literal["certificate", "used"] | None = None
    confirm: Confirmation | None = None


@dataclass(frozen=True)
class PurchasedLine:
    """What the rules need to know of a line of a paid order. `refunded`, `requested`, `used`: units that went back,
    that a person has to decide about, and whose voucher codes were used or which are assigned seats. `withdrawn_days`:
    a course withdrawn within so many days of the payment is refunded later too. `is_closed`: access to it ends or has
    ended for legal reasons."""

    kind: Kind
    terms: KindTerms | None
    paid_at: datetime
    quantity: int
    refunded: int = 0
    requested: int = 0
    used: int = 0
    delivered_at: datetime | None = None
    withdrawn_at: datetime | None = None
    withdrawn_days: int = 0
    has_certificate: bool = False
    is_closed: bool = False

    @property
    def units_left(self) -> int:
        """Units of which a refund may be requested."""
        return max(0, self.quantity - self.refunded - self.requested - self.used)


def kind_terms(terms: Mapping[str, Any], kind: Kind) -> KindTerms | None:
    """The terms of a kind in an order's `refund_terms`; None where they name none."""
    row = terms.get(kind)
    if row is None:
        return None
    return KindTerms(row["days"], row["from"], row.get("unless"), row.get("confirm"))


def first_refusal(line: PurchasedLine, context: Context) -> RefusalText | None:
    """Why nothing of the line can be requested, in words for the learner; None when something can."""
    return next((text for rule in RULES if (text := rule(line, context)) is not None), None)


def is_not_refunded(line: PurchasedLine, _context: Context) -> RefusalText | None:
    if line.refunded >= line.quantity:
        return "This was refunded."
    return "We are deciding about your request for this." if line.refunded + line.requested >= line.quantity else None


def is_in_terms(line: PurchasedLine, _context: Context) -> RefusalText | None:
    return "The refund terms of this order do not cover this. Please contact us." if line.terms is None else None


def is_in_time(line: PurchasedLine, context: Context) -> RefusalText | None:
    """Goods that were not delivered yet have all their days before them."""
    if line.terms is None or is_withdrawn(line):
        return None
    start = line.paid_at if line.terms.since == "payment" else line.delivered_at
    if start is None or context.at < end_of_days(start, line.terms.days):
        return None
    last = day_text(last_day(start, line.terms.days), context.settings.locale)
    return f"The {line.terms.days} days to ask for a refund of this ended on {last}."


def has_no_certificate(line: PurchasedLine, _context: Context) -> RefusalText | None:
    if line.terms is None or line.terms.unless != "certificate" or not line.has_certificate:
        return None
    of = "a course of this bundle" if line.kind == "bundle" else "this course"
    return f"A certificate has been issued for {of}."


def has_unused_codes(line: PurchasedLine, _context: Context) -> RefusalText | None:
    is_used = line.terms is not None and line.terms.unless == "used" and line.units_left == 0
    if line.kind == "seats":
        return "Every seat is assigned. Release seats first." if is_used else None
    return "The code has been used to book a sitting." if is_used else None


Rule = Callable[[PurchasedLine, Context], RefusalText | None]
RULES: tuple[Rule, ...] = (is_not_refunded, is_in_terms, is_in_time, has_no_certificate, has_unused_codes)


def is_withdrawn(line: PurchasedLine) -> bool:
    """The course was closed, or withdrawn so soon after the payment that its days do not count."""
    is_of_courses = line.kind in ("course", "bundle")
    if is_of_courses and line.is_closed:
        return True
    end = end_of_days(line.paid_at, line.withdrawn_days)
    return is_of_courses and line.withdrawn_at is not None and line.withdrawn_at < end


def last_day(start: datetime, days: int) -> datetime:
    """Midnight (UTC) at which the last of the days begins. The day of `start` is not one of them."""
    return datetime.combine(start.astimezone(UTC).date(), time(), UTC) + timedelta(days=days)


def end_of_days(start: datetime, days: int) -> datetime:
    """When so many days after `start` are over everywhere: noon (UTC) after the last of them."""
    return last_day(start, days) + timedelta(days=1) + LAST_ZONE
