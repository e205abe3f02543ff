"""Mails that follow a committed change: `@mail` declares the function that composes those of some kinds of outbox rows,
and what staff are told of them: what causes each, who gets it, and how it looks with values that might be real. It
stands in a module named mails.py or …_mails.py; the words are in templates/mail, in files named after the kind."""

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Literal

from sqlalchemy.orm import Session

from contracts.tasks import OutboxKind
from domain.bank_transfers.account import BankAccount
from domain.display_text import DEFAULT_LOCALE, day_text, moment_text, money_text
from domain.money import Currency
from domain.outbox.leases import Lease

DOMAIN = Path(__file__).parent
# What templates show, by name.
Values = Mapping[str, Any]


@dataclass(frozen=True)
class MailSite:
    """What mails say about the shop. `origin`: where their links lead; `staff_email`: who gets mails to the staff;
    `locale`: in whose form amounts and days are written; `token_key`: of the tokens in links to gifts.
    `has_withdrawal`: of a shop in the Union. `bank`: the account to which money is transferred."""

    name: str
    origin: str
    staff_email: str
    locale: str = DEFAULT_LOCALE
    token_key: bytes = field(default=b"", repr=False)
    has_withdrawal: bool = False
    bank: BankAccount | None = None


@dataclass(frozen=True)
class MailFile:
    """A text file that goes with a mail, of a subtype of text such as csv."""

    name: str
    subtype: str
    text: str


@dataclass(frozen=True)
class Mail:
    """A mail to the address `to`, which is not sent without one; `values`: what its template shows beside the site.
    `test_of`: the kind of mail that it shows with these values, in these `words` of its parts."""

    to: str
    values: Values
    test_of: str = ""
    words: Mapping[str, str] | None = None
    files: tuple[MailFile, ...] = ()


@dataclass(frozen=True)
class OutgoingMail:
    """`number`: the id of the outbox row; it identifies a mail that was sent twice. `template`: a name in
    templates/mail, `values`: what it shows. `words`: of its parts, in a test; None for those that staff have published.
    `is_reply`: as of MailOptions."""

    number: int
    to: str
    template: str
    values: Values = field(default_factory=dict)
    is_reply: bool = False
    words: Mapping[str, str] | None = None
    files: tuple[MailFile, ...] = ()


@dataclass(frozen=True)
class ExampleCase:
    """What the example of a mail is made for. `source`: what opens courses in it; with "staff" it has all that there
    may be, else as little as there may be."""

    site: MailSite
    currency: Currency
    at: datetime
    source: Literal["staff", "gift", "seat"]
    course: str = "Data analysis with Python"

    @property
    def is_bare(self) -> bool:
        return self.source != "staff"

    @property
    def name(self) -> str:
        return "" if self.is_bare else "Ada Lovelace"

    def amount(self, minor: int) -> str:
        return money_text(minor, self.currency, self.site.locale) if minor else "Free"

    def day(self, days: int) -> str:
        """The day so many days after the mail was written."""
        return day_text(self.at + timedelta(days=days), self.site.locale)

    def moment(self, days: int) -> str:
        return moment_text(self.at + timedelta(days=days), self.site.locale)


# None: what the mail is about was deleted or has passed. It raises NewerPayload or MalformedPayload.
Compose = Callable[[Session, Lease, MailSite], Mail | None]


@dataclass(frozen=True, kw_only=True)
class MailOptions:
    """What goes with a mail. Each function but `example` is called in a transaction of its own, and changes nothing
    when it is called again."""

    # Values for the templates, in the shop's locale; None for a mail that staff cannot word.
    example: Callable[[ExampleCase], Values] | None = None
    # A machine sends it because somebody has written to the shop.
    is_reply: bool = False
    # Before the mail is sent; raises Later for one that must wait.
    prepare: Callable[[Session, Lease, MailSite, datetime], None] | None = None
    # The mail server has taken it, or has refused its address for good.
    on_accepted: Callable[[Session, Lease, datetime], None] | None = None
    on_refused: Callable[[Session, Lease, datetime], None] | None = None


@dataclass(frozen=True)
class DeclaredMail:
    """`to`: who gets it; `when`: what causes it."""

    compose: Compose
    to: str
    when: str
    options: MailOptions


_DECLARED: dict[str, DeclaredMail] = {}


def mail(to: str, causes: Mapping[OutboxKind, str], **options: Any) -> Callable[[Compose], Compose]:
    """Declare the function that composes mails. `to`: who gets them, `causes`: what causes each kind, both in words for
    staff; `options` are those of MailOptions."""
    chosen = MailOptions(**options)

    def declare(compose: Compose) -> Compose:
        for kind, when in causes.items():
            if kind in _DECLARED:
                raise ValueError(f"the mail {kind} is declared twice")
            _DECLARED[kind] = DeclaredMail(compose, to, when, chosen)
        return compose

    return declare


@cache
def mails() -> Mapping[str, DeclaredMail]:
    """All mails by the kind of their outbox row."""
    for path in sorted(DOMAIN.rglob("*mails.py")):
        importlib.import_module(".".join(path.relative_to(DOMAIN.parent).with_suffix("").parts))
    return _DECLARED


def samples(kind: str, site: MailSite, currency: Currency, at: datetime) -> Sequence[Values]:
    """Values for the templates of a mail that staff may word: with all that there may be; with as little as there may
    be; and as the second, for a seat."""
    example = mails()[kind].options.example
    if example is None:
        raise LookupError(f"the mail {kind} has no example")
    sources: tuple[Literal["staff", "gift", "seat"], ...] = ("staff", "gift", "seat")
    return [{"site": site, **example(ExampleCase(site, currency, at, source))} for source in sources]


def compose(session: Session, lease: Lease, site: MailSite) -> OutgoingMail | None:
    """The mail of a row; None when what it is about was deleted. Raises NewerPayload or MalformedPayload."""
    declared = mails()[lease.kind]
    found = declared.compose(session, lease, site)
    if found is None or not found.to:
        return None
    template = (found.test_of or lease.kind).partition(".")[2]
    values = {"site": site, **found.values}
    return OutgoingMail(lease.id, found.to, template, values, declared.options.is_reply, found.words, found.files)
