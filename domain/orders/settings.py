"""Settings of orders and refunds, as the rules take them; config/ reads them from the environment."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from domain import readable_codes
from domain.bank_transfers.account import BankAccount
from domain.documents.issuer import Issuer

# Somebody who is sent to an open page needs some time there.
MIN_TIME_LEFT = timedelta(minutes=1)


@dataclass(frozen=True)
class OrderSettings:
    """`min_payment_minor`: the smallest amount that the shop charges; `largest_payment_minor`: the largest that its
    gateway takes, None where no gateway was asked. `payment_window`: how long a hosted page is open; `grace`: how much
    longer the order stays reserved; `max_reservation`: the longest that paying again keeps it.
    `debit_time`: how long a debit may be under way. `refund_auto_max_minor`: the largest refund without a person.
    `support_refund_max_minor`: the most of an order that support refunds. `bank`: where transfers go, None without an
    account: then nobody may pay by one; `transfer_time`: how long an order waits for one.
    """

    gateway: str = "stripe"
    min_payment_minor: int = 50
    largest_payment_minor: int | None = None
    payment_window: timedelta = timedelta(minutes=31)
    grace: timedelta = timedelta(minutes=5)
    max_reservation: timedelta = timedelta(minutes=120)
    debit_time: timedelta = timedelta(days=14)
    bank: BankAccount | None = None
    transfer_time: timedelta = timedelta(days=14)
    pay_again_time: timedelta = timedelta(hours=24)
    refund_auto_max_minor: int = 50_000
    support_refund_max_minor: int = 20_000
    # The terms of refunds that are copied into each order: front matter of the refund policy, key `refund`.
    refund_terms: dict[str, Any] = field(default_factory=dict)
    # Who issues the documents.
    issuer: Issuer = field(default_factory=lambda: Issuer(""))
    # A random code of so many characters, for orders and vouchers. Those of the demo shop are the same in every load.
    new_code: Callable[[int], str] = readable_codes.encode

    @property
    def locale(self) -> str:
        """In whose form texts about orders write amounts and days."""
        return self.issuer.locale

    @property
    def first_reservation(self) -> timedelta:
        """How long a new order is reserved: the time of its first hosted page."""
        return self.payment_window + self.grace


DEFAULT_SETTINGS = OrderSettings()


@dataclass(frozen=True)
class Context:
    """When something happens to an order, and the settings that hold then."""

    at: datetime
    settings: OrderSettings = DEFAULT_SETTINGS
