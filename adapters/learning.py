"""Handles the rows of the topic "learning": work on the shop's own tables, which needs no service."""

from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime

from adapters.outbox import Handlers
from contracts.payloads import RecountItem, decode
from contracts.tasks import OutboxKind
from domain.database.database import Database
from domain.learning import recount
from domain.outbox.leases import Lease


class NoService:
    """The database is all that these rows need."""

    def ensure_ready(self) -> None:
        return


def open_service() -> AbstractContextManager[NoService]:
    return nullcontext(NoService())


def handlers(database: Database) -> Handlers[NoService]:
    def recount_slice(lease: Lease, _service: NoService) -> None:
        item = decode(RecountItem, lease.body)
        database.write_sync(recount.recount_and_go_on, item, datetime.now(UTC))

    return {str(OutboxKind.RECOUNT): recount_slice}
