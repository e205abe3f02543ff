"""Versioned payloads between processes, in queues, Redis, spool files and the outbox (docs/contracts.md). A new field
with a default keeps the version `v`; a changed meaning raises it, and readers of both are released before writers."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from typing import Any, ClassVar, Protocol, TypeVar

from contracts.tasks import Task


class Payload(Protocol):
    """A frozen dataclass whose field `v` has the current version as its default."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def v(self) -> int: ...


P = TypeVar("P", bound=Payload)


class NewerPayload(ValueError):
    """Written by a newer build in a version that this build cannot read; `version` says which."""

    def __init__(self, name: str, version: int):
        super().__init__(f"{name} has version {version}, which only a newer build can read")
        self.version = version


class UnknownKind(NewerPayload):
    """A payload of a version that this build can read, and of a kind that only a newer build knows; `kind` says
    which."""

    def __init__(self, name: str, version: int, kind: str):
        super().__init__(name, version)
        self.args = (f"{name} is of the kind {kind}, which only a newer build knows",)
        self.kind = kind


class MalformedPayload(ValueError):
    """Not in the payload's form."""


@dataclass(frozen=True, kw_only=True)
class VisitBatch:
    """`rows` are lists of values in the order of `columns`, which are names of domain.visits.batches.COLUMNS: readers
    go by the names, ignore those that they do not know and take the default for missing ones. Without `columns`, of
    version 1: domain.visits.visits.NewVisit as JSON. A batch that is stored twice counts once."""

    rows: list[Any]
    columns: list[str] = field(default_factory=list)
    kind: str = "visits"
    v: int = 2


# The kinds of batches that this build stores. A new kind keeps `v`: what it waits for is its name.
VISIT_KINDS = frozenset({VisitBatch.kind})

# Clocks of hosts and workers may differ by this much. The host gives a call up this long after the call's `deadline`:
# even a worker whose clock is so far behind commits nothing later. The host checks the difference with each `rpc.ping`.
CLOCK_SKEW_S = 0.25
# A call without a deadline gets this time from when a worker begins it.
DEFAULT_DEADLINE_S = 5.0


def deadline_before(gives_up_at: datetime) -> str:
    """The `deadline` of a call that its host gives up at that time."""
    return (gives_up_at - timedelta(seconds=CLOCK_SKEW_S)).isoformat()


def deadline_of(call: "RpcCall | RunReport", now: datetime) -> datetime:
    """When a call that a worker begins `now` must be committed. Raises ValueError for a time without a zone."""
    if not call.deadline:
        return now + timedelta(seconds=DEFAULT_DEADLINE_S)
    deadline = datetime.fromisoformat(call.deadline)
    if deadline.tzinfo is None:
        raise ValueError("the deadline has no time zone")
    return deadline


@dataclass(frozen=True, kw_only=True)
class DescribeCode:
    """Ask for the terms of a code for a learner (None: a guest) at a time (`at`, ISO 8601 in UTC). `deadline` of each
    call, in that form: a worker commits nothing from then on. The sender of the message sets it."""

    task: ClassVar[Task] = Task.DESCRIBE_CODE
    code: str
    at: str
    learner_id: int | None = None
    deadline: str = ""
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class ApplyToLine:
    """Put a code on a line of the learner's cart; the code "" removes the current one."""

    task: ClassVar[Task] = Task.APPLY_TO_LINE
    learner_id: int
    product_id: int
    code: str
    at: str
    deadline: str = ""
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class ApplyToCart:
    """Put a coupon on a whole cart. `owner` is {learner_id, guest}, `lines` a guest's [[product id, quantity]]."""

    task: ClassVar[Task] = Task.APPLY_TO_CART
    owner: dict[str, Any]
    code: str
    at: str
    lines: list[list[int]] = field(default_factory=list)
    deadline: str = ""
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class RunReport:
    """Figures from the files of days. Each of `requests` is [by, audience, first day, last day, hour at which the last
    day ends or null, [[dimension, value], …]]."""

    task: ClassVar[Task] = Task.RUN_REPORT
    requests: list[list[Any]]
    deadline: str = ""
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class ReportFigures:
    """The reply to RunReport: of each request [[key, [figures]], …]. `error`: why there are none, else ""."""

    rows: list[list[Any]] = field(default_factory=list)
    error: str = ""
    v: int = 1


RpcCall = DescribeCode | ApplyToLine | ApplyToCart
RPC_CALLS: tuple[type[RpcCall], ...] = (DescribeCode, ApplyToLine, ApplyToCart)


