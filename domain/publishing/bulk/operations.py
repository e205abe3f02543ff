"""What can be done with many courses or items at once, and the permission that each operation needs.

Rows are chosen for one purpose: whoever may change texts sees no prices to change, and the other way round.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sqlalchemy.orm import Session

from domain.errors import NotFound, Refused
from domain.permissions import Actor, MissingPermission, Permission, permissions_of
from domain.tables import BulkChange

Purpose = Literal["catalogue", "prices"]
# What choosing rows for a purpose needs, and reading what became of them.
PURPOSES: Mapping[str, Permission] = {
    "catalogue": Permission.CATALOGUE_WRITE,
    "prices": Permission.PRICES_WRITE,
}


@dataclass(frozen=True)
class Operation:
    """`name`: of its job, with {} for what it changes. `undone_by`: the operation that gives back what it changed; None
    where nothing does."""

    purpose: Purpose
    permission: Permission
    name: str
    undone_by: str | None


OPERATIONS: Mapping[str, Operation] = {
    "category": Operation("catalogue", Permission.CATALOGUE_WRITE, "Change the category of {}", "category"),
    "publish": Operation("catalogue", Permission.CATALOGUE_PUBLISH, "Publish {}", None),
    "retire": Operation("catalogue", Permission.CATALOGUE_PUBLISH, "Retire {}", "publish"),
    "price": Operation("prices", Permission.PRICES_WRITE, "Change the price of {}", "price"),
}
_OTHER_PURPOSE = "These rows were chosen for another change. Choose them again for this one."


def permission_of(change: BulkChange) -> Permission:
    """The permission of its operation, or of its purpose while there is none."""
    return PURPOSES[change.purpose] if change.action is None else OPERATIONS[change.action].permission


def require(actor: Actor, permission: Permission) -> None:
    """Raises MissingPermission."""
    if permission not in permissions_of(actor.area, actor.roles):
        raise MissingPermission(actor.area, permission)


def allowed_purposes(actor: Actor) -> tuple[str, ...]:
    """The purposes for which this person may choose rows."""
    allowed = permissions_of(actor.area, actor.roles)
    return tuple(purpose for purpose, permission in PURPOSES.items() if permission in allowed)


def new_change(actor: Actor, kind: str, purpose: str) -> BulkChange:
    """A choice, which changes nothing yet."""
    return BulkChange(kind=kind, purpose=purpose, chosen_by=actor.learner_id, chosen_at=actor.at, reason="")


def locked_change(session: Session, change_id: int) -> BulkChange:
    """The change while nobody else can begin or preview it. Raises NotFound."""
    change = session.get(BulkChange, change_id, with_for_update=True, populate_existing=True)
    if change is None:
        raise NotFound("There is no such bulk change.")
    return change


def require_purpose(change: BulkChange, action: str) -> None:
    """Raises Refused for an operation that the rows were not chosen for."""
    if OPERATIONS[action].purpose != change.purpose:
        raise Refused(_OTHER_PURPOSE)
