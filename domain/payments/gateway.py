"""The port to the payment gateway: what its adapter (adapters/payments) takes and returns.

Amounts are integers in OUR minor units of the currency, also where the gateway counts differently. Times are UTC and
aware. Methods raise GatewayUnavailable (try again later) or GatewayRefused (final), nothing else.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

# open: the hosted page takes a payment. complete: the buyer has finished there. expired: it takes none any more.
SessionState = Literal["open", "complete", "expired"]
# processing: a debit is under way. failed: of a complete session, its debit failed; a declined card on an open page
# stays unpaid.
PaymentProgress = Literal["unpaid", "processing", "paid", "failed"]
# pending includes what needs somebody's action. A refund may be failed after it was succeeded.
RefundProgress = Literal["pending", "succeeded", "failed"]
# open includes early warnings. appealed: it was decided against the shop, which has asked for another decision. What a
# closed one was worth to the buyer, its movements of money say, not the gateway's word for its end.
DisputeProgress = Literal["open", "appealed", "closed"]
TransactionKind = Literal["charge", "refund", "dispute"]
# A debit that is on its way to the bank has a movement too, and so has one that then failed.
ChargeState = Literal["pending", "succeeded", "failed"]
# In `payments.gateway`: payments of the demo shop, which no gateway has.
DEMO_GATEWAY = "demo"


@dataclass(frozen=True)
class AmountLimits:
    """What the gateway takes in one currency, in minor units: multiples of `step_minor` up to `largest_minor`."""

    largest_minor: int
    step_minor: int = 1


class GatewayError(Exception):
    """The gateway did not do what it was called for. The text has no secret and no personal data."""


class GatewayUnavailable(GatewayError):
    """No usable response within the deadline, an error of the gateway itself, or too many calls. Whether it acted is
    not known: repeat the call with the same key, or retrieve the object."""


class GatewayDown(GatewayUnavailable):
    """The gateway cannot be reached, does not answer, or refuses our key: other calls would not succeed either."""


class GatewayBroken(GatewayUnavailable):
    """The gateway answered with an error of its own: about this object, or about all."""


class GatewayRefused(GatewayError):
    """Final: repeating the same call would be refused again, or its result is not what we may accept."""


class EventRefused(GatewayError):
    """Not an event of the gateway: forged, too old, ahead of our clock, or not in its form."""


@dataclass(frozen=True)
class GatewayAccount:
    """The settings PAYMENTS_…: `base` and `page_origin` are origins; `methods` empty: those of the dashboard."""

    base: str
    key: str = field(repr=False)
    webhook_secrets: tuple[str, ...] = field(repr=False)
    page_origin: str
    methods: tuple[str, ...]
    deadline_s: float


@dataclass(frozen=True)
class Reference:
    """What of ours an object of the gateway belongs to, from its metadata. `shop`: uid of the shop. `order`: code of
    the order. `payment`: number of the attempt in its order. `refund`: number of the refund in its order."""

    shop: str
    order: str
    payment: int
    refund: int | None = None


@dataclass(frozen=True)
class PageLine:
    """A line on the hosted page: `name` as people read it ("2 x The Art of Ledgers"), `amount_minor` its total."""

    name: str
    amount_minor: int


@dataclass(frozen=True)
class SessionRequest:
    """A hosted page to open. The lines sum to `amount_minor`. `return_url`: where the buyer comes back after paying,
    `cancel_url`: without having paid. `opened_at`: when the first call with this key was made, which may have opened
    the page. `email` "": the page asks for the buyer's address."""

    key: str
    reference: Reference
    currency: str
    amount_minor: int
    lines: tuple[PageLine, ...]
    email: str
    return_url: str
    cancel_url: str
    opened_at: datetime
    expires_at: datetime


@dataclass(frozen=True)
class HostedPage:
    """`id`: of the session. The buyer pays at `url` until `expires_at`."""

    id: str
    url: str
    expires_at: datetime
    livemode: bool


@dataclass(frozen=True)
class SessionRef:
    """Which session is meant: the one of `session_id`; else of `intent_id` or `charge_id`; else the one of `reference`
    that was opened at `opened_at` or up to three hours later."""

    session_id: str | None = None
    intent_id: str | None = None
    charge_id: str | None = None
    reference: Reference | None = None
    opened_at: datetime | None = None


@dataclass(frozen=True)
class RefundSnapshot:
    """A refund as the gateway has it now. `reference` is None for one that somebody made at the gateway itself."""

    id: str
    state: RefundProgress
    amount_minor: int
    currency: str
    created_at: datetime
    reference: Reference | None = None
    intent_id: str | None = None
    charge_id: str | None = None
    failure: str = ""


