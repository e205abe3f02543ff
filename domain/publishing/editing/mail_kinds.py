"""What staff are told of each mail: what causes it, who gets it, and how it looks with values that might be real."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from contracts.tasks import OutboxKind
from domain.display_text import day_text, moment_text, money_text
from domain.mail import MailSite
from domain.money import Currency


class MailKind(NamedTuple):
    """`when`: what causes the mail; `to`: who gets it."""

    when: str
    to: str


_BUYER, _LEARNER, _HOLDER, _AUTHOR, _APPLICANT = "Buyer", "Learner", "Holder of the seat", "Author", "Applicant"
_VISITOR, _STAFF, _OWNER = "Whoever wrote", "Staff", "Owner of the organisation"
KINDS: Mapping[OutboxKind, MailKind] = {
    OutboxKind.ORDER_RECEIVED: MailKind("An order is placed whose payment takes days.", _BUYER),
    OutboxKind.ORDER_PAID: MailKind("An order is paid, or there is nothing to pay.", _BUYER),
    OutboxKind.PAYMENT_FAILED: MailKind("The bank did not pay.", _BUYER),
    OutboxKind.TRANSFER_DUE: MailKind("An order is placed that is paid by bank transfer.", _BUYER),
    OutboxKind.TRANSFER_REMINDER: MailKind(
        "The money of a bank transfer is not here some days before the end.", _BUYER
    ),
    OutboxKind.TRANSFER_SHORT: MailKind("A bank transfer was less than the order.", _BUYER),
    OutboxKind.GOODS_SHIPPED: MailKind("A parcel is sent.", _BUYER),
    OutboxKind.LATE_REFUNDED: MailKind("A payment came too late and is sent back.", _BUYER),
    OutboxKind.WITHDRAWAL_RECEIVED: MailKind("A buyer withdraws from the contract.", _BUYER),
    OutboxKind.REFUND_REQUESTED: MailKind("A buyer asks for a refund.", _BUYER),
    OutboxKind.REFUND_DECLINED: MailKind("A request for a refund is declined.", _BUYER),
    OutboxKind.REFUND_IN_PART: MailKind("A request for a refund is approved in part.", _BUYER),
    OutboxKind.REFUND_ACCEPTED: MailKind("A refund is sent.", _BUYER),
    OutboxKind.REFUND_FAILED: MailKind("A refund did not reach the buyer.", _BUYER),
    OutboxKind.ENROLLED: MailKind("A seat, a gift or staff open courses.", _LEARNER),
    OutboxKind.ACCESS_ENDS: MailKind("Access to a course ends soon.", _LEARNER),
    OutboxKind.COURSE_CLOSES: MailKind("A course is to be closed for everybody.", _LEARNER),
    OutboxKind.COURSE_STAYS: MailKind("A course that was to be closed stays.", _LEARNER),
    OutboxKind.CERTIFICATE_ISSUED: MailKind("A course is completed.", _LEARNER),
    OutboxKind.CERTIFICATE_REVOKED: MailKind("Staff revoke a certificate.", _LEARNER),
    OutboxKind.GIFT_SENT: MailKind("A gift is sent.", "Recipient of the gift"),
    OutboxKind.GIFT_CLAIMED: MailKind("A gift is accepted.", "Giver"),
    OutboxKind.SEAT_ASSIGNED: MailKind("An organisation gives somebody a seat.", _HOLDER),
    OutboxKind.SEAT_REMINDER: MailKind("A seat is not used yet.", _HOLDER),
    OutboxKind.SEAT_NOTICE: MailKind("An idle seat goes back soon.", _HOLDER),
    OutboxKind.SEAT_ENDED: MailKind("A seat has ended.", _HOLDER),
    OutboxKind.REVIEW_PUBLISHED: MailKind("A moderator shows a review.", _AUTHOR),
    OutboxKind.REVIEW_HIDDEN: MailKind("A moderator hides a review.", _AUTHOR),
    OutboxKind.APPLICATION_RECEIVED: MailKind("An organisation applies.", _APPLICANT),
    OutboxKind.APPLICATION_QUESTION: MailKind("Staff ask about an application.", _APPLICANT),
    OutboxKind.APPLICATION_APPROVED: MailKind("An application is approved.", _APPLICANT),
    OutboxKind.APPLICATION_DECLINED: MailKind("An application is declined.", _APPLICANT),
    OutboxKind.QUOTE_ISSUED: MailKind("An organisation has a new quote.", _OWNER),
    OutboxKind.QUOTE_ENDS: MailKind("A quote ends in three days.", _OWNER),
    OutboxKind.INVITATION: MailKind("An organisation invites somebody.", "Whoever is invited"),
    OutboxKind.CONTACT_CONFIRMATION: MailKind("Somebody uses the contact form.", _VISITOR),
    OutboxKind.CONTACT_REPLY: MailKind("Staff answer a message.", _VISITOR),
    OutboxKind.STAFF_APPLICATION: MailKind("An application waits.", _STAFF),
    OutboxKind.STAFF_REFUND_REQUESTED: MailKind("A buyer asks for a refund that staff decide.", _STAFF),
    OutboxKind.STAFF_CONFIRMATION: MailKind("A change waits for a second administrator.", _STAFF),
    OutboxKind.STAFF_REFUND_FAILED: MailKind("A refund failed.", _STAFF),
    OutboxKind.MISMATCH: MailKind("Money at the gateway does not fit an order.", _STAFF),
    OutboxKind.DISPUTE: MailKind("A buyer disputes a payment at the bank.", _STAFF),
    OutboxKind.FINDING: MailKind("The daily comparison with the gateway finds a difference.", _STAFF),
    OutboxKind.PUBLICATION_FAILED: MailKind("A planned publication was refused.", _STAFF),
    OutboxKind.REPORT: MailKind("A saved view of a report is due.", "Whoever of staff asked for it"),
}
# The words of each part by its name: what stands before the first "_", and when there are several, the case after it.
_PARTS = {
    "subject": "Subject",
    "greeting": "Greeting, before the name",
    "opening": "Opening",
    "further": "Further words",
    "reason": "Before the reason",
    "until": "Until when",
    "carrier": "Carrier",
    "document": "Document",
    "back": "Before what goes back",
    "rest": "The rest",
    "closing": "Closing",
    "link": "Before the link, without HTML",
    "button": "Button",
}
_CASES = {
    "free": "when nothing is paid",
    "several": "for several",
    "unnamed": "when the name is not known",
    "unspecified": "when the way of payment is not known",
    "unexplained": "when the cause is not known",
    "unlisted": "without a list",
    "undated": "without a day",
    "ended": "when the order has ended",
    "staff": "when staff gave it",
    "seat": "of a seat",
    "gift": "of a gift",
}


def part_text(name: str) -> str:
    """ "opening_free" -> "Opening, when nothing is paid"."""
    part, _, case = name.partition("_")
    return f"{_PARTS[part]}, {_CASES[case]}" if case else _PARTS[part]


def samples(site: MailSite, currency: Currency, at: datetime) -> Sequence[Mapping[str, Any]]:
    """Values for the templates of all mails, in the shop's locale: with all that there may be; with as little as there
    may be; and as the second, for a seat."""
    return [
        {"site": site, **_messages(), **_learning(site, at), **_selling(site, currency, at), **_others(site, at)}
        | _quotes(site, currency, at),
        *(
            {"site": site, **_messages(), **_learning(site, at, source), **_selling(site, currency, at, is_bare=True)}
            | _others(site, at, is_bare=True)
            | _quotes(site, currency, at, is_bare=True)
            for source in ("gift", "seat")
        ),
    ]


def _messages() -> dict[str, Any]:
    return {
        "name": "Ada Lovelace",
        "subject": "Invoice of my company",
        "message": "Hello,\ncan you write the name of my company on the invoice?",
        "reply": "Good morning,\nit is on the invoice now: you find it with your order.",
    }


_AmountText = Callable[[int], str]
_COURSE, _VOUCHER = "Data analysis with Python", "Exam voucher"


def _selling(site: MailSite, currency: Currency, at: datetime, *, is_bare: bool = False) -> dict[str, Any]:
    def amount(minor: int) -> str:
        return "Free" if not minor else money_text(minor, currency, site.locale)

    sent = {"name": "Statistics, printed", "quantity": 1}
    parcel = {
        "lines": [] if is_bare else [sent],
        "carrier": "" if is_bare else "DHL",
        "tracking": "" if is_bare else "00340434161094",
        "left": not is_bare,
    }
    dispute = {
        "title": "disputed",
        "text": f"{amount(9_900)} of it is disputed. Respond at the gateway before its deadline.",
        "not_given": [] if is_bare else ["Exam voucher"],
    }
    finding = {
        "text": "The gateway has ch_1042 for no order of this shop.",
        "order_code": None if is_bare else "7QX4M2KD9P",
        "count": 1 if is_bare else 3,
    }
    about = {"parcel": parcel, "dispute": dispute, "finding": finding}
    return {
        **about,
        "order": _order(site, amount, at, is_bare=is_bare),
        "refund": _refund(amount, is_bare=is_bare),
        "transfer": _transfer(site, amount, at, is_bare=is_bare),
    }


def _order(site: MailSite, amount: _AmountText, at: datetime, *, is_bare: bool) -> dict[str, Any]:
    price = 0 if is_bare else 9_900
    line = {"name": _COURSE, "quantity": 1, "total": amount(price), "codes": []}
    book = {"name": _VOUCHER, "quantity": 2, "total": amount(15_000), "codes": ["SAMPLE-1", "SAMPLE-2"]}
    return {
        "code": "7QX4M2KD9P",
        "link": f"{site.origin}/login?returnTo=/order/7QX4M2KD9P",
        "buyer": "" if is_bare else "Ada Lovelace",
        "purchase_order": "" if is_bare else "PO-2031-77",
        "lines": [line] if is_bare else [line, book],
        "tax": "",
        "total": amount(price and 24_900),
        "is_free": is_bare,
        "method": "" if is_bare else "Visa",
        "document": None if is_bare else "2031-000417",
        "is_open": not is_bare,
        "withdrawn_at": moment_text(at, site.locale),
        "withdraw_link": f"{site.origin}/withdraw?order=7QX4M2KD9P" if site.has_withdrawal else "",
        "reserved_until": moment_text(at + timedelta(days=3), site.locale),
    }


def _refund(amount: _AmountText, *, is_bare: bool) -> dict[str, Any]:
    return {
        "number": 1,
        "amount": amount(9_900),
        "is_of_nothing": is_bare,
        "note": "" if is_bare else "I bought the wrong course.",
        "words": "" if is_bare else "The course was completed.",
        "failure": "" if is_bare else "The account is closed.",
        "document": None if is_bare else "2031-000418",
        # Approved in part.
        "asked": amount(24_900),
        "back": [{"name": _COURSE, "quantity": 1, "amount": amount(9_900)}],
        "not_back": [{"name": _VOUCHER, "quantity": 2, "amount": "" if is_bare else amount(15_000)}],
    }


def _transfer(site: MailSite, amount: _AmountText, at: datetime, *, is_bare: bool) -> dict[str, Any]:
    account = [{"label": "Account holder", "text": site.name}, {"label": "IBAN", "text": "DE89 3704 0044 0532 0130 00"}]
    return {
        "account": account,
        "reference": "RF84 7QX4 M2KD 9P7Q X4M2 KD9P",
        "due": amount(24_900),
        "received": "" if is_bare else amount(9_900),
        "until": day_text(at + timedelta(days=3), site.locale),
    }


def _quotes(site: MailSite, currency: Currency, at: datetime, *, is_bare: bool = False) -> dict[str, Any]:
    quote = {
        "number": "Q2031-000042",
        "person": "" if is_bare else "Ada Lovelace",
        "organisation": "Harbour Shipping",
        "seats": "Seats: Data analysis with Python",
        "quantity": 1 if is_bare else 12,
        "total": money_text(9_900 if is_bare else 118_800, currency, site.locale),
        "until": day_text(at + timedelta(days=30), site.locale),
        "link": f"{site.origin}/organization-login?returnTo=/organization/quotes/1",
    }
    return {"quote": quote}


def _learning(site: MailSite, at: datetime, source: str = "staff") -> dict[str, Any]:
    is_bare, until = source != "staff", day_text(at + timedelta(days=30), site.locale)
    course, home = "Data analysis with Python", f"{site.origin}/user-dashboard"
    first = {"name": course, "link": f"{home}?course=1"}
    courses = [first] if is_bare else [first, {"name": "Statistics", "link": f"{home}?course=2"}]
    access = {
        "name": "" if is_bare else "Ada Lovelace",
        "course": course,
        "courses": courses,
        "count": len(courses),
        "begin": home,
        "link": home,
        "until": "" if source == "gift" else until,
        "source": source,
        # What staff wrote when they opened the course, or why it is closed.
        "reason": "" if is_bare else "As we agreed on the telephone.",
    }
    certificate = {
        "holder": "Ada Lovelace",
        "course": course,
        "link": f"{site.origin}/verify-certificate/SAMPLE",
        "own_link": f"{home}?list=certificates",
        "reason": "It was issued by mistake.",
        "until": "" if is_bare else until,
    }
    gift = {
        "product": course,
        "message": "" if is_bare else "Happy birthday!",
        "recipient": "" if is_bare else "ada@example.com",
        "giver": "" if is_bare else "Grace Hopper",
        "link": home,
        "until": until,
    }
    seat = {
        "holder": "" if is_bare else "Ada Lovelace",
        "organisation": "Harbour Shipping",
        "courses": [] if is_bare else [course, "Statistics"],
        "reason": "" if is_bare else "The contract has ended.",
        "until": until,
        "link": home,
    }
    return {"access": access, "certificate": certificate, "gift": gift, "seat": seat}


def _others(site: MailSite, at: datetime, *, is_bare: bool = False) -> dict[str, Any]:
    review = {
        "author": "" if is_bare else "Ada Lovelace",
        "course": "Data analysis with Python",
        "reason": "It names another person.",
        "link": f"{site.origin}/user-dashboard",
    }
    organisation = {
        "name": "Harbour Shipping",
        "text": "Which of your ports shall learn?",
        "due": "" if is_bare else day_text(at + timedelta(days=2), site.locale),
        "link": f"{site.origin}/organization",
        "person": "" if is_bare else "Ada Lovelace",
        "inviter": "" if is_bare else "Grace H.",
        "is_restricted": not is_bare,
        "until": day_text(at + timedelta(days=14), site.locale),
    }
    product = {
        "kind": "course",
        "name": "Data analysis with Python",
        "missing": ["It has no price.", "It has no lesson."],
        "link": f"{site.origin}/admin/courses/1/publication",
    }
    confirmation = {
        "asker": "Grace Hopper",
        "what": "Erase the account of Ada Lovelace",
        "reason": "She asked for it by letter.",
        "until": moment_text(at + timedelta(days=3), site.locale),
        "link": f"{site.origin}/admin/confirmations/1",
    }
    others = {"organisation": organisation, "product": product, "confirmation": confirmation}
    return {"review": review, **others, "report": _report(site, at, is_bare=is_bare)}


def _report(site: MailSite, at: datetime, *, is_bare: bool) -> dict[str, Any]:
    first, last = (day_text(at - timedelta(days=days), site.locale) for days in (7, 1))
    figure = {"label": "Sessions", "value": "1,204", "change": "+12% (before: 1,075)"}
    return {
        "person": "" if is_bare else "Ada Lovelace",
        "view": "Newsletter, last week",
        "title": "Sources",
        "period": "" if is_bare else f"{first} to {last}, UTC",
        "figures": [] if is_bare else [figure],
        "headings": [] if is_bare else ["Channel", "Sessions", "Before"],
        "rows": [] if is_bare else [["Search engines", "702", "640"], ["Email", "310", "255"]],
        "more": "" if is_bare else "The attached file has all 12 rows.",
        "empty": "No visits of people were counted in these days." if is_bare else "",
        "notes": [] if is_bare else ["Left out: 31 visits of suspected programs and 1,840 of crawlers."],
        "link": f"{site.origin}/adminlogin?returnTo=/admin/visits/saved/1",
    }