@dataclass(frozen=True, kw_only=True)
class RpcReply:
    """`id` is the call's task id; `answer` is None when the worker failed, and `error` says how."""

    id: str
    answer: dict[str, Any] | None = None
    error: str = ""
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class OutboxItem:
    """Body of an outbox row: ids of what the row's task is about."""

    message_id: int
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class ReplyItem:
    """Body of an outbox row about one answer to a message of a visitor."""

    reply_id: int
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class OrderItem:
    """Body of an outbox row about one order."""

    order_id: int
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class PaymentItem:
    """Body of an outbox row about one payment, the attempt to pay an order."""

    payment_id: int
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class RefundItem:
    """Body of an outbox row about one refund."""

    refund_id: int
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class EnrolledItem:
    """Body of an outbox row about the courses that one source opened: an order line, a seat or a gift."""

    source: str
    source_id: int
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class AccessEndItem:
    """Body of an outbox row about one enrolment. `until`: the end of its access that is told, in ISO 8601."""

    enrolment_id: int
    until: str
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class MailTestItem:
    """Body of an outbox row about a test of a mail to `learner_id`. `mail`: the kind of its outbox row; `words`: by the
    name of its part, as they were typed, which nothing else stores; `currency`: of its examples."""

    learner_id: int
    mail: str
    words: Mapping[str, str]
    currency: str
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class CertificateItem:
    """Body of an outbox row about one certificate."""

    certificate_id: int
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class ReviewItem:
    """Body of an outbox row about one review of a course."""

    review_id: int
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class ProductItem:
    """Body of an outbox row about one course or shop item."""

    product_id: int
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class GiftItem:
    """Body of an outbox row about one gift."""

    gift_id: int
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class ApplicationItem:
    """Body of an outbox row about an organisation's application. `message_id`: of its thread, None for no message."""

    organisation_id: int
    message_id: int | None = None
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class QuoteItem:
    """Body of an outbox row about one quote."""

    quote_id: int
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class InvitationItem:
    """Body of an outbox row about one invitation into an organisation; `send`: which of its mails this is, from 1."""

    invitation_id: int
    send: int = 1
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class SeatEventItem:
    """Body of an outbox row about one event of a seat."""

    event_id: int
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class ConfirmationItem:
    """Body of an outbox row about a change of staff that waits, for one administrator."""

    pending_id: int
    learner_id: int
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class ReportMailItem:
    """Body of an outbox row about one mail of a saved view. `period`: the day on which it was due, in ISO 8601."""

    subscription_id: int
    period: str
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class FindingItem:
    """Body of an outbox row about one finding of the reconciliation."""

    finding_id: int
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class GatewayEventItem:
    """Body of an outbox row about one stored event of the payment gateway."""

    event_id: int
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class RecountItem:
    """Body of an outbox row about the enrolments of a course, at most `limit`, from the one after `after_id` on.
    `is_single`: no others follow."""

    course_id: int
    after_id: int = 0
    limit: int = 10
    is_single: bool = False
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class CrawlerSighting:
    """A crawler came from an address. `verification` and `method`: what ranges say of it (domain/crawlers); else
    `address`, about which DNS is to be asked. `seen_at`: seconds since 1970."""

    crawler: str
    ip_hash: str
    seen_at: int
    verification: str = ""
    method: str = ""
    address: str = ""
    v: int = 1


@dataclass(frozen=True, kw_only=True)
class Pong:
    """Answer to `rpc.ping`: the worker's clock (ISO 8601 in UTC)."""

    at: str
    v: int = 1


# `error` of a worker that cannot read the call; the host then runs the call inline.
CANNOT_READ = "NewerPayload"


def encode(payload: Payload) -> dict[str, Any]:
    return {item.name: getattr(payload, item.name) for item in fields(payload)}


def decode(form: type[P], data: object) -> P:
    """Drop unknown keys and fill missing ones with defaults. Raises NewerPayload, or MalformedPayload if a key without
    default is missing. Types of values are not checked here."""
    if not isinstance(data, Mapping):
        raise MalformedPayload(f"{form.__name__} is not an object")
    current, version = int(form.__dataclass_fields__["v"].default), data.get("v")
    if not isinstance(version, int):
        raise MalformedPayload(f"{form.__name__} has no integer as its version")
    if version > current:
        raise NewerPayload(form.__name__, version)
    values = {**known_fields(form, data), "v": current}
    try:
        return form(**values)
    except TypeError as error:
        raise MalformedPayload(f"{form.__name__} is incomplete: {error}") from None


def decode_visits(data: object) -> VisitBatch:
    """Raises MalformedPayload; NewerPayload, also for a kind that only a newer build knows (UnknownKind)."""
    batch = decode(VisitBatch, data)
    if not isinstance(batch.rows, list) or not isinstance(batch.columns, list):
        raise MalformedPayload("VisitBatch has no list of rows or of columns")
    if not isinstance(batch.kind, str):
        raise MalformedPayload("VisitBatch has no text as its kind")
    if batch.kind not in VISIT_KINDS:
        raise UnknownKind(VisitBatch.__name__, batch.v, batch.kind)
    return batch


def known_fields(form: type[Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of `data` that are fields of the dataclass `form`."""
    return {name: value for name, value in data.items() if name in form.__dataclass_fields__}
