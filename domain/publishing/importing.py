"""What an import may change of products that are stored already, and the events of what it has changed.

Prices of what is on sale need `prices.write`. What staff decided about the state of a product stays: an import neither
publishes what is retired or scheduled, nor takes back what people have seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.permissions import Actor, Permission, SystemActor, permissions_of
from domain.publishing.prices import PRICE_COLUMNS
from domain.publishing.product_changes import ProductChange
from domain.publishing.records import Json

REASON = "An import."
PRICE_STAYS = "Its price stays: the price of what is on sale is changed by whoever has the permission prices.write"
# State as stored -> states to which an import may lead, and why not to others.
_STATES = {
    "scheduled": ((), "It stays scheduled: its page changes that"),
    "published": (("retired",), "It stays published: it can be retired, not taken back"),
    "retired": ((), "It stays retired: its page publishes it again"),
}
_ACTIONS = {"draft": "withdraw", "scheduled": "schedule", "published": "publish", "retired": "retire"}


@dataclass(frozen=True)
class Importer:
    """Who imports, with the roles of now."""

    actor: Actor | SystemActor

    @property
    def may_price(self) -> bool:
        actor = self.actor
        return isinstance(actor, SystemActor) or Permission.PRICES_WRITE in permissions_of("admin", actor.roles)

    def hold_back(self, stored: Json, row: Json) -> tuple[str, ...]:
        """Put back into `row`, the wanted columns, what this import may not change; why, for its report."""
        reasons = []
        if stored["status"] != "draft" and not self.may_price and _differs(stored, row):
            row |= {name: stored[name] for name in PRICE_COLUMNS}
            reasons.append(PRICE_STAYS)
        allowed, reason = _STATES.get(stored["status"], ((), ""))
        if reason and row["status"] not in (stored["status"], *allowed):
            row["status"] = stored["status"]
            reasons.append(reason)
        return tuple(reasons)


def _differs(stored: Json, row: Json) -> bool:
    return any(stored[name] != row[name] for name in PRICE_COLUMNS)


def record_changes(session: Session, changes: Sequence[ProductChange]) -> None:
    """An event for each changed price and state. For `Database.write_as`."""
    recording.no_change(session)
    for change in changes:
        stored, row = change.stored, change.row
        if stored is None:
            continue
        subject = Subject(str(stored["kind"]), change.id)
        before, after = ({name: columns[name] for name in PRICE_COLUMNS} for columns in (stored, row))
        if before != after:
            recording.record(session, "price.change", subject, before=before, after=after, reason=REASON)
        if stored["status"] != row["status"]:
            old, new = {"status": stored["status"]}, {"status": row["status"]}
            action = f"{subject.kind}.{_ACTIONS[row['status']]}"
            recording.record(session, action, subject, before=old, after=new, reason=REASON)