@dataclass(frozen=True)
class DisputeSnapshot:
    """A dispute as the gateway has it now. `amount_minor`: what the buyer disputes, which may be a part of the charge
    or more than it. `taken_minor`: what the gateway has withdrawn for it and not given back, in the charge's currency;
    `movements`: how many movements of money that sum has, which only grow in number."""

    id: str
    state: DisputeProgress
    amount_minor: int
    currency: str
    created_at: datetime
    reason: str = ""
    taken_minor: int = 0
    movements: int = 0

    @property
    def decided_minor(self) -> int:
        """What the shop has lost by it so far: nothing while it is open."""
        return 0 if self.state == "open" else self.taken_minor


@dataclass(frozen=True)
class Snapshot:
    """A session with its payment, refunds and disputes as the gateway has them now.

    `amount_minor`, `currency`: what was charged when it is paid, else what the page asks for. `paid_at`: when it was
    charged; None for a debit and the like, whose charge begins days before its money comes. `method`: for people,
    "Visa 4242", "" when unknown. `failure`: the gateway's words for the last failure.
    `reference` is None when the metadata is not in our form: the session is not ours.
    """

    session_id: str
    state: SessionState
    payment: PaymentProgress
    amount_minor: int
    currency: str
    livemode: bool
    expires_at: datetime
    reference: Reference | None
    url: str | None = None
    intent_id: str | None = None
    charge_id: str | None = None
    paid_at: datetime | None = None
    method: str = ""
    failure: str = ""
    refunds: tuple[RefundSnapshot, ...] = field(default=())
    disputes: tuple[DisputeSnapshot, ...] = field(default=())

    @property
    def is_paid(self) -> bool:
        return self.payment == "paid"


@dataclass(frozen=True)
class RefundRequest:
    """Money to send back of one payment. `reference.refund` is set. `was_sent`: an earlier call may have succeeded, so
    that the refund is looked for first."""

    key: str
    reference: Reference
    intent_id: str
    currency: str
    amount_minor: int
    was_sent: bool = False


@dataclass(frozen=True)
class Event:
    """A notification: which session to retrieve, nothing else of it is used. `session` is None for a type of event that
    concerns no payment of ours. `type`: in the gateway's words. `object_id`: of the session, intent or charge."""

    id: str
    type: str
    object_id: str
    created_at: datetime
    session: SessionRef | None


@dataclass(frozen=True)
class Transaction:
    """A movement of money. `id`: of the charge, refund or dispute. `amount_minor` is positive for charges and refunds;
    of a dispute it is what the shop has lost by it so far. `reference` as in RefundSnapshot. `charge_state`: of the
    charge now, whatever it was when the money moved."""

    id: str
    kind: TransactionKind
    amount_minor: int
    currency: str
    created_at: datetime
    intent_id: str | None = None
    charge_id: str | None = None
    reference: Reference | None = None
    charge_state: ChargeState = "succeeded"


@dataclass(frozen=True)
class EventPage:
    """The newest first. `cursor`: of the next page, None on the last."""

    events: tuple[Event, ...]
    cursor: str | None


@dataclass(frozen=True)
class TransactionPage:
    """At most 100, the newest first. `cursor` as in EventPage."""

    transactions: tuple[Transaction, ...]
    cursor: str | None


class PaymentGateway(Protocol):
    """One gateway. Each call has a deadline (PAYMENTS_DEADLINE_MS) around everything that it does."""

    @property
    def name(self) -> str:
        """As in `payments.gateway`."""
        ...

    async def create_session(self, request: SessionRequest) -> HostedPage:
        """Open a hosted page; the same key gives the same page."""
        ...

    async def get_session(self, ref: SessionRef) -> Snapshot | None:
        """None when the gateway has no such session."""
        ...

    async def expire_session(self, ref: SessionRef) -> Snapshot | None:
        """End a hosted page. The state afterwards: a page on which the buyer was faster is complete. None as above."""
        ...

    async def create_refund(self, request: RefundRequest) -> RefundSnapshot:
        """Send money back; the same key sends it once."""
        ...

    async def list_events(self, since: datetime, cursor: str | None) -> EventPage: ...

    async def list_transactions(self, since: datetime, until: datetime, cursor: str | None) -> TransactionPage: ...

    async def list_transactions_of(self, charge_id: str) -> tuple[Transaction, ...]:
        """The movements of one charge, however old they are."""
        ...

    async def verify_event(self, body: bytes, header: str | None, at: datetime) -> Event:
        """The event of a webhook's body with its signature. Raises EventRefused; calls nobody."""
        ...

    async def close(self) -> None: ...
