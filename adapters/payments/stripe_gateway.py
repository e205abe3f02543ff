"""The payment gateway Stripe, behind the port of domain/payments/gateway.py."""

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from adapters.payments import objects, signatures
from adapters.payments.amounts import InvalidAmount, to_gateway
from adapters.payments.errors import as_port_errors, is_missing, is_stored
from adapters.payments.sdk import create_client, require_sdk
from adapters.payments.session_params import refund_params, session_params
from domain.payments.gateway import (
    Event,
    EventPage,
    GatewayAccount,
    GatewayRefused,
    GatewayUnavailable,
    HostedPage,
    Reference,
    RefundRequest,
    RefundSnapshot,
    SessionRef,
    SessionRequest,
    Snapshot,
    Transaction,
    TransactionPage,
)

if TYPE_CHECKING:
    from stripe import AIOHTTPClient, ListObject, StripeClient
    from stripe.params.checkout import SessionListParams

log = logging.getLogger("coursefront.payments")

NAME = "stripe"
PAGE = 100
# A session without a known id is looked for among those of this time around its opening.
CLOCK_DIFFERENCE = timedelta(minutes=5)
OPENED_WITHIN = timedelta(hours=3)
# Beyond that many pages there were too many to search within the deadline.
MAX_PAGES = 20
# Appended to an idempotency key with which the gateway has stored an error of its own.
SECOND_KEY = "-b"
# Ends the idempotency key of a page that is created without the buyer's address, because the gateway refused it.
KEY_WITHOUT_EMAIL = "-e"
SESSION_PARTS = ["payment_intent.latest_charge"]

Json = Mapping[str, Any]


