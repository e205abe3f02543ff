"""A transaction of the stand-in, and the HTTP request and response of the one that a client caused."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from sqlalchemy.orm import Session

from standins.payments.errors import PaymentApiError
from standins.payments.tables import MoneyEntry

Json = dict[str, Any]
# The events that the shop handles. The others are listed by the API and not sent, as at a webhook that selects its own.
SHOP_EVENTS = (
    "checkout.session.completed",
    "checkout.session.async_payment_succeeded",
    "checkout.session.async_payment_failed",
    "checkout.session.expired",
    "refund.created",
    "refund.updated",
    "refund.failed",
    "charge.dispute.created",
    "charge.dispute.updated",
    "charge.dispute.closed",
    "charge.dispute.funds_withdrawn",
    "charge.dispute.funds_reinstated",
)


@dataclass(frozen=True)
class GatewayConfig:
    """`origin`: of API and page; `folder`: of the database and of ledger.jsonl; `webhook`: the address of the shop's
    webhook, "" for none; `secrets`: each signs the deliveries; `events`: the types that are delivered."""

    origin: str
    folder: Path
    key: str = "sk_test_standin"
    secrets: tuple[str, ...] = ("whsec_standin",)
    webhook: str = ""
    events: tuple[str, ...] = SHOP_EVENTS
    shop_name: str = "the shop"
    environment: str = "development"


@dataclass
class Work:
    """One transaction. `now`: seconds since 1970. `request`: id and idempotency key of the API call that causes it."""

    config: GatewayConfig
    session: Session
    now: float
    request: Json = field(default_factory=lambda: {"id": None, "idempotency_key": None})
    entries: list[MoneyEntry] = field(default_factory=list)

    def add_money(self, kind: str, amount: int, **facts: Any) -> None:
        """Adds a line to ledger.jsonl; `amount` is negative for money that leaves the shop."""
        entry = MoneyEntry(data={"at": int(self.now), "kind": kind, "amount": amount, **facts})
        self.session.add(entry)
        self.entries.append(entry)


@dataclass
class Call(Work):
    """One HTTP request. `fault`: what goes wrong while it is carried out."""

    method: str = "GET"
    path: str = ""
    path_values: Mapping[str, str] = field(default_factory=dict)
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    fault: str | None = None

    @cached_property
    def pairs(self) -> list[tuple[str, str]]:
        """Fields of query and body in their order."""
        text = f"{self.query}&{self.body.decode('utf-8', 'replace')}"
        return parse_qsl(text, keep_blank_values=True)

    @cached_property
    def form(self) -> dict[str, str]:
        return dict(self.pairs)


@dataclass
class Response:
    status: int
    body: bytes
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)


def json_response(data: Any, status: int = 200) -> Response:
    return Response(status, json.dumps(data, indent=2).encode())


def error_response(call: Work, error: PaymentApiError) -> Response:
    return json_response(error.error_object(call.request["id"] or ""), error.status)