class StripeGateway:
    """Implements PaymentGateway, for one event loop."""

    name = NAME

    def __init__(self, account: GatewayAccount):
        self._account = account
        self._client: StripeClient | None = None
        self._connections: AIOHTTPClient | None = None

    async def create_session(self, request: SessionRequest) -> HostedPage:
        async with self._call("create_session") as client:
            session = await self._create_with_email(client, request)
            self._require_as_requested(session, request)
            return objects.hosted_page(session)

    async def _create_with_email(self, client: "StripeClient", request: SessionRequest) -> Json:
        """An address that the gateway refuses must not make the order unpayable: its page then asks for one."""
        from stripe import InvalidRequestError

        try:
            return await self._create_session(client, request)
        except InvalidRequestError as error:
            if error.param != "customer_email":
                raise
        return await self._create_session(client, replace(request, email="", key=request.key + KEY_WITHOUT_EMAIL))

    async def _create_session(self, client: "StripeClient", request: SessionRequest) -> Json:
        from stripe import StripeError

        params, create = session_params(request, self._account.methods), client.v1.checkout.sessions.create_async
        try:
            return (await create(params, {"idempotency_key": request.key})).to_dict()
        except StripeError as error:
            if not is_stored(error):
                raise
        # The gateway may have opened the page before its error. It answers this key with the error from now on.
        existing = await self._find_by_reference(client, request.reference, request.opened_at)
        if existing is not None:
            return existing
        return (await create(params, {"idempotency_key": request.key + SECOND_KEY})).to_dict()

    def _require_as_requested(self, session: Json, request: SessionRequest) -> None:
        """A page elsewhere or for another amount is refused: nobody is sent there."""
        if not self._is_page(session["url"]):
            raise GatewayRefused("create_session: the hosted page is not on PAYMENTS_PAGE_ORIGIN")
        amount = to_gateway(request.amount_minor, request.currency)
        if (session["amount_total"], session["currency"]) != (amount, request.currency.lower()):
            raise GatewayRefused("create_session: the hosted page asks for another amount")

    def _is_page(self, url: str) -> bool:
        address = urlsplit(url)
        return f"{address.scheme}://{address.netloc}" == self._account.page_origin

    async def get_session(self, ref: SessionRef) -> Snapshot | None:
        async with self._call("get_session") as client:
            session = await self._find(client, ref)
            return None if session is None else await self._snapshot(client, session)

    async def expire_session(self, ref: SessionRef) -> Snapshot | None:
        async with self._call("expire_session") as client:
            session = await self._find(client, ref)
            if session is None:
                return None
            if session["status"] == "open":
                await self._expire(client, session["id"])
                session = await self._retrieve(client, session["id"]) or session
            return await self._snapshot(client, session)

    async def _expire(self, client: "StripeClient", session_id: str) -> None:
        """A refusal means that the buyer, or the page's own end, was faster: the state tells."""
        from stripe import InvalidRequestError

        try:
            await client.v1.checkout.sessions.expire_async(session_id)
        except InvalidRequestError as error:
            if is_missing(error):
                raise

    async def _find(self, client: "StripeClient", ref: SessionRef) -> Json | None:
        if ref.session_id is not None:
            return await self._retrieve(client, ref.session_id)
        intent_id = ref.intent_id
        if intent_id is None and ref.charge_id is not None:
            intent_id = objects.id_of(
                (await client.v1.charges.retrieve_async(ref.charge_id)).to_dict()["payment_intent"]
            )
        if intent_id is not None:
            return await self._find_by_intent(client, intent_id)
        if ref.reference is not None and ref.opened_at is not None:
            return await self._find_by_reference(client, ref.reference, ref.opened_at)
        return None

    async def _retrieve(self, client: "StripeClient", session_id: str) -> Json | None:
        from stripe import InvalidRequestError

        try:
            session = await client.v1.checkout.sessions.retrieve_async(session_id, {"expand": SESSION_PARTS})
        except InvalidRequestError as error:
            if is_missing(error):
                return None
            raise
        return session.to_dict()

    async def _find_by_intent(self, client: "StripeClient", intent_id: str) -> Json | None:
        page = _rows(await client.v1.checkout.sessions.list_async({"payment_intent": intent_id, "limit": 1}))
        return await self._retrieve(client, page[0]["id"]) if page else None

    async def _find_by_reference(self, client: "StripeClient", reference: Reference, at: datetime) -> Json | None:
        """The session with this metadata that was opened at `at` or soon afterwards."""
        since, until = at - CLOCK_DIFFERENCE, at + OPENED_WITHIN
        params: SessionListParams = {
            "created": {"gte": int(since.timestamp()), "lte": int(until.timestamp())},
            "limit": PAGE,
        }
        for _page in range(MAX_PAGES):
            page = await client.v1.checkout.sessions.list_async(params)
            rows = _rows(page)
            if session := next((row for row in rows if objects.reference_of(row) == reference), None):
                return await self._retrieve(client, session["id"])
            if not page.has_more or not rows:
                return None
            params["starting_after"] = rows[-1]["id"]
        raise GatewayUnavailable("get_session: too many sessions to search")

    async def _snapshot(self, client: "StripeClient", session: Json) -> Snapshot:
        """With the refunds and disputes of what was paid. A page elsewhere is left out: nobody is sent there."""
        if session.get("url") and not self._is_page(session["url"]):
            log.error("get_session: the hosted page is not on PAYMENTS_PAGE_ORIGIN")
            session = {**session, "url": None}
        intent: Json = session.get("payment_intent") or {}
        charge: Json = intent.get("latest_charge") or {}
        if session["payment_status"] != "paid":
            return objects.snapshot(session, [], [])
        refunds = await client.v1.refunds.list_async({"payment_intent": intent["id"], "limit": PAGE})
        disputes: list[Json] = []
        if charge.get("disputed"):
            disputes = _rows(await client.v1.disputes.list_async({"payment_intent": intent["id"], "limit": PAGE}))
        return objects.snapshot(session, _rows(refunds), disputes)

    async def create_refund(self, request: RefundRequest) -> RefundSnapshot:
        async with self._call("create_refund") as client:
            return objects.refund_snapshot(await self._create_refund(client, request))

    async def _create_refund(self, client: "StripeClient", request: RefundRequest) -> Json:
        from stripe import StripeError

        if request.was_sent and (existing := await self._find_refund(client, request)):
            return existing
        params, create = refund_params(request), client.v1.refunds.create_async
        try:
            return (await create(params, {"idempotency_key": request.key})).to_dict()
        except StripeError as error:
            if not is_stored(error):
                raise
            if existing := await self._find_refund(client, request):
                return existing
            # The first time the refund may still appear. Money is sent with another key only in a later call.
            if not request.was_sent:
                raise
        return (await create(params, {"idempotency_key": request.key + SECOND_KEY})).to_dict()

    async def _find_refund(self, client: "StripeClient", request: RefundRequest) -> Json | None:
        refunds = await client.v1.refunds.list_async({"payment_intent": request.intent_id, "limit": PAGE})
        return next((row for row in _rows(refunds) if objects.reference_of(row) == request.reference), None)

    async def list_events(self, since: datetime, cursor: str | None) -> EventPage:
        async with self._call("list_events") as client:
            types = [*signatures.SESSION_EVENTS, *signatures.PAYMENT_EVENTS]
            page = await client.v1.events.list_async(
                {
                    "created": {"gte": int(since.timestamp())},
                    "types": types,
                    "limit": PAGE,
                    **({"starting_after": cursor} if cursor else {}),
                }
            )
            rows = _rows(page)
            return EventPage(tuple(signatures.event_of(row) for row in rows), _next(page, rows))

    async def list_transactions(self, since: datetime, until: datetime, cursor: str | None) -> TransactionPage:
        async with self._call("list_transactions") as client:
            page = await client.v1.balance_transactions.list_async(
                {
                    "created": {"gte": int(since.timestamp()), "lt": int(until.timestamp())},
                    "limit": PAGE,
                    "expand": ["data.source"],
                    **({"starting_after": cursor} if cursor else {}),
                }
            )
            rows = _rows(page)
            transactions = [objects.transaction(row) for row in rows]
            return TransactionPage(tuple(row for row in transactions if row is not None), _next(page, rows))

    async def list_transactions_of(self, charge_id: str) -> tuple[Transaction, ...]:
        async with self._call("list_transactions_of") as client:
            from stripe import InvalidRequestError

            try:
                page = await client.v1.balance_transactions.list_async(
                    {"source": charge_id, "limit": PAGE, "expand": ["data.source"]}
                )
            except InvalidRequestError as error:
                # The gateway has no such charge: that is what is to be found.
                if is_missing(error) or error.code == "resource_missing":
                    return ()
                raise
            found = [objects.transaction(row) for row in _rows(page)]
            return tuple(row for row in found if row is not None)

    async def verify_event(self, body: bytes, header: str | None, at: datetime) -> Event:
        await require_sdk()
        from stripe import WebhookSignature

        return signatures.verify(WebhookSignature, body, header, self._account.webhook_secrets, at)

    async def close(self) -> None:
        if self._connections is not None:
            connections, self._client, self._connections = self._connections, None, None
            await connections.close_async()  # type: ignore[no-untyped-call] # the SDK's

    @asynccontextmanager
    async def _call(self, name: str) -> "AsyncIterator[StripeClient]":
        """The client, within the deadline of the account. Raises GatewayUnavailable or GatewayRefused."""
        await require_sdk()
        async with as_port_errors(name, self._account.deadline_s):
            if self._client is None:
                self._client, self._connections = create_client(self._account)
            try:
                yield self._client
            except InvalidAmount as error:
                raise GatewayRefused(f"{name}: {error}") from error


def _rows(page: "ListObject[Any]") -> list[Json]:
    return [row.to_dict() for row in page.data]


def _next(page: "ListObject[Any]", rows: list[Json]) -> str | None:
    """The cursor of the next page; None after the last one."""
    return str(rows[-1]["id"]) if page.has_more and rows else None
